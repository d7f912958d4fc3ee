package tui

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model/line"
	"gatehouse/tui/draw"
)

// TestHeaderKeepsWords: as the header narrows, the line of a build first drops what its number says anyway, then all but the short form. It is
// cut only where the cut loses little.
func TestHeaderKeepsWords(t *testing.T) {
	l := &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(false)}
	facts := &line.GSD{Milestone: "v1.2", MilestoneName: "Agents", Percent: "100", PercentOf: "plans", CompletedPhases: "2", TotalPhases: "2"}
	for room, want := range map[int]string{
		80: "v1.2 Agents [██████████] 100% of plans · milestone complete",
		50: "v1.2 Agents [██████████] 100% · milestone complete",
		49: "v1.2 Agents 100% · milestone complete",
		37: "v1.2 Agents 100% · milestone complete",
		36: "v1.2 · complete",
		12: "v1.2 Agents [██████████] 100% · milestone complete", // to be cut
	} {
		if got := fitFacts(l, facts, room); got != want {
			t.Errorf("in %d columns %q, want %q", room, got, want)
		}
	}
}

// TestHeaderDrawsTheBar: the bar of a build's line is drawn as a thin line in every row with room for it, and left out otherwise.
func TestHeaderDrawsTheBar(t *testing.T) {
	l := &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(false)}
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{"spiel-loop [███████░░░] 70% · Phase tuning active", 49, "spiel-loop ━━━━━━━─── 70% · Phase tuning active"},
		{"spiel-loop [███████░░░] 70% · Phase tuning active", 21, "spiel-loop ━━━━━━━───"},
		{"spiel-loop [███████░░░] 70% · Phase tuning active", 20, "spiel-loop 70% · Ph…"},
		{"Körbe-für-alle [███████░░░]", 25, "Körbe-für-alle ━━━━━━━───"},
		{"[WIP] loop [███████░░░] 70%", 27, "[WIP] loop ━━━━━━━─── 70%"},
		{"[WIP] loop", 27, "[WIP] loop"},
	} {
		r := l.Ribbon(c.room)
		drawFacts(&r, c.text, c.room)
		if got := ansi.Strip(r.Cut()); got != c.want {
			t.Errorf("%q in %d columns: %q, want %q", c.text, c.room, got, c.want)
		}
	}
}
