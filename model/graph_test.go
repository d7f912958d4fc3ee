package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// chunksOf makes chunks from rows such as "c: a b": an ID, and the IDs it needs. A "+" after the ID marks it as done.
func chunksOf(rows ...[]string) (nodes []*Node) {
	for _, row := range rows {
		n := &Node{ID: row[0], Kind: KindChunk, Status: Pending, DependsOn: row[1:]}
		if last := len(n.ID) - 1; n.ID[last] == '+' {
			n.ID, n.Status = n.ID[:last], Done
		}
		nodes = append(nodes, n)
	}
	return nodes
}

func TestGraph(t *testing.T) {
	type rows = [][]string
	for _, c := range []struct {
		name                             string
		rows                             rows
		layers, stuck, critical, circles string
	}{
		{"nothing", nil, "[]", "[]", "[]", "[]"},
		{"no edges", rows{{"a"}, {"b"}}, "[[0 1]]", "[]", "[0]", "[]"},
		{"a chain", rows{{"a+"}, {"b", "a"}, {"c", "b"}}, "[[0] [1] [2]]", "[]", "[1 2]", "[]"},
		{"a diamond", rows{{"a"}, {"b", "a"}, {"c", "a"}, {"d", "b", "c"}}, "[[0] [1 2] [3]]", "[]", "[0 1 3]", "[]"},
		{"backwards", rows{{"c", "b"}, {"b", "a"}, {"a"}}, "[[2] [1] [0]]", "[]", "[2 1 0]", "[]"},
		{"named twice", rows{{"a+"}, {"b", "a", "a"}}, "[[0] [1]]", "[]", "[1]", "[]"},
		{"what is not there", rows{{"a", "z"}}, "[[0]]", "[]", "[0]", "[]"},
		{"two of one ID", rows{{"a+"}, {"a"}, {"b", "a"}}, "[[0 1] [2]]", "[]", "[1]", "[]"},
		{"itself", rows{{"a", "a"}, {"b", "a"}}, "[]", "[0 1]", "[]", "[[0]]"},
		{"a circle", rows{{"x+"}, {"a", "c"}, {"b", "a", "x"}, {"c", "b"}, {"d", "c"}}, "[[0]]", "[1 2 3 4]", "[]", "[[1 2 3]]"},
		{"two circles", rows{{"a", "b"}, {"b", "a"}, {"c", "d", "a"}, {"d", "c"}}, "[]", "[0 1 2 3]", "[]", "[[0 1] [2 3]]"},
	} {
		g := NewGraph(chunksOf(c.rows...))
		layers, stuck := g.Layers()
		for _, x := range []struct{ what, got, want string }{
			{"layers", fmt.Sprint(layers), c.layers}, {"stuck", fmt.Sprint(stuck), c.stuck},
			{"critical", fmt.Sprint(g.CriticalPath()), c.critical}, {"circles", fmt.Sprint(g.Circles()), c.circles},
		} {
			if x.got != x.want {
				t.Errorf("%s: %s %s, want %s", c.name, x.what, x.got, x.want)
			}
		}
	}
}

// TestGraphInvariants checks random graphs for what holds for every graph.
func TestGraphInvariants(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		nodes := make([]*Node, r.IntN(30))
		for i := range nodes {
			nodes[i] = &Node{ID: fmt.Sprint(i), Status: []Status{Pending, Done, Active, Failed}[r.IntN(4)]}
			for range r.IntN(3) {
				nodes[i].DependsOn = append(nodes[i].DependsOn, fmt.Sprint(r.IntN(len(nodes)+2)))
			}
		}
		g := NewGraph(nodes)
		layers, stuck := g.Layers()
		depth, seen := map[int]int{}, len(stuck)
		for d, layer := range layers {
			for _, i := range layer {
				depth[i] = d
				seen++
			}
		}
		if seen != len(nodes) {
			t.Fatalf("%d: %d of %d nodes are somewhere", seed, seen, len(nodes))
		}
		for i, d := range depth {
			deepest := -1
			for _, j := range g.Needs[i] {
				if _, ok := depth[j]; !ok {
					t.Fatalf("%d: %d needs %d, which is stuck", seed, i, j)
				}
				deepest = max(deepest, depth[j])
			}
			if deepest != d-1 {
				t.Fatalf("%d: %d is in layer %d, what it needs in %d", seed, i, d, deepest)
			}
		}
		if circles := g.Circles(); (len(circles) > 0) != (len(stuck) > 0) {
			t.Fatalf("%d: circles %v, stuck %v", seed, circles, stuck)
		}
		path := g.CriticalPath()
		for k, i := range path {
			if nodes[i].Status.Closed() || k > 0 && !slices.Contains(g.Needs[i], path[k-1]) {
				t.Fatalf("%d: %v is no chain of open nodes", seed, path)
			}
		}
	}
}

// wideGraph returns n chunks, each of which needs up to three earlier ones.
func wideGraph(n int) []*Node {
	r := rand.New(rand.NewPCG(1, 2))
	nodes := make([]*Node, n)
	for i := range nodes {
		nodes[i] = &Node{ID: fmt.Sprint(i), Status: Pending}
		for range min(i, 3) {
			nodes[i].DependsOn = append(nodes[i].DependsOn, fmt.Sprint(r.IntN(i)))
		}
	}
	return nodes
}

func BenchmarkGraph(b *testing.B) {
	nodes := wideGraph(2000)
	for b.Loop() {
		g := NewGraph(nodes)
		g.Layers()
		g.CriticalPath()
		g.Circles()
	}
}

func at(second int) time.Time { return time.Unix(int64(second), 0) }
