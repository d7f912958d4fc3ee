package core

import (
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// GSD reads STATE.md and ROADMAP.md with JavaScript's regular expressions. White space, ends of lines and frontmatter
// here follow JavaScript and GSD; other code uses package doc to read Markdown and YAML.

// spaceLen returns the length in bytes of the white space character (JavaScript's \s) that s begins with, 0 for none.
func spaceLen(s string) int {
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

// skipSpace returns the offset of the first character of s at or after i that is not white space, len(s) if there is
// none.
func skipSpace(s string, i int) int {
	for i < len(s) {
		n := spaceLen(s[i:])
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// trimSpace returns s without white space at both ends, as JavaScript's trim() does.
func trimSpace(s string) string {
	s = s[skipSpace(s, 0):]
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if !line.IsSpace(r) {
			break
		}
		s = s[:len(s)-size]
	}
	return s
}

// terminatorLen returns the length in bytes of the line terminator that s begins with, 0 for none. Terminators are LF, CR,
// U+2028 and U+2029, each by itself: after any of them a line starts, and "." matches none of them.
func terminatorLen(s string) int {
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

// lineEnd returns the offset of the first line terminator of s at or after i, len(s) if there is none.
func lineEnd(s string, i int) int {
	for i < len(s) && (s[i] > '\r' && s[i] != 0xE2 || terminatorLen(s[i:]) == 0) {
		i++
	}
	return i
}

// offsetsAfter yields the offsets after a key at the start of lines.
func offsetsAfter(text, key string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for at := 0; at < len(text); {
			if doc.HasPrefix(text[at:], key) && !yield(at+len(key)) {
				return
			}
			at = lineEnd(text, at)
			at += terminatorLen(text[at:])
		}
	}
}

// restOfLine returns the match of JavaScript's \s*(.+) at offset i of s, trimmed: it skips white space, including line
// terminators, and the rest of the line after it is the value. ok is false when nothing matches; a value of white space
// alone is ok and "".
func restOfLine(s string, i int) (value string, ok bool) {
	start := skipSpace(s, i)
	if start < len(s) {
		return trimSpace(s[start:lineEnd(s, start)]), true
	}
	// Only white space is left: the expression gives back as much of it as "." needs, one character that ends no line.
	for i < len(s) && terminatorLen(s[i:]) > 0 {
		i += terminatorLen(s[i:])
	}
	return "", i < len(s)
}

// digitsAt returns the ASCII digits that s has at offset i, as many as there are, and the offset after them.
func digitsAt(s string, i int) (digits string, end int) {
	end = i
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	return s[i:end], end
}

// wordEnd returns the offset after the ASCII letters, digits and underscores (JavaScript's \w) that s has at offset i.
func wordEnd(s string, i int) (end int) {
	for i < len(s) {
		c := s[i]
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		i++
	}
	return i
}

// unquote returns s without one quotation mark, " or ', at its start and one at its end; the two need not be alike.
// Nothing is unescaped.
func unquote(s string) string {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		s = s[1:]
	}
	if n := len(s); n > 0 && (s[n-1] == '"' || s[n-1] == '\'') {
		s = s[:n-1]
	}
	return s
}

// skipBlanks returns the offset of the first byte of s at or after i that is neither space nor tab.
func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// splitFrontmatter splits text into the block between the fences, without the line break before the closing one, and
// the text after the three dashes of the closing fence. ok is false, and rest the whole text, if there is no
// frontmatter.
//
// The text has to begin with a line "---" and nothing else, LF or CR LF; not even a byte order mark may precede it. The
// block ends at the first later line that begins with "---", regardless of the rest of that line. A closing fence
// directly after the opening one does not count.
func splitFrontmatter(text string) (block, rest string, ok bool) {
	for _, fence := range [...]string{"---\n", "---\r\n"} {
		if doc.HasPrefix(text, fence) {
			if block, rest, ok = doc.Cut(text[len(fence):], "\n---"); ok {
				return cutSuffix(block, "\r"), rest, true
			}
		}
	}
	return "", text, false
}

// scalars iterates over the top-level "key: value" lines of a frontmatter block: the key (ASCII letters, digits, underscores, at the
// line's very start) and the value, trimmed and unquoted. Lines end with LF or CR LF here. A key without a value is passed over; a value
// of blanks or of two quotation marks is "". Comments and backslashes are part of the value. Keys may repeat; for GSD the last one counts.
func scalars(block string) func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		for more := true; more; {
			var text string
			text, block, more = doc.Cut(block, "\n")
			end := wordEnd(text, 0)
			if end == 0 || byteAt(text, end) != ':' {
				continue
			}
			if value, ok := restOfLine(cutSuffix(text, "\r"), end+1); ok && !yield(text[:end], unquote(value)) {
				return
			}
		}
	}
}
