//go:build unix

package main

// The real clients of agents in a real terminal, with stand-ins for their models: Claude Code for the scripts in testdata/live, and Codex.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/codex"
	"gatehouse/parse/agents/record"
	"gatehouse/parse/agents/reply"
	"gatehouse/parse/agents/worktree"
)

// clientsVariable names the directory with the clients of agents, as npm installs them. .ci/run sets it.
const clientsVariable = "GATEHOUSE_CLIENTS"

// claudeClient returns the path of Claude Code.
func claudeClient(t *testing.T) string {
	t.Helper()
	client := filepath.Join(os.Getenv(clientsVariable), "claude")
	if _, err := os.Stat(client); os.Getenv(clientsVariable) == "" || err != nil {
		t.Skip("Claude Code is not installed: npm install @anthropic-ai/claude-code, and name its node_modules/.bin in " + clientsVariable)
	}
	return client
}

// agentSession is a client that runs in a terminal.
type agentSession struct {
	*terminal
	model *standIn
	store *ask.Store
	dir   string // the working directory
}

// agentScript is the client of a script.
type agentScript struct {
	agentSession
	client  string
	reader  *agents.Reader
	prompts int
	states  []string // the states that may have been seen so far

	mu       sync.Mutex
	snapshot *agents.Snapshot
	history  []string
}

// agentCommands are the commands of scripts about the client.
var agentCommands = map[string]func(s *liveScript, args []string){
	// claude prepares the client, without hooks if the argument is "late".
	"claude": func(s *liveScript, args []string) { s.prepareClaude(len(args) > 0) },
	// run ARG... starts the client in the directory ~/work. sh has it as $CLAUDE.
	"run": func(s *liveScript, args []string) {
		if len(args) == 0 {
			args = []string{"--permission-mode", "default"}
		}
		s.enter("cd '" + s.agent.dir + "'; clear; " + os.Expand("$CLAUDE ", func(string) string { return "'" + s.agent.client + "'" }) + strings.Join(args, " "))
		s.shows("❯")
	},
	// prompt SCRIPT has the model play a script. say TEXT types a command of the client.
	"prompt": func(s *liveScript, args []string) {
		s.agent.prompts++
		text := fmt.Sprintf("play:%s now, %d", args[0], s.agent.prompts)
		s.typeText(text)
		s.shows(text)
		s.press("Enter")
	},
	"say": func(s *liveScript, args []string) {
		s.typeText(args[0])
		s.shows(args[0])
		time.Sleep(200 * time.Millisecond) // the list of commands opens
		s.press("Enter")
	},
	// sees STATES waits for the states of the session, in order. One with "?" may be too short to be seen.
	"sees": func(s *liveScript, args []string) { s.agent.waitForStates(strings.Split(args[0], ", ")) },
	// when TEXT KEY presses a key in the client's own prompt, choose N LABEL selects a row there and confirms it, select only selects it.
	"when": func(s *liveScript, args []string) {
		s.shows(args[0])
		time.Sleep(300 * time.Millisecond) // the client draws before it reads keys
		s.press(args[1])
	},
	"choose": func(s *liveScript, args []string) { s.agent.selectRow(args[0], args[1], true) },
	"select": func(s *liveScript, args []string) { s.agent.selectRow(args[0], args[1], false) },
	// answer TEXT [ARG...] answers the ask with this text, by default with --allow, once the client's own prompt is shown.
	"answer": func(s *liveScript, args []string) {
		item := s.agent.waitForAsk(args[0])
		if args = args[1:]; len(args) == 0 {
			args = []string{"--allow"}
		}
		waitUntil(s.t, "the client's own prompt", func() bool { return strings.Contains(s.agent.ownState(), `"waiting"`) })
		cmd := s.shell(`exec gatehouse answer "$@"`)
		cmd.Args = append(cmd.Args, "sh", item.ID)
		cmd.Args = append(cmd.Args, args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			s.t.Fatalf("answer %v: %v: %s", args, err, out)
		}
	},
	// asked TEXT KIND DETAIL waits for an ask or turn whose plan, words or reason is DETAIL.
	"asked": func(s *liveScript, args []string) {
		item := s.agent.open(args[0], func(i ask.Item) bool { return strings.Contains(i.Text, args[0]) })
		if got := strconv.Quote(item.Plan + item.Message); string(item.Kind) != args[1] || got != args[2] {
			s.t.Errorf("%s: %s %s, want %s", args[0], item.Kind, got, args[2])
		}
	},
	// message TEXT waits until the model got a message with this text.
	"message": func(s *liveScript, args []string) {
		s.until("sent to the model: "+args[0], func(string) bool { return s.agent.model.hasMessage(args[0]) })
	},
	// kill SIGNALs the client.
	"kill": func(s *liveScript, _ []string) {
		_, snapshot := s.agent.seen()
		must(s.t, syscall.Kill(snapshot.Sessions[0].Process.PID, syscall.SIGKILL))
	},
	// ends [TEXT] checks that nothing waits, or one finished turn with this text, and that no further state was seen.
	"ends": func(s *liveScript, args []string) {
		gates, asks, line := "", "", ""
		if len(args) > 0 {
			gates, asks, line = "turn: "+args[0], "turn waiting: "+args[0], "◇ 1 your turn"
		}
		s.checkList("gates", gates)
		s.checkList("asks", asks)
		cmd := s.shell("statusline --shell plain --alerts --dir " + s.agent.dir)
		if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != line {
			s.t.Errorf("statusline shows %q, %v, want %q", out, err, line)
		}
		if history, _ := s.agent.seen(); !s.agent.expected().MatchString(history) {
			s.t.Errorf("seen later: %s", history)
		}
	},
	"lists": func(s *liveScript, args []string) { s.checkList(args[0], args[1]) },
}

