package tui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/tuitest"
)

// fileSize is the size of the files that the texts of a snapshot are cut from.
const fileSize = 32 << 10

// cut returns a text the way a reader cuts it from a file: while the text is kept, the whole file is kept.
func cut(text string) string { return (strings.Repeat(" ", fileSize) + text)[fileSize:] }

// rewritten is a project whose files are rewritten each time: every text in it is cut from a file of its own.
func rewritten(i int) *model.Snapshot {
	at := tuitest.Noon.Add(time.Duration(i) * time.Second)
	group := &model.Node{ID: cut("phase/1"), Kind: model.KindPhase, Number: cut("1"), Title: cut("Base"), Status: model.Active, Raw: cut(fmt.Sprint("word ", i)), Updated: at}
	for n := range 4 {
		group.Children = append(group.Children, &model.Node{ID: cut(fmt.Sprint("plan/", n)), Kind: model.KindPlan, Number: cut(fmt.Sprint("01-", n)),
			Title: cut(fmt.Sprint("Plan ", i)), Status: []model.Status{model.Active, model.Pending}[(i+n)%2], Updated: at, Source: model.Pos{File: cut("PLAN.md"), Line: 1}})
	}
	gate := &model.Node{ID: cut(fmt.Sprint("gate/", i)), Kind: model.KindGate, Title: cut("Gate"), Status: model.Waiting, Updated: at, Source: model.Pos{File: cut("STATE.md")},
		Gate: &model.Gate{Asks: cut("Is it good?"), Can: []model.Verb{model.VerbApprove}}, DependsOn: []string{cut("plan/1")}}
	inbox := &model.Node{ID: "group/inbox", Kind: model.KindGroup, Title: "Inbox", Children: []*model.Node{
		{ID: cut(fmt.Sprint("inbox/", i)), Kind: model.KindTask, Title: cut("Idea"), Status: model.Pending, Facts: []model.Fact{{Label: "type", Value: cut("wish")}}}}}
	b := &model.Build{ID: "gsd", Protocol: "gsd", Title: cut("Title"), File: ".planning/STATE.md", Status: model.Active, Raw: cut("executing"), Nodes: []*model.Node{group, gate, inbox},
		Waits:    []model.Wait{{Node: gate.ID, Text: cut("Is it good?"), Evidence: model.Reached, Source: gate.Source}},
		Blockers: []model.Blocker{{Text: cut("blocked"), Node: group.ID, Source: model.Pos{File: cut("STATE.md")}}},
		Problems: []model.Problem{{Text: cut("bad"), Pos: model.Pos{File: cut("STATE.md")}}},
		Activity: []model.Activity{{At: at, Family: model.FamilyTools, Kind: cut("tool-call"), Text: cut(fmt.Sprint("told ", i)), Node: group.Children[0].ID, Source: model.Pos{File: cut("log")}}},
		Next:     &model.Next{Command: cut("go on"), Node: gate.ID, Source: model.Pos{File: cut("STATE.md")}},
		Metrics:  []model.Fact{{Label: cut("speed"), Value: cut("fast")}},
	}
	p := &model.Project{Root: "/src/shop", Name: "shop", Builds: []*model.Build{b},
		Decisions: []model.Decision{{Build: "gsd", Node: cut("gate/0"), Name: cut("Gate"), Verb: model.VerbApprove, Text: cut("fine"), At: at, File: cut("STATE.md")}}}
	return &model.Snapshot{Version: uint64(i + 1), At: at, Projects: []*model.Project{p}}
}

// TestOldSnapshotsAreReleased shows one snapshot after another while the user does various things. Nothing that the
// dashboard remembers may keep an old snapshot or a file from which its texts were cut.
func TestOldSnapshotsAreReleased(t *testing.T) {
	for name, keys := range map[string][]string{
		"only looks":                 nil,
		"walks":                      {"j", "j", "k", "G", "g"},
		"folds and unfolds":          {"g", "space", "j", "h", "l", "space"},
		"goes through the panes":     {"1", "2", "3", "4", "5", "6", "7", "8", "9"},
		"reads the file":             {"j", "3"},
		"looks at what was told":     {"6", "G", "2", "1"},
		"goes back in the timeline":  {"6", "k", "k"},
		"goes to what waits":         {"n", "2", "4", "enter"},
		"filters":                    {"/", "p", "l", "a", "enter", "n", "esc"},
		"begins to decide and stops": {"n", "a", "esc"},
		"skips and leaves a draft":   {"n", "s", "x", "y", "esc"},
		"asks for changes":           {"n", "c", "x", "enter", "y", "esc"},
		"marks all as seen":          {"."},
		"copies":                     {"y"},
		"calls the palette":          {":", "x", "esc"},
		"zooms":                      {"z", "p", "z"},
	} {
		t.Run(name, func(t *testing.T) {
			o := testOptions(draw.ThemeDark)
			o.Actor, o.Files = hostileActor{"word"}, oneText("one\ntwo\n")
			d := newDashboard(o, nil)
			d.resizeTo(200, 60)
			d.tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
			play := func(from, to int) int {
				for i := from; i < to; i++ {
					_, cmd := d.Update(snapshotMsg{index: index.New(rewritten(i), d.index)})
					d.carryOut(cmd)
					for _, key := range keys {
						d.carryOut(d.pressKey(input.StrokeOf(key)))
						d.carryOut(d.readFile())
					}
					d.View()
				}
				return inUse()
			}
			few := play(0, 6)
			many := play(6, 40)
			// What a build keeps of one snapshot is about forty files; of old snapshots nothing may be left.
			if most := few + 16*fileSize; many > most {
				t.Errorf("after 6 snapshots %d KiB are in use, after 40 %d KiB", few>>10, many>>10)
			}
			runtime.KeepAlive(d)
		})
	}
}

