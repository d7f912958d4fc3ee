package decide

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
)

// Whoever allows a call has seen each byte of it, blanks and what does not show among them.
func TestBodyHidesNothing(t *testing.T) {
	for _, c := range []struct {
		width       int
		input, want string
	}{
		{60, "all:\n\techo  a   b\n    deep\n  x\u00a0y\u200b\rz", "all:\n    echo  a   b\n    deep\n  x<U+00A0>y<U+200B>␍z"},
		{12, "ls      ; rm -rf x", "ls ␣␣␣␣␣;\nrm -rf x"},
		{12, "ls  ;    rm -rf x", "ls  ;    r\nm -rf x"}, // not at words, so that no blank is lost
		{14, "  one two three", "  one two\n  three"},
	} {
		x := &askBox{ask: &model.Ask{Kind: model.AskPermission, Call: &model.Call{Tool: "Bash", Input: c.input}}}
		l := lookIn(false)
		rest := x.lay(l, c.width)
		var rows []string
		for i := range rest.Len() {
			if text, ok := strings.CutPrefix(ansi.Strip(rest.Line(l, i)), "│ "); ok {
				rows = append(rows, strings.TrimRight(text, " "))
			}
		}
		if got := strings.Join(rows, "\n"); got != c.want {
			t.Errorf("%q in %d columns:\n%s\nwant\n%s", c.input, c.width, got, c.want)
		}
	}
}
