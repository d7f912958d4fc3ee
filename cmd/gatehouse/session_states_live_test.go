//go:build unix

package main

// The states of real sessions. Each case plays a script in a real client, acts like a user, and lists the states in which the
// session must be seen, in order.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
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
	"gatehouse/parse/agents/record"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/agents/worktree"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/process"
)

// stateCase is a session with its actions and expected states.
type stateCase struct {
	name  string
	flags string           // command-line flags of the client
	env   []string         // environment of the client, "NAME=value"
	late  bool             // the hooks are not installed
	in    func(*stateTest) // prepares the directory of the session
	steps []stateStep
	// The final output of gates, asks and statusline --alerts: "turn: Which one?", "turn waiting: Which one?", "◇ 1".
	gates, asks, alerts string
}

// stateStep is an action and the states that follow it, separated by ", ". A state with "?" may be too short to be seen. check runs
// after the last state was seen.
type stateStep struct {
	do    func(*stateTest)
	sees  string
	check func(*stateTest)
}

// stateTest is a running case.
type stateTest struct {
	*agentSession
	c       stateCase
	client  string // its command line
	reader  *agents.Reader
	prompts int

	mu       sync.Mutex
	snapshot *agents.Snapshot
	history  []string
	times    []time.Duration // time since the start, for each entry of history
	began    time.Time
}

