package agents

import (
	"cmp"
	"fmt"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/agents/record"
)

// joinSession combines the stored hook data of a session, its client's record, and its open asks. stored is nil without hooks;
// the record is empty if the client keeps none.
func (r *Reader) joinSession(stored *ask.Session, rec record.Session, open []*ask.Item) Session {
	st := ask.Session{Heard: rec.Since, Session: model.Session{Agent: rec.Agent, ID: rec.ID, Dir: rec.Dir, Began: rec.Began}}
	if stored != nil {
		st = *stored
	}
	s := Session{Session: rec, Base: st.Base, Heard: st.Heard}
	if rec.Process.PID == 0 {
		s.Process, s.Alive = st.Process, st.Runs || rec.Alive
	}
	if st.Window.String() != "" {
		s.Window = st.Window
	}
	if rec.Job != "" {
		s.Window = pane.Pane{Attach: []string{"claude", "attach", rec.Job}}.Valid()
	}
	s.Agent, s.ID, s.Node, s.Pane = line.Tidy(st.Agent), line.Tidy(st.ID), sessionPrefix+sessionKey(st.Agent, st.ID), line.Tidy(s.Window.String())
	s.Dir = cmp.Or(rec.Dir, st.Dir)
	if s.Project = st.Project; s.Project == "" || s.Dir != st.Dir {
		s.Project = r.projectOf(s.Dir)
	}
	if s.Branch = line.Tidy(rec.Branch); r.Branch != nil && s.Dir != "" {
		s.Branch = line.Tidy(cmp.Or(r.Branch(s.Dir), rec.Branch))
	}
	if s.Kind == "" && st.Headless {
		s.Kind = "headless"
	}
	s.Title, s.Tool, s.Model = line.Tidy(cmp.Or(rec.Title, st.Title)), line.Tidy(cmp.Or(rec.Tool, st.Tool)), line.Tidy(cmp.Or(rec.Model, st.Model))
	s.Words = line.Tidy(st.Words)
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
	s.Turn = laterOf(rec.Turn, st.Turn)
	for _, item := range open {
		if item.Kind == ask.Turn && rec.State.IsRunning() && !r.wentOn(&rec, item.Since) {
			rec.State = "" // it worked before the turn was finished
		}
	}
	s.setState(&st, rec, open)
	if r.Lines != nil && s.Base != "" {
		if added, removed := r.Lines(s.Dir, s.Base, s.lastActive(r.Now())); added+removed > 0 {
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
func (s *Session) setState(st *ask.Session, rec record.Session, open []*ask.Item) {
	s.State, s.Since, s.Why, s.Waits = st.State, st.Since, line.Tidy(st.Why), line.Tidy(st.Waits)
	certain := rec.State == model.SessionCrashed || rec.State == model.SessionWaiting && rec.Alive && s.State == model.SessionRunning
	newer := rec.State != "" && (s.State == "" || certain || rec.Since.After(changedAt(st)))
	if newer && !(s.State == model.SessionFailed && rec.State == model.SessionIdle) {
		if s.State != model.SessionWaiting || rec.State != model.SessionWaiting {
			s.Waits = line.Tidy(rec.Waits)
		}
		s.State, s.Since, s.Why = rec.State, rec.Since, line.Tidy(rec.Why)
	}
	switch s.State {
	case "", model.SessionTurn: // finished turns are in the store
		s.State = model.SessionIdle
	}
	for _, item := range open {
		switch {
		case item.Kind != ask.Turn:
			s.State, s.Since, s.Waits, s.Why, s.asks = model.SessionWaiting, item.Since, "", "", true
			return
		case s.State == model.SessionIdle:
			s.State, s.Since = model.SessionTurn, item.Since
			fallthrough
		default:
			s.Open, s.Held = item.ID, item.Held
		}
	}
}

// lastActive returns when a session did something last.
func (s *Session) lastActive(now time.Time) time.Time {
	if s.State.IsRunning() {
		return now
	}
	return s.Since
}

// laterOf returns the later of two times.
func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// stateSentence returns the state of a session in a sentence.
func (s *Session) stateSentence() string {
	switch s.State {
	case model.SessionRunning:
		return "it works on its prompt"
	case model.SessionRetrying:
		return "the API fails, and its client tries again"
	case model.SessionWaiting:
		if s.Waits != "" {
			return "its own prompt is open and can only be answered there"
		}
		return "it waits for an answer"
	case model.SessionTurn:
		return "it has finished its turn"
	case model.SessionIdle:
		return "it waits for a prompt"
	case model.SessionInterrupted:
		return "its user interrupted it"
	case model.SessionFailed:
		return "its turn ended with an error"
	case model.SessionCrashed:
		return "its process died"
	}
	return ""
}

// ownPrompt returns the content of the client's own prompt, as a line.
func (s *Session) ownPrompt() string {
	if s.Waits == "" {
		return s.Agent + " asks in its own prompt"
	}
	return line.Tidy(fmt.Sprintf("%s asks in its own prompt: %s", s.Agent, s.Waits))
}

// isAtOwnPrompt reports whether a session waits for an answer that only its client's own prompt takes.
func (s *Session) isAtOwnPrompt() bool { return s.State == model.SessionWaiting && !s.asks }
