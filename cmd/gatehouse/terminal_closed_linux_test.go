package main_test

// Terminals that are closed: however gatehouse was started, it ends by itself, and leaves an existing
// terminal as it found it. The time this takes is measured in bench_linux_test.go.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	gatehouse "gatehouse/cmd/gatehouse"
)

// built returns the program, which is built once for all tests.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a program on a terminal takes seconds")
	}
	dir, err := gatehouse.Binary()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "gatehouse")
}

// launcher is a script that records its process ID and becomes gatehouse.
type launcher struct {
	t    *testing.T
	dir  string // directory of the script and the project
	path string // run by sh: a new script may be busy, held open by a process that was just forked
}

// newLauncher writes the script that starts gatehouse in a directory, with these arguments and additions to the environment.
func newLauncher(t *testing.T, bin, dir, args string, env ...string) *launcher {
	t.Helper()
	l := &launcher{t: t, dir: dir, path: filepath.Join(dir, "launch")}
	l.script("launch", "cd '"+dir+"'\nexport "+strings.Join(append(env, "GORACE=atexit_sleep_ms=0"), " ")+
		"\necho $$ >pid.new && mv pid.new pid\nexec '"+bin+"' "+args)
	return l
}

// script writes a shell script beside the project.
func (l *launcher) script(name, text string) string {
	l.t.Helper()
	path := filepath.Join(l.dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		l.t.Fatal(err)
	}
	return path
}

// process returns the number that a script has recorded.
func (l *launcher) process(name string) int {
	l.t.Helper()
	var pid int
	waitUntil(l.t, name+" started", func() bool {
		text, err := os.ReadFile(filepath.Join(l.dir, name))
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	return pid
}

// waitUntil waits for a condition that no terminal shows.
func waitUntil(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(waitLimit); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still not: %s", what)
		}
	}
}

// isAlive reports whether a process runs. An ended process that its parent has not waited for does not.
func isAlive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	after := string(stat)[strings.LastIndexByte(string(stat), ')')+1:]
	return !strings.HasPrefix(after, " Z") && !strings.HasPrefix(after, " X")
}

// waitEnd waits until a process has ended, and kills it if it does not end.
func (l *launcher) waitEnd(pid int) {
	l.t.Helper()
	l.t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	waitUntil(l.t, fmt.Sprintf("process %d ended", pid), func() bool { return !isAlive(pid) })
}

// skipWithout skips a test if the tools are not installed.
func skipWithout(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
}

