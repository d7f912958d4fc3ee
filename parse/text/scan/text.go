// Package scan holds hand-written scanners over the text of state files, shared by the prompt, the readers and the
// editors: no regular expressions, no YAML, no allocation, and linear in the length of the text. All positions are byte
// offsets.
//
// GSD's status line reads STATE.md with JavaScript's regular expressions. Where this package speaks of white space, line
// terminators and line starts it therefore means JavaScript's.
package scan

import (
	"unicode/utf8"

	"gatehouse/model/line"
)

// SpaceLen returns the length in bytes of the white space character (JavaScript's \s) that s begins with, 0 for none.
func SpaceLen(s string) int {
	if s == "" {
		return 0
	}
	if c := s[0]; c < utf8.RuneSelf {
		if c == ' ' || c >= '\t' && c <= '\r' {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRuneInString(s); line.IsSpace(r) {
		return size
	}
	return 0
}

// SkipSpace returns the offset of the first character of s at or after i that is no white space, len(s) if there is none.
func SkipSpace(s string, i int) int {
	for i < len(s) {
		n := SpaceLen(s[i:])
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// TrimSpace returns s without white space at both ends, as JavaScript's trim() does.
func TrimSpace(s string) string {
	s = s[SkipSpace(s, 0):]
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if !line.IsSpace(r) {
			break
		}
		s = s[:len(s)-size]
	}
	return s
}

// TerminatorLen returns the length in bytes of the line terminator that s begins with, 0 for none. Terminators are LF, CR,
// U+2028 and U+2029, each by itself: after any of them a line starts, and "." matches none of them.
func TerminatorLen(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case '\n', '\r':
		return 1
	case 0xE2:
		if len(s) >= 3 && s[1] == 0x80 && (s[2] == 0xA8 || s[2] == 0xA9) {
			return 3
		}
	}
	return 0
}

// LineEnd returns the offset of the first line terminator of s at or after i, len(s) if there is none.
func LineEnd(s string, i int) int {
	for i < len(s) && (s[i] > '\r' && s[i] != 0xE2 || TerminatorLen(s[i:]) == 0) {
		i++
	}
	return i
}

// atLineStart reports whether a line of s starts at offset i: at 0 and behind every line terminator.
func atLineStart(s string, i int) bool {
	return i == 0 || s[i-1] == '\n' || s[i-1] == '\r' || i >= 3 && TerminatorLen(s[i-3:]) == 3
}

// FindAtLineStart returns the offset of the first line of s that starts at or after offset i and begins with prefix, -1
// if there is none.
func FindAtLineStart(s, prefix string, i int) int {
	if !atLineStart(s, i) {
		i = LineEnd(s, i)
		i += TerminatorLen(s[i:])
	}
	for len(s)-i >= len(prefix) {
		if s[i:i+len(prefix)] == prefix {
			return i
		}
		i = LineEnd(s, i)
		i += TerminatorLen(s[i:])
	}
	return -1
}

// RestOfLine returns what JavaScript's \s*(.+) matches at offset i of s, trimmed: white space is skipped, line
// terminators included, and the rest of the line it leads to is the value. ok is false when nothing matches; a value of
// white space alone is ok and "".
func RestOfLine(s string, i int) (value string, ok bool) {
	start := SkipSpace(s, i)
	if start < len(s) {
		return TrimSpace(s[start:LineEnd(s, start)]), true
	}
	// Only white space is left: the expression gives back as much of it as "." needs, one character that ends no line.
	for i < len(s) && TerminatorLen(s[i:]) > 0 {
		i += TerminatorLen(s[i:])
	}
	return "", i < len(s)
}

// Digits returns the ASCII digits that s has at offset i, as many as there are, and the offset behind them.
func Digits(s string, i int) (digits string, end int) {
	end = i
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	return s[i:end], end
}

// Word returns the offset behind the ASCII letters, digits and underscores (JavaScript's \w) that s has at offset i.
func Word(s string, i int) (end int) {
	for i < len(s) {
		c := s[i]
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		i++
	}
	return i
}

// Unquote returns s without one quotation mark, " or ', at its start and one at its end; the two need not be alike.
// Nothing is unescaped.
func Unquote(s string) string {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		s = s[1:]
	}
	if n := len(s); n > 0 && (s[n-1] == '"' || s[n-1] == '\'') {
		s = s[:n-1]
	}
	return s
}

// HasPrefixAt reports whether prefix stands in s at offset i.
func HasPrefixAt(s, prefix string, i int) bool {
	return len(s)-i >= len(prefix) && s[i:i+len(prefix)] == prefix
}

// SkipBlanks returns the offset of the first byte of s at or after i that is neither space nor tab.
func SkipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// Index returns where part first stands in s, -1 when it does not.
func Index(s, part string) int {
	for i := 0; i+len(part) <= len(s); i++ {
		if s[i:i+len(part)] == part {
			return i
		}
	}
	return -1
}

// WithoutMark returns text without the byte order mark at its start.
func WithoutMark(text string) string {
	const mark = "\uFEFF"
	if HasPrefixAt(text, mark, 0) {
		return text[len(mark):]
	}
	return text
}
