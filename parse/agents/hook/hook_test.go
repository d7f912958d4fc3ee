package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/doc"
)

// table is a system in which this process runs below a client's shell.
type table struct{ all map[int]process.Info }

func (t *table) Self() process.ID { return runs(40) }
func (t *table) Look(pid int) (i process.Info, ok bool) {
	i, ok = t.all[pid]
	return i, ok
}

func runs(pid int) process.ID {
	return process.ID{PID: pid, Host: "host", Boot: "boot", Start: fmt.Sprint("s", pid)}
}

func below(client string) *table {
	t := &table{all: map[int]process.Info{}}
	for pid, name := range map[int]string{10: "zsh", 20: client, 30: "sh", 40: "gatehouse"} {
		t.all[pid] = process.Info{ID: runs(pid), Parent: pid - 10, Name: name, Terminal: "/dev/pts/1", Leader: pid == 10}
	}
	return t
}

// world is a hook and its environment.
type world struct {
	*testing.T
	hook    Hook
	table   *table
	env     map[string]string
	journal string
	printed chan string
}

func newWorld(t *testing.T, client string) *world {
	dir := t.TempDir()
	w := &world{T: t, table: below(client), env: map[string]string{"TMUX": "/tmp/tmux-0/default,1,0", "TMUX_PANE": "%3"}, journal: filepath.Join(dir, "journal"), printed: make(chan string, 1)}
	w.hook = Hook{
		Store:   ask.Open(ask.Options{Dir: filepath.Join(dir, "agents"), Journal: w.journal, User: "ann", Table: w.table, Now: time.Now}),
		Env:     func(name string) string { return w.env[name] },
		Home:    dir,
		Project: func(dir string) string { return strings.TrimSuffix(dir, "/sub") },
		Print:   func(text []byte) error { w.printed <- string(text); return nil },
	}
	return w
}

// send sends an event that gets no output.
func (w *world) send(client, format string, args ...any) {
	w.Helper()
	if err := w.hook.Run(w.Context(), client, fmt.Appendf(nil, format, args...)); err != nil {
		w.Fatal(err)
	}
	select {
	case text := <-w.printed:
		w.Fatalf("%s gets %s", client, text)
	default:
	}
}

// asks sends an event that opens an ask, and returns the open ask and the result of the hook.
func (w *world) asks(ctx context.Context, client, format string, args ...any) (*ask.Item, chan error) {
	w.Helper()
	before := w.waiting()
	done := make(chan error, 1)
	go func() { done <- w.hook.Run(ctx, client, fmt.Appendf(nil, format, args...)) }()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		for _, now := range w.waiting() {
			if !slices.ContainsFunc(before, func(i ask.Item) bool { return i.ID == now.ID }) {
				item, err := w.hook.Store.Get(now.ID)
				if err != nil {
					w.Fatal(err)
				}
				return item, done
			}
		}
		select {
		case err := <-done:
			w.Fatalf("the hook has ended: %v", err)
		default:
		}
	}
	w.Fatal("nothing is asked")
	return nil, nil
}

func (w *world) waiting() []ask.Item {
	items, err := w.hook.Store.List(false)
	if err != nil {
		w.Fatal(err)
	}
	return items
}

// answered answers an ask and returns the output of its hook.
func (w *world) answered(item *ask.Item, done chan error, answer ask.Answer) string {
	w.Helper()
	if _, err := w.hook.Store.Answer(item.ID, answer, ask.ByDashboard); err != nil {
		w.Fatal(err)
	}
	if err := <-done; err != nil {
		w.Fatal(err)
	}
	now, err := w.hook.Store.Get(item.ID)
	if err != nil || !now.Delivered {
		w.Errorf("not delivered, %v", err)
	}
	return strings.TrimSpace(<-w.printed)
}

// withdrawn checks that an ask has ended without an answer, and that nothing was printed.
func (w *world) withdrawn(item *ask.Item, done chan error, why string) {
	w.Helper()
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		w.Error(err)
	}
	now, err := w.hook.Store.Get(item.ID)
	if err != nil || now.State != ask.Withdrawn || !strings.Contains(now.End.Reason, why) || len(w.printed) > 0 {
		w.Errorf("%+v, %v, want %q", now.End, err, why)
	}
}

func (w *world) session() ask.Session {
	w.Helper()
	all, err := w.hook.Store.Sessions()
	if err != nil || len(all) != 1 {
		w.Fatalf("%+v, %v", all, err)
	}
	return all[0]
}

const claudeBash = `{"session_id":"s1","cwd":"/shop","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"rm -rf build &&\n touch x","description":"Build anew","timeout":5},"permission_suggestions":[{"type":"addRules"}]}`

