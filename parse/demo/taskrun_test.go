package demo

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/core"
)

// taskPlay is the build by tasks alone, with a clock that a test moves.
type taskPlay struct{ projectPlay }

func playTasks(t *testing.T) *taskPlay {
	t.Helper()
	return &taskPlay{playProject(t, nestDir)}
}

// build reads it as the dashboard does.
func (p *taskPlay) build() *model.Build {
	p.Helper()
	return p.read("ultraplan")
}

func (p *taskPlay) state() string {
	p.Helper()
	return p.file(nestState)
}

// holds fails where check has something to say.
func (p *taskPlay) holds() {
	p.Helper()
	if b := p.build(); len(b.Problems) > 0 || len(b.Divergences) > 0 {
		p.Errorf("problems %v, divergences %v in\n%s", b.Problems, b.Divergences, p.state())
	}
	for _, x := range p.project.Check(p.c.now) {
		p.Errorf("check: %s", x.String())
	}
}

// until lets the agent work until its build is so, checked whenever its state changes.
func (p *taskPlay) until(what string, is func(b *model.Build) bool) *model.Build {
	p.Helper()
	for before := p.state(); ; {
		if b := p.build(); is(b) {
			return b
		}
		for passed := time.Duration(0); ; passed += tick {
			if passed > time.Minute {
				p.Fatalf("never: %s; the state is\n%s", what, p.state())
			}
			p.c.now = p.c.now.Add(tick)
			if err := p.b.nest.tick(p.Context(), tick); err != nil {
				p.Fatal(err)
			}
			if now := p.state(); now != before {
				before = now
				break
			}
		}
		p.holds()
	}
}

// chick is the gate of the task that fails as often as it may.
const chick = "task/02-eye/02-02/2/gate"

func TestATaskOfTheDemoWaitsUntilItIsDecided(t *testing.T) {
	for _, c := range []struct {
		verb  model.Verb
		words string
		log   string // what its last log is called, but for its day
	}{
		{model.VerbRetry, "", "02-02-task-02-success.yaml"},
		{model.VerbSkip, "we count chicks by eye this year", "02-02-task-02-failure-3.yaml"},
	} {
		t.Run(string(c.verb), func(t *testing.T) {
			p := playTasks(t)
			p.holds()
			if b := p.build(); b.Status != model.Active || b.Progress.Plans != (model.Count{Done: 2, Total: 5}) || len(b.Certain()) > 0 {
				t.Errorf("at the start: %s, %+v, %v waits", b.Status, b.Progress.Plans, b.Waits)
			}
			p.until("a task fails and is tried again", func(b *model.Build) bool {
				n, _ := b.Find("task/02-eye/02-01/2")
				return n != nil && n.Status == model.Retrying && strings.Contains(p.state(), core.GateExecuting)
			})
			b := p.until("it waits", func(b *model.Build) bool { return len(b.Certain()) > 0 })
			if w := b.Certain()[0]; w.Node != chick || !strings.Contains(w.Text, "failed 3 times") {
				t.Errorf("%+v waits", w)
			}
			n, _ := b.Find(chick) // who decides sees why it failed
			for i, why := range p.b.nest.task("02-02", "Task 2: Notice the first chick").Fails {
				if want := (model.Fact{Label: "failure " + string('1'+rune(i)), Value: why}); !slices.Contains(n.Facts, want) {
					t.Errorf("its gate has %+v, want %+v", n.Facts, want)
				}
			}
			before := p.state()
			for range 600 { // nobody answers in their place
				if err := p.b.nest.tick(t.Context(), time.Second); err != nil {
					t.Fatal(err)
				}
			}
			if p.state() != before {
				t.Errorf("nobody answered, and the state became\n%s", p.state())
			}
			if _, err := p.as.Do(t.Context(), model.Action{Project: p.project.Root(), Build: b.ID, Node: chick, Verb: c.verb, Text: c.words}); err != nil {
				t.Fatal(err)
			}
			p.holds()
			p.until("it is complete", func(b *model.Build) bool { return b.Status == model.Done })
			if !p.b.nest.over() {
				t.Error("the agent takes it for not over")
			}
			if found, _ := filepath.Glob(filepath.Join(p.b.dir, nestDir, ".ultraplan/logs/executions/*", c.log)); len(found) != 1 {
				t.Errorf("%s: %v", c.log, found)
			}
			if skipped := strings.Contains(p.state(), "reason: \""+c.words+"\""); skipped != (c.verb == model.VerbSkip) {
				t.Errorf("the task is left out: %v, in\n%s", skipped, p.state())
			}
			if state := p.state(); !strings.Contains(state, "Status: Complete\n") || !strings.Contains(state, "100%") {
				t.Errorf("in the end STATE.md is\n%s", state)
			}
		})
	}
}
