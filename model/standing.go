package model

import (
	"bytes"
	"encoding/json"
	"time"
)

// Standing says whether a node or a wait counts now and, if not, why not.
type Standing struct {
	Status StandingStatus
	Reason string    // one sentence, "" if none: "it is of v1.0, which is shipped"
	Since  time.Time // since when, zero if unknown
	Until  time.Time // when it is current again, zero if unknown
}

// StandingStatus is the word of a [Standing]. Waits are listed in the order of the values.
type StandingStatus uint8

// The standings. A node is Current, Stale, Answered, Expired or Archived; a wait is Current, Old, YourTurn, WithAgent, Upcoming or Expired.
const (
	Current         StandingStatus = iota // it counts now
	Old                                   // it has waited for [Build.OldAfter] or longer
	YourTurn                              // an agent's finished turn: it waits for a human, but is counted apart; see [Turn]
	WithAgent                             // a human asked for changes, and the agents have to act before Until
	Upcoming                              // the work has not reached it yet
	Stale                                 // it is under way, but nothing has moved for [QuietAfter]; see [Build.MarkStale]
	Answered                              // it is in review and a human has answered: an agent's turn
	Expired                               // its milestone or hand-over is over: it may count, but nothing of it waits or runs
	Archived                              // its milestone is over: shown, but counted nowhere
	expiredArchived                       // both, for a phase that only the roadmap lists
)

// UpcomingIf returns the standing of a wait whose gate is upcoming or not.
func UpcomingIf(upcoming bool) Standing {
	if upcoming {
		return Standing{Status: Upcoming}
	}
	return Standing{}
}

// The predicates of the single standings; see the constants.
func (s Standing) IsCurrent() bool   { return s.Status == Current }
func (s Standing) IsOld() bool       { return s.Status == Old }
func (s Standing) IsTurn() bool      { return s.Status == YourTurn }
func (s Standing) IsWithAgent() bool { return s.Status == WithAgent }
func (s Standing) IsUpcoming() bool  { return s.Status == Upcoming }
func (s Standing) IsStale() bool     { return s.Status == Stale }
func (s Standing) IsAnswered() bool  { return s.Status == Answered }
func (s Standing) IsExpired() bool   { return s.Status == Expired || s.Status == expiredArchived }
func (s Standing) IsArchived() bool  { return s.Status == Archived || s.Status == expiredArchived }

// IsOver reports whether its milestone or hand-over is over: it is expired or archived.
func (s Standing) IsOver() bool { return s.IsExpired() || s.IsArchived() }

// IsAsked reports whether a wait is a human's turn now, new or old.
func (s Standing) IsAsked() bool { return s.IsCurrent() || s.IsOld() }

// StaleSince returns when something of it moved last if it is stale, else the zero time.
func (s Standing) StaleSince() time.Time {
	if s.IsStale() {
		return s.Since
	}
	return time.Time{}
}

// Archive marks it as archived. An expired node stays expired as well.
func (s *Standing) Archive() {
	if s.IsExpired() {
		s.Status = expiredArchived
	} else {
		s.Status = Archived
	}
}

// nodeFlags is the JSON form of a node's [Standing]. It is nil but while the node is encoded or decoded.
type nodeFlags struct {
	JSONAnswered bool      `json:"answered,omitempty"`   // it is in review, status waiting, but does not wait for a human: a human has answered, the next turn is an agent's
	JSONArchived bool      `json:"archived,omitempty"`   // it belongs to a milestone that is over: shown, but counted nowhere
	JSONPast     bool      `json:"past,omitempty"`       // its milestone is over: it may count, but nothing of it waits or runs
	JSONStale    time.Time `json:"stale_since,omitzero"` // its last move, if its status is in progress and nothing has moved for an hour
}

// MarshalJSON encodes the standing as separate fields.
func (n Node) MarshalJSON() ([]byte, error) {
	type fields Node
	n.nodeFlags = &nodeFlags{n.IsAnswered(), n.IsArchived(), n.IsExpired(), n.StaleSince()}
	return encodeJSON(fields(n))
}

// UnmarshalJSON reads the output of MarshalJSON.
func (n *Node) UnmarshalJSON(data []byte) error {
	type fields Node
	var f nodeFlags
	n.nodeFlags = &f
	err := json.Unmarshal(data, (*fields)(n))
	n.nodeFlags, n.Standing = nil, Standing{}
	switch {
	case f.JSONPast:
		n.Standing.Status = Expired
	case f.JSONArchived:
	case f.JSONAnswered:
		n.Standing.Status = Answered
	case !f.JSONStale.IsZero():
		n.Standing = Standing{Status: Stale, Since: f.JSONStale}
	}
	if f.JSONArchived {
		n.Archive()
	}
	return err
}

// waitFlags is the JSON form of a wait's [Standing]. It is nil but while the wait is encoded or decoded.
type waitFlags struct {
	JSONUpcoming  bool   `json:"potential,omitempty"`  // the build will stop there, but may not have reached it yet
	JSONWithAgent bool   `json:"with_agent,omitempty"` // a human asked for changes, and the agents have to act: until the evidence or the state file changes, it waits for a human again, or some time has passed
	JSONOld       bool   `json:"old,omitempty"`        // it has waited for the configured time (two weeks) or longer, if its age is known
	JSONOver      string `json:"over,omitempty"`       // why it expired although its file still calls it waiting: "it is of v1.0, which is shipped". It is set in "past" alone
}

// Printed returns the wait with its standing in JSON form, for a document that adds fields of its own.
func (w Wait) Printed() Wait {
	w.waitFlags = &waitFlags{w.IsUpcoming(), w.IsWithAgent(), w.IsOld(), ""}
	if w.IsExpired() {
		w.JSONOver = w.Reason
	}
	return w
}

// MarshalJSON encodes the standing as separate fields.
func (w Wait) MarshalJSON() ([]byte, error) {
	type fields Wait
	return encodeJSON(fields(w.Printed()))
}

// UnmarshalJSON reads the output of MarshalJSON.
func (w *Wait) UnmarshalJSON(data []byte) error {
	type fields Wait
	var f waitFlags
	w.waitFlags = &f
	err := json.Unmarshal(data, (*fields)(w))
	w.waitFlags, w.Standing = nil, UpcomingIf(f.JSONUpcoming)
	switch {
	case f.JSONUpcoming:
	case w.Evidence == Turn:
		w.Standing.Status = YourTurn
	case f.JSONOver != "":
		w.Standing = Standing{Status: Expired, Reason: f.JSONOver}
	case f.JSONWithAgent:
		w.Standing.Status = WithAgent
	case f.JSONOld:
		w.Standing.Status = Old
	}
	return err
}

// encodeJSON encodes v for a larger document, whose encoder decides about HTML.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
