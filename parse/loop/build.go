package loop

import (
	"path"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/transition"
)

// gateSince returns when a gate began to wait: when its phase was completed or its deliverables were written, whichever is later; else
// when the state was updated.
func (v *view) gateSince(i int) (s protocol.Stamp) {
	if after := v.Gates[i].After; after >= 0 {
		s.Add(protocol.ParseTime(v.Phases[after].Item.Value.Get("completedAt").Text()), v.now, false)
	}
	s.AddDeliverables(v.findDeliverables(v.gateTerms(i).Deliverables), v.now)
	if s.At.IsZero() {
		s.Add(v.timeAt(updateKey), v.now, false)
	}
	if s.At.IsZero() {
		s.Add(v.read.ModTime, v.now, true)
	}
	return s
}

// addWaits adds what waits for a human. Gates of a loop that is not active are upcoming, because they can't be decided now. So are gates that
// block no work: optional ones, and gates without a place.
func (v *view) addWaits() {
	isFailed := v.Status == core.Failed
	if isFailed {
		v.addBuildWait(v.loopName()+" has failed: retry it or start over", v.PosOf(v.root().Get("status"), 0), false)
	}
	if core.LoopWord(v.Status) == core.Complete && !v.isOverclaiming() {
		return
	}
	if text, at := v.findUnread(); text != "" { // also for a paused loop, because the file has to be fixed
		v.addBuildWait(text, at, isFailed)
	}
	w := &v.waits
	v.addGateWaits(w.Now, model.Reached, !w.Certain)
	v.addGateWaits(w.Overdue, model.Outstanding, !w.Certain)
	if w.Certain {
		v.addGateWaits(w.Optional, model.Reached, true)
	}
	v.addGateWaits(w.Unplaced, model.Reached, true)
	model.SortWaits(v.b.Waits)
}

// addBuildWait adds a wait of the loop as a whole.
func (v *view) addBuildWait(text string, at model.Pos, isUpcoming bool) {
	since := v.read.ModTime
	if v.Loop != nil {
		if updated := v.timeAt(updateKey); !updated.IsZero() && !updated.After(v.now) {
			since = updated
		}
	}
	v.b.Waits = append(v.b.Waits, model.Wait{Text: line.Tidy(text), Evidence: model.Outstanding, Since: since, Standing: model.UpcomingIf(isUpcoming), Source: at})
}

func (v *view) addGateWaits(gates []int, evidence model.Evidence, isUpcoming bool) {
	for _, i := range gates {
		since := v.gateSince(i)
		w := model.Wait{Node: v.gateIDs[i], Text: line.Tidy(v.waitText(i)), Evidence: evidence, Since: since.At, SinceFile: since.FromFile, Standing: model.UpcomingIf(isUpcoming), Source: v.gatePos(i)}
		if after := v.Gates[i].After; after >= 0 {
			w.Place = line.Tidy("Phase " + v.Phases[after].Name)
		}
		v.b.Waits = append(v.b.Waits, w)
	}
}

// waitText returns the text of a gate's wait.
func (v *view) waitText(i int) string {
	g, d := &v.Gates[i], v.gateTerms(i)
	text := core.GateName(g.ID)
	switch word := core.GateWord(g.Status); {
	case word == core.Failed:
		text += " has failed: retry or skip it"
	case !core.GateMachine.Knows(word):
		text += " is " + protocol.UnknownWord(g.Status)
	case d.Name != "":
		text += ": " + d.Name
	}
	if g.Item == nil {
		text += "; " + v.File + " lacks it: have the agents add it"
	}
	if d.Approval == model.ApprovalAuto {
		text += " (an automatic check decides it)"
	}
	if v.HasPlaces && g.After < 0 {
		text += "; its place is unknown: " + v.unplacedWhy(i)
	}
	if !core.LoopMachine.Knows(core.LoopWord(v.Status)) {
		text += "; the loop is " + protocol.UnknownWord(v.Status)
	}
	return text
}

