package core

import "gatehouse/model/line"

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
	places                           map[string]int
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

// findCauses finds the stuck chunks, and the causes of blocking.
func (r *Run) findCauses() {
	named := map[string]bool{}
	add := func(id string, isMissing bool) {
		if !named[id] {
			named[id] = true
			r.BlockedOn = append(r.BlockedOn, line.FctryCause{ID: id, Missing: isMissing})
		}
	}
	for i := range r.Chunks {
		c := &r.Chunks[i]
		if r.findStuck(i); !c.IsHeld {
			continue
		}
		if c.IsStuck {
			r.Stuck++
		}
		if len(c.Unmet) == 0 || c.ClosesCircle { // blocked by its own status, or by itself
			add(c.ID, false)
		}
		for _, need := range c.Unmet {
			if need.Place < 0 || !r.Chunks[need.Place].IsHeld {
				add(need.ID, need.Place < 0)
			}
		}
	}
}

// findStuck reports whether a chunk can't be finished in the current state. Of chunks that need each other in a circle, all are stuck.
func (r *Run) findStuck(i int) bool {
	c := &r.Chunks[i]
	if !c.IsHeld || c.isVisited {
		return c.State == Failed || c.IsStuck
	}
	c.isVisited, c.isOnPath, c.IsStuck = true, true, c.State == Blocked
	for _, need := range c.Unmet {
		switch {
		case need.Place < 0:
			c.IsStuck = true
		case r.Chunks[need.Place].isOnPath:
			c.IsStuck, c.ClosesCircle = true, true
		case r.findStuck(need.Place):
			c.IsStuck = true
		}
	}
	c.isOnPath = false
	return c.IsStuck
}
