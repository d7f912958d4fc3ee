// The claims of STATE.md and ROADMAP.md held against the tree, and the facts of the dashboard's header: STATE.md's,
// corrected by the tree.

package gsd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
)

// compare lists what the files claim and the tree denies.
func (c *collector) compare() {
	if c.stateIs.Exists {
		c.compareComplete()
		c.compareCounts()
		c.comparePosition()
		c.compareMilestone()
	}
	c.compareRoadmap()
	c.settle()
}

// settle takes the claims that lag behind for disagreements once nothing has changed for a while.
func (c *collector) settle() {
	b := c.b
	if len(b.Lags) == 0 {
		return
	}
	// A time that is far ahead of the clock says nothing.
	if age := c.now.Sub(b.Freshness.Changed); -model.LagAfter < age && age < model.LagAfter {
		b.Settles = b.Freshness.Changed.Add(model.LagAfter)
		return
	}
	b.Divergences, b.Lags = append(b.Divergences, b.Lags...), nil
}

func (c *collector) lags(claim, truth string, at model.Pos) {
	c.b.Lags = append(c.b.Lags, model.Divergence{Claim: line.Tidy(claim), Truth: line.Tidy(truth), Source: at})
}

// compareRoadmap lists the phases that the roadmap checks off and the tree has
// open, those with the same truth together.
func (c *collector) compareRoadmap() {
	var truths []string
	phases := map[string][]*phase{}
	for _, p := range c.nowCounted() {
		if p.past != "" || p.road == nil || !p.road.checked || p.road.retired {
			continue
		}
		truth := ""
		switch {
		case p.dir == "" && p.status == model.Unknown:
			truth = "nothing on disk"
		case p.dir != "" && !p.executed() && !p.plansGone() && (p.hadPlans || p.verified == nil):
			truth = p.why
		default:
			continue
		}
		if phases[truth] == nil {
			truths = append(truths, truth)
		}
		phases[truth] = append(phases[truth], p)
	}
	for _, truth := range truths {
		ps := phases[truth]
		claim := "ROADMAP.md checks off phase " + ps[0].id.text
		if len(ps) > 1 {
			claim = "ROADMAP.md checks off phases " + list(ps)
			if truth == "nothing on disk" || truth == "no plan yet" {
				truth += " of any of them"
			}
		}
		c.diverges(claim, truth, model.Pos{File: c.file("ROADMAP.md"), Line: ps[0].road.line})
	}
}

// maxListed is how many phases are named in one sentence.
const maxListed = 12

// list names phases: "12, 13 and 25".
func list(phases []*phase) string {
	if n := len(phases) - maxListed; n > 1 {
		s := ""
		for _, p := range phases[:maxListed] {
			s += p.id.text + ", "
		}
		return s + "and " + number(n, "other")
	}
	s := phases[0].id.text
	for i, p := range phases[1:] {
		sep := ", "
		if i == len(phases)-2 {
			sep = " and "
		}
		s += sep + p.id.text
	}
	return s
}

func (c *collector) diverges(claim, truth string, at model.Pos) {
	c.b.Divergences = append(c.b.Divergences, model.Divergence{Claim: line.Tidy(claim), Truth: line.Tidy(truth), Source: at})
}

func (c *collector) file(name string) string { return c.dir + "/" + name }

// open returns the phases that have work left.
func (c *collector) open() []*phase {
	var open []*phase
	for _, p := range c.nowCounted() {
		if !p.closed {
			open = append(open, p)
		}
	}
	return open
}

// claimsComplete reports whether STATE.md says that the milestone is over.
func (c *collector) claimsComplete() bool {
	return rules.ClaimsComplete(&c.state.line, c.state.bodyStatus)
}

