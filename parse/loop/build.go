// Where a loop stands: its status, how far it is, what comes next, and what its own words deny.

package loop

import (
	"fmt"
	"path"
	"slices"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/jsondoc"
)

// stand says where the loop stands.
func (v *view) stand() {
	v.count()
	v.waits()
	v.status()
	v.ahead()
	v.claims()
	v.metrics()
	v.history()
	v.lines()
	v.b.Can = v.verbs()
	switch text, _ := v.unread(); {
	case v.s.doc == nil && v.r.lost():
		v.b.Unread = line.Tidy(v.r.file + " can't be read")
	case v.s.kind == "":
		v.b.Unread = line.Tidy(text)
	}
}

// lines makes the line of the state. It is the header's, too: what denies the file's claims stands in the same file.
func (v *view) lines() {
	if v.s.doc == nil {
		v.b.Claimed = &line.Loop{Unreadable: path.Base(v.r.file)}
		v.b.Header = v.b.Claimed
		return
	}
	v.b.Claimed = rules.Line(v.loopID(), v.loop)
	v.b.Header = v.b.Claimed
}

// count counts the phases that are over, among all that there have to be. What has no status at all says nothing about progress.
func (v *view) count() {
	p := &v.b.Progress
	p.Phases.Total = len(v.loop.Lacks) // what the state lacks is not over
	for i := range v.loop.Phases {
		p.Phases.Total++
		if v.loop.Phases[i].Status != "" {
			p.Known = true
		}
		if v.loop.Phases[i].Finished() {
			p.Phases.Done++
		}
	}
	p.Closed, p.Percent = p.Phases, p.Phases.Floor()
}

// unfinished says what keeps a loop from being complete, "" where nothing does: phases that are open or that the state lacks, or
// gates that are still to be decided.
func (v *view) unfinished() string {
	if lacks := v.loop.Lacks; len(lacks) > 0 {
		return reader.Quoted(lacks[0]) + " of " + v.d.file + " is no phase of the state"
	}
	if open := v.waiting.Open; open > 0 {
		if open == 1 {
			return "1 phase is open"
		}
		return fmt.Sprintf("%d phases are open", open)
	}
	gates := v.waiting.Keep()
	switch {
	case v.s.kind != "": // the gates of other shapes have words of their own
		return ""
	case len(gates) == 0:
		text, _ := v.unread()
		return text
	}
	first := &v.loop.Gates[gates[0]]
	text := rules.GateName(first.ID) + " is " + word(first.Status)
	if first.At < 0 {
		text = rules.GateName(first.ID) + " is not in the state"
	}
	switch more := len(gates) - 1; more {
	case 0:
		return text
	case 1:
		return text + ", and 1 more gate is undecided"
	default:
		return fmt.Sprintf("%s, and %d more gates are undecided", text, more)
	}
}

// overclaims reports whether the file calls the loop complete, and something of it is left.
func (v *view) overclaims() bool {
	return rules.LoopWord(v.s.Status) == rules.Complete && v.unfinished() != ""
}

func (v *view) status() {
	b := v.b
	if v.s.doc == nil {
		b.Why = v.s.readOnly
		return
	}
	b.Why = "the file says " + reader.Quoted(line.Tidy(v.s.Status))
	switch rules.LoopWord(v.s.Status) {
	case rules.Active:
		b.Status = model.Active
		if len(b.Certain()) > 0 {
			b.Status, b.Why = model.Waiting, b.Waits[0].Text
		}
	case rules.Paused:
		b.Status = model.Active
		b.Pause = &model.Pause{Reason: v.pausedAt(), Since: reader.Time(v.s.updated), Source: v.pos(v.s.doc.Root.Get("status").Place(0))}
	case rules.Complete:
		b.Status = model.Done
		if v.overclaims() {
			b.Status, b.Why = model.Active, v.unfinished()+", though the file says "+reader.Quoted(line.Tidy(v.s.Status))
		}
	case rules.Failed:
		b.Status = model.Failed
	case "blocked":
		b.Status = model.Blocked
	case "":
		b.Why = "the file does not say"
	default:
		switch {
		case v.s.kind == "":
			b.Why += ", which no loop can be"
		case v.s.Status == "running":
			b.Status = model.Active
		}
	}
	if v.s.kind != "" && len(b.Certain()) > 0 {
		b.Status = model.Waiting
	}
	if v.s.readOnly != "" {
		b.Why += "; read only: " + v.s.readOnly
	}
}

// pausedAt says where a loop was paused.
func (v *view) pausedAt() string {
	if v.resume.Phase < 0 {
		return "the loop is paused"
	}
	return line.Tidy("the loop is paused at phase " + v.loop.Phases[v.resume.Phase].Name)
}

