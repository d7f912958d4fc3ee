package scan

import (
	"strings"
	"testing"
)

// TestSetext: one paragraph of one line is a heading, an item, a rule and the middle of a conflict are none.
func TestSetext(t *testing.T) {
	for text, want := range map[string]int{
		"Title\n=====\n":                       1,
		"Title\r\n-----\r\n":                   2,
		"Title\n=======\n":                     1,
		"Title\n=======":                       1,
		"Title\n---\n":                         0,
		"Title\n":                              0,
		"Title":                                0,
		"- item\n-----\n":                      0,
		"Status: done\n-----\n":                0,
		"Status\n=======\nx\n>>>>>>> theirs\n": 0,
		"Status\n======\nx\n>>>>>>> theirs\n":  1,
		"Status\n=======\nx > y >>>>>>> z, not at start": 1,
	} {
		title, below, _ := strings.Cut(text, "\n")
		if got := Setext(true, title, below); got != want {
			t.Errorf("%q: %d", text, got)
		}
		if Setext(false, title, below) != 0 {
			t.Errorf("%q within a paragraph is a heading", text)
		}
	}
}
