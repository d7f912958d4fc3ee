package index

import (
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

// TestSharedDeliverableIsLoggedOnce: a deliverable named by a phase and by its gate is one file, and its creation is one event.
func TestSharedDeliverableIsLoggedOnce(t *testing.T) {
	made := func(version uint64, status model.Status) *model.Snapshot {
		file := func(id, name string) *model.Node {
			return &model.Node{ID: id, Kind: model.KindDeliverable, Title: name, Status: status, Artifacts: []model.Artifact{{Name: name, File: name, Exists: status == model.Done}}}
		}
		b := &model.Build{ID: "loop", Protocol: "loop", Status: model.Active, Nodes: []*model.Node{
			{ID: "phase/B", Kind: model.KindPhase, Title: "B", Status: model.Active, Children: []*model.Node{file("phase/B/deliverable/1", "B.md"), file("phase/B/deliverable/2", "C.md")}},
			{ID: "gate/b", Kind: model.KindGate, Title: "b", Status: model.Pending, Children: []*model.Node{file("gate/b/deliverable/1", "B.md")}},
		}}
		return &model.Snapshot{Version: version, At: tuitest.Noon.Add(time.Duration(version) * time.Second), Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}
	}
	ix := New(made(2, model.Done), New(made(1, model.Pending), nil))
	var logged []string
	for _, e := range ix.Log {
		logged = append(logged, e.What+" "+e.Text)
	}
	if len(logged) != 2 || logged[0] != "B.md pending → done" || logged[1] != "C.md pending → done" {
		t.Errorf("it tells %q", logged)
	}
}

// TestTimesOfFilesAreNotLogged: earlier work of a build is listed at the times that its files name, and not at the modification times of
// the files, which a checkout sets.
func TestTimesOfFilesAreNotLogged(t *testing.T) {
	b := &model.Build{ID: "gsd", Protocol: "gsd", Status: model.Active, Nodes: []*model.Node{
		{ID: "plan/1", Kind: model.KindPlan, Title: "said", Status: model.Done, Updated: tuitest.Noon, Since: tuitest.Noon.Add(-time.Hour)},
		{ID: "plan/2", Kind: model.KindPlan, Title: "by its file", Status: model.Done, Updated: tuitest.Noon, Since: tuitest.Noon, SinceFile: true},
		{ID: "plan/3", Kind: model.KindPlan, Title: "unsaid", Status: model.Done, Updated: tuitest.Noon},
	}}
	ix := New(&model.Snapshot{Version: 1, At: tuitest.Noon, Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}, nil)
	if len(ix.Log) != 1 || ix.Log[0].What != "Plan said" || !ix.Log[0].At.Equal(tuitest.Noon.Add(-time.Hour)) {
		t.Errorf("it tells %+v", ix.Log)
	}
}
