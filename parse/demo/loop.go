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

	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
)

const (
	loopFile  = "loops/field-guide-loop/loop.json"
	loopState = "field-guide-state.json"
	guideDir  = "guide"
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
	b     *Build
	text  string // of loop.json
	def   loopDefinition
	guide guide

	working work
	skill   int    // how many skills of the phase at hand are done
	phase   string // that phase

	stateText string // the state as it was read last
	stateWas  *runtime
	loopText  string // the state that the rules had last, and what they made of it
	loopWas   *core.Loop

	seen     string            // the state file as it was last seen
	listens  time.Duration     // for how long it still asks for requests
	requests map[string]string // what was asked to be changed, by gate
	mended   map[string]bool   // the failed gates whose deliverables are written again
}

func newLoopAgent(b *Build) *loopAgent {
	a := &loopAgent{b: b, requests: map[string]string{}, mended: map[string]bool{}}
	load("field-guide.yaml", &a.guide)
	text, err := stories.ReadFile("stories/field-guide.json")
	if err := errors.Join(err, json.Unmarshal(text, &a.def)); err != nil {
		panic("demo: the definition of the loop: " + err.Error())
	}
	a.text = string(text)
	return a
}

// loopDefinition is what the agent needs of loop.json.
type loopDefinition struct {
	Phases []loopPhase
	Gates  []loopGate
}

type loopPhase struct {
	Name   string
	Skills []string
}

type loopGate struct {
	ID, AfterPhase, ApprovalType string
	Deliverables                 []string
}

// runtime is what the agent needs of the state file.
type runtime struct {
	Phase, Status string
	Gates         map[string]struct{ Status string }
	Phases        map[string]struct{ Status string }
	Metrics       map[string]int
	LastUpdated   string `json:"last_updated"`

	text string
}

// loop returns the state as the rules have it.
func (a *loopAgent) loop(s *runtime) *core.Loop {
	if a.loopWas == nil || s.text != a.loopText {
		state, err := core.ParseState(s.text)
		if err != nil { // next lets the agent stand still
			return &core.Loop{State: &core.State{}}
		}
		definition, _ := core.ParseDefinition(a.text)
		a.loopText, a.loopWas = s.text, core.New(state, definition)
	}
	return a.loopWas
}

// job is one thing that the agent does.
type job struct {
	name  string
	takes time.Duration
	make  func() error                      // writes the files that come of it; nil for none
	note  func(s *runtime) []doc.Assignment // what the state says when it is done
}

// tick lets time go by for the agent.
func (a *loopAgent) tick(d time.Duration) error {
	s := a.state()
	if s == nil {
		return nil // gone, or somebody is writing it
	}
	a.listen(s, d)
	next := a.next(s)
	if !a.working.done(next.name, next.takes, d) {
		return nil
	}
	if next.make != nil {
		if err := next.make(); err != nil {
			return fmt.Errorf("demo: loop: %s: %w", next.name, err)
		}
		// Somebody may have decided something while the files were written.
		if s = a.state(); s == nil {
			return nil
		}
		if again := a.next(s); again.name != next.name {
			return nil
		}
	}
	return a.save(s, next.note(s))
}

// state returns the state file, nil while it can't be read or lacks what the agent has to write to.
func (a *loopAgent) state() *runtime {
	content, err := a.b.readFile(loopState)
	if err != nil {
		return nil
	}
	s := a.stateWas
	if s == nil || content != a.stateText {
		s = &runtime{text: content}
		if json.Unmarshal([]byte(content), s) != nil || s.Metrics == nil {
			return nil
		}
		a.stateText, a.stateWas = content, s
	}
	for _, p := range a.def.Phases {
		if s.Phases[p.Name].Status == "" {
			return nil
		}
	}
	if content != a.seen {
		a.seen, a.listens = content, listening
	}
	for _, g := range a.def.Gates {
		status := s.Gates[g.ID].Status
		if status == "" {
			return nil
		}
		if status != core.Pending {
			delete(a.requests, g.ID) // decided otherwise since
		}
		if status != core.Failed {
			delete(a.mended, g.ID)
		}
	}
	return s
}

