package gsd

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// addGates makes the rows of waits for a human, and lists the waits and the blockers of agents.
func (c *build) addGates() {
	c.addSignal()
	next := c.nextToRun()
	for _, p := range c.Phases {
		for _, u := range p.UATs {
			c.addUAT(p, u)
		}
		c.addVerifications(p)
		if p == next {
			c.addUpcoming(p)
		}
	}
	c.addCheckpoint()
	c.addHandOff()
	c.addBlockers()
	model.SortWaits(c.b.Waits)
	model.SortWaits(c.b.Expired)
}

// gateNode makes the row of something that waits for a human.
func gateNode(id, title, asks string, at model.Pos, opens ...string) *model.Node {
	return &model.Node{
		ID: id, Kind: model.KindGate, Title: line.Tidy(title), Status: model.Waiting, Source: at,
		Gate: &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: line.Tidy(asks), Opens: opens},
	}
}

// addGate puts a gate below its phase, or at the top of the tree. Gates of a past phase are archived; of a phase of a milestone that is
// yet to come, they are upcoming.
func (c *build) addGate(p *core.Phase, n *model.Node) {
	c.gates[p] = append(c.gates[p], n)
	if p == nil || p.Past == "" {
		return
	}
	if p.IsAhead {
		for _, below := range model.Walk([]*model.Node{n}) {
			if below.Gate != nil {
				below.Gate.Upcoming = true
			}
		}
		return
	}
	for _, below := range model.Walk([]*model.Node{n}) {
		below.Archive()
		if below.Status == model.Waiting {
			below.Raw, below.Why = "past", line.Tidy(p.Past)
		}
	}
}

// addWait lists a wait for a human at a node. A wait of a past phase, or an outdated one, is listed as expired.
func (c *build) addWait(p *core.Phase, n *model.Node, evidence model.Evidence, since moment, stale string) {
	setSince(n, since)
	n.Title = cmp.Or(n.Title, "something is asked of you ("+path.Base(n.Source.File)+" does not say what)")
	w := model.Wait{
		Node: n.ID, Text: n.Title, Evidence: evidence, Since: since.at, SinceFile: since.fromFile, Source: n.Source,
		Standing: model.UpcomingIf(n.Gate != nil && n.Gate.Upcoming),
	}
	if p != nil {
		w.Place = "Phase " + p.ID.Text
		if !p.IsAhead {
			stale = cmp.Or(stale, p.Past)
		}
	}
	switch {
	case stale == "":
		c.b.Waits = append(c.b.Waits, w)
	case !w.IsUpcoming():
		w.Standing = model.Standing{Status: model.Expired, Reason: line.Tidy(stale)}
		c.b.Expired = append(c.b.Expired, w)
	}
}

// addAsked adds a waiting gate.
func (c *build) addAsked(p *core.Phase, n *model.Node, evidence model.Evidence, since moment, stale string) {
	c.addGate(p, n)
	c.addWait(p, n, evidence, since, stale)
}

// addSignal adds the question of an agent that has stopped.
func (c *build) addSignal() {
	s := c.Signal
	if s == nil {
		return
	}
	p := c.FindPhase(s.Phase)
	title := cmp.Or(line.Tidy(s.Question), "the agent asks something ("+path.Base(s.File)+" does not say what)")
	n := gateNode("gate/waiting", title, s.Question, model.Pos{File: s.File})
	n.Raw, n.Why, n.Updated = "waiting", "the agent has stopped and waits for an answer", protocol.ParseTime(s.Since)
	if p != nil {
		n.Gate.Opens = []string{phaseNode(p)}
	}
	for _, option := range s.Options {
		if option = line.Tidy(option); option != "" {
			n.Gate.Options = append(n.Gate.Options, option)
		}
	}
	addFacts(n, "kind", s.Kind)
	if s.Stale != "" {
		n.Status, n.Raw, n.Why = model.Skipped, "past", line.Tidy(s.Stale)
		n.Archive()
	}
	c.addAsked(p, n, model.Signalled, c.momentStated(s.Since, s.Modified), s.Stale)
}

func uatGateID(p *core.Phase, u *core.UATFile) string { return "gate/" + phasePart(p) + "/" + u.File }