// TestClaudeDecisions: labels return to the client unchanged, including characters that are not shown.
func TestClaudeDecisions(t *testing.T) {
	const out = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":`
	conformance.OwnRows(t, "decisions.jsonl", func(t *testing.T, c struct {
		ID, Input, Text, Want string
		Answer                ask.Answer
	}) {
		w := newWorld(t, "claude")
		item, done := w.asks(t.Context(), "claude", "%s", c.Input)
		if item.Text != c.Text || item.Project != "/shop" || item.Owner.PID != 20 || item.Window.TmuxPane != "%3" {
			t.Errorf("%s: %+v", c.ID, item)
		}
		if got := w.answered(item, done, c.Answer); got != out+c.Want {
			t.Errorf("%s: %s", c.ID, got)
		}
	})
}

// TestCalls checks how a call is shown: whole, with its change and the parts that deserve a look. "/shop" stands for the project.
func TestCalls(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "1\n2\n3\n4\nold\n6\n7\n8\n9\n", "twice.go": "x\ny\nx\n", "open.txt": "no end", "crlf.txt": "a\r\nb\r\n", ".env": "TOKEN=secret\n",
		"bin": "a\x00b", "large": strings.Repeat("x\n", maxFile/2+1),
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	must(t, errors.Join(os.Mkdir(filepath.Join(dir, "dir"), 0o700), os.Symlink(".env", filepath.Join(dir, "link"))))
	shown := func(text string) string { return strings.ReplaceAll(text, dir, "/shop") }
	conformance.OwnRows(t, "calls.jsonl", func(t *testing.T, c struct {
		Tool, Input, Text, Shown, Danger, Diff string
	}) {
		tree, fault := doc.ParseJSON(strings.ReplaceAll(c.Input, "/shop", dir))
		if fault != nil {
			t.Fatal(fault)
		}
		a := newCall(c.Tool, tree.Root(), dir).askPermission()
		danger := ""
		if len(a.Call.Dangers) > 0 {
			danger = a.Call.Dangers[0].Part
		}
		if shown(a.Text) != c.Text || shown(a.Call.Input) != c.Shown || shown(danger) != c.Danger || shown(a.Call.Diff) != c.Diff {
			t.Errorf("%s %s:\n%q\n%q\n%q\n%q", c.Tool, c.Input, a.Text, a.Call.Input, danger, a.Call.Diff)
		}
	})
}

// TestClaudeWithdraws checks the events other than an answer that end an ask.
func TestClaudeWithdraws(t *testing.T) {
	const done1 = `{"session_id":"s1","cwd":"/shop","hook_event_name":%q,"tool_name":"Bash","tool_input":%s,"tool_response":{}}`
	conformance.OwnRows(t, "withdraws.jsonl", func(t *testing.T, c struct {
		ID, Event, Why string
	}) {
		w := newWorld(t, "claude")
		item, done := w.asks(t.Context(), "claude", claudeBash)
		w.send("claude", done1, "PostToolUse", `{"command":"ls"}`)                                            // another call
		w.send("claude", `{"session_id":"s2","cwd":"/shop","hook_event_name":"Stop"}`)                        // another session
		w.send("claude", `{"session_id":"s1","cwd":"/shop","hook_event_name":"SubagentStop","agent_id":"a"}`) // a subagent
		if len(w.waiting()) != 1 {
			t.Fatalf("%s: ended too early", c.ID)
		}
		w.send("claude", "%s", c.Event)
		w.withdrawn(item, done, c.Why)
	})
}

func TestSignal(t *testing.T) {
	w := newWorld(t, "claude")
	ctx, cancel := context.WithCancelCause(t.Context())
	item, done := w.asks(ctx, "claude", claudeBash)
	cancel(errors.New("ended by signal: terminated"))
	w.withdrawn(item, done, "claude stopped waiting after 0s")
}

// TestBlockingHooks checks hooks that hold up their client or its own prompt: they wait only while a dashboard is open.
func TestBlockingHooks(t *testing.T) {
	subagent := strings.Replace(claudeBash, `"cwd"`, `"agent_id":"a7","cwd"`, 1)
	codexBash := `{"session_id":"c1","turn_id":"t","cwd":"/shop","hook_event_name":"PermissionRequest","model":"m","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"touch x","description":"Make it?"}}`
	for _, c := range []struct {
		what, client, input string
		env                 map[string]string
	}{
		{"a subagent", "claude", subagent, nil},
		{"without a terminal", "claude", claudeBash, map[string]string{claudeAttended: "0"}},
		{"codex", "codex", codexBash, nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.client)
			for name, value := range c.env {
				w.env[name] = value
			}
			w.send(c.client, "%s", c.input) // no dashboard is open
			if s := w.session(); s.State != model.SessionWaiting || !strings.HasPrefix(s.Waits, "Bash: ") || len(w.waiting()) != 0 {
				t.Errorf("%s: unattended %+v", c.what, s)
			}
			looks, err := w.hook.Store.Attend()
			must(t, err)
			item, done := w.asks(t.Context(), c.client, "%s", c.input)
			if got := w.answered(item, done, ask.Answer{Allow: true}); got != `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}` {
				t.Errorf("%s: %s", c.what, got)
			}
			// The dashboard is closed while it waits.
			item, done = w.asks(t.Context(), c.client, "%s", c.input)
			looks.Close()
			w.withdrawn(item, done, "no dashboard")
		})
	}
}

