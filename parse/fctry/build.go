// How the build as a whole stands, and what comes next.

package fctry

import (
	"fmt"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fctry/rules"
)

// stand says how the build stands.
func (c *collector) stand() {
	b := c.b
	b.Raw = line.Tidy(c.run.Status)
	if c.run.there && !c.last {
		c.count()
	}
	c.misshapen()
	b.Claimed, b.Header = &c.line.Facts, &c.line.Facts
	b.Title = c.title()
	b.Status, b.Why = c.status()
	if !c.files.Unreadable { // what is derived from nothing is no advice
		c.nextStep = line.Tidy(c.line.Facts.NextStep)
		c.next()
	}
	b.Can = []model.Verb{model.VerbAdd}
	if len(runKeys(c.state)) > 0 && !c.stateIs.Held {
		b.Can = append(b.Can, model.VerbFresh)
	}
}

// title names what is built: the spec's version, or the run's target.
func (c *collector) title() string {
	plan := c.run.object.get("plan")
	if !c.last {
		if target := plan.first("target", "scope", "title").text(); target != "" {
			return target
		}
	}
	if v := c.specVersion(); v != "" {
		return "spec " + v
	}
	return ""
}

// count fills the progress: the list of chunks counts, whatever the file counts itself.
func (c *collector) count() {
	p := &c.b.Progress
	if len(c.nodes) == 0 {
		if c.run.counted {
			p.Known, p.Chunks = true, model.Count{Done: c.run.progress.Done, Total: c.run.progress.Total}
			p.Percent = p.Chunks.Floor()
		} else if c.line.Facts.Run.Disputed() {
			p.Known, p.Chunks.Total = true, c.run.Total
		}
		return
	}
	s := c.stood
	p.Known, p.Chunks = s.Stated, model.Count{Done: s.Done, Total: s.Total}
	p.Percent = p.Chunks.Floor()
	own := c.run.object.get("chunkProgress")
	if told, ok := rules.ReadProgress(own.raw()); ok && own.get("current").none() && told.Done != s.Done {
		c.diverge(own, fmt.Sprintf("buildRun.chunkProgress counts %d of %d chunks as completed", told.Done, told.Total), fmt.Sprintf("%d of the %d listed are", s.Done, s.Total))
	}
	if n := c.run.Total; n > 0 && n != len(c.nodes) {
		c.diverge(c.run.object.get("plan").get("totalChunks"), fmt.Sprintf("the plan has %d chunks", n), fmt.Sprintf("%d are listed", len(c.nodes)))
	}
	if c.run.Status == rules.RunCompleted && p.Chunks.Open() > 0 {
		c.diverge(c.run.object.get("status"), "buildRun.status says completed", fmt.Sprintf("%d of %d chunks are not", p.Chunks.Open(), p.Chunks.Total))
	}
}

func (c *collector) diverge(at value, claim, truth string) {
	c.b.Divergences = append(c.b.Divergences, model.Divergence{Claim: claim, Truth: truth, Source: c.state.pos(stateFile, at)})
}

// status says how the build stands, and by what.
func (c *collector) status() (s model.Status, why string) {
	if c.files.Unreadable {
		return model.Unknown, "state.json can't be read, and never could since it is looked at"
	}
	if !c.run.there || c.last {
		return c.idle()
	}
	if c.run.Unread != "" && !c.run.Waits() {
		return model.Unknown, c.unreadWhy() + ": nobody knows what is built"
	}
	why = c.counts()
	switch p := c.b.Progress.Chunks; {
	case c.run.Waits():
		return model.Waiting, why
	case c.run.Status == rules.RunCompleted && p.Open() == 0:
		return model.Done, why
	}
	if c.line.Facts.Run.Disputed() {
		return c.disputed(), why + "; buildRun.status says completed"
	}
	if s = c.rolled(); c.run.Odd() {
		if why += "; " + c.oddWhy(); c.stood.Running < 0 {
			return model.Unknown, why
		}
	}
	switch {
	case c.run.Status == rules.RunPartial:
		why += "; the build has ended in part"
	case c.run.Status == rules.RunRunning && s == model.Pending:
		s = model.Active
	}
	if c.line.Facts.Run.Stale && (s == model.Active || s == model.Retrying) {
		why += "; stale: it says " + orRunning(c.run.Status) + ", and nothing has changed for " + model.Age(c.now.Sub(c.lastSign()))
	}
	return s, why
}

