package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// changingCalls are the system calls that change files, or open them: a file that is made is opened.
var changingCalls = []string{"openat", "write", "fsync", "fchmod", "fchown", "fsetxattr", "fremovexattr", "renameat", "renameat2", "linkat", "unlinkat", "mkdirat"}

// TestKilledAtEverySystemCall is like [TestKilledOrFailingAtEveryCall] with real processes: strace kills them at each system call.
func TestKilledAtEverySystemCall(t *testing.T) {
	if testing.Short() {
		t.Skip("kills many processes")
	}
	bin, err := builtPrograms()
	must(t, err)
	gatehouse := filepath.Join(bin, "gatehouse")
	if out, err := exec.Command("strace", "-f", "-o", "/dev/null", "-e", "trace=openat", gatehouse, "--version").CombinedOutput(); err != nil {
		t.Skipf("strace is not installed, or may not trace: %v: %s", err, out)
	}
	every := uint64(7)
	if os.Getenv(allVariable) != "" {
		every = 1
	}
	kills := &tally{}
	eachWriter(t, func(t *testing.T, w writer, seed uint64, at *crowd) {
		if seed%every != 0 {
			return
		}
		o, take := traceOnce(t, w, gatehouse), sample(seed, 8)
		for _, c := range o.calls {
			if take() {
				at.do(func() { kills.count(o.killAt(t, w, gatehouse, c)) })
			}
		}
	})
	t.Logf("killed: %v", kills)
}

// killAt kills a writer at a system call, and reports whether it was killed: another thread may make some of the calls.
func (o *traced) killAt(t *testing.T, w writer, gatehouse string, c systemCall) bool {
	t.Helper()
	for range 4 {
		b := newProcessSandbox(t, w, gatehouse)
		_, err := b.trace(gatehouse, w.args, "-e", "trace="+c.name, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", c.name, c.n))
		if wasKilled(err) && b.countDone() <= len(w.before) {
			b.runAgain(o.outcome, fmt.Sprintf("killed at %s %d", c.name, c.n))
			return true
		}
	}
	return false
}

// traced is the outcome of a writer, and the system calls that it is killed at.
type traced struct {
	outcome
	calls []systemCall
}

// systemCall is the nth call of a kind, counted for each thread as strace does.
type systemCall struct {
	name string
	n    int
}

// traceOnce runs a writer without interruption, and again below strace to list its system calls.
func traceOnce(t *testing.T, w writer, gatehouse string) traced {
	t.Helper()
	o := traced{outcome: newProcessSandbox(t, w, gatehouse).runOnce()}
	b := newProcessSandbox(t, w, gatehouse)
	log := filepath.Join(t.TempDir(), "log")
	if output, err := b.trace(gatehouse, w.args, "-e", "trace="+strings.Join(changingCalls, ","), "-o", log); processExitCode(err) != w.code {
		t.Fatalf("%v: %s", err, output)
	}
	text, err := os.ReadFile(log)
	b.must(err)
	by := map[string]int{} // thread and call
	var reads []systemCall // that come between two changes; before the first nothing can be lost, and after the last all is done
	begun := false
	for _, m := range tracedCall.FindAllStringSubmatch(string(text), -1) {
		thread, call, args := m[1], m[2], m[3]
		by[thread+call]++
		now := systemCall{call, by[thread+call]}
		if !changes(call, args) && !(w.args[0] == "wait" && printed(call, args)) {
			reads = append(reads, now)
			continue
		}
		if !begun {
			reads = nil
		}
		for _, c := range append(reads, now) {
			if !slices.Contains(o.calls, c) {
				o.calls = append(o.calls, c)
			}
		}
		begun, reads = true, nil
	}
	return o
}

// changes reports whether a system call, with its arguments as strace prints them, changes a file.
func changes(call, args string) bool {
	switch call {
	case "openat":
		return strings.Contains(args, "O_CREAT")
	case "write":
		return !printed(call, args) && !strings.Contains(args, `, "\1\0\0\0\0\0\0\0", 8)`) // Go wakes a thread
	}
	return true
}

// printed reports whether a system call prints.
func printed(call, args string) bool {
	return call == "write" && (strings.HasPrefix(args, "1,") || strings.HasPrefix(args, "2,"))
}

// tracedCall matches a line of strace's log: the thread, and its call.
var tracedCall = regexp.MustCompile(`(?m)^(\d+) +(\w+)\((.*)$`)

// trace runs a command below strace.
func (b *sandbox) trace(gatehouse string, args []string, flags ...string) (output string, err error) {
	b.Helper()
	all := append([]string{"-f", "-qq", "-o", "/dev/null"}, flags...)
	cmd := exec.Command("strace", append(append(all, gatehouse), b.placed(args)...)...)
	return b.runProcess(cmd, "GOMAXPROCS=1") // so that one thread makes most calls
}

// newProcessSandbox returns a sandbox whose commands are processes of their own.
func newProcessSandbox(t *testing.T, w writer, gatehouse string) *sandbox {
	t.Helper()
	return prepareSandbox(t, w, func(b *sandbox, args []string) (code int, output string) {
		b.Helper()
		output, err := b.runProcess(exec.Command(gatehouse, b.placed(args)...))
		return processExitCode(err), output
	})
}

// runProcess runs a process in the environment of the sandbox.
func (b *sandbox) runProcess(cmd *exec.Cmd, env ...string) (output string, err error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = []string{"HOME=" + b.home, "USER=ada", "XDG_STATE_HOME=" + b.home, "PATH=" + os.Getenv("PATH")}
	cmd.Env = append(cmd.Env, env...)
	err = cmd.Run()
	return out.String(), err
}

// processExitCode returns the exit code of a process, -1 if it was killed or could not be run.
func processExitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// wasKilled reports whether a process below strace was killed: strace ends in the same way.
func wasKilled(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}
