package main_test

// Terminals that go away, and terminals that read nothing: however gatehouse was started, it ends by itself, and leaves the
// terminal as it found it as far as there is one. What it takes is measured in bench_run_linux_test.go.

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

// launcher is a script that notes its process's number and becomes gatehouse.
type launcher struct {
	t    *testing.T
	dir  string // where it and the project are
	path string // run by sh: a script just written may be busy, in a process just forked for something else
}

// newLauncher writes the script that starts gatehouse in a directory, with these arguments and this more of an environment.
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

// process returns the number that a script has noted.
func (l *launcher) process(name string) int {
	l.t.Helper()
	var pid int
	soon(l.t, name+" started", func() bool {
		text, err := os.ReadFile(filepath.Join(l.dir, name))
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	return pid
}

// soon waits for something that no terminal shows.
func soon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still not: %s", what)
		}
	}
}

// alive reports whether a process runs; one that has ended and that nobody has asked about does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	after := string(stat)[strings.LastIndexByte(string(stat), ')')+1:]
	return !strings.HasPrefix(after, " Z") && !strings.HasPrefix(after, " X")
}

// ends waits until a process has ended, and ends it for good if it does not.
func (l *launcher) ends(pid int) {
	l.t.Helper()
	l.t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	soon(l.t, fmt.Sprintf("process %d ended", pid), func() bool { return !alive(pid) })
}

// needs skips a test that needs what is not installed.
func needs(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
}

// TestTheTerminalIsClosed closes the terminal under gatehouse in all the ways it may have been started: as what the
// terminal was opened for, which a signal tells, and below others, which none does.
func TestTheTerminalIsClosed(t *testing.T) {
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
			tty := l.script("tty", "exec sh "+l.path+" >/dev/tty") // for nohup takes the output away
			return []string{"sh", "-c", "nohup sh " + tty + "; true"}
		}, hangUp},
		// Not its controlling terminal, but one to read and write.
		{"setsid", "setsid", func(_ *testing.T, l *launcher) []string { return []string{"setsid", "--wait", "sh", l.path} }, hangUp},
		{"sudo", "sudo", func(t *testing.T, l *launcher) []string {
			if exec.Command("sudo", "-n", "true").Run() != nil {
				t.Skip("sudo asks for a password")
			}
			return []string{"sudo", "-n", "sh", l.path}
		}, hangUp},
		// It has a terminal of its own for the program, which it may keep for as long as it lives.
		{"script", "script", func(_ *testing.T, l *launcher) []string {
			return []string{"script", "-q", "-c", "sh " + l.path, "/dev/null"}
		}, killed},
		{"ssh", "ssh", func(t *testing.T, l *launcher) []string { return sshTo(t, "sh "+l.path) }, hangUp},
		{"ssh that is killed", "ssh", func(t *testing.T, l *launcher) []string { return sshTo(t, "sh "+l.path) }, killed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			needs(t, c.tool)
			l := newLauncher(t, bin, tenRows(t).dir, "")
			w := openPTY(t, small, false, l.dir, c.under(t, l)...)
			defer w.close()
			w.says(0, landmark)
			pid := l.process("pid")
			c.close(w)
			l.ends(pid)
		})
	}
}

// TestTheTerminalIsClosedUnderADemo checks that nothing of the demo stays, neither the process nor a file.
func TestTheTerminalIsClosedUnderADemo(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	l := newLauncher(t, built(t), t.TempDir(), "demo", "TMPDIR="+temp)
	w := openPTY(t, small, false, l.dir, "sh", "-c", "trap '' HUP; sh "+l.path+"; echo $? >'"+l.dir+"/code'")
	defer w.close()
	w.says(0, "field-guide")
	pid := l.process("pid")
	w.hangUp()
	l.ends(pid)
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("it has left %v", left)
	}
	if code := l.process("code"); code != 128+int(syscall.SIGHUP) {
		t.Errorf("exit code %d, want that of a hang-up", code)
	}
}

// TestTheTerminalIsClosedUnderAnEditor closes the terminal while another program has it, one that does not end with its
// terminal either.
func TestTheTerminalIsClosedUnderAnEditor(t *testing.T) {
	t.Parallel()
	needs(t, "sleep")
	l := newLauncher(t, built(t), tenRows(t).dir, "", "EDITOR='sh ./editor'")
	l.script("editor", "trap '' HUP\necho $$ >editing.new && mv editing.new editing\nexec sleep 1000 </dev/null >/dev/null 2>&1")
	w := openPTY(t, small, false, l.dir, "sh", "-c", "trap '' HUP; sh "+l.path+"; true")
	defer w.close()
	w.says(0, landmark)
	w.press("e")
	editor := l.process("editing")
	t.Cleanup(func() { syscall.Kill(editor, syscall.SIGKILL) })
	pid := l.process("pid")
	w.hangUp()
	l.ends(pid)
}

// TestTheTerminalIsClosedUnderAWait checks that a wait goes on, for whom it tells by its exit code may be there all the same,
// and that it costs nothing.
func TestTheTerminalIsClosedUnderAWait(t *testing.T) {
	t.Parallel()
	dir, state, pending := lantern(t)
	l := newLauncher(t, built(t), dir, "wait sketch-gate")
	w := openPTY(t, small, false, dir, "sh", "-c", "trap '' HUP; sh "+l.path+"; echo $? >'"+dir+"/code.new'; mv '"+dir+"/code.new' '"+dir+"/code'")
	defer w.close()
	w.says(0, "waiting")
	pid := l.process("pid")
	w.hangUp()
	looks, used := 0, cpuOf(pid)
	soon(t, "at rest", func() bool {
		if now := cpuOf(pid); now != used {
			looks, used = 0, now
		}
		looks++
		return looks > 50
	})
	if !alive(pid) {
		t.Fatal("it has ended")
	}
	renamed(t, state, strings.Replace(pending, `"pending"`, `"passed"`, 1))
	if code := l.process("code"); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// sshTo starts a server and returns how to run a command there, on a terminal.
func sshTo(t *testing.T, command string) []string {
	t.Helper()
	s := gatehouse.StartSSH(t)
	return []string{"ssh", "-tt", "-F", "none", "-i", s.Key, "-p", s.Port, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
		"-o", "LogLevel=ERROR", s.User + "@127.0.0.1", command}
}
