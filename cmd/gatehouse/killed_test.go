package main

// All commands that write, in testdata/writers.rows: each is made to fail, and killed, at every call.

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"gatehouse/parse"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/statefile/faults"
)

// writer is a command that writes.
type writer struct {
	name     string
	projects []string // in testdata/projects, one over the other
	without  string   // a file that is removed
	before   [][]string
	args     []string
	code     int   // its exit code
	again    []int // further exit codes of a second run
	// undo is the command that undoes it with exit code 0; nil if there is none.
	undo []string
	// signed provides a key, and the setting sign_file.
	signed bool
	// several means that it writes several files, one after the other.
	several bool
}

// readWriters returns the commands in testdata/writers.rows.
func readWriters(t *testing.T) (all []writer) {
	text, err := os.ReadFile("testdata/writers.rows")
	must(t, err)
	for l := range strings.Lines(string(text)) {
		words := splitQuoted(l)
		if !strings.HasPrefix(l, "\t") {
			all = append(all, writer{name: strings.TrimSpace(l)})
			continue
		}
		w := &all[len(all)-1]
		switch args := words[1:]; words[0] {
		case "project":
			w.projects = append(w.projects, args[0])
		case "without":
			w.without = args[0]
		case "before":
			w.before = append(w.before, args)
		case "run":
			w.args = args
		case "undo":
			w.undo = args
		case "code":
			w.code, _ = strconv.Atoi(args[0])
		case "again":
			code, _ := strconv.Atoi(args[0])
			w.again = append(w.again, code)
		case "signed":
			w.signed = true
		case "several":
			w.several = true
		default:
			t.Fatal(l)
		}
	}
	return all
}

// splitQuoted returns the words of a line; quotes keep blanks.
func splitQuoted(line string) (words []string) {
	for _, m := range quotedWord.FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2])
	}
	return words
}

var quotedWord = regexp.MustCompile(`'([^']*)'|(\S+)`)

// sandbox is the project and home directory of a writer.
type sandbox struct {
	*testing.T
	w         writer
	execute   func(b *sandbox, args []string) (code int, output string)
	dir, home string
}

// newSandbox returns a sandbox whose commands run in the process of the test.
func newSandbox(t *testing.T, w writer) *sandbox {
	t.Helper()
	return prepareSandbox(t, w, func(b *sandbox, args []string) (code int, output string) { return b.run(nil, args) })
}

// prepareSandbox makes the project of a writer, and runs its preparations.
func prepareSandbox(t *testing.T, w writer, execute func(b *sandbox, args []string) (code int, output string)) *sandbox {
	t.Helper()
	b := &sandbox{T: t, w: w, execute: execute}
	real, err := filepath.EvalSymlinks(t.TempDir())
	b.must(err)
	b.dir, b.home = filepath.Join(real, "p"), filepath.Join(real, "home")
	b.must(os.MkdirAll(b.dir, 0o755))
	b.must(os.MkdirAll(b.home, 0o755))
	for _, name := range w.projects {
		b.must(unpack(name, b.dir))
	}
	if w.signed {
		b.giveKey()
	}
	if w.without != "" {
		b.must(os.Remove(filepath.Join(b.dir, w.without)))
	}
	for _, args := range w.before {
		if args[0] == "sed" {
			b.sed(args)
			continue
		}
		if code, output := b.execute(b, args); code > 1 {
			b.must(fmt.Errorf("%q: exit code %d\n%s", args, code, output))
		}
	}
	return b
}

// newKey makes the signing key of all sandboxes, so that the same decision has the same signature.
var newKey = sync.OnceValues(func() (key []byte, err error) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", file).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return os.ReadFile(file)
})

func (b *sandbox) giveKey() {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		b.Skip("ssh-keygen is not installed")
	}
	key, err := newKey()
	b.must(err)
	b.must(os.WriteFile(filepath.Join(b.home, "key"), key, 0o600))
	config := filepath.Join(b.home, ".config", "gatehouse", "config.yaml")
	b.must(os.MkdirAll(filepath.Dir(config), 0o700))
	b.must(os.WriteFile(config, []byte("sign_key: ~/key\nsign_file: true\n"), 0o600))
}

// must fails the test, from any goroutine, if there is an error.
func (b *sandbox) must(err error) {
	b.Helper()
	if err != nil {
		b.Error(err)
		runtime.Goexit()
	}
}

// sed replaces text in a file like sed, once.
func (b *sandbox) sed(args []string) {
	file := filepath.Join(b.dir, args[3])
	text, err := os.ReadFile(file)
	b.must(err)
	parts := strings.Split(strings.ReplaceAll(args[2], `\/`, "\x00"), "/")
	now := regexp.MustCompile(strings.NewReplacer("(", `\(`).Replace(parts[1])).ReplaceAllString(string(text), strings.ReplaceAll(parts[2], "\x00", "/"))
	b.must(os.WriteFile(file, []byte(now), 0o644))
}

func (b *sandbox) user(system *statefile.System) parse.User {
	return parse.User{Name: "ada", Home: b.home, Journal: filepath.Join(b.home, "gatehouse", "journal"), System: system}
}

