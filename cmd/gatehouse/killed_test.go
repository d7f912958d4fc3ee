package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"gatehouse/parse/disk/statefile/faults"
)

// allVariable makes the tests of this file try every call instead of a sample; make soak sets it.
const allVariable = "GATEHOUSE_KILL_ALL"

// sample returns a function that selects the calls of a command to try: all, or a random sample that is the same in every run.
func sample(seed uint64, one int) func() bool {
	if os.Getenv(allVariable) != "" {
		return func() bool { return true }
	}
	r := rand.New(rand.NewPCG(seed, 1))
	return func() bool { return r.IntN(one) == 0 }
}

// crowd runs functions concurrently. Commands mostly wait for agents that may overwrite what they wrote.
type crowd struct {
	sync.WaitGroup
	room chan struct{}
}

func (c *crowd) do(what func()) {
	c.Go(func() {
		c.room <- struct{}{}
		defer func() { <-c.room }()
		what()
	})
}

// eachWriter calls do for each writer, many of them concurrently.
func eachWriter(t *testing.T, do func(t *testing.T, w writer, seed uint64, at *crowd)) {
	room := make(chan struct{}, 16)
	var all sync.WaitGroup
	for i, w := range readWriters(t) {
		all.Go(func() {
			t.Run(w.name, func(t *testing.T) {
				at := &crowd{room: room}
				at.do(func() { do(t, w, uint64(i), at) })
				at.Wait()
			})
		})
	}
	all.Wait()
}

// tally counts the tried calls of all commands.
type tally struct {
	mu           sync.Mutex
	calls, tried int
	by           map[string]int
}

// count counts a call, and returns tried.
func (t *tally) count(call string, tried bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls++
	if tried {
		t.tried++
		t.by[call]++
	}
	return tried
}

func (t *tally) String() string {
	var by []string
	for call, n := range t.by {
		by = append(by, fmt.Sprintf("%s %d", call, n))
	}
	slices.Sort(by)
	return fmt.Sprintf("%d of %d calls: %s", t.tried, t.calls, strings.Join(by, ", "))
}

// callsOf returns the calls of a writer that change something.
func callsOf(t *testing.T, w writer) (calls []string) {
	t.Helper()
	b := newSandbox(t, w)
	system := faults.Stepping(func(call string) error {
		if faults.Changing(call) {
			calls = append(calls, call)
		}
		return nil
	})
	if code, output := b.run(system, w.args); code != w.code {
		t.Fatalf("%s: exit code %d\n%s", w.name, code, output)
	}
	return calls
}

// TestKilledOrFailingAtEveryCall kills a command at every call. Running it again completes the work once; nothing is stuck, locked or
// left behind, and it can be undone. It also lets every call fail: the error is reported, nothing is lost, half-written or left
// behind, and running the command again completes the work.
func TestKilledOrFailingAtEveryCall(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every command some hundred times")
	}
	kills, errors := &tally{by: map[string]int{}}, &tally{by: map[string]int{}}
	eachWriter(t, func(t *testing.T, w writer, seed uint64, at *crowd) {
		o, kill, fail := newSandbox(t, w).runOnce(), sample(seed, 10), sample(seed, 40)
		for n, call := range callsOf(t, w) {
			if kills.count(call, kill()) {
				at.do(func() { killAt(t, w, o, n, call) })
			}
			for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EACCES} {
				if errors.count(call, fail()) {
					at.do(func() { failAt(t, w, o, n, call, errno) })
				}
			}
		}
	})
	t.Logf("killed: %v\nfailed: %v", kills, errors)
}

// killAt kills a writer at a call.
func killAt(t *testing.T, w writer, o outcome, n int, call string) {
	t.Helper()
	b := newSandbox(t, w)
	system, hit := faults.At(n+1, faults.ErrKilled)
	before := b.countDone()
	b.run(system, w.args)
	when := fmt.Sprintf("killed at %d, %s", n+1, call)
	if hit() != call {
		t.Errorf("%s: %q", when, hit())
	}
	if b.countDone() > before {
		return // all was done; another run would do it a second time
	}
	b.runAgain(o, when)
}

// countDone returns how many decisions the journal records as done, or as reported to a wait.
func (b *sandbox) countDone() (n int) {
	files, err := filepath.Glob(filepath.Join(b.home, "gatehouse", "journal", "*.jsonl"))
	b.must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		b.must(err)
		n += strings.Count(string(text), `{"entry":"done"`) + strings.Count(string(text), `{"entry":"reported"`)
	}
	return n
}

// failAt makes one call of a writer fail.
func failAt(t *testing.T, w writer, o outcome, n int, call string, errno syscall.Errno) {
	t.Helper()
	b := newSandbox(t, w)
	system, _ := faults.At(n+1, errno)
	code, output := b.run(system, w.args)
	when := fmt.Sprintf("%v at %d, %s: exit code %d, %s", errno, n+1, call, code, output)
	written := false
	for name, text := range b.state() {
		switch before, is := o.before[name]; {
		case is && text == before:
		case text == o.after[name]:
			written = true
		case call != faults.Remove: // without permission to remove, temporary files stay
			t.Errorf("%s: %s is neither as it was nor as it should be: %q", when, name, text)
		}
	}
	switch {
	case code == w.code && !strings.Contains(output, errno.Error()): // the command works without that call
		if call != faults.Remove {
			b.checkState(o.after, o.decided, when)
		}
		return
	case !strings.Contains(output, errno.Error()):
		t.Errorf("%s: the error is not reported", when)
	case written && !w.several && !strings.Contains(output, "is written all the same") && !strings.Contains(output, "is told only as long") && !wroteOnlyDirectories(b, o):
		t.Errorf("%s: it was written, and that is not reported", when)
	}
	if w.args[0] == "wait" && code == w.code {
		return // the wait has received its answer
	}
	b.runAgain(o, when)
}

// wroteOnlyDirectories reports whether nothing but directories was written: for the journal, or for a new file.
func wroteOnlyDirectories(b *sandbox, o outcome) bool {
	for name, text := range b.state() {
		if text != o.before[name] && !strings.HasPrefix(text, "d") {
			return false
		}
	}
	return true
}
