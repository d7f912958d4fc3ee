package gsd

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
)

// addGates makes the rows of what waits for a human, and lists what waits and what blocks agents.
func (c *build) addGates() {
	c.addSignal()
	for _, p := range c.Phases {
		for _, u := range p.UATs {
			c.addUAT(p, u)
		}
		c.addVerifications(p)
		if p == c.nextToRun() {
			c.addUpcoming(p)
		}
	}
	for _, p := range c.Archived {
		for _, u := range p.UATs {
			if u.CountOpen() > 0 {
				c.addUAT(p, u)
			}
		}
		c.addVerifications(p)
	}
	c.addCheckpoint()
	c.addHandOff()
	c.addBlockers()
	model.SortWaits(c.b.Waits)
	model.SortWaits(c.b.Expired)
}

// humanGate returns the gate of something that only a human can answer.
func humanGate(asks string, opens ...string) *model.Gate {
	return &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: line.Tidy(asks), Opens: opens}
}

// opensPhase returns the node that a gate of a phase opens.
func opensPhase(p *core.Phase) []string {
	if p == nil {
		return nil
	}
	return []string{phaseNode(p)}
}

// place says where in the build a phase is.
func place(p *core.Phase) string {
	if p == nil {
		return ""
	}
	return "Phase " + p.ID.Text
}

// addGate puts a gate below its phase, or at the top of the tree. Gates of a past phase are archived.
func (c *build) addGate(p *core.Phase, n *model.Node) {
	if p == nil {
		c.loose = append(c.loose, n)
		return
	}
	if p.Past != "" {
		for _, below := range model.Walk([]*model.Node{n}) {
			below.Archive()
			if below.Status == model.Waiting {
				below.Raw, below.Why = "past", line.Tidy(p.Past)
			}
		}
	}
	c.gates[p] = append(c.gates[p], n)
}

// addWait lists what waits for a human at a node. What belongs to a past phase, or is out of date, is listed as expired.
func (c *build) addWait(p *core.Phase, n *model.Node, evidence model.Evidence, since moment, stale string) {
	since = c.dropFuture(since)
	setSince(n, since)
	n.Title = cmp.Or(n.Title, "something is asked of you ("+path.Base(n.Source.File)+" does not say what)")
	w := model.Wait{
		Node: n.ID, Text: n.Title, Evidence: evidence, Since: since.at, SinceFile: since.fromFile, Source: n.Source,
		Standing: model.UpcomingIf(n.Gate != nil && n.Gate.Upcoming), Place: place(p),
	}
	if stale == "" && p != nil {
		stale = p.Past
	}
	switch {
	case stale == "":
		c.b.Waits = append(c.b.Waits, w)
	case !w.IsUpcoming():
		w.Standing = model.Standing{Status: model.Expired, Reason: line.Tidy(stale)}
		c.b.Expired = append(c.b.Expired, w)
	}
}

// addSignal adds the question of an agent that has stopped.
func (c *build) addSignal() {
	s := c.Signal
	if s == nil {
		return
	}
	p := c.Named(s.Phase)
	n := &model.Node{
		ID: "gate/waiting", Kind: model.KindGate, Title: cmp.Or(line.Tidy(s.Question), "the agent asks something ("+path.Base(s.File)+" does not say what)"),
		Status: model.Waiting, Raw: "waiting", Why: "the agent has stopped and waits for an answer", Gate: humanGate(s.Question, opensPhase(p)...), Source: model.Pos{File: s.File},
	}
	n.Updated = said(s.Since, 0).at
	for _, option := range s.Options {
		if option = line.Tidy(option); option != "" {
			n.Gate.Options = append(n.Gate.Options, option)
		}
	}
	addFact(n, "kind", s.Kind)
	if s.Stale != "" {
		n.Status, n.Raw, n.Why = model.Skipped, "past", line.Tidy(s.Stale)
		n.Archive()
	}
	c.addGate(p, n)
	c.addWait(p, n, model.Signalled, said(s.Since, s.Modified), s.Stale)
}