// findUnread describes the unreadable part of the loop, which may hide waits, with its place; "" if everything can be read.
func (v *view) findUnread() (text string, at model.Pos) {
	const unknown = ", so its gates are unknown"
	d, root := &v.definition, v.root()
	switch {
	case v.Unread == "":
		return "", at
	case d.Definition != nil && d.Unreadable:
		return d.unread + " can't be read" + unknown, protocol.ErrorPos(d.unread, d.unreadErr)
	case d.Definition != nil && d.Incomplete:
		return "not all of " + d.source.File + " can be read" + unknown, model.Pos{File: d.source.File}
	case v.State.Unread == "phases":
		for phase := range root.Get("phases").Children() {
			if !phase.Is(doc.Map) {
				return "phase " + phase.Key() + " of " + v.File + " can't be read: it is " + phase.Kind().String() + ", not an object", v.Pos(phase.KeyOffset())
			}
		}
	}
	gates := root.Get("gates")
	return "the gates of " + v.File + " can't be read: they are " + gates.Kind().String() + ", not an object", v.PosOf(gates, 0)
}

func (v *view) unreadText() string {
	text, _ := v.findUnread()
	return text
}

// unfinishedText returns the first reason why the loop is not complete, "" without one.
func (v *view) unfinishedText() string {
	undecided := v.waits.Undecided()
	switch {
	case len(v.Missing) > 0:
		return protocol.Quote(v.Missing[0]) + " of " + v.definition.source.File + " is missing in the state"
	case v.waits.Open == 1:
		return "1 phase is open"
	case v.waits.Open > 1:
		return protocol.Count(v.waits.Open, "phase") + " are open"
	case len(undecided) == 0:
		return v.unreadText()
	}
	first := &v.Gates[undecided[0]]
	text := core.GateName(first.ID) + " is " + protocol.WordOr(first.Status)
	if first.Item == nil {
		text = core.GateName(first.ID) + " is missing in the state"
	}
	if more := len(undecided) - 1; more == 1 {
		text += ", and 1 more gate is undecided"
	} else if more > 1 {
		text += ", and " + protocol.Count(more, "more gate") + " are undecided"
	}
	return text
}

// isOverclaiming reports whether the file calls the loop complete though something is left.
func (v *view) isOverclaiming() bool {
	return core.LoopWord(v.Status) == core.Complete && v.unfinishedText() != ""
}

func (v *view) setStatus() {
	b, said := v.b, "the file says "+protocol.Quote(line.Tidy(v.Status))
	b.Why = said
	switch core.LoopWord(v.Status) {
	case core.Active:
		b.Status = model.Active
		if len(b.Certain()) > 0 {
			b.Status, b.Why = model.Waiting, b.Waits[0].Text
		}
	case core.Paused:
		b.Status = model.Active
		b.Pause = &model.Pause{Reason: "the loop is paused", Since: v.timeAt(updateKey), Source: v.PosOf(v.root().Get("status"), 0)}
		if v.resume.Phase >= 0 {
			b.Pause.Reason = line.Tidy("the loop is paused at phase " + v.Phases[v.resume.Phase].Name)
		}
	case core.Complete:
		b.Status = model.Done
		if v.isOverclaiming() {
			b.Status, b.Why = model.Active, v.unfinishedText()+", but "+said
		}
	case core.Failed:
		b.Status = model.Failed
	case "blocked":
		b.Status = model.Blocked
	case "":
		b.Why = "the file has no status"
	default:
		b.Why = said + ", which is no status of the protocol"
	}
}

func (v *view) setProgress() {
	p := &v.b.Progress
	p.Known = v.HasStatuses()
	p.Phases.Total = len(v.Phases) + len(v.Missing)
	p.Phases.Done = p.Phases.Total - v.waits.Open
	p.Closed, p.Percent = p.Phases, p.Phases.Floor()
}

