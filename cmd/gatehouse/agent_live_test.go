//go:build unix

package main

// Runs the real Claude Code client in a real terminal, with a stand-in for its model. Its questions are answered here, and it continues.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/parse/agents/ask"
)

// clientsVariable names the directory with the clients of agents, as npm installs them. .ci/run sets it.
const clientsVariable = "GATEHOUSE_CLIENTS"

// agentSession is a running client that was given a prompt.
type agentSession struct {
	*terminal
	model *standIn
	store *ask.Store
	dir   string // the working directory
}

// claudeClient returns the path of Claude Code.
func claudeClient(t *testing.T) string {
	t.Helper()
	client := filepath.Join(os.Getenv(clientsVariable), "claude")
	if _, err := os.Stat(client); os.Getenv(clientsVariable) == "" || err != nil {
		t.Skip("Claude Code is not installed: npm install @anthropic-ai/claude-code, and name its node_modules/.bin in " + clientsVariable)
	}
	return client
}

// startClaude starts Claude Code with the hooks installed, and makes it play a script.
func startClaude(t *testing.T, script, flags string) *agentSession {
	t.Helper()
	client := claudeClient(t)
	model := newStandIn(t, script)
	w := openTerminal(t, 120, 45, "ANTHROPIC_BASE_URL="+model.URL, "ANTHROPIC_AUTH_TOKEN=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
	dir, err := filepath.EvalSymlinks(w.home)
	if err != nil {
		t.Fatal(err)
	}
	s := &agentSession{terminal: w, model: model, dir: filepath.Join(dir, "work")}
	s.store = w.askStore()
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// Set as after the first start; otherwise the client asks about colors and trust first.
	known, err := json.Marshal(map[string]any{"hasCompletedOnboarding": true, "theme": "dark",
		"projects": map[string]any{s.dir: map[string]bool{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}}})
	if err == nil {
		err = os.WriteFile(filepath.Join(w.home, ".claude.json"), known, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, code := s.run("install", "claude"); code != exitDone {
		t.Fatalf("%d: %s", code, out)
	}
	t.Cleanup(s.end)
	w.enter("cd work; clear; '" + client + "' " + flags)
	w.shows("Claude Code v", "❯")
	w.typeText("go on, please")
	w.shows("go on, please")
	w.press("Enter")
	return s
}

// end ends the client and its hooks. They write into the home directory while they run.
func (s *agentSession) end() {
	files, _ := filepath.Glob(filepath.Join(s.home, ".claude", "sessions", "*.json"))
	for _, file := range files {
		var pid int
		fmt.Sscanf(filepath.Base(file), "%d.json", &pid)
		for pid > 0 && syscall.Kill(pid, syscall.SIGKILL) == nil {
			time.Sleep(glance)
		}
	}
	waitUntil(s.t, "the hooks have ended", func() bool {
		items, err := s.store.List(false)
		return err == nil && !slices.ContainsFunc(items, func(i ask.Item) bool { return i.Kind != ask.Turn })
	})
}

// run runs gatehouse as a human does, in another terminal.
func (s *agentSession) run(args ...string) (out string, code int) {
	s.t.Helper()
	bin, err := Binary()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(bin, "gatehouse"), args...)
	cmd.Env = []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "USER=test"}
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// waitForAsk waits until the agent asks something that contains text, and returns the complete ask.
func (s *agentSession) waitForAsk(text string) *ask.Item {
	s.t.Helper()
	return s.open("asked: "+text, func(i ask.Item) bool { return i.Kind != ask.Turn && strings.Contains(i.Text, text) })
}

// waitForTurn waits until the agent has waitForTurn a turn that contains text, and returns it complete.
func (s *agentSession) waitForTurn(text string) *ask.Item {
	s.t.Helper()
	return s.open("finished: "+text, func(i ask.Item) bool { return i.Kind == ask.Turn && strings.Contains(i.Text, text) })
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

// answer answers an ask as a human does.
func (s *agentSession) answer(id string, args ...string) {
	s.t.Helper()
	if out, code := s.run(append([]string{"answer", id}, args...)...); code != exitDone {
		s.t.Fatalf("answer %v: %d: %s", args, code, out)
	}
}

// waitForMessage waits until the agent has sent its model a message that contains text.
func (s *agentSession) waitForMessage(text string) {
	s.t.Helper()
	s.until("sent to the model: "+text, func(string) bool { return s.model.hasMessage(text) })
}

// selectedRow matches the selected row of the client's own prompt, by its number.
var selectedRow = regexp.MustCompile(`❯ (\d)\. `)

// selectRow selectRow a row of the client's own prompt. The client draws its prompt before it reads keys, and loses a key typed in
// between. A moved selection shows that the client also reads the next key.
func (s *agentSession) selectRow(row int, label string) {
	s.t.Helper()
	var pressed time.Time
	s.until(fmt.Sprintf("selected: %d. %s", row, label), func(screen string) bool {
		m := selectedRow.FindStringSubmatch(screen)
		if m == nil {
			return false
		}
		at, _ := strconv.Atoi(m[1])
		if at == row {
			return strings.Contains(screen, fmt.Sprintf("❯ %d. %s", row, label))
		}
		if time.Since(pressed) > time.Second {
			pressed = time.Now()
			if at < row {
				s.press("Down")
			} else {
				s.press("Up")
			}
		}
		return false
	})
}

// chooseRow selects a row of the client's own prompt and confirms it, as a human does. A key that the client lost is pressed
// again. Once the prompt is gone, chooseRow does nothing.
func (s *agentSession) chooseRow(row int, label string) {
	s.t.Helper()
	s.selectRow(row, label)
	var pressed time.Time
	s.until("chosen: "+label, func(screen string) bool {
		if !strings.Contains(screen, fmt.Sprintf("❯ %d. %s", row, label)) {
			return true
		}
		if time.Since(pressed) > time.Second {
			pressed = time.Now()
			s.press("Enter")
		}
		return false
	})
}

// checkEnd waits until an ask has checkEnd, and checks how.
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

// TestLiveClaudeCannotAnswerItself checks that agents can't answer themselves, not even from a detached process.
func TestLiveClaudeCannotAnswerItself(t *testing.T) {
	t.Parallel()
	s := startClaude(t, "itself", "--permission-mode default --allowedTools Bash")
	s.waitForMessage("answered:1")
	s.waitForMessage("apart:1")
	s.waitForMessage("claude asks it")
	item := s.waitForAsk("May I?")
	s.answer(item.ID, "--allow")
	s.checkEnd(item.ID, ask.Answered, false)
}

func TestLiveClaudeMCP(t *testing.T) {
	t.Parallel()
	config := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(config, []byte(`{"mcpServers":{"gatehouse":{"command":"gatehouse","args":["mcp"]}}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	s := startClaude(t, "mcp", fmt.Sprintf("--permission-mode default --mcp-config '%s' --allowedTools mcp__gatehouse__ask", config))
	item := s.waitForAsk("Which wick?")
	s.answer(item.ID, "--pick", "Reed", "--text", "or moss")
	s.waitForMessage(`\"said\":[\"Reed\",\"or moss\"]`)
	s.checkEnd(item.ID, ask.Answered, true)
	s.shows("Tools over.")
}

// TestLiveClaudeJump checks that jump goes to the pane of an ask, from another pane of the same tmux.
func TestLiveClaudeJump(t *testing.T) {
	t.Parallel()
	s := startClaude(t, "questions", "--permission-mode default")
	item := s.waitForAsk("Which shade?")
	s.must("new-window", "-c", s.home, "sh")
	s.enter("gatehouse jump " + item.ID[:4])
	s.shows("Which shade?")
	ctx, stop := context.WithTimeout(t.Context(), waitLimit)
	defer stop()
	if got := strings.TrimSpace(s.must("display-message", "-t", item.Pane.TmuxPane, "-p", "#{window_active}")); got != "1" || ctx.Err() != nil {
		t.Errorf("the agent's window is not the one that is shown: %s", got)
	}
}
