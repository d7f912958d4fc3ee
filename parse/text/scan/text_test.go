package scan

import "testing"

func TestSpace(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, " ": 1, "\t": 1, "\v": 1, "\f": 1, "\r": 1, "\n": 1, "\u00a0": 2, "\ufeff": 3, "\u1680": 3, "\u2000": 3, "\u200a": 3,
		"\u2028": 3, "\u2029": 3, "\u202f": 3, "\u205f": 3, "\u3000": 3, "\u0085": 0, "\u200b": 0, "\u180e": 0, "\x1c": 0, "a": 0, "\xa0": 0,
	} {
		if got := SpaceLen(s); got != want {
			t.Errorf("SpaceLen(%q) = %d, want %d", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"": "", " \u2028": "", "\ufeffa b\u00a0\r\n": "a b", "\u0085a": "\u0085a", "a\xa0": "a\xa0",
	} {
		if got := TrimSpace(s); got != want {
			t.Errorf("TrimSpace(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestFindAtLineStart(t *testing.T) {
	for _, c := range []struct {
		s    string
		from int
		want int
	}{
		{"", 0, -1}, {"P:", 0, 0}, {"xP:", 0, -1}, {"x\nP:", 0, 2}, {"x\rP:", 0, 2}, {"x\r\nP:", 0, 3}, {"x\u2028P:", 0, 4},
		{"x\u2029P:", 0, 4}, {"x\u0085P:", 0, -1}, {"x\u2027P:", 0, -1}, {"P:P:", 2, -1}, {"P:\nP:", 2, 3}, {"P:\nP:", 3, 3},
		{"x\u2028P:", 4, 4}, {"x\n", 0, -1}, {"x\nP", 0, -1},
	} {
		if got := FindAtLineStart(c.s, "P:", c.from); got != c.want {
			t.Errorf("FindAtLineStart(%q, %d) = %d, want %d", c.s, c.from, got, c.want)
		}
	}
}

func TestRestOfLine(t *testing.T) {
	for _, c := range []struct {
		s, want string
		ok      bool
	}{
		{"", "", false}, {"x", "x", true}, {" x \n", "x", true}, {"\n\n x\ny", "x", true}, {" ", "", true}, {"\n", "", false},
		{"\n ", "", true}, {" \n", "", true}, {"\r\u2028", "", false}, {"a\u2028b", "a", true}, {"\u2028b", "b", true}, {"a\rb", "a", true},
	} {
		if got, ok := RestOfLine(c.s, 0); got != c.want || ok != c.ok {
			t.Errorf("RestOfLine(%q) = %q, %v, want %q, %v", c.s, got, ok, c.want, c.ok)
		}
	}
}

func TestUnquote(t *testing.T) {
	for s, want := range map[string]string{
		"": "", `"`: "", `""`: "", `"x"`: "x", `'x"`: "x", `"x`: "x", `x'`: "x", `""x""`: `"x"`, `x`: "x", `"x" # c`: `x" # c`,
	} {
		if got := Unquote(s); got != want {
			t.Errorf("Unquote(%q) = %q, want %q", s, got, want)
		}
	}
}