// set is a value of a JSON file that is to change.
func set(value any, path ...string) doc.Assignment {
	raw, err := marshal(value)
	if err != nil { // texts, numbers and lists of texts
		panic("demo: a value that is no JSON: " + err.Error())
	}
	return doc.Assignment{Path: path, JSON: string(raw)}
}

// changed returns a JSON text with values set, as an agent writes it: with two spaces.
func changed(content string, values ...doc.Assignment) (string, error) {
	spans, err := protocol.SetJSON(content, values)
	if err != nil {
		return "", err
	}
	if content, err = protocol.Apply(content, spans); err != nil {
		return "", err
	}
	return text(json.RawMessage(content))
}

// save writes the whole file back, as agents do.
func (a *loopAgent) save(s *runtime, values []doc.Assignment) error {
	content, err := changed(s.text, append(values, set(max(s.LastUpdated, a.b.second()), "last_updated"))...)
	if err != nil {
		return fmt.Errorf("demo: loop: %w", err)
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
		if s.Gates[g.ID].Status != core.Pending || s.Phases[g.AfterPhase].Status != core.Complete {
			continue
		}
		if words, ok := a.b.opts.Changes("loop:"+loopState, "gate/"+g.ID); ok {
			a.requests[g.ID] = line.Clean(words)
		}
	}
}

// next returns what there is to do, none while the agent has to stand still.
func (a *loopAgent) next(s *runtime) (next job) {
	if s.Status != core.Active {
		return next
	}
	for i := range a.def.Gates {
		g := &a.def.Gates[i]
		switch status := s.Gates[g.ID].Status; {
		case status == core.Pending && a.requests[g.ID] != "":
			return a.rewrite("revise for ", g, "## Changed as Asked\n\n> "+a.requests[g.ID]+"\n\nDone; please look again.\n", func() { delete(a.requests, g.ID) })
		case status == core.Failed && !a.mended[g.ID]:
			return a.rewrite("mend for ", g, "## Written Again\n\nThe check of this file had failed.\n", func() { a.mended[g.ID] = true })
		}
	}
	switch r := a.loop(s).Resume(); r.Action {
	case core.ContinuePhase:
		return a.workOn(s, &a.def.Phases[r.Phase])
	case core.GatePrompt:
		g := &a.def.Gates[r.Gate]
		if g.ApprovalType != "auto" || s.Gates[g.ID].Status != core.Pending {
			return next // a human's turn
		}
		return job{name: "check for " + g.ID, takes: checking, note: func(*runtime) []doc.Assignment { return a.check(g) }}
	case core.OfferComplete:
		return job{name: "complete", takes: turning, note: func(*runtime) []doc.Assignment { return []doc.Assignment{set(core.Complete, "status")} }}
	}
	return next
}

// workOn is the next step of a phase: to begin it, or its next skill.
func (a *loopAgent) workOn(s *runtime, p *loopPhase) (next job) {
	if s.Phases[p.Name].Status == core.Pending {
		return job{name: "begin " + p.Name, takes: turning, note: func(*runtime) []doc.Assignment { return a.begun(p) }}
	}
	if a.phase != p.Name {
		a.phase, a.skill = p.Name, 0
	}
	done, c := a.skill+1, a.guide.Phases[p.Name]
	half := done < len(p.Skills)
	produce := func() error { return a.b.writeFile(c.Produces, a.b.renderGuide(&a.guide, c.Produces, half)) }
	return job{p.Name + ": " + p.Skills[a.skill], c.Takes, produce, func(*runtime) []doc.Assignment {
		values := a.produced(p)
		if a.skill = done; !half {
			a.phase = ""
			values = append(values, a.completed(p)...)
		}
		return values
	}}
}

// begun is what the state says when a phase begins, produced when it has a deliverable, completed when it is done.
func (a *loopAgent) begun(p *loopPhase) []doc.Assignment {
	return []doc.Assignment{set(core.Active, "phases", p.Name, "status"), set(a.b.second(), "phases", p.Name, "startedAt"), set(p.Name, "phase")}
}

