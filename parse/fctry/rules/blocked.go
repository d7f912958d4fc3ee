// What the chunks of a run that can't begin hang on: others that failed or are not done, IDs that no chunk has, and circles of
// chunks that need each other.

package rules

import (
	"slices"

	"gatehouse/model/line"
)

// Circle is a group of chunks that need each other, or one that needs itself, none of them begun: none of them ever can be.
type Circle struct {
	Chunks []int // places, in the order of the list
	Way    []int // the shortest way around from the first, each before the one that it needs
}

// blockedOn fills in what the chunks that are held hang on, each once.
func (r *Run) blockedOn(s *Standing, at map[string]int, held []bool) {
	needs := r.heldNeeds(at, held)
	of := make([]int, len(held)) // the circle that a chunk is part of, counted from 1
	for k, chunks := range circles(held, needs) {
		for _, i := range chunks {
			of[i] = k + 1
		}
		s.Circles = append(s.Circles, Circle{Chunks: chunks, Way: around(chunks[0], of, k+1, needs)})
	}
	named, told := make(map[string]bool), make([]bool, len(s.Circles)+1)
	for i := range held {
		if !held[i] {
			continue
		}
		some := false
		r.unmet(&r.Chunks[i], at, func(id string, j int) bool {
			some = true
			if named[id] {
				return false
			}
			named[id] = true
			switch {
			case j < 0 || !held[j]:
				s.BlockedOn = append(s.BlockedOn, line.FctryCause{IDs: []string{id}, Missing: j < 0})
			case of[j] > 0 && !told[of[j]]:
				told[of[j]] = true
				s.BlockedOn = append(s.BlockedOn, line.FctryCause{IDs: r.ids(s.Circles[of[j]-1].Way), Circle: true})
			}
			return false
		})
		if id := r.Chunks[i].ID; !some && !named[id] {
			named[id] = true // it says that it is blocked, and not by what
			s.BlockedOn = append(s.BlockedOn, line.FctryCause{IDs: []string{id}})
		}
	}
}

// ids returns the IDs of the chunks at some places.
func (r *Run) ids(places []int) (ids []string) {
	for _, i := range places {
		ids = append(ids, r.Chunks[i].ID)
	}
	return ids
}

// heldNeeds returns, for each chunk that is held, which others of those it needs.
func (r *Run) heldNeeds(at map[string]int, held []bool) [][]int {
	needs := make([][]int, len(held))
	for i := range held {
		if !held[i] {
			continue
		}
		r.unmet(&r.Chunks[i], at, func(_ string, j int) bool {
			if j >= 0 && held[j] {
				needs[i] = append(needs[i], j)
			}
			return false
		})
	}
	return needs
}

// circles returns the groups of the chunks in question that need each other, or themselves, in the order of the list.
func circles(in []bool, needs [][]int) (all [][]int) {
	// Tarjan's way to strongly connected components, with a list of its own in the place of calls: a file may have any depth.
	type visit struct{ chunk, next int } // the next of the chunk's needs to go to
	var on []int
	var way []visit
	number, low, open, count := make([]int, len(in)), make([]int, len(in)), make([]bool, len(in)), 0
	begin := func(i int) {
		count++
		number[i], low[i], open[i] = count, count, true
		on, way = append(on, i), append(way, visit{chunk: i})
	}
	for start := range in {
		if in[start] && number[start] == 0 {
			begin(start)
		}
		for len(way) > 0 {
			v := &way[len(way)-1]
			i := v.chunk
			if v.next < len(needs[i]) {
				j := needs[i][v.next]
				v.next++
				switch {
				case !in[j]:
				case number[j] == 0:
					begin(j)
				case open[j]:
					low[i] = min(low[i], number[j])
				}
				continue
			}
			way = way[:len(way)-1]
			if len(way) > 0 {
				above := way[len(way)-1].chunk
				low[above] = min(low[above], low[i])
			}
			if low[i] != number[i] {
				continue
			}
			at := len(on) - 1
			for on[at] != i {
				at--
			}
			group := slices.Clone(on[at:])
			on = on[:at]
			for _, j := range group {
				open[j] = false
			}
			if len(group) > 1 || slices.Contains(needs[i], i) {
				slices.Sort(group)
				all = append(all, group)
			}
		}
	}
	slices.SortFunc(all, func(a, b []int) int { return a[0] - b[0] })
	return all
}

// around returns the shortest way around a circle from its first chunk, each before the one that it needs. of tells which circle
// each chunk is part of, and number is this one's.
func around(start int, of []int, number int, needs [][]int) (way []int) {
	before := map[int]int{}
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
			if _, come := before[j]; of[j] == number && !come {
				before[j] = i
				next = append(next, j)
			}
		}
	}
	return nil
}
