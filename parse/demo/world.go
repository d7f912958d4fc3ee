package demo

// This file holds what the simulated agents know: the phases and plans of the
// milestone with how far each has come, and what they note in STATE.md.

import (
	"math"
	"strings"
	"time"
)

// world is everything a round changes. Each round begins with a new one.
type world struct {
	phases []*phase
	state  state
	todos  int // open ones
}

type phase struct {
	number   string // as people say it: "5.5"
	dir      string // "05.5-wind-and-rain"
	name     string
	goal     string
	needs    string // "Phase 5"
	require  []string
	truths   []string // what must be true when it is done
	inserted bool
	plans    []*plan

	completed time.Time // zero while it is open
}

// token is the phase's number as it leads the names of its files: "05.5".
func (p *phase) token() string {
	token, _, _ := strings.Cut(p.dir, "-")
	return token
}

// file is the path of one of the phase's files, "05.5-UAT.md" for "UAT.md".
func (p *phase) file(name string) string {
	return "phases/" + p.dir + "/" + p.token() + "-" + name
}

type plan struct {
	id      string // "05.5-02"
	title   string
	why     string
	wave    int
	needs   []string
	tasks   []task
	result  string // what its summary says in one sentence
	minutes int    // how long it is said to have taken
	gap     bool   // closes a gap that a verification found

	phase      *phase
	written    bool   // PLAN.md is there
	summary    string // the status in its SUMMARY.md; "" while there is none
	superseded bool
}

// file is the path of the plan's PLAN.md or SUMMARY.md.
func (p *plan) file(what string) string {
	return "phases/" + p.phase.dir + "/" + p.id + "-" + what + ".md"
}

// number is the plan's number within its phase: "02".
func (p *plan) number() string { return p.id[strings.LastIndexByte(p.id, '-')+1:] }

// counts reports whether the plan is one of those its phase is made of.
func (p *plan) counts() bool { return p.written && !p.superseded }

type task struct {
	name, files, done string
}

func newWorld() *world {
	w := &world{phases: cast()}
	for _, ph := range w.phases {
		for _, pl := range ph.plans {
			pl.phase = ph
		}
	}
	return w
}

func (w *world) phase(number string) *phase {
	for _, p := range w.phases {
		if p.number == number {
			return p
		}
	}
	panic("demo: the story has no phase " + number)
}

func (w *world) plan(id string) *plan {
	for _, ph := range w.phases {
		for _, pl := range ph.plans {
			if pl.id == id {
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

// count counts the tree as GSD's own writer does (notes on GSD, §2.5 A).
func (w *world) count() (s score) {
	for _, ph := range w.phases {
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
	for _, pl := range p.plans {
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
	next, nextOn string // command and phase
	phase        *phase // the position in the body
	plan         *plan
	note         string // the body's "Status:"
	stopped      string
	paused       string
	counted      score
	decisions    []string
	blockers     []string
}
