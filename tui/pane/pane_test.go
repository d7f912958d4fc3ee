package pane

import (
	"fmt"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

func TestDurationWords(t *testing.T) {
	for d, want := range map[model.Millis]string{0: "0ms", 999: "999ms", 1000: "1s", 59_400: "59s", 125_000: "2m 5s", 120_000: "2m", 600_000: "10m", 3_599_000: "59m", 3_600_000: "1h", 4_800_000: "1h 20m", 100 * 3_600_000: "4d 4h"} {
		if got := durationWords(d); got != want {
			t.Errorf("%d ms: %q, want %q", d, got, want)
		}
	}
}

func TestFoldsAreBounded(t *testing.T) {
	var tr Tree
	var ix *index.Index
	at := func(i int) index.Place {
		return index.Place{Project: "/p", Build: "gsd", Node: fmt.Sprint("phase/", i)}
	}
	for i := range 2 * foldLimit {
		b := &model.Build{ID: "gsd", Status: model.Active, Nodes: []*model.Node{{ID: at(i).Node, Status: model.Active,
			Children: []*model.Node{{ID: fmt.Sprint("plan/", i), Status: model.Active}}}}}
		ix = index.New(&model.Snapshot{Version: uint64(i + 1), Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}, ix)
		tr.Load(ix)
		tr.GoTo(at(i))
		tr.Toggle()
	}
	if n := len(tr.folded); n > foldLimit || !tr.folded[at(2*foldLimit-1)] {
		t.Errorf("%d folds are remembered", n)
	}
}

// plainLook draws without colors, always at the same time of day.
func plainLook(ascii bool) *draw.Look {
	return &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(ascii), Now: tuitest.Noon}
}
