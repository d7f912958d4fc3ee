package tui

// Drawing a frame at 200x60 costs the same for ten rows as for ten thousand: at most a millisecond.

import (
	"fmt"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
	"gatehouse/tui/tuitest"
)

// showing returns a dashboard at 200x60 that shows a snapshot, after some keys were pressed.
func showing(snap *model.Snapshot, keys ...string) *dashboard {
	d := dashboardOf(testOptions(draw.ThemeDark), snap, 200, 60)
	d.enterKeys(keys...)
	return d
}

// atRow returns a dashboard with that many rows, one in the middle selected.
func atRow(rows int) *dashboard {
	d := showing(tuitest.Forest(rows))
	d.tree.Choose(rows / 2)
	d.layOut()
	return d
}

// drawAll draws a frame without reusing drawings of the previous one.
func drawAll(d *dashboard) {
	d.drawings = [pane.Count]drawing{}
	d.View()
}

// BenchmarkView draws whole frames; "unchanged" draws one in which nothing happened.
func BenchmarkView(b *testing.B) {
	views := map[string]func(*dashboard){"unchanged": func(d *dashboard) { d.View() }, "history laid out": func(d *dashboard) { d.shown++; d.layOut() }}
	dashboards := map[string]*dashboard{"unchanged": atRow(10_000), "palette": atRow(10_000), "question": showing(tuitest.NewActor().Snapshot(1), "n")}
	dashboards["palette"].enterKeys(":")
	dashboards["question"].decisions.Actor = tuitest.NewActor()
	dashboards["question"].enterKeys("a")
	for _, rows := range tuitest.RowCounts {
		dashboards[fmt.Sprint("rows ", rows)] = atRow(rows)
		dashboards[fmt.Sprint("history ", rows)] = showing(tuitest.Plans(rows), "8", "z")
	}
	dashboards["history laid out"] = showing(tuitest.Plans(10_000), "8", "z")
	for name, d := range dashboards {
		b.Run(name, func(b *testing.B) {
			view := views[name]
			if view == nil {
				view = drawAll
			}
			b.ReportAllocs()
			for b.Loop() {
				view(d)
			}
		})
	}
}

// BenchmarkKeys presses keys and draws a frame after each.
func BenchmarkKeys(b *testing.B) {
	log := tuitest.Chatty(100_000)
	type keyCase struct {
		d    *dashboard
		keys []string
	}
	cases := map[string]keyCase{
		"search all of a log": {showing(log, "6", "/", "l", "o", "n", "g"), []string{"z", "backspace"}},
	}
	for _, rows := range tuitest.RowCounts {
		search, fold := atRow(rows), atRow(rows)
		search.enterKeys("/")
		fold.tree.Choose(2)
		cases[fmt.Sprint("move ", rows)] = keyCase{atRow(rows), []string{"j", "k"}}
		cases[fmt.Sprint("search ", rows)] = keyCase{search, []string{"t", "backspace"}}
		cases[fmt.Sprint("fold ", rows)] = keyCase{fold, []string{"space"}}
	}
	for name, c := range cases {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, k := range c.keys {
					c.d.pressKey(input.StrokeOf(k))
					c.d.layOut()
					c.d.View()
				}
			}
		})
	}
}

// BenchmarkSnapshot takes in a snapshot on the loop that handles keys, and draws it.
func BenchmarkSnapshot(b *testing.B) {
	cases := map[string][2]*index.Index{"log": {index.New(tuitest.Chatty(100_000), nil), index.New(tuitest.Chatty(100_000), nil)}}
	for _, rows := range tuitest.RowCounts {
		cases[fmt.Sprint("rows ", rows)] = [2]*index.Index{index.New(tuitest.Forest(rows), nil), index.New(tuitest.Forest(rows), nil)}
	}
	for _, n := range tuitest.ProjectCounts {
		first := index.New(tuitest.ManyProjects(n), nil)
		cases[fmt.Sprint("projects ", n)] = [2]*index.Index{first, index.New(tuitest.WithAnother(first.Snap, 0), first)}
	}
	for name, c := range cases {
		b.Run(name, func(b *testing.B) {
			d := showing(c[0].Snap)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.Update(snapshotMsg{index: c[i%2]})
				d.View()
			}
		})
	}
}

// TestViewDoesNotGrowWithTheBuild: the allocations of a frame do not grow with the number of rows. This guard holds on any machine.
func TestViewDoesNotGrowWithTheBuild(t *testing.T) {
	allocations := func(rows int) float64 {
		d := atRow(rows)
		return testing.AllocsPerRun(20, func() { drawAll(d) })
	}
	few, many := allocations(100), allocations(10_000)
	if many > few*1.1+10 {
		t.Errorf("%v allocations with 100 rows, %v with 10,000", few, many)
	}
}