func uatGateID(p *core.Phase, u *core.UATFile) string { return "gate/" + phasePart(p) + "/" + u.File }

// addUAT makes the rows of a UAT: one for the file, one for each test.
func (c *build) addUAT(p *core.Phase, u *core.UATFile) {
	file, since := path.Join(p.Dir, u.File), uatSince(u)
	gate := &model.Node{
		ID: uatGateID(p, u), Kind: model.KindGate, Title: line.Tidy(strings.TrimSuffix(u.File, ".md")), Raw: line.Tidy(u.Status), Source: model.Pos{File: file, Line: 1},
		Updated: timeOf(u.Modified), Held: u.IsHeld, Gate: humanGate("tests that a human runs and judges", phaseNode(p)),
	}
	var asked *model.Node
	var statuses []model.Status
	for i := range u.Tests {
		t := &u.Tests[i]
		n := testNode(gate.ID, file, i, t)
		n.Updated = gate.Updated
		setSince(n, since)
		if !u.IsBroken && t.CanJudge() {
			n.Gate.Can = []model.Verb{model.VerbApprove, model.VerbChanges, model.VerbSkip}
		}
		gate.Children = append(gate.Children, n)
		gate.Count.Total++
		if t.HasPassed() {
			gate.Count.Done++
		}
		if n.Status == model.Waiting && (asked == nil || t.Number == u.Awaiting && u.Awaiting > 0) {
			asked = n
		}
		statuses = append(statuses, n.Status)
	}
	gate.Status = model.RollUp(statuses)
	gate.Why = fmt.Sprintf("%d of %s passed", gate.Count.Done, core.Count(gate.Count.Total, "test"))
	setSince(gate, since)
	c.addGate(p, gate)
	if asked != nil {
		c.addWait(p, asked, model.Tested, since, "")
	}
}

// testNode makes the row of one test.
func testNode(parent, file string, i int, t *core.UATTest) *model.Node {
	n := &model.Node{
		ID: parent + "/" + strconv.Itoa(i+1), Kind: model.KindGate, Title: line.Tidy(t.Name), Raw: line.Tidy(t.Result), Source: model.Pos{File: file, Line: t.ResultLine()},
		Gate: humanGate(t.Name),
	}
	n.Gate.Expects, n.Gate.Reason = line.Tidy(t.Expected), line.Tidy(t.Reason)
	if t.Number > 0 {
		n.Number = strconv.Itoa(t.Number)
	}
	switch {
	case t.HasPassed():
		n.Status = model.Done
	case t.Result == core.ResultSkipped:
		n.Status = model.Skipped
	case t.Result == core.ResultBlocked:
		n.Status = model.Blocked
		addFact(n, "blocked by", t.BlockedBy)
	case t.HasFailed():
		n.Status = model.Failed
	case t.IsPending():
		n.Status = model.Waiting
	}
	return n
}

// addVerifications makes the rows of what the verifications of a phase leave to a human. While a UAT asks the same, or an earlier
// verification of the phase, it does not wait twice.
func (c *build) addVerifications(p *core.Phase) {
	for _, v := range p.Verifications {
		if !c.AsksHuman(p, v) {
			continue
		}
		file, since := path.Join(p.Dir, v.File), verificationSince(v)
		n := &model.Node{
			ID: "gate/" + phasePart(p) + "/" + v.File, Kind: model.KindGate, Status: model.Waiting, Raw: cmp.Or(v.Status, core.HumanNeeded),
			Title: "verify " + core.Count(len(v.Human), "thing") + " by hand", Gate: humanGate("what only a human can tell", phaseNode(p)),
			Source: model.Pos{File: file, Line: max(v.StatusLine, 1)}, Updated: timeOf(v.Modified), Held: p.IsHeld,
		}
		switch len(v.Human) {
		case 0:
			n.Title = "verify by hand (" + line.Tidy(v.File) + " does not say what)"
		case 1:
			h := v.Human[0]
			n.Title = "verify by hand: " + line.Tidy(h.Test)
			n.Gate.Asks, n.Gate.Expects, n.Gate.Reason = line.Tidy(h.Test), line.Tidy(h.Expected), line.Tidy(h.Why)
		}
		addFact(n, "score", v.Score)
		for i, h := range v.Human {
			if len(v.Human) > 1 { // else the gate itself says it
				text := h.Test
				if h.Expected != "" {
					text += " → " + h.Expected
				}
				addFact(n, strconv.Itoa(i+1), text)
			}
			row := &model.Node{
				ID: n.ID + "/" + strconv.Itoa(i+1), Kind: model.KindTask, Number: strconv.Itoa(i + 1), Title: line.Tidy(h.Test), Status: model.Waiting,
				Gate: humanGate(h.Test), Source: model.Pos{File: file, Line: h.Line},
			}
			row.Gate.Expects, row.Gate.Reason = line.Tidy(h.Expected), line.Tidy(h.Why)
			setSince(row, since)
			n.Children = append(n.Children, row)
		}
		setSince(n, since)
		isAsked := false
		for _, other := range c.gates[p] {
			isAsked = isAsked || strings.HasPrefix(other.ID, "gate/"+phasePart(p)+"/") && (other.Status == model.Waiting || other.Raw == "past")
		}
		c.addGate(p, n)
		if !isAsked {
			c.addWait(p, n, model.Verified, since, "")
		}
	}
}