func (c *collector) compareComplete() {
	open := c.open()
	if len(open) == 0 || c.overtaken != nil || !c.claimsComplete() && !c.endedByWord() || c.countsAlone(open) {
		return
	}
	if known := slices.DeleteFunc(slices.Clone(open), func(p *phase) bool { return p.status == model.Unknown }); len(known) > 0 {
		open = known // of the others nobody can tell
	}
	claim := "STATE.md says the milestone is complete"
	at := c.state.percentLine
	if c.state.line.Percent == "100" {
		claim = "STATE.md says 100 %"
	} else if l := &c.state.line; l.HasAllPhases() {
		claim += " (" + l.CompletedPhases + " of " + l.TotalPhases + " phases)"
	} else if l.Status != "" {
		claim, at = "STATE.md says "+protocol.Quote(l.Status), c.state.statusLine
	}
	truth := fmt.Sprintf("%d of %s are open: ", len(open), number(len(c.nowCounted()), "phase"))
	if len(open) == 1 {
		truth = fmt.Sprintf("1 of %s is open: ", number(len(c.nowCounted()), "phase"))
	}
	const named = 3
	for i, p := range open {
		if i == named {
			truth += ", …"
			break
		}
		if i > 0 {
			truth += ", "
		}
		truth += p.id.text + " " + strings.ToLower(stateWord(p))
	}
	if at == 0 {
		at = c.state.statusLine
	}
	c.diverges(claim, truth, model.Pos{File: c.b.File, Line: at})
}

// countsAlone reports whether STATE.md only counts, and counts as GSD does: all plans are executed, and what is open is that
// nobody has verified them; a verification that found gaps or left things to a human says more. Its line misleads then, and is corrected, but the file says nothing wrong.
func (c *collector) countsAlone(open []*phase) bool {
	for _, p := range open {
		if p.dir == "" || !p.executed() || p.status == model.Failed || c.waitsIn(p) {
			return false
		}
	}
	return !rules.SaysComplete(c.state.line.Status) && c.unseen() == 0
}

// stateWord names the state of a phase in a sentence.
func stateWord(p *phase) string {
	if p.word != "" && p.word != wordComplete {
		return p.word
	}
	return p.status.String()
}

// compareCounts holds STATE.md's numbers against the tree. They are one claim: who has not counted yet has counted nothing.
// Nothing is compared where GSD counts other phases than a reader, or where directories of finished phases are gone.
func (c *collector) compareCounts() {
	pr := &c.b.Progress
	if !pr.Known || c.ended != "" || c.overtaken != nil || len(c.b.Divergences) > 0 || c.state.declared != "" && !c.scope.Found && len(c.roadmap.milestones) > 0 {
		return
	}
	if c.state.progress["total_phases"] == 0 && c.state.progress["total_plans"] == 0 && c.state.progress["percent"] == 0 {
		return // nobody has counted yet
	}
	gone := 0
	for _, p := range c.counted {
		if p.past != "" {
			return
		}
		if p.dir == "" && p.status == model.Unknown || p.plansGone() {
			gone++
		}
	}
	if gone > 0 {
		return
	}
	phases, plans := c.archivedCounts()
	var claims, truths []string
	compare := func(of, done, total string, is model.Count, also ...model.Count) {
		d, hasDone := c.state.progress[done]
		t, hasTotal := c.state.progress[total]
		says := model.Count{Done: d, Total: t}
		if hasDone && hasTotal && says != is && !slices.Contains(also, says) {
			claims = append(claims, fmt.Sprintf("%d of %s", d, number(t, of)))
			truths = append(truths, fmt.Sprintf("%d of %s", is.Done, number(is.Total, of)))
		}
	}
	compare("plan", "completed_plans", "total_plans", pr.Plans, plans)
	compare("phase", "completed_phases", "total_phases", pr.Phases, phases, pr.Closed)
	if percent, ok := c.state.progress["percent"]; ok && percent != pr.Percent && percent != pr.Plans.Round() && percent != pr.Phases.Round() {
		claims = append(claims, fmt.Sprintf("%d %%", percent))
		truths = append(truths, fmt.Sprintf("%d %%", pr.Percent))
	}
	if len(claims) > 0 {
		c.lags("STATE.md counts "+strings.Join(claims, ", "), "the tree has "+strings.Join(truths, ", "), model.Pos{File: c.b.File, Line: c.state.percentLine})
	}
}

