package line

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestSignTables checks that the tables are sorted, as their search requires, and free of letters, digits and emoji.
func TestSignTables(t *testing.T) {
	for name, table := range map[string][]span{"blanks": blanks[:], "dots": dots[:], "signs": signs[:], "overlaid": overlaid[:], "disputed": disputed[:]} {
		last := rune(-1)
		for _, s := range table {
			if s.first <= last || s.last < s.first {
				t.Errorf("%s: U+%04X is out of order", name, s.first)
			}
			last = s.last
			for r := s.first; r <= s.last; r++ {
				if name != "disputed" && unicode.In(r, unicode.L, unicode.Nd) && r != 0x30FB && r < 0xE000 {
					t.Errorf("%s: U+%04X is a letter or a digit", name, r)
				}
			}
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.Is(unicode.Zs, r) && !inSpans(blanks[:], r) {
			t.Errorf("U+%04X is no blank", r)
		}
	}
}

func FuzzForeign(f *testing.F) {
	for _, seed := range []string{"", "v2.0 · x", "◆  waits  x", "\x1b]52;c;eA==\x07", "a\u202eb", " \u0301 \u0301", "\xf0\x9f\x98", "\r\n\t", "\u3000·", "≠≠"} {
		f.Add(seed, 8)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := Foreign(s)
		if !utf8.ValidString(got) || Clean(got) != got {
			t.Fatalf("%q is not clean", got)
		}
		before := ' '
		for i, r := range got {
			switch {
			case inSpans(signs[:], r), inSpans(blanks[:], r) && r != ' ', inSpans(dots[:], r) && before == ' ':
				t.Fatalf("%q holds U+%04X", got, r)
			case r == ' ' && before == ' ' && i > 0:
				t.Fatalf("%q holds two blanks in a row", got)
			}
			before = r
		}
		if again := Foreign(got); again != got {
			t.Fatalf("%q, made foreign again %q", got, again)
		}
		if whole := string(AppendForeign(nil, s, 0)); whole != got {
			t.Fatalf("Foreign %q, AppendForeign %q", got, whole)
		}
		if limit %= 600; limit > 0 {
			capped := string(AppendForeign(nil, s, limit))
			if len(capped) > limit || !strings.HasPrefix(got, capped) {
				t.Fatalf("%q of at most %d bytes gives %q", got, limit, capped)
			}
		}
		tidy := Tidy(s)
		if tidy != Tidy(tidy) || Clean(tidy) != tidy || strings.TrimSpace(tidy) != tidy || strings.Contains(tidy, "  ") {
			t.Fatalf("%q is not tidy", tidy)
		}
	})
}
