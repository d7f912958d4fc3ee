// Package cycle finds dependency cycles: groups of nodes that depend on each other. The prompt links it.
package cycle

import "slices"

// Group is a group of nodes. Each depends on all others, directly or indirectly.
type Group struct {
	Nodes   []int // in ascending order
	IsCycle bool  // false for a single node that does not need itself
}

// Groups returns the groups of the nodes that isIn selects, by Tarjan's algorithm: each behind those that it needs. needs are the nodes
// that each node needs. The depth of the recursion is bounded by the number of nodes.
func Groups(needs [][]int, isIn func(int) bool) []Group {
	f := finder{needs: needs, isIn: isIn, number: make([]int, len(needs)), low: make([]int, len(needs)), isOpen: make([]bool, len(needs))}
	for i := range needs {
		if isIn(i) && f.number[i] == 0 {
			f.visit(i)
		}
	}
	return f.groups
}

type finder struct {
	needs       [][]int
	isIn        func(int) bool
	count       int
	number, low []int
	isOpen      []bool
	stack       []int
	groups      []Group
}

func (f *finder) visit(i int) {
	f.count++
	f.number[i], f.low[i], f.isOpen[i] = f.count, f.count, true
	f.stack = append(f.stack, i)
	for _, j := range f.needs[i] {
		switch {
		case !f.isIn(j):
		case f.number[j] == 0:
			f.visit(j)
			f.low[i] = min(f.low[i], f.low[j])
		case f.isOpen[j]:
			f.low[i] = min(f.low[i], f.number[j])
		}
	}
	if f.low[i] < f.number[i] {
		return
	}
	start := len(f.stack)
	for f.isOpen[i] {
		start--
		f.isOpen[f.stack[start]] = false
	}
	nodes := slices.Clone(f.stack[start:])
	f.stack = f.stack[:start]
	slices.Sort(nodes)
	f.groups = append(f.groups, Group{nodes, len(nodes) > 1 || slices.Contains(f.needs[i], i)})
}

// Cycles returns the groups that are cycles, in the order of their first nodes.
func Cycles(groups []Group) (cycles [][]int) {
	for _, g := range groups {
		if g.IsCycle {
			cycles = append(cycles, g.Nodes)
		}
	}
	slices.SortFunc(cycles, func(a, b []int) int { return a[0] - b[0] })
	return cycles
}

// Around returns the shortest way around a cycle from its first node, each node before the one that it needs.
func Around(needs [][]int, nodes []int) (way []int) {
	start, before := nodes[0], map[int]int{}
	for _, i := range nodes {
		before[i] = -1
	}
	for next := []int{start}; len(next) > 0; next = next[1:] {
		i := next[0]
		for _, j := range needs[i] {
			if j == start {
				for ; i != start; i = before[i] {
					way = append(way, i)
				}
				way = append(way, start)
				slices.Reverse(way)
				return way
			}
			if from, isIn := before[j]; isIn && from < 0 {
				before[j] = i
				next = append(next, j)
			}
		}
	}
	return nodes
}
