//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// These tests drive real shells in a real terminal, tmux: they send keys, and read the screen until it shows the expected text. No test
// relies on a fixed sleep.

const (
	patience = 2 * time.Minute       // for anything that happens at once unless something is wrong
	pause    = 10 * time.Millisecond // between two readings of the screen
	heldUp   = time.Minute           // the minimum time of a program that waits for an end that never comes
)

// nobody is a user without privileges, for whom "$" and "#" in a prompt differ from root's.
const nobody = 65534

// needs skips a test if a program is not installed.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not here")
		}
	}
}

// shared returns a directory that every user may enter. Its path is short, because a socket's path must not be long.
func shared(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "sl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// terminalUnderTest is a tmux server with one window.
type terminalUnderTest struct {
	t      *testing.T
	socket string
	attr   *syscall.SysProcAttr
	env    []string
	dir    string
}

// open starts a terminal whose window runs a program, as the user who runs the test or as nobody. dir is the home and the working
// directory; env is added to a minimal environment.
func open(t *testing.T, dir string, asNobody bool, env []string, argv ...string) *terminalUnderTest {
	t.Helper()
	term := &terminalUnderTest{t: t, socket: filepath.Join(dir, ".tmux"), dir: dir}
	term.env = append([]string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TERM=xterm-256color", "SHELL=/bin/sh", "TMPDIR=" + dir,
		"HISTFILE=", "fish_history=", // written when a shell exits, which would recreate a removed directory
	}, env...)
	if asNobody {
		term.attr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if err := os.WriteFile(filepath.Join(dir, ".tmux.conf"), []byte("set -g default-terminal screen-256color\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-f", filepath.Join(dir, ".tmux.conf"), "new-session", "-d", "-x", "220", "-y", "50"}, argv...)
	t.Cleanup(func() { term.command("kill-server").Run() })
	if report, err := term.command(args...).CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, report)
	}
	return term
}

func (term *terminalUnderTest) command(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...)
	cmd.Env, cmd.Dir, cmd.SysProcAttr = term.env, term.dir, term.attr
	return cmd
}

// tmux runs a command of tmux and returns what it prints.
func (term *terminalUnderTest) tmux(args ...string) string {
	term.t.Helper()
	out, err := term.command(args...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// enter types a line.
func (term *terminalUnderTest) enter(text string) {
	term.t.Helper()
	term.tmux("send-keys", "-l", text, ";", "send-keys", "Enter")
}

// screen returns the rows of the screen; wrapped rows are joined.
func (term *terminalUnderTest) screen() []string {
	term.t.Helper()
	return strings.Split(strings.TrimRight(term.tmux("capture-pane", "-p", "-J"), "\n"), "\n")
}

// until waits until a function accepts the screen, and returns the function's result.
func (term *terminalUnderTest) until(what string, ok func(rows []string) (string, bool)) string {
	term.t.Helper()
	for start := time.Now(); time.Since(start) < patience; time.Sleep(pause) {
		if found, yes := ok(term.screen()); yes {
			return found
		}
	}
	term.t.Fatalf("never came: %s\nthe screen:\n%s", what, strings.Join(term.screen(), "\n"))
	return ""
}

// between waits until a row has text between two marks, and returns that text of the last such row.
func (term *terminalUnderTest) between(before, after string) string {
	term.t.Helper()
	return term.until(before+"…"+after, func(rows []string) (string, bool) {
		for i := len(rows) - 1; i >= 0; i-- {
			if _, rest, ok := strings.Cut(rows[i], before); ok {
				if end := strings.LastIndex(rest, after); end >= 0 {
					return rest[:end], true
				}
			}
		}
		return "", false
	})
}

// untouched fails the test if the hostile texts have created a file below dir.
func untouched(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if entry != nil && strings.HasPrefix(entry.Name(), "pwned") {
			t.Errorf("a text was executed: there is %s", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
