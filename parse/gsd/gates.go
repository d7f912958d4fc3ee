// What waits for a human, best evidence first, and what keeps agents from going on.

package gsd

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/gsd/rules"
)

// gates makes the gate rows, and from them the list of what waits.
func (c *collector) gates() {
	c.waits = map[*phase][]*model.Node{}
	c.signal()
	for _, p := range c.phases {
		for i := range p.uats {
			c.uatGate(p, &p.uats[i])
		}
		c.verificationGates(p)
		c.checkpoints(p)
	}
	for _, p := range c.archived {
		for i := range p.uats {
			if p.uats[i].uat.open() > 0 {
				c.uatGate(p, &p.uats[i])
			}
		}
		c.verificationGates(p)
	}
	c.reached()
	c.handover()
	c.blockers()
	model.SortWaits(c.b.Waits)
	model.SortWaits(c.b.Expired)
}

// add puts a gate below its phase, or at the top of the tree.
func (c *collector) add(p *phase, n *model.Node) {
	if p == nil {
		c.loose = append(c.loose, n)
		return
	}
	if p.past != "" && n.Raw != "waiting" {
		for _, below := range model.Walk([]*model.Node{n}) {
			below.Archive()
			if below.Status == model.Waiting {
				below.Raw, below.Why = "past", line.Tidy(p.past)
			}
		}
	}
	c.waits[p] = append(c.waits[p], n)
}

func (c *collector) wait(p *phase, n *model.Node, evidence model.Evidence, since moment) {
	since = c.notBeforeItIs(since)
	since.put(n)
	if n.Title == "" {
		n.Title = "something is asked of you (" + path.Base(n.Source.File) + " does not say what)"
	}
	w := model.Wait{
		Node: n.ID, Text: n.Title, Evidence: evidence, Since: since.at, SinceFile: since.file, Source: n.Source,
		Standing: model.UpcomingIf(n.Gate != nil && n.Gate.Upcoming), Place: placeOf(p),
	}
	// A live question is taken away when it is answered, whatever its phase is.
	if p != nil && p.past != "" && evidence != model.Signalled {
		c.over(w, p.past)
		return
	}
	c.b.Waits = append(c.b.Waits, w)
}

// placeOf says where in the build a phase is.
func placeOf(p *phase) string {
	if p == nil {
		return ""
	}
	return "Phase " + p.id.text
}

// over keeps what waits no more, to be found.
func (c *collector) over(w model.Wait, why string) {
	if !w.IsUpcoming() {
		w.Standing = model.Standing{Status: model.Expired, Reason: line.Tidy(why)}
		c.b.Expired = append(c.b.Expired, w)
	}
}

// waitsIn reports whether something waits for a human in a phase now.
func (c *collector) waitsIn(p *phase) bool {
	for _, w := range c.b.Waits {
		if !w.IsUpcoming() && w.Place == placeOf(p) {
			return true
		}
	}
	return false
}

// answered reports whether a phase is in review though a human has answered: an agent's turn, and nobody waits.
func (c *collector) answered(p *phase) bool {
	return p.word == wordNeedsReview && p.status == model.Waiting && p.past == "" && p.answeredBy() != "" && !c.waitsIn(p)
}

// signal is the live signal: an agent has stopped and asks.
func (c *collector) signal() {
	w := c.waiting
	if w == nil {
		return
	}
	p := c.named(w.phase)
	n := &model.Node{
		ID: "gate/waiting", Kind: model.KindGate, Title: line.Tidy(w.question), Status: model.Waiting, Raw: "waiting",
		Why:    "the agent has stopped and waits for an answer",
		Gate:   &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: line.Tidy(w.question), Options: cleanAll(w.options)},
		Source: model.Pos{File: c.waitFile}, Updated: w.since,
	}
	if n.Title == "" {
		n.Title = "the agent asks something (" + path.Base(c.waitFile) + " does not say what)"
	}
	if w.kind != "" {
		n.Facts = append(n.Facts, model.Fact{Label: "kind", Value: line.Tidy(w.kind)})
	}
	if p != nil {
		n.Gate.Opens = []string{phaseNode(p)}
	}
	if w.over != "" {
		n.Status, n.Raw, n.Why = model.Skipped, "past", line.Tidy(w.over)
		n.Archive()
		since := w.sinceWhen()
		since.put(n)
		c.add(p, n)
		c.over(model.Wait{
			Node: n.ID, Text: n.Title, Evidence: model.Signalled, Since: since.at, SinceFile: since.file, Source: n.Source, Place: placeOf(p),
		}, w.over)
		return
	}
	c.add(p, n)
	c.wait(p, n, model.Signalled, w.sinceWhen())
}

