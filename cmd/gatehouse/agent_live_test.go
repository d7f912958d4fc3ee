//go:build unix

package main

// The real Claude Code client in a real terminal, for the scripts in testdata/live. Its hooks are installed, and the states of its session
// are recorded while it runs.

import (
	"encoding/json"
	"fmt"
	"os"
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
		s.must0(syscall.Kill(snapshot.Sessions[0].Process.PID, syscall.SIGKILL))
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
	s.must0(os.MkdirAll(a.dir, 0o755))
	known, _ := json.Marshal(map[string]any{"hasCompletedOnboarding": true, "theme": "dark",
		"projects": map[string]any{a.dir: map[string]bool{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}}})
	s.must0(os.WriteFile(filepath.Join(s.home, ".claude.json"), known, 0o600))
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
