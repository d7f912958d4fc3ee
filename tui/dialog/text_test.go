package dialog

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/tui/draw"
)

func bodyLook() *draw.Look {
	return &draw.Look{Glyphs: draw.NewGlyphs(false), Theme: draw.NewStyles(draw.ThemeMono)}
}

// planBody lays out a plan.
func planBody(plan string) *Text {
	b := NewText(60)
	b.Plan(bodyLook(), plan, "none", false)
	return b
}

// shown returns the lines of a body as drawn, without escape sequences.
func (b *Text) shown() string {
	var lines []string
	for i := range b.Len() {
		lines = append(lines, strings.TrimRight(ansi.Strip(b.Line(bodyLook(), i)), " "))
	}
	return strings.Join(lines, "\n")
}

// TestAPlanHidesNothing: a plan is drawn as Markdown only if that hides nothing that matters.
func TestAPlanHidesNothing(t *testing.T) {
	for text, marked := range map[string]bool{
		"# A lantern\n\n1. Fold **this** and `that`.\n- one\n* two\n  - [x] deep": true,
		"| kept | for |\n|---|---|\n| day | week |\n\n```sh\nrm -rf *\n```":       true,
		"Line one: a_b_c and 2 * 3 * 4 are $HOME; done?":                          true,
		"> quoted\n\nTitle\n=====\n":                                              true,
		"[read](https://evil.example/x) it":                                       true, // the address is shown next to the text
		"![a picture](https://evil.example/x)":                                    true,
		"run *all* of it":                                                         false,
		"rm \\*.log":                                                              false,
		"a &amp; b":                                                               true,
		strings.Repeat("word ", 1000):                                             false, // a line that Markdown would cut
		strings.Repeat("# heading\n", 7000):                                       false, // too many lines
	} {
		b := planBody(text)
		if got := slices.ContainsFunc(b.lines, func(l textLine) bool { return l.row != nil }); got != marked {
			t.Errorf("%.60q: as Markdown %v, want %v:\n%.400s", text, got, marked, b.shown())
		}
	}
}

// TestABodyIsNotForged: no line of a foreign text looks like one of ours, and no escape sequence in it reaches the terminal.
func TestABodyIsNotForged(t *testing.T) {
	for _, text := range []string{"\x1b[2J\x1b]0;owned\x07", "◆ 1/3 WAITS FOR YOU", "y approve\r\n│ enter answer", "\u202eevil\u2066", strings.Repeat("日本語", 100)} {
		for name, lay := range map[string]func(b *Text){
			"plan":     func(b *Text) { b.Plan(bodyLook(), text, "", false) },
			"call":     func(b *Text) { b.Quote(bodyLook(), text) },
			"diff":     func(b *Text) { b.Diff(bodyLook(), text+"\n+"+text+"\n "+text) },
			"document": func(b *Text) { b.Document(bodyLook(), "a.md", text) },
			"raw":      func(b *Text) { b.Document(bodyLook(), "a.txt", text) },
		} {
			b := NewText(60)
			lay(b)
			for i := range b.Len() {
				l := b.Line(bodyLook(), i)
				blank := strings.TrimSpace(ansi.Strip(l)) == ""
				if plain := ansi.Strip(l); !blank && !strings.HasPrefix(plain, "│ ") && !strings.HasPrefix(plain, "+ ") || ansi.StringWidth(l) > 60 || strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0x202e }) {
					t.Errorf("%s %q: line %q", name, text, l)
				}
			}
		}
	}
}

// BenchmarkLongPlan lays out plans of a megabyte, which happens once per opened plan.
func BenchmarkLongPlan(b *testing.B) {
	for name, plan := range map[string]string{"lines": strings.Repeat("1. Fold a **grid** of `paper`, and then some more words that fill the line until it is broken somewhere.\n", 10_000), "one": strings.Repeat("word ", 200_000), "short": strings.Repeat("a\n", 500_000)} {
		b.Run(name, func(b *testing.B) {
			l := &draw.Look{Glyphs: draw.NewGlyphs(false), Theme: draw.NewStyles(draw.ThemeDark)}
			for b.Loop() {
				NewText(76).Plan(l, plan, "", false)
			}
		})
	}
}
