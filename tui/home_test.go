package tui

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// someProjects returns projects in three groups.
func someProjects() *model.Snapshot {
	snap := tuitest.Shop()
	waiting := snap.Projects[0]
	snap.Projects = nil
	for _, name := range []string{"anvil", "brook"} {
		p := *waiting
		p.Root, p.Name = "/"+name, name
		snap.Projects = append(snap.Projects, &p)
	}
	for name, status := range map[string]model.Status{"copse": model.Done, "drift": model.Active} {
		b := &model.Build{ID: "gsd", Protocol: "gsd", Status: status, File: "STATE.md", Nodes: []*model.Node{{ID: "p", Kind: model.KindPhase, Title: "P", Status: status}}}
		snap.Projects = append(snap.Projects, &model.Project{Root: "/" + name, Name: name, Builds: []*model.Build{b}})
	}
	return snap
}

// TestOldWaitsAreFolded: old waits are a single entry until it is opened.
func TestOldWaitsAreFolded(t *testing.T) {
	snap := tuitest.Shop()
	waits := snap.Projects[0].Builds[0].Waits
	waits[1].Standing.Status, waits[1].Since = model.Old, tuitest.Ago(30*tuitest.Day)
	old := waits[1].Text[:20]
	u := atKeyboard(t, snap, 200, 60)
	u.press("1", "G", "4").sees("1 old: untouched for long")
	if strings.Contains(u.screen(), old) {
		t.Errorf("%q is listed", old)
	}
	u.press("j", "enter").sees("1 old: untouched for long", old)
}

// TestOpensAtAFile: the dashboard opens with the plan of a given file selected, but selects it only once.
func TestOpensAtAFile(t *testing.T) {
	opts := plainOptions()
	opts.At = ".planning/phases/04/04.5-02-PLAN.md"
	u := facing(t, opts, tuitest.Shop(), 120, 40)
	if r, _ := u.d.tree.At(); r.ID() != "plan/04.5-02" {
		t.Errorf("it opens at %q", r.ID())
	}
	u.press("g").gets(snapshotMsg{index: index.New(tuitest.Shop(), u.d.index)})
	if r, _ := u.d.tree.At(); r.ID() != "" {
		t.Errorf("it went back to %q", r.ID())
	}
}

// TestOldWaitsDoNotAskForAttention: builds that were not touched for long do not ask for attention.
func TestOldWaitsDoNotAskForAttention(t *testing.T) {
	snap := tuitest.Shop()
	b := snap.Projects[0].Builds[0]
	b.Waits = b.Waits[:1]
	b.Waits[0].Standing.Status, b.Waits[0].Since = model.Old, tuitest.Ago(30*tuitest.Day)
	for _, width := range []int{45, 80, 120, 200} {
		u := atKeyboard(t, snap, width, 40)
		if top := strings.Join(strings.Split(u.screen(), "\n")[:3], "\n"); strings.Contains(top, "YOU") || !strings.Contains(top, "◆ old: ") && !strings.Contains(u.screen(), "▸ 1 old: untouched for long") {
			t.Errorf("%d columns:\n%s", width, top)
		}
	}
}
