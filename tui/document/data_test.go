package document

import (
	"strings"
	"testing"
)

// TestDataIsPaintedByRole: keys, texts and other values are told apart, also where a line is broken; every byte stays.
func TestDataIsPaintedByRole(t *testing.T) {
	names := map[Role]string{Plain: "p", Key: "k", Text: "t", Literal: "l", Quiet: "q"}
	for _, c := range []struct {
		file string
		rows []string
		want string
	}{
		{"a.json", []string{`  "a\"b": [1, true, "x: y"],`}, `p(  )k("a\"b")p(: [)l(1)p(, )l(true)p(, )t("x: y")p(],)`},
		{"a.json", []string{`"k": "one`, `two", 3`}, `k("k")p(: )t("one)t(two")p(, )l(3)`},
		{"a.yaml", []string{`- key: a text`}, `p(- )k(key)p(:)t( a text)`},
		{"a.yml", []string{`n: 12`}, `k(n)p(:)l( 12)`},
		{"a.yml", []string{`  # note`}, `p(  )q(# note)`},
		{"a.yml", []string{`"a: b"`}, `t("a: b")`},
	} {
		paint, got := painterFor(c.file), ""
		for i, row := range c.rows {
			whole := ""
			for _, s := range paint(row, i > 0) {
				got += names[s.Role] + "(" + s.Text + ")"
				whole += s.Text
			}
			if whole != row {
				t.Errorf("%q became %q", row, whole)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", strings.Join(c.rows, "|"), got, c.want)
		}
	}
	if painterFor("a.go") != nil {
		t.Error("what is no data is painted")
	}
}
