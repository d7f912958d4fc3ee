// Cleaning: every value from a file goes through it before it is shown anywhere.

package line

import "unicode/utf8"

const (
	// FieldLimit is the most bytes that one value from a file may have in a line, counted after cleaning.
	FieldLimit = 256

	// marksLimit is the most combining marks kept on one character: enough for every living script, too few to draw over
	// the lines above and below.
	marksLimit = 3

	dropped = -1 // in place of a rune: nothing is shown
)

// AppendClean appends s to dst made safe for a terminal, at most max bytes of it (no limit when max is 0 or less), ending
// before the first character that does not fit. The result is valid UTF-8 on one line:
//
//   - each invalid sequence becomes one U+FFFD, a sequence being a maximal subpart as browsers and JavaScript count it;
//   - tab, vertical tab, form feed and each line break, among them CR LF, U+0085, U+2028 and U+2029, become one space;
//   - the other control characters (C0, DEL, C1) become U+FFFD, which ends every escape sequence;
//   - format characters and all that shows as nothing (bidirectional controls, zero-width characters, BOM, soft hyphen,
//     tags, variation selectors, fillers, non-characters) disappear;
//   - beyond three combining marks on one character the marks disappear.
//
// Cleaning twice has no further effect.
func AppendClean(dst []byte, s string, max int) []byte {
	start, marks := len(dst), 0
	for i := 0; i < len(s); {
		r, size := cleanNext(s[i:], &marks)
		i += size
		if r == dropped {
			continue
		}
		if max > 0 && len(dst)-start+utf8.RuneLen(r) > max {
			break
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// Clean returns s as AppendClean would append it, without a limit. It allocates only when something has to change.
func Clean(s string) string {
	marks := 0
	for i := 0; i < len(s); {
		r, size := cleanNext(s[i:], &marks)
		// An unchanged character is the one that was read, in its own length; an invalid byte read as U+FFFD is shorter.
		if r == dropped || r == ' ' && s[i] != ' ' || r == utf8.RuneError && s[i:i+size] != "\uFFFD" {
			return string(AppendClean(make([]byte, 0, len(s)+8), s, 0))
		}
		i += size
	}
	return s
}

// cleanNext returns the replacement for the first character of s, which is not empty, and the length of that character
// in bytes. marks counts the combining marks since the last base character.
func cleanNext(s string, marks *int) (r rune, size int) {
	c := s[0]
	if c >= 0x20 && c < 0x7F {
		*marks = 0
		return rune(c), 1
	}
	r, size = decodeRune(s)
	switch {
	case r == '\r' && len(s) > 1 && s[1] == '\n':
		r, size = ' ', 2
	case r >= '\t' && r <= '\r', r == 0x85, r == 0x2028, r == 0x2029:
		r = ' '
	case r < 0x20, r >= 0x7F && r < 0xA0:
		r = utf8.RuneError
	case isUnseen(r):
		return dropped, size
	case inSpans(marking[:], r):
		*marks++
		if *marks > marksLimit {
			return dropped, size
		}
		return r, size
	}
	*marks = 0
	return r, size
}

// isUnseen reports whether a character shows as nothing, or acts on the order or the joining of those around it.
func isUnseen(r rune) bool { return r >= 0xAD && (inSpans(invisible[:], r) || r&0xFFFE == 0xFFFE) }

// decodeRune returns the first character of s and its length in bytes; for an invalid sequence U+FFFD and the length of its
// maximal subpart (the Unicode Standard, table 3-7 and section 3.9), unlike Go, which reports each byte separately.
func decodeRune(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || size != 1 {
		return r, size
	}
	low, high, need := byte(0x80), byte(0xBF), 0
	switch c := s[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			low = 0xA0
		} else if c == 0xED {
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			low = 0x90
		} else if c == 0xF4 {
			high = 0x8F
		}
	}
	for size <= need && size < len(s) && s[size] >= low && s[size] <= high {
		size++
		low, high = 0x80, 0xBF
	}
	return r, size
}
