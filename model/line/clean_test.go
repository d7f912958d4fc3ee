package line

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"v1.9 Code Quality · executing — été", "v1.9 Code Quality · executing — été"},
		{"a\r\nb\n\rc", "a b  c"},
		{"a\tb\vc\fd\u0085e\u2028f\u2029g", "a b c d e f g"},
		{"\x1b[31mred\x00\x7f\u009b", "\ufffd[31mred\ufffd\ufffd\ufffd"},
		{"a\u202eb\u2066c\u200dd\ufeffe\u00adf\u034fg\ufe0fh\U000e0041i\u2800j\u3164k\ufdd0l\ufffem\U0001fffen", "abcdefghijklmn"},
		{"e\u0301\u0302\u0303\u0304\u0305x\u0301", "e\u0301\u0302\u0303x\u0301"},
		{"e\u0301\u0302\u200d\u0303\u0304", "e\u0301\u0302\u0303"}, // what is dropped does not start the count anew
		// One U+FFFD for each maximal subpart.
		{"\xe2\x82", "\ufffd"}, {"\xe2\x82x", "\ufffdx"}, {"\xf0\x9f\x98", "\ufffd"}, {"\xf0\x9f\xe2\x82\xac", "\ufffd€"},
		{"\xed\xa0\x80", "\ufffd\ufffd\ufffd"}, {"\xc0\xaf", "\ufffd\ufffd"}, {"\xe0\x80", "\ufffd\ufffd"},
		{"\xf4\x90\x80\x80", "\ufffd\ufffd\ufffd\ufffd"}, {"\xff\x80", "\ufffd\ufffd"},
		{"kept \ufffd", "kept \ufffd"},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
		}
		if got := string(AppendClean([]byte("x"), c.in, 0)); got != "x"+c.want {
			t.Errorf("AppendClean(%q) = %q, want %q", c.in, got, "x"+c.want)
		}
	}
}

func TestAppendCleanLimit(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"abc", 2, "ab"}, {"abc", 3, "abc"}, {"aéz", 2, "a"}, {"aéz", 3, "aé"},
		{"\x00\x00", 4, "\ufffd"},                   // counted after cleaning
		{strings.Repeat("\u200b", 9) + "a", 1, "a"}, // what is dropped counts nothing
	} {
		if got := string(AppendClean(nil, c.in, c.max)); got != c.want {
			t.Errorf("AppendClean(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

// TestTables compares the tables with the standard library's, as long as both are of the same version of Unicode.
func TestTables(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("the tables are of Unicode 15.0.0, this Go has %s", unicode.Version)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		nothing := unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
			r == 0x2800 || r >= 0xFDD0 && r <= 0xFDEF
		if got := inSpans(invisible[:], r); got != nothing {
			t.Errorf("U+%04X: invisible %v", r, got)
		}
		if got, want := inSpans(marking[:], r), !nothing && unicode.In(r, unicode.Mn, unicode.Me); got != want {
			t.Errorf("U+%04X: marking %v", r, got)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "v2.0 · x", "\x1b]52;c;eA==\x07", "a\u202eb", "e\u0301\u0301\u0301\u0301", "\xf0\x9f\x98", "\r\n\t", "\ufffe"} {
		f.Add(seed, 8)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := Clean(s)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is not valid UTF-8", got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
				t.Fatalf("%q holds U+%04X", got, r)
			}
		}
		if again := Clean(got); again != got {
			t.Fatalf("%q, cleaned again %q", got, again)
		}
		if whole := string(AppendClean(nil, s, 0)); whole != got {
			t.Fatalf("Clean %q, AppendClean %q", got, whole)
		}
		if limit %= 600; limit > 0 {
			capped := string(AppendClean(nil, s, limit))
			if len(capped) > limit || !strings.HasPrefix(got, capped) {
				t.Fatalf("%q of at most %d bytes gives %q", got, limit, capped)
			}
		}
	})
}
