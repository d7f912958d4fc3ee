package hook

import (
	"cmp"
	"context"
	"maps"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"

	"gatehouse/parse/conformance"
)

// event has Claude Code report an event of session s1.
func (w *world) event(name, more string) {
	w.Helper()
	w.send("claude", `{"session_id":"s1","cwd":"/shop","hook_event_name":"%s"%s}`, name, more)
}

// turns returns the texts of the finished turns that wait.
func (w *world) turns() string {
	w.Helper()
	var texts []string
	for _, item := range w.waiting() {
		if item.Kind == ask.Turn {
			texts = append(texts, item.Text)
		}
	}
	return strings.Join(texts, " | ")
}

const words = `,"last_assistant_message":"I see two ways.\n\nPostgres or SQLite?"`

// TestSessionEvents: the state of a session after each of its events, and what waits in the end.
func TestSessionEvents(t *testing.T) {
	conformance.OwnRows(t, "sessions.jsonl", func(t *testing.T, c struct {
		Client, Turns, Title, Why, Waits, Tool string
		Agents, Steps                          int // Steps: 0 for any
		Env                                    map[string]string
		Events                                 []struct {
			Event string
			State model.SessionState // "" if there is no session
		}
	}) {
		w := newWorld(t, cmp.Or(c.Client, "claude"))
		maps.Copy(w.env, c.Env)
		var last ask.Session
		for _, e := range c.Events {
			w.send(cmp.Or(c.Client, "claude"), "%s", e.Event)
			all, err := w.hook.Store.Sessions()
			if last = (ask.Session{}); len(all) == 1 {
				last = all[0]
			}
			if err != nil || last.State != e.State || last.ID != "" && last.Project != "/shop" {
				t.Errorf("%s: %+v, %v; want %s", e.Event, last, err, e.State)
			}
		}
		if got := w.turns(); got != c.Turns || last.Title != c.Title || last.Why != c.Why || last.Waits != c.Waits || len(last.Agents) != c.Agents ||
			last.Tool != c.Tool || c.Steps > 0 && len(last.Steps) != c.Steps {
			t.Errorf("turns %q, want %q; %+v", got, c.Turns, last)
		}
	})
}

// TestAskEndsTurn: an ask of the next turn ends the finished one.
func TestAskEndsTurn(t *testing.T) {
	w := newWorld(t, "claude")
	w.event("Stop", words)
	ctx, stop := context.WithCancel(t.Context())
	_, done := w.asks(ctx, "claude", claudeBash)
	if got := w.turns(); got != "" || len(w.waiting()) != 1 {
		t.Errorf("while it asks: %q", got)
	}
	stop()
	<-done
}

// TestSecondProcess: a second process of a session ("claude --resume ID -p" while its window is open) neither ends nor renames it.
func TestSecondProcess(t *testing.T) {
	w := newWorld(t, "claude")
	w.env["CLAUDE_PID"] = "20"
	w.event("SessionStart", `,"source":"startup"`)
	w.event("UserPromptSubmit", `,"prompt":"the window"`)
	second := below("claude")
	second.all[21] = process.Info{ID: runs(21), Parent: 10, Name: "claude"}
	second.all[30] = process.Info{ID: runs(30), Parent: 21, Name: "sh"}
	window := w.table.all[30]
	w.table.all[21], w.table.all[30] = second.all[21], second.all[30]
	w.env["CLAUDE_PID"] = "21"
	w.event("UserPromptSubmit", `,"prompt":"the other"`)
	w.event("Stop", words)
	w.event("SessionEnd", "")
	if s := w.session(); s.Title != "the window" || s.State != model.SessionRunning || w.turns() != "" {
		t.Errorf("%+v, %q", s, w.turns())
	}
	// A turn that waits in the window keeps waiting.
	w.env["CLAUDE_PID"], w.table.all[30] = "20", window
	w.event("Stop", `,"last_assistant_message":"Which one?"`)
	w.env["CLAUDE_PID"], w.table.all[30] = "21", second.all[30]
	w.event("UserPromptSubmit", `,"prompt":"the other"`)
	w.event("Stop", `,"last_assistant_message":"Another?"`)
	if got := w.turns(); got != "Which one?" {
		t.Errorf("turns %q", got)
	}
	// When the window is gone, the other process is the session.
	delete(w.table.all, 20)
	w.event("UserPromptSubmit", `,"prompt":"the other"`)
	if s := w.session(); s.Title != "the other" || s.Process.PID != 21 {
		t.Errorf("%+v", s)
	}
}
