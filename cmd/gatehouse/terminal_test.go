//go:build unix

package main

// A real terminal for tests: tmux, controlled from outside. Tests type keys and
// wait until the screen shows the effect; they do not sleep and hope.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	// glance is how often the screen is read.
	glance = 20 * time.Millisecond

	// notSeen is the dashboard's message for a deciding key that arrived before the dashboard knew that its dialog was on the screen:
	// on a loaded machine the terminal may show a frame before the dashboard learns of that. justChanged is the message if
	// a dialog has just changed by itself. Then the key is pressed again, after pressAgain.
	notSeen     = "not on your screen yet"
	justChanged = "it changed just now, before that key"
	pressAgain  = time.Second

	// toastStays is less than the time for which the dashboard shows the result of a key.
	toastStays = 4 * time.Second

	// lineState prints a checksum of the terminal's line settings, short enough for one row, and lineStateIs matches it.
	lineState   = `echo "tty:$(stty -g | cksum)"`
	lineStateIs = `tty:(\d+) \d+\n`
)

// builtPrograms builds both programs as users build them, once for all tests, and returns their directory.
var builtPrograms = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "gatehouse-bin-")
	if err != nil {
		return "", err
	}
	atEnd = append(atEnd, func() { os.RemoveAll(dir) })
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), ".", "../statusline")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return dir, err
})

// terminal is a tmux server with one window, in which a shell runs.
type terminal struct {
	t    *testing.T
	home string   // the shell's home and current directory
	env  []string // of the tmux server and all in it
	tty  string   // the state of the terminal line before anything ran

	pressed string // the last key, and its time
	at      time.Time
}

// openTerminal opens a terminal. env adds variables as
// "NAME=value".
func openTerminal(t *testing.T, width, height int, env ...string) *terminal {
	t.Helper()
	if testing.Short() {
		t.Skip("a real terminal takes seconds")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	bin, err := builtPrograms()
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := os.MkdirTemp("", "gh") // t.TempDir is too long for the path of a socket
	if err != nil {
		t.Fatal(err)
	}
	w := &terminal{t: t, home: t.TempDir()}
	w.env = append([]string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + w.home, "TMUX_TMPDIR=" + sockets,
		"LANG=C.UTF-8", "PS1=$ ", "SHELL=/bin/sh",
	}, env...)
	t.Cleanup(func() {
		if screen, err := w.tmux("capture-pane", "-p"); t.Failed() && err == nil {
			t.Logf("the screen at the end:\n%s", screen)
		}
		w.tmux("kill-server")
		w.endAll()
		os.RemoveAll(sockets)
	})
	if out, err := w.tmux("new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "-c", w.home, "sh"); err != nil {
		t.Fatalf("tmux: %v: %s", err, out)
	}
	w.enter(lineState)
	w.tty = w.find(lineStateIs)[1]
	w.enter("clear")
	w.gone("tty:")
	return w
}

// endAll ends all processes that still run in the terminal's home, such as a slow client of an agent: they would write there while
// the home is removed. On systems without /proc it does nothing.
func (w *terminal) endAll() {
	home := []byte("\x00HOME=" + w.home + "\x00")
	for end := time.Now().Add(waitLimit); time.Now().Before(end); time.Sleep(glance) {
		running := 0
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range files {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if text, err := os.ReadFile(file); err == nil && pid != os.Getpid() && bytes.Contains(append([]byte{0}, text...), home) {
				syscall.Kill(pid, syscall.SIGKILL)
				running++
			}
		}
		if running == 0 {
			return
		}
	}
}