// watch records each state of the sessions until the test ends.
func (s *stateTest) watch() {
	stop, done := make(chan struct{}), make(chan struct{})
	s.began = time.Now()
	go func() {
		defer close(done)
		for {
			snapshot := s.reader.Read()
			state := "none"
			var all []string
			for _, x := range snapshot.Sessions {
				if all = append(all, string(x.State)); x.State == model.SessionWaiting && x.Waits != "" {
					all[len(all)-1] = "waiting elsewhere"
				}
			}
			if slices.Sort(all); len(all) > 0 {
				state = strings.Join(all, " + ")
			}
			s.mu.Lock()
			s.snapshot = snapshot
			if n := len(s.history); n == 0 || s.history[n-1] != state {
				s.history, s.times = append(s.history, state), append(s.times, time.Since(s.began))
			}
			s.mu.Unlock()
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

// seen returns the states so far, and the last snapshot.
func (s *stateTest) seen() (history string, snapshot *agents.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.history, ", "), s.snapshot
}

// session returns the only session.
func (s *stateTest) session() agents.Session {
	s.t.Helper()
	_, snapshot := s.seen()
	if len(snapshot.Sessions) != 1 {
		s.t.Fatalf("%d sessions: %+v", len(snapshot.Sessions), snapshot.Sessions)
	}
	return snapshot.Sessions[0]
}

// expected returns the pattern of states that steps allow.
func expected(states []string) *regexp.Regexp {
	var pattern strings.Builder
	for i, state := range states {
		name, optional := strings.CutSuffix(state, "?")
		part := regexp.QuoteMeta(name)
		if i > 0 {
			part = ", " + part
		}
		if optional {
			part = "(" + part + ")?"
		}
		pattern.WriteString(part)
	}
	return regexp.MustCompile("^" + pattern.String() + "$")
}

// play runs the steps of the case.
func (s *stateTest) play() {
	s.watch()
	states := []string{"none"}
	for i, step := range s.c.steps {
		if step.do != nil {
			step.do(s)
		}
		if step.sees != "" {
			states = append(states, strings.Split(step.sees, ", ")...)
		}
		want := expected(states)
		for history := ""; !want.MatchString(history); time.Sleep(glance) {
			if history, _ = s.seen(); time.Since(s.began) > stateLimit {
				s.t.Fatalf("step %d: want %s\nseen %v\n  at %v", i+1, want, s.history, s.times)
			}
		}
		if step.check != nil {
			step.check(s)
		}
	}
	s.checkStatus(strings.TrimSuffix(states[len(states)-1], " elsewhere"))
	s.checkList("gates", s.c.gates)
	s.checkList("asks", s.c.asks)
	out, err := s.command("statusline", "--shell", "plain", "--alerts", "--dir", s.dir).Output()
	if got := strings.TrimSpace(string(out)); err != nil || got != s.c.alerts {
		s.t.Errorf("statusline shows %q, %v, want %q", got, err, s.c.alerts)
	}
	if history, _ := s.seen(); !expected(states).MatchString(history) {
		s.t.Errorf("seen later: %s", history)
	}
	s.t.Logf("%v\n%v", s.history, s.times)
}

// stateLimit bounds the duration of a case.
const stateLimit = waitLimit / 2

// command returns a command of this project as the user runs it.
func (s *stateTest) command(name string, args ...string) *exec.Cmd {
	s.t.Helper()
	bin, err := Binary()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(bin, name), args...)
	cmd.Dir, cmd.Env = s.home, []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	return cmd
}

// checkList waits until the output of gates or asks is want: "turn: Which one?; permission waiting: Bash: make".
func (s *stateTest) checkList(command, want string) {
	s.t.Helper()
	args := []string{command, "--json"}
	if command == "gates" {
		args = append(args, s.dir)
	}
	got := ""
	for end := time.Now().Add(waitLimit); time.Now().Before(end); time.Sleep(glance) {
		out, _ := s.command("gatehouse", args...).Output()
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
		if got = strings.Join(lines, "; "); got == want {
			return
		}
	}
	s.t.Errorf("%s lists %q, want %q", command, got, want)
}

// checkStatus checks the state of the session in gatehouse checkStatus.
func (s *stateTest) checkStatus(want string) {
	s.t.Helper()
	out, _ := s.command("gatehouse", "status", "--json", s.dir).Output()
	var all struct {
		Projects []struct {
			Builds []struct{ Nodes []struct{ Kind, Raw string } }
		}
	}
	if err := json.Unmarshal(out, &all); err != nil {
		s.t.Fatalf("status: %v: %s", err, out)
	}
	var states []string
	for _, p := range all.Projects {
		for _, b := range p.Builds {
			for _, n := range b.Nodes {
				if n.Kind == string(model.KindSession) {
					states = append(states, n.Raw)
				}
			}
		}
	}
	if got := cmp.Or(strings.Join(states, " + "), "none"); got != want {
		s.t.Errorf("status shows %s, want %s", got, want)
	}
}

// Actions.

// prompts types a prompt that starts a script.
func prompts(name string) func(*stateTest) {
	return func(s *stateTest) {
		s.prompts++
		text := fmt.Sprintf("play:%s now, %d", name, s.prompts)
		s.typeText(text)
		s.shows(text)
		s.press("Enter")
	}
}

// types types a command of the client.
func types(text string) func(*stateTest) {
	return func(s *stateTest) {
		s.typeText(text)
		s.shows(text)
		time.Sleep(200 * time.Millisecond) // the list of commands opens
		s.press("Enter")
	}
}

// starts starts the client.
func starts(s *stateTest) {
	s.enter("cd '" + s.dir + "'; clear; " + strings.Join(s.c.env, " ") + " " + s.client + " " + cmp.Or(s.c.flags, "--permission-mode default"))
	s.shows("❯")
}

// allows answers the ask that contains text.
func allows(text string, args ...string) func(*stateTest) {
	if len(args) == 0 {
		args = []string{"--allow"}
	}
	return func(s *stateTest) {
		item := s.waitForAsk(text)
		waitUntil(s.t, "the client's own prompt", func() bool { // a human answers only after it is shown
			files, _ := filepath.Glob(filepath.Join(s.home, ".claude", "sessions", "*.json"))
			text, err := os.ReadFile(strings.Join(files, ""))
			return err == nil && strings.Contains(string(text), `"waiting"`)
		})
		s.answer(item.ID, args...)
	}
}

// presses waits for text on the screen and presses a key.
func presses(key, text string) func(*stateTest) {
	return func(s *stateTest) {
		s.shows(text)
		time.Sleep(300 * time.Millisecond) // the client draws before it reads keys
		s.press(key)
	}
}

func text(s string) block { return block{Type: "text", Text: s} }

func use(name string, input map[string]any) block {
	data, _ := json.Marshal(input)
	return block{Type: "tool_use", Name: name, Input: data}
}

func bash(command, why string) block {
	return use("Bash", map[string]any{"command": command, "description": why})
}

func labels(names ...string) (all []map[string]string) {
	for _, name := range names {
		all = append(all, map[string]string{"label": name, "description": ""})
	}
	return all
}

func pause(d time.Duration) block { return block{Type: "sleep", Millis: int(d.Milliseconds())} }

// stateScripts are the scripts that the model plays.
var stateScripts = map[string]script{
	"words": {{text("I look first."), bash("echo looked", "Look")}, {text("Both work.\n\nShall the shop use Reed or Moss?")}},
	"done":  {{text("The lantern is lit.")}},
	"edit": {
		{text("A page first."), use("Write", map[string]any{"file_path": "WORKDIR/page.txt", "content": "one\n"})},
		{use("Edit", map[string]any{"file_path": "WORKDIR/page.txt", "old_string": "one", "new_string": "two"})},
		{bash("touch made-by-agent", "Make the lantern")}, {text("Three calls made.")},
	},
	"questions": {{use("AskUserQuestion", map[string]any{"questions": []map[string]any{
		{"question": "Which shade?", "header": "Shade", "multiSelect": false, "options": labels("Paper", "Cloth")},
		{"question": "Which parts?", "header": "Parts", "multiSelect": true, "options": labels("Hook", "Cord, 2 m", "Switch")}}})},
		{use("AskUserQuestion", map[string]any{"questions": []map[string]any{
			{"question": "Which name?", "header": "Name", "multiSelect": false, "options": labels("Lantern", "Lamp")}}})},
		{text("The shade is chosen.")}},
	"helper": {{use("Agent", map[string]any{"prompt": "play:child", "description": "Make it", "subagent_type": "general-purpose", "run_in_background": true})},
		{text("The helper works.")}, {text("The helper is done.")}},
	"child": {{pause(3 * time.Second), bash("touch made-by-agent", "Make the lantern")}, {text("Made.")}},
	"plan": {{use("Write", map[string]any{"file_path": "PLANFILE", "content": "# A lantern\n\n1. Fold a grid.\n"})},
		{use("ExitPlanMode", map[string]any{})}, {use("ExitPlanMode", map[string]any{})}, {bash("touch made-by-agent", "Make the lantern")}, {text("Planned and made.")}},
	"stream":   {{text("I think about wicks."), pause(time.Minute), text("Nothing stopped me.")}},
	"slowtool": {{bash("timeout 60 tail -f /dev/null", "Wait for long")}, {text("Nothing stopped it.")}},
	"bad":      {{{Type: "error", Status: 400, Times: 9, Text: "The request is odd"}}},
	"busy":     {{{Type: "error", Status: 529, Times: 2, Millis: 2500, Text: "Overloaded"}, text("It worked in the end.")}},
	"limit":    {{{Type: "error", Status: 429, Times: 99, Text: "Too many requests"}}},
	"cut":      {{text("This sentence ends in the"), {Type: "cut"}}},
	"shell": {{use("Bash", map[string]any{"command": "sleep 4; echo built", "description": "Build", "run_in_background": true})},
		{text("The build runs beside this.")}, {text("The build has ended.")}},
	"agents": {{text("Two agents help."),
		use("Agent", map[string]any{"prompt": "play:first", "description": "Read the tests", "subagent_type": "general-purpose", "run_in_background": true}),
		use("Agent", map[string]any{"prompt": "play:second", "description": "Read the docs", "subagent_type": "general-purpose", "run_in_background": true})},
		{text("Both agents work.")}, {text("One has reported.")}, {text("Both have reported.")}},
	"shortly": {{pause(2 * time.Second), bash("echo looked", "Look")}, {text("Looked.")}},
	"first":   {{pause(2 * time.Second), bash("echo tests", "Look")}, {text("The tests are fine.")}},
	"second":  {{pause(5 * time.Second), bash("echo docs", "Look")}, {text("The docs are fine.")}},
}

var claudeStates = []stateCase{
	{name: "words", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("words"), sees: "running, your turn", check: func(s *stateTest) {
			item := s.waitForTurn("Shall the shop")
			if item.Message != "Both work.\n\nShall the shop use Reed or Moss?" {
				s.t.Errorf("%+v", item)
			}
		}},
		{do: prompts("done"), sees: "running, your turn"},
	}, gates: "turn: The lantern is lit.", asks: "turn waiting: The lantern is lit.", alerts: "◇ 1 your turn"},
	{name: "three asks", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("edit"), sees: "running, waiting"},
		{do: allows("Write"), sees: "running?, waiting?"},
		{do: allows("Edit"), sees: "running?, waiting?"},
		{do: allows("Bash: touch"), sees: "running?, your turn"},
	}, gates: "turn: Three calls made.", asks: "turn waiting: Three calls made.", alerts: "◇ 1 your turn"},
	{name: "questions", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("questions"), sees: "running, waiting"},
		{do: allows("Which shade?", "--text", "1=A shade of leaves", "--pick", "2=Hook", "--pick", "2=Cord, 2 m"), sees: "running?, waiting?"},
		{do: func(s *stateTest) { // answered in the client's own prompt
			s.waitForMessage(`\"Which shade?\"=\"A shade of leaves\"`)
			s.waitForMessage(`\"Which parts?\"=\"Hook, \"Cord, 2 m\"\"`)
			item := s.waitForAsk("Which name?")
			s.chooseRow(2, "Lamp")
			if end := s.checkEnd(item.ID, ask.Withdrawn, false); end.Reason != ask.ReasonTerminal {
				s.t.Errorf("%+v", end)
			}
			if out, code := s.run("answer", item.ID, "--pick", "Lantern"); code != exitRefused || !strings.Contains(out, ask.ReasonTerminal) {
				s.t.Errorf("%d: %s", code, out)
			}
		}, sees: "running?, your turn", check: func(s *stateTest) {
			decisions, err := journal.Open(nil, filepath.Join(s.home, ".local", "state", "gatehouse", "journal"), s.dir).Read()
			if err != nil || len(decisions) != 1 || decisions[0].Text != "A shade of leaves\nHook\nCord, 2 m" {
				s.t.Errorf("%+v, %v", decisions, err)
			}
		}},
	}, gates: "turn: The shade is chosen.", asks: "turn waiting: The shade is chosen.", alerts: "◇ 1 your turn"},
	{name: "Esc at a question", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("questions"), sees: "running, waiting", check: func(s *stateTest) {
			s.checkList("gates", "live ask: Which shade?")
			s.checkList("asks", "question waiting: Which shade?")
		}},
		{do: func(s *stateTest) {
			item := s.waitForAsk("Which shade?")
			s.selectRow(2, "Cloth")
			s.press("Escape")
			if end := s.checkEnd(item.ID, ask.Withdrawn, false); !strings.Contains(end.Reason, "stopped waiting") {
				s.t.Errorf("%+v", end)
			}
		}, sees: "running?, idle?, interrupted"},
	}},
	{name: "an agent's own prompt", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("helper"), sees: "running, waiting elsewhere", check: func(s *stateTest) {
			s.checkList("gates", "live ask: claude asks in its own prompt: Bash: touch made-by-agent")
			s.checkList("asks", "permission elsewhere: claude asks in its own prompt: Bash: touch made-by-agent")
		}},
		{do: presses("Enter", "Do you want to proceed?"), sees: "running?, waiting elsewhere?, running?, idle?, running?, your turn"},
	}, gates: "turn: The helper is done.", asks: "turn waiting: The helper is done.", alerts: "◇ 1 your turn"},
	{name: "plan", flags: "--permission-mode plan", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("plan"), sees: "running, waiting", check: func(s *stateTest) {
			if item := s.waitForAsk("approve the plan: A lantern"); item.Kind != ask.Plan || item.Plan != "# A lantern\n\n1. Fold a grid.\n" || item.File == "" {
				s.t.Errorf("%+v", item)
			}
		}},
		{do: allows("approve the plan: A lantern", "--deny", "Fold a spiral."), sees: "running?, waiting?"},
		{do: func(s *stateTest) { s.waitForMessage("Fold a spiral.") }},
		{do: allows("approve the plan: A lantern"), sees: "running?, waiting?"},
		{do: allows("Bash: touch"), sees: "running?, your turn"},
	}, gates: "turn: Planned and made.", asks: "turn waiting: Planned and made.", alerts: "◇ 1 your turn"},
	{name: "denied", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("slowtool"), sees: "running, waiting"},
		{do: allows("Bash: timeout", "--deny", "not now"), sees: "running?, your turn"},
	}, gates: "turn: Nothing stopped it.", asks: "turn waiting: Nothing stopped it.", alerts: "◇ 1 your turn"},
	{name: "Esc in a stream", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("stream"), sees: "running"},
		{do: presses("Escape", "I think about wicks"), sees: "idle?, interrupted"},
		{do: prompts("done"), sees: "running, your turn"},
	}, gates: "turn: The lantern is lit.", asks: "turn waiting: The lantern is lit.", alerts: "◇ 1 your turn"},
	{name: "Esc at a permission", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("slowtool"), sees: "running, waiting"},
		{do: presses("Escape", "Do you want to proceed?"), sees: "running?, idle?, interrupted"},
	}},
	{name: "Esc in a tool", flags: "--permission-mode default --allowedTools Bash", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("slowtool"), sees: "running"},
		{do: presses("Escape", "tail -f"), sees: "idle?, interrupted"},
	}},
	{name: "API 400", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("bad"), sees: "running, failed"},
	}, gates: "turn: API Error: 400 The request is odd", asks: "turn waiting: API Error: 400 The request is odd", alerts: "◇ 1 your turn"},
	{name: "API 529", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("busy"), sees: "running, retrying, running?, your turn"},
	}, gates: "turn: It worked in the end.", asks: "turn waiting: It worked in the end.", alerts: "◇ 1 your turn"},
	{name: "API 429", env: []string{"CLAUDE_CODE_MAX_RETRIES=3"}, steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("limit"), sees: "running, retrying?, running?, retrying?, failed"},
	}, gates: "turn: API Error: Request rejected (429) · Too many requests", asks: "turn waiting: API Error: Request rejected (429) · Too many requests", alerts: "◇ 1 your turn"},
	{name: "cut", env: []string{"CLAUDE_CODE_MAX_RETRIES=2"}, steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("cut"), sees: "running, retrying?, running?, your turn"},
	}, gates: "turn: This sentence ends in the", asks: "turn waiting: This sentence ends in the", alerts: "◇ 1 your turn"},
	{name: "background shell", flags: "--permission-mode default --allowedTools Bash", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("shell"), sees: "running, your turn, running, your turn"},
	}, gates: "turn: The build has ended.", asks: "turn waiting: The build has ended.", alerts: "◇ 1 your turn"},
	{name: "background agents", flags: "--permission-mode default --allowedTools Bash", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("agents"), sees: "running", check: func(s *stateTest) {
			waitUntil(s.t, "two agents", func() bool {
				a := s.session().Agents
				return len(a) == 2 && a[0].Type == "general-purpose" && a[1].Type == "general-purpose"
			})
		}},
		{sees: "idle?, running?, your turn"}, // idle between the end of an agent and the turn that reports it
	}, gates: "turn: Both have reported.", asks: "turn waiting: Both have reported.", alerts: "◇ 1 your turn"},
	{name: "clear", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("done"), sees: "running, your turn"},
		{do: types("/clear"), sees: "none?, idle?, running?, idle"},
		{do: prompts("done"), sees: "running, your turn"},
	}, gates: "turn: The lantern is lit.", asks: "turn waiting: The lantern is lit.", alerts: "◇ 1 your turn"},
	{name: "compact", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("done"), sees: "running, your turn"},
		{do: types("/compact"), sees: "running?, idle?", check: func(s *stateTest) { s.shows("Compacted") }},
		{do: prompts("done"), sees: "running, your turn"},
	}, gates: "turn: The lantern is lit.", asks: "turn waiting: The lantern is lit.", alerts: "◇ 1 your turn"},
	{name: "linked worktree", in: linkWorktree, steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("done"), sees: "running, your turn", check: func(s *stateTest) {
			if x := s.session(); x.Project != filepath.Join(filepath.Dir(s.dir), "shop") || x.Branch != "side" || x.Dir != s.dir {
				s.t.Errorf("%+v", x)
			}
			s.dir = s.session().Project
		}},
	}, gates: "turn: The lantern is lit.", asks: "turn waiting: The lantern is lit.", alerts: "◇ 1 your turn"},
	{name: "killed", flags: "--permission-mode default --allowedTools Bash", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("slowtool"), sees: "running"},
		{do: func(s *stateTest) { syscall.Kill(s.session().Process.PID, syscall.SIGKILL) }, sees: "crashed"},
	}},
	{name: "killed while it asks", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("slowtool"), sees: "running, waiting"},
		{do: func(s *stateTest) {
			item := s.waitForAsk("Bash: timeout")
			syscall.Kill(item.Owner.PID, syscall.SIGKILL)
			s.checkEnd(item.ID, ask.Withdrawn, false)
			waitUntil(s.t, "the hook has ended", func() bool { return process.LifeOf(process.System{}, item.Asker) == process.Gone })
		}, sees: "running?, crashed"},
	}},
	{name: "exit", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("done"), sees: "running, your turn"},
		{do: types("/exit"), sees: "idle?, none"},
	}},
	{name: "without hooks", late: true, steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("done"), sees: "running, idle, your turn"},
	}, gates: "turn: The lantern is lit.", asks: "turn waiting: The lantern is lit.", alerts: "◇ 1 your turn"},
	{name: "second process", steps: []stateStep{
		{do: starts, sees: "idle"},
		{do: prompts("words"), sees: "running, your turn"},
		{do: func(s *stateTest) { s.headless("--resume", s.session().ID, "-p", "play:done") }},
	}, gates: "turn: Shall the shop use Reed or Moss?", asks: "turn waiting: Shall the shop use Reed or Moss?", alerts: "◇ 1 your turn"},
	{name: "headless", steps: []stateStep{
		{do: func(s *stateTest) { go s.headless("-p", "play:shortly", "--allowedTools", "Bash") }, sees: "idle?, running", check: func(s *stateTest) {
			if x := s.session(); x.Kind != "headless" {
				s.t.Errorf("%+v", x)
			}
		}},
		{sees: "your turn?, idle?, none"},
	}},
}

