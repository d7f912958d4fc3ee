package demo

// This file is the agent that runs the loop beside the build. What it does next follows from the state file alone, which it
// reads at every tick: so it goes on where it stopped after a break, and heeds whatever a human decides. At a gate that a
// human has to open it waits for as long as it takes; nobody answers in their place.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"gatehouse/model/flow"
	"gatehouse/model/line"
)

const (
	// turning is how long the agent takes to go on once a gate is open: time to
	// take a decision back that was made too fast.
	turning = 3 * time.Second
	// checking is how long a check by itself takes.
	checking = 2 * time.Second
	// mending is how long it takes to write a deliverable again.
	mending = 4 * time.Second
	// listening is for how long the agent asks for a request after somebody has written the state file: the word may come
	// shortly after the sign.
	listening = 3 * time.Second
)

// loopAgent runs the loop.
type loopAgent struct {
	b   *Build
	def *loopDefinition

	doing string        // the job at hand, "" for none
	left  time.Duration // until it is done
	skill int           // how many skills of the phase at hand are done
	phase string        // that phase

	seen     string            // the state file as it was last seen
	listens  time.Duration     // for how long it still asks for requests
	requests map[string]string // what was asked to be changed, by gate
	mended   map[string]bool   // the failed gates whose deliverables are written again
}

func newLoopAgent(b *Build) *loopAgent {
	return &loopAgent{b: b, def: fieldGuide(), requests: map[string]string{}, mended: map[string]bool{}}
}

// job is one thing that the agent does.
type job struct {
	name  string
	takes time.Duration
	make  func() error     // writes the files that come of it; nil for none
	note  func(s *runtime) // changes the state when it is done
}

// tick lets time go by for the agent.
func (a *loopAgent) tick(d time.Duration) error {
	s := a.state()
	if s == nil {
		return nil // gone, or somebody is writing it
	}
	a.listen(s, d)
	next := a.next(s)
	if next == nil {
		a.doing = ""
		return nil
	}
	if next.name != a.doing {
		a.doing, a.left = next.name, next.takes
	}
	if a.left -= d; a.left > 0 {
		return nil
	}
	a.doing = ""
	if next.make != nil {
		if err := next.make(); err != nil {
			return fmt.Errorf("demo: loop: %s: %w", next.name, err)
		}
		// Somebody may have decided something while the files were written.
		if s = a.state(); s == nil {
			return nil
		}
		if again := a.next(s); again == nil || again.name != next.name {
			return nil
		}
	}
	next.note(s)
	return a.save(s)
}

// state returns the state file, nil while it can't be read.
func (a *loopAgent) state() *runtime {
	content, err := a.b.readFile(loopState)
	if err != nil {
		return nil
	}
	s := new(runtime)
	if json.Unmarshal([]byte(content), s) != nil {
		return nil
	}
	if content != a.seen {
		a.seen, a.listens = content, listening
	}
	for _, g := range a.def.Gates {
		status := s.Gates.at(g.ID).Status
		if status != flow.Pending {
			delete(a.requests, g.ID) // decided otherwise since
		}
		if status != flow.Failed {
			delete(a.mended, g.ID)
		}
	}
	return s
}

// save writes the whole file back, as agents do.
func (a *loopAgent) save(s *runtime) error {
	s.LastUpdated = max(s.LastUpdated, a.b.second())
	content, err := text(s)
	if err != nil {
		return err
	}
	a.seen = content
	return a.b.overwrite(loopState, content)
}

// listen asks whether changes are wanted at a gate, where somebody has just written the file. In real life the agent would
// run "gatehouse wait" instead.
func (a *loopAgent) listen(s *runtime, d time.Duration) {
	if a.b.opts.Changes == nil || a.listens <= 0 {
		return
	}
	a.listens -= d
	for _, g := range a.def.Gates {
		if s.Gates.at(g.ID).Status != flow.Pending || s.Phases.at(g.AfterPhase).Status != flow.Complete {
			continue
		}
		if words, ok := a.b.opts.Changes("loop:"+loopState, "gate/"+g.ID); ok {
			a.requests[g.ID] = line.Clean(words)
		}
	}
}

// next returns what there is to do, nil while the agent has to stand still.
func (a *loopAgent) next(s *runtime) *job {
	if s.Status != flow.Active {
		return nil
	}
	for i := range a.def.Gates {
		g := &a.def.Gates[i]
		switch status := s.Gates.at(g.ID).Status; {
		case status == flow.Pending && a.requests[g.ID] != "":
			return a.rewrite("revise for ", g, "## Changed as Asked\n\n> "+a.requests[g.ID]+"\n\nDone; please look again.\n", func() { delete(a.requests, g.ID) })
		case status == flow.Failed && !a.mended[g.ID]:
			return a.rewrite("mend for ", g, "## Written Again\n\nThe check of this file had failed.\n", func() { a.mended[g.ID] = true })
		}
	}
	switch r := a.def.flow(s).Resume(); r.Action {
	case flow.ContinuePhase:
		return a.work(s, r.Phase)
	case flow.GatePrompt:
		g := &a.def.Gates[r.Gate]
		if !g.auto() || s.Gates.at(g.ID).Status != flow.Pending {
			return nil // a human's turn
		}
		return &job{name: "check for " + g.ID, takes: checking, note: func(s *runtime) { a.check(s, g) }}
	case flow.OfferComplete:
		return &job{name: "complete", takes: turning, note: func(s *runtime) { s.Status = flow.Complete }}
	}
	return nil
}

