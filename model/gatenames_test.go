package model

import (
	"fmt"
	"slices"
	"testing"
)

// gates returns a build with gates of these IDs; "ID=title" gives one a title.
func gates(id string, ids ...string) *Build {
	b := &Build{ID: id}
	for _, id := range ids {
		b.Nodes = append(b.Nodes, &Node{ID: id, Title: "Title of " + id, Gate: &Gate{}})
	}
	return b
}

func TestGatesHaveShortNames(t *testing.T) {
	b := gates("gsd", "gate/frame-gate", "gate/02/02-UAT.md", "gate/02/02-UAT.md/1", "gate/02/02-UAT.md/2", "gate/03/UAT.md/1", "gate/04/UAT.md/1", "gate/handoff/1", "gate/waiting", "task/01/01-01/3", "gate/05.1")
	b.Nodes = append(b.Nodes, &Node{ID: "phase/waiting"}, &Node{ID: "gate/old", Gate: &Gate{}, Standing: Standing{Status: Archived}})
	var got []string
	for _, g := range NamedGates([]*Build{b}) {
		got = append(got, g.Name)
	}
	want := []string{"frame-gate", "02-UAT", "02-UAT/1", "02-UAT/2", "03/UAT/1", "04/UAT/1", "handoff/1", "waiting", "01-01/3", "gate/05.1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestGatesAreFound(t *testing.T) {
	all := NamedGates([]*Build{gates("loop:a", "gate/frame-gate", "gate/ship/gate"), gates("loop:b", "gate/frame-gate", "gate/03/UAT.md/1", "gate/04/UAT.md/1")})
	for word, want := range map[string]string{
		"frame-gate":                "[loop:a gate/frame-gate loop:b gate/frame-gate]",
		"gate/frame-gate":           "[loop:a gate/frame-gate loop:b gate/frame-gate]",
		"ship/gate":                 "[loop:a gate/ship/gate]",
		"UAT/1":                     "[loop:b gate/03/UAT.md/1 loop:b gate/04/UAT.md/1]",
		"03/UAT/1":                  "[loop:b gate/03/UAT.md/1]",
		"title of GATE/03/uat.MD/1": "[loop:b gate/03/UAT.md/1]",
		"frame":                     "[]",
		"":                          "[]",
	} {
		var got []string
		for _, g := range FindGates(all, word) {
			got = append(got, g.Build.ID, g.Node.ID)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%q: %v, want %s", word, got, want)
		}
	}
}