// ahead names the phase that is worked on, and what comes next by the rules of resuming.
func (v *view) ahead() {
	if v.s.readOnly != "" {
		return
	}
	next := func(command, why, node string) {
		v.b.Next = &model.Next{Command: line.Tidy(command), Why: line.Tidy(why), Node: node, Derived: true}
	}
	r := v.resume
	if r.Phase >= 0 && v.loop.Status == rules.Active && rules.PhaseWord(v.loop.Phases[r.Phase].Status) == rules.Active {
		v.b.Now = line.Tidy(phaseID(v.loop.Phases[r.Phase].Name))
	}
	switch {
	case v.loop.Status == rules.Paused:
		next("resume", "the loop is paused", "")
	case v.overclaims() && slices.Contains(v.verbs(), model.VerbResume):
		next("resume", "the file says "+reader.Quoted(v.loop.Status)+", though "+v.unfinished(), "")
	case r.Action == rules.AskRetryFailedPhase:
		next("resume --retry-failed", "the loop has failed", "")
	case r.Action == rules.GatePrompt && rules.GateWord(v.loop.Gates[r.Gate].Status) == rules.Failed:
		next("retry "+rules.GateName(v.loop.Gates[r.Gate].ID), "the gate has failed", v.gateIDs[r.Gate])
	case r.Action == rules.GatePrompt:
		next("approve "+rules.GateName(v.loop.Gates[r.Gate].ID), "the work has come to this gate", v.gateIDs[r.Gate])
	case r.Action == rules.OfferComplete && len(v.waiting.Past) > 0:
		g := v.waiting.Past[0]
		verb := "approve "
		if rules.GateWord(v.loop.Gates[g].Status) == rules.Failed {
			verb = "retry "
		}
		next(verb+rules.GateName(v.loop.Gates[g].ID), "every phase is over, and this gate is undecided", v.gateIDs[g])
	case r.Action == rules.OfferComplete:
		if v.loop.Over() == len(v.loop.Phases) && v.loop.Unread == "" { // else one has a status that nobody knows, or there may be more
			next("complete", "every phase is over", "")
		}
	case r.Action == rules.ContinuePhase:
		p := &v.loop.Phases[r.Phase]
		if v.b.Now != "" || v.loop.Over() < r.Phase {
			return // it is at work; or a phase before has a status that nobody knows, and the way is not free
		}
		why := "the phase is pending, and nothing is before it"
		if len(v.waiting.Anywhere) > 0 {
			why = "the phase is pending; whether a gate is before it nobody knows without a loop.json"
		}
		next(p.Name, why, line.Tidy(phaseID(p.Name)))
	}
}

// verbs returns what may be done about the loop as a whole.
func (v *view) verbs() (can []model.Verb) {
	if !v.writable() {
		return nil
	}
	for _, verb := range []model.Verb{model.VerbComplete, model.VerbPause, model.VerbResume, model.VerbRetryFailed, model.VerbRestart, model.VerbAbort} {
		if _, refused := v.loop.LoopAction(loopActions[verb].is); refused == rules.OK && (verb != model.VerbRestart || v.d != nil) {
			can = append(can, verb)
		}
	}
	return can
}

// claims lists what the file says about itself and its own phases deny.
func (v *view) claims() {
	if v.s.kind != "" || v.s.doc == nil {
		return
	}
	file, root := path.Base(v.r.file), v.s.doc.Root
	diverges := func(claim, truth, key string) {
		v.b.Divergences = append(v.b.Divergences, model.Divergence{Claim: line.Tidy(claim), Truth: line.Tidy(truth), Source: v.pos(root.Get(key).Place(0))})
	}
	if v.overclaims() {
		diverges(file+" says the loop is complete", v.unfinished(), "status")
	}
	if v.resume.Stale && !v.between() {
		p := &v.loop.Phases[v.resume.Phase]
		diverges(file+" says the phase is "+v.s.Phase, "phase "+p.Name+" is the first that is "+rules.PhaseWord(p.Status), "phase")
	}
}

// between reports whether the file names the phase that was just finished and the next has not begun: work stands between
// them, and both are right.
func (v *view) between() bool {
	at := v.resume.Phase
	return at > 0 && rules.PhaseWord(v.loop.Phases[at].Status) == rules.Pending &&
		v.loop.Phases[at-1].Name == v.s.Phase && v.loop.Phases[at-1].Finished()
}

// writable reports whether anything may be written to the state: it is a loop's own, and can be read now.
func (v *view) writable() bool { return v.s.readOnly == "" && !v.read.Held }

// maxMetrics is how many metrics are shown.
const maxMetrics = 200

// metrics lists the numbers that the file keeps, in its order; those in objects with the names that lead to them, and of
// lists how long they are.
func (v *view) metrics() {
	var take func(name string, m *jsondoc.Value)
	take = func(name string, m *jsondoc.Value) {
		if len(v.b.Metrics) >= maxMetrics {
			return
		}
		text := m.Raw
		switch m.Kind() {
		case jsondoc.Object:
			for inside := range m.Members() {
				take(join(name, inside.Key), &inside.Value)
			}
			return
		case jsondoc.Array:
			text = fmt.Sprintf("%d entries", m.Len())
			if m.Len() == 1 {
				text = "1 entry"
			}
		case jsondoc.Null:
			text = "not known"
		case jsondoc.String:
			text = m.Text()
		}
		v.b.Metrics = append(v.b.Metrics, model.Fact{Label: line.Tidy(name), Value: line.Tidy(text)})
	}
	if v.s.metrics.Is(jsondoc.Object) {
		take("", v.s.metrics)
	}
}
