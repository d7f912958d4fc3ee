package tui

// A frame at 200x60 must cost the same for ten rows as for ten thousand: at most a millisecond.

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
	"gatehouse/tui/tuitest"
)

func benchDashboard(rows int) *dashboard {
	d := newDashboard(testOptions(draw.ThemeDark), func(*index.Index) tea.Cmd { return nil })
	d.resizeTo(200, 60)
	d.showSnapshot(index.New(tuitest.Forest(rows), nil))
	d.tree.Choose(rows / 2)
	d.layOut()
	return d
}

// BenchmarkView draws everything anew each time, nothing kept from the frame before.
func BenchmarkView(b *testing.B) {
	for _, rows := range tuitest.RowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := benchDashboard(rows)
			b.ReportAllocs()
			for b.Loop() {
				d.drawings = [pane.Count]drawing{}
				d.View()
			}
		})
	}
}

// BenchmarkViewHistory draws the chart and the bars of what was done when.
func BenchmarkViewHistory(b *testing.B) {
	for _, rows := range tuitest.RowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := newDashboard(testOptions(draw.ThemeDark), func(*index.Index) tea.Cmd { return nil })
			d.resizeTo(200, 60)
			d.showSnapshot(index.New(tuitest.Plans(rows), nil))
			d.enterKeys("8", "z")
			b.ReportAllocs()
			for b.Loop() {
				d.drawings = [pane.Count]drawing{}
				d.View()
			}
		})
	}
}

// BenchmarkLayHistory lays the chart and the bars out, on the loop that answers keys.
func BenchmarkLayHistory(b *testing.B) {
	for _, rows := range tuitest.RowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := newDashboard(testOptions(draw.ThemeDark), func(*index.Index) tea.Cmd { return nil })
			d.resizeTo(200, 60)
			d.showSnapshot(index.New(tuitest.Plans(rows), nil))
			d.enterKeys("8", "z")
			b.ReportAllocs()
			for b.Loop() {
				d.shown++
				d.layOut()
			}
		})
	}
}

// BenchmarkViewPalette draws a frame with the palette over it.
func BenchmarkViewPalette(b *testing.B) {
	d := benchDashboard(10_000)
	d.pressKey(input.StrokeOf(":"))
	b.ReportAllocs()
	for b.Loop() {
		d.View()
	}
}

// BenchmarkViewQuestion draws a frame with the dialog over it that asks before something is decided.
func BenchmarkViewQuestion(b *testing.B) {
	a := tuitest.NewActor()
	opts := testOptions(draw.ThemeDark)
	opts.Actor = a
	d := newDashboard(opts, func(*index.Index) tea.Cmd { return nil })
	d.resizeTo(200, 60)
	d.showSnapshot(index.New(a.Snapshot(1), nil))
	d.enterKeys("n", "a")
	b.ReportAllocs()
	for b.Loop() {
		d.View()
	}
}

// BenchmarkFilter types a letter and takes it back, with 10,000 rows to look through.
func BenchmarkFilter(b *testing.B) {
	for _, rows := range tuitest.RowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := benchDashboard(rows)
			d.pressKey(input.StrokeOf("/"))
			for b.Loop() {
				d.Update(tea.KeyPressMsg{Code: 't', Text: "t"})
				d.View()
				d.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
				d.View()
			}
		})
	}
}

// BenchmarkViewUnchanged draws a frame in which nothing happened.
func BenchmarkViewUnchanged(b *testing.B) {
	d := benchDashboard(10_000)
	b.ReportAllocs()
	for b.Loop() {
		d.View()
	}
}

// BenchmarkKey moves the selection by one row and draws.
func BenchmarkKey(b *testing.B) {
	for _, rows := range tuitest.RowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := benchDashboard(rows)
			keys := [...]tea.KeyPressMsg{{Code: 'j', Text: "j"}, {Code: 'k', Text: "k"}}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.Update(keys[i%2])
				d.View()
			}
		})
	}
}

// BenchmarkFold folds and unfolds a row and draws, which makes the rows anew.
func BenchmarkFold(b *testing.B) {
	for _, rows := range tuitest.RowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := benchDashboard(rows)
			d.tree.Choose(2)
			for b.Loop() {
				d.Update(tea.KeyPressMsg{Code: tea.KeySpace, Text: " "})
				d.View()
			}
		})
	}
}

// BenchmarkSnapshot takes in a new snapshot on the loop that answers keys, and draws.
func BenchmarkSnapshot(b *testing.B) {
	for _, rows := range tuitest.RowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := benchDashboard(rows)
			msgs := [...]snapshotMsg{{index: index.New(tuitest.Forest(rows), nil)}, {index: index.New(tuitest.Forest(rows), nil)}}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.Update(msgs[i%2])
				d.View()
			}
		})
	}
}

