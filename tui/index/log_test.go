package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

func TestTheLogIsBounded(t *testing.T) {
	ix := New(tuitest.Forest(400), nil)
	for i := range 8 {
		snap := tuitest.Forest(400)
		for j, n := range snap.Projects[0].Builds[0].OfKind(model.KindPlan) {
			n.Status = model.Statuses()[(i+j)%9]
			n.Children = []*model.Node{{ID: n.ID + "/task", Kind: model.KindTask, Title: "A task", Status: n.Status}}
		}
		snap.Version = uint64(i + 2)
		ix = New(snap, ix)
	}
	if len(ix.Log) != logLimit || ix.seq <= logLimit || ix.Log[logLimit-1].Seq != ix.seq {
		t.Errorf("%d events kept, the newest is %d of %d", len(ix.Log), ix.Log[len(ix.Log)-1].Seq, ix.seq)
	}
	if slices.ContainsFunc(ix.Log, func(m Moment) bool { return m.Kind == model.KindTask }) {
		t.Error("the tasks of plans that changed are listed too")
	}
	var s Seen
	s.Update(ix)
	if s.Count == 0 || s.Count > logLimit {
		t.Errorf("%d marks", s.Count)
	}
}

func TestLogIsBoundedInBytes(t *testing.T) {
	long := strings.Repeat("é", 1<<16)
	snapshot := func(i int) *model.Snapshot {
		n := &model.Node{ID: fmt.Sprint("plan/", i, long), Kind: model.KindPlan, Title: fmt.Sprint(i, long), Status: model.Active, Raw: long}
		return &model.Snapshot{Version: uint64(i + 1), At: tuitest.Noon, Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{{ID: "gsd", Nodes: []*model.Node{n}}}}}}
	}
	var ix *Index
	for i := range 2 * logLimit {
		ix = New(snapshot(i), ix)
	}
	for i := range ix.Log {
		e := &ix.Log[i]
		if !strings.HasPrefix(e.What, "Plan ") || len(e.What) > eventText || strings.ContainsRune(e.What, 0xFFFD) || e.Where != (Place{Project: "/p", Build: "gsd", Node: ""}) {
			t.Fatalf("number %d is of %+v: %.20q", i, e.Where, e.What)
		}
	}
	if len(ix.Log) != logLimit || ix.Log[logLimit-1].Seq != ix.seq {
		t.Errorf("%d events are kept", len(ix.Log))
	}
}

func TestSeenChangesAreBounded(t *testing.T) {
	var ix *Index
	var s Seen
	for i := range 3 * logLimit {
		id := fmt.Sprint("plan/", i)
		b := &model.Build{ID: "gsd", Nodes: []*model.Node{{ID: id, Kind: model.KindPlan, Title: "Plan", Status: model.Active}}}
		ix = New(&model.Snapshot{Version: uint64(i + 1), Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}, ix)
		s.Update(ix)
		if at := (Place{Project: "/p", Build: "gsd", Node: id}); i > 0 && !s.Visit(ix, at) {
			t.Fatalf("%v is not marked", at)
		}
	}
	if n := len(s.visited); n > logLimit {
		t.Errorf("that %d places were looked at is remembered", n)
	}
}