func orRunning(status string) string {
	if status == "" {
		return "that a chunk is worked on"
	}
	return line.Tidy(status)
}

// rolled returns the status that the chunks have together.
func (c *collector) rolled() model.Status {
	s, ended := c.stood, c.run.Status == rules.RunPartial
	switch {
	case len(c.nodes) == 0 && c.run.counted:
		if c.run.progress.Current > 0 && !ended {
			return model.Active
		}
		return model.Pending
	case len(c.nodes) == 0:
		return model.Pending
	case s.Running >= 0 && !ended:
		return c.nodes[s.Running].Status
	case s.Next >= 0 && !ended:
		return model.Active
	case s.Held > 0:
		return model.Blocked
	case s.Failed > 0:
		return model.Failed
	case s.Open == 0 && s.Done > 0 && !ended:
		return model.Active // all is done, and nobody has closed the run
	}
	return model.Pending
}

// disputed returns the status of a run that says that it is completed while chunks are not: nothing of it goes on.
func (c *collector) disputed() model.Status {
	switch s := c.stood; {
	case s.Failed > 0:
		return model.Failed
	case s.Held > 0 && s.Next < 0:
		return model.Blocked
	}
	return model.Pending
}

// idle is the status without a run.
func (c *collector) idle() (model.Status, string) {
	top := c.state.top
	command, step := top.get("currentCommand").text(), top.get("workflowStep").text()
	switch {
	case c.last:
		return model.Pending, "state.json was emptied, as every new session does; the last build is shown as it was " + c.kept.at.UTC().Format("2006-01-02 15:04")
	case !c.stateIs.Exists:
		return model.Pending, "there is no state.json, so nothing runs"
	case len(top.members()) == 0:
		return model.Pending, "state.json is empty, as at the beginning of a session: nothing runs"
	case command != "" && step != "" && c.line.Facts.Fresh:
		return model.Active, command + " is at " + step
	case command != "":
		return model.Pending, "the last command was " + command + "; no build is under way"
	}
	return model.Pending, "no build is under way"
}

// counts says in one sentence how far the run is: "12 of 23 chunks done, 3 running, 8 blocked on 6".
func (c *collector) counts() string {
	p := c.b.Progress
	if !p.Known {
		return "the run does not say how far it is"
	}
	text := fmt.Sprintf("%d of %d chunks done", p.Chunks.Done, p.Chunks.Total)
	if len(c.nodes) == 0 {
		return text
	}
	s := c.stood
	if s.Busy > 0 {
		text += fmt.Sprintf(", %d running", s.Busy)
	}
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d failed", s.Failed)
	}
	if s.Asked > 0 {
		text += fmt.Sprintf(", %d waiting for an answer", s.Asked)
	}
	if ready := s.Open - s.Held - s.Asked; ready > 0 {
		text += fmt.Sprintf(", %d ready", ready)
	}
	if s.Held > 0 {
		text += fmt.Sprintf(", %d blocked on %s", s.Held, listed(causes(s.BlockedOn)))
	}
	return text
}

// lastSign returns when the state last gave a sign of life.
func (c *collector) lastSign() time.Time { return time.Unix(c.line.LastSign(c.files.Clock), 0) }

