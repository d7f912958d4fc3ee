package demo

// This file holds what a step can do, as functions that the script's table
// names.

import "slices"

// action is one thing an agent, or in their place the simulated user, does.
type action func(b *Build) error

// writePlan writes a PLAN.md and lists it in the roadmap.
func writePlan(id string) action {
	return func(b *Build) error {
		pl := b.w.plan(id)
		pl.written = true
		return b.writeAll(pl.file("PLAN"), b.renderPlan(pl), roadmapFile, b.renderRoadmap())
	}
}

// tearPlan leaves a PLAN.md half written; a step with writePlan puts it right.
func tearPlan(id string) action {
	return func(b *Build) error {
		pl := b.w.plan(id)
		return b.tear(pl.file("PLAN"), b.renderPlan(pl))
	}
}

// finish writes a plan's SUMMARY.md and ticks it off in the roadmap.
func finish(id string) action { return end(id, complete) }

// halt ends a plan without its work done: a designed stop.
func halt(id string) action { return end(id, halted) }

func end(id, status string) action {
	return func(b *Build) error {
		pl := b.w.plan(id)
		pl.summary = status
		return b.writeAll(pl.file("SUMMARY"), b.renderSummary(pl), roadmapFile, b.renderRoadmap())
	}
}

// replace supersedes a plan that was halted by another one, and lets those
// that depended on it depend on the new one.
func replace(id, by string) action {
	return func(b *Build) error {
		old := b.w.plan(id)
		old.superseded = true
		if err := b.write(old.file("PLAN"), b.renderPlan(old)); err != nil {
			return err
		}
		for _, pl := range old.phase.plans {
			if i := slices.Index(pl.needs, id); i >= 0 {
				pl.needs[i] = by
				if err := b.write(pl.file("PLAN"), b.renderPlan(pl)); err != nil {
					return err
				}
			}
		}
		return writePlan(by)(b)
	}
}

// verify writes a phase's VERIFICATION.md, and closes the phase in the roadmap
// when it passed.
func verify(v verification) action {
	return func(b *Build) error {
		if ph := b.w.phase(v.phase); v.status == passed {
			ph.completed = b.when()
		}
		return b.writeAll(b.w.phase(v.phase).file("VERIFICATION.md"), b.renderVerification(v), roadmapFile, b.renderRoadmap())
	}
}

// note writes a phase's CONTEXT.md or RESEARCH.md.
func note(number, name string) action {
	return func(b *Build) error {
		return b.write(b.w.phase(number).file(name), b.renderNote(number, name))
	}
}

// todo captures an idea for later.
func todo(slug, title, area string) action {
	return func(b *Build) error {
		b.w.todos++
		return b.write("todos/pending/"+slug+".md", b.renderTodo(title, area))
	}
}

// quick does a small thing beside the phases.
func quick(slug, title string) action {
	return func(b *Build) error {
		return b.write(b.quick(0, slug, "SUMMARY"), b.renderQuick(title))
	}
}

// change is one thing the agent comes to believe.
type change func(w *world)

// tell writes STATE.md with what the agent now believes. Its counters stay as
// they were last counted.
func tell(changes ...change) action {
	return func(b *Build) error {
		for _, c := range changes {
			c(b.w)
		}
		return b.write(stateFile, b.renderState())
	}
}

// work says which plan is executed.
func work(id string) change {
	return func(w *world) {
		s, pl := &w.state, w.plan(id)
		s.status, s.active, s.next, s.nextOn = "executing", pl.phase.number, "", ""
		s.phase, s.plan, s.note = pl.phase, pl, "Executing Phase "+pl.phase.number
	}
}

// stage says that a phase is discussed, planned or verified.
func stage(number, status, note string) change {
	return func(w *world) {
		s := &w.state
		s.status, s.active, s.next, s.nextOn = status, number, "", ""
		s.phase, s.plan, s.note = w.phase(number), nil, note
	}
}

// idle says that nothing runs, and what would be next.
func idle(status, next, number, note string) change {
	return func(w *world) {
		s := &w.state
		s.status, s.active, s.next, s.nextOn, s.plan, s.note = status, "", next, number, nil, note
	}
}

// count brings the counters in line with the tree.
func count(w *world) { w.state.counted = w.count() }

func stopped(text string) change { return func(w *world) { w.state.stopped = text } }
func paused(text string) change  { return func(w *world) { w.state.paused = text } }
func decided(text string) change {
	return func(w *world) { w.state.decisions = append(w.state.decisions, text) }
}
func blocked(text string) change {
	return func(w *world) { w.state.blockers = append(w.state.blockers, text) }
}
func unblocked(w *world) { w.state.blockers = nil }

// tearState leaves STATE.md half written; any step that tells it something
// puts it right.
func tearState(b *Build) error { return b.tear(stateFile, b.renderState()) }

// pause writes HANDOFF.json.
func pause(number string, plan int, remaining, next, notes string) action {
	return func(b *Build) error {
		return b.writeJSON(handoffFile, handoff{
			Version: "1.0", Timestamp: b.stamp(), Status: "paused",
			Phase: number, PhaseName: b.w.phase(number).name, Plan: plan,
			Remaining: []string{remaining}, Blockers: []string{}, Human: []string{},
			Next: next, Notes: notes,
		})
	}
}

// remove deletes a file.
func remove(name string) action {
	return func(b *Build) error { return b.remove(name) }
}

// writeAll writes files given as name and text in turn.
func (b *Build) writeAll(namesAndTexts ...string) error {
	for i := 0; i < len(namesAndTexts); i += 2 {
		if err := b.write(namesAndTexts[i], namesAndTexts[i+1]); err != nil {
			return err
		}
	}
	return nil
}