// prepareClaude opens a terminal for the client, with its settings as after its first start, and records the states of its sessions.
func (s *liveScript) prepareClaude(late bool) {
	client := claudeClient(s.t)
	m := newScriptedModel(s.t, readScripts(s.t))
	m.thinks = 500 * time.Millisecond // long enough to see that the session runs
	s.open(120, 45, "ANTHROPIC_BASE_URL="+m.URL, "ANTHROPIC_AUTH_TOKEN=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
		"CLAUDE="+client)
	home := realPath(s.home)
	m.dir = filepath.Join(home, "work")
	a := &agentScript{client: client, states: []string{"none"}, agentSession: agentSession{terminal: s.terminal, model: m, dir: m.dir, store: s.askStore()}}
	s.agent = a
	must(s.t, os.MkdirAll(a.dir, 0o755))
	known, _ := json.Marshal(map[string]any{"hasCompletedOnboarding": true, "theme": "dark",
		"projects": map[string]any{a.dir: map[string]bool{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}}})
	must(s.t, os.WriteFile(filepath.Join(s.home, ".claude.json"), known, 0o600))
	if !late {
		liveCommands["sh"](s, []string{"gatehouse install claude"})
	}
	s.t.Cleanup(a.end)
	env := func(name string) string { return map[string]string{"PATH": os.Getenv("PATH")}[name] }
	user := parse.User{Home: home, Asks: a.store}
	a.reader = agents.NewReader(agents.Options{
		Store: a.store, Branch: worktree.Branch, Project: func(dir string) string { return parse.ProjectRoot(dir, user) },
		Records: record.NewReader(a.store, home, env),
	})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			a.recordState()
			select {
			case <-stop:
				return
			case <-time.After(glance):
			}
		}
	}()
	s.t.Cleanup(func() {
		close(stop)
		<-done
	})
}

// ownState returns the client's own record of its session.
func (s *agentSession) ownState() string {
	files, _ := filepath.Glob(filepath.Join(s.home, ".claude", "sessions", "*.json"))
	text, _ := os.ReadFile(strings.Join(files, ""))
	return string(text)
}

