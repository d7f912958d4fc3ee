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
	needs, needed := r.heldNeeds(at, held)
	between := knots(held, needs, needed)
	of := make([]int, len(held)) // the circle that a chunk is part of, counted from 1
	for i := range held {
		if between[i] && of[i] == 0 {
			if c := circleAt(i, between, needs, needed); c.Way != nil {
				s.Circles = append(s.Circles, c)
				for _, j := range c.Chunks {
					of[j] = len(s.Circles)
				}
			}
		}
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

// heldNeeds returns, for each chunk that is held, which others of those it needs, and by which it is needed.
func (r *Run) heldNeeds(at map[string]int, held []bool) (needs, needed [][]int) {
	needs, needed = make([][]int, len(held)), make([][]int, len(held))
	for i := range held {
		if !held[i] {
			continue
		}
		r.unmet(&r.Chunks[i], at, func(_ string, j int) bool {
			if j >= 0 && held[j] {
				needs[i], needed[j] = append(needs[i], j), append(needed[j], i)
			}
			return false
		})
	}
	return needs, needed
}

// knots returns which of the chunks that are held need themselves, by a circle of others or without, or stand between two
// such circles: what is left when all are taken away that need no other, and then all that no other needs.
func knots(held []bool, needs, needed [][]int) (in []bool) {
	in = slices.Clone(held)
	peel := func(on, back [][]int) {
		count := make([]int, len(held))
		var free []int
		for i := range held {
			for _, j := range on[i] {
				if in[j] {
					count[i]++
				}
			}
			if in[i] && count[i] == 0 {
				free = append(free, i)
			}
		}
		for len(free) > 0 {
			i := free[len(free)-1]
			free = free[:len(free)-1]
			in[i] = false
			for _, j := range back[i] {
				if count[j]--; in[j] && count[j] == 0 {
					free = append(free, j)
				}
			}
		}
	}
	peel(needs, needed)
	peel(needed, needs)
	return in
}

// circleAt returns the circle of a chunk among those in knots; none, without a way, for one that only stands between circles.
func circleAt(i int, in []bool, needs, needed [][]int) (c Circle) {
	before := reach(i, in, needs)
	if before[i] < 0 {
		return c
	}
	for j, from := range reach(i, in, needed) {
		if from >= 0 && before[j] >= 0 {
			c.Chunks = append(c.Chunks, j)
		}
	}
	for j := before[i]; j != i; j = before[j] {
		c.Way = append(c.Way, j)
	}
	c.Way = append(c.Way, i)
	slices.Reverse(c.Way)
	return c
}

// reach returns, for each chunk that can be come to from one, that one's own place only by a way around, the chunk before it on the
// shortest way; -1 for the others.
func reach(start int, in []bool, on [][]int) (before []int) {
	before = make([]int, len(in))
	for i := range before {
		before[i] = -1
	}
	for next := []int{start}; len(next) > 0; next = next[1:] {
		for _, j := range on[next[0]] {
			if in[j] && before[j] < 0 {
				before[j] = next[0]
				if j != start {
					next = append(next, j)
				}
			}
		}
	}
	return before
}