// uatGate makes the rows of a UAT file: one for the file, one for each test.
func (c *collector) uatGate(p *phase, f *uatFile) {
	u := f.uat
	file := path.Join(p.dir, f.name)
	gate := &model.Node{
		ID: f.gateID(p), Kind: model.KindGate, Title: line.Tidy(strings.TrimSuffix(f.name, ".md")),
		Raw: line.Tidy(u.status), Source: model.Pos{File: file, Line: 1}, Updated: f.entry.ModTime, Held: f.held,
		Gate: &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: "tests that a human runs and judges", Opens: []string{phaseNode(p)}},
	}
	var asked *model.Node
	statuses := make([]model.Status, 0, len(u.tests))
	for i := range u.tests {
		t := &u.tests[i]
		n := uatNode(gate.ID, file, i, t)
		n.Updated = f.entry.ModTime
		f.sinceWhen().put(n)
		if !f.broken && t.judgeable() {
			n.Gate.Can = []model.Verb{model.VerbApprove, model.VerbChanges, model.VerbSkip}
		}
		gate.Children = append(gate.Children, n)
		gate.Count.Total++
		if t.passed() {
			gate.Count.Done++
		}
		if n.Status == model.Waiting && (asked == nil || t.number == u.awaiting && u.awaiting > 0) {
			asked = n
		}
		statuses = append(statuses, n.Status)
	}
	gate.Status = model.RollUp(statuses)
	f.sinceWhen().put(gate)
	gate.Why = fmt.Sprintf("%d of %s passed", gate.Count.Done, number(gate.Count.Total, "test"))
	c.add(p, gate)
	if asked == nil {
		return
	}
	c.wait(p, asked, model.Tested, f.sinceWhen())
}

// uatNode makes the row of one test.
func uatNode(parent, file string, i int, t *uatTest) *model.Node {
	n := &model.Node{
		ID: parent + "/" + strconv.Itoa(i+1), Kind: model.KindGate, Title: line.Tidy(t.name), Raw: line.Tidy(t.result),
		Source: model.Pos{File: file, Line: t.line},
		Gate:   &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: line.Tidy(t.name), Expects: line.Tidy(t.expected), Reason: line.Tidy(t.reason)},
	}
	if t.number > 0 {
		n.Number = strconv.Itoa(t.number)
	}
	if t.resLine > 0 {
		n.Source.Line = t.resLine
	}
	switch {
	case t.passed():
		n.Status = model.Done
	case t.result == rules.Skipped:
		n.Status = model.Skipped
	case t.result == rules.Blocked:
		n.Status = model.Blocked
		if t.blockedBy != "" {
			n.Facts = append(n.Facts, model.Fact{Label: "blocked by", Value: line.Tidy(t.blockedBy)})
		}
	case t.failed():
		n.Status = model.Failed
	case t.pending():
		n.Status = model.Waiting
	}
	return n
}

// verificationGates makes the rows of all verifications of a phase: what any of them leaves to a human waits.
func (c *collector) verificationGates(p *phase) {
	c.verificationGate(p, p.verified, p.verFile)
	for _, o := range p.others {
		c.verificationGate(p, o.verification, o.file)
	}
}