// next says what comes next: what the state says, else the next chunk of a run that goes on, else what is derived.
func (c *collector) next() {
	given := c.state.top.get("nextStep")
	s := c.stood
	switch {
	case given.text() != "":
		c.b.Next = &model.Next{Command: given.text(), Why: "state.json says so", Source: c.state.pos(stateFile, given)}
	case !c.run.there || c.last:
		c.advised()
	case c.run.Waits():
		_, why := c.resumeWaits()
		c.b.Next = &model.Next{Command: c.answer(), Why: why, Derived: true}
		if len(c.b.Waits) > 0 {
			c.b.Next.Node, c.b.Next.Source = c.b.Waits[0].Node, c.b.Waits[0].Source
		}
	case c.run.Unread != "":
		c.b.Next = &model.Next{Command: "mend " + c.run.Unread, Why: c.unreadWhy() + ": nobody knows what is built", Source: c.state.pos(stateFile, c.run.unreadAt), Derived: true}
	case c.line.Facts.Run.Disputed():
		at := c.run.object.get("status")
		c.b.Next = &model.Next{Command: "make buildRun.status and the chunks agree", Why: c.dispute(), Source: c.state.pos(stateFile, at), Derived: true}
	case c.run.Status == rules.RunPartial:
		command, why := c.ended()
		c.b.Next = &model.Next{Command: command, Why: why, Node: c.failedID(), Derived: true}
	case c.line.Facts.Run.Stale && c.line.Facts.Run.Running && c.onlyCounted():
		c.b.Next = &model.Next{Command: "/fctry:execute", Why: "nobody seems to be at work on chunk " + c.run.progress.At() + " any more: " + takenUpAsCounted,
			Source: c.state.pos(stateFile, c.run.countedAt), Derived: true}
	case c.line.Facts.Run.Stale && s.Running >= 0:
		n := c.nodes[s.Running]
		c.b.Next = &model.Next{Command: "/fctry:execute", Why: "nobody seems to be at work on chunk " + chunkName(n) + " any more: /fctry:execute " + c.takenUp(), Node: n.ID, Derived: true}
	case c.run.Odd() && c.line.Facts.Run.Total > 0:
		c.b.Next = &model.Next{Command: "say in buildRun.status how the run stands", Why: c.oddWhy() + "; " + runWords, Source: c.state.pos(stateFile, c.run.raw), Derived: true}
	case c.stuck():
		command, why := c.unstick()
		c.b.Next = &model.Next{Command: command, Why: why, Node: c.failedID(), Derived: true}
	case c.allDone():
		c.b.Next = &model.Next{Command: "close the run", Why: unclosed, Source: c.state.pos(stateFile, c.run.raw), Derived: true}
	case c.onlyCounted() && c.run.Status != rules.RunCompleted:
		_, why := c.goOnAsCounted()
		c.b.Next = &model.Next{Command: "/fctry:execute", Why: why, Source: c.state.pos(stateFile, c.run.countedAt), Derived: true}
	case c.run.GoesOn() && c.allListedDone():
		c.b.Next = &model.Next{Command: "/fctry:execute", Why: unlisted, Source: c.state.pos(stateFile, c.run.raw), Derived: true}
	case s.Running >= 0 && s.Next < 0:
		n := c.nodes[s.Running]
		c.b.Next = &model.Next{Command: "/fctry:execute", Why: chunkName(n) + saidToBeWorkedOn, Node: n.ID, Derived: true}
	case s.Next >= 0:
		n := c.nodes[s.Next]
		c.b.Next = &model.Next{Command: "/fctry:execute", Why: fmt.Sprintf("chunk %d/%d %s has all that it needs", s.Next+1, s.Total, n.Title), Node: n.ID, Derived: true}
	default:
		c.advised()
	}
	if s.Running >= 0 && !c.last {
		c.b.Now = c.nodes[s.Running].ID
	}
}

// answer returns what to do about a run that waits for its user.
func (c *collector) answer() string {
	switch {
	case c.run.Question != "":
		return "answer the run's question"
	case c.run.Status == rules.RunPaused:
		return "say whether the paused run goes on"
	}
	return "decide what the run waits for"
}

// advised gives the step that is derived from the spec and what is built of it.
func (c *collector) advised() {
	if c.nextStep != "" {
		c.b.Next = &model.Next{Command: c.nextStep, Why: "state.json names no next step", Derived: true}
	}
}
