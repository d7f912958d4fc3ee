package hook

import (
	"context"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
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

func TestFinishedTurnWaits(t *testing.T) {
	for _, c := range []struct {
		name  string
		event func(w *world)
		turns string
		state model.SessionState
	}{
		{"last words", func(w *world) { w.event("Stop", words) }, "Postgres or SQLite?", model.SessionIdle},
		{"no question", func(w *world) { w.event("Stop", `,"last_assistant_message":"## Done\n\nAll pass."`) }, "Done", model.SessionIdle},
		{"no words", func(w *world) { w.event("Stop", "") }, "", model.SessionIdle},
		{"API error", func(w *world) {
			w.event("StopFailure", `,"error":"rate_limit","last_assistant_message":"API Error: 429"`)
		}, "API Error: 429", model.SessionFailed},
		{"background agents run", func(w *world) {
			w.event("Stop", words+`,"background_tasks":[{"id":"a","type":"subagent","status":"running"}]`)
		}, "", model.SessionRunning},
		{"a background shell runs", func(w *world) {
			w.event("Stop", words+`,"background_tasks":[{"id":"b","type":"shell","status":"running"}]`)
		}, "Postgres or SQLite?", model.SessionIdle},
		{"the next prompt", func(w *world) {
			w.event("Stop", words)
			w.event("UserPromptSubmit", `,"prompt":"SQLite"`)
		}, "", model.SessionRunning},
		{"the client continues by itself", func(w *world) {
			w.event("Stop", words)
			w.event("UserPromptSubmit", `,"prompt":"<task-notification>\n<task-id>a</task-id>"`)
		}, "", model.SessionRunning},
		{"an ask of the next turn", func(w *world) {
			w.event("Stop", words)
			ctx, stop := context.WithCancel(w.Context())
			done := make(chan error)
			go func() { done <- w.hook.Run(ctx, "claude", []byte(claudeBash)) }()
			for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
				if open := w.waiting(); len(open) == 1 && open[0].Kind == ask.Permission {
					break
				}
			}
			if got := w.turns(); got != "" || len(w.waiting()) != 1 {
				w.Errorf("while it asks: %q", got)
			}
			stop()
			<-done
		}, "", model.SessionRunning},
		{"the session ends", func(w *world) {
			w.event("Stop", words)
			w.event("SessionEnd", "")
			w.event("SessionStart", "")
		}, "", model.SessionIdle},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "claude")
			w.env["CLAUDE_PID"] = "20"
			w.event("SessionStart", `,"source":"startup"`)
			w.event("UserPromptSubmit", `,"prompt":"store it"`)
			c.event(w)
			if got := w.turns(); got != c.turns {
				t.Errorf("turns %q, want %q", got, c.turns)
			}
			if s := w.session(); s.State != c.state || c.name != "the next prompt" && c.name != "the session ends" && s.Title != "store it" {
				t.Errorf("%+v, want %s", s, c.state)
			}
		})
	}
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

func TestCompactionKeepsTheState(t *testing.T) {
	w := newWorld(t, "claude")
	w.event("UserPromptSubmit", `,"prompt":"x"`)
	w.event("SessionStart", `,"source":"compact"`)
	if s := w.session(); s.State != model.SessionRunning {
		t.Errorf("%+v", s)
	}
	w.event("SubagentStart", `,"agent_id":"a7","agent_type":"Explore"`)
	if s := w.session(); len(s.Agents) != 1 || s.Agents[0].Type != "Explore" {
		t.Errorf("%+v", s.Agents)
	}
	w.event("SubagentStop", `,"agent_id":"a8","agent_type":""`)
	w.event("SubagentStop", `,"agent_id":"a7","agent_type":"Explore"`)
	if s := w.session(); len(s.Agents) != 0 {
		t.Errorf("%+v", s.Agents)
	}
}

// replyTo answers the waiting finished turn, and returns the output for the client.
func (w *world) replyTo(done chan error, reply string) string {
	w.Helper()
	item := w.waiting()[0]
	return w.answered(&item, done, ask.Answer{Allow: true, Text: reply})
}

