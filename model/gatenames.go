package model

import (
	"slices"
	"strings"
)

// NamedGate is a gate with a name that can be typed.
type NamedGate struct {
	Build *Build
	Node  *Node
	// Name is the shortest end of the node's ID that no other gate of the build has: "frame-gate", "02-UAT/3".
	Name string
}

// NamedGates returns the gates of the builds in their order, those of archived milestones left out.
func NamedGates(builds []*Build) []NamedGate {
	var all []NamedGate
	for _, b := range builds {
		var gates []*Node
		shared := map[string]int{} // how many gates have an end
		for _, n := range Walk(b.Nodes) {
			if n.Gate == nil || n.IsArchived() {
				continue
			}
			gates = append(gates, n)
			for _, end := range ends(n.ID) {
				shared[end]++
			}
		}
		for _, n := range gates {
			g := NamedGate{Build: b, Node: n, Name: n.ID}
			for _, end := range ends(n.ID) {
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

// ends returns the ends of an ID, the shortest first: of "gate/02/02-UAT.md/3" these are "3", "02-UAT/3", "02/02-UAT/3".
func ends(id string) []string {
	parts := strings.Split(strings.TrimPrefix(id, "gate/"), "/")
	for i := range parts {
		parts[i] = strings.TrimSuffix(parts[i], ".md")
	}
	all := make([]string, len(parts))
	for i := range parts {
		all[len(parts)-1-i] = strings.Join(parts[i:], "/")
	}
	return all
}

// FindGates returns the gates that a word means: those with this ID, else those whose ID ends so, else those with this
// title, in capitals or not.
func FindGates(gates []NamedGate, word string) []NamedGate {
	for _, means := range []func(NamedGate) bool{
		func(g NamedGate) bool { return g.Node.ID == word },
		func(g NamedGate) bool { return slices.Contains(ends(g.Node.ID), word) },
		func(g NamedGate) bool { return strings.EqualFold(g.Node.Title, word) },
	} {
		var found []NamedGate
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
