package index

import (
	"testing"
	"time"

	"gatehouse/model"
)

func TestCompareBuildsWithoutChange(t *testing.T) {
	tree := func() *model.Build {
		return &model.Build{Nodes: []*model.Node{{ID: "p1", Kind: model.KindPhase, Children: []*model.Node{{ID: "a", Kind: model.KindPlan}}}, {ID: "t", Kind: model.KindTask}}}
	}
	b, turn := tree(), tree()
	turn.Nodes = append(turn.Nodes, &model.Node{ID: "ask/a", Kind: model.KindGate, Status: model.Waiting, Gate: &model.Gate{Ask: &model.Ask{Kind: model.AskTurn}}})
	for name, pair := range map[string][2]*model.Build{
		"nothing before": {nil, b}, "nothing after": {b, nil}, "the same": {b, tree()},
		"a finished turn is a change of its session": {tree(), turn}, "and so is its end": {turn, tree()},
	} {
		if got := compareBuilds(pair[0], pair[1], time.Time{}); len(got) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