// linkWorktree makes a repository with a second worktree, in which the session works.
func linkWorktree(s *stateTest) {
	repository := filepath.Join(filepath.Dir(s.dir), "shop")
	for _, args := range [][]string{
		{"init", "-q", "-b", "main", repository}, {"-C", repository, "commit", "-q", "--allow-empty", "-m", "Begin"},
		{"-C", repository, "worktree", "add", "-q", "-b", "side", s.dir},
	} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Env = []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH")}
		if out, err := cmd.CombinedOutput(); err != nil {
			s.t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
}

// headless runs the client without a terminal.
func (s *stateTest) headless(args ...string) {
	cmd := exec.CommandContext(s.t.Context(), strings.Trim(s.client, "'"), args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	if out, err := cmd.CombinedOutput(); err != nil && s.t.Context().Err() == nil {
		s.t.Errorf("%v: %v: %s", args, err, out)
	}
}

// newStateTest prepares a case.
func newStateTest(t *testing.T, c stateCase, m *standIn, client string) *stateTest {
	w := openTerminal(t, 120, 45, "ANTHROPIC_BASE_URL="+m.URL, "ANTHROPIC_AUTH_TOKEN=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
	home := realPath(w.home)
	m.dir = filepath.Join(home, "work")
	s := &stateTest{agentSession: &agentSession{terminal: w, model: m, dir: filepath.Join(home, "work"), store: w.askStore()}, c: c, client: "'" + client + "'"}
	if c.in != nil {
		c.in(s)
	} else if err := os.MkdirAll(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	known, _ := json.Marshal(map[string]any{"hasCompletedOnboarding": true, "theme": "dark",
		"projects": map[string]any{s.dir: map[string]bool{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}}})
	if err := os.WriteFile(filepath.Join(w.home, ".claude.json"), known, 0o600); err != nil {
		t.Fatal(err)
	}
	if !c.late {
		if out, code := s.run("install", "claude"); code != exitDone {
			t.Fatalf("%d: %s", code, out)
		}
	}
	env := func(name string) string { return map[string]string{"PATH": os.Getenv("PATH")}[name] }
	user := parse.User{Home: home, Asks: s.store}
	s.reader = agents.NewReader(agents.Options{
		Store: s.store, Now: time.Now, Branch: worktree.Branch, Project: func(dir string) string { return parse.ProjectRoot(dir, user) },
		Records: record.NewReader(record.Options{Home: home, Env: env, Store: s.store.Dir(), Table: process.System{}, Now: time.Now}),
	})
	return s
}

// TestLiveClaudeStates plays the cases, several at a time: clients wait more than they compute.
func TestLiveClaudeStates(t *testing.T) {
	t.Parallel()
	client := claudeClient(t)
	free := make(chan struct{}, 5)
	var all sync.WaitGroup
	for _, c := range claudeStates {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			t.Run(c.name, func(t *testing.T) {
				model := newScriptedModel(t, stateScripts)
				model.thinks = 500 * time.Millisecond // long enough to see that the session runs
				newStateTest(t, c, model, client).play()
			})
		})
	}
	all.Wait()
}

// TestLiveTurnIsListedAtOnce measures the time from the Stop event, which a second hook records, to the entry in the queue.
func TestLiveTurnIsListedAtOnce(t *testing.T) {
	const turns, limit = 5, 100 * time.Millisecond
	s := newStateTest(t, stateCase{}, newScriptedModel(t, stateScripts), claudeClient(t))
	settings := filepath.Join(s.home, ".claude", "settings.json")
	var all struct {
		Hooks map[string][]any `json:"hooks"`
	}
	text, err := os.ReadFile(settings)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	all.Hooks["Stop"] = append(all.Hooks["Stop"], map[string]any{"hooks": []any{map[string]string{"type": "command", "command": `date +%s.%N >>"$HOME/stops"`}}})
	if text, err = json.Marshal(all); err == nil {
		err = os.WriteFile(settings, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	starts(s)
	listed := map[string]time.Time{}
	for turn := range turns {
		prompts("done")(s)
		waitUntil(t, "a finished turn", func() bool {
			files, _ := filepath.Glob(filepath.Join(s.store.Dir(), waiting.Dir, "*"+waiting.Turn))
			for _, file := range files {
				if info, err := os.Stat(file); err == nil && listed[file].IsZero() {
					listed[file] = info.ModTime()
				}
			}
			text, _ = os.ReadFile(filepath.Join(s.home, "stops"))
			return len(listed) == turn+1 && strings.Count(string(text), "\n") == turn+1
		})
	}
	var took []time.Duration
	at := slices.SortedFunc(maps.Values(listed), time.Time.Compare)
	for i, stop := range strings.Fields(string(text)) {
		seconds, nanos, _ := strings.Cut(stop, ".")
		s, _ := strconv.ParseInt(seconds, 10, 64)
		ns, _ := strconv.ParseInt(nanos, 10, 64)
		took = append(took, at[i].Sub(time.Unix(s, ns)))
	}
	slices.Sort(took)
	if t.Logf("listed after %v", took); took[turns/2] > limit {
		t.Errorf("a finished turn is listed after %v, want %v", took[turns/2], limit)
	}
}