// addUAT makes the rows of a UAT: one for the file, one for each test. Its open tests are one wait with their number.
// In a past phase they are debt, regardless of the reason that keeps them open.
func (c *build) addUAT(p *core.Phase, u *core.UATFile) {
	since := c.uatSince(u)
	gate := gateNode(uatGateID(p, u), strings.TrimSuffix(u.File, ".md"), "tests that a human runs and judges", model.Pos{File: path.Join(p.Dir, u.File), Line: 1}, phaseNode(p))
	gate.Raw, gate.Updated, gate.Held = line.Tidy(u.Status), timeOf(u.Modified), u.IsHeld
	var asked *model.Node
	left := 0
	for i := range u.Tests {
		t := &u.Tests[i]
		n := testNode(gate, i, t)
		setSince(n, since)
		if !u.IsBroken && t.CanJudge() {
			n.Gate.Can = []model.Verb{model.VerbApprove, model.VerbChanges, model.VerbSkip}
		}
		gate.Children = append(gate.Children, n)
		if n.Status == model.Waiting || p.Past != "" && p.IsOpenTest(u, t) {
			if left++; asked == nil || t.Number == u.Awaiting && u.Awaiting > 0 {
				asked = n
			}
		}
	}
	rollUp(gate, func(s model.Status) bool { return s == model.Done })
	gate.Why = cmp.Or(u.UnreadableText(), fmt.Sprintf("%d of %s passed", gate.Count.Done, core.Count(gate.Count.Total, "test")))
	setSince(gate, since)
	c.addGate(p, gate)
	if asked != nil {
		shown := *asked
		if left > 1 {
			shown.Title += fmt.Sprintf(" (+%d)", left-1)
		}
		c.addWait(p, &shown, model.Tested, since, "")
	}
}

// rollUp gives a node the status of its children, and counts those that are finished.
func rollUp(n *model.Node, isFinished func(model.Status) bool) {
	var statuses []model.Status
	for _, child := range n.Children {
		statuses = append(statuses, child.Status)
		if n.Count.Total++; isFinished(child.Status) {
			n.Count.Done++
		}
	}
	n.Status = model.RollUp(statuses)
}

// testNode makes the row of one test.
func testNode(gate *model.Node, i int, t *core.UATTest) *model.Node {
	n := gateNode(gate.ID+"/"+strconv.Itoa(i+1), t.Name, t.Name, model.Pos{File: gate.Source.File, Line: t.ResultLine()})
	n.Raw, n.Updated, n.Status = line.Tidy(t.Result), gate.Updated, model.Unknown
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
		addFacts(n, "blocked by", t.BlockedBy)
	case t.HasFailed():
		n.Status = model.Failed
	case t.IsPending():
		n.Status = model.Waiting
	}
	return n
}

// addVerifications makes the rows for the items that the verifications of a phase leave to a human. If a UAT, or an
// earlier verification of the phase, asks the same, there is no second wait.
func (c *build) addVerifications(p *core.Phase) {
	for _, v := range p.Verifications {
		if !c.AsksHuman(p, v) {
			continue
		}
		since, id := c.verificationSince(v), "gate/"+phasePart(p)+"/"
		at := model.Pos{File: path.Join(p.Dir, v.File), Line: max(v.StatusLine, 1)}
		n := gateNode(id+v.File, "verify "+core.Count(len(v.Human), "thing")+" by hand", "what only a human can tell", at, phaseNode(p))
		n.Raw, n.Updated, n.Held = cmp.Or(v.Status, core.HumanNeeded), timeOf(v.Modified), p.IsHeld
		if len(v.Human) == 0 {
			n.Title = "verify by hand (" + line.Tidy(v.File) + " does not say what)"
		}
		addFacts(n, "score", v.Score)
		for i, h := range v.Human {
			row := gateNode(n.ID+"/"+strconv.Itoa(i+1), h.Test, h.Test, model.Pos{File: at.File, Line: h.Line})
			row.Kind, row.Number = model.KindTask, strconv.Itoa(i+1)
			row.Gate.Expects, row.Gate.Reason = line.Tidy(h.Expected), line.Tidy(h.Why)
			setSince(row, since)
			n.Children = append(n.Children, row)
			switch {
			case len(v.Human) == 1:
				n.Title = "verify by hand: " + row.Title
				n.Gate.Asks, n.Gate.Expects, n.Gate.Reason = row.Gate.Asks, row.Gate.Expects, row.Gate.Reason
			case h.Expected != "":
				addFacts(n, row.Number, h.Test+" → "+h.Expected)
			default:
				addFacts(n, row.Number, h.Test)
			}
		}
		setSince(n, since)
		isAsked := slices.ContainsFunc(c.gates[p], func(other *model.Node) bool {
			return strings.HasPrefix(other.ID, id) && (other.Status == model.Waiting || other.Raw == "past")
		})
		c.addGate(p, n)
		if !isAsked {
			c.addWait(p, n, model.Verified, since, "")
		}
	}
}