// nextToRun returns the phase that is or will be executed: the one that STATE.md is at, else the first with work left.
func (c *build) nextToRun() *core.Phase {
	canRun := func(p *core.Phase) bool { return !p.IsClosed && len(p.Plans) > 0 && !p.IsExecuted() }
	if p := c.Current; p != nil && canRun(p) {
		return p
	}
	for _, p := range c.Now() {
		if p.Dir != "" && canRun(p) {
			return p
		}
	}
	return nil
}

// addUpcoming lists the tasks of the next plans that will stop for a human, and what the human must set up before. Further ahead they
// are rows of the tree only.
func (c *build) addUpcoming(p *core.Phase) {
	for _, s := range p.Plans {
		if s.Status != core.Pending && s.Status != core.Active || s.OpenDependencies() != "" {
			continue
		}
		for i := range s.Plan.Tasks {
			if s.Plan.Tasks[i].Checkpoint != "" {
				c.addWait(p, taskNode(s, i), model.Checkpoint, moment{}, "")
			}
		}
		if len(s.Plan.Setup) == 0 {
			continue
		}
		list := ""
		for _, item := range s.Plan.Setup {
			if item = line.Tidy(item); item != "" {
				list += ", " + item
			}
		}
		list = strings.Replace(list, ", ", ": ", 1)
		n := &model.Node{
			ID: "gate/" + planNode(s) + "/setup", Kind: model.KindGate, Title: "set up for " + line.Tidy(s.ID) + list, Status: model.Pending,
			Gate:   &model.Gate{Approval: model.ApprovalHuman, Upcoming: true, Asks: "user_setup" + list, Opens: []string{planNode(s)}},
			Source: model.Pos{File: s.Path, Line: s.Plan.SetupLine},
		}
		c.addGate(p, n)
		c.addWait(p, n, model.Outstanding, moment{}, "")
	}
}

// addCheckpoint adds the checkpoint that STATE.md says was reached.
func (c *build) addCheckpoint() {
	w, ok := c.Checkpoint()
	if !ok {
		return
	}
	n := &model.Node{
		ID: "gate/" + phasePart(w.Phase) + "/STATE.md", Kind: model.KindGate, Title: line.Tidy(w.Statement.Text), Status: model.Waiting, Raw: "awaited",
		Why: "STATE.md says that a human is awaited", Gate: humanGate(w.Statement.Text, phaseNode(w.Phase)),
		Source: model.Pos{File: c.b.File, Line: w.Statement.Line}, Updated: said(c.State.LastUpdated, 0).at,
	}
	c.addGate(w.Phase, n)
	c.addWait(w.Phase, n, model.Checkpoint, said(c.State.LastUpdated, c.StateFile.Modified), "")
}

