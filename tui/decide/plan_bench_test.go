package decide

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

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
