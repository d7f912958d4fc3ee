package main

// The names of gates, as commands take them.

import (
	"slices"
	"strings"

	"gatehouse/model"
)

// namedGate is a gate with a name that can be typed.
type namedGate struct {
	Build *model.Build
	Node  *model.Node
	// Name is the shortest end of the node's ID that no other gate of the build has: "frame-gate", "02-UAT/3".
	Name string
}

// nameGates returns the gates of the builds in their order, without archived milestones.
func nameGates(builds []*model.Build) []namedGate {
	var all []namedGate
	for _, b := range builds {
		var gates []*model.Node
		shared := map[string]int{} // how many gates have an end
		for _, n := range model.Walk(b.Nodes) {
			if n.Gate == nil || n.IsArchived() {
				continue
			}
			gates = append(gates, n)
			for _, end := range idEnds(n.ID) {
				shared[end]++
			}
		}
		for _, n := range gates {
			g := namedGate{Build: b, Node: n, Name: n.ID}
			for _, end := range idEnds(n.ID) {
				if shared[end] == 1 && strings.Trim(end, "0123456789.") != "" { // a number alone says nothing
					g.Name = end
					break
				}
			}
			all = append(all, g)
		}
	}
	return all
}

// idEnds returns the ends of an ID, the shortest first: of "gate/02/02-UAT.md/3" these are "3", "02-UAT/3", "02/02-UAT/3". The gate of a
// task has the name of the task: "02-01/3" of "task/02-quay/02-01/3/gate".
func idEnds(id string) []string {
	name, isGate := strings.CutPrefix(id, "gate/")
	if !isGate {
		name = strings.TrimSuffix(name, "/gate")
	}
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = strings.TrimSuffix(parts[i], ".md")
	}
	all := make([]string, len(parts))
	for i := range parts {
		all[len(parts)-1-i] = strings.Join(parts[i:], "/")
	}
	return all
}

// findGates returns the gates that a word means: those with this ID, else those whose name or ID ends so, else
// those with this title, in capitals or not.
func findGates(gates []namedGate, word string) []namedGate {
	for _, means := range []func(namedGate) bool{
		func(g namedGate) bool { return g.Node.ID == word },
		func(g namedGate) bool { return slices.Contains(idEnds(g.Node.ID), word) },
		func(g namedGate) bool { return strings.HasSuffix(g.Node.ID, "/"+word) },
		func(g namedGate) bool { return strings.EqualFold(g.Node.Title, word) },
	} {
		var found []namedGate
		for _, g := range gates {
			if means(g) {
				found = append(found, g)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}
