//go:build unix

package main

// Deciding, with real processes: several at once, agents that write over what was decided, waits that are told.

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
)

// lamp is the project lantern in a directory of its own, with a user who decides there.
type lamp struct {
	*testing.T
	dir  string
	file string // the state
	user parse.User
}

func newLamp(t *testing.T, home string) *lamp {
	t.Helper()
	if testing.Short() {
		t.Skip("real processes take seconds")
	}
	l := &lamp{T: t, dir: filepath.Join(home, "lamp")}
	l.file = filepath.Join(l.dir, "lantern-state.json")
	l.user = parse.User{Home: home, Name: "ada", Journal: filepath.Join(home, ".local", "state", "gatehouse", "journal")}
	if err := unpack("lantern", l.dir); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *lamp) text() string {
	l.Helper()
	text, err := os.ReadFile(l.file)
	if err != nil {
		l.Fatal(err)
	}
	return string(text)
}

// write writes the state in place, as agents do.
func (l *lamp) write(text string) {
	if err := os.WriteFile(l.file, []byte(text), 0o644); err != nil {
		l.Error(err)
	}
}

// says waits until the state says something.
func (l *lamp) says(text string) {
	l.Helper()
	soon(l.T, "in the state: "+text, func() bool { return strings.Contains(l.text(), text) })
}

// writtenOver starts a command, and writes a text over the file once the command has written something there, while the command still
// looks whether somebody does. Where the machine stood still meanwhile it is done once more.
func (l *lamp) writtenOver(said, text string, args ...string) *running {
	l.Helper()
	const soonEnough = 60 * time.Millisecond // of the 200 for which a command looks
	for before := l.text(); ; l.write(before) {
		c, looked := l.start(args...), time.Now()
		soon(l.T, "in the state: "+said, func() bool {
			if strings.Contains(l.text(), said) {
				return true
			}
			looked = time.Now()
			return false
		})
		l.write(text)
		if late := time.Since(looked) > soonEnough; c.code() != exitDone || !late {
			return c
		}
	}
}

func (l *lamp) decisions() []model.Decision {
	l.Helper()
	p, err := parse.Open(l.dir, l.user)
	if err != nil {
		l.Fatal(err)
	}
	all, err := parse.Decisions([]*parse.Project{p}, time.Now())
	if err != nil {
		l.Fatal(err)
	}
	return all
}

// output is what a process writes, to be read while it does.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// process is a gatehouse that runs.
type running struct {
	*testing.T
	cmd         *exec.Cmd
	out, errors output
}

// start starts a command in the project.
func (l *lamp) start(args ...string) *running {
	l.Helper()
	bin, err := Binary()
	if err != nil {
		l.Fatal(err)
	}
	p := &running{T: l.T, cmd: exec.Command(filepath.Join(bin, "gatehouse"), args...)}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = l.dir, &p.out, &p.errors
	p.cmd.Env = []string{"HOME=" + l.user.Home, "PATH=" + os.Getenv("PATH")}
	if err := p.cmd.Start(); err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { p.cmd.Process.Kill() })
	return p
}

// code waits for the end of the process, and returns its exit code.
func (p *running) code() int {
	p.Helper()
	timer := time.AfterFunc(patience, func() { p.cmd.Process.Kill() })
	defer timer.Stop()
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		p.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

func TestAgentThatWritesItsOwnCopyOverADecisionIsToldOf(t *testing.T) {
	t.Parallel()
	l := newLamp(t, t.TempDir())
	copied := strings.Replace(l.text(), `"metrics": {}`, `"metrics": {"sides": 4}`, 1)
	c := l.writtenOver(`"passed"`, copied, "approve", "sketch-gate")
	if code := c.cmd.ProcessState.ExitCode(); code != exitRefused || !strings.Contains(c.errors.String(), "lantern-state.json: another writer has overwritten gates.sketch-gate.status") {
		t.Errorf("exit code %d, %s", code, c.errors.String())
	}
	if l.text() != copied {
		t.Error("the agent was fought")
	}
	// One that reads before it writes loses nothing.
	c = l.start("approve", "sketch-gate")
	l.says(`"passed"`)
	l.write(strings.Replace(l.text(), `"metrics": {"sides": 4}`, `"metrics": {"sides": 5}`, 1))
	if code := c.code(); code != exitDone {
		t.Errorf("exit code %d, %s", code, c.errors.String())
	}
}

func TestDecisionsAgainstAWriterThatNeverRests(t *testing.T) {
	t.Parallel()
	l := newLamp(t, t.TempDir())
	state := l.text()
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				l.write(strings.Replace(state, `"metrics": {}`, `"metrics": {"beat": `+strings.Repeat("1", i%9+1)+`}`, 1))
			}
		}
	})
	for range 4 {
		c := l.start("approve", "sketch-gate", "--json")
		switch code := c.code(); {
		case code == exitDone:
		case code == exitRefused && strings.Contains(c.errors.String(), "another writer"):
		case code == exitRefused && strings.Contains(c.errors.String(), "a file that can't be read is never written"):
		case code == exitRefused && strings.Contains(c.errors.String(), "the file can't be read now"):
		case code == exitUsage && strings.Contains(c.errors.String(), "no gate"): // only halves of the file were seen
		default:
			t.Errorf("exit code %d, %s%s", code, c.out.String(), c.errors.String())
		}
	}
	close(stop)
	writer.Wait()
	if !json.Valid([]byte(l.text())) {
		t.Errorf("the file is broken: %s", l.text())
	}
	for _, d := range l.decisions() {
		if d.Interrupted {
			t.Errorf("it is not known what became of %+v", d)
		}
	}
	// And when it rests, all is as ever.
	l.start("approve", "sketch-gate", "--json").code()
	l.says(`"passed"`)
	if e, _ := filepath.Glob(filepath.Join(l.dir, ".*")); len(e) > 0 {
		t.Errorf("left behind: %q", e)
	}
}
