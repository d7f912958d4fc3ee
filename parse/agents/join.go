package agents

import (
	"cmp"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
)

// joinSession combines the stored hook data of a session, its client's record, and its open asks. stored is nil without hooks;
// the record is empty if the client keeps none.
func (r *Reader) joinSession(stored *ask.Session, rec ask.Session, open []*ask.Item) ask.Session {
	st := rec
	if st.Heard, st.State = rec.Since, ""; stored != nil {
		st = *stored
	}
	s := rec
	s.Agent, s.ID, s.Node, s.Base, s.Heard = st.Agent, st.ID, sessionPrefix+ask.SessionKey(st.Agent, st.ID), st.Base, st.Heard
	s.Title, s.Tool, s.Model, s.Words = cmp.Or(rec.Title, st.Title), cmp.Or(rec.Tool, st.Tool), cmp.Or(rec.Model, st.Model), st.Words
	s.Dir, s.Kind, s.Turn = cmp.Or(rec.Dir, st.Dir), cmp.Or(rec.Kind, st.Kind), laterOf(rec.Turn, st.Turn)
	if rec.Process.PID == 0 {
		s.Process, s.Alive = st.Process, st.Alive || rec.Alive
	}
	if st.Window.String() != "" {
		s.Window = st.Window
	}
	s.Pane = s.Window.String()
	if s.Project = st.Project; s.Project == "" || s.Dir != st.Dir {
		s.Project = r.projectOf(s.Dir)
	}
	if r.Branch != nil && s.Dir != "" {
		s.Branch = cmp.Or(line.Tidy(r.Branch(s.Dir)), rec.Branch)
	}
	if rec.Message != "" {
		s.Words = ask.LastLine(rec.Message)
	}
	if len(s.Steps) == 0 {
		s.Steps = st.Steps
	}
	if len(s.Agents) == 0 {
		s.Agents = st.Agents
	}
	if s.Began.IsZero() || !st.Began.IsZero() && st.Began.Before(s.Began) {
		s.Began = st.Began
	}
	for _, item := range open {
		if item.Kind == ask.Turn && rec.State.IsRunning() && !r.wentOn(&rec, item.Since) {
			rec.State = "" // it worked before the turn was finished
		}
	}
	setState(&s, &st, &rec, open)
	if r.Lines != nil && s.Base != "" {
		active := s.Since
		if s.State.IsRunning() {
			active = r.Store.Now()
		}
		if added, removed := r.Lines(s.Dir, s.Base, active); added+removed > 0 {
			s.Added, s.Removed = added, removed
		}
	}
	if r.Door != nil {
		s.Door = r.Door(&s)
	}
	return s
}

// setState decides the state of a session. An open ask makes it wait. Otherwise the newer of hooks and records counts, except that only
// records show a crash and a prompt that stays open while other calls end.
func setState(s, st, rec *ask.Session, open []*ask.Item) {
	s.State, s.Since, s.Why, s.Waits = st.State, st.Since, st.Why, st.Waits
	certain := rec.State == model.SessionCrashed || rec.State == model.SessionWaiting && rec.Alive && s.State == model.SessionRunning
	newer := rec.State != "" && (s.State == "" || certain || rec.Since.After(changedAt(st)))
	if newer && !(s.State == model.SessionFailed && rec.State == model.SessionIdle) {
		if s.State != model.SessionWaiting || rec.State != model.SessionWaiting {
			s.Waits = rec.Waits
		}
		s.State, s.Since, s.Why = rec.State, rec.Since, rec.Why
	}
	switch s.State {
	case "", model.SessionTurn: // finished turns are in the store
		s.State = model.SessionIdle
	}
	for _, item := range open {
		switch {
		case item.Kind != ask.Turn:
			s.State, s.Since, s.Waits, s.Why, s.Asks = model.SessionWaiting, item.Since, "", "", true
			return
		case s.State == model.SessionIdle:
			s.State, s.Since = model.SessionTurn, item.Since
			fallthrough
		default:
			s.Open, s.Held = item.ID, item.Held
		}
	}
}

// laterOf returns the later of two times.
func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// stateSentences are the states of sessions in a sentence.
var stateSentences = map[model.SessionState]string{
	model.SessionRunning:     "it works on its prompt",
	model.SessionRetrying:    "the API fails, and its client tries again",
	model.SessionWaiting:     "it waits for an answer",
	model.SessionTurn:        "it has finished its turn",
	model.SessionIdle:        "it waits for a prompt",
	model.SessionInterrupted: "its user interrupted it",
	model.SessionFailed:      "its turn ended with an error",
	model.SessionCrashed:     "its process died",
}

// ownPrompt returns the content of the client's own prompt, as a line.
func ownPrompt(s *ask.Session) string {
	return strings.TrimSuffix(s.Agent+" asks in its own prompt: "+s.Waits, ": ")
}

// isAtOwnPrompt reports whether a session waits for an answer that only its client's own prompt takes.
func isAtOwnPrompt(s *ask.Session) bool { return s.State == model.SessionWaiting && !s.Asks }
