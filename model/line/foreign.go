// Texts from files within text of our own. Their content must not be mistakable for a row, a column or a sign that
// Gatehouse has drawn.

package line

import "unicode/utf8"

// AppendForeign appends s like AppendClean, and keeps it distinguishable from the text around it:
//
//   - a run of blanks of any kind becomes one space, so that no text moves to the start of a column or row;
//   - characters that the line, the dashboard and the commands draw as signs, bars and frames, and their lookalikes,
//     are replaced: dashes, arrows, "≠" and the cells of bars by ASCII, all others by U+25AB;
//   - a middle dot after a blank becomes "-", since it would look like the separator between the parts of a line;
//   - a character with a disputed width is replaced by U+25AB;
//   - combining marks without a base character are dropped, and so are those that strike through or frame a character.
//
// Text that is already foreign does not change. ASCII is never replaced, even if a sign uses it: texts are full of it.
// In that case the position of a text shows its origin, and texts of more than one row are marked in each row.
func AppendForeign(dst []byte, s string, max int) []byte {
	start := len(dst)
	var f foreign
	for f.rest = s; f.rest != ""; {
		text, ok := f.next()
		if !ok {
			continue
		}
		if max > 0 && len(dst)-start+len(text) > max {
			break
		}
		dst = append(dst, text...)
	}
	return dst
}

// Foreign returns s as AppendForeign would append it, without a limit. It allocates only when something has to change.
func Foreign(s string) string {
	if plainWords(s) {
		return s
	}
	var f foreign
	for f.rest = s; f.rest != ""; {
		before := f.rest
		text, ok := f.next()
		if !ok || text != before[:len(before)-len(f.rest)] {
			return string(AppendForeign(make([]byte, 0, len(s)+8), s, 0))
		}
	}
	return s
}

// Composed makes a text foreign that joins several parts, except for the joints. The caller must have removed the
// joints from the parts.
func Composed(s string, joints ...string) string {
	whole := Foreign(s)
	if whole == s || len(joints) == 0 { // a joint is never foreign
		return whole
	}
	joint := joints[0]
	var text []byte
	from := 0
	for i := 0; i+len(joint) <= len(s); i++ {
		if s[i:i+len(joint)] == joint {
			text = appendPart(text, Composed(s[from:i], joints[1:]...), from > 0)
			if n := len(text); n > 0 && text[n-1] == ' ' {
				text = text[:n-1]
			}
			text = append(text, joint...)
			from = i + len(joint)
			i = from - 1
		}
	}
	return string(appendPart(text, Composed(s[from:], joints[1:]...), from > 0))
}

// appendPart appends a part of a text after a joint, without the blank that it begins with: the joint has one.
func appendPart(text []byte, part string, joined bool) []byte {
	if joined && part != "" && part[0] == ' ' {
		part = part[1:]
	}
	return append(text, part...)
}

// nameCols is the number of columns for a name in a sentence.
const nameCols = 60

// Name formats a name from a file for use in a sentence of ours: as foreign text, in quotes unless it is a single word,
// and cut to a readable length.
func Name(name string) string {
	name = Foreign(name)
	if len(name) > nameCols {
		name = string(cutTail([]byte(name), 0, nameCols))
	}
	word := name != ""
	for i := 0; i < len(name) && word; i++ {
		c := name[i]
		word = c > ' ' && c != '"' && c != '(' && c != ')' && c != ','
	}
	if word {
		return name
	}
	quoted := append(make([]byte, 0, len(name)+2), '"')
	for i := range len(name) {
		if c := name[i]; c != '"' {
			quoted = append(quoted, c)
		} else {
			quoted = append(quoted, '\'') // nothing in quotes ends them
		}
	}
	return string(append(quoted, '"'))
}

// Tidy returns a text from a file as the model keeps it: clean, with one space for each run of blanks, and none at its ends.
func Tidy(s string) string {
	if plainWords(s) {
		return s
	}
	s = Clean(s)
	if isTidy(s) {
		return s
	}
	tidy := make([]byte, 0, len(s))
	for _, r := range s {
		if !inSpans(blanks[:], r) {
			tidy = utf8.AppendRune(tidy, r)
		} else if n := len(tidy); n > 0 && tidy[n-1] != ' ' {
			tidy = append(tidy, ' ')
		}
	}
	if n := len(tidy); n > 0 && tidy[n-1] == ' ' {
		tidy = tidy[:n-1]
	}
	return string(tidy)
}

// plainWords reports whether s consists of words in ASCII with a single space between them, as nearly every text does.
func plainWords(s string) bool {
	blank := true
	for i := range len(s) {
		if c := s[i]; c <= ' ' && (blank || c != ' ') || c >= 0x7F {
			return false
		}
		blank = s[i] == ' '
	}
	return !blank
}

// isTidy reports whether all blanks are single spaces between other characters.
func isTidy(s string) bool {
	blank := s != ""
	for _, r := range s {
		is := r == ' ' || r >= 0xA0 && inSpans(blanks[:], r)
		if is && (blank || r != ' ') {
			return false
		}
		blank = is
	}
	return !blank
}

// foreign makes a text foreign, one character at a time.
type foreign struct {
	rest  string // remaining text, not empty
	marks int    // as cleanNext counts them
	begun bool   // some output was produced
	blank bool   // and it ended in a space
	keeps bool   // all of several blanks are kept
}

// next reads a character and returns its replacement. ok is false if it is dropped.
func (f *foreign) next() (text string, ok bool) {
	read := f.rest
	if c := read[0]; c > ' ' && c < 0x7F {
		f.rest, f.marks, f.begun, f.blank = read[1:], 0, true, false
		return read[:1], true
	}
	r, size := cleanNext(read, &f.marks)
	f.rest = read[size:]
	open := f.blank || !f.begun // at the beginning of the text
	switch {
	case r == dropped, f.marks > 0 && (open || inSpans(overlaid[:], r)), f.blank && !f.keeps && inSpans(blanks[:], r):
		return "", false
	case inSpans(blanks[:], r):
		text = " "
	case open && inSpans(dots[:], r):
		text = "-"
	case inSpans(signs[:], r):
		text = plainFor(r)
	case r >= disputed[0].first && inSpans(disputed[:], r):
		text = "▫"
	case r == utf8.RuneError:
		text = "\uFFFD"
	default:
		text = read[:size]
	}
	f.begun, f.blank = true, text == " "
	return text, true
}

// plainFor returns the replacement for a sign in a text from a file.
func plainFor(sign rune) string {
	switch sign {
	case 0x2012, 0x2013, 0x2015:
		return "-"
	case 0x2190:
		return "<-"
	case 0x2192, 0x2794, 0x279C, 0x279E, 0x27F6, 0x2B62, 0x2B95:
		return "->"
	case 0x2260:
		return "!="
	case 0x2588, 0x2593:
		return "#"
	case 0x2591:
		return "."
	}
	return "▫"
}