// addHandOff lists what a hand-off leaves to a human.
func (c *build) addHandOff() {
	h := c.HandOff
	if h == nil || h.IsOver() {
		return
	}
	p, since := c.Named(h.Phase), said(h.Since, h.Modified)
	updated := said(h.Since, 0).at
	if h.Stale != "" {
		reason, _, _ := strings.Cut(strings.TrimSpace(h.Reason), "\n")
		n := &model.Node{
			ID: "gate/handoff", Kind: model.KindGate, Title: "hand-over, out of date", Status: model.Skipped, Raw: line.Tidy(h.Status), Why: line.Tidy(h.Stale),
			Gate: &model.Gate{Approval: model.ApprovalHuman, Asks: line.Tidy(reason)}, Source: model.Pos{File: h.File}, Updated: updated,
		}
		setSince(n, since)
		c.addGate(p, n)
		for _, a := range h.Actions {
			c.addWait(p, &model.Node{ID: n.ID, Title: line.Tidy(a.Text), Source: n.Source}, model.HandedOff, since, h.Stale)
		}
		return
	}
	for i, a := range h.Actions {
		n := &model.Node{
			ID: "gate/handoff/" + strconv.Itoa(i+1), Kind: model.KindGate, Title: line.Tidy(a.Text), Status: model.Waiting, Gate: humanGate(a.Text),
			Source: model.Pos{File: h.File}, Updated: updated,
		}
		n.Gate.Required, n.Gate.Reason = a.IsBlocking, line.Tidy(a.Context)
		c.addGate(p, n)
		c.addWait(p, n, model.HandedOff, since, "")
	}
	for _, x := range h.Blockers {
		c.addBlocker(model.Blocker{Text: x.Text, Owner: x.Kind, Source: model.Pos{File: h.File}}, since)
	}
}

func (c *build) addBlocker(b model.Blocker, since moment) {
	b.Text, b.Owner = line.Tidy(b.Text), line.Tidy(b.Owner)
	b.Since, b.SinceFile = since.at, since.fromFile
	c.b.Blockers = append(c.b.Blockers, b)
}

// addBlockers lists what keeps agents from continuing: halted plans, issues that a UAT found and nothing resolved, blockers of STATE.md.
func (c *build) addBlockers() {
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			if s.Word == "halted" {
				c.addBlocker(model.Blocker{
					Text: "plan " + s.ID + " was halted", Node: planNode(s), Source: model.Pos{File: path.Join(p.Dir, s.File.Summary)}, Concern: !blocksOthers(p, s),
				}, c.planSince(s))
			}
		}
		if n := p.Stopped; n != nil && n.Status == "blocked" && n.Stale == "" {
			c.addBlocker(model.Blocker{Text: "phase " + p.ID.Text + " is blocked at " + n.Task, Node: phaseNode(p), Source: model.Pos{File: n.File}}, said(n.Updated, n.Modified))
		}
		for _, u := range p.UATs {
			for _, g := range u.Gaps {
				if g.IsOpen() && g.Truth != "" && p.Past == "" {
					c.addBlocker(model.Blocker{Text: g.Truth, Node: uatGateID(p, u), Source: model.Pos{File: path.Join(p.Dir, u.File), Line: g.Line}, Concern: p.IsClosed}, uatSince(u))
				}
			}
		}
	}
	for _, x := range c.State.Blockers {
		b := model.Blocker{Text: x.Text, Source: model.Pos{File: c.b.File, Line: x.Line}, Concern: x.IsConcern}
		if p := c.Named(x.Phase); p != nil {
			b.Node = phaseNode(p)
		}
		c.addBlocker(b, moment{})
	}
	if said, ok := c.State.IsBlocked(); ok && c.End.Reason == "" {
		c.addBlocker(model.Blocker{Text: said.Text, Source: model.Pos{File: c.b.File, Line: said.Line}}, c.stateSince())
	}
}

// blocksOthers reports whether a halted plan blocks another one.
func blocksOthers(p *core.Phase, s *core.PlanState) bool {
	for _, other := range p.Plans {
		for _, d := range other.BlockedBy {
			if d == s {
				return true
			}
		}
	}
	return false
}
