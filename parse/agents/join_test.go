package agents

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/process"
)

// TestSessionState: hooks and records together give the state. The newer one counts, and an open ask makes the session wait.
func TestSessionState(t *testing.T) {
	conformance.OwnRows(t, "states.jsonl", func(t *testing.T, c struct {
		ID, Waits, Pane string
		Stored          *ask.Session
		Rec             struct {
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
		if c.Pane != "" && s.Pane != c.Pane {
			t.Errorf("%s: pane %q", c.ID, s.Pane)
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

// fixture is a store, the records of a client and a clock.
type fixture struct {
	testing.TB
	now    time.Time
	store  *ask.Store
	record ask.Session
	reader *Reader
}

func newFixture(t testing.TB) *fixture {
	r := &fixture{TB: t, now: noon}
	clock := func() time.Time { return r.now }
	dir := t.TempDir()
	r.store = ask.Open(ask.Options{Dir: filepath.Join(dir, "agents"), Journal: filepath.Join(dir, "journal"), User: "ann", Table: process.System{}, Now: clock})
	r.reader = NewReader(Options{
		Store: r.store, Project: func(dir string) string { return dir },
		More: func() []ask.Session { return []ask.Session{r.record} },
	})
	return r
}

// setHookState sets the state that hooks report, since now.
func (r *fixture) setHookState(state model.SessionState) {
	r.Helper()
	if err := r.store.UpdateSession("claude", "s1", func(s *ask.Session, now time.Time) bool {
		s.Project, s.Dir = "/shop", "/shop"
		s.SetState(state, "", now)
		s.Finished = ""
		return true
	}); err != nil {
		r.Fatal(err)
	}
}

// setRecord sets the state that the client records, since now.
func (r *fixture) setRecord(state model.SessionState, waits string) {
	r.record.Agent, r.record.ID, r.record.Dir, r.record.Alive = "claude", "s1", "/shop", true
	r.record.State, r.record.Waits, r.record.Since, r.record.Began = state, waits, r.now, noon
}

// openAsk opens an ask of the session, now.
func (r *fixture) openAsk(kind model.AskKind, text string) *ask.Asked {
	r.Helper()
	asked, err := r.store.Ask(ask.Ask{Ask: model.Ask{Kind: kind, Text: text, Agent: "claude", Session: "s1", Project: "/shop", Dir: "/shop"}})
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { asked.Close() })
	return asked
}

func (r *fixture) advance(d time.Duration) { r.now = r.now.Add(d) }

// TestPromptWhileReading: a hook reports a prompt between the reading of the sessions and that of the asks.
func TestPromptWhileReading(t *testing.T) {
	r := newFixture(t)
	r.setRecord(model.SessionIdle, "")
	r.setHookState(model.SessionIdle)
	turn := r.openAsk(ask.Turn, "Shall the shop use Reed or Moss?")
	if s := r.reader.Read().Sessions; len(s) != 1 || s[0].State != model.SessionTurn {
		t.Fatalf("%+v", s)
	}
	r.advance(time.Second)
	prompt := func() {
		r.setHookState(model.SessionRunning)
		if err := r.store.Withdraw(&turn.Ask, ask.ReasonWentOn); err != nil {
			t.Fatal(err)
		}
	}
	records := r.reader.More
	r.reader.More = func() []ask.Session {
		if prompt != nil {
			prompt()
			prompt = nil
		}
		return records()
	}
	if s := r.reader.Read().Sessions; len(s) != 1 || s[0].State != model.SessionRunning {
		t.Errorf("%+v", s)
	}
}

// TestLateStates: hooks and records are late under load. Whatever their order, no state is shown that the session was not in.
func TestLateStates(t *testing.T) {
	conformance.OwnRows(t, "late_states.jsonl", func(t *testing.T, c struct {
		Steps []string // "hooks STATE", "record STATE WAITS", "ask", "answer", "turn", "read", "see" the turn, "prompt WORDS" in the record, or a time that passes
		State model.SessionState
		Waits string
		Turns int
	}) {
		r := newFixture(t)
		var asked *ask.Asked
		for _, step := range c.Steps {
			word, rest, _ := strings.Cut(step, " ")
			switch word {
			case "hooks":
				r.setHookState(model.SessionState(rest))
			case "record":
				state, waits, _ := strings.Cut(rest, " ")
				if state == "your" {
					state, waits = rest, ""
				}
				r.setRecord(model.SessionState(state), waits)
			case "ask":
				asked = r.openAsk(ask.Permission, "Bash: make")
			case "answer":
				if _, err := r.store.Answer(asked.Ask.ID, ask.Answer{Allow: true}, ask.ByDashboard); err != nil {
					t.Fatal(err)
				}
			case "turn":
				r.openAsk(ask.Turn, "Done.")
			case "read":
				r.reader.Read()
			case "see":
				r.store.WithdrawTurns("claude", "s1", "seen by ann")
			case "prompt":
				r.record.Turn, r.record.Message, r.record.MessageID = r.now, rest, rest
			default:
				d, err := time.ParseDuration(word)
				if err != nil {
					t.Fatal(err)
				}
				r.advance(d)
			}
		}
		s := r.reader.Read()
		turns := 0
		for _, item := range s.Asks {
			if item.Kind == ask.Turn && item.State == ask.Waiting {
				turns++
				if item.Text != "Done." {
					t.Errorf("the waiting turn has the text %q", item.Text)
				}
			}
		}
		if len(s.Sessions) != 1 || s.Sessions[0].State != c.State || s.Sessions[0].Waits != c.Waits || turns != c.Turns {
			t.Errorf("%+v, %d turns; want %s %q, %d", s.Sessions, turns, c.State, c.Waits, c.Turns)
		}
	})
}
