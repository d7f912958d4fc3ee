package tui

// Finished work takes one row, nothing moves while somebody reads, and the tree opens where there is something to do.

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// long returns a build of thirty phases, the last of which wait.
func long(waiting ...int) *model.Snapshot {
	b := &model.Build{ID: "gsd", Protocol: "gsd", Status: model.Active, File: ".planning/STATE.md"}
	for i := 1; i <= 30; i++ {
		n := tuitest.Phase(fmt.Sprintf("%02d", i), fmt.Sprintf("Part %d", i), model.Done, "Complete", 1, 1, tuitest.Day)
		if i > 25 {
			n.Status, n.Raw, n.Count = model.Pending, "", model.Count{}
		}
		b.Nodes = append(b.Nodes, n)
	}
	for _, i := range waiting {
		n := b.Nodes[i-1]
		n.Status = model.Waiting
		n.Children = []*model.Node{{ID: "gate/" + n.Number, Kind: model.KindGate, Title: "Look at " + n.Title, Status: model.Waiting, Gate: &model.Gate{Approval: model.ApprovalHuman}}}
		b.Waits = append(b.Waits, model.Wait{Node: "gate/" + n.Number, Text: "Look at " + n.Title, Since: tuitest.Ago(tuitest.Day)})
		b.Status = model.Waiting
	}
	return &model.Snapshot{Version: 1, At: tuitest.Noon, Projects: []*model.Project{{Root: "/src/long", Name: "long", Builds: []*model.Build{b}}}}
}

// shows shows a snapshot as the next one.
func (u user) shows(snap *model.Snapshot) user {
	snap.Version = u.d.index.Snap.Version + 1
	u.gets(snapshotMsg{index: index.New(snap, u.d.index)})
	return u
}

func TestNothingMovesWhileSomebodyReads(t *testing.T) {
	u := atKeyboard(t, long(27), 120, 40)
	u.press("j", "j", "j").isOn("27 Part 27")
	tree := func() string { // the first columns hold signs that may change
		rows := strings.Split(u.screen(), "\n")[3:12]
		for i := range rows {
			rows[i] = string([]rune(rows[i])[7:40])
		}
		return strings.Join(rows, "\n")
	}
	before := tree()
	next := long(27)
	b := next.Projects[0].Builds[0]
	b.Nodes[25].Status = model.Done
	b.Nodes[27].Children = []*model.Node{{ID: "plan/28-01", Kind: model.KindPlan, Number: "28-01", Title: "New", Status: model.Active}}
	u.shows(next)
	if after := tree(); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	u.press(".").shows(long(12, 27)).sees("✓ 01–11", "◆ 12 Part 12", "✓ 13–25", "28 Part 28").isOn("27 Part 27")
	u.shows(long(27)).press(".", "g").sees("✓ 01–25", "27 Part 27")
}

// TestProjectsKeepTheirOrderWhileSomebodyReads: a new wait moves no project until the user goes to the top.
func TestProjectsKeepTheirOrderWhileSomebodyReads(t *testing.T) {
	u := atKeyboard(t, tuitest.Shops(), 120, 40)
	at := func(name string) int {
		for i, line := range strings.Split(u.screen(), "\n") {
			if strings.Contains(line, " "+name+" ") && i > 2 {
				return i
			}
		}
		return -1
	}
	u.press("j")
	api, shop := at("◆ api"), at("◆ shop")
	snap := *u.d.index.Snap
	snap.Projects = append([]*model.Project(nil), snap.Projects...)
	for i, p := range snap.Projects {
		if p.Name == "api" { // no longer waits
			calm, b := *p, *p.Builds[0]
			b.Waits, b.Blockers, b.Status, b.Nodes = nil, nil, model.Done, nil
			calm.Builds = []*model.Build{&b}
			snap.Projects[i] = &calm
		}
	}
	u.shows(&snap)
	if a, s := at("✓ api"), at("◆ shop"); a != api || s != shop {
		t.Errorf("api went from %d to %d, shop from %d to %d:\n%s", api, a, shop, s, u.screen())
	}
	u.sees("going to the top sorts").press("g").seesNo("going to the top sorts")
	if a, s := at("✓ api"), at("◆ shop"); a < s {
		t.Errorf("not sorted:\n%s", u.screen())
	}
}