// TestTerminalClosed closes the terminal under gatehouse for all ways to start it: as the session leader of the terminal,
// which gets a signal, and below other processes, where it gets none.
func TestTerminalClosed(t *testing.T) {
	bin := built(t)
	hangUp, killed := (*terminal).hangUp, func(w *terminal) { w.signal(syscall.SIGKILL) }
	for _, c := range []struct {
		name  string
		tool  string
		under func(*testing.T, *launcher) []string
		close func(*terminal)
	}{
		{"alone", "sh", func(_ *testing.T, l *launcher) []string { return []string{"sh", l.path} }, hangUp},
		{"sh", "sh", func(_ *testing.T, l *launcher) []string { return []string{"sh", "-c", "sh " + l.path + "; true"} }, hangUp},
		{"sh that ignores the signal", "sh", func(_ *testing.T, l *launcher) []string {
			return []string{"sh", "-c", "trap '' HUP; sh " + l.path + "; true"}
		}, hangUp},
		{"make", "make", func(t *testing.T, l *launcher) []string {
			if err := os.WriteFile(filepath.Join(l.dir, "Makefile"), []byte("run:\n\t@sh "+l.path+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			return []string{"make", "-C", l.dir, "run"}
		}, hangUp},
		{"nohup", "nohup", func(_ *testing.T, l *launcher) []string {
			tty := l.script("tty", "exec sh "+l.path+" >/dev/tty") // nohup redirects the output
			return []string{"sh", "-c", "nohup sh " + tty + "; true"}
		}, hangUp},
		// Not its controlling terminal, but readable and writable.
		{"setsid", "setsid", func(_ *testing.T, l *launcher) []string { return []string{"setsid", "--wait", "sh", l.path} }, hangUp},
		{"sudo", "sudo", func(t *testing.T, l *launcher) []string {
			if exec.Command("sudo", "-n", "true").Run() != nil {
				t.Skip("sudo asks for a password")
			}
			return []string{"sudo", "-n", "sh", l.path}
		}, hangUp},
		// script opens another terminal for the program, which stays open as long as script runs.
		{"script", "script", func(_ *testing.T, l *launcher) []string {
			return []string{"script", "-q", "-c", "sh " + l.path, "/dev/null"}
		}, killed},
		{"ssh", "ssh", func(t *testing.T, l *launcher) []string { return sshTo(t, "sh "+l.path) }, hangUp},
		{"ssh that is killed", "ssh", func(t *testing.T, l *launcher) []string { return sshTo(t, "sh "+l.path) }, killed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			skipWithout(t, c.tool)
			l := newLauncher(t, bin, tenRows(t).dir, "")
			w := openPTY(t, small, false, l.dir, c.under(t, l)...)
			defer w.close()
			w.waitForWords(0, landmark)
			pid := l.process("pid")
			c.close(w)
			l.waitEnd(pid)
		})
	}
}

// TestTerminalClosedDuringDemo checks that the demo leaves neither a process nor a file behind.
func TestTerminalClosedDuringDemo(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	l := newLauncher(t, built(t), t.TempDir(), "demo", "TMPDIR="+temp)
	w := openPTY(t, small, false, l.dir, "sh", "-c", "trap '' HUP; sh "+l.path+"; echo $? >'"+l.dir+"/code'")
	defer w.close()
	w.waitForWords(0, "field-guide")
	pid := l.process("pid")
	w.hangUp()
	l.waitEnd(pid)
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("it has left %v", left)
	}
	if code := l.process("code"); code != 128+int(syscall.SIGHUP) {
		t.Errorf("exit code %d, want that of a hang-up", code)
	}
}

// TestTerminalClosedUnderEditor closes the terminal while another program has it, one that ignores the end of its
// terminal too.
func TestTerminalClosedUnderEditor(t *testing.T) {
	t.Parallel()
	skipWithout(t, "sleep")
	l := newLauncher(t, built(t), tenRows(t).dir, "", "EDITOR='sh ./editor'")
	l.script("editor", "trap '' HUP\necho $$ >editing.new && mv editing.new editing\nexec sleep 1000 </dev/null >/dev/null 2>&1")
	w := openPTY(t, small, false, l.dir, "sh", "-c", "trap '' HUP; sh "+l.path+"; true")
	defer w.close()
	w.waitForWords(0, landmark)
	w.press("e")
	editor := l.process("editing")
	t.Cleanup(func() { syscall.Kill(editor, syscall.SIGKILL) })
	pid := l.process("pid")
	w.hangUp()
	l.waitEnd(pid)
}

// TestTerminalClosedDuringWait checks that a wait continues, since the process that needs its exit code may still run,
// and that it uses no processor time.
func TestTerminalClosedDuringWait(t *testing.T) {
	t.Parallel()
	dir, state, pending := lantern(t)
	l := newLauncher(t, built(t), dir, "wait sketch-gate")
	w := openPTY(t, small, false, dir, "sh", "-c", "trap '' HUP; sh "+l.path+"; echo $? >'"+dir+"/code.new'; mv '"+dir+"/code.new' '"+dir+"/code'")
	defer w.close()
	w.waitForWords(0, "waiting")
	pid := l.process("pid")
	w.hangUp()
	looks, used := 0, cpuOf(pid)
	waitUntil(t, "at rest", func() bool {
		if now := cpuOf(pid); now != used {
			looks, used = 0, now
		}
		looks++
		return looks > 50
	})
	if !isAlive(pid) {
		t.Fatal("it has ended")
	}
	renamed(t, state, strings.Replace(pending, `"pending"`, `"passed"`, 1))
	if code := l.process("code"); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// sshTo starts a server and returns the command that runs a command there, on a terminal.
func sshTo(t *testing.T, command string) []string {
	t.Helper()
	s := gatehouse.StartSSH(t)
	return []string{"ssh", "-tt", "-F", "none", "-i", s.Key, "-p", s.Port, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
		"-o", "LogLevel=ERROR", s.User + "@127.0.0.1", command}
}
