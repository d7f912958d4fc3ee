// The status of tasks, plans and phases.

package facts

import (
	"fmt"
	"path"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/rules"
)

// derive gives a task its status. The summary of its plan closes it; then its gate counts, where its logs have not
// gone on since, then that the session has it at work. How it ended say the retries and its log; where there is none the session, and at
// last what PLAN.md itself has: of a log that is torn none of these two knows better.
func (t *Task) derive() {
	set := func(s model.Status, raw, why string) { t.Status, t.Raw, t.Why = s, raw, why }
	switch {
	case t.Skip != nil || t.Gate != nil && t.Gate.Status == rules.TaskSkipped:
		set(model.Done, "complete (unverified)", "a user has left its gate out")
	case t.Plan.Done:
		set(model.Done, "", "with its plan")
	case t.Gate != nil && t.Gate.Status != "" && t.Gate.Status != rules.TaskPending && !t.Behind():
		set(GateStatus(t.Gate), t.Gate.Status, "its gate is "+t.Gate.Status)
	case t.now != nil && sessionStatus(t.now.Status) == model.Active:
		set(model.Active, "", "the session says "+line.Tidy(t.now.Status))
	case t.torn != "":
		set(model.Pending, "", path.Base(t.torn)+" is no whole log: nobody knows how it ended")
	case t.now != nil && sessionStatus(t.now.Status) != model.Unknown && t.Last() == nil:
		set(sessionStatus(t.now.Status), "", "the session says "+line.Tidy(t.now.Status))
		if t.Status == model.Failed && (t.now.Attempts >= rules.MaxAttempts || t.Retry != nil && t.Retry.Status == Escalated) {
			t.Raw = Escalated
		}
	case t.Retry != nil && t.Retry.Status == "retrying" && !t.succeeded():
		set(model.Retrying, "retrying", "it has "+Failed(t.Retry.Count))
	case t.SpentSince > 0:
		set(model.Failed, Escalated, "it has "+Failed(t.SpentSince)+" since its gate moved, as often as it may")
	case t.Retry != nil && t.Retry.Status == Escalated && !t.succeeded():
		set(model.Failed, Escalated, "it has "+Failed(t.Retry.Count)+", as often as it may")
	case t.Last() != nil && OutcomeStatus(t.Last().Status) != model.Unknown:
		set(OutcomeStatus(t.Last().Status), "", lastResult(t.Last()))
		if n := t.Failures(); t.Status == model.Failed && n < rules.MaxAttempts {
			t.Status, t.Why = model.Retrying, fmt.Sprintf("it has %s, and may be tried %d times in all", Failed(n), rules.MaxAttempts)
		} else if t.Status == model.Failed {
			t.Raw, t.Why = Escalated, "it has "+Failed(n)+", as often as it may"
		}
	default:
		t.planned()
	}
}

// Escalated is the protocol's word for a task that has failed as often as it may: a human decides what becomes of it.
const Escalated = "escalated"

// IsEscalated reports whether a task has failed as often as it may, by whichever file knows it.
func (t *Task) IsEscalated() bool {
	if t.Gate != nil && t.Gate.Status != "" && !t.Behind() {
		return t.Gate.Status == rules.TaskFailed && t.Gate.Spent()
	}
	return t.Status == model.Failed && t.Raw == Escalated
}

// AtWork reports whether somebody is executing a task, so that it is not given out a second time.
func (t *Task) AtWork() bool {
	switch {
	case t.Status == model.Active:
		return true
	case t.Status != model.Retrying:
		return false
	case t.Gate != nil:
		return t.Gate.Status != rules.TaskFailed
	}
	return t.Retry != nil && t.Retry.Status == "retrying"
}

// planned gives a task the status that PLAN.md has for it.
func (t *Task) planned() {
	t.Status, t.Why = model.Pending, ""
	p := t.Plan.Doc
	switch word := p.states[t.Number]; {
	case word == "completed" || word == "done":
		t.Status, t.Why = model.Done, "task_states of its plan says "+word
	case word == "in_progress" || word == "executing":
		t.Status, t.Why = model.Active, "task_states of its plan says "+word
	case word == "failed":
		t.Status, t.Why = model.Failed, "task_states of its plan says failed"
	case t.PlanTask.status == "completed":
		t.Status, t.Why = model.Done, "its tag says completed"
	default:
		if b := p.Box(t.PlanTask); b != nil && b.Checked {
			t.Status, t.Why = model.Done, "its box among the success criteria is checked off"
		}
	}
}

// GateStatus returns the status of a task by its gate.
func GateStatus(g *Gate) model.Status {
	switch g.Status {
	case rules.TaskPending:
		return model.Pending
	case rules.TaskExecuting:
		if g.Attempt > 1 {
			return model.Retrying
		}
		return model.Active
	case rules.TaskVerifying, rules.TaskReviewing:
		return model.Active
	case rules.TaskApproved:
		if g.Executor == "failure" || g.Executor == "blocked" || g.Verify == "failed" || g.Architect == "rejected" {
			return model.Failed // its steps deny it
		}
		return model.Done
	case rules.TaskFailed:
		if g.Attempt > 1 && !g.Spent() {
			return model.Retrying // it has failed, and its next attempt comes
		}
		return model.Failed
	case rules.TaskBlocked:
		return model.Blocked
	case rules.TaskSkipped:
		return model.Skipped
	}
	return model.Unknown
}