// end ends the client and its hooks. They write into the home directory while they run.
func (s *agentSession) end() {
	files, _ := filepath.Glob(filepath.Join(s.home, ".claude", "sessions", "*.json"))
	for _, file := range files {
		pid, _ := strconv.Atoi(strings.TrimSuffix(filepath.Base(file), ".json"))
		for pid > 0 && syscall.Kill(pid, syscall.SIGKILL) == nil {
			time.Sleep(glance)
		}
	}
	waitUntil(s.t, "the hooks have ended", func() bool {
		items, err := s.store.List(false)
		return err == nil && !slices.ContainsFunc(items, func(i ask.Item) bool { return i.Kind != ask.Turn })
	})
}

// recordState records the states of the sessions, if they have changed.
func (a *agentScript) recordState() {
	snapshot := a.reader.Read()
	var all []string
	for _, x := range snapshot.Sessions {
		state := string(x.State)
		if x.State == model.SessionWaiting && x.Waits != "" {
			state = "waiting elsewhere"
		}
		all = append(all, state)
	}
	slices.Sort(all)
	state := strings.Join(all, " + ")
	if state == "" {
		state = "none"
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.snapshot = snapshot
	if n := len(a.history); n == 0 || a.history[n-1] != state {
		a.history = append(a.history, state)
	}
}

// seen returns the states so far, and the last snapshot.
func (a *agentScript) seen() (history string, snapshot *agents.Snapshot) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return strings.Join(a.history, ", "), a.snapshot
}

// expected returns the pattern of the states so far.
func (a *agentScript) expected() *regexp.Regexp {
	pattern := "^none"
	for _, state := range a.states[1:] {
		if name, optional := strings.CutSuffix(state, "?"); optional {
			pattern += "(, " + name + ")?"
		} else {
			pattern += ", " + regexp.QuoteMeta(state)
		}
	}
	return regexp.MustCompile(pattern + "$")
}

// waitForStates waits until these states were seen after the former ones.
func (a *agentScript) waitForStates(states []string) {
	a.states = append(a.states, states...)
	want, began := a.expected(), time.Now()
	for history := ""; !want.MatchString(history); time.Sleep(glance) {
		if history, _ = a.seen(); time.Since(began) > waitLimit/2 {
			a.t.Fatalf("want %s\nseen %s", want, history)
		}
	}
}

// checkList waits until the output of gates or asks is want: "turn: Which one?; permission waiting: Bash: make".
func (s *liveScript) checkList(command, want string) {
	args := command + " --json"
	if command == "gates" {
		args += " " + s.agent.dir
	}
	s.until(fmt.Sprintf("%s: %q", command, want), func(string) bool {
		out, _ := s.shell("gatehouse " + args).Output()
		var all struct {
			Gates []struct{ Evidence, Text string }
			Asks  []struct{ Kind, State, Text string }
		}
		if err := json.Unmarshal(out, &all); err != nil {
			s.t.Fatalf("%s: %v: %s", command, err, out)
		}
		var lines []string
		for _, g := range all.Gates {
			lines = append(lines, g.Evidence+": "+g.Text)
		}
		for _, a := range all.Asks {
			lines = append(lines, a.Kind+" "+a.State+": "+a.Text)
		}
		return strings.Join(lines, "; ") == want
	})
}

// waitForAsk waits until the agent asks something that contains text, and returns the complete ask.
func (s *agentSession) waitForAsk(text string) *ask.Item {
	s.t.Helper()
	return s.open("asked: "+text, func(i ask.Item) bool { return i.Kind != ask.Turn && strings.Contains(i.Text, text) })
}

// open waits until an open item satisfies isSought, and returns it complete.
func (s *agentSession) open(what string, isSought func(ask.Item) bool) *ask.Item {
	s.t.Helper()
	var item *ask.Item
	waitUntil(s.t, what, func() bool {
		items, err := s.store.List(false)
		i := slices.IndexFunc(items, isSought)
		if err != nil || i < 0 {
			return false
		}
		item, err = s.store.Get(items[i].ID)
		return err == nil
	})
	return item
}