// verificationGate makes the rows of what a verification leaves to a human.
// While a UAT file asks the same of the phase, it is not counted twice. That its plans are gone, or that there are more of
// them now, changes nothing; but when summaries are newer than it, or its tests have passed, the next turn is an agent's.
func (c *collector) verificationGate(p *phase, v *verification, entry mirror.Entry) {
	if !p.asksHuman(v, entry) {
		return
	}
	file, since := path.Join(p.dir, entry.Name), said(v.verified, entry.ModTime)
	n := &model.Node{
		ID: "gate/" + p.part() + "/" + entry.Name, Kind: model.KindGate, Status: model.Waiting, Raw: rules.HumanNeeded,
		Title:  "verify " + number(len(v.human), "thing") + " by hand",
		Gate:   &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: "what only a human can tell", Opens: []string{phaseNode(p)}},
		Source: model.Pos{File: file, Line: max(v.statusLine, 1)}, Updated: entry.ModTime, Held: p.held,
	}
	switch len(v.human) {
	case 0:
		n.Title = "verify by hand (" + line.Tidy(entry.Name) + " does not say what)"
	case 1:
		n.Title = "verify by hand: " + line.Tidy(v.human[0].test)
		n.Gate.Asks, n.Gate.Expects, n.Gate.Reason = line.Tidy(v.human[0].test), line.Tidy(v.human[0].expected), line.Tidy(v.human[0].why)
	}
	if v.score != "" {
		n.Facts = append(n.Facts, model.Fact{Label: "score", Value: line.Tidy(v.score)})
	}
	for i, check := range v.human {
		if len(v.human) > 1 { // else the gate itself says it
			text := check.test
			if check.expected != "" {
				text += " → " + check.expected
			}
			n.Facts = append(n.Facts, model.Fact{Label: strconv.Itoa(i + 1), Value: line.Tidy(text)})
		}
		row := &model.Node{
			ID: n.ID + "/" + strconv.Itoa(i+1), Kind: model.KindTask, Number: strconv.Itoa(i + 1), Title: line.Tidy(check.test), Status: model.Waiting,
			Gate:   &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: line.Tidy(check.test), Expects: line.Tidy(check.expected), Reason: line.Tidy(check.why)},
			Source: model.Pos{File: file, Line: check.line},
		}
		since.put(row)
		n.Children = append(n.Children, row)
	}
	since.put(n)
	c.add(p, n)
	for _, other := range c.waits[p] {
		if other != n && other.Status == model.Waiting && strings.Contains(other.ID, "UAT") {
			return
		}
	}
	c.wait(p, n, model.Verified, since)
}

// checkpoints lists the tasks that will stop for a human, in the phase whose
// turn it is: further ahead they are rows of the tree and no more. Nothing on
// disk says whether a checkpoint has been reached.
func (c *collector) checkpoints(p *phase) {
	if p != c.turn() {
		return
	}
	for _, s := range p.plans {
		if s.status != model.Pending && s.status != model.Active || len(s.unmet()) > 0 {
			continue
		}
		for i, t := range s.plan.tasks {
			if t.checkpoint() == "" {
				continue
			}
			n := taskNode(s, i)
			c.wait(p, n, model.Checkpoint, moment{})
		}
		if len(s.plan.setup) > 0 {
			n := setupNode(s)
			c.add(p, n)
			c.wait(p, n, model.Outstanding, moment{})
		}
	}
}

// turn returns the phase that is or will be executed: the one STATE.md is at,
// else the first with work left.
func (c *collector) turn() *phase {
	if p := c.current; p != nil && !p.closed && len(p.plans) > 0 && !p.executed() {
		return p
	}
	for _, p := range c.nowCounted() {
		if !p.closed && p.dir != "" && len(p.plans) > 0 && !p.executed() {
			return p
		}
	}
	return nil
}

// setupNode is the row of what the user must set up before a plan runs.
func setupNode(s *planState) *model.Node {
	list := ""
	if all := cleanAll(s.plan.setup); len(all) > 0 {
		list = ": " + strings.Join(all, ", ")
	}
	return &model.Node{
		ID: "gate/" + planNode(s) + "/setup", Kind: model.KindGate, Title: "set up for " + line.Tidy(s.id) + list, Status: model.Pending,
		Gate:   &model.Gate{Approval: model.ApprovalHuman, Upcoming: true, Asks: "user_setup" + list, Opens: []string{planNode(s)}},
		Source: model.Pos{File: path.Join(s.phase.dir, s.name), Line: s.plan.setupLine},
	}
}

