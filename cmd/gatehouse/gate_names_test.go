package main

import (
	"fmt"
	"slices"
	"testing"

	"gatehouse/model"
)

// buildWithGates returns a build with gates of these IDs; "ID=title" sets a title.
func buildWithGates(id string, ids ...string) *model.Build {
	b := &model.Build{ID: id}
	for _, id := range ids {
		b.Nodes = append(b.Nodes, &model.Node{ID: id, Title: "Title of " + id, Gate: &model.Gate{}})
	}
	return b
}

func TestGateNamesAreShort(t *testing.T) {
	b := buildWithGates("gsd", "gate/frame-gate", "gate/02/02-UAT.md", "gate/02/02-UAT.md/1", "gate/02/02-UAT.md/2", "gate/03/UAT.md/1", "gate/04/UAT.md/1", "gate/handoff/1", "gate/waiting", "task/01/01-01/3", "gate/05.1")
	b.Nodes = append(b.Nodes, &model.Node{ID: "phase/waiting"}, &model.Node{ID: "gate/old", Gate: &model.Gate{}, Standing: model.Standing{Status: model.Archived}})
	var got []string
	for _, g := range nameGates([]*model.Build{b}) {
		got = append(got, g.Name)
	}
	want := []string{"frame-gate", "02-UAT", "02-UAT/1", "02-UAT/2", "03/UAT/1", "04/UAT/1", "handoff/1", "waiting", "01-01/3", "gate/05.1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFindGates(t *testing.T) {
	all := nameGates([]*model.Build{buildWithGates("loop:a", "gate/frame-gate", "gate/ship/gate"), buildWithGates("loop:b", "gate/frame-gate", "gate/03/UAT.md/1", "gate/04/UAT.md/1")})
	for word, want := range map[string]string{
		"frame-gate":                "[loop:a gate/frame-gate loop:b gate/frame-gate]",
		"gate/frame-gate":           "[loop:a gate/frame-gate loop:b gate/frame-gate]",
		"ship/gate":                 "[loop:a gate/ship/gate]",
		"gate":                      "[loop:a gate/ship/gate]",
		"UAT/1":                     "[loop:b gate/03/UAT.md/1 loop:b gate/04/UAT.md/1]",
		"03/UAT/1":                  "[loop:b gate/03/UAT.md/1]",
		"title of GATE/03/uat.MD/1": "[loop:b gate/03/UAT.md/1]",
		"frame":                     "[]",
		"":                          "[]",
	} {
		var got []string
		for _, g := range findGates(all, word) {
			got = append(got, g.Build.ID, g.Node.ID)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%q: %v, want %s", word, got, want)
		}
	}
}