// TestClientGone checks how a hook detects that its client no longer waits.
func TestClientGone(t *testing.T) {
	w := newWorld(t, "claude")
	dir := filepath.Join(w.hook.Home, ".claude", "sessions")
	must(t, os.MkdirAll(dir, 0o700))
	var gone func() string
	look := func(want string) {
		t.Helper()
		if got := gone(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, looks := range [][]string{ // session and status of the client's record; the last look may be another result
		{" ", "s1 busy", "s1 busy", "s1 busy", "s1 busy"}, // never open
		{"s1 waiting", "s1 busy", "s1 waiting", "s1 busy", "s1 busy", "s1 busy own prompt"},
		{"s1 waiting", "s2 busy", "s2 busy", "s2 busy", "s2 busy"}, // another session of the process
	} {
		r := run{Hook: &w.hook, contract: claude, event: &event{session: "s1", ask: &ask.Ask{}}, client: w.table.all[20].ID, sure: true}
		gone = r.goneReason(t.Context())
		for _, l := range looks {
			f := strings.SplitN(l+" ", " ", 3)
			text := fmt.Appendf(nil, `{"pid":20,"sessionId":%q,"status":%q}`, f[0], f[1])
			must(t, os.WriteFile(filepath.Join(dir, "20.json"), text, 0o600))
			look(strings.TrimSpace(f[2]))
		}
	}
	delete(w.table.all, 20)
	look("claude has ended")
	w.table.all[20] = process.Info{ID: process.ID{PID: 20, Host: "host", Boot: "boot", Start: "later"}} // another process
	look("claude has ended")
	r := run{Hook: &w.hook, contract: codex, event: &event{ask: &ask.Ask{}}} // the client is unknown
	gone = r.goneReason(t.Context())
	look("")
	self := w.table.all[40]
	self.Parent = 1
	w.table.all[40] = self
	look("the process that ran the hook has ended")
}

func TestOpencode(t *testing.T) {
	w := newWorld(t, "opencode")
	conformance.OwnRows(t, "opencode.jsonl", func(t *testing.T, c struct {
		Input, Text, Want string
		Answer            ask.Answer
	}) {
		item, done := w.asks(t.Context(), "opencode", "%s", c.Input)
		if item.Text != c.Text || item.Session != "ses_1" || item.Dir != "/shop" || item.Owner.PID != 20 {
			t.Errorf("%+v", item)
		}
		if got := w.answered(item, done, c.Answer); got != c.Want {
			t.Errorf("%s", got)
		}
	})
}

// TestMeaninglessInput checks that meaningless input decides nothing.
func TestMeaninglessInput(t *testing.T) {
	w := newWorld(t, "claude")
	for _, input := range []string{
		`{}`, `{"hook_event_name":"PermissionRequest"}`, `{"session_id":"s1","hook_event_name":"Later"}`, `{"session_id":"\u200b","hook_event_name":"Stop"}`,
		`{"session_id":"s1","hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion","tool_input":{"questions":[]}}`,
	} {
		w.send("claude", "%s", input)
	}
	for client, input := range map[string]string{"codex": `[]`, "opencode": `"x"`} {
		if err := w.hook.Run(t.Context(), client, []byte(input)); err == nil || len(w.printed) > 0 {
			t.Errorf("%s %s: %v", client, input, err)
		}
	}
	// A call that is too long to be shown is left to the client's own prompt.
	long := fmt.Sprintf(`{"session_id":"s1","cwd":"/shop","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":%q}}`, strings.Repeat("x", 3<<20))
	if err := w.hook.Run(t.Context(), "claude", []byte(long)); !errors.Is(err, ask.ErrLong) || len(w.waiting()) != 0 {
		t.Error(err)
	}
	if s := w.session(); s.State != model.SessionWaiting {
		t.Errorf("%+v", s)
	}
}

// FuzzRead checks that every input is read or refused, and that each answer can be printed.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{claudeBash, `{"type":"question.asked","properties":{"sessionID":"s","questions":[{"options":[{}]}]}}`} {
		for i := range contracts {
			f.Add(i, []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, i int, input []byte) {
		c := contracts[uint(i)%uint(len(contracts))]
		e, err := c.parseEvent(input, func(string) string { return "" })
		if err != nil || e.kind != askOpened {
			return
		}
		answer := ask.Answer{Allow: true}
		for _, q := range e.ask.Questions {
			r := ask.Reply{Text: "x"}
			if len(q.Options) > 0 {
				r = ask.Reply{Picks: []int{len(q.Options) - 1}}
			}
			answer.Replies = append(answer.Replies, r)
		}
		for _, a := range []ask.Answer{answer, {Text: "no"}, {}} {
			if text := e.print(&a); text != nil && !json.Valid(text) {
				t.Errorf("%s", text)
			}
		}
	})
}

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

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
