// Texts that a user decides on: nothing in them is hidden.

package line

import "unicode/utf8"

// tab replaces a tab.
const tab = "    "

// Reveal returns one line of a text with everything visible: blanks keep their number, a tab becomes four, and
// invisible characters, unusual blanks, and characters that affect their surroundings are named: "␍", "<U+200B>". Only
// the selector that colors an emoji is dropped silently. The result is clean, and revealing it again changes nothing.
func Reveal(s string) string {
	if isPlain(s) {
		return s
	}
	b := make([]byte, 0, len(s)+16)
	marks, open, before := 0, true, rune(0)
	for i := 0; i < len(s); {
		r, size := decodeRune(s[i:])
		i += size
		mark := inSpans(marking[:], r)
		if marks++; !mark {
			marks = 0
		}
		switch {
		case r == '\t':
			b = append(b, tab...)
		case r < 0x20:
			b = utf8.AppendRune(b, 0x2400+r)
		case r == 0x7F:
			b = utf8.AppendRune(b, 0x2421)
		case r == 0xFE0F && (before >= 0x203C && before < 0x3300 || before >= 0x1F000):
		case r >= 0x7F && r < 0xA0, r == 0x2028, r == 0x2029, isUnseen(r), r != ' ' && inSpans(blanks[:], r),
			mark && (open || marks > marksLimit || inSpans(overlaid[:], r)):
			b = append(b, formatRune(r)...)
			r = '>'
		default:
			b = utf8.AppendRune(b, r)
		}
		open, before = r == ' ' || r == '\t', r
	}
	return string(b)
}

// drawBlanks draws the runs of blanks within a line that are longer than a tab.
func drawBlanks(s string) string {
	var b []byte
	run, from := 0, 0
	indented := true
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] == ' ' {
			run++
			continue
		}
		if run > len(tab) && !indented {
			b = append(b, s[from:i-run+1]...)
			for range run - 1 {
				b = append(b, "␣"...)
			}
			from = i
		}
		run, indented = 0, false
	}
	if b == nil {
		return s
	}
	return string(append(b, s[from:]...))
}

// formatRune returns the notation of a character by its number: "<U+200B>".
func formatRune(r rune) string {
	digits := 4
	for digits < 6 && r>>(4*digits) > 0 {
		digits++
	}
	name := "<U+"
	for ; digits > 0; digits-- {
		i := r >> (4 * (digits - 1)) & 0xF
		name += "0123456789ABCDEF"[i : i+1]
	}
	return name + ">"
}

// isPlain reports whether s is visible ASCII.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7F {
			return false
		}
	}
	return true
}

// ForeignBody returns one line of a text like [Reveal], with the signs replaced that [Foreign] replaces. It is for text
// after a rail. A run of more than four blanks keeps its columns, and is drawn as "␣" from the second on, so that the
// text after it is not mistaken for a column of ours. Indentation is kept.
func ForeignBody(s string) string {
	s = drawBlanks(Reveal(s))
	if isPlain(s) {
		return s
	}
	b := make([]byte, 0, len(s)+8)
	f := foreign{rest: s, keeps: true}
	for f.rest != "" {
		if text, ok := f.next(); ok {
			b = append(b, text...)
		}
	}
	return string(b)
}