func TestReplyThroughHook(t *testing.T) {
	w := newWorld(t, "opencode")
	w.send("opencode", `{"type":"session.status","directory":"/shop","text":"store it","properties":{"sessionID":"ses_1","status":{"type":"busy"}}}`)
	w.send("opencode", `{"type":"tool.started","directory":"/shop","properties":{"sessionID":"ses_1","tool":"bash","input":{"command":"go test ./..."}}}`)
	_, done := w.asks(t.Context(), "opencode", `{"type":"session.idle","directory":"/shop","text":"Which one?","properties":{"sessionID":"ses_1"}}`)
	for end := time.Now().Add(time.Minute); w.session().State != model.SessionIdle && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if s := w.session(); s.Title != "store it" || s.Tool != "bash: go test ./..." || s.Words != "Which one?" || len(s.Steps) != 3 {
		t.Errorf("%+v", s)
	}
	if got := w.replyTo(done, "use SQLite"); got != `{"prompt":"use SQLite"}` {
		t.Error(got)
	}
}

func TestOpencodeStates(t *testing.T) {
	for _, c := range []struct {
		event string
		state model.SessionState
		why   string
	}{
		{`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"MessageAbortedError"}}}`, model.SessionInterrupted, ""},
		{`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"APIError","data":{"message":"too many","statusCode":429}}}}`, model.SessionFailed, "too many"},
		{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"retry","message":"overloaded"}}}`, model.SessionRetrying, "overloaded"},
		{`{"type":"session.error","parent":"ses_1","properties":{"sessionID":"ses_2","error":{"name":"APIError"}}}`, model.SessionRunning, ""},
	} {
		w := newWorld(t, "opencode")
		w.send("opencode", `{"type":"session.status","directory":"/shop","properties":{"sessionID":"ses_1","status":{"type":"busy"}}}`)
		w.send("opencode", "%s", c.event)
		if s := w.session(); s.State != c.state || s.Why != c.why {
			t.Errorf("%s: %+v", c.event, s)
		}
		if c.state == model.SessionInterrupted { // then opencode reports that it is idle
			w.send("opencode", `{"type":"session.idle","directory":"/shop","text":"half","properties":{"sessionID":"ses_1"}}`)
			if s := w.session(); s.State != model.SessionInterrupted || w.turns() != "" {
				t.Errorf("%+v, %q", s, w.turns())
			}
		}
	}
}

// TestLastWordsAfterReply: the last words of a client that was started to receive a reply still wait after it has ended.
func TestLastWordsAfterReply(t *testing.T) {
	for mark, want := range map[string]string{"": "", "1": "Postgres or SQLite?"} {
		w := newWorld(t, "claude")
		w.env[claudeAttended], w.env[ask.ReplyMark] = "0", mark
		w.event("UserPromptSubmit", `,"prompt":"use SQLite"`)
		w.event("Stop", words)
		w.event("SessionEnd", "")
		if got := w.turns(); got != want {
			t.Errorf("%q: %q", mark, got)
		}
	}
}

// TestNoticeKeepsTheCall: the client's own notice of a prompt does not replace the details from the hook of the call.
func TestNoticeKeepsTheCall(t *testing.T) {
	w := newWorld(t, "claude")
	w.env["CLAUDE_PID"] = "20"
	w.event("PermissionRequest", `,"agent_id":"a7","tool_name":"Bash","tool_input":{"command":"make"}`)
	w.event("Notification", `,"notification_type":"permission_prompt","message":"Claude needs your permission"`)
	if s := w.session(); s.State != model.SessionWaiting || s.Waits != "Bash: make" {
		t.Errorf("%+v", s)
	}
}

// TestPromptOfSubagent: a prompt that a subagent opened is over when that agent continues or ends, whatever other agents do.
func TestPromptOfSubagent(t *testing.T) {
	const ask, call = `,"tool_name":"Bash","tool_input":{"command":"make"}`, `,"tool_name":"Read","tool_input":{},"tool_response":{}`
	for _, c := range []struct {
		name, event, more string
		want              model.SessionState
	}{
		{"its call was made", "PostToolUse", `,"agent_id":"a7"` + call, model.SessionRunning},
		{"it has ended", "SubagentStop", `,"agent_id":"a7"`, model.SessionRunning},
		{"the session itself made a call", "PostToolUse", call, model.SessionWaiting},
		{"another agent made a call", "PostToolUse", `,"agent_id":"a8"` + call, model.SessionWaiting},
		{"another agent has ended", "SubagentStop", `,"agent_id":"a8"`, model.SessionWaiting},
	} {
		w := newWorld(t, "claude")
		w.event("UserPromptSubmit", `,"prompt":"x"`)
		w.event("PermissionRequest", `,"agent_id":"a7"`+ask) // no dashboard is open
		if got := w.session().State; got != model.SessionWaiting {
			t.Errorf("%s: %s before", c.name, got)
		}
		if w.event(c.event, c.more); w.session().State != c.want {
			t.Errorf("%s: %s, want %s", c.name, w.session().State, c.want)
		}
	}
}
