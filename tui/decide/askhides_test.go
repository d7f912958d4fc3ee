package decide

import (
	"slices"
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
		checkBody(t, c.width, &model.Call{Tool: "Bash", Input: c.input}, false, c.want)
	}
}

// A diff shows each byte of what would change. Every row of a changed line has its sign, so that the diff reads without color.
func TestDiffHidesNothing(t *testing.T) {
	for _, c := range []struct {
		width      int
		diff, want string
	}{
		{60, "--- a.go\n+++ a.go\n@@ -1,3 +1,3 @@\n x\n-\told  y\n+new\u00a0y\u200b\r\n\\ No newline at end of file\n",
			"--- a.go\n+++ a.go\n@@ -1,3 +1,3 @@\n x\n-    old  y\n+new<U+00A0>y<U+200B>␍\n\\ No newline at end of file"},
		{12, "@@ -1 +1 @@\n+one two -rf x\n a   b -c -d", "@@ -1 +1\n @@\n+one two -\n+rf x\n a   b -c\n -d"},
		{12, "+ls      ; rm -rf x", "+ls ␣␣␣␣␣;\n+rm -rf x"},
		{60, "+\u0301x\x1b[2J\n-\x1b]0;owned\x07\n\u202e+x", "+<U+0301>x␛[2J\n-␛]0;owned␇\n<U+202E>+x"},
		{12, "note: more +rm -rf", "note:\n more +rm\n -rf"},
	} {
		call := &model.Call{Tool: "Edit", Input: "path: a.go", Diff: c.diff}
		checkBody(t, c.width, call, false, c.want)
		checkBody(t, c.width, call, true, "path: a.go")
	}
}

// TestDiffColors checks the styles of the lines of a diff: no changed line passes for a heading.
func TestDiffColors(t *testing.T) {
	x := &askBox{ask: &model.Ask{Kind: model.AskPermission, Call: &model.Call{Diff: "--- a\n+++ b\n@@ -1 +1 @@\n x\n--- y\n+++ z"}}}
	x.lay(lookIn(true), 40)
	var got []bodyRole
	for _, l := range x.body.lines[2:] {
		got = append(got, l.is)
	}
	if want := []bodyRole{quotedHeading, quotedHeading, quotedCode, quoted, quotedRemoved, quotedAdded}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// checkBody checks the rows of the texts of others in the body of a call.
func checkBody(t *testing.T, width int, call *model.Call, asWritten bool, want string) {
	t.Helper()
	x := &askBox{ask: &model.Ask{Kind: model.AskPermission, Call: call}, asWritten: asWritten}
	l := lookIn(false)
	rest := x.lay(l, width)
	var rows []string
	for i := range rest.Len() {
		row := ansi.Strip(rest.Line(l, i))
		if text, ok := strings.CutPrefix(row, "│ "); ok {
			rows = append(rows, strings.TrimRight(text, " "))
		}
		if ansi.StringWidth(row) > width {
			t.Errorf("%q is wider than %d", row, width)
		}
	}
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("%+v in %d columns:\n%s\nwant\n%s", call, width, got, want)
	}
}
