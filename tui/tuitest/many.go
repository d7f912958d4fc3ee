package tuitest

// Large builds and many projects.

import (
	"fmt"
	"slices"
	"time"

	"gatehouse/model"
)

// ManyProjects returns a snapshot of n projects with a small build each.
func ManyProjects(n int) *model.Snapshot {
	snap := &model.Snapshot{Version: 1, At: Noon}
	for i := range n {
		snap.Projects = append(snap.Projects, smallProject(i))
	}
	return snap
}

// smallProject returns a project of one phase with a plan; every fourth has a gate.
func smallProject(i int) *model.Project {
	name := fmt.Sprintf("p%05d", i)
	ph := Phase("01", "One", model.Active, "executing", 0, 1, time.Hour, plan("01-01", "Do", model.Active, "", time.Hour))
	b := &model.Build{ID: "gsd", Protocol: "gsd", Title: "v1", Status: model.Active, Nodes: []*model.Node{ph}, File: ".planning/STATE.md",
		Activity: []model.Activity{{At: Ago(time.Duration(i) * time.Second), Family: model.FamilyTools, Kind: "tool-call", Text: name}}}
	if i%4 == 0 {
		b.Nodes = append(b.Nodes, &model.Node{ID: "gate/g", Kind: model.KindGate, Title: "gate", Status: model.Waiting, Gate: &model.Gate{Asks: "well?"}})
		b.Waits = []model.Wait{{Node: "gate/g", Text: "well?", Evidence: model.Reached, Since: Ago(time.Duration(i) * time.Minute)}}
	}
	return &model.Project{Root: "/src/" + name, Name: name, Builds: []*model.Build{b}}
}

// WithAnother returns the snapshot that follows when one of the projects is read again.
func WithAnother(snap *model.Snapshot, i int) *model.Snapshot {
	next := &model.Snapshot{Version: snap.Version + 1, At: snap.At, Projects: slices.Clone(snap.Projects)}
	next.Projects[i] = smallProject(i)
	return next
}

// Forest returns a build with n plans in phases of a hundred.
func Forest(n int) *model.Snapshot {
	root := &model.Node{ID: "milestone/v1", Kind: model.KindMilestone, Number: "v1", Title: "Forest", Status: model.Active}
	for i := range n {
		if i%100 == 0 {
			root.Children = append(root.Children, Phase(fmt.Sprintf("%03d", i/100), "Grove", model.Active, "Executing", 40, 100, time.Hour))
		}
		p := root.Children[len(root.Children)-1]
		p.Children = append(p.Children, plan(fmt.Sprintf("%03d-%02d", i/100, i%100), "A tree of some kind", model.Statuses()[i%9], "", time.Duration(i)*time.Minute))
	}
	return &model.Snapshot{Version: 1, At: Noon, Projects: []*model.Project{{Root: "/src/forest", Name: "forest", Builds: []*model.Build{{
		ID: "gsd", Title: "v1 Forest", Status: model.Active, Nodes: []*model.Node{root}, File: "STATE.md",
		Progress: model.Progress{Known: true, Percent: 40}, Freshness: model.Freshness{Changed: Noon},
	}}}}}
}