// handover lists what a hand-over leaves to a human.
func (c *collector) handover() {
	h := c.handoff
	if h == nil || h.over() {
		return
	}
	file := c.handFile
	p := c.named(h.phase)
	since := h.sinceWhen()
	if stale := c.staleHandoff(); stale != "" {
		n := &model.Node{
			ID: "gate/handoff", Kind: model.KindGate, Title: "hand-over, out of date", Status: model.Skipped, Raw: line.Tidy(h.status), Why: line.Tidy(stale),
			Gate: &model.Gate{Approval: model.ApprovalHuman, Asks: line.Tidy(firstLine(h.reason))}, Source: model.Pos{File: file}, Updated: h.since,
		}
		since.put(n)
		c.add(p, n)
		for _, a := range h.actions {
			c.over(model.Wait{Node: "gate/handoff", Text: line.Tidy(a.text), Place: placeOf(p), Evidence: model.HandedOff, Since: since.at, SinceFile: since.file, Source: model.Pos{File: file}}, stale)
		}
		return
	}
	for i, a := range h.actions {
		n := &model.Node{
			ID: "gate/handoff/" + strconv.Itoa(i+1), Kind: model.KindGate, Title: line.Tidy(a.text), Status: model.Waiting,
			Gate:   &model.Gate{Approval: model.ApprovalHuman, Required: a.blocking, Asks: line.Tidy(a.text), Reason: line.Tidy(a.context)},
			Source: model.Pos{File: file}, Updated: h.since,
		}
		c.add(p, n)
		c.wait(p, n, model.HandedOff, since)
	}
	for _, x := range h.blockers {
		c.b.Blockers = append(c.b.Blockers, model.Blocker{Text: line.Tidy(x.text), Owner: line.Tidy(x.kind), Since: since.at, SinceFile: since.file, Source: model.Pos{File: file}})
	}
}

// blockers lists what keeps agents from going on: halted plans, blockers of
// STATE.md, and issues that a UAT found and nothing resolved.
func (c *collector) blockers() {
	for _, p := range c.phases {
		for _, s := range p.plans {
			if s.raw == "halted" {
				since := c.planSince(s)
				c.b.Blockers = append(c.b.Blockers, model.Blocker{
					Text: "plan " + line.Tidy(s.id) + " was halted", Node: planNode(s), Since: since.at, SinceFile: since.file,
					Source: model.Pos{File: path.Join(p.dir, s.planFile.summary)}, Concern: !holdsUp(p, s),
				})
			}
		}
		if p.stopped != nil && p.stopped.status == "blocked" && c.staleContinue(p.stopped, p, p.stopFile) == "" {
			since := p.stopped.sinceWhen()
			c.b.Blockers = append(c.b.Blockers, model.Blocker{
				Text: line.Tidy("phase " + p.id.text + " is blocked at " + p.stopped.task), Node: phaseNode(p), Since: since.at, SinceFile: since.file, Source: model.Pos{File: p.stopFile},
			})
		}
		for i := range p.uats {
			f := &p.uats[i]
			for _, g := range f.uat.gaps {
				if !g.open() || g.truth == "" || p.past != "" {
					continue
				}
				since := f.sinceWhen()
				c.b.Blockers = append(c.b.Blockers, model.Blocker{
					Text: line.Tidy(g.truth), Node: f.gateID(p), Since: since.at, SinceFile: since.file,
					Source: model.Pos{File: path.Join(p.dir, f.name), Line: g.line}, Concern: p.closed,
				})
			}
		}
	}
	for _, x := range c.state.blockers {
		b := model.Blocker{Text: line.Tidy(x.text), Source: model.Pos{File: c.b.File, Line: x.line}, Concern: x.concern}
		if p := c.named(x.phase); p != nil {
			b.Node = phaseNode(p)
		}
		c.b.Blockers = append(c.b.Blockers, b)
	}
}

// holdsUp reports whether a halted plan blocks another one.
func holdsUp(p *phase, s *planState) bool {
	for _, other := range p.plans {
		for _, d := range other.blockedBy {
			if d == s {
				return true
			}
		}
	}
	return false
}

func cleanAll(list []string) []string {
	var all []string
	for _, s := range list {
		if s = line.Tidy(s); s != "" {
			all = append(all, s)
		}
	}
	return all
}
