package agents

import (
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"

	"gatehouse/parse/conformance"
)

// TestSessionState: hooks and records together give the state. The newer one counts, and an open ask makes the session wait.
func TestSessionState(t *testing.T) {
	conformance.OwnRows(t, "states.jsonl", func(t *testing.T, c struct {
		ID, Waits string
		Stored    *ask.Session
		Rec       struct {
			ask.Session
			Alive bool
		}
		Open  []*ask.Item
		State model.SessionState
		Since time.Time
	}) {
		r := NewReader(Options{Store: ask.Open(ask.Options{Now: func() time.Time { return noon }}), Project: func(dir string) string { return dir }})
		c.Rec.Session.Alive = c.Rec.Alive
		s := r.joinSession(c.Stored, c.Rec.Session, c.Open)
		if s.State != c.State || !s.Since.Equal(c.Since) || s.Waits != c.Waits || s.Project != "/shop" && c.Stored != nil {
			t.Errorf("%s: %s since %v, waits %q", c.ID, s.State, s.Since, s.Waits)
		}
		if len(c.Open) > 0 && c.Open[0].Kind == ask.Turn && (s.Open != c.Open[0].ID || !s.Held) {
			t.Errorf("%s: open %q, held %v", c.ID, s.Open, s.Held)
		}
	})
}

// TestOwnPrompts: prompts without an ask of a hook are listed, with the session's ID. A session with an open ask has none.
func TestOwnPrompts(t *testing.T) {
	own, asking := sessionOf("s1", "/shop", model.SessionWaiting), sessionOf("s2", "/shop", model.SessionWaiting)
	own.Waits, asking.Asks = "Bash: make", true
	s := &Snapshot{Asks: []ask.Item{waits("aaaaaaaa", "/shop", "s2", "Who?")}, Sessions: []ask.Session{own, asking, sessionOf("s3", "/shop", model.SessionRunning)}}
	all := s.OwnPrompts()
	if len(all) != 1 || all[0].ID != "s1" || all[0].State != model.AskElsewhere || all[0].Text != "claude asks in its own prompt: Bash: make" {
		t.Errorf("%+v", all)
	}
}