// archivedCounts counts the archive of the milestone that STATE.md names: its
// counters still speak of that after the phases were put away.
func (c *collector) archivedCounts() (phases, plans model.Count) {
	for _, p := range c.archived {
		if p.version != c.state.line.Milestone {
			continue
		}
		done := 0
		for _, s := range p.plans {
			if s.planFile.summary != "" {
				done++
			}
		}
		plans.Done += done
		plans.Total += len(p.plans)
		phases.Total++
		if done == len(p.plans) && done > 0 {
			phases.Done++
		}
	}
	return phases, plans
}

func (c *collector) comparePosition() {
	at := model.Pos{File: c.b.File, Line: c.state.statusLine}
	l := &c.state.line
	if p := c.named(l.ActivePhase); p != nil && p.closed {
		c.lags("STATE.md says phase "+l.ActivePhase+" is active", "phase "+p.id.text+" is "+p.status.String()+": "+p.why, at)
	}
	if id, _, ok := parsePhaseID(l.ActivePhase); ok && len(c.phases) > 0 && c.byKey[id.key] == nil {
		c.diverges("STATE.md says phase "+l.ActivePhase+" is active", "neither a directory nor ROADMAP.md has it", at)
		return
	}
	if l.ActivePhase == "" && l.NextAction != "" && len(l.NextPhases) > 0 {
		if p := c.named(l.NextPhases[0]); p != nil && p.closed {
			c.lags("STATE.md recommends "+l.NextAction+" "+l.NextPhases[0], "phase "+p.id.text+" is "+p.status.String(), at)
		}
		if c.nowhere(l.NextPhases[0]) {
			c.diverges("STATE.md recommends "+l.NextAction+" "+l.NextPhases[0], "neither a directory nor ROADMAP.md has it", at)
			return
		}
	}
	if c.nowhere(c.state.current) && c.ended == "" {
		c.diverges("STATE.md is at phase "+c.state.current, "neither a directory nor ROADMAP.md has it", at)
	}
}

// nowhere reports whether neither a directory nor ROADMAP.md has a phase, by its number, though they have others.
func (c *collector) nowhere(number string) bool {
	id, _, ok := parsePhaseID(number)
	return ok && len(c.phases) > 0 && c.byKey[id.key] == nil && !c.isArchived(id) && !id.sentinel()
}

func (c *collector) isArchived(id phaseID) bool {
	return slices.ContainsFunc(c.archived, func(p *phase) bool { return p.id.key == id.key })
}

// archivedPlans returns the plans of archived phases by their keys.
func (c *collector) archivedPlans() map[string]bool {
	keys := map[string]bool{}
	for _, p := range c.archived {
		for _, s := range p.plans {
			keys[planKey(p, s.id)] = true
		}
	}
	return keys
}

// compareMilestone notes a milestone that the roadmap has shipped while another
// one is under way.
func (c *collector) compareMilestone() {
	m := c.roadmap.find(c.state.line.Milestone)
	if m == nil || m.state != stateShipped || c.claimsComplete() {
		return
	}
	if other := c.underWay(); other.state == stateActive {
		c.diverges("STATE.md is in milestone "+m.version, "ROADMAP.md has shipped it; "+other.version+" is in progress", model.Pos{File: c.b.File, Line: c.state.statusLine})
	}
}

// milestoneName returns the name of the current milestone. The placeholder
// that GSD's writer leaves gives way to the roadmap's name.
func (c *collector) milestoneName() string {
	if name := c.state.line.MilestoneName; name != "" && name != "milestone" {
		return name
	}
	if m := c.roadmap.find(c.state.line.Milestone); m != nil {
		return m.name
	}
	return ""
}