// setNext sets the current phase and the next step.
func (v *view) setNext() {
	r := v.resume
	next := func(command, why, node string) {
		v.b.Next = &model.Next{Command: line.Tidy(command), Why: line.Tidy(why), Node: node, Derived: true}
	}
	decide := func(gate int, why string) {
		g, verb := &v.Gates[gate], "approve "
		if core.GateWord(g.Status) == core.Failed {
			verb = "retry "
			if gate == r.Gate {
				why = "the gate has failed"
			}
		}
		next(verb+core.GateName(g.ID), why, v.gateIDs[gate])
	}
	if r.Phase >= 0 && v.Status == core.Active && core.PhaseWord(v.Phases[r.Phase].Status) == core.Active {
		v.b.Now = v.phaseIDs[r.Phase]
	}
	switch {
	case v.Status == core.Paused:
		next("resume", "the loop is paused", "")
	case v.isOverclaiming() && v.isAllowed(model.VerbResume):
		next("resume", "the file says "+protocol.Quote(v.Status)+", but "+v.unfinishedText(), "")
	case r.Action == core.AskRetryFailedPhase:
		next("resume --retry-failed", "the loop has failed", "")
	case r.Action == core.GatePrompt:
		decide(r.Gate, "the work has reached this gate")
	case r.Action == core.OfferComplete && len(v.waits.Overdue) > 0:
		decide(v.waits.Overdue[0], "all phases are over, but this gate is undecided")
	case r.Action == core.OfferComplete && v.Unread == "":
		next("complete", "all phases are over", "")
	case r.Action == core.ContinuePhase && v.b.Now == "" && v.CountOver() >= r.Phase:
		why := "the phase is pending and no gate blocks it"
		if len(v.waits.Unplaced) > 0 {
			why = "the phase is pending; without a loop.json, it is unknown whether a gate blocks it"
		}
		next(v.Phases[r.Phase].Name, why, v.phaseIDs[r.Phase])
	}
}

// addClaims adds the claims of the file that its own phases and gates deny.
func (v *view) addClaims() {
	file := path.Base(v.File)
	if v.isOverclaiming() {
		protocol.Claim(v.b, v.PosOf(v.root().Get("status"), 0), file+" says the loop is complete", v.unfinishedText())
	}
	if at := v.resume.Phase; v.resume.Stale && !v.isBetweenPhases() {
		p := &v.Phases[at]
		protocol.Claim(v.b, v.PosOf(v.root().Get("phase"), 0), file+" says the phase is "+v.Phase, "phase "+p.Name+" is the first that is "+core.PhaseWord(p.Status))
	}
}

// isBetweenPhases reports whether the file names the phase that was just finished while the next one has not begun, which is no false claim.
func (v *view) isBetweenPhases() bool {
	at := v.resume.Phase
	return at > 0 && core.PhaseWord(v.Phases[at].Status) == core.Pending && v.Phases[at-1].Name == v.Phase && v.Phases[at-1].IsOver()
}

// addHistory adds the phases that have begun. The number of phases is known since the state was created.
func (v *view) addHistory() {
	h := &model.History{TotalSince: v.timeAt(startKey)}
	for i := range v.Phases {
		p := &v.Phases[i]
		piece := protocol.ParseWorked(v.startOf(i), p.Item.Value.Get("completedAt").Text()).Phase(v.phaseIDs[i], p.IsOver())
		if piece.Done || !piece.Began.IsZero() {
			h.Pieces = append(h.Pieces, piece)
		}
	}
	if len(h.Pieces) > 0 {
		v.b.History = h
	}
}

// startOf returns when a phase was started. New states leave it empty for the first phase: it starts with the loop.
func (v *view) startOf(i int) string {
	p := &v.Phases[i]
	if started := p.Item.Value.Get("startedAt").Text(); started != "" || i > 0 || !p.IsOver() && core.PhaseWord(p.Status) != core.Active {
		return started
	}
	return v.textAt(startKey)
}

// metricsOf returns the metrics of a state.
func metricsOf(root doc.Value) doc.Value {
	if metrics := root.Get("metrics"); metrics.Is(doc.Map) {
		return metrics
	}
	return doc.Value{}
}

