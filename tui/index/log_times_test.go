package index

import (
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

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