func (a *loopAgent) produced(p *loopPhase) []doc.Assignment {
	c := a.guide.Phases[p.Name]
	values := []doc.Assignment{set([]string{c.Produces}, "phases", p.Name, "deliverables")}
	for _, m := range c.Metrics {
		for key, value := range m {
			values = append(values, set(value, "metrics", key))
		}
	}
	return values
}

func (a *loopAgent) completed(p *loopPhase) []doc.Assignment {
	return []doc.Assignment{set(core.Complete, "phases", p.Name, "status"), set(a.b.second(), "phases", p.Name, "completedAt")}
}

// check opens a gate that needs no human, or fails it.
func (a *loopAgent) check(g *loopGate) []doc.Assignment {
	for _, name := range g.Deliverables {
		if content, err := a.b.readFile(name); err != nil || content == "" {
			return []doc.Assignment{set(core.Failed, "gates", g.ID, "status")}
		}
	}
	return []doc.Assignment{set(core.Passed, "gates", g.ID, "status"), set(a.b.second(), "gates", g.ID, "passedAt")}
}

// rewrite is the job to write the deliverables of a gate again, with a note at their end. The gate stays as it is: the next
// word is the human's.
func (a *loopAgent) rewrite(what string, g *loopGate, note string, done func()) job {
	write := func() error {
		for _, name := range g.Deliverables {
			if err := a.b.writeFile(name, a.b.renderGuide(&a.guide, name, false)+"\n"+note); err != nil {
				return err
			}
		}
		return nil
	}
	return job{what + g.ID, mending, write, func(s *runtime) []doc.Assignment {
		done()
		return []doc.Assignment{set(s.Metrics["revisions"]+1, "metrics", "revisions")}
	}}
}

// over reports whether the loop has ended, one way or the other, or was never there.
func (a *loopAgent) over() bool {
	content, err := a.b.readFile(loopState)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	s := new(runtime)
	return json.Unmarshal([]byte(content), s) == nil && (s.Status == core.Complete || s.Status == core.Failed)
}

// The loop as the demo begins: its first phase is done, the second is being worked on.
const (
	loopAgo     = 26 * time.Minute
	gatheredAgo = 9 * time.Minute
	outlineAgo  = 8 * time.Minute
)

// begin writes a loop that has just begun, and takes away what an earlier one has left.
func (a *loopAgent) begin() error {
	*a = loopAgent{b: a.b, text: a.text, def: a.def, guide: a.guide, requests: map[string]string{}, mended: map[string]bool{}}
	defer func() { a.b.ago = 0 }()
	for _, c := range a.guide.Phases {
		if err := a.b.removeFile(c.Produces); err != nil {
			return err
		}
	}
	a.b.ago = loopAgo
	state, _, _, err := loop.Generate([]byte(a.text), a.b.when())
	if err != nil {
		return err
	}
	first, second := &a.def.Phases[0], &a.def.Phases[1]
	values := append(a.produced(first), a.begun(first)[1])
	if err := a.b.writeFile(loopFile, a.text); err != nil {
		return err
	}
	a.b.ago = gatheredAgo
	produces := a.guide.Phases[first.Name].Produces
	if err := a.b.writeFile(produces, a.b.renderGuide(&a.guide, produces, false)); err != nil {
		return err
	}
	values = append(values, a.completed(first)...)
	a.b.ago = outlineAgo
	return a.save(&runtime{text: state}, append(values, a.begun(second)...))
}

// second is how the loop's files write a moment: in UTC, to the second.
func (b *Build) second() string { return b.when().UTC().Format("2006-01-02T15:04:05Z") }

// claimed returns the first of the demo's places in a directory that is taken already, "" for none.
func claimed(dir string) (string, error) {
	for _, name := range []string{planning, loopState, path.Dir(loopFile), guideDir, feederDir, nestDir} {
		taken := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Lstat(taken); err == nil {
			return taken, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}