// gateVerbs are the verbs that decide a gate, loopVerbs those that change the status of a loop.
var (
	gateVerbs = []model.Verb{model.VerbApprove, model.VerbSkip, model.VerbChanges, model.VerbRetry}
	loopVerbs = []model.Verb{model.VerbComplete, model.VerbPause, model.VerbResume, model.VerbRetryFailed, model.VerbRestart, model.VerbAbort}
)

// allowedForGate returns the verbs that are allowed for a gate now.
func (v *view) allowedForGate(i int) (can []model.Verb) {
	for _, verb := range gateVerbs {
		if v.isWritable() && v.CheckGate(i, string(verb)) == transition.OK {
			can = append(can, verb)
		}
	}
	return can
}

// allowedForLoop returns the verbs that are allowed for the loop now. A restart needs a definition from which to generate the new state.
func (v *view) allowedForLoop() (can []model.Verb) {
	for _, verb := range loopVerbs {
		if _, code := v.CheckLoop(string(verb)); v.isWritable() && code == transition.OK && (verb != model.VerbRestart || v.definition.isReadable()) {
			can = append(can, verb)
		}
	}
	return can
}

func (v *view) isAllowed(verb model.Verb) bool { return slices.Contains(v.allowedForLoop(), verb) }

// Resume returns the plan to resume the loop. It writes nothing.
func (r *Reader) Resume(now time.Time) model.Resume {
	v := r.open(now)
	if v.Loop == nil {
		return model.Resume{Build: r.ID(), Action: core.ResumeError, Why: "its file can't be read"}
	}
	p := model.Resume{Build: r.ID(), Action: v.resume.Action}
	if i := v.resume.Phase; i >= 0 {
		p.Phase = line.Tidy(v.Phases[i].Name)
	}
	if i := v.resume.Gate; i >= 0 {
		p.Gate = line.Tidy(v.Gates[i].ID)
	}
	for _, i := range v.waits.Overdue {
		p.Older = append(p.Older, line.Tidy(v.Gates[i].ID))
	}
	if v.resume.Stale {
		p.Stale = line.Tidy(v.Phase)
	}
	p.Why = line.Tidy(v.resumeWhy(&p))
	return p
}

// resumeWhy returns the reason for the action of a resume plan.
func (v *view) resumeWhy(p *model.Resume) string {
	unread := v.unreadText()
	switch p.Action {
	case core.ContinuePhase:
		why := "phase " + p.Phase + " is the first pending one"
		switch n := len(v.waits.Unplaced); {
		case core.PhaseWord(v.Phases[v.resume.Phase].Status) == core.Active:
			return "phase " + p.Phase + " is active"
		case unread != "":
			return why + "; " + unread
		case n > 0:
			return why + "; without a loop.json, it is unknown whether one of its " + protocol.Count(n, "undecided gate") + " comes before it"
		}
		return why + ", and no gate blocks it"
	case core.GatePrompt:
		return "gate " + p.Gate + " is " + protocol.WordOr(v.Gates[v.resume.Gate].Status) + " and has to be decided before work goes on"
	case core.AskRetryFailedPhase:
		return "the loop has failed: retry phase " + p.Phase + " (gatehouse resume --retry-failed), or start over (gatehouse restart)"
	case core.AskRestart, core.OfferComplete:
		if text := v.unfinishedText(); text != "" {
			return "something is left: " + text
		}
		if p.Action == core.AskRestart {
			return "the loop is complete; to start over, archive its state and make a new one (gatehouse restart)"
		}
		return "no phase is left and no gate waits: the loop can be completed"
	}
	switch i := v.resume.Phase; {
	case v.resume.Code == transition.NoPhase:
		return "the state has no phases"
	case i >= 0:
		return "phase " + v.Phases[i].Name + " is " + protocol.UnknownWord(v.Phases[i].Status)
	}
	return "the loop is " + protocol.UnknownWord(v.Status)
}