// checkEnd waits until an ask has ended, and checks how.
func (s *agentSession) checkEnd(id string, state ask.State, delivered bool) *ask.End {
	s.t.Helper()
	var now *ask.Item
	s.until("ended: "+id, func(string) bool {
		var err error
		now, err = s.store.Get(id)
		return err == nil && now.State != ask.Waiting && now.Delivered == delivered
	})
	if now.State != state {
		s.t.Errorf("%s has ended as %+v", id, now.End)
	}
	return now.End
}

// selectedRow matches the selected row of the client's own prompt, by its number.
var selectedRow = regexp.MustCompile(`❯ (\d)\. `)

// selectRow selects a row of the client's own prompt, and with confirm presses Enter until the prompt is gone. The client draws its prompt
// before it reads keys, so keys are pressed again.
func (a *agentScript) selectRow(row, label string, confirm bool) {
	a.t.Helper()
	var pressed time.Time
	isChosen := false
	a.until("selected: "+label, func(screen string) bool {
		m, key := selectedRow.FindStringSubmatch(screen), "Down"
		switch there := strings.Contains(screen, "❯ "+row+". "+label); {
		case there && !confirm, isChosen && !there:
			return true
		case there:
			key, isChosen = "Enter", true
		case m == nil:
			return false
		case m[1] > row:
			key = "Up"
		}
		if time.Since(pressed) > time.Second {
			pressed = time.Now()
			a.press(key)
		}
		return false
	})
}

// block is a part of an answer: "text", "tool_use", "sleep" (Millis), "error" (an HTTP error after Millis, the first Times requests) or "cut" (the
// connection ends).
type block struct {
	Type   string          `json:"type"`
	Text   string          `json:"text,omitempty"`
	Name   string          `json:"name,omitempty"`
	Input  json.RawMessage `json:"input,omitempty"`
	Millis int             `json:"millis,omitempty"`
	Status int             `json:"status,omitempty"`
	Times  int             `json:"times,omitempty"`
}

// script has the answers of the model, in order.
type script [][]block

// standIn is a model that plays scripts. A prompt with "play:NAME" starts one; prompts without it play the script "".
type standIn struct {
	*httptest.Server
	scripts map[string]script
	dir     string // "WORKDIR" in calls
	// thinks is the time before the first answer of a script: real models take seconds.
	thinks time.Duration
	mu     sync.Mutex
	// answers and calls number the answers: the client treats two with the same number as one.
	answers, calls int
	failed         map[string]int // sent errors, by script and answer
	lastMessages   []string       // all messages of the last request, as JSON
}

// newScriptedModel returns a model that plays the scripts.
func newScriptedModel(t *testing.T, scripts map[string]script) *standIn {
	m := &standIn{scripts: scripts, failed: map[string]int{}}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(func() {
		m.CloseClientConnections()
		m.Close()
	})
	return m
}

// hasMessage reports whether the agent's last request to the model contains text.
func (m *standIn) hasMessage(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Contains(strings.Join(m.lastMessages, "\n"), text)
}

var (
	// planFile matches the path of a plan in a message of the client.
	planFile = regexp.MustCompile(`/[^\s"\\]*/plans/[A-Za-z0-9_-]+\.md`)
	// played matches the script that a prompt starts.
	played = regexp.MustCompile(`play:(\w+)`)
)

// message is a message of a request.
type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// words returns the text of a message, without results of calls.
func (m *message) words() (text string) {
	var blocks []block
	if json.Unmarshal(m.Content, &text) == nil || json.Unmarshal(m.Content, &blocks) != nil {
		return text
	}
	for _, b := range blocks {
		text += b.Text + "\n"
	}
	return text
}

