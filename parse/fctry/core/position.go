package core

import (
	"slices"

	"gatehouse/model/cycle"
	"gatehouse/model/line"
)

// Position is the progress of a run. Places are indexes of [Run.Chunks]; -1 is none.
type Position struct {
	Total       int // chunks that are listed or planned, whichever are more
	Done        int
	Failed      int
	Busy        int // worked on
	Open        int // still to be begun
	Held        int // open chunks that wait for other chunks
	Stuck       int // held chunks that can't begin in the current state
	Asked       int // open chunks that wait for an answer
	HasStatuses bool
	// Running is the first chunk that is worked on, Retrying the first that is tried again, Waiting the first that waits for a human, Next
	// the first that can begin.
	Running, Retrying, Waiting, Next int
	BlockedOn                        []line.FctryCause // the causes that block the held chunks; for a chain only its end
	Circles                          [][]int           // of held chunks, see [cycle.Cycles]
	places                           map[string]int
	needs                            [][]int // see linkChunks
}

// PlaceOf returns the place of the first chunk with an ID, -1 without one.
func (r *Run) PlaceOf(id string) int {
	if i, ok := r.places[id]; ok {
		return i
	}
	return -1
}

// findPlaces sets the position of the run and its chunks.
func (r *Run) findPlaces() {
	r.Position = Position{Total: max(r.Planned, len(r.Chunks)), Running: -1, Retrying: -1, Waiting: -1, Next: -1}
	r.places = make(map[string]int, len(r.Chunks))
	for i := len(r.Chunks) - 1; i >= 0; i-- {
		r.places[r.Chunks[i].ID] = i
	}
	for i := range r.Chunks {
		c := &r.Chunks[i]
		for _, id := range c.Needs {
			if at := r.PlaceOf(id); at < 0 || !r.Chunks[at].State.IsOver() {
				c.Unmet = append(c.Unmet, Need{id, at})
			}
		}
		r.HasStatuses = r.HasStatuses || c.Status != ""
		switch {
		case c.State.IsOver():
			r.Done++
		case c.State == Failed:
			r.Failed++
		case c.State.IsBusy():
			r.Busy++
			firstIn(&r.Running, i)
			if c.State == Retrying {
				firstIn(&r.Retrying, i)
			}
		case c.State == Waiting:
			firstIn(&r.Waiting, i)
		default:
			r.Open++
			switch c.IsHeld = c.State == Blocked || len(c.Unmet) > 0 && !c.IsAsked; {
			case c.IsHeld:
				r.Held++
			case c.IsAsked:
				r.Asked++
			default:
				firstIn(&r.Next, i)
			}
		}
	}
	if r.Held > 0 {
		r.findCauses()
	}
}

// findCauses finds the cycles of the held chunks, the stuck chunks, and the causes of blocking.
func (r *Run) findCauses() {
	isHeld := func(i int) bool { return r.Chunks[i].IsHeld }
	groups := cycle.Groups(r.linkChunks(), isHeld)
	for _, g := range groups {
		isStuck := g.IsCycle
		for _, i := range g.Nodes {
			isStuck = isStuck || r.Chunks[i].State == Blocked || slices.ContainsFunc(r.Chunks[i].Unmet, r.isHopeless)
		}
		for _, i := range g.Nodes {
			if r.Chunks[i].IsStuck = isStuck; isStuck {
				r.Stuck++
			}
		}
	}
	r.Circles = cycle.Cycles(groups)
	for k, circle := range r.Circles {
		for _, i := range circle {
			r.Chunks[i].circle = k + 1
		}
	}
	named, isNamed := make(map[string]bool), make([]bool, len(r.Circles)+1)
	add := func(cause line.FctryCause) { r.BlockedOn = append(r.BlockedOn, cause) }
	for i := range r.Chunks {
		c := &r.Chunks[i]
		if c.IsHeld && len(c.Unmet) == 0 && !named[c.ID] { // blocked by its own status
			named[c.ID] = true
			add(line.FctryCause{IDs: []string{c.ID}})
		}
		for _, need := range c.Unmet {
			if !c.IsHeld || named[need.ID] {
				continue
			}
			named[need.ID] = true
			if need.Place < 0 || !isHeld(need.Place) {
				add(line.FctryCause{IDs: []string{need.ID}, Missing: need.Place < 0})
			} else if k := r.Chunks[need.Place].circle; !isNamed[k] && k > 0 {
				isNamed[k] = true
				cause := line.FctryCause{Circle: true}
				for _, i := range r.WayAround(r.Circles[k-1]) {
					cause.IDs = append(cause.IDs, r.Chunks[i].ID)
				}
				add(cause)
			}
		}
	}
}

// linkChunks returns the indexes of each chunk's dependencies.
func (r *Run) linkChunks() [][]int {
	for i := len(r.needs); i < len(r.Chunks); i++ {
		var needs []int
		for _, id := range r.Chunks[i].Needs {
			if at := r.PlaceOf(id); at >= 0 {
				needs = append(needs, at)
			}
		}
		r.needs = append(r.needs, needs)
	}
	return r.needs
}

// isHopeless reports whether a need can't be met in the current state.
func (r *Run) isHopeless(n Need) bool {
	return n.Place < 0 || r.Chunks[n.Place].State == Failed || r.Chunks[n.Place].IsStuck
}

// WayAround returns the shortest way around a circle, each chunk before the one that it needs.
func (r *Run) WayAround(circle []int) []int { return cycle.Around(r.linkChunks(), circle) }

// BegunCircles returns the circles with a chunk that has begun, so that they hold up nothing.
func (r *Run) BegunCircles() [][]int {
	all := cycle.Cycles(cycle.Groups(r.linkChunks(), func(int) bool { return true }))
	return slices.DeleteFunc(all, func(circle []int) bool {
		return slices.ContainsFunc(circle, func(i int) bool { return r.Chunks[i].circle > 0 })
	})
}
