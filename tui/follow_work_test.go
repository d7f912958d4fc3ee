package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// TestTheUntouchedScreenFollowsTheWork: until a key is pressed, the selection and the details are on what waits, then on what runs.
func TestTheUntouchedScreenFollowsTheWork(t *testing.T) {
	build := func(version uint64, statuses ...model.Status) *model.Snapshot {
		b := &model.Build{ID: "gsd", Protocol: "gsd", Status: model.Active, File: "STATE.md"}
		for i, st := range statuses {
			n := &model.Node{ID: string(rune('a' + i)), Kind: model.KindPhase, Title: "Part " + string(rune('A'+i)), Status: st}
			if st == model.Waiting {
				n.Gate = &model.Gate{Asks: "Is " + n.Title + " good?"}
				b.Waits = append(b.Waits, model.Wait{Node: n.ID, Text: n.Gate.Asks, Since: tuitest.Ago(0)})
			}
			b.Nodes = append(b.Nodes, n)
		}
		return &model.Snapshot{Version: version, At: tuitest.Noon, Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}
	}
	u := user{t, newDashboard(plainOptions(), nil)}
	u.gets(tea.WindowSizeMsg{Width: 120, Height: 40})
	shows := func(statuses ...model.Status) user {
		u.gets(snapshotMsg{index: index.New(build(u.d.index.Snap.Version+1, statuses...), u.d.index)})
		return u
	}
	shows(model.Active, model.Pending, model.Pending).isOn("Part A")
	shows(model.Done, model.Active, model.Pending).isOn("Part B")
	shows(model.Done, model.Active, model.Waiting).isOn("Part C").sees("Is Part C good?")
	shows(model.Done, model.Active, model.Done).isOn("Part B")
	u.press("k").isOn("Part A")
	shows(model.Done, model.Active, model.Waiting).isOn("Part A")
}