// position returns the script that plays, and the number of its answers so far.
func position(messages []message) (name string, turn int) {
	for _, m := range messages {
		if m.Role == "assistant" {
			turn++
		} else if found := played.FindAllStringSubmatch(m.words(), -1); found != nil {
			name, turn = found[len(found)-1][1], 0
		}
	}
	return name, turn
}

func (m *standIn) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var q struct {
		Stream   bool              `json:"stream"`
		Tools    []json.RawMessage `json:"tools"`
		Messages []message         `json:"messages"`
	}
	json.Unmarshal(body, &q)
	switch {
	case strings.Contains(r.URL.Path, "count_tokens"):
		io.WriteString(w, `{"input_tokens":10}`)
		return
	case r.Method != http.MethodPost || !strings.Contains(r.URL.Path, "/v1/messages"):
		io.WriteString(w, `{"data":[]}`)
		return
	}
	answer := []block{{Type: "text", Text: "ok"}} // for other requests of the client: a title, a summary
	if len(q.Tools) > 0 {
		name, turn := position(q.Messages)
		if answer = []block{{Type: "text", Text: "All done."}}; turn < len(m.scripts[name]) {
			answer = m.scripts[name][turn]
		}
		m.mu.Lock()
		m.lastMessages = nil
		for _, message := range q.Messages {
			m.lastMessages = append(m.lastMessages, string(message.Content))
		}
		m.mu.Unlock()
		if m.fail(w, answer[0], fmt.Sprint(name, turn)) {
			return
		}
		if turn == 0 {
			time.Sleep(m.thinks)
		}
	}
	m.say(w, r, answer, q.Stream, string(planFile.Find(body)))
}

// fail sends the error of a block, if it is an error that was not sent often enough yet.
func (m *standIn) fail(w http.ResponseWriter, b block, key string) bool {
	m.mu.Lock()
	m.failed[key]++
	fails := b.Type == "error" && m.failed[key] <= b.Times
	m.mu.Unlock()
	if fails {
		time.Sleep(time.Duration(b.Millis) * time.Millisecond)
		w.Header().Set("content-type", "application/json")
		w.WriteHeader(b.Status)
		json.NewEncoder(w).Encode(map[string]any{"type": "error", "error": map[string]string{"type": "api_error", "message": b.Text}})
	}
	return fails
}

// say writes an answer, as a stream of events or whole.
func (m *standIn) say(w http.ResponseWriter, r *http.Request, answer []block, stream bool, plan string) {
	stop := "end_turn"
	var content []map[string]any
	pauses := map[int]time.Duration{} // by the index of the content that they precede
	cut := false
	m.mu.Lock()
	for _, b := range answer {
		switch b.Type {
		case "text":
			content = append(content, map[string]any{"type": "text", "text": b.Text})
		case "tool_use":
			stop = "tool_use"
			m.calls++
			input := json.RawMessage(strings.NewReplacer("PLANFILE", plan, "WORKDIR", m.dir).Replace(string(b.Input)))
			content = append(content, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%06d", m.calls), "name": b.Name, "input": input})
		case "sleep":
			pauses[len(content)] = time.Duration(b.Millis) * time.Millisecond
		case "cut":
			cut = true
		}
	}
	m.answers++
	id := fmt.Sprintf("msg_%06d", m.answers)
	m.mu.Unlock()
	pause := func(i int) bool {
		select {
		case <-time.After(pauses[i]):
			return true
		case <-r.Context().Done():
			return false
		}
	}
	whole := map[string]any{"id": id, "type": "message", "role": "assistant", "model": "stand-in", "content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]int{"input_tokens": 1, "output_tokens": 1}}
	if !stream {
		w.Header().Set("content-type", "application/json")
		json.NewEncoder(w).Encode(whole)
		return
	}
	w.Header().Set("content-type", "text/event-stream")
	event := func(kind string, more map[string]any) {
		more["type"] = kind
		text, _ := json.Marshal(more)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, text)
		w.(http.Flusher).Flush()
	}
	whole["content"], whole["stop_reason"] = []any{}, nil
	event("message_start", map[string]any{"message": whole})
	for i, c := range content {
		if !pause(i) {
			return
		}
		delta := map[string]any{"type": "text_delta", "text": c["text"]}
		if c["type"] == "tool_use" {
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(c["input"].(json.RawMessage))}
			c["input"] = map[string]any{}
		} else {
			c["text"] = ""
		}
		event("content_block_start", map[string]any{"index": i, "content_block": c})
		event("content_block_delta", map[string]any{"index": i, "delta": delta})
		if cut && i == len(content)-1 {
			panic(http.ErrAbortHandler)
		}
		event("content_block_stop", map[string]any{"index": i})
	}
	if !pause(len(content)) {
		return
	}
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]int{"output_tokens": 5}})
	event("message_stop", map[string]any{})
}

