package model

import (
	"slices"

	"gatehouse/model/cycle"
)

// Graph holds the dependencies among the nodes of a list, by their DependsOn. Nodes are identified by their index in
// the list. All its methods take time in proportion to the nodes and their dependencies.
type Graph struct {
	Nodes []*Node
	// Needs are, for each node, the indexes of its dependencies, each once. Names in DependsOn without a node in the
	// list are ignored.
	Needs [][]int

	layers [][]int
	stuck  []int
}

// NewGraph returns the graph of a list of nodes. If several nodes have the same ID, the first one is used.
func NewGraph(nodes []*Node) *Graph {
	at := make(map[string]int, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		at[nodes[i].ID] = i
	}
	g := &Graph{Nodes: nodes, Needs: make([][]int, len(nodes))}
	noted := make([]int, len(nodes)) // the last node that was found to need each one, counted from 1
	for i, n := range nodes {
		for _, id := range n.DependsOn {
			if j, ok := at[id]; ok && noted[j] != i+1 {
				noted[j] = i + 1
				g.Needs[i] = append(g.Needs[i], j)
			}
		}
	}
	g.computeLayers()
	return g
}

// Layers returns the nodes in layers: each node depends only on nodes of earlier layers, and on at least one of the
// layer just before. stuck are the others, which depend on a cycle or are part of one.
func (g *Graph) Layers() (layers [][]int, stuck []int) { return g.layers, g.stuck }

// computeLayers computes the layers: first the nodes without dependencies, then those that depend only on them, and so on.
func (g *Graph) computeLayers() {
	missing := make([]int, len(g.Nodes))
	freed := make([][]int, len(g.Nodes)) // the nodes that need each node
	for i, needs := range g.Needs {
		for _, j := range needs {
			freed[j] = append(freed[j], i)
		}
	}
	order := make([]int, 0, len(g.Nodes)) // sorted; the layers are slices of it
	for i := range g.Nodes {
		if missing[i] = len(g.Needs[i]); missing[i] == 0 {
			order = append(order, i)
		}
	}
	for start := 0; start < len(order); {
		layer := order[start:len(order):len(order)]
		start = len(order)
		g.layers = append(g.layers, layer)
		for _, i := range layer {
			for _, j := range freed[i] {
				if missing[j]--; missing[j] == 0 {
					order = append(order, j)
				}
			}
		}
		slices.Sort(order[start:])
	}
	for i, m := range missing {
		if m > 0 {
			g.stuck = append(g.stuck, i)
		}
	}
}

// WaitsFor returns the unfinished dependencies of a node, in declaration order.
func (g *Graph) WaitsFor(i int) (open []int) {
	for _, j := range g.Needs[i] {
		if !g.Nodes[j].Status.Closed() {
			open = append(open, j)
		}
	}
	return open
}

// CriticalPath returns the longest chain of unfinished nodes, each needing the one before it: however many agents work in
// parallel, these have to be done one after the other. Of chains with equal length it is the one that comes first in the list. Cycles,
// which never end, are not part of it.
func (g *Graph) CriticalPath() []int {
	length := make([]int, len(g.Nodes))
	before := make([]int, len(g.Nodes))
	last := -1
	for _, layer := range g.layers {
		for _, i := range layer {
			before[i] = -1
			if g.Nodes[i].Status.Closed() {
				continue
			}
			length[i] = 1
			for _, j := range g.Needs[i] {
				if length[j] >= length[i] {
					length[i], before[i] = length[j]+1, j
				}
			}
			if last < 0 || length[i] > length[last] || length[i] == length[last] && i < last {
				last = i
			}
		}
	}
	var path []int
	for i := last; i >= 0; i = before[i] {
		path = append(path, i)
	}
	slices.Reverse(path)
	return path
}

// Circles returns the groups of nodes that need each other, and the nodes that need themselves, in the order of the list.
func (g *Graph) Circles() (circles [][]int) {
	if len(g.stuck) == 0 {
		return nil
	}
	return cycle.Cycles(cycle.Groups(g.Needs, func(int) bool { return true }))
}

// Around returns the path around a cycle returned by [Graph.Circles]: the shortest one that begins at the first of its nodes, each
// before the one that it needs.
func (g *Graph) Around(circle []int) []int { return cycle.Around(g.Needs, circle) }
