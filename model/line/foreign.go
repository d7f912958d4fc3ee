// Texts from files among text of our own: whatever stands in them, nobody can take them for a row, a column or a sign that we
// have drawn.

package line

import "unicode/utf8"

// AppendForeign appends s as AppendClean does, and so that it can be told from what stands around it:
//
//   - a run of blanks of any kind becomes one space, so that nothing moves to where a column or a row begins;
//   - what the line, the dashboard and the commands draw as signs, bars and frames, and what looks the same, is replaced:
//     dashes, arrows and "≠" by ASCII, all else by U+25AB;
//   - a dot in the middle with a blank before it becomes "-": it would stand there as between the parts of a line;
//   - combining marks with nothing to combine with disappear.
//
// What is foreign already stays as it is. ASCII is never replaced, not even where it is drawn for a sign: texts are full of
// it. There the place of a text tells whose it is, and what takes more than one row is marked in each.
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

// Tidy returns a text from a file as the model keeps it: clean, with one space for each run of blanks, and none at its ends.
func Tidy(s string) string {
	s = Clean(s)
	if isTidy(s) {
		return s
	}
	tidy := make([]byte, 0, len(s))
	for _, r := range s {
		if !in(blanks[:], r) {
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

// isTidy reports whether all blanks are single spaces between other characters.
func isTidy(s string) bool {
	blank := s != ""
	for _, r := range s {
		is := in(blanks[:], r)
		if is && (blank || r != ' ') {
			return false
		}
		blank = is
	}
	return !blank
}

// foreign makes a text foreign, a character at a time.
type foreign struct {
	rest  string // what is still to be read, not empty
	marks int    // as cleanNext counts them
	begun bool   // something was given out
	blank bool   // and it was a space
}

// next reads a character and returns what stands for it. ok is false where nothing does.
func (f *foreign) next() (text string, ok bool) {
	read := f.rest
	if c := read[0]; c > ' ' && c < 0x7F {
		f.rest, f.marks, f.begun, f.blank = read[1:], 0, true, false
		return read[:1], true
	}
	r, size := cleanNext(read, &f.marks)
	f.rest = read[size:]
	open := f.blank || !f.begun // nothing stands before it
	switch {
	case r == dropped, f.marks > 0 && open, f.blank && in(blanks[:], r):
		return "", false
	case in(blanks[:], r):
		text = " "
	case open && in(dots[:], r):
		text = "-"
	case in(signs[:], r):
		text = plainFor(r)
	case r == utf8.RuneError:
		text = "\uFFFD"
	default:
		text = read[:size]
	}
	f.begun, f.blank = true, text == " "
	return text, true
}

// plainFor returns what stands for a sign in a text from a file.
func plainFor(sign rune) string {
	switch sign {
	case 0x2012, 0x2013, 0x2015:
		return "-"
	case 0x2190:
		return "<-"
	case 0x2192:
		return "->"
	case 0x2260:
		return "!="
	}
	return "▫"
}
