package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
)

// TestGroups: projects are grouped by urgency, and waits are listed newest first, with old ones last.
func TestGroups(t *testing.T) {
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	project := func(name string, status model.Status, waits ...model.Wait) *model.Project {
		b := &model.Build{ID: "gsd", Status: status, Waits: waits}
		if status == model.Active {
			b.Nodes = []*model.Node{{ID: "a", Kind: model.KindPhase, Status: model.Active}}
		}
		return &model.Project{Root: "/" + name, Name: name, Builds: []*model.Build{b}}
	}
	wait := func(text string, ago time.Duration, old bool) model.Wait {
		w := model.Wait{Text: text, Since: noon.Add(-ago), Evidence: model.Asked}
		if old {
			w.Standing.Status = model.Old
		}
		return w
	}
	all := []*model.Project{
		project("done", model.Done), project("old", model.Pending, wait("old", 1000*time.Hour, true)), project("runs", model.Active),
		project("failed", model.Failed), project("yesterday", model.Waiting, wait("yesterday", 24*time.Hour, false)),
		project("now", model.Waiting, wait("earlier", 2*time.Hour, false), wait("now", time.Minute, false), model.Wait{Text: "ahead", Standing: model.Standing{Status: model.Upcoming}}),
		{Root: "/empty", Name: "empty"},
	}
	ix := New(&model.Snapshot{Version: 1, Projects: all}, nil)
	var rows []string
	for _, s := range ix.Sites {
		rows = append(rows, s.Name)
	}
	if got, want := strings.Join(rows, " "), "now yesterday failed runs old done empty"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var waits []string
	for _, w := range ix.Waits {
		waits = append(waits, w.Text)
	}
	if got, want := fmt.Sprint(waits), "[now earlier yesterday old ahead]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// Another wait begins: the projects keep their order, except for the one that needs attention now.
	next := slices.Clone(all)
	next[4] = project("yesterday", model.Waiting, wait("just now", 0, false))
	next[2] = project("runs", model.Waiting, wait("at last", time.Minute, false))
	ix = New(&model.Snapshot{Version: 2, Projects: next}, ix)
	rows = nil
	for _, s := range ix.Sites[:4] {
		rows = append(rows, s.Name)
	}
	if got, want := strings.Join(rows, " "), "now yesterday runs failed"; got != want {
		t.Errorf("then %s, want %s", got, want)
	}
}

// TestFinishedBuildsComeLast: the finished builds of a project come after those that wait.
func TestFinishedBuildsComeLast(t *testing.T) {
	p := &model.Project{Root: "/p", Name: "p"}
	for _, x := range []struct {
		id     string
		status model.Status
	}{{"kiro:done", model.Done}, {"kiro:waits", model.Waiting}, {"kiro:dropped", model.Skipped}, {"kiro:runs", model.Active}} {
		p.Builds = append(p.Builds, &model.Build{ID: x.id, Protocol: "kiro", Status: x.status})
	}
	var ids []string
	for _, s := range New(&model.Snapshot{Version: 1, Projects: []*model.Project{p}}, nil).Sites {
		ids = append(ids, s.Build.ID)
	}
	if got, want := strings.Join(ids, " "), "kiro:waits kiro:runs kiro:done kiro:dropped"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestNotesOfAFailureAreNoBlockers: the failed row already says it, and a row that is being retried is not blocked.
func TestNotesOfAFailureAreNoBlockers(t *testing.T) {
	for _, c := range []struct {
		status                   model.Status
		blocking, blockers, rows int
	}{{model.Failed, 0, 0, 0}, {model.Retrying, 0, 0, 0}, {model.Blocked, 1, 0, 1}, {model.Active, 1, 1, 0}} {
		b := &model.Build{ID: "ultraplan", Protocol: "ultraplan", Blockers: []model.Blocker{{Node: "plan", Text: "it saw none"}},
			Nodes: []*model.Node{{ID: "plan", Kind: model.KindPlan, Status: model.Active, Children: []*model.Node{{ID: "gate", Kind: model.KindGate, Status: c.status}}}}}
		ix := New(&model.Snapshot{Version: 1, Projects: []*model.Project{{Root: "/p", Builds: []*model.Build{b}}}}, nil)
		if s := ix.Sums; s.Blocking != c.blocking || s.Blockers != c.blockers || s.Blocked != c.rows || ix.Blockers()[0].Concern != (c.blocking == 0) || (ix.projects["/p"].rank == rankBlocked) != (c.blocking > 0) {
			t.Errorf("%s: %+v, %+v", c.status, s, ix.Blockers())
		}
	}
}