// The allocations of a frame do not grow with the rows: a guard that holds on any machine.
func TestViewDoesNotGrowWithTheBuild(t *testing.T) {
	allocations := func(rows int) float64 {
		d := benchDashboard(rows)
		return testing.AllocsPerRun(20, func() {
			d.drawings = [pane.Count]drawing{}
			d.View()
		})
	}
	few, many := allocations(100), allocations(10_000)
	if many > few*1.1+10 {
		t.Errorf("%v allocations with 100 rows, %v with 10,000", few, many)
	}
}

// BenchmarkViewGraph draws the graph anew each time, with edges.
func BenchmarkViewGraph(b *testing.B) {
	for _, rows := range []int{20, 2_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := graphDashboard(rows)
			b.ReportAllocs()
			for b.Loop() {
				d.drawings = [pane.Count]drawing{}
				d.View()
			}
		})
	}
}

func graphDashboard(rows int) *dashboard {
	d := newDashboard(testOptions(draw.ThemeDark), func(*index.Index) tea.Cmd { return nil })
	d.resizeTo(200, 60)
	d.showSnapshot(index.New(tuitest.Web(rows), nil))
	d.enterKeys("v", "z")
	d.tree.Move(rows / 2)
	d.layOut()
	return d
}

// BenchmarkKeyGraph follows the graph by one node and draws.
func BenchmarkKeyGraph(b *testing.B) {
	d := graphDashboard(2_000)
	keys := [...]tea.KeyPressMsg{{Code: 'j', Text: "j"}, {Code: 'k', Text: "k"}}
	for i := 0; b.Loop(); i++ {
		d.Update(keys[i%2])
		d.View()
	}
}

// BenchmarkFilterLog types a letter of a word that is nowhere and takes it back, with 100,000 entries to look through.
func BenchmarkFilterLog(b *testing.B) {
	d := newDashboard(testOptions(draw.ThemeDark), func(*index.Index) tea.Cmd { return nil })
	d.resizeTo(200, 60)
	d.showSnapshot(index.New(tuitest.Chatty(100_000), nil))
	for _, key := range []string{"6", "f", "2", "enter", "/", "q", "q"} {
		d.pressKey(input.StrokeOf(key))
	}
	b.ReportAllocs()
	for b.Loop() {
		d.Update(tea.KeyPressMsg{Code: 'q', Text: "q"})
		d.View()
		d.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
		d.View()
	}
}

// BenchmarkFilterLogText is the same without a topic.
func BenchmarkFilterLogText(b *testing.B) {
	d := newDashboard(testOptions(draw.ThemeDark), func(*index.Index) tea.Cmd { return nil })
	d.resizeTo(200, 60)
	d.showSnapshot(index.New(tuitest.Chatty(100_000), nil))
	for _, key := range []string{"6", "/", "l", "o", "n", "g"} {
		d.pressKey(input.StrokeOf(key))
	}
	for b.Loop() {
		d.Update(tea.KeyPressMsg{Code: 'z', Text: "z"})
		d.View()
		d.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
		d.View()
	}
}

// BenchmarkSnapshotLog takes in a snapshot with 100,000 entries on the loop that answers keys; BenchmarkIndexLog makes it
// ready beside it.
func BenchmarkSnapshotLog(b *testing.B) {
	d := newDashboard(testOptions(draw.ThemeDark), func(*index.Index) tea.Cmd { return nil })
	d.resizeTo(200, 60)
	msgs := [...]snapshotMsg{{index: index.New(tuitest.Chatty(100_000), nil)}, {index: index.New(tuitest.Chatty(100_000), nil)}}
	for i := 0; b.Loop(); i++ {
		d.Update(msgs[i%2])
		d.View()
	}
}

// BenchmarkSnapshotProjects takes in a snapshot of many projects on the loop that answers keys.
func BenchmarkSnapshotProjects(b *testing.B) {
	for _, n := range tuitest.ProjectCounts {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := newDashboard(testOptions(draw.ThemeDark), func(*index.Index) tea.Cmd { return nil })
			d.resizeTo(200, 60)
			first := index.New(tuitest.ManyProjects(n), nil)
			msgs := [...]snapshotMsg{{index: first}, {index: index.New(tuitest.WithAnother(first.Snap, 0), first)}}
			for i := 0; b.Loop(); i++ {
				d.Update(msgs[i%2])
				d.View()
			}
		})
	}
}