// underWay returns the milestone in progress by the roadmap, or the last one
// when all have shipped.
func (c *collector) underWay() *roadMilestone {
	var last *roadMilestone
	for i := range c.roadmap.milestones {
		switch m := &c.roadmap.milestones[i]; m.state {
		case stateActive:
			return m
		case stateShipped:
			last = m
		}
	}
	return last
}

// header returns the facts of the dashboard's line, which says nothing that the
// build's row denies. Where the tree can be counted, its numbers stand in place
// of STATE.md's; a command that STATE.md has running or recommends on a phase
// that is over is left out; where it calls the milestone complete while phases
// are open, or speaks of an earlier one, the line says what comes next instead;
// and where all is done, that.
func (c *collector) header() line.GSD {
	l := c.state.line
	l.MilestoneName = c.milestoneName()
	if m := c.overtaken; m != nil {
		l.Milestone, l.MilestoneName = m.version, m.name
		l.PhaseNumber, l.PhaseTotal, l.PhaseName = "", "", "" // of the milestone that is over
	}
	if l.Milestone == "" && l.MilestoneName == "" {
		if m := c.underWay(); m != nil {
			l.Milestone, l.MilestoneName = m.version, m.name
		}
	}
	pr := &c.b.Progress
	open := c.open()
	l.Unfinished = len(open) > 0 || c.untold() || c.unseen() > 0 || len(c.b.Certain()) > 0
	switch {
	case pr.Known:
		l.Percent, l.PercentOf = strconv.Itoa(pr.Percent), pr.Of()
		l.CompletedPhases, l.TotalPhases = strconv.Itoa(pr.Closed.Done), strconv.Itoa(pr.Closed.Total)
		if c.ended != "" && pr.Percent < 100 {
			// It is over, and what is left on disk is not all of it: the words of STATE.md say so.
			l.CompletedPhases, l.TotalPhases = "", ""
		}
	case c.claimsComplete() && len(open) == 0:
		// Its directories are put away: complete it is by its word, and of what nobody counts there is no percentage.
		scene, _ := l.Scene()
		l.Percent, l.CompletedPhases, l.TotalPhases = "", "", ""
		if scene == 3 {
			l.CompletedPhases, l.TotalPhases = "1", "1"
		}
	default:
		l.Percent, l.CompletedPhases, l.TotalPhases = "", "", ""
	}
	over := c.b.Status == model.Done
	if over && !c.endedByWord() && !c.awaitsNext() && !rules.SaysComplete(l.Status) { // its words are of something else
		l.CompletedPhases, l.TotalPhases = "1", "1"
	}
	if p := c.named(l.ActivePhase); p != nil && p.closed || p == nil && over {
		l.ActivePhase = ""
	} else if l.ActivePhase != "" && rules.SaysComplete(l.Status) {
		l.Status = ""
	}
	if len(l.NextPhases) > 0 {
		if p := c.named(l.NextPhases[0]); p != nil && p.closed || c.nowhere(l.NextPhases[0]) {
			l.NextAction, l.NextPhases = "", nil
		}
	}
	denied := len(open) > 0 && l.ActivePhase == "" && (c.claimsComplete() || rules.SaysComplete(l.Status))
	if denied || c.overtaken != nil && c.b.Status == model.Pending { // then it is said of the milestone that is over
		l.Status = ""
		if next := c.b.Next; next != nil && (l.NextAction == "" || len(l.NextPhases) == 0) {
			l.NextAction, l.NextPhases = cutCommand(next.Command)
		}
	}
	return l
}

// cutCommand splits a command from the phase it is for.
func cutCommand(command string) (action string, phases []string) {
	action, rest, _ := strings.Cut(command, " ")
	return action, []string{rest}
}