// run runs a command in this process, on a system; nil is the usual one.
func (b *sandbox) run(system *statefile.System, args []string) (code int, output string) {
	var out bytes.Buffer
	s := &env{stdout: &out, stderr: &out, user: b.user(system), configFile: filepath.Join(b.home, ".config", "gatehouse", "config.yaml"), now: func() time.Time { return today }, processes: orphaned{process.System{}, os.Getpid()}}
	return run(context.Background(), s, b.placed(args)), out.String()
}

// placed returns the arguments with the paths of the sandbox.
func (b *sandbox) placed(args []string) []string {
	args = slices.Clone(args)
	for i, a := range args {
		if strings.HasSuffix(a, ".yaml") || a == "loop.json" {
			args[i] = filepath.Join(b.dir, a)
		}
	}
	return append(args, "--dir", b.dir)
}

// changing matches the parts of files that differ in every run: item IDs and, with a real clock, times.
var changing = regexp.MustCompile(`-----BEGIN SSH SIGNATURE.*END SSH SIGNATURE|inbox-\d{4,}-[a-z0-9]{6}|20[2-9]\d-\d\d-\d\d(T[0-9:.]+Z?)?|20[2-9]\d{5}T\d{6}Z`)

// state returns all files that a writer has left, with their modes, by name; except the journal, its head and waits.
func (b *sandbox) state() map[string]string {
	b.Helper()
	all := map[string]string{}
	for _, dir := range []string{b.dir, b.home} {
		b.must(filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(filepath.Dir(b.dir), path)
			switch {
			case err != nil || strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".head") || strings.HasSuffix(path, ".waited"):
				return err
			case strings.HasSuffix(path, ".waiting"): // waits: those of killed processes are removed by the next reader
				return fs.SkipDir
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			text := []byte{}
			if info.Mode().IsRegular() {
				text, err = os.ReadFile(path)
			}
			all[changing.ReplaceAllString(name, "…")] = info.Mode().String() + "\n" + changing.ReplaceAllString(string(text), "…")
			return err
		}))
	}
	return all
}

// decisions returns the decisions of the journal, the newest first.
func (b *sandbox) decisions() string {
	b.Helper()
	all, err := parse.AllDecisions(b.user(nil))
	b.must(err)
	var output []string
	for _, d := range all {
		output = append(output, fmt.Sprintf("%s %s: %s → %s %q%s", d.Verb, changing.ReplaceAllString(d.Name, "…"), d.Was, d.Is, d.Text, describeFate(&d)))
	}
	return strings.Join(output, "\n")
}

// checkState checks the files and the journal.
func (b *sandbox) checkState(want map[string]string, decided, when string) {
	b.Helper()
	got := b.state()
	for name, text := range want {
		if got[name] != text {
			b.Errorf("%s: %s is %q, want %q", when, name, got[name], text)
		}
	}
	for name := range got {
		if _, is := want[name]; !is {
			b.Errorf("%s: left behind: %s", when, name)
		}
	}
	if d := b.decisions(); d != decided {
		b.Errorf("%s: the journal says\n%s\nwant\n%s", when, d, decided)
	}
}

// outcome is the result of a writer that is not interrupted.
type outcome struct {
	before, after  map[string]string
	decided        string
	undone         map[string]string // nil if it has no undo
	undoneDecision string
}

// runOnce runs the writer without interruption.
func (b *sandbox) runOnce() outcome {
	b.Helper()
	w := b.w
	o := outcome{before: b.state()}
	if code, output := b.execute(b, w.args); code != w.code {
		b.Fatalf("%s: exit code %d\n%s", w.name, code, output)
	}
	o.after, o.decided = b.state(), b.decisions()
	if w.undo != nil {
		if code, output := b.execute(b, w.undo); code != 0 {
			b.Fatalf("%s: undo: exit code %d\n%s", w.name, code, output)
		}
		o.undone, o.undoneDecision = b.state(), b.decisions()
	}
	return o
}

// runAgain runs the writer once more, and checks that the result is the same as after one run.
func (b *sandbox) runAgain(o outcome, when string) {
	b.Helper()
	if code, output := b.execute(b, b.w.args); code != b.w.code && code != 0 && !slices.Contains(b.w.again, code) {
		b.Errorf("%s: once more: exit code %d\n%s", when, code, output)
	}
	b.checkState(o.after, o.decided, when+", and once more")
	if b.w.undo == nil {
		return
	}
	if code, output := b.execute(b, b.w.undo); code != 0 {
		b.Errorf("%s: undo: exit code %d\n%s", when, code, output)
	}
	b.checkState(o.undone, o.undoneDecision, when+", once more, and undone")
}

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

// tally counts the calls of all commands, and those that were tried.
type tally struct{ calls, tried atomic.Int32 }

// count counts a call, and returns isTried.
func (t *tally) count(isTried bool) bool {
	if t.calls.Add(1); isTried {
		t.tried.Add(1)
	}
	return isTried
}

func (t *tally) String() string { return fmt.Sprintf("%d of %d calls", t.tried.Load(), t.calls.Load()) }

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
	kills, errors := &tally{}, &tally{}
	eachWriter(t, func(t *testing.T, w writer, seed uint64, at *crowd) {
		o, kill, fail := newSandbox(t, w).runOnce(), sample(seed, 10), sample(seed, 40)
		for n, call := range callsOf(t, w) {
			if kills.count(kill()) {
				at.do(func() { killAt(t, w, o, n, call) })
			}
			for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EACCES} {
				if errors.count(fail()) {
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