// responses is a model that implements as much of the Responses API as Codex needs. It repeats the last message. For messages that
// start with "plan" or "make" it calls a tool first.
func responses(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var q struct {
		Input []struct {
			Type    string `json:"type"`
			Role    string `json:"role"`
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
			Output any `json:"output"`
		} `json:"input"`
	}
	json.Unmarshal(body, &q)
	prompt, called := "", ""
	for _, i := range q.Input {
		switch {
		case i.Role == "user" && len(i.Content) > 0:
			prompt, called = i.Content[len(i.Content)-1].Text, ""
		case i.Type == "function_call_output":
			called = fmt.Sprint(i.Output)
		}
	}
	id := fmt.Sprint(time.Now().UnixNano())
	item := map[string]any{"type": "message", "id": "m" + id, "role": "assistant", "status": "completed",
		"content": []map[string]any{{"type": "output_text", "text": "I heard: " + prompt + " " + strings.Map(func(r rune) rune {
			if strings.ContainsRune("{}[]\\\"", r) {
				return -1
			}
			return r
		}, called)}}}
	calls := map[string][2]string{
		"make": {"exec_command", `{"cmd":"touch made-by-agent","sandbox_permissions":"require_escalated","justification":"Make the file"}`},
		"plan": {"request_user_input", `{"questions":[{"id":"db","header":"Database","question":"Which database?","options":[{"label":"Postgres","description":"A server"},{"label":"SQLite","description":"One file"}]}]}`},
	}
	word, _, _ := strings.Cut(prompt, " ")
	if call, ok := calls[word]; ok && called == "" {
		item = map[string]any{"type": "function_call", "id": "f" + id, "call_id": "c" + id, "name": call[0], "arguments": call[1], "status": "completed"}
	}
	w.Header().Set("content-type", "text/event-stream")
	for _, event := range []map[string]any{
		{"type": "response.created", "response": map[string]any{"id": id}},
		{"type": "response.output_item.done", "output_index": 0, "item": item},
		{"type": "response.completed", "response": map[string]any{"id": id, "output": []any{item},
			"usage": map[string]any{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": nil, "output_tokens_details": nil}}},
	} {
		text, _ := json.Marshal(event)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event["type"], text)
	}
}

func TestLiveCodex(t *testing.T) {
	t.Parallel()
	client := filepath.Join(os.Getenv(clientsVariable), "codex")
	if _, err := os.Stat(client); os.Getenv(clientsVariable) == "" || err != nil {
		t.Skip("Codex is not installed: npm install @openai/codex, and name its node_modules/.bin in " + clientsVariable)
	}
	model := httptest.NewServer(http.HandlerFunc(responses))
	t.Cleanup(model.Close)
	w := openTerminal(t, 120, 45, "STUB_KEY=none")
	dir := filepath.Join(w.home, "work")
	config := fmt.Sprintf("model = \"stand-in\"\nmodel_provider = \"stub\"\napproval_policy = \"on-request\"\nsandbox_mode = \"workspace-write\"\n"+
		"[model_providers.stub]\nname = \"stub\"\nbase_url = \"%s/v1\"\nwire_api = \"responses\"\nenv_key = \"STUB_KEY\"\n"+
		"[projects.\"%s\"]\ntrust_level = \"trusted\"\n[tui]\nscreen_reader_detection_done = true\n", model.URL, dir)
	for _, d := range []string{dir, filepath.Join(w.home, ".codex")} {
		must(t, os.MkdirAll(d, 0o755))
	}
	must(t, os.WriteFile(filepath.Join(w.home, ".codex", "config.toml"), []byte(config), 0o600))
	env := func(name string) string { return map[string]string{"PATH": os.Getenv("PATH")}[name] }
	s := &agentSession{terminal: w, store: w.askStore(), dir: dir}
	bridge := &codex.Bridge{Socket: codex.Socket(w.home, env), Store: s.store, Project: func(dir string) string { return dir }, Poll: 100 * time.Millisecond}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { bridge.Run(ctx); close(done) }()
	t.Cleanup(func() {
		stop()
		<-done
		daemon := exec.Command(client, "app-server", "daemon", "stop")
		daemon.Env = []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH")}
		daemon.Run()
	})
	idle := func() {
		t.Helper()
		waitUntil(t, "idle", func() bool { all := bridge.Sessions(); return len(all) == 1 && all[0].State == "idle" })
	}
	say := func(words string) {
		idle()
		w.typeText(words)
		w.shows("› " + words)
		time.Sleep(300 * time.Millisecond) // Codex takes Enter right after typed text as part of a paste
		w.press("Enter")
	}
	answer := func(id string, a ask.Answer) { // not by a command, which would be a child of the asking process
		if _, err := s.store.Answer(id, a, ask.ByDashboard); err != nil {
			t.Fatal(err)
		}
	}
	w.enter("cd work; clear; '" + client + "'")
	w.shows("OpenAI Codex (v", "Ask Codex")

	// A permission is answered here, and Codex closes its own dialog.
	say("make")
	w.shows("Would you like to run the following command?")
	item := s.waitForAsk("Bash: touch made-by-agent")
	if item.Call.Reason != "Make the file" || item.Project != dir {
		t.Errorf("%+v", item)
	}
	answer(item.ID, ask.Answer{Allow: true})
	w.gone("Would you like to run the following command?")
	waitUntil(t, "made", func() bool { _, err := os.Stat(filepath.Join(dir, "made-by-agent")); return err == nil })
	s.checkEnd(item.ID, ask.Answered, true)

	// After an answer in Codex, it no longer waits here.
	say("make again")
	item = s.waitForAsk("Bash: touch made-by-agent")
	w.shows("Would you like to run the following command?")
	w.press("y")
	if end := s.checkEnd(item.ID, ask.Withdrawn, false); end.Reason != "answered in the agent's own prompt" {
		t.Errorf("%+v", end)
	}

	// A reply reaches the thread as a message of its user.
	idle()
	thread := bridge.Sessions()[0].ID
	if !codex.ServesDaemon(ctx, bridge.Socket, thread) {
		t.Error("the daemon does not serve its own thread")
	}
	doors := &reply.Doors{Home: w.home, Env: env, Store: s.store}
	to := &ask.Session{}
	to.Agent, to.ID, to.Project, to.Dir, to.Alive = "codex", thread, dir, dir, true
	must(t, doors.Send(ctx, to, "", "Use SQLite.", ask.ByCommand))
	w.shows("› Use SQLite.", "I heard: Use SQLite.")

	// A question of plan mode.
	say("/plan")
	w.shows("Plan mode")
	say("plan")
	item = s.waitForAsk("Which database?")
	w.shows("Which database?")
	answer(item.ID, ask.Answer{Allow: true, Replies: []ask.Reply{{Picks: []int{1}}}})
	w.shows("answers:SQLite")
	s.checkEnd(item.ID, ask.Answered, true)
}