// TestPanesOutOfViewKeepNothing visits all panes and then leaves them.
func TestPanesOutOfViewKeepNothing(t *testing.T) {
	play := func(keys ...string) int {
		d := newDashboard(testOptions(draw.ThemeDark), nil)
		d.opts.Files = oneText("one\ntwo\n")
		d.resizeTo(80, 24) // one pane at a time
		for i := range 8 {
			d.Update(snapshotMsg{index: index.New(rewritten(i), d.index)})
			if i < 3 {
				for _, key := range keys {
					d.carryOut(d.pressKey(input.StrokeOf(key)))
					d.carryOut(d.readFile())
					d.View()
				}
			}
		}
		used := inUse()
		runtime.KeepAlive(d)
		return used
	}
	calm := play()
	for name, keys := range map[string][]string{
		"panes": {"1", "2", "3", "4", "j", "5", "j", "6", "k", "2", "6", "G", "7", "8", "9", "j", "1"},
	} {
		if used := play(keys...); used > calm+2*fileSize {
			t.Errorf("%s: %d KiB are in use, without having been there %d KiB", name, used>>10, calm>>10)
		}
	}
}

// inUse returns the number of bytes in use after a garbage collection.
func inUse() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // collects finalized objects
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// Drawing a frame at 200x60 costs the same for ten rows as for ten thousand: at most a millisecond.

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

// TestViewDoesNotGrowWithTheBuild: the allocations of a frame do not grow with the number of rows. This guard holds on any machine.
func TestViewDoesNotGrowWithTheBuild(t *testing.T) {
	allocations := func(rows int) float64 {
		d := atRow(rows)
		return testing.AllocsPerRun(20, func() { d.View() })
	}
	few, many := allocations(100), allocations(10_000)
	if many > few*1.1+10 {
		t.Errorf("%v allocations with 100 rows, %v with 10,000", few, many)
	}
}

// allocations returns how often f allocates. It depends neither on the clock nor on other programs.
func allocations(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}

// TestCostIsProportionalToProjects shows few projects and many, and then changes some of them while others are in view.
func TestCostIsProportionalToProjects(t *testing.T) {
	const few, times = 100, 8
	type costs struct{ first, next, show, key int }
	measure := func(n int) (c costs) {
		d := newDashboard(testOptions(draw.ThemeDark), nil)
		d.resizeTo(200, 60)
		snap := tuitest.ManyProjects(n)
		var ix *index.Index
		c.first = allocations(func() { ix = index.New(snap, d.index) })
		d.showSnapshot(ix)
		d.View()
		for range 50 {
			snap = tuitest.WithAnother(snap, 3)
			c.next = allocations(func() { ix = index.New(snap, ix) })
		}
		c.show = allocations(func() { d.showSnapshot(ix); d.View() })
		for _, key := range []string{"n", "1", "2", "4", "5", "6", "7", "G", "g"} {
			c.key = max(c.key, allocations(func() { d.pressKey(input.StrokeOf(key)); d.View() }))
		}
		if len(d.index.Sites) != n || len(d.index.Waits) != n/4 || len(d.index.Moments) < n {
			t.Errorf("of %d projects %d sites are shown, %d waits, %d moments", n, len(d.index.Sites), len(d.index.Waits), len(d.index.Moments))
		}
		return c
	}
	small, large := measure(few), measure(few*times)
	for what, c := range map[string]struct{ small, large int }{
		"the first index": {small.first, large.first}, "the next": {small.next, large.next}, "showing it": {small.show, large.show}, "a key": {small.key, large.key},
	} {
		if most := (c.small + 200) * times * 5 / 4; c.large > most {
			t.Errorf("%s of %d projects allocates %d times, of %d %d times; want %d at most", what, few, c.small, few*times, c.large, most)
		}
	}
}
