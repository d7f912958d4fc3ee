package tui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// A frame at 200x60 must cost the same for ten rows as for ten thousand: at most a millisecond.

var rowCounts = []int{10, 10_000}

func benchDashboard(rows int) *dashboard {
	d := newDashboard(testOptions(draw.ThemeDark), func(*index) tea.Cmd { return nil })
	d.resize(200, 60)
	d.show(newIndex(forest(rows), nil))
	d.tree.choose(rows / 2)
	d.settle()
	return d
}

// BenchmarkView draws everything anew each time, nothing kept from the frame before.
func BenchmarkView(b *testing.B) {
	for _, rows := range rowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := benchDashboard(rows)
			b.ReportAllocs()
			for b.Loop() {
				d.drawings = [paneCount]drawing{}
				d.View()
			}
		})
	}
}

// BenchmarkViewPalette draws a frame with the palette over it.
func BenchmarkViewPalette(b *testing.B) {
	d := benchDashboard(10_000)
	d.press(strokeOf(":"))
	b.ReportAllocs()
	for b.Loop() {
		d.View()
	}
}

// BenchmarkViewQuestion draws a frame with the dialog over it that asks before something is decided.
func BenchmarkViewQuestion(b *testing.B) {
	a := newActor()
	opts := testOptions(draw.ThemeDark)
	opts.Actor = a
	d := newDashboard(opts, func(*index) tea.Cmd { return nil })
	d.resize(200, 60)
	d.show(newIndex(a.snapshot(1), nil))
	d.enterKeys("n", "a")
	b.ReportAllocs()
	for b.Loop() {
		d.View()
	}
}

// BenchmarkFilter types a letter and takes it back, with 10,000 rows to look through.
func BenchmarkFilter(b *testing.B) {
	for _, rows := range rowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := benchDashboard(rows)
			d.press(strokeOf("/"))
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
	for _, rows := range rowCounts {
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
	for _, rows := range rowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := benchDashboard(rows)
			d.tree.choose(2)
			for b.Loop() {
				d.Update(tea.KeyPressMsg{Code: tea.KeySpace, Text: " "})
				d.View()
			}
		})
	}
}

// BenchmarkSnapshot takes in a new snapshot on the loop that answers keys, and draws.
func BenchmarkSnapshot(b *testing.B) {
	for _, rows := range rowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			d := benchDashboard(rows)
			msgs := [...]snapshotMsg{{newIndex(forest(rows), nil)}, {newIndex(forest(rows), nil)}}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.Update(msgs[i%2])
				d.View()
			}
		})
	}
}

// BenchmarkIndex makes a snapshot ready, which happens beside the loop.
func BenchmarkIndex(b *testing.B) {
	for _, rows := range rowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			snap := forest(rows)
			for b.Loop() {
				newIndex(snap, nil)
			}
		})
	}
}

// The allocations of a frame do not grow with the rows: a guard that holds on any machine.
func TestViewDoesNotGrowWithTheBuild(t *testing.T) {
	allocations := func(rows int) float64 {
		d := benchDashboard(rows)
		return testing.AllocsPerRun(20, func() {
			d.drawings = [paneCount]drawing{}
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
				d.drawings = [paneCount]drawing{}
				d.View()
			}
		})
	}
}

