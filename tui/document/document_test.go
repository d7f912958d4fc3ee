package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

func plainLook(ascii bool) *draw.Look {
	return &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(ascii), Now: tuitest.Noon}
}

// shown returns rows with their line numbers, as one text.
func shown(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%2d %s", r.Line, r.Text()), " ") + "\n")
	}
	return b.String()
}

func TestRawKeepsLinesAndIsBounded(t *testing.T) {
	l := plainLook(false)
	rows := Raw(l, "\ufeffone\r\n\ttwo\n"+strings.Repeat("three ", 10)+"\n\n", 28)
	if rows[0].Line != 1 || rows[0].Text() != "one" || rows[1].Text() != "    two" || rows[2].Line != 3 || rows[3].Line != 0 {
		t.Errorf("%s", shown(rows))
	}
	if rows := Raw(l, strings.Repeat("x\n", 3*rowsLimit), 30); len(rows) > rowsLimit+1 {
		t.Errorf("%d rows", len(rows))
	}
	if rows := Raw(l, strings.Repeat("x", 1<<20), 30); len(rows) > lineLimit {
		t.Errorf("one line became %d rows", len(rows))
	}
}

// TestMarkdown lays out the texts of testdata/markdown.txtar, each with its rows after it.
func TestMarkdown(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/markdown.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		text, want := archive.Files[i], archive.Files[i+1]
		if got := shown(Markdown(plainLook(false), string(text.Data), 34)); got != string(want.Data) {
			t.Errorf("%s:\n%swant\n%s", text.Name, got, want.Data)
		}
	}
	for _, r := range Markdown(plainLook(false), "\x1b[2J\x1b]0;x\x07\u202ea\r\n", 34) {
		if strings.ContainsAny(r.Text(), "\x1b\x07\u202e\r") {
			t.Errorf("%q", r.Text())
		}
	}
}

// hostile returns texts of more than a megabyte each; some Markdown parsers need minutes for them.
func hostile() []string {
	const n = 1 << 19
	deep := ""
	for i := range 1500 {
		deep += strings.Repeat("  ", i) + "- a\n"
	}
	return []string{
		strings.Repeat("[", n), strings.Repeat("> ", n), strings.Repeat("*a ", n), strings.Repeat("`", n), strings.Repeat("<a ", n), strings.Repeat("a|", n) + "\n" + strings.Repeat("-|", n),
		deep, strings.Repeat("- ", n), strings.Repeat("[a](", n), strings.Repeat("![", n), strings.Repeat("_a_b", n), strings.Repeat("&", n), strings.Repeat("https://", n),
		strings.Repeat(">\n", n), strings.Repeat("|a|b|\n", n), "|a|\n|-|\n" + strings.Repeat("|b|\n", n), strings.Repeat("```\n", n), strings.Repeat("a\n-\n", n), strings.Repeat("<x>\n", n),
		strings.Repeat("word word word word word word word word word word word word word\n", n/8), strings.Repeat("\x00\xff", n), strings.Repeat("\u0301", n), "---\n" + strings.Repeat("a: b\n", n),
	}
}

// TestHostileTextsAreBounded checks the number, the order and the width of rows.
func TestHostileTextsAreBounded(t *testing.T) {
	l := plainLook(false)
	for i, text := range hostile() {
		for _, c := range []struct{ width, bytes int }{{60, len(text)}, {8, 3000}, {21, 3000}, {80, 3000}} {
			text := text[:min(len(text), c.bytes)]
			for name, rows := range map[string][]Row{"raw": Raw(l, text, c.width), "markdown": Markdown(l, text, c.width)} {
				if len(rows) == 0 || len(rows) > rowsLimit+1 {
					t.Errorf("%d, %s: %d rows", i, name, len(rows))
				}
				last := 0
				for _, r := range rows {
					if r.Line > 0 && r.Line <= last {
						t.Fatalf("%d, %s: line %d below line %d", i, name, r.Line, last)
					}
					last = max(last, r.Line)
					if strings.ContainsAny(r.Text(), "\n\r\t\x1b") || c.bytes == 3000 && name == "raw" && l.Width(r.Text()) > c.width && !strings.Contains(r.Text(), "left out") {
						t.Fatalf("%d, %s in %d columns: %q", i, name, c.width, r.Text())
					}
				}
			}
		}
	}
}

func FuzzLayouts(f *testing.F) {
	for _, s := range []string{"# a\n- [x] *b*\n", "|a|b|\n|-|-|\n|c|", "> [a](b) `c\n", "---\na: b\n---\n", "```\n\x1b[2J\n"} {
		f.Add(s, 20)
	}
	l := plainLook(false)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 1 + (width&0x7fffffff)%200
		for _, rows := range [][]Row{Markdown(l, text, width), Raw(l, text, width)} {
			for _, r := range rows {
				if strings.ContainsFunc(r.Text(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Fatalf("%q", r.Text())
				}
			}
			for i, r := range rows {
				to := l.Ribbon(width)
				r.Draw(&to)
				if to.Width > width {
					t.Fatalf("row %d is %d wide", i, to.Width)
				}
			}
		}
	})
}
