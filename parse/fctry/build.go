package fctry

import (
	"strconv"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// addStatus sets status, progress, next step and the allowed verbs.
func (v *view) addStatus() {
	b := v.b
	b.Raw = line.Tidy(v.run.Status)
	if v.hasRun() {
		v.setProgress()
	}
	v.reportRun()
	b.Claimed, b.Header = &v.Facts, &v.Facts
	b.Title = v.titleText()
	b.Status, b.Why = v.statusOf()
	if !v.isUnreadable { // nothing is derived from nothing
		v.setNext()
	}
	b.Can = []model.Verb{model.VerbAdd}
	if len(runKeys(v.Root)) > 0 && !v.read.Held {
		b.Can = append(b.Can, model.VerbFresh)
	}
}

// titleText names the current work: the target of the run, or the version of the specification.
func (v *view) titleText() string {
	if target := firstText(v.run.Value.Get("plan"), "target", "scope", "title"); target != "" {
		return target
	}
	if v.Facts.Spec != "" {
		return "spec " + line.Tidy(v.Facts.Spec)
	}
	return ""
}

// setProgress counts the chunks. It trusts the list over the counts in the file.
func (v *view) setProgress() {
	p, r := &v.b.Progress, v.run
	switch {
	case r.IsCounted:
		p.Known, p.Chunks = true, model.Count{Done: r.Progress.Done, Total: r.Progress.Total}
	case len(r.Chunks) == 0:
		if v.Facts.Run.Disputed() {
			p.Known, p.Chunks.Total = true, r.Total
		}
		return
	default:
		p.Known, p.Chunks = r.HasStatuses, model.Count{Done: r.Done, Total: r.Total}
	}
	if p.Percent = p.Chunks.Floor(); r.IsCounted {
		return
	}
	claim := func(at doc.Value, claim, truth string) { protocol.Claim(v.b, v.state.At(at), claim, truth) }
	own := r.Value.Get("chunkProgress")
	if counted, ok := core.ParseProgress(own); ok && own.Get("current").IsEmpty() && counted.Done != r.Done {
		claim(own, "buildRun.chunkProgress counts "+ofChunks(counted.Done, counted.Total)+" as completed", strconv.Itoa(r.Done)+" of the "+strconv.Itoa(r.Total)+" listed are")
	}
	if r.Planned > 0 && r.Planned != len(r.Chunks) {
		claim(r.Value.Get("plan", "totalChunks"), "the plan has "+protocol.Count(r.Planned, "chunk"), strconv.Itoa(len(r.Chunks))+" are listed")
	}
	if r.Status == core.Completed && p.Chunks.Open() > 0 {
		claim(r.Value.Get("status"), "buildRun.status says completed", ofChunks(p.Chunks.Open(), p.Chunks.Total)+" are not")
	}
}

// statusOf returns the status of the build, and why.
func (v *view) statusOf() (s model.Status, why string) {
	r, f := v.run, &v.Facts.Run
	switch {
	case v.isUnreadable:
		return model.Unknown, "state.json can't be read, and no earlier content is known"
	case !v.hasRun():
		return v.idleStatus()
	case r.Unread != "" && !r.IsWaiting():
		return model.Unknown, v.unreadText() + unknownBuild
	}
	switch why = v.countsText(); {
	case r.IsWaiting():
		return model.Waiting, why
	case r.Status == core.Completed && v.b.Progress.Chunks.Open() == 0:
		return model.Done, why
	case f.Disputed():
		return v.disputedStatus(), why + "; buildRun.status says completed"
	}
	s = v.rollUp()
	if r.IsOdd() {
		if why += "; " + v.oddText(); r.Running < 0 {
			return model.Unknown, why
		}
	}
	switch {
	case r.Status == core.Partial:
		why += "; the build has ended in part"
	case r.Status == core.Running && s == model.Pending:
		s = model.Active
	}
	if f.Stale && (s == model.Active || s == model.Retrying) {
		said := line.Tidy(r.Status)
		if said == "" {
			said = "a chunk is being worked on"
		}
		why += "; stale: the file says " + said + ", but nothing has changed for " + model.Age(v.now.Sub(v.lastSign()))
	}
	return s, why
}

// rollUp returns the status that the chunks have together.
func (v *view) rollUp() model.Status {
	r, hasEnded := v.run, v.run.Status == core.Partial
	switch {
	case r.IsCounted && r.Progress.Current > 0 && !hasEnded, r.Next >= 0 && !hasEnded && r.Running < 0:
		return model.Active
	case r.Running >= 0 && !hasEnded:
		return v.nodes[r.Running].Status
	case r.Held > 0:
		return model.Blocked
	case r.Failed > 0:
		return model.Failed
	case r.Open == 0 && r.Done > 0 && !hasEnded: // all is done, but the run is not closed
		return model.Active
	}
	return model.Pending
}

// disputedStatus returns the status of a run that claims completion though chunks are not complete: nothing of it is in
// progress.
func (v *view) disputedStatus() model.Status {
	switch r := v.run; {
	case r.Failed > 0:
		return model.Failed
	case r.Held > 0 && r.Next < 0:
		return model.Blocked
	}
	return model.Pending
}

// idleStatus returns the status without a run.
func (v *view) idleStatus() (model.Status, string) {
	command, step := line.Tidy(v.Facts.Command), line.Tidy(v.Facts.Step)
	switch {
	case !v.read.Exists:
		return model.Pending, "there is no state.json, so nothing runs"
	case v.Root.Len() == 0:
		return model.Pending, "state.json is empty, as at the beginning of a session, so nothing runs"
	case command != "" && step != "" && v.Facts.Fresh:
		return model.Active, command + " is at " + step
	case command != "":
		return model.Pending, "the last command was " + command + "; no build is under way"
	}
	return model.Pending, "no build is under way"
}

// countsText says how far the run is: "12 of 23 chunks done, 3 running, 2 waiting on 6, 1 blocked on 9".
func (v *view) countsText() string {
	p, r := v.b.Progress, v.run
	if !p.Known {
		return "the run does not say how far it is"
	}
	text := ofChunks(p.Chunks.Done, p.Chunks.Total) + " done"
	if len(r.Chunks) == 0 {
		return text
	}
	for _, part := range [...]struct {
		n    int
		what string
	}{
		{r.Busy, " running"}, {r.Failed, " failed"}, {r.Asked, " waiting for an answer"}, {r.Open - r.Held - r.Asked, " ready"}, {r.Held - r.Stuck, " waiting"}, {r.Stuck, " blocked"},
	} {
		if part.n > 0 {
			text += ", " + strconv.Itoa(part.n) + part.what
		}
	}
	if r.Held > 0 {
		text += " on " + protocol.ListNames(causeNames(r.BlockedOn))
	}
	return text
}

// ofChunks returns a number of chunks of all: "2 of 7 chunks".
func ofChunks(n, total int) string { return strconv.Itoa(n) + " of " + strconv.Itoa(total) + " chunks" }

// setNext sets the next step: from the state, else from the run, else derived from the specification.
func (v *view) setNext() {
	given, derived := v.Root.Get("nextStep"), line.Tidy(v.Facts.NextStep)
	a := advice{}
	if v.hasRun() {
		a = v.adviseRun()
	}
	switch {
	case textOf(given) != "":
		v.b.Next = &model.Next{Command: textOf(given), Why: "state.json says so", Source: v.state.At(given)}
	case a.command != "":
		v.b.Next = &model.Next{Command: a.command, Why: a.why, Node: a.node, Derived: true}
		if v.run.IsWaiting() && len(v.b.Waits) > 0 {
			v.b.Next.Node, v.b.Next.Source = v.b.Waits[0].Node, v.b.Waits[0].Source
		} else if a.node == "" {
			v.b.Next.Source = v.state.At(a.at)
		}
	case derived != "":
		v.b.Next = &model.Next{Command: derived, Why: "state.json names no next step", Derived: true}
	}
	if v.run.Running >= 0 {
		v.b.Now = v.nodes[v.run.Running].ID
	}
}

// layOut puts the rows in order.
func (v *view) layOut() {
	b := v.b
	b.Nodes = append(b.Nodes, v.gates...)
	b.Nodes = append(b.Nodes, v.nodes...)
	for _, n := range v.nodes {
		n.Held = v.read.Held
	}
	for _, group := range [...]*model.Node{v.workflowGroup(), v.inboxGroup()} {
		if group != nil {
			b.Nodes = append(b.Nodes, group)
		}
	}
}

// setGroupStatus sets the status of a group from its children.
func setGroupStatus(group *model.Node) {
	var all []model.Status
	for _, n := range group.Children {
		all = append(all, n.Status)
	}
	group.Status = model.RollUp(all)
}