func graphDashboard(rows int) *dashboard {
	d := newDashboard(testOptions(draw.ThemeDark), func(*index) tea.Cmd { return nil })
	d.resize(200, 60)
	d.show(newIndex(web(rows), nil))
	d.enterKeys("v", "z")
	d.chooseInGraph(rows / 2)
	d.settle()
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

// BenchmarkIndexGraph lays out the graph of 2,000 chunks, which happens beside the loop.
func BenchmarkIndexGraph(b *testing.B) {
	snap := web(2_000)
	for b.Loop() {
		newIndex(snap, nil)
	}
}

// BenchmarkFilterLog types a letter of a word that is nowhere and takes it back, with 100,000 entries to look through.
func BenchmarkFilterLog(b *testing.B) {
	d := newDashboard(testOptions(draw.ThemeDark), func(*index) tea.Cmd { return nil })
	d.resize(200, 60)
	d.show(newIndex(chatty(100_000), nil))
	for _, key := range []string{"6", "f", "2", "enter", "/", "q", "q"} {
		d.press(strokeOf(key))
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
	d := newDashboard(testOptions(draw.ThemeDark), func(*index) tea.Cmd { return nil })
	d.resize(200, 60)
	d.show(newIndex(chatty(100_000), nil))
	for _, key := range []string{"6", "/", "l", "o", "n", "g"} {
		d.press(strokeOf(key))
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
	d := newDashboard(testOptions(draw.ThemeDark), func(*index) tea.Cmd { return nil })
	d.resize(200, 60)
	msgs := [...]snapshotMsg{{newIndex(chatty(100_000), nil)}, {newIndex(chatty(100_000), nil)}}
	for i := 0; b.Loop(); i++ {
		d.Update(msgs[i%2])
		d.View()
	}
}

func BenchmarkIndexLog(b *testing.B) {
	snap := chatty(100_000)
	for b.Loop() {
		newIndex(snap, nil)
	}
}

// manyProjects is a snapshot of so many projects with a small build each.
func manyProjects(n int) *model.Snapshot {
	snap := &model.Snapshot{Version: 1, At: noon}
	for i := range n {
		snap.Projects = append(snap.Projects, smallProject(i))
	}
	return snap
}

// smallProject is a project of one phase with a plan, a gate in every fourth.
func smallProject(i int) *model.Project {
	name := fmt.Sprintf("p%05d", i)
	ph := phase("01", "One", model.Active, "executing", 0, 1, time.Hour, plan("01-01", "Do", model.Active, "", time.Hour))
	b := &model.Build{ID: "gsd", Protocol: "gsd", Title: "v1", Status: model.Active, Nodes: []*model.Node{ph}, File: ".planning/STATE.md",
		Activity: []model.Activity{{At: ago(time.Duration(i) * time.Second), Family: model.FamilyTools, Kind: "tool-call", Text: name}}}
	if i%4 == 0 {
		b.Nodes = append(b.Nodes, &model.Node{ID: "gate/g", Kind: model.KindGate, Title: "gate", Status: model.Waiting, Gate: &model.Gate{Asks: "well?"}})
		b.Waits = []model.Wait{{Node: "gate/g", Text: "well?", Evidence: model.Reached, Since: ago(time.Duration(i) * time.Minute)}}
	}
	return &model.Project{Root: "/src/" + name, Name: name, Builds: []*model.Build{b}}
}

// withAnother returns the snapshot that follows when one of the projects is read again.
func withAnother(snap *model.Snapshot, i int) *model.Snapshot {
	next := &model.Snapshot{Version: snap.Version + 1, At: snap.At, Projects: slices.Clone(snap.Projects)}
	next.Projects[i] = smallProject(i)
	return next
}

var projectCounts = []int{1, 12, 100, 1_000, 10_000}

// BenchmarkIndexProjects makes the first snapshot of many projects ready, and BenchmarkIndexOneOfMany the next one, in which
// one project has changed; both beside the loop that answers keys.
func BenchmarkIndexProjects(b *testing.B) {
	for _, n := range projectCounts {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			snap := manyProjects(n)
			for b.Loop() {
				newIndex(snap, nil)
			}
		})
	}
}

func BenchmarkIndexOneOfMany(b *testing.B) {
	for _, n := range projectCounts {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ix := newIndex(manyProjects(n), nil)
			for i := 0; b.Loop(); i++ {
				ix = newIndex(withAnother(ix.snap, i%n), ix)
			}
		})
	}
}

// BenchmarkSnapshotProjects takes in a snapshot of many projects on the loop that answers keys.
func BenchmarkSnapshotProjects(b *testing.B) {
	for _, n := range projectCounts {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := newDashboard(testOptions(draw.ThemeDark), func(*index) tea.Cmd { return nil })
			d.resize(200, 60)
			first := newIndex(manyProjects(n), nil)
			msgs := [...]snapshotMsg{{first}, {newIndex(withAnother(first.snap, 0), first)}}
			for i := 0; b.Loop(); i++ {
				d.Update(msgs[i%2])
				d.View()
			}
		})
	}
}
