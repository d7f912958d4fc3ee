package index

// The pulse of a build: the activity of the last hours, and the hours with failures.

import (
	"strings"
	"time"

	"gatehouse/model"
)

// PulseHours is the number of hours in the pulse, a cell each.
const PulseHours = 8

// Pulse counts the events of each of the last hours, the oldest first.
type Pulse struct {
	Count  [PulseHours]int
	Failed [PulseHours]bool
}

// beat is one event.
type beat struct {
	at     int64
	failed bool
}

// beatLimit is the number of events counted for one build.
const beatLimit = 4096

// gatherPulses notes the recent activity of each build.
func (ix *Index) gatherPulses() {
	ix.pulses = make(map[*Site][]beat)
	from := ix.Snap.At.Add(-PulseHours * time.Hour).UnixMilli()
	add := func(s *Site, at int64, failed bool) {
		if s != nil && at > from && len(ix.pulses[s]) < beatLimit {
			ix.pulses[s] = append(ix.pulses[s], beat{at, failed})
		}
	}
	for i := len(ix.Moments) - 1; i >= 0 && ix.Moments[i].At > from; i-- {
		m := &ix.Moments[i]
		failed := m.status == model.Failed && (m.Change == nil || !isContainer(m.Change.Kind))
		add(m.site, m.At, failed)
	}
	for _, s := range ix.Sites {
		if s.Build == nil || s.Build.ID != model.AgentsBuild {
			continue
		}
		for _, n := range s.Build.Nodes {
			if n.Session == nil {
				continue
			}
			for _, step := range n.Session.Steps {
				if !step.At.IsZero() {
					add(s, step.At.UnixMilli(), step.Kind == "error")
				}
			}
		}
	}
}

// Pulse returns the activity in a build in the hours before a time.
func (ix *Index) Pulse(s *Site, now time.Time) (p Pulse) {
	for _, b := range ix.pulses[s] {
		ago := now.UnixMilli() - b.at
		if hour := ago / time.Hour.Milliseconds(); ago >= 0 && hour < PulseHours {
			p.Count[PulseHours-1-hour]++
			p.Failed[PulseHours-1-hour] = p.Failed[PulseHours-1-hour] || b.failed
		}
	}
	return p
}

// Beats reports whether any build was active lately.
func (ix *Index) Beats() bool { return len(ix.pulses) > 0 }

// Question returns the first wait of a build; ok is false if nothing waits.
func (s *Site) Question() (w model.Wait, ok bool) {
	if s.Build == nil {
		return w, false
	}
	for _, x := range s.Build.Waits {
		if (x.IsCurrent() || x.IsTurn()) && (!ok || newestFirst(x, w) < 0) {
			w, ok = x, true
		}
	}
	return w, ok
}

// NextAnswers reports whether the next step of a build is to answer its question.
func (s *Site) NextAnswers() bool {
	w, ok := s.Question()
	next := s.Build.Next
	return ok && next != nil && (next.Node == w.Node && w.Node != "" || strings.Contains(next.Why, w.Text))
}

// Failure returns the last failed node of a build that was not retried since, and the reason in one line; nil if there is none.
func (ix *Index) Failure(s *Site) (n *model.Node, why string) {
	s.countLowest(s.Build.Nodes, StandsFailed, func(x *model.Node) {
		if n == nil || x.Since.After(n.Since) {
			n = x
		}
	})
	if n == nil {
		return nil, ""
	}
	for i := len(s.Build.Activity) - 1; i >= 0; i-- {
		if a := &s.Build.Activity[i]; a.Node == n.ID && a.Status == model.Failed {
			m := s.Moment(a)
			return n, m.Text
		}
	}
	return n, ""
}

// Running returns the running node of a build, or nil.
func (s *Site) Running() (n *model.Node) {
	s.countLowest(s.Build.Nodes, StandsRunning, func(x *model.Node) {
		if n == nil || x.ID == s.Build.Now {
			n = x
		}
	})
	return n
}
