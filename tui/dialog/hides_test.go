package dialog

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/tui/draw"
)

// TestQuoteHidesNothing: a user who allows a call has seen each byte of it, including blanks and invisible characters.
func TestQuoteHidesNothing(t *testing.T) {
	for _, c := range []struct {
		width       int
		input, want string
	}{
		{60, "all:\n\techo  a   b\n    deep\n  x\u00a0y\u200b\rz", "all:\n    echo  a   b\n    deep\n  x<U+00A0>y<U+200B>␍z"},
		{12, "ls      ; rm -rf x", "ls ␣␣␣␣␣;\nrm -rf x"},
		{12, "ls  ;    rm -rf x", "ls  ;    r\nm -rf x"}, // broken inside a word, so that no blank is lost
		{14, "  one two three", "  one two\n  three"},
	} {
		checkText(t, c.width, c.input, c.want, func(b *Text) { b.Quote(bodyLook(), c.input) })
	}
}

// TestDiffHidesNothing: a diff shows each byte that would change. Every row of a changed line has its sign, so that the diff reads without color.
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
		checkText(t, c.width, c.diff, c.want, func(b *Text) { b.Diff(bodyLook(), c.diff) })
	}
}

// TestDiffColors checks the styles of the lines of a diff: no changed line passes for a heading.
func TestDiffColors(t *testing.T) {
	l := bodyLook()
	l.Theme = draw.NewStyles(draw.ThemeDark)
	b := NewText(40)
	b.Diff(l, "--- a\n+++ b\n@@ -1 +1 @@\n x\n--- y\n+++ z")
	var got []draw.Style
	for _, line := range b.lines {
		got = append(got, line.style)
	}
	if want := []draw.Style{l.Theme.Strong, l.Theme.Strong, l.Theme.Dim, "", l.Theme.Block, l.Theme.OK}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// checkText checks the rows of foreign texts.
func checkText(t *testing.T, width int, what, want string, lay func(*Text)) {
	t.Helper()
	b := NewText(width)
	lay(b)
	var rows []string
	for i := range b.Len() {
		row := ansi.Strip(b.Line(bodyLook(), i))
		if text, ok := strings.CutPrefix(row, "│ "); ok {
			rows = append(rows, strings.TrimRight(text, " "))
		}
		if ansi.StringWidth(row) > width {
			t.Errorf("%q is wider than %d", row, width)
		}
	}
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("%q in %d columns:\n%s\nwant\n%s", what, width, got, want)
	}
}
