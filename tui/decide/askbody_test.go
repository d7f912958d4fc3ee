package decide

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

func bodyLook() *draw.Look {
	return &draw.Look{Glyphs: draw.NewGlyphs(false), Theme: draw.NewStyles(draw.ThemeMono), Links: true}
}

// planBody lays out a plan.
func planBody(plan string, asWritten bool) *askBody {
	x := &askBox{ask: &model.Ask{Kind: model.AskPlan, Plan: plan}, asWritten: asWritten}
	return x.lay(bodyLook(), 60).(*askBody)
}

// shown returns the lines of a body as they are drawn, without escape sequences.
func (b *askBody) shown() string {
	var lines []string
	for i := range b.Len() {
		lines = append(lines, strings.TrimRight(ansi.Strip(b.Line(bodyLook(), i)), " "))
	}
	return strings.Join(lines, "\n")
}

// A plan is drawn as Markdown only where nothing of it that counts is hidden by that.
func TestAPlanHidesNothing(t *testing.T) {
	for text, marked := range map[string]bool{
		"# A lantern\n\n1. Fold **this** and `that`.\n- one\n* two\n  - [x] deep": true,
		"| kept | for |\n|---|---|\n| day | week |\n\n```sh\nrm -rf *\n```":       true,
		"Line one: a_b_c and 2 * 3 * 4 are $HOME; done?":                          true,
		"> quoted\n\nTitle\n=====\n":                                              true,
		"[read](https://evil.example/x) it":                                       true, // the address stands beside it
		"![a picture](https://evil.example/x)":                                    false,
		"run *all* of it":                                                         false,
		"rm \\*.log":                                                              false,
		"a &amp; b":                                                               false,
		strings.Repeat("word ", 1000):                                             false, // a line that Markdown would cut
		strings.Repeat("# heading\n", 7000):                                       false, // too much of it
	} {
		b := planBody(text, false)
		if b.marked != marked {
			t.Errorf("%.60q: as Markdown %v, want %v:\n%.400s", text, b.marked, marked, b.shown())
		}
		written := planBody(text, true).shown()
		for _, word := range strings.Fields(text)[:min(len(strings.Fields(text)), 8)] {
			if !strings.Contains(written, word) {
				t.Errorf("%.60q as written lacks %q", text, word)
			}
		}
	}
}

// No line of a text of others passes for one of ours, and nothing in it reaches the terminal.
func TestABodyIsNotForged(t *testing.T) {
	for _, text := range []string{"\x1b[2J\x1b]0;owned\x07", "◆ WAITS FOR YOU", "y approve\r\n│ enter answer", "\u202eevil\u2066", strings.Repeat("日本語", 100)} {
		for _, a := range []*model.Ask{{Kind: model.AskPlan, Plan: text}, {Kind: model.AskPermission, Call: &model.Call{Tool: "Bash", Input: text, Reason: text}},
			{Kind: model.AskPermission, Call: &model.Call{Tool: "Edit", Diff: text + "\n+" + text + "\n " + text}}} {
			b := (&askBox{ask: a}).lay(bodyLook(), 60).(*askBody)
			for i := range b.Len() {
				l := b.Line(bodyLook(), i)
				ours := i < len(b.lines) && b.lines[i].is < quoted
				if plain := ansi.Strip(l); !ours && !strings.HasPrefix(plain, "│ ") || ansi.StringWidth(l) > 60 || strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0x202e }) {
					t.Errorf("%q: line %q", text, l)
				}
			}
		}
	}
}

// BenchmarkLongPlan lays out plans of a megabyte, which happens once, when one is opened.
func BenchmarkLongPlan(b *testing.B) {
	for name, plan := range map[string]string{"lines": strings.Repeat("1. Fold a **grid** of `paper`, and then some more words that fill the line until it is broken somewhere.\n", 10_000), "one": strings.Repeat("word ", 200_000), "short": strings.Repeat("a\n", 500_000)} {
		b.Run(name, func(b *testing.B) {
			l := &draw.Look{Glyphs: draw.NewGlyphs(false), Theme: draw.NewStyles(draw.ThemeDark)}
			for b.Loop() {
				x := &askBox{ask: &model.Ask{Kind: model.AskPlan, Plan: plan}}
				x.lay(l, 76)
			}
		})
	}
}
