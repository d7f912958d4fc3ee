package demo

// This file says what a row of the story can do, and which files an agent writes for it.

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// step is a row of the story. Plans are given by their IDs, phases by their numbers, files by their names under .planning.
type step struct {
	After time.Duration // since the row before
	Ago   time.Duration // in the start: how long before the round
	What  string
	Mark  Mark   // the moment that is reached with this row
	Await string // the question without whose answer the build does not go on

	Remove  string            // deletes a file
	Write   map[string]string // writes files; $day and $stamp stand for the time
	Plan    []string          // writes a PLAN.md each and lists them in the roadmap
	Replace string            // supersedes a plan by the one of Plan; those that depended on it depend on the new one
	Finish  string            // writes a plan's SUMMARY.md and ticks it off in the roadmap
	Halt    string            // ends a plan without its work done: a designed stop
	Verify  *verification     // writes a phase's VERIFICATION.md and closes the phase in the roadmap when it passed
	Note    string            // writes a phase's CONTEXT.md or RESEARCH.md
	Todo    *todo             // captures an idea for later
	Quick   *quickTask        // does a small thing beside the phases
	Tear    string            // leaves STATE.md or a PLAN.md half written, until a row writes it again
	Ask     string            // waits for WAITING.json to be answered, under this name
	Accept  *acceptance       // writes a phase's UAT.md, with the VERIFICATION.md that says so, and waits for it
	Tell    *belief           // writes STATE.md with what the agent now believes

	judged *judgement // what becomes of a UAT.md that was answered
}

type todo struct {
	Slug, Title, Area string
	Done              bool
}

type quickTask struct{ Slug, Title string }

// belief is what the agent comes to believe. Its counters stay as they were last counted.
type belief struct {
	Work      string // the plan that is executed
	Phase     string // with Status: the phase that is discussed, planned or verified; "" when nothing runs
	Status    string
	Next, Of  string // what would be next, of which phase
	Note      string
	Stopped   string
	Paused    *string
	Decided   []string
	Blocked   []string
	Unblocked bool
	Count     bool // brings the counters in line with the tree
}

// file is a file under .planning.
type file struct{ name, text string }

// take does what a row says.
func (b *Build) take(s *step) error {
	if s.Remove != "" {
		if err := b.remove(s.Remove); err != nil {
			return err
		}
	}
	for _, f := range s.files(b) {
		if err := b.write(f.name, f.text); err != nil {
			return err
		}
	}
	if s.Ask != "" {
		b.question(s.Ask)
	}
	if s.Accept != nil {
		b.acceptance(s.Accept)
	}
	switch s.Tear {
	case "":
		return nil
	case stateFile:
		return b.tear(stateFile, b.renderState())
	default:
		pl := b.w.plan(s.Tear)
		return b.tear(pl.file("PLAN"), b.renderPlan(pl))
	}
}

// files changes what the agents know as the row says, and returns what they write.
func (s *step) files(b *Build) (all []file) {
	put := func(name, text string) { all = append(all, file{name, text}) }
	for _, name := range slices.Sorted(maps.Keys(s.Write)) {
		put(name, strings.NewReplacer("$day", b.day(), "$stamp", b.stamp()).Replace(s.Write[name]))
	}
	if s.Replace != "" {
		old := b.w.plan(s.Replace)
		old.superseded = true
		put(old.file("PLAN"), b.renderPlan(old))
		for _, pl := range old.phase.Plans {
			if i := slices.Index(pl.Needs, s.Replace); i >= 0 {
				pl.Needs[i] = s.Plan[0]
				put(pl.file("PLAN"), b.renderPlan(pl))
			}
		}
	}
	for _, id := range s.Plan {
		pl := b.w.plan(id)
		pl.written = true
		put(pl.file("PLAN"), b.renderPlan(pl))
	}
	if id := cmp.Or(s.Finish, s.Halt); id != "" {
		pl := b.w.plan(id)
		if pl.summary = complete; s.Halt != "" {
			pl.summary = halted
		}
		put(pl.file("SUMMARY"), b.renderSummary(pl))
	}
	v := s.Verify
	if a := s.Accept; a != nil {
		v, a.Status, a.started = &a.verification, humanNeeded, b.stamp()
		put(b.w.phase(a.Phase).file("UAT.md"), b.renderUAT(a, uatOpen, answer{}))
	}
	if v != nil {
		ph := b.w.phase(v.Phase)
		if v.Status == passed {
			ph.completed = b.when()
		}
		put(ph.file("VERIFICATION.md"), b.renderVerification(v))
	}
	if len(s.Plan) > 0 || s.Finish != "" || s.Halt != "" || v != nil {
		put(roadmapFile, b.renderRoadmap())
	}
	return append(all, s.asides(b)...)
}

// asides are the files that no phase is counted by.
func (s *step) asides(b *Build) (all []file) {
	put := func(name, text string) { all = append(all, file{name, text}) }
	if j := s.judged; j != nil {
		put(b.w.phase(j.Phase).file("UAT.md"), b.renderUAT(j.acceptance, j.stage, j.said))
	}
	if number, name, ok := strings.Cut(s.Note, " "); ok {
		ph := b.w.phase(number)
		put(ph.file(name), b.renderNote(ph, name))
	}
	if t := s.Todo; t != nil {
		dir := "todos/completed/"
		if !t.Done {
			dir = "todos/pending/"
			b.w.todos++
		}
		put(dir+t.Slug+".md", b.renderTodo(t))
	}
	if q := s.Quick; q != nil {
		id := b.when().UTC().Format("060102") + "-" + q.Slug[:3]
		put("quick/"+id+"-"+q.Slug+"/"+id+"-SUMMARY.md", b.renderQuick(q))
	}
	if s.Tell != nil {
		s.Tell.change(b.w)
		put(stateFile, b.renderState())
	}
	return all
}

// change makes the agent believe it.
func (t *belief) change(w *world) {
	s := &w.state
	if t.Work != "" {
		pl := w.plan(t.Work)
		number := pl.phase.Number
		s.status, s.active, s.next, s.nextOf = "executing", number, "", ""
		s.phase, s.plan, s.note = pl.phase, pl, "Executing Phase "+number
	} else if t.Status != "" {
		s.status, s.active, s.next, s.nextOf, s.plan, s.note = t.Status, t.Phase, t.Next, t.Of, nil, t.Note
		if t.Phase != "" {
			s.phase = w.phase(t.Phase)
		}
	}
	if t.Stopped != "" {
		s.stopped = t.Stopped
	}
	if t.Paused != nil {
		s.paused = *t.Paused
	}
	s.decisions = append(s.decisions, t.Decided...)
	if t.Unblocked {
		s.blockers = nil
	}
	s.blockers = append(s.blockers, t.Blocked...)
	if t.Count {
		s.counted = w.count()
	}
}
