package document

import (
	"strings"
	"testing"
)

// TestDataIsPaintedByRole: keys, texts and other values differ in color, also in broken lines, and every byte stays.
func TestDataIsPaintedByRole(t *testing.T) {
	names := map[Role]string{Plain: "p", Key: "k", Text: "t", Literal: "l", Quiet: "q"}
	for _, c := range []struct {
		file, line, want string
	}{
		{"a.json", `  "a\"b": [1, true, "x: y"],`, `p(  )k("a\"b")p(: [)l(1)p(, )l(true)p(, )t("x: y")p(],)`},
		{"a.json", `"k": "one two", 3`, `k("k")p(: )t("one)t(two")p(, )l(3)`},
		{"a.json", `"k": "cut \`, `k("k")p(: )t("cut \)`},
		{"a.yaml", `- key: a text`, `p(- )k(key)p(:)t( a text)`},
		{"a.yml", `n: 12`, `k(n)p(:)l( 12)`},
		{"a.yml", `  # note`, `p(  )q(# note)`},
		{"a.yml", `"a: b"`, `t("a: b")`},
		{"a.go", `n: 12`, `p(n: 12)`},
	} {
		width, got := 80, ""
		if strings.Contains(c.line, "one two") {
			width = 9
		}
		for _, row := range Raw(plainLook(false), c.file, c.line, width) {
			for _, s := range row.Spans {
				got += names[s.Role] + "(" + s.Text + ")"
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.line, got, c.want)
		}
	}
}