func sessionStatus(word string) model.Status {
	if strings.EqualFold(word, "in_progress") {
		return model.Active
	}
	return OutcomeStatus(word)
}

func OutcomeStatus(word string) model.Status {
	switch word {
	case model.OutcomeSuccess:
		return model.Done
	case model.OutcomeFailure:
		return model.Failed
	case model.OutcomeBlocked:
		return model.Blocked
	}
	return model.Unknown
}

// derivePlan gives a plan its status: its summary closes it; what is named as running is, whatever its tasks say; else it
// is as its tasks are.
func (pr *Project) derivePlan(s *Plan) {
	statuses, done := make([]model.Status, len(s.Tasks)), 0
	for i, t := range s.Tasks {
		if statuses[i] = t.Status; t.Status.Closed() {
			done++
		}
	}
	s.Status, s.Why = model.Pending, "it has no summary yet"
	if s.Done {
		s.Status, s.Why = model.Done, s.ID+"-SUMMARY.md closes it"
		return
	}
	whole := model.RollUp(statuses)
	switch {
	case len(statuses) > 0 && (whole == model.Failed || whole == model.Blocked || whole == model.Retrying):
		s.Status = whole
	case pr.Line.Running == s.ID && PlanKey(pr.Line.Running) == s.Key:
		s.Status, s.Word, s.Why = model.Active, pr.Line.RunningStatus, "it is named as running"
	case done > 0 || whole == model.Active:
		s.Status = model.Active
	}
	if s.Status != model.Pending && len(s.Tasks) > 0 {
		s.Why = fmt.Sprintf("it has no summary yet; %d of %s done", done, protocol.Count(len(s.Tasks), "task"))
	}
}

// TreeWord returns the document's word for a phase by its files alone. A phase without plans is never complete.
func TreeWord(plans model.Count) string {
	switch {
	case plans.Total == 0:
		return rules.StatusReadyToPlan
	case plans.Open() == 0:
		return rules.StatusComplete
	}
	return rules.StatusInProgress
}

// Count returns how many of a phase's plans have a summary.
func (p *Phase) Count() (n model.Count) {
	for _, s := range p.Plans {
		n.Total++
		if s.Done {
			n.Done++
		}
	}
	return n
}

func (pr *Project) derivePhases() {
	claimed := rules.Status(pr.State.Status)
	for _, p := range pr.Phases {
		pr.derivePhase(p)
		// That somebody plans or verifies is in no file: it is taken from the text.
		if pr.State.Phase == "" || rules.CompareNumbers(pr.State.Phase, p.Number) != 0 {
			continue
		}
		switch {
		case claimed == rules.StatusPlanning && p.Status == model.Pending && len(p.Plans) == 0: // its directory comes with its first file
			p.Status, p.Word, p.Why = model.Active, claimed, p.Why+"; STATE.md says that it is being planned"
		case claimed == rules.StatusVerifying && len(p.Plans) > 0:
			p.Word, p.Why = claimed, p.Why+"; STATE.md says that it is being verified"
			if p.Status == model.Pending {
				p.Status = model.Active
			}
		}
	}
}

func (pr *Project) derivePhase(p *Phase) {
	plans := p.Count()
	p.Word = TreeWord(plans)
	switch {
	case p.Dir == "" && p.Road.Skipped:
		p.Status, p.Word, p.Why = model.Skipped, "skipped", "ROADMAP.md says so"
	case p.Dir == "" && p.Road.Checked:
		p.Status, p.Word, p.Why = model.Unknown, "", "ROADMAP.md checks it off, but nothing of it is on disk"
	case p.Dir == "":
		p.Status, p.Why = model.Pending, "it stands in ROADMAP.md only, without a directory"
	case plans.Total == 0:
		p.Status, p.Why = model.Pending, "no plan yet"
	case plans.Open() == 0:
		p.Status, p.Why = model.Done, "all "+protocol.Count(plans.Total, "plan")+" have a summary"
		if plans.Total == 1 {
			p.Why = "its plan has a summary"
		}
	default:
		statuses := make([]model.Status, len(p.Plans))
		for i, s := range p.Plans {
			statuses[i] = s.Status
		}
		p.Status, p.Why = model.RollUp(statuses), fmt.Sprintf("%d of %s with a summary", plans.Done, protocol.Count(plans.Total, "plan"))
		if p.Status != model.Active {
			p.Word = "" // "In progress" to the document, as soon as there is a plan and whatever became of it
		}
	}
	for _, id := range p.Orphans {
		pr.problem(model.Pos{File: path.Join(p.Path(), id+"-SUMMARY.md")}, model.Warning, "this summary has no plan, and is not counted", "give it the name of its plan, with SUMMARY for PLAN")
	}
}
