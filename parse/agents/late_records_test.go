package agents

import (
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/record"
	"gatehouse/parse/disk/process"
)

// room is a store, the records of a client and a clock.
type room struct {
	testing.TB
	now    time.Time
	store  *ask.Store
	record record.Session
	reader *Reader
}

func newRoom(t testing.TB) *room {
	r := &room{TB: t, now: noon}
	clock := func() time.Time { return r.now }
	dir := t.TempDir()
	r.store = ask.Open(ask.Options{Dir: filepath.Join(dir, "agents"), Journal: filepath.Join(dir, "journal"), User: "ann", Table: process.System{}, Now: clock})
	r.reader = NewReader(Options{
		Store: r.store, Turns: true, Now: clock, Project: func(dir string) string { return dir },
		More: func() []record.Session { return []record.Session{r.record} },
	})
	return r
}

// hook sets the state that hooks have told, now.
func (r *room) hook(state model.SessionState) {
	r.Helper()
	if err := r.store.UpdateSession("claude", "s1", func(s *ask.Session, now time.Time) bool {
		s.Project, s.Dir = "/shop", "/shop"
		s.SetState(state, "", now)
		return true
	}); err != nil {
		r.Fatal(err)
	}
}

// records sets the state that the client records, now.
func (r *room) records(state model.SessionState, waits string) {
	r.record.Agent, r.record.ID, r.record.Dir, r.record.Alive = "claude", "s1", "/shop", true
	r.record.State, r.record.Waits, r.record.Since, r.record.Began = state, waits, r.now, noon
}

// opens opens an ask of the session, now.
func (r *room) opens(kind model.AskKind, text string) *ask.Asked {
	r.Helper()
	asked, err := r.store.Ask(ask.Ask{Kind: kind, Text: text, Agent: "claude", Session: "s1", Project: "/shop", Dir: "/shop"})
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { asked.Close() })
	return asked
}

func (r *room) later(d time.Duration) { r.now = r.now.Add(d) }

// Hooks and records are late under load. What they tell in which order never shows a state that the session was not in.
func TestStatesThatComeLate(t *testing.T) {
	for _, c := range []struct {
		name  string
		plays func(r *room)
		state model.SessionState
		waits string
		turns int
	}{
		{"the prompt opens before its hook has told", func(r *room) {
			r.hook(model.SessionRunning)
			r.later(time.Second)
			r.records(model.SessionWaiting, "permission prompt")
			r.later(promptAfter / 2)
		}, model.SessionRunning, "", 0},
		{"a prompt that no hook tells", func(r *room) {
			r.hook(model.SessionRunning)
			r.later(time.Second)
			r.records(model.SessionWaiting, "dialog open")
			r.later(promptAfter)
		}, model.SessionWaiting, "dialog open", 0},
		{"another call ends while a prompt is open", func(r *room) {
			r.hook(model.SessionWaiting)
			r.records(model.SessionWaiting, "dialog open")
			r.later(2 * promptAfter)
			r.hook(model.SessionRunning)
		}, model.SessionWaiting, "dialog open", 0},
		{"the prompt was answered here, and its client has not recorded that", func(r *room) {
			r.hook(model.SessionRunning)
			asked := r.opens(ask.Permission, "Bash: make")
			r.later(time.Millisecond)
			r.records(model.SessionWaiting, "permission prompt")
			r.later(time.Minute)
			if _, err := r.store.Answer(asked.Ask.ID, ask.Answer{Allow: true}, ask.ByDashboard); err != nil {
				r.Fatal(err)
			}
		}, model.SessionRunning, "", 0},
		{"the client records late that it worked before the turn ended", func(r *room) {
			r.hook(model.SessionIdle)
			r.opens(ask.Turn, "Done.")
			r.later(time.Second)
			r.records(model.SessionRunning, "")
			r.later(settleAfter / 2)
		}, model.SessionTurn, "", 1},
		{"it works again for long", func(r *room) {
			r.hook(model.SessionIdle)
			r.opens(ask.Turn, "Done.")
			r.later(time.Second)
			r.records(model.SessionRunning, "")
			r.later(settleAfter)
		}, model.SessionRunning, "", 0},
		{"it works on a new prompt", func(r *room) {
			r.hook(model.SessionIdle)
			r.opens(ask.Turn, "Done.")
			r.later(time.Second)
			r.records(model.SessionRunning, "")
			r.record.Turn = r.now
		}, model.SessionRunning, "", 0},
		{"another process goes on with the session beside its window", func(r *room) {
			r.hook(model.SessionIdle)
			r.opens(ask.Turn, "Done.")
			r.later(time.Second)
			r.records(model.SessionTurn, "")
			r.later(time.Second)
			r.record.Turn, r.record.Message, r.record.MessageID = r.now, "Not its own.", "m2"
			r.later(2 * settleAfter)
		}, model.SessionTurn, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t)
			c.plays(r)
			s := r.reader.Read()
			turns := 0
			for _, item := range s.Asks {
				if item.Kind == ask.Turn && item.State == ask.Waiting {
					turns++
					if item.Text != "Done." {
						t.Errorf("the turn that waits says %q", item.Text)
					}
				}
			}
			if len(s.Sessions) != 1 || s.Sessions[0].State != c.state || s.Sessions[0].Waits != c.waits || turns != c.turns {
				t.Errorf("%+v, %d turns; want %s %q, %d", s.Sessions, turns, c.state, c.waits, c.turns)
			}
		})
	}
}
