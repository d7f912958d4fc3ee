package core

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
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

func formatNumber(n int) string { return line.Decimal(n) }

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

// equalFold reports whether two texts differ in the case of ASCII letters only.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && (a[i]|0x20 != b[i]|0x20 || a[i]|0x20 < 'a' || a[i]|0x20 > 'z') {
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
		if s[i]|0x20 == part[0]|0x20 && hasPrefixFold(s[i:], part) {
			return i
		}
	}
	return -1
}

// containsAny reports whether s contains one of the parts.
func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return doc.Contains(s, part) })
}

// hasAnyPrefix reports whether s begins with one of the prefixes.
func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return doc.HasPrefix(s, prefix) })
}

func isOneOf(word string, all ...string) bool { return slices.Contains(all, word) }

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
	for _, c := range set {
		if c == r {
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

// baseName returns the last element of a path.
func baseName(path string) string { return path[doc.LastIndex(path, "/")+1:] }

func joinPath(dir, name string) string { return dir + "/" + name }

// firstLine returns the first line of a text that holds anything, trimmed.
func firstLine(text string) string {
	first, _, _ := doc.Cut(doc.Trim(text), "\n")
	return doc.Trim(first)
}

// isVisible reports whether a text shows anything on a screen.
func isVisible(text string) bool { return line.Tidy(text) != "" }

// Normalize returns the word that a status is, quoted or not and without a comment: in lower case, with "_" for hyphens and blanks.
func Normalize(value string) string {
	value, _, _ = doc.Cut(trimSpace(value), " #")
	return replaceByte(replaceByte(doc.Lower(unquote(trimSpace(value))), '-', '_'), ' ', '_')
}

func cutPrefix(s, prefix string) string {
	if doc.HasPrefix(s, prefix) {
		return s[len(prefix):]
	}
	return s
}

func cutSuffix(s, suffix string) string {
	if doc.HasSuffix(s, suffix) {
		return s[:len(s)-len(suffix)]
	}
	return s
}
