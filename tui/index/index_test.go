package index

import (
	"testing"

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
