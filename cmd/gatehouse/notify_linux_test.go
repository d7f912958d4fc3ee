package main

// Notifications on real terminals: in no, one and two multiplexers, and once for all dashboards and starts.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// notifiedUser is a user who has dashboards open and is asked things.
type notifiedUser struct {
	*testing.T
	bin, home, log string
}

func newNotifiedUser(t *testing.T) *notifiedUser {
	if testing.Short() {
		t.Skip("dashboards on real terminals take seconds")
	}
	dir, err := os.MkdirTemp("", "gh") // t.TempDir is too long for the path of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	u := &notifiedUser{t, built(t), dir, filepath.Join(dir, "log")}
	conf := "set -g allow-passthrough on\nset -g bell-action any\n"
	if err := os.WriteFile(filepath.Join(dir, "conf"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	return u
}

// nothingWaits is on the screen once the project was read and nothing waits. Waits of the first reading cause no notification.
const nothingWaits = "Looked for"

// dashboard opens a dashboard in nested multiplexers, and waits until it shows the text.
func (u *notifiedUser) dashboard(nested int, how, shows string) *pty {
	u.Helper()
	line := u.bin + " --notify " + how + ` --notify-command 'echo "$GATEHOUSE_NOTICE_KIND $GATEHOUSE_NOTICE_ID $GATEHOUSE_NOTICE_TEXT" >>"$HOME/log"'`
	for i := range nested + 1 {
		file := filepath.Join(u.home, "run"+strconv.Itoa(i))
		if err := os.WriteFile(file, []byte("exec "+line+"\n"), 0o600); err != nil {
			u.Fatal(err)
		}
		if line = "sh " + file; i < nested {
			socket := file + ".socket"
			u.Cleanup(func() { exec.Command("tmux", "-S", socket, "kill-server").Run() })
			line = "env -u TMUX -u TMUX_PANE tmux -u -S " + socket + " -f " + u.home + "/conf new-session '" + line + "'"
		}
	}
	w := openPTY(u, small, false, u.home, "env", "HOME="+u.home, "SHELL=/bin/sh", "sh", "-c", line)
	u.Cleanup(w.close)
	w.waitForWords(0, shows)
	return w
}

// ask makes a script ask something.
func (u *notifiedUser) ask(question string) {
	u.Helper()
	cmd := exec.Command(u.bin, "ask", question, "--text", "--detach")
	cmd.Dir, cmd.Env = u.home, []string{"HOME=" + u.home}
	if out, err := cmd.CombinedOutput(); err != nil {
		u.Fatalf("%v: %s", err, out)
	}
}

// ran waits until the user's command has run for a question, and returns how often it ran.
func (u *notifiedUser) ran(question string) int {
	u.Helper()
	var text []byte
	waitUntil(u.T, "the command for "+question, func() bool {
		text, _ = os.ReadFile(u.log)
		return strings.Contains(string(text), " "+question+"\n")
	})
	return strings.Count(string(text), " "+question+"\n")
}

func TestNotifyThroughMultiplexers(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	for nested, name := range []string{"none", "tmux"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newNotifiedUser(t)
			w := u.dashboard(nested, "osc9", nothingWaits)
			mark := w.mark()
			u.ask("Which shade?")
			note := []byte("\x1b]9;waits for you: " + filepath.Base(u.home) + " · script · Which shade?\x1b\\")
			w.when(mark, "a notification", func(raw []byte) bool { return bytes.Contains(raw, note) })
			u.ran("Which shade?")
			w.settle(100 * time.Millisecond)
			raw, _ := w.since(mark)
			if n := bytes.Count(raw, []byte("]9;")); n != 1 {
				t.Errorf("%d notifications: %q", n, raw)
			}
			if bytes.Contains(raw, []byte("tmux;")) {
				t.Errorf("tmux passed its wrapper on: %q", raw)
			}
		})
	}
}

func TestNotifyOncePerAsk(t *testing.T) {
	t.Parallel()
	u := newNotifiedUser(t)
	one, two := u.dashboard(0, "bell", nothingWaits), u.dashboard(0, "osc9", nothingWaits)
	u.ask("Which hook?")
	for _, w := range []*pty{one, two} {
		w.waitForWords(0, "Which hook?")
	}
	u.ran("Which hook?")
	one.press("q")
	one.waitEnd()
	again := u.dashboard(0, "osc9", "Which hook?")
	u.ask("Which cord?") // notifications are in order: once this one arrives, all earlier ones have arrived
	if n := u.ran("Which cord?"); n != 1 {
		t.Errorf("the command ran %d times", n)
	}
	if n := u.ran("Which hook?"); n != 1 {
		t.Errorf("the command ran %d times", n)
	}
	for _, w := range []*pty{two, again} {
		w.waitForWords(0, "Which cord?")
		w.settle(100 * time.Millisecond)
	}
	notifications := func(w *pty) int {
		raw, _ := w.since(0)
		return bytes.Count(raw, []byte("]9;"))
	}
	if n := notifications(two) + notifications(again); n > 2 {
		t.Errorf("%d notifications of two questions", n)
	}
}
