package graph

// A part of a graph: the surroundings of a node, for graphs of thousands.

import (
	"slices"
	"strconv"

	"gatehouse/model"
)

const (
	// nearSteps is the maximum distance of a node that is shown around another one, and mostNear the number of shown nodes, the
	// nearest first.
	nearSteps = 3
	mostNear  = 60
)

// Near returns the part of a graph around a node: its needs, the nodes that need it, and so on for some steps.
func (p *Plan) Near(id string) *Plan {
	start, ok := p.at[id]
	if !ok {
		return p
	}
	steps := map[int]int{start: 0}
	found := []int{start}
	for k := 0; k < len(found) && len(found) < mostNear; k++ {
		i := found[k]
		if steps[i] == nearSteps {
			break
		}
		for _, beside := range [][]int{p.Needs[i], p.needed[i]} {
			for _, j := range beside {
				if _, come := steps[j]; !come && len(found) < mostNear {
					steps[j] = steps[i] + 1
					found = append(found, j)
				}
			}
		}
	}
	slices.Sort(found)
	nodes := make([]*model.Node, len(found))
	for k, i := range found {
		nodes[k] = p.nodes[i]
	}
	part := newPlan(nodes)
	part.of, part.old = p, p.old
	part.notes = []note{{model.Unknown, "around " + nameOf(p.nodes[start]) + ": " + strconv.Itoa(len(nodes)) + " of " + strconv.Itoa(len(p.nodes)) + "; space shows all"}}
	part.notes = append(part.notes, p.notes...)
	return part
}

// coversNeighbors reports whether a part of a graph shows all that a node needs and all that needs it, as far as there is room.
func (p *Plan) coversNeighbors(id string) bool {
	i, ok := p.of.at[id]
	if !ok || !p.Has(id) {
		return false
	}
	if len(p.of.Needs[i])+len(p.of.needed[i]) >= mostNear {
		return true
	}
	for _, beside := range [][]int{p.of.Needs[i], p.of.needed[i]} {
		for _, j := range beside {
			if !p.Has(p.of.nodes[j].ID) {
				return false
			}
		}
	}
	return true
}
