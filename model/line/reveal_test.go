package line

import "testing"

func TestReveal(t *testing.T) {
	for _, c := range []struct{ in, want, body string }{
		{"\techo  a   b", "    echo  a   b", ""},
		{"  x\u00a0y\u3000z", "  x<U+00A0>y<U+3000>z", ""},
		{"# \u200b\u2066hid\u2069\rrm -rf /", "# <U+200B><U+2066>hid<U+2069>␍rm -rf /", ""},
		{"\x00\x1b[2J\x7f\u009b\u2028\ufeff\U000e0041", "␀␛[2J␡<U+009B><U+2028><U+FEFF><U+E0041>", ""},
		{"e\u0301 \u0301x=\u0338", "e\u0301 <U+0301>x=<U+0338>", ""},
		{"e\u0301\u0301\u0301\u0301", "e\u0301\u0301\u0301<U+0301>", ""},
		{"⚠\ufe0f a\ufe0f", "⚠ a<U+FE0F>", ""},
		{"été 日本 \xff", "été 日本 \ufffd", ""},
		{"      a    b     c", "      a    b     c", "      a    b ␣␣␣␣c"},
		{"✓ a   │ b → c · d", "✓ a   │ b → c · d", "▫ a   ▫ b -> c - d"},
	} {
		if c.body == "" {
			c.body = c.want
		}
		got := Reveal(c.in)
		if got != c.want || Reveal(got) != got || Clean(got) != got {
			t.Errorf("Reveal(%q) = %q, again %q, clean %q", c.in, got, Reveal(got), Clean(got))
		}
		if got := ForeignBody(c.in); got != c.body || ForeignBody(got) != got {
			t.Errorf("ForeignBody(%q) = %q, again %q", c.in, got, ForeignBody(got))
		}
	}
}
