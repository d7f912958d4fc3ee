package doc

// ByteOrderMark of UTF-8, which some editors put before a text. It is not part of the text.
const ByteOrderMark = "\uFEFF"

// The functions below replace package strings, which costs the prompt as much as reading two files.

// HasPrefix reports whether text begins with prefix.
func HasPrefix(text, prefix string) bool {
	return len(text) >= len(prefix) && text[:len(prefix)] == prefix
}

// HasSuffix reports whether text ends with suffix.
func HasSuffix(text, suffix string) bool {
	return len(text) >= len(suffix) && text[len(text)-len(suffix):] == suffix
}

// Index returns the offset of the first part in text, -1 without one.
func Index(text, part string) int {
	if part == "" {
		return 0
	}
	for at := 0; ; at++ {
		i := indexByte(text[at:], part[0])
		if at += i; i < 0 || at+len(part) > len(text) {
			return -1
		} else if len(part) == 1 || text[at:at+len(part)] == part {
			return at
		}
	}
}

// indexByte returns the offset of the first byte c in text, -1 without one.
func indexByte(text string, c byte) int {
	for i := range len(text) {
		if text[i] == c {
			return i
		}
	}
	return -1
}

// LastIndex returns the offset of the last part in text, -1 without one. The part is not empty.
func LastIndex(text, part string) int {
	for i := len(text) - len(part); i >= 0; i-- {
		if text[i] == part[0] && text[i:i+len(part)] == part {
			return i
		}
	}
	return -1
}

// Contains reports whether part occurs in text.
func Contains(text, part string) bool { return Index(text, part) >= 0 }

// Cut returns the text before and after the first separator; without one, all of it is before.
func Cut(text, separator string) (before, after string, found bool) {
	if i := Index(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return text, "", false
}

// TrimPrefix returns text without a prefix, or unchanged if it does not begin with it.
func TrimPrefix(text, prefix string) string {
	if HasPrefix(text, prefix) {
		return text[len(prefix):]
	}
	return text
}

// TrimSuffix returns text without a suffix, or unchanged if it does not end with it.
func TrimSuffix(text, suffix string) string {
	if HasSuffix(text, suffix) {
		return text[:len(text)-len(suffix)]
	}
	return text
}

// ReplaceAll returns text with each part, which is not empty, replaced.
func ReplaceAll(text, part, by string) (out string) {
	for {
		before, after, found := Cut(text, part)
		if out += before; !found {
			return out
		}
		out, text = out+by, after
	}
}

// Trim returns text without spaces, tabs and line ends around it.
func Trim(text string) string {
	text = text[countBlanks(text):]
	for text != "" && isBlank(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

// Lower returns text with its ASCII letters in lower case.
func Lower(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] += 'a' - 'A'
		}
	}
	return string(lower)
}

// lineEnd returns the offset of the next line feed, or the length of the text.
func lineEnd(text string, at int) int {
	if i := indexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// lineAfter returns the offset of the line after the one that holds an offset.
func lineAfter(text string, at int) int { return min(len(text), lineEnd(text, at)+1) }

// countBlanks returns how many spaces, tabs and line ends text begins with.
func countBlanks(text string) (n int) {
	for n < len(text) && isBlank(text[n]) {
		n++
	}
	return n
}

// CountDigits returns how many ASCII digits text begins with.
func CountDigits(text string) (n int) {
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// indentOf returns how many blanks a line begins with.
func indentOf(line string) (n int) {
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return n
}

// countLeading returns how often text begins with c.
func countLeading(text string, c byte) (n int) {
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}

// countParts returns how often part occurs in text.
func countParts(text, part string) (n int) {
	for i, first := 0, part[0]; i+len(part) <= len(text); i++ {
		if text[i] == first && (len(part) == 1 || text[i:i+len(part)] == part) {
			n++
		}
	}
	return n
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
