package main_test

// Being told of what waits, on real terminals: in none, one and two multiplexers, once for all dashboards and starts.

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

// told is a user who has dashboards open and is asked things.
type told struct {
	*testing.T
	bin, home, log string
}

func newTold(t *testing.T) *told {
	if testing.Short() {
		t.Skip("dashboards on real terminals take seconds")
	}
	dir, err := os.MkdirTemp("", "gh") // t.TempDir is too long for the path of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	u := &told{t, built(t), dir, filepath.Join(dir, "log")}
	conf := "set -g allow-passthrough on\nset -g bell-action any\n"
	if err := os.WriteFile(filepath.Join(dir, "conf"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	return u
}

// nothingWaits is on the screen once the project was read and nothing waits. What waits in the first reading is not new.
const nothingWaits = "Looked for"

// dashboard opens a dashboard in some multiplexers, one in the other, and waits until it shows what it has read.
func (u *told) dashboard(nested int, how, shows string) *terminal {
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
	w.says(0, shows)
	return w
}

// asks has a script ask something.
func (u *told) asks(question string) {
	u.Helper()
	cmd := exec.Command(u.bin, "ask", question, "--text", "--detach")
	cmd.Dir, cmd.Env = u.home, []string{"HOME=" + u.home}
	if out, err := cmd.CombinedOutput(); err != nil {
		u.Fatalf("%v: %s", err, out)
	}
}

// ran waits for the user's command to have run, and returns how often it has for a question.
func (u *told) ran(question string) int {
	u.Helper()
	var text []byte
	soon(u.T, "the command for "+question, func() bool {
		text, _ = os.ReadFile(u.log)
		return strings.Contains(string(text), " "+question+"\n")
	})
	return strings.Count(string(text), " "+question+"\n")
}

func TestToldThroughMultiplexers(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	for nested, name := range []string{"none", "tmux", "tmux in tmux"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newTold(t)
			w := u.dashboard(nested, "osc9", nothingWaits)
			mark := w.mark()
			u.asks("Which shade?")
			note := []byte("\x1b]9;waits for you: " + filepath.Base(u.home) + " · script · Which shade?\x1b\\")
			w.when(mark, "a notification", func(raw []byte) bool { return bytes.Contains(raw, note) })
			u.ran("Which shade?")
			w.settle(100 * time.Millisecond)
			raw, _ := w.since(mark)
			if n := bytes.Count(raw, []byte("]9;")); n != 1 {
				t.Errorf("%d notifications: %q", n, raw)
			}
			if bytes.Contains(raw, []byte("tmux;")) {
				t.Errorf("a wrapping is left: %q", raw)
			}
		})
	}
}

func TestToldOnceByAllDashboardsAndStarts(t *testing.T) {
	t.Parallel()
	u := newTold(t)
	one, two := u.dashboard(0, "bell", nothingWaits), u.dashboard(0, "osc9", nothingWaits)
	u.asks("Which hook?")
	for _, w := range []*terminal{one, two} {
		w.says(0, "Which hook?")
	}
	u.ran("Which hook?")
	one.press("q")
	one.ended()
	again := u.dashboard(0, "osc9", "Which hook?")
	u.asks("Which cord?") // once this is told, all that was to be told before is
	if n := u.ran("Which cord?"); n != 1 {
		t.Errorf("the command ran %d times", n)
	}
	if n := u.ran("Which hook?"); n != 1 {
		t.Errorf("the command ran %d times", n)
	}
	for _, w := range []*terminal{two, again} {
		w.says(0, "Which cord?")
		w.settle(100 * time.Millisecond)
	}
	told := func(w *terminal) int {
		raw, _ := w.since(0)
		return bytes.Count(raw, []byte("]9;"))
	}
	if n := told(two) + told(again); n > 2 {
		t.Errorf("%d notifications of two questions", n)
	}
}
