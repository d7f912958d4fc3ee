package index

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

// TestUnchangedProjectsAreReused checks that the prepared form of a project is reused for the next snapshot.
func TestUnchangedProjectsAreReused(t *testing.T) {
	snap := tuitest.ManyProjects(5)
	first := New(snap, nil)
	next := New(tuitest.WithAnother(snap, 2), first)
	for _, p := range snap.Projects {
		again := first.projects[p.Root] == next.projects[p.Root]
		if changed := p.Root == "/src/p00002"; again == changed {
			t.Errorf("%s: as it was: %v", p.Root, again)
		}
	}
	if len(first.Sites) != 5 || first.Sums != next.Sums || len(first.Waits) != len(next.Waits) {
		t.Errorf("%+v, then %+v", first.Sums, next.Sums)
	}
}

// TestProjectsAreOrderedByUrgency lists projects in an order that may survive only among equals.
func TestProjectsAreOrderedByUrgency(t *testing.T) {
	build := func(s model.Status, waits ...model.Wait) *model.Build { return &model.Build{Status: s, Waits: waits} }
	certain := model.Wait{Evidence: model.Tested}
	snap := &model.Snapshot{Version: 1}
	for _, p := range []*model.Project{
		{Name: "empty"},
		{Name: "done", Builds: []*model.Build{build(model.Done)}},
		{Name: "active", Builds: []*model.Build{build(model.Active)}},
		{Name: "blocked", Builds: []*model.Build{build(model.Active), build(model.Blocked)}},
		{Name: "waits", Builds: []*model.Build{build(model.Done), build(model.Done, certain)}},
		{Name: "failed", Builds: []*model.Build{build(model.Failed)}},
		{Name: "empty too"},
	} {
		p.Root = p.Name
		snap.Projects = append(snap.Projects, p)
	}
	var got []string
	for _, s := range New(snap, nil).Sites {
		if len(got) == 0 || got[len(got)-1] != s.Project.Name {
			got = append(got, s.Project.Name)
		}
	}
	if want := "waits blocked failed active done empty empty too"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}