// work is the next step of a phase: to begin it, or its next skill.
func (a *loopAgent) work(s *runtime, at int) *job {
	p := &a.def.Phases[at]
	if s.Phases.at(p.Name).Status == flow.Pending {
		return &job{name: "begin " + p.Name, takes: turning, note: func(s *runtime) {
			now, state := a.b.second(), s.Phases.at(p.Name)
			state.Status, state.StartedAt, s.Phase = flow.Active, &now, p.Name
		}}
	}
	if a.phase != p.Name {
		a.phase, a.skill = p.Name, 0
	}
	done := a.skill + 1
	half := done < len(p.Skills)
	produce := func() error { return a.b.writeFile(p.produces, a.b.renderGuide(p.produces, half)) }
	return &job{p.Name + ": " + p.Skills[a.skill], p.takes, produce, func(s *runtime) {
		state := s.Phases.at(p.Name)
		state.Deliverables = []string{p.produces}
		a.measure(s, p.Name)
		if a.skill = done; !half {
			now := a.b.second()
			a.phase, state.Status, state.CompletedAt = "", flow.Complete, &now
		}
	}}
}

// measure writes what a phase adds to the metrics.
func (a *loopAgent) measure(s *runtime, phase string) {
	for _, m := range guideMetrics[phase] {
		*s.Metrics.at(m.key) = m.value
	}
}

// check opens a gate that needs no human, or fails it.
func (a *loopAgent) check(s *runtime, g *loopGate) {
	state := s.Gates.at(g.ID)
	for _, name := range g.Deliverables {
		if content, err := a.b.readFile(name); err != nil || content == "" {
			state.Status = flow.Failed
			return
		}
	}
	now := a.b.second()
	state.Status, state.PassedAt = flow.Passed, &now
}

// rewrite is the job to write the deliverables of a gate again, with a note at their end. The gate stays as it is: the next
// word is the human's.
func (a *loopAgent) rewrite(what string, g *loopGate, note string, done func()) *job {
	write := func() error {
		for _, name := range g.Deliverables {
			if err := a.b.writeFile(name, a.b.renderGuide(name, false)+"\n"+note); err != nil {
				return err
			}
		}
		return nil
	}
	return &job{what + g.ID, mending, write, func(s *runtime) {
		*s.Metrics.at("revisions")++
		done()
	}}
}

// over reports whether the loop has ended, one way or the other, or was never there.
func (a *loopAgent) over() bool {
	content, err := a.b.readFile(loopState)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	s := new(runtime)
	return json.Unmarshal([]byte(content), s) == nil && (s.Status == flow.Complete || s.Status == flow.Failed)
}

// The loop as the demo begins: its first phase is done, the second is being worked on.
const (
	loopAgo     = 26 * time.Minute
	gatheredAgo = 9 * time.Minute
	outlineAgo  = 8 * time.Minute
)

// begin writes a loop that has just begun, and takes away what an earlier one has left.
func (a *loopAgent) begin() error {
	*a = *newLoopAgent(a.b)
	definition, err := text(a.def)
	if err != nil {
		return err
	}
	defer func() { a.b.ago = 0 }()
	ago := func(d time.Duration) *string {
		a.b.ago = d
		at := a.b.second()
		return &at
	}
	s := a.def.fresh(*ago(loopAgo))
	if err := a.b.writeFile(loopFile, definition+"\n"); err != nil {
		return err
	}
	for _, p := range a.def.Phases {
		if err := a.b.removeFile(p.produces); err != nil {
			return err
		}
	}
	first, second := a.def.Phases[0], a.def.Phases[1]
	gathered := s.Phases.at(first.Name)
	gathered.Status, gathered.StartedAt, gathered.Deliverables = flow.Complete, ago(loopAgo), []string{first.produces}
	gathered.CompletedAt = ago(gatheredAgo)
	if err := a.b.writeFile(first.produces, a.b.renderGuide(first.produces, false)); err != nil {
		return err
	}
	a.measure(s, first.Name)
	outlined := s.Phases.at(second.Name)
	outlined.Status, outlined.StartedAt, s.Phase = flow.Active, ago(outlineAgo), second.Name
	return a.save(s)
}

// second is how the loop's files write a moment: in UTC, to the second.
func (b *Build) second() string { return b.when().UTC().Format("2006-01-02T15:04:05Z") }

// claimed returns the first of the demo's places in a directory that is taken already, "" for none.
func claimed(dir string) (string, error) {
	for _, name := range []string{planning, loopState, path.Dir(loopFile), guideDir, feederDir} {
		taken := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Lstat(taken); err == nil {
			return taken, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}
