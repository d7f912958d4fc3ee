package index

// The work of a build in one row: its question, its failure, what runs.

import (
	"strings"

	"gatehouse/model"
)

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
	for _, x := range s.lowest(s.Build.Nodes, StandsFailed) {
		if n == nil || x.Since.After(n.Since) {
			n = x
		}
	}
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
	for _, x := range s.lowest(s.Build.Nodes, StandsRunning) {
		if n == nil || x.ID == s.Build.Now {
			n = x
		}
	}
	return n
}
