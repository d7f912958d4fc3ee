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

// allVariable has the tests of this file try every call, and not a sample of them: make soak.
const allVariable = "GATEHOUSE_KILL_ALL"

// sample reports which calls are tried of a command: all, or some at random, always the same.
func sample(seed uint64, one int) func() bool {
	if os.Getenv(allVariable) != "" {
		return func() bool { return true }
	}
	r := rand.New(rand.NewPCG(seed, 1))
	return func() bool { return r.IntN(one) == 0 }
}

// crowd does several things at once: commands mostly wait, for agents that might write over what they wrote.
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

// eachWriter does something with each writer, with many of them at once.
func eachWriter(t *testing.T, do func(t *testing.T, w writer, seed uint64, at *crowd)) {
	room := make(chan struct{}, 16)
	var all sync.WaitGroup
	for i, w := range writers {
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

// tally counts what was tried, over all commands.
type tally struct {
	mu           sync.Mutex
	calls, tried int
	by           map[string]int
}

// take counts a call, and returns whether it is tried.
func (t *tally) take(call string, tried bool) bool {
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

// callsOf returns which calls a writer makes that change something.
func callsOf(t *testing.T, w writer) (calls []string) {
	t.Helper()
	b := newSandbox(t, w)
	system := faults.Stepping(func(call string) error {
		if faults.Changing(call) {
			calls = append(calls, call)
		}
		return nil
	})
	if code, said := b.run(system, w.args); code != w.code {
		t.Fatalf("%s: exit code %d\n%s", w.name, code, said)
	}
	return calls
}

// Whatever call a command is killed at, the same command once more does it once: nothing is wedged, locked or left behind, and
// it can be undone. Whatever call fails, and how, it is said, and nothing is lost, half written or left behind, and the same
// command once more does it.
func TestKilledOrFailingAtEveryCall(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every command some hundred times")
	}
	kills, errors := &tally{by: map[string]int{}}, &tally{by: map[string]int{}}
	eachWriter(t, func(t *testing.T, w writer, seed uint64, at *crowd) {
		o, kill, fail := once(t, w), sample(seed, 10), sample(seed, 40)
		for n, call := range callsOf(t, w) {
			if kills.take(call, kill()) {
				at.do(func() { dies(t, w, o, n, call) })
			}
			for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EACCES} {
				if errors.take(call, fail()) {
					at.do(func() { fails(t, w, o, n, call, errno) })
				}
			}
		}
	})
	t.Logf("killed: %v\nfailed: %v", kills, errors)
}

// dies has a writer be killed at a call.
func dies(t *testing.T, w writer, o outcome, n int, call string) {
	t.Helper()
	b := newSandbox(t, w)
	system, hit := faults.At(n+1, faults.ErrKilled)
	before := b.ended()
	b.run(system, w.args)
	when := fmt.Sprintf("killed at %d, %s", n+1, call)
	if hit() != call {
		t.Errorf("%s: %q", when, hit())
	}
	if b.ended() > before {
		return // all was done: who runs it again means to do it once more
	}
	b.again(o, when)
}

// ended returns how often the journal says that something was done, or passed on to who waits.
func (b *sandbox) ended() (n int) {
	files, err := filepath.Glob(filepath.Join(b.home, "gatehouse", "journal", "*.jsonl"))
	b.must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		b.must(err)
		n += strings.Count(string(text), `{"entry":"done"`) + strings.Count(string(text), `{"entry":"reported"`)
	}
	return n
}

// fails has one call of a writer fail.
func fails(t *testing.T, w writer, o outcome, n int, call string, errno syscall.Errno) {
	t.Helper()
	b := newSandbox(t, w)
	system, _ := faults.At(n+1, errno)
	code, said := b.run(system, w.args)
	when := fmt.Sprintf("%v at %d, %s: exit code %d, %s", errno, n+1, call, code, said)
	written := false
	for name, text := range b.state() {
		switch before, is := o.before[name]; {
		case is && text == before:
		case text == o.after[name]:
			written = true
		case call != faults.Remove: // who may not remove can't tidy up
			t.Errorf("%s: %s is neither as it was nor as it should be: %q", when, name, text)
		}
	}
	switch {
	case code == w.code && !strings.Contains(said, errno.Error()): // it does without
		if call != faults.Remove {
			b.same(o.after, o.decided, when)
		}
		return
	case !strings.Contains(said, errno.Error()):
		t.Errorf("%s: why is not said", when)
	case written && !w.several && !strings.Contains(said, "is written all the same") && !strings.Contains(said, "is told only as long") && !madeRoom(b, o):
		t.Errorf("%s: it was written, and that is not said", when)
	}
	if w.args[0] == "wait" && code == w.code {
		return // whoever waited has been told
	}
	b.again(o, when)
}

// madeRoom reports whether nothing was written but directories: of the journal, or of a file that was to be made.
func madeRoom(b *sandbox, o outcome) bool {
	for name, text := range b.state() {
		if text != o.before[name] && !strings.HasPrefix(text, "d") {
			return false
		}
	}
	return true
}
