package agents

import (
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"

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
		r := NewReader(Options{Store: ask.Open(ask.Options{}), Project: func(dir string) string { return dir }, Now: func() time.Time { return noon }})
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

// TestTurnsFollowTheRecords: a turn that no hook reported is opened once, and a turn of a session that works again is withdrawn.
func TestTurnsFollowTheRecords(t *testing.T) {
	now := noon
	dir := t.TempDir()
	clock := func() time.Time { return now }
	store := ask.Open(ask.Options{Dir: filepath.Join(dir, "agents"), Journal: filepath.Join(dir, "journal"), User: "ann", Table: process.System{}, Now: clock})
	rec := ask.Session{Alive: true, Message: "Which port?", MessageID: "m1", Session: model.Session{Agent: "claude", ID: "s1", State: model.SessionTurn, Since: ago(time.Minute), Dir: "/shop"}}
	r := NewReader(Options{Store: store, More: func() []ask.Session { return []ask.Session{rec} }, Project: func(dir string) string { return dir }, Now: clock})
	step := func(name string, state model.SessionState, turns int) {
		t.Helper()
		s := r.Read()
		got := 0
		for _, item := range s.Asks {
			if item.State == ask.Waiting && item.Kind == ask.Turn {
				got++
			}
		}
		if len(s.Sessions) != 1 || s.Sessions[0].State != state || got != turns {
			t.Fatalf("%s: %+v, %d turns", name, s.Sessions, got)
		}
		now = now.Add(time.Minute)
	}
	step("a session from before the hooks", model.SessionTurn, 1)
	step("once", model.SessionTurn, 1)
	rec.State, rec.Since, rec.Turn = model.SessionWaiting, now, now.Add(-time.Second)
	step("a prompt of its own in the next turn", model.SessionWaiting, 0)
	rec.State, rec.Since, rec.Turn = model.SessionRunning, now, now
	step("it works again", model.SessionRunning, 0)
	rec.State, rec.Since, rec.MessageID = model.SessionTurn, now.Add(-time.Second), "m2"
	now = now.Add(-500 * time.Millisecond)
	step("a turn that a hook may still report", model.SessionIdle, 0)
	step("a turn that no hook reported", model.SessionTurn, 1)
	turn := r.Store.WaitingOf("claude", "s1")[0]
	if err := store.Withdraw(&turn, "seen by ann"); err != nil {
		t.Fatal(err)
	}
	step("looked at", model.SessionIdle, 0)
	// With hooks, only they open turns.
	rec.MessageID = "m3"
	if err := store.UpdateSession("claude", "s1", func(s *ask.Session, now time.Time) bool {
		s.SetState(model.SessionIdle, "", now)
		s.Since, s.Finished = now, ""
		return true
	}); err != nil {
		t.Fatal(err)
	}
	step("a turn of hooks", model.SessionIdle, 0)
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
