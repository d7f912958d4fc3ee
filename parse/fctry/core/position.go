package core

import (
	"slices"

	"gatehouse/model/line"
)

// Position is how far a run is. Places are indexes of [Run.Chunks]; -1 is none.
type Position struct {
	Total       int // chunks that are listed or planned, whichever are more
	Done        int
	Failed      int
	Busy        int // worked on
	Open        int // still to be begun
	Held        int // those of Open that wait for other chunks
	Stuck       int // those of Held that can't begin as things are
	Asked       int // those of Open that wait for an answer
	HasStatuses bool
	// Running is the first chunk that is worked on, Retrying the first that is tried again, Waiting the first that waits for a human, Next
	// the first that can begin.
	Running, Retrying, Waiting, Next int
	BlockedOn                        []line.FctryCause // what holds up the held chunks; of a chain only its end
	Circles                          []Circle          // of held chunks
	places                           map[string]int
}

// Circle is a group of chunks that need each other, or one that needs itself.
type Circle struct {
	Chunks []int // places in the order of the list
	Way    []int // the shortest way around from the first, each before the one that it needs
}

// Place returns the place of the first chunk with an ID, -1 without one.
func (r *Run) Place(id string) int {
	if i, ok := r.places[id]; ok {
		return i
	}
	return -1
}

// locate sets the position of the run and its chunks.
func (r *Run) locate() {
	r.Position = Position{Total: max(r.Planned, len(r.Chunks)), Running: -1, Retrying: -1, Waiting: -1, Next: -1}
	r.places = make(map[string]int, len(r.Chunks))
	for i := len(r.Chunks) - 1; i >= 0; i-- {
		r.places[r.Chunks[i].ID] = i
	}
	for i := range r.Chunks {
		c := &r.Chunks[i]
		for _, id := range c.Needs {
			if at := r.Place(id); at < 0 || !r.Chunks[at].State.IsOver() {
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
			switch c.IsHeld = !c.IsAsked && (c.State == Blocked || len(c.Unmet) > 0); {
			case c.IsAsked:
				r.Asked++
			case c.IsHeld:
				r.Held++
			default:
				firstIn(&r.Next, i)
			}
		}
	}
	if r.Held > 0 {
		r.findCauses()
	}
}

// findCauses finds the circles of the held chunks, which of them are stuck, and what they hang on.
func (r *Run) findCauses() {
	isHeld := func(i int) bool { return r.Chunks[i].IsHeld }
	groups := r.groups(isHeld)
	for _, g := range groups {
		isStuck := g.isCircle
		for _, i := range g.chunks {
			isStuck = isStuck || r.Chunks[i].State == Blocked || slices.ContainsFunc(r.Chunks[i].Unmet, r.isHopeless)
		}
		for _, i := range g.chunks {
			if r.Chunks[i].IsStuck, r.Chunks[i].InCircle = isStuck, g.isCircle; isStuck {
				r.Stuck++
			}
		}
	}
	circleOf := make([]int, len(r.Chunks)) // index of Circles, from 1
	r.Circles = r.circlesIn(groups)
	for k, circle := range r.Circles {
		for _, i := range circle.Chunks {
			circleOf[i] = k + 1
		}
	}
	named, isNamed := make(map[string]bool), make([]bool, len(r.Circles)+1)
	add := func(cause line.FctryCause) { r.BlockedOn = append(r.BlockedOn, cause) }
	for i := range r.Chunks {
		c := &r.Chunks[i]
		if c.IsHeld && len(c.Unmet) == 0 && !named[c.ID] { // blocked by its own word
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
			} else if k := circleOf[need.Place]; !isNamed[k] && k > 0 {
				isNamed[k] = true
				cause := line.FctryCause{Circle: true}
				for _, i := range r.Circles[k-1].Way {
					cause.IDs = append(cause.IDs, r.Chunks[i].ID)
				}
				add(cause)
			}
		}
	}
}

// isHopeless reports whether a need can't be met as things are.
func (r *Run) isHopeless(n Need) bool {
	return n.Place < 0 || r.Chunks[n.Place].State == Failed || r.Chunks[n.Place].IsStuck
}

// BegunCircles returns the circles with a chunk that has begun, so that they hold up nothing.
func (r *Run) BegunCircles() []Circle {
	all := r.circlesIn(r.groups(func(int) bool { return true }))
	return slices.DeleteFunc(all, func(c Circle) bool {
		return slices.ContainsFunc(c.Chunks, func(i int) bool { return r.Chunks[i].InCircle })
	})
}

// group is a strongly connected component of the chunks.
type group struct {
	chunks   []int // places in the order of the list
	isCircle bool
}

// circlesIn returns the circles among groups, in the order of the list.
func (r *Run) circlesIn(groups []group) (circles []Circle) {
	for _, g := range groups {
		if g.isCircle {
			circles = append(circles, Circle{Chunks: g.chunks})
		}
	}
	slices.SortFunc(circles, func(a, b Circle) int { return a.Chunks[0] - b.Chunks[0] })
	in := make([]int, len(r.Chunks)) // the circle that a chunk is in, from 1
	for k := range circles {
		for _, i := range circles[k].Chunks {
			in[i] = k + 1
		}
		circles[k].Way = r.wayAround(circles[k].Chunks[0], func(i int) bool { return in[i] == k+1 })
	}
	return circles
}

// wayAround returns the shortest way from a chunk of a circle back to it.
func (r *Run) wayAround(start int, isIn func(int) bool) (way []int) {
	before := map[int]int{}
	for next := []int{start}; len(next) > 0; next = next[1:] {
		i := next[0]
		for _, id := range r.Chunks[i].Needs {
			j := r.Place(id)
			if j == start {
				for ; i != start; i = before[i] {
					way = append(way, i)
				}
				way = append(way, start)
				slices.Reverse(way)
				return way
			}
			if _, isKnown := before[j]; j >= 0 && isIn(j) && !isKnown {
				before[j] = i
				next = append(next, j)
			}
		}
	}
	return nil
}

// groups returns the strongly connected components of the chunks that isIn selects, by Tarjan's algorithm: each behind those that it
// needs. The limits of chunks bound the recursion.
func (r *Run) groups(isIn func(int) bool) (groups []group) {
	number, low, isOpen := make([]int, len(r.Chunks)), make([]int, len(r.Chunks)), make([]bool, len(r.Chunks))
	var stack []int
	count := 0
	var visit func(i int)
	visit = func(i int) {
		count++
		number[i], low[i], isOpen[i] = count, count, true
		stack = append(stack, i)
		needsItself := false
		for _, id := range r.Chunks[i].Needs {
			j := r.Place(id)
			switch {
			case j < 0 || !isIn(j):
			case number[j] == 0:
				visit(j)
				low[i] = min(low[i], low[j])
			case isOpen[j]:
				low[i] = min(low[i], number[j])
				needsItself = needsItself || i == j
			}
		}
		if low[i] < number[i] {
			return
		}
		at := len(stack) - 1
		for isOpen[i] {
			isOpen[stack[at]] = false
			at--
		}
		chunks := slices.Clone(stack[at+1:])
		stack = stack[:at+1]
		slices.Sort(chunks)
		groups = append(groups, group{chunks, len(chunks) > 1 || needsItself})
	}
	for i := range r.Chunks {
		if isIn(i) && number[i] == 0 {
			visit(i)
		}
	}
	return groups
}
