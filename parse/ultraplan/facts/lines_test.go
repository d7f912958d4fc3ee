package facts

import (
	"regexp"
	"strings"
	"testing"
)

// everyLine calls a function with all texts of up to that many of the given pieces.
func everyLine(pieces []string, most int, check func(l string)) {
	var more func(l string, n int)
	more = func(l string, n int) {
		check(l)
		for _, p := range pieces {
			if n > 0 {
				more(l+p, n-1)
			}
		}
	}
	more("", most)
}

// TestLinesAsPatterns holds what reads each line of a file, by hand, against the patterns that say the same.
func TestLinesAsPatterns(t *testing.T) {
	field := regexp.MustCompile(`^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?([^:*]+?)(?:\*\*|__)?:(?:\*\*|__)?[ \t]*`)
	everyLine([]string{" ", "-", "*", "_", ":", "a"}, 6, func(l string) {
		from, to, value, ok := fieldIn(l)
		m := field.FindStringSubmatchIndex(l)
		if named := m != nil && strings.Contains(l[m[2]:m[3]], "a"); named && (!ok || from != m[2] || to != m[3] || value != m[1]) || ok && !named && strings.Contains(l[from:to], "a") {
			t.Fatalf("%q: %d to %d, %d, %v; want %v", l, from, to, value, ok, m)
		}
	})
	box := regexp.MustCompile(`^[ \t]*[-*+][ \t]+\[([ xX])\][ \t]+\S`)
	everyLine([]string{" ", "-", "[", "x", "]", "\t", "[ ]", "\r"}, 5, func(l string) {
		at, ok := boxMark(l)
		if m := box.FindStringSubmatchIndex(l); ok != (m != nil) || ok && at != m[2] {
			t.Fatalf("%q: %d, %v; want %v", l, at, ok, m)
		}
	})
}