// tmux runs a command of the server.
func (w *terminal) tmux(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-u", "-L", "gatehouse", "-f", "/dev/null"}, args...)...)
	cmd.Env = w.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must is [terminal.tmux] for commands that can't fail while the server lives.
func (w *terminal) must(args ...string) string {
	w.t.Helper()
	out, err := w.tmux(args...)
	if err != nil {
		w.t.Fatalf("tmux %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return out
}

// press types keys, as tmux names them; a single character is itself.
func (w *terminal) press(keys ...string) {
	w.t.Helper()
	w.must(append([]string{"send-keys", "--"}, keys...)...)
	w.pressed, w.at = keys[len(keys)-1], time.Now()
}

// enter types a command line into the shell.
func (w *terminal) enter(line string) {
	w.t.Helper()
	w.must("send-keys", "-l", "--", line)
	w.press("Enter")
}

// screen returns the lines on the screen, without blanks at their ends.
func (w *terminal) screen() string {
	w.t.Helper()
	return w.must("capture-pane", "-p")
}

// until waits until the screen satisfies ok, and returns it. If the dashboard asks for a key once more, until presses it again.
func (w *terminal) until(what string, ok func(screen string) bool) string {
	w.t.Helper()
	for end := time.Now().Add(waitLimit); ; time.Sleep(glance) {
		screen := w.screen()
		if ok(screen) {
			return screen
		}
		if time.Now().After(end) {
			w.t.Fatalf("still not %s:\n%s", what, screen)
		}
		if (strings.Contains(screen, notSeen) || strings.Contains(screen, justChanged)) && time.Since(w.at) > pressAgain {
			w.t.Logf("%s once more, for: %s", w.pressed, what)
			w.press(w.pressed)
		}
	}
}

// shows waits until all of the texts are on the screen.
func (w *terminal) shows(texts ...string) string {
	w.t.Helper()
	return w.until("on the screen: "+strings.Join(texts, ", "), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// gone waits until none of the texts is on the screen.
func (w *terminal) gone(texts ...string) {
	w.t.Helper()
	w.until("gone: "+strings.Join(texts, ", "), func(screen string) bool {
		for _, text := range texts {
			if strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// find waits until something on the screen matches, and returns the match and
// its groups.
func (w *terminal) find(pattern string) []string {
	w.t.Helper()
	re := regexp.MustCompile(pattern)
	return re.FindStringSubmatch(w.until("on the screen: "+pattern, re.MatchString))
}

// showsBriefly waits until the dashboard has shown a message that matches pattern. Messages disappear after some seconds:
// if the machine was too slow to see it, stays reports whether a lasting effect shows that it appeared.
func (w *terminal) showsBriefly(pattern string, stays func(screen string) bool) {
	w.t.Helper()
	re, looked, missed := regexp.MustCompile(pattern), w.at, false
	w.until("shown: "+pattern, func(screen string) bool {
		missed = missed || time.Since(looked) > toastStays
		looked = time.Now()
		return re.MatchString(screen) || missed && stays(screen)
	})
}

// pressLastAgain presses the last key pressLastAgain if its effect does not last.
func (w *terminal) pressLastAgain(string) bool {
	if time.Since(w.at) > toastStays {
		w.press(w.pressed)
	}
	return false
}

// start runs gatehouse in the shell.
func (w *terminal) start(args string) {
	w.t.Helper()
	w.enter(`clear; sh -c 'echo $$ >"$HOME/pid"; exec gatehouse ` + args + `'; echo left:$?`)
}

// signal sends a signal to the running gatehouse.
func (w *terminal) signal(sig syscall.Signal) {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.home, "pid"))
	if err != nil {
		w.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		w.t.Fatal(err)
	}
	if err := syscall.Kill(pid, sig); err != nil {
		w.t.Fatal(err)
	}
}

// checkExit waits until gatehouse has ended, and checks its exit code and that the
// terminal is restored.
func (w *terminal) checkExit(code int) {
	w.t.Helper()
	if got := w.find(`left:(\d+)`)[1]; got != strconv.Itoa(code) {
		w.t.Errorf("exit code %s, want %d", got, code)
	}
	if got := strings.TrimSpace(w.must("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")); got != "0 1 0" {
		w.t.Errorf("alternate screen, cursor, mouse: %s, want 0 1 0", got)
	}
	w.checkLine()
}

// checkLine checks that the terminal line is as it was before anything ran.
func (w *terminal) checkLine() {
	w.t.Helper()
	w.enter("clear; " + lineState)
	if got := w.find(lineStateIs)[1]; got != w.tty {
		w.t.Errorf("the terminal line is not as it was before, stty -g differs")
	}
}

// typeText types a text.
func (w *terminal) typeText(text string) {
	w.t.Helper()
	w.must("send-keys", "-l", "--", text)
}
