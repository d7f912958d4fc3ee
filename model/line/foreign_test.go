package line

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestForeign(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"Approve the tide — v1.9, 100% (été)", "Approve the tide — v1.9, 100% (été)"},
		{"日本語 👩 ✅ done ⚠", "日本語 👩 ✅ done ⚠"},
		{"a  b\t\tc\r\n\r\nd", "a b c d"},
		{"  lead and trail  ", " lead and trail "},
		{"a\u00a0\u2003\u3000 \u2009b", "a b"},
		{"a \u200b \u2800 \u3164 b", "a b"}, // invisible characters do not separate blanks
		{"◆ waits  deploy-gate", "▫ waits deploy-gate"},
		{"✓✔☑🗸 🞚 ➜", "▫▫▫▫ ▫ ->"},
		{"a =\u0338 b o\u20dd e\u0301", "a = b o e\u0301"},
		{"\u3248 \u0378 \u2630 \U0001d300", "▫ ▫ ▫ ▫"}, // characters of unknown width
		{"a\U00013441\U00013442b", "a b"},
		{"[█████░░░░░] 50%", "[#####.....] 50%"},
		{"╭─ Approve ─╮ │x│", "▫▫ Approve ▫▫ ▫x▫"},
		{"phases 1–4 → done, a ≠ b, ←", "phases 1-4 -> done, a != b, <-"},
		{"v1 · milestone complete", "v1 - milestone complete"},
		{"v1 • done ∙ x ⋅ y", "v1 - done - x - y"},
		{"· first", "- first"},
		{"col·lecció", "col·lecció"},
		{"\u0301x \u0301\u0302y e\u0301", "x y e\u0301"},
		{"\ue0b0 \U000f0001", "▫ ▫"},
		{"kept ▫", "kept ▫"},
		{"\x1b[2J\xff", "\ufffd[2J\ufffd"},
	} {
		if got := Foreign(c.in); got != c.want {
			t.Errorf("Foreign(%q) = %q, want %q", c.in, got, c.want)
		}
		if got := string(AppendForeign([]byte("x "), c.in, 0)); got != "x "+c.want {
			t.Errorf("AppendForeign(%q) = %q, want %q", c.in, got, "x "+c.want)
		}
	}
}

func TestComposed(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""}, {"plain", "plain"}, {"a · b → c", "a · b → c"}, {"◆  a · b ✓ → c–d", "▫ a · b ▫ → c-d"}, {" · ", " · "}, {"a  · b", "a · b"}, {"· a →b", "- a ->b"},
	} {
		if got := Composed(c.in, " · ", " → "); got != c.want {
			t.Errorf("Composed(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	if got := Composed("a · b → c", " → "); got != "a - b → c" {
		t.Errorf("%q", got)
	}
}

func TestName(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"frame-gate", "frame-gate"}, {"02-UAT/3", "02-UAT/3"}, {"日本", "日本"}, {"", `""`}, {"two words", `"two words"`}, {`a" (b`, `"a' (b"`}, {"x:  passed → y", `"x: passed -> y"`},
		{"a(b)", `"a(b)"`}, {"◆", "▫"}, {strings.Repeat("日", 31), strings.Repeat("日", 29) + "…"}, {strings.Repeat("日", 30), strings.Repeat("日", 30)},
	} {
		if got := Name(c.in); got != c.want {
			t.Errorf("Name(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestTidy(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""}, {" ", ""}, {" a ", "a"}, {"a b", "a b"}, {"a  b", "a b"}, {"\u3000a\u00a0\tb\n", "a b"}, {"◆ x · y → z", "◆ x · y → z"}, {"é\u00a0", "é"},
	} {
		if got := Tidy(c.in); got != c.want {
			t.Errorf("Tidy(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

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
