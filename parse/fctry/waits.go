package fctry

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// addWaits adds the waits for a human, and the blockers of the agents.
func (v *view) addWaits() {
	switch {
	case v.isUnreadable:
		v.addWait("state.json can't be read, so what waits in it is unknown", doc.Value{})
		return
	case v.hasRun():
		v.addQuestion()
		v.addPause()
		v.addWaitingChunks()
		v.addRun()
		v.addFailures()
	}
	v.addSkippedSteps()
	model.SortWaits(v.b.Waits)
}

// addWait adds a wait about the run as a whole, since state.json was written.
func (v *view) addWait(text string, at doc.Value) {
	v.b.Waits = append(v.b.Waits, model.Wait{Text: text, Evidence: model.Outstanding, Since: v.read.ModTime, SinceFile: true, Source: v.state.At(at)})
}

// addGate adds a row for something that a human is asked, with its wait.
func (v *view) addGate(n *model.Node) {
	n.Kind, n.Status = model.KindGate, model.Waiting
	n.Gate = &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: n.Title}
	v.gates = append(v.gates, n)
	v.b.Waits = append(v.b.Waits, model.Wait{Node: n.ID, Text: n.Title, Evidence: model.Signalled, Since: n.Updated, Source: n.Source})
}

// addQuestion adds the question that the run has asked.
func (v *view) addQuestion() {
	text, at := line.Tidy(v.run.Question.Text), v.run.AskedAt
	if text == "" {
		return
	}
	n := &model.Node{ID: "gate/question", Title: text, Raw: v.run.AskedKey, Why: "the executor has stopped and waits for an answer", Source: v.state.At(at), Updated: timeOf(at.Get("timestamp"))}
	var f protocol.Facts
	addRest(&f, "", at, "timestamp")
	n.Facts = slices.DeleteFunc(f, func(f model.Fact) bool { return f.Value == protocol.Clip(text, protocol.MaxFact) })
	v.addGate(n)
	for i := range v.run.Chunks {
		if v.run.Chunks[i].IsAsked {
			n.Gate.Opens = append(n.Gate.Opens, v.nodes[i].ID)
		}
	}
}

// addPause adds a run that is paused or waits for its user, unless a question or a chunk already shows it.
func (v *view) addPause() {
	r := v.run
	if r.Status != core.Awaiting && r.Status != core.Paused {
		return
	}
	reason, since := line.Tidy(r.Reason), timeOf(r.Value.First("pausedAt", "awaitingUserAt"))
	if r.Status == core.Paused {
		v.b.Pause = &model.Pause{Reason: reason, Since: since, Source: v.state.At(r.Value.Get("status"))}
	}
	if r.Question.Text != "" || r.Waiting >= 0 {
		return
	}
	if reason == "" {
		reason = "the build is " + strings.ReplaceAll(r.Status, "-", " ")
	}
	v.addGate(&model.Node{ID: "gate/run", Title: reason, Raw: r.Status, Why: "buildRun.status says so", Updated: since, Source: v.state.At(r.Value.First("pausedReason", "statusReason"))})
}

// addWaitingChunks adds the chunks that wait for a human: the first one with the reason of the run.
func (v *view) addWaitingChunks() {
	reason := line.Tidy(v.run.Reason)
	if v.run.Question.Text != "" {
		reason = ""
	}
	for i, n := range v.nodes {
		c := &v.run.Chunks[i]
		if c.State != core.Waiting || c.IsAsked {
			continue
		}
		since := timeOf(c.Value.First("awaitingUserAt", "pausedAt", "startedAt"))
		if since.IsZero() {
			since = timeOf(v.run.Value.Get("lastCheckpoint"))
		}
		text := n.Title
		if reason != "" {
			text, reason = reason, ""
		}
		n.Gate = &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: text}
		for _, other := range v.nodes {
			if slices.Contains(other.DependsOn, n.ID) {
				n.Gate.Opens = append(n.Gate.Opens, other.ID)
			}
		}
		n.Why = "it waits for you: " + text
		v.b.Waits = append(v.b.Waits, model.Wait{Node: n.ID, Text: text, Place: placeOf(v.chunkName(i)), Evidence: model.Signalled, Since: since, Source: n.Source})
	}
}

// addRun adds a run that needs a human without asking: it is stale, unreadable, contradictory or unclear, or has ended in part.
func (v *view) addRun() {
	f, r := &v.Facts.Run, v.run
	if r.IsWaiting() || !(f.Stale || r.Unread != "" || f.Disputed() || r.Status == core.Partial || r.IsOdd()) {
		return
	}
	a := v.adviseRun()
	if !a.at.Exists() {
		a.at = r.Value
	}
	w := model.Wait{Node: a.node, Text: a.why, Evidence: model.Outstanding, Since: v.lastSign(), Source: v.state.At(a.at)}
	for i, n := range v.nodes {
		if n.ID == a.node {
			w.Place, w.Source = placeOf(v.chunkName(i)), n.Source
		}
	}
	if f.Stale && !f.Disputed() {
		w.Text = "stale: " + w.Text
		if at := r.Running; at >= 0 {
			v.nodes[at].Why = "the file says that an agent works on it, but nothing has changed for long"
		}
	}
	v.b.Waits = append(v.b.Waits, w)
}

// addFailures adds the chunks that failed, and those that nothing can unblock but a change of the plan.
func (v *view) addFailures() {
	holds := map[string]bool{}
	for _, n := range v.nodes {
		for _, id := range n.BlockedBy {
			holds[id] = true
		}
	}
	for i, n := range v.nodes {
		b := model.Blocker{Node: n.ID, Source: n.Source}
		switch {
		case n.Status == model.Failed:
			b.Text, b.Concern = placeOf(v.chunkName(i))+" failed", !holds[n.ID]
			b.Since = timeOf(v.run.Chunks[i].Value.Get("failedAt"))
		case n.Status == model.Blocked && (len(n.BlockedBy) == 0 || v.run.Chunks[i].ClosesCircle):
			b.Text = placeOf(v.chunkName(i)) + ": " + n.Why
		default:
			continue
		}
		v.b.Blockers = append(v.b.Blockers, b)
	}
}

// lastSign returns when the state showed the last sign of life.
func (v *view) lastSign() time.Time { return time.Unix(v.LastSign(v.clock), 0) }

// addSkippedSteps adds, as concerns, the steps that have begun without their prerequisites. Humans may skip steps, and no file
// records that.
func (v *view) addSkippedSteps() {
	for _, s := range v.workflowSteps() {
		if len(s.missing) > 0 {
			v.b.Blockers = append(v.b.Blockers, model.Blocker{
				Text: s.name + " has begun without " + s.missingText() + " (skipped?): " + s.optionsText(), Node: s.row, Source: v.state.At(s.at), Concern: true,
			})
		}
	}
}
