//go:build unix

package main

// Decisions in real processes: several at once, with agents that overwrite them, and with waits that report them.

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

// lamp is the project lantern in its own directory, with a user who decides there.
type lamp struct {
	*testing.T
	dir  string
	file string // path of the state
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

// waitForState waits until the state contains text.
func (l *lamp) waitForState(text string) {
	l.Helper()
	waitUntil(l.T, "in the state: "+text, func() bool { return strings.Contains(l.text(), text) })
}

// overwrite starts a command and writes text over the file once the file contains written, while the command still checks for
// other writers. If the machine was too slow for that, it tries again.
func (l *lamp) overwrite(written, text string, args ...string) *running {
	l.Helper()
	const soonEnough = 60 * time.Millisecond // of the 200 ms in which a command checks
	for before := l.text(); ; l.write(before) {
		c, looked := l.start(args...), time.Now()
		waitUntil(l.T, "in the state: "+written, func() bool {
			if strings.Contains(l.text(), written) {
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

// output collects what a process writes, and can be read while it runs.
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

// running is a gatehouse process.
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

// code waits until the process ends, and returns its exit code.
func (p *running) code() int {
	p.Helper()
	timer := time.AfterFunc(waitLimit, func() { p.cmd.Process.Kill() })
	defer timer.Stop()
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		p.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

func TestOverwrittenDecisionIsReported(t *testing.T) {
	t.Parallel()
	l := newLamp(t, t.TempDir())
	copied := strings.Replace(l.text(), `"metrics": {}`, `"metrics": {"sides": 4}`, 1)
	c := l.overwrite(`"passed"`, copied, "approve", "sketch-gate")
	if code := c.cmd.ProcessState.ExitCode(); code != exitRefused || !strings.Contains(c.errors.String(), "lantern-state.json: another writer has overwritten gates.sketch-gate.status") {
		t.Errorf("exit code %d, %s", code, c.errors.String())
	}
	if l.text() != copied {
		t.Error("the command overwrote the agent's file")
	}
	// An agent that reads before it writes loses nothing.
	c = l.start("approve", "sketch-gate")
	l.waitForState(`"passed"`)
	l.write(strings.Replace(l.text(), `"metrics": {"sides": 4}`, `"metrics": {"sides": 5}`, 1))
	if code := c.code(); code != exitDone {
		t.Errorf("exit code %d, %s", code, c.errors.String())
	}
}

func TestDecideDuringConstantWrites(t *testing.T) {
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
		case code == exitUsage && strings.Contains(c.errors.String(), "no gate"): // it read only partial files
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
			t.Errorf("the result of %+v is unknown", d)
		}
	}
	// Once the writer has stopped, decisions work as usual.
	l.start("approve", "sketch-gate", "--json").code()
	l.waitForState(`"passed"`)
	if e, _ := filepath.Glob(filepath.Join(l.dir, ".*")); len(e) > 0 {
		t.Errorf("left behind: %q", e)
	}
}
