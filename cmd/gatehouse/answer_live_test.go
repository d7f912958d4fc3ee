//go:build unix

package main

// Asks of agents, answered in dashboards in a real terminal.

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/process"
)

// askStore returns the store of asks of the terminal's user.
func (w *terminal) askStore() *ask.Store {
	state := filepath.Join(w.home, ".local", "state", "gatehouse")
	return ask.Open(ask.Options{Dir: filepath.Join(state, "agents"), Journal: filepath.Join(state, "journal"), User: "test", Table: process.System{}, Now: time.Now})
}

// ask makes a script ask something. The channel receives its output and exit code.
func (w *terminal) ask(args ...string) <-chan string {
	w.t.Helper()
	return w.askIn(w.home, args...)
}

// askIn is [terminal.ask] in a directory.
func (w *terminal) askIn(dir string, args ...string) <-chan string {
	w.t.Helper()
	bin, err := Binary()
	if err != nil {
		w.t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(bin, "gatehouse"), append([]string{"ask"}, args...)...)
	cmd.Dir, cmd.Env = dir, w.env
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	ended := make(chan string, 1)
	go func() {
		cmd.Wait()
		ended <- out.String()
	}()
	w.t.Cleanup(func() { cmd.Process.Kill() })
	return ended
}

// TestLiveTwoDashboardsAnswer: two dashboards show a question that was asked before they started. It is answered in one, and the
// other one reports it.
func TestLiveTwoDashboardsAnswer(t *testing.T) {
	t.Parallel()
	one := openTerminal(t, 100, 30)
	reply := one.ask("Which layout?", "--option", "Grid", "--option", "List")
	one.start("")
	one.shows("◆ 1/", "Which layout?")
	two := &terminal{t: t, home: one.home, env: one.env}
	two.must("new-session", "-d", "-s", "two", "-x", "100", "-y", "30", "-c", one.home, "gatehouse")
	in := func(keys ...string) { one.must(append([]string{"send-keys", "-t", "two:", "--"}, keys...)...) }
	has := func(text string) bool {
		out, err := one.tmux("capture-pane", "-p", "-t", "two:")
		return err == nil && strings.Contains(out, text)
	}
	seen := func(text string) {
		t.Helper()
		waitUntil(t, "in the other dashboard: "+text, func() bool { return has(text) })
	}
	seen("Which layout?")
	in("n", "a")
	seen("script asks")
	one.must("send-keys", "-t", "0:", "--", "n", "a")
	waitUntil(t, "the first dialog", func() bool {
		out, err := one.tmux("capture-pane", "-p", "-t", "0:")
		return err == nil && strings.Contains(out, "script asks")
	})
	in("2")
	seen("2  (x)  List")
	var pressed time.Time
	var got string
	waitUntil(t, "the script has the answer", func() bool {
		if pressed.IsZero() || time.Since(pressed) > pressAgain && (has(notSeen) || has(justChanged)) {
			pressed = time.Now()
			in("Enter")
		}
		select {
		case got = <-reply:
			return true
		default:
			return false
		}
	})
	if got != "List\n" {
		t.Errorf("the script got %q", got)
	}
	waitUntil(t, "the other command reports it", func() bool {
		out, err := one.tmux("capture-pane", "-p", "-t", "0:")
		return err == nil && strings.Contains(out, "(dashboard): List") && strings.Contains(out, "Nothing was answered by you.")
	})
	decisions, err := journal.Open(nil, filepath.Join(one.home, ".local", "state", "gatehouse", "journal"), one.home).Read()
	if err != nil || len(decisions) != 1 || decisions[0].By != ask.ByDashboard || decisions[0].Text != "List" {
		t.Errorf("%+v, %v", decisions, err)
	}
	one.must("send-keys", "-t", "0:", "--", "Enter", "q")
	in("q")
}

// TestLiveClaudeDashboard checks that the client's own prompt closes when its question is answered in a dashboard that was opened
// later.
func TestLiveClaudeDashboard(t *testing.T) {
	t.Parallel()
	s := startClaude(t, "questions", "--permission-mode default")
	item := s.waitForAsk("Which shade?")
	s.must("new-window", "-c", s.dir, "gatehouse")
	s.shows("◆ 1/", "Which shade?")
	s.press("n", "a")
	s.shows("claude asks (1 of 2)")
	s.press("2")
	s.shows("2  (x)  Cloth")
	s.press("Enter")
	s.shows("claude asks (2 of 2)", "several may be picked")
	s.press("1", "3")
	s.shows("1  [x]  Hook", "3  [x]  Switch")
	s.press("Enter")
	s.waitForMessage(`\"Which shade?\"=\"Cloth\"`)
	s.waitForMessage(`\"Which parts?\"=\"Hook, Switch\"`)
	if end := s.checkEnd(item.ID, ask.Answered, true); end.By != ask.ByDashboard {
		t.Errorf("%+v", end)
	}
	item = s.waitForAsk("Which name?")
	s.shows("Which name?")
	s.press("n", "a")
	s.shows("1  ( )  Lantern")
	s.press("d")
	s.shows("Why not")
	s.press("Enter")
	s.gone("Why not")
	s.checkEnd(item.ID, ask.Answered, true)
	s.press("q")
}