// nextToRun returns the phase that is or will be executed: the one that STATE.md is at, else the first with work left.
func (c *build) nextToRun() *core.Phase {
	for _, p := range append([]*core.Phase{c.Current}, c.CurrentPhases()...) {
		if p != nil && p.Dir != "" && !p.IsClosed && len(p.Plans) > 0 && !p.IsExecuted() {
			return p
		}
	}
	return nil
}

// addUpcoming lists the tasks of the next plans that will stop for a human. Later ones are rows of the tree only.
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
	}
}

// addCheckpoint adds the checkpoint that STATE.md says was reached.
func (c *build) addCheckpoint() {
	if w, ok := c.FindCheckpoint(); ok {
		text := w.Statement.Text
		id, opens := "gate/STATE.md", []string(nil)
		if w.Phase != nil {
			id, opens = "gate/"+phasePart(w.Phase)+"/STATE.md", []string{phaseNode(w.Phase)}
		}
		n := gateNode(id, text, text, model.Pos{File: c.b.File, Line: w.Statement.Line}, opens...)
		n.Raw, n.Why, n.Updated = "awaited", "STATE.md says that a human is awaited", protocol.ParseTime(c.State.LastUpdated)
		c.addAsked(w.Phase, n, model.Checkpoint, c.momentStated(c.State.LastUpdated, c.StateFile.Modified), "")
	}
}

// addHandOff lists the items that a hand-off leaves to a human.
func (c *build) addHandOff() {
	h := c.HandOff
	if h == nil || h.Stale != "" {
		return
	}
	p, since, at := c.FindPhase(h.Phase), c.momentStated(h.Since, h.Modified), model.Pos{File: h.File}
	for i, a := range h.Actions {
		n := gateNode("gate/handoff/"+strconv.Itoa(i+1), a.Text, a.Text, at)
		n.Gate.Required, n.Gate.Reason, n.Updated = a.IsBlocking, line.Tidy(a.Context), protocol.ParseTime(h.Since)
		c.addAsked(p, n, model.HandedOff, since, "")
	}
	for _, x := range h.Blockers {
		c.addBlocker(model.Blocker{Text: x.Text, Owner: x.Kind, Source: at}, since)
	}
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return text
}

func (c *build) addBlocker(b model.Blocker, since moment) {
	b.Text, b.Owner = line.Tidy(b.Text), line.Tidy(b.Owner)
	b.Since, b.SinceFile = since.at, since.fromFile
	c.b.Blockers = append(c.b.Blockers, b)
}

// addBlockers lists the reasons that keep agents from continuing: halted plans, unresolved issues from a UAT, blockers
// of STATE.md.
func (c *build) addBlockers() {
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			if s.Word == "halted" {
				at := model.Pos{File: path.Join(p.Dir, s.File.Summary)}
				c.addBlocker(model.Blocker{Text: "plan " + s.ID + " was halted", Node: planNode(s), Source: at, Concern: !blocksOthers(p, s)}, c.planSince(s))
			}
		}
		if n := p.Stopped; n != nil && n.Status == "blocked" && n.Stale == "" {
			c.addBlocker(model.Blocker{Text: "phase " + p.ID.Text + " is blocked at " + n.Task, Node: phaseNode(p), Source: model.Pos{File: n.File}}, c.momentStated(n.Since, n.Modified))
		}
		for _, u := range p.UATs {
			for _, g := range u.Gaps {
				if g.IsOpen() && g.Truth != "" && p.Past == "" {
					at := model.Pos{File: path.Join(p.Dir, u.File), Line: g.Line}
					c.addBlocker(model.Blocker{Text: "gap: " + g.Truth, Node: uatGateID(p, u), Source: at, Concern: p.IsClosed}, c.uatSince(u))
				}
			}
		}
	}
	for _, x := range c.State.Blockers {
		b := model.Blocker{Text: x.Text, Source: model.Pos{File: c.b.File, Line: x.Line}, Concern: x.IsConcern}
		if p := c.FindPhase(x.Phase); p != nil {
			b.Node = phaseNode(p)
		}
		c.addBlocker(b, moment{})
	}
	if statement, ok := c.State.IsBlocked(); ok && c.End.Reason == "" {
		c.addBlocker(model.Blocker{Text: statement.Text, Source: model.Pos{File: c.b.File, Line: statement.Line}}, c.stateSince())
	}
}

// blocksOthers reports whether a halted plan blocks another one.
func blocksOthers(p *core.Phase, s *core.PlanState) bool {
	return slices.ContainsFunc(p.Plans, func(other *core.PlanState) bool { return slices.Contains(other.BlockedBy, s) })
}
