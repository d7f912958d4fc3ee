package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/text/scan"
)

func isDigit(c byte) bool        { return c >= '0' && c <= '9' }
func isUpper(c byte) bool        { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool       { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isAlphanumeric(c byte) bool { return isLetter(c) || isDigit(c) }
func isWord(c byte) bool         { return isAlphanumeric(c) || c == '_' }

// byteAt returns a byte of a text, 0 beyond its end.
func byteAt(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// offsetsBehind yields the offsets behind a key at the start of lines.
func offsetsBehind(text, key string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		at := scan.FindAtLineStart(text, key, 0)
		for at >= 0 && yield(at+len(key)) {
			at = scan.FindAtLineStart(text, key, at+len(key))
		}
	}
}

// countDigits returns how many ASCII digits s begins with.
func countDigits(s string) (n int) {
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// trimZeros removes leading zeros but for the last digit.
func trimZeros(digits string) string {
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits
}

const maxInt = int(^uint(0) >> 1)

// parseNumber returns the value of ASCII digits, maxInt if they exceed it.
func parseNumber(digits string) (n int) {
	for i := range len(digits) {
		if n > (maxInt-9)/10 {
			return maxInt
		}
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

// formatNumber returns the decimal digits of a number that is not negative.
func formatNumber(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return formatNumber(n/10) + formatNumber(n%10)
}

// Count returns a number with its noun: "1 plan", "2 plans".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return formatNumber(n) + " " + noun
}

// foldByte returns an ASCII letter in lower case.
func foldByte(c byte) byte {
	if isUpper(c) {
		c |= 0x20
	}
	return c
}

func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if foldByte(a[i]) != foldByte(b[i]) {
			return false
		}
	}
	return true
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && equalFold(s[:len(prefix)], prefix)
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && equalFold(s[len(s)-len(suffix):], suffix)
}

// indexFold returns the offset of the first part of s that equals part in any case, -1 without one.
func indexFold(s, part string) int {
	for i := 0; i+len(part) <= len(s); i++ {
		if foldByte(s[i]) == foldByte(part[0]) && equalFold(s[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}

func lastIndex(s, part string) int {
	for i := len(s) - len(part); i >= 0; i-- {
		if s[i:i+len(part)] == part {
			return i
		}
	}
	return -1
}

// containsAny reports whether s contains one of the parts.
func containsAny(s string, parts ...string) bool {
	for _, part := range parts {
		if doc.Contains(s, part) {
			return true
		}
	}
	return false
}

// hasAnyPrefix reports whether s begins with one of the prefixes.
func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, prefix := range prefixes {
		if doc.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

func isOneOf(word string, all ...string) bool {
	for _, other := range all {
		if word == other {
			return true
		}
	}
	return false
}

// trimLeft removes the characters of a set from the start of s.
func trimLeft(s, set string) string {
	for i, r := range s {
		if !containsRune(set, r) {
			return s[i:]
		}
	}
	return ""
}

// trim removes the characters of a set from both ends of s.
func trim(s, set string) string {
	s = trimLeft(s, set)
	end := 0
	for i, r := range s {
		if !containsRune(set, r) {
			end = i + len(string(r))
		}
	}
	return s[:min(end, len(s))] // a byte that is not UTF-8 counts as three
}

func containsRune(set string, r rune) bool {
	for _, x := range set {
		if x == r {
			return true
		}
	}
	return false
}

// cutAny returns the text before the first of several separators.
func cutAny(s string, separators ...string) string {
	for _, separator := range separators {
		s, _, _ = doc.Cut(s, separator)
	}
	return s
}

// replaceByte returns s with one byte in place of another.
func replaceByte(s string, old, with byte) string {
	b := []byte(s)
	for i := range b {
		if b[i] == old {
			b[i] = with
		}
	}
	return string(b)
}

// removeAll returns s without a part.
func removeAll(s, part string) string {
	for {
		before, after, found := doc.Cut(s, part)
		if !found {
			return s
		}
		s = before + after
	}
}

// baseName returns the last element of a path.
func baseName(path string) string { return path[lastIndex(path, "/")+1:] }

func join(dir, name string) string { return dir + "/" + name }

// firstLine returns the first line of a text that holds anything, trimmed.
func firstLine(text string) string {
	for text != "" {
		l, rest, _ := doc.Cut(text, "\n")
		if l = doc.Trim(l); l != "" {
			return l
		}
		text = rest
	}
	return ""
}

// isVisible reports whether a text shows anything on a screen.
func isVisible(text string) bool { return line.Tidy(text) != "" }

// Normalize returns the word that a status is, quoted or not and without a comment: in lower case, with "_" for hyphens and blanks.
func Normalize(value string) string {
	value = scan.TrimSpace(value)
	for i := 1; i < len(value); i++ {
		if value[i] == '#' && (value[i-1] == ' ' || value[i-1] == '\t') {
			value = scan.TrimSpace(value[:i])
			break
		}
	}
	return replaceByte(replaceByte(doc.Lower(scan.Unquote(value)), '-', '_'), ' ', '_')
}

func lowerWord(s string) string { return doc.Lower(s) }
