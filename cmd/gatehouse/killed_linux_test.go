package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
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

// Like TestKilledAtEveryCall, with the real thing: strace kills the process at each of its system calls.
func TestKilledAtEverySystemCall(t *testing.T) {
	if testing.Short() {
		t.Skip("kills many processes")
	}
	bin, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	gatehouse := filepath.Join(bin, "gatehouse")
	if out, err := exec.Command("strace", "-f", "-o", "/dev/null", "-e", "trace=openat", gatehouse, "--version").CombinedOutput(); err != nil {
		t.Skipf("strace is not here, or may trace nothing: %v: %s", err, out)
	}
	every := 7
	if os.Getenv(allVariable) != "" {
		every = 1
	}
	kills := &tally{by: map[string]int{}}
	eachWriter(t, every, func(t *testing.T, w writer, seed uint64, at *crowd) {
		o, take := tracedOnce(t, w, gatehouse), sample(seed, 8)
		for _, call := range changingCalls {
			for _, n := range slices.Sorted(maps.Keys(o.calls[call])) {
				if kills.take(call, take()) {
					at.do(func() {
						if !o.dies(t, w, gatehouse, call, n) {
							kills.missed(call)
						}
					})
				}
			}
		}
	})
	t.Logf("killed: %v", kills)
}

// dies has a writer be killed at the nth of its calls of a kind, and reports whether it was: another thread may make some of
// the calls, so that it is killed at none, or after all.
func (o *traced) dies(t *testing.T, w writer, gatehouse, call string, n int) bool {
	t.Helper()
	for range 4 {
		b := newSandbox(t, w, byProcess(gatehouse))
		_, err := b.traced(gatehouse, w.args, "-e", "trace="+call, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, n))
		if killed(err) && b.ended() <= len(w.before) {
			b.again(o.outcome, fmt.Sprintf("killed at %s %d", call, n))
			return true
		}
	}
	return false
}

// traced is what a writer comes to at one go, and which of its system calls are worth being killed at, counted as strace does:
// for each thread.
type traced struct {
	outcome
	calls map[string]map[int]bool
}

func tracedOnce(t *testing.T, w writer, gatehouse string) traced {
	t.Helper()
	o := traced{outcome: once(t, w, byProcess(gatehouse)), calls: map[string]map[int]bool{}}
	b := newSandbox(t, w, byProcess(gatehouse))
	log := filepath.Join(t.TempDir(), "log")
	if said, err := b.traced(gatehouse, w.args, "-e", "trace="+strings.Join(changingCalls, ","), "-o", log); endedWith(err) != w.code {
		t.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(log)
	b.must(err)
	by := map[string]int{} // thread and call
	type at struct {
		call string
		n    int
	}
	var reads []at // what is opened between two changes; before the first there is nothing to lose, and after the last all is done
	begun := false
	for _, m := range tracedCall.FindAllStringSubmatch(string(text), -1) {
		thread, call, args := m[1], m[2], m[3]
		by[thread+call]++
		now := at{call, by[thread+call]}
		if !changes(call, args) && !(w.args[0] == "wait" && printed(call, args)) {
			reads = append(reads, now)
			continue
		}
		if begun {
			for _, r := range reads {
				o.add(r.call, r.n)
			}
		}
		begun, reads = true, nil
		o.add(now.call, now.n)
	}
	return o
}

func (o *traced) add(call string, n int) {
	if o.calls[call] == nil {
		o.calls[call] = map[int]bool{}
	}
	o.calls[call][n] = true
}

// changes reports whether a system call, with its arguments as strace prints them, changes a file.
func changes(call, args string) bool {
	switch call {
	case "openat":
		return strings.Contains(args, "O_CREAT")
	case "write":
		return !printed(call, args) && !strings.Contains(args, `, "\1\0\0\0\0\0\0\0", 8)`) // by which Go wakes a thread
	}
	return true
}

// printed reports whether it prints something.
func printed(call, args string) bool {
	return call == "write" && (strings.HasPrefix(args, "1,") || strings.HasPrefix(args, "2,"))
}

// tracedCall is a line of strace's log: the thread, and its call.
var tracedCall = regexp.MustCompile(`(?m)^(\d+) +(\w+)\((.*)$`)

// traced runs a command below strace.
func (b *sandbox) traced(gatehouse string, args []string, flags ...string) (said string, err error) {
	b.Helper()
	all := append([]string{"-f", "-qq", "-o", "/dev/null"}, flags...)
	cmd := exec.Command("strace", append(append(all, gatehouse), b.placed(args)...)...)
	return b.output(cmd, "GOMAXPROCS=1") // so that the calls are mostly one thread's
}

// byProcess runs commands as processes of their own.
func byProcess(gatehouse string) runner {
	return func(b *sandbox, args []string) (code int, said string) {
		b.Helper()
		said, err := b.output(exec.Command(gatehouse, b.placed(args)...))
		return endedWith(err), said
	}
}

func (b *sandbox) output(cmd *exec.Cmd, env ...string) (said string, err error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = []string{"HOME=" + b.home, "USER=ada", "XDG_STATE_HOME=" + b.home, "PATH=" + os.Getenv("PATH")}
	cmd.Env = append(cmd.Env, env...)
	err = cmd.Run()
	return out.String(), err
}

// endedWith returns the exit code of a process, -1 where it was killed or could not be run.
func endedWith(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// killed reports whether a process below strace was: strace ends as it has.
func killed(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}
