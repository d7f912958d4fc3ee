package graph

// The replay of a graph: stepping through the times when a node began or was done.

import (
	"slices"
	"time"

	"gatehouse/model"
)

// span is the time in which a node was worked on; unknown ends are zero.
type span struct{ began, ended time.Time }

// keepTimes notes when each node was worked on, from the build's history, else from the time of its status.
func (p *Plan) keepTimes(b *model.Build) {
	p.spans = make([]span, len(p.nodes))
	for i, n := range p.nodes {
		switch {
		case n.Since.IsZero() || n.SinceFile:
		case n.Status.Closed() || n.Status == model.Failed || n.Status == model.Executed:
			p.spans[i].ended = n.Since
		case n.Status == model.Active || n.Status == model.Retrying:
			p.spans[i].began = n.Since
		}
	}
	if b.History != nil {
		for _, x := range b.History.Pieces {
			if i, ok := p.at[x.Node]; ok {
				p.spans[i] = span{x.Began, x.Ended}
			}
		}
	}
	for _, s := range p.spans {
		for _, at := range [...]time.Time{s.began, s.ended} {
			if !at.IsZero() {
				p.times = append(p.times, at)
			}
		}
	}
	slices.SortFunc(p.times, time.Time.Compare)
	p.times = slices.CompactFunc(p.times, time.Time.Equal)
}

// statusesAt returns the graph as it was some steps ago. The layout does not change.
func (p *Plan) statusesAt(back int) *Plan {
	at := p.times[len(p.times)-1-back]
	past := *p
	past.nodes, past.of, past.notes = slices.Clone(p.nodes), nil, nil
	for i, n := range p.nodes {
		s := p.spans[i]
		if s.ended.After(at) || s.ended.IsZero() && s.began.After(at) {
			was := *n
			was.Status, was.Standing, was.Raw = model.Pending, model.Standing{}, ""
			if !s.began.IsZero() && !s.began.After(at) {
				was.Status = model.Active
			}
			past.nodes[i] = &was
		}
	}
	return &past
}

// Replay goes forward in time by some steps, or back.
func (g *View) Replay(by int) {
	if g.plan != nil {
		g.back = max(0, min(g.back-by, g.replaySteps()))
		g.revision++
	}
}

// replaySteps returns how many steps it is possible to go back.
func (g *View) replaySteps() int { return max(0, len(g.plan.times)-1) }

// WhyNoReplay says why the replay cannot go further; "" if it can.
func (g *View) WhyNoReplay(by int) string {
	switch {
	case g.plan == nil || g.replaySteps() == 0:
		return "no times are known in this graph"
	case by > 0 && g.back == 0:
		return "this is how it is now"
	case by < 0 && g.back == g.replaySteps():
		return "nothing is known of before"
	}
	return ""
}

// asOf names the shown time, "" for now.
func (g *View) asOf(now time.Time) string {
	if g.back == 0 || g.plan == nil || g.back >= len(g.plan.times) {
		return ""
	}
	at := g.plan.times[len(g.plan.times)-1-g.back].In(now.Location())
	format := "15:04:05"
	if at.Format(time.DateOnly) != now.Format(time.DateOnly) {
		format = "Jan 02 15:04"
	}
	return "as of " + at.Format(format)
}
