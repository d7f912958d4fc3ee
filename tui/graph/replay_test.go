package graph

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// TestReplayShowsEarlierStates: step by step back to the first recorded state, and forward to the current one.
func TestReplayShowsEarlierStates(t *testing.T) {
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	b := &model.Build{Nodes: []*model.Node{
		{ID: "a", Kind: model.KindPlan, Title: "A", Status: model.Done, Since: noon.Add(-3 * time.Hour)},
		{ID: "b", Kind: model.KindPlan, Title: "B", Status: model.Done, Since: noon.Add(-2 * time.Hour), DependsOn: []string{"a"}},
		{ID: "c", Kind: model.KindPlan, Title: "C", Status: model.Active, Since: noon.Add(-time.Hour), DependsOn: []string{"b"}},
	}}
	l := &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(false), Now: noon}
	p, g := NewPlan(b, nil), &View{}
	signs := func() string {
		g.Fit(p, "a", 60, 10)
		text, out := ansi.Strip(strings.Join(g.Render(l, 60, 10, true), "\n")), ""
		for _, name := range []string{"A", "B", "C"} {
			for _, st := range model.Statuses() {
				if strings.Contains(text, l.Glyphs.Of(st)+" "+name) {
					out += l.Glyphs.Of(st)
				}
			}
		}
		return out + " " + g.asOf(noon)
	}
	for _, step := range []struct {
		by   int
		want string
	}{{0, "✓✓● "}, {-1, "✓✓○ as of 10:00:00"}, {-1, "✓○○ as of 09:00:00"}, {-1, "✓○○ as of 09:00:00"}, {1, "✓✓○ as of 10:00:00"}, {1, "✓✓● "}, {1, "✓✓● "}} {
		g.Replay(step.by)
		if got := signs(); got != step.want {
			t.Errorf("after %d: %q, want %q", step.by, got, step.want)
		}
	}
}
