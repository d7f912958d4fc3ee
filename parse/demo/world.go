package demo

// This file holds what the simulated agents know: the story with its phases and plans, how far each has come, and what the
// agents note in STATE.md.

import (
	"bytes"
	"embed"
	"errors"
	"math"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

//go:embed stories
var stories embed.FS

// load reads a story into a value. One that can't be read is a mistake in the program.
func load(name string, into any) {
	text, err := stories.ReadFile("stories/" + name)
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := errors.Join(err, d.Decode(into)); err != nil {
		panic("demo: the story " + name + ": " + err.Error())
	}
}

// world is the story (stories/dawnbook.yaml) and everything that a round changes of it. Each round begins with a new one.
type world struct {
	Product, Value, Milestone string
	Shipped, Phases           []*phase
	Start, Script             []step

	state state
	todos int // open ones
}

type phase struct {
	Number   string // as people say it: "5.5"
	Dir      string // "05.5-wind-and-rain"
	Name     string
	Goal     string
	Needs    string // "Phase 5"
	Require  []string
	Truths   []string // what must be true when it is done
	Inserted bool
	Plans    []*plan

	completed time.Time // zero while it is open
}

// file is the path of one of the phase's files, "05.5-UAT.md" for "UAT.md".
func (p *phase) file(name string) string {
	token, _, _ := strings.Cut(p.Dir, "-")
	return "phases/" + p.Dir + "/" + token + "-" + name
}

type plan struct {
	ID      string // "05.5-02"
	Title   string
	Why     string
	Wave    int
	Needs   []string
	Tasks   []task
	Result  string // what its summary says in one sentence
	Minutes int    // how long it is said to have taken
	Gap     bool   // closes a gap that a verification found

	phase      *phase
	written    bool   // PLAN.md is there
	summary    string // the status in its SUMMARY.md; "" while there is none
	superseded bool
}

// file is the path of the plan's PLAN.md or SUMMARY.md.
func (p *plan) file(what string) string {
	return "phases/" + p.phase.Dir + "/" + p.ID + "-" + what + ".md"
}

// number is the plan's number within its phase: "02".
func (p *plan) number() string { return p.ID[strings.LastIndexByte(p.ID, '-')+1:] }

// counts reports whether the plan is one of those its phase is made of.
func (p *plan) counts() bool { return p.written && !p.superseded }

type task struct {
	Name  string
	Files []string
	Done  string
}

func newWorld() *world {
	w := new(world)
	load("dawnbook.yaml", w)
	for _, phases := range [][]*phase{w.Shipped, w.Phases} {
		for _, ph := range phases {
			for _, pl := range ph.Plans {
				pl.phase = ph
			}
		}
	}
	return w
}

func (w *world) phase(number string) *phase {
	for _, p := range w.Phases {
		if p.Number == number {
			return p
		}
	}
	panic("demo: the story has no phase " + number)
}

func (w *world) plan(id string) *plan {
	for _, ph := range w.Phases {
		for _, pl := range ph.Plans {
			if pl.ID == id {
				return pl
			}
		}
	}
	panic("demo: the story has no plan " + id)
}

// score is the progress block of STATE.md.
type score struct {
	phases, phasesDone, plans, plansDone int
}

// count counts the tree as GSD's own writer does: a phase is done when all its plans have a summary.
func (w *world) count() (s score) {
	for _, ph := range w.Phases {
		s.phases++
		plans, done := ph.count()
		s.plans += plans
		s.plansDone += done
		if plans > 0 && done >= plans {
			s.phasesDone++
		}
	}
	return s
}

func (p *phase) count() (plans, done int) {
	for _, pl := range p.Plans {
		if pl.counts() {
			plans++
			if pl.summary != "" {
				done++
			}
		}
	}
	return plans, done
}

func (s score) percent() int {
	return int(math.Round(100 * min(
		float64(s.plansDone)/float64(max(1, s.plans)),
		float64(s.phasesDone)/float64(max(1, s.phases)))))
}

// state is what the agent keeps in STATE.md. It is only as true as the agent
// is careful: counted changes when a step counts, not when a plan ends.
type state struct {
	status       string // of the frontmatter
	active       string // the phase an orchestrator works on
	next, nextOf string // command and phase
	phase        *phase // the position in the body
	plan         *plan
	note         string // the body's "Status:"
	stopped      string
	paused       string
	counted      score
	decisions    []string
	blockers     []string
}
