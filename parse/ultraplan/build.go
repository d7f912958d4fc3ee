package ultraplan

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// addStatus sets the progress, the status and the next step of the build.
func (c *builder) addStatus() {
	b, totals := c.Build, c.CountPlans()
	var statuses []model.Status
	for _, n := range b.Nodes {
		if n.Kind != model.KindPhase || n.Status == model.Skipped {
			continue
		}
		b.Progress.Phases.Total++
		if n.Status == model.Done {
			b.Progress.Phases.Done++
		}
		statuses = append(statuses, n.Status)
	}
	if c.at.ToPlan != "" && len(c.PhasesNumbered(c.at.ToPlan)) == 0 { // only STATE.md counts it
		b.Progress.Phases.Total = max(b.Progress.Phases.Total, core.ParseCount(c.State.PhaseTotal))
	}
	b.Progress.Plans = model.Count{Done: totals.Done, Total: totals.Total}
	b.Progress.Closed, b.Progress.Known = b.Progress.Phases, totals.HasPercent()
	if b.Progress.Known {
		b.Progress.Percent = totals.Percent()
	}
	b.Raw, b.Why = line.Tidy(c.State.Status), "from "+protocol.Count(len(c.Phases), "phase")+" of the tree"
	switch certain := len(b.Certain()); {
	case certain > 0:
		b.Status, b.Why = model.Waiting, protocol.Count(certain, "thing")+" for a human to do"
	case c.at.Complete:
		b.Status, b.Why = model.Done, "all "+protocol.Count(totals.Total, "plan")+" have a summary"
	case len(statuses) == 0:
		b.Why = "there are no phases to tell from"
	default:
		if b.Status = model.RollUp(statuses); b.Status == model.Done { // STATE.md counts more phases
			b.Status, b.Why = model.Active, "phase "+c.at.ToPlan+" has no plans yet"
		}
	}
	c.setNext()
	b.Freshness.Claimed = c.lastClaimed()
	claimed := c.LineFacts(&c.at)
	header := claimed
	if !header.Complete && core.ParseStatus(header.Status) == core.StatusComplete { // a claim of STATE.md that the tree denies
		header.Status = ""
	}
	b.Claimed, b.Header = &claimed, &header
}

// setNext sets the current plan and the next step. For interrupted work that is the next step in continue.md.
func (c *builder) setNext() {
	b, at := c.Build, &c.at
	if at.Running != nil {
		b.Now = planID(at.Running)
	}
	switch {
	case at.Next != nil:
		b.Next = &model.Next{Command: at.Next.ID, Why: at.Why, Node: planID(at.Next), Derived: true}
		if at.NeedsSummary() {
			b.Next.Command += "-SUMMARY"
			b.Next.Why = "all tasks of plan " + at.Next.ID + " are done; write " + at.Next.ID + "-SUMMARY.md"
		}
	case at.ToPlan != "":
		b.Next = &model.Next{Command: "plan-phase " + at.ToPlan, Why: "STATE.md counts " + line.Tidy(c.State.PhaseTotal) + " phases", Derived: true, Source: model.Pos{File: b.File, Line: c.State.PhaseLine}}
		for _, ph := range c.PhasesNumbered(at.ToPlan) {
			if n, _ := b.Find(phaseID(ph)); n != nil && b.Next.Node == "" {
				b.Next = &model.Next{Command: b.Next.Command, Why: line.Tidy("phase " + ph.Number + ": " + n.Why), Node: n.ID, Derived: true}
			}
		}
	}
	if b.Pause == nil {
		return
	}
	if next := line.Tidy(c.Resume.Next); next != "" {
		n := &model.Next{Command: next, Why: "continue.md names it as the next step", Node: b.Now, Source: model.Pos{File: core.ResumeFile}}
		if n.Node == "" && b.Next != nil {
			n.Node = b.Next.Node
		}
		b.Next = n
	}
}

// lastClaimed returns the newest time in the files that is not in the future: of the newest result, the session, the gate, and the day of
// "Last activity", which counts once it is over.
func (c *builder) lastClaimed() (last time.Time) {
	var times []time.Time
	if n := len(c.Logs); n > 0 {
		times = append(times, unixTime(c.Logs[n-1].At))
	}
	if c.Session != nil {
		times = append(times, protocol.ParseTime(c.Session.Updated))
	}
	if g := c.State.Gate; g != nil {
		times = append(times, protocol.ParseTime(g.Started), protocol.ParseTime(g.Last))
	}
	if day, err := time.ParseInLocation(time.DateOnly, c.State.ActiveOn, c.now.Location()); err == nil {
		times = append(times, day.AddDate(0, 0, 1))
	}
	times = append(times, c.lastWritten())
	for _, t := range times {
		if t.After(last) && !t.After(c.now) {
			last = t
		}
	}
	return last
}

// lastWritten returns when a plan, a summary or the session was last written. It is zero if that may have been a checkout, which writes
// files at the time of the newest entry in git's log of HEAD.
func (c *builder) lastWritten() (last time.Time) {
	head, isRepository := c.src.m.Stat(".git/logs/HEAD")
	if _, hasGit := c.src.m.Stat(".git"); hasGit && !isRepository {
		return last
	}
	for file, info := range c.src.files {
		isWork := file == core.SessionFile || strings.HasSuffix(file, "-PLAN.md") || strings.HasSuffix(file, "-SUMMARY.md")
		if isWork && info.changed.After(last) && info.changed.After(head.ModTime.Add(time.Minute)) {
			last = info.changed
		}
	}
	return last
}

// compareState compares the text of STATE.md with the tree and the logs.
func (c *builder) compareState(text string) []statemd.Difference {
	var last *core.Log
	if n := len(c.Logs); n > 0 {
		last = c.Logs[n-1]
	}
	figures := statemd.NewFigures(c.Project, last, false)
	figures.Exists = func(file string) bool { _, exists := c.src.m.Stat(file); return exists }
	return statemd.FindDifferences(text, figures)
}

// addDivergences lists what the files claim and the tree denies.
func (c *builder) addDivergences() {
	if c.HasState && c.State.Conflict == 0 && c.Unlisted == "" {
		c.differences = c.compareState(c.State.Text)
		for _, d := range c.differences {
			protocol.Claim(c.Build, model.Pos{File: c.Build.File, Line: d.Line}, d.Claim, d.Truth)
		}
	}
	t := c.GateTask()
	if t == nil {
		t = c.UnplannedTask()
	}
	if t != nil && t.IsBehind() {
		protocol.Claim(c.Build, model.Pos{File: c.Build.File, Line: t.Gate.Line}, "the gate of "+t.Name+" is "+t.Gate.Status, t.Why)
	}
	var checked []string // phases that the roadmap checks off although they are open
	at := model.Pos{File: core.RoadmapFile}
	for _, ph := range c.Phases {
		isOpen := ph.Road != nil && ph.Road.Checked && !ph.Road.Skipped && !ph.IsDone()
		isOther := len(ph.Plans) == 0 && ph.Dir != "" && slices.ContainsFunc(c.PhasesNumbered(ph.Number), (*core.Phase).IsDone)
		if isOpen && !isOther && !slices.Contains(checked, ph.Number) {
			if checked = append(checked, ph.Number); at.Line == 0 {
				at.Line = ph.Road.Line
			}
		}
	}
	if len(checked) > 0 {
		protocol.Claim(c.Build, at, "ROADMAP.md checks off "+protocol.Count(len(checked), "phase"), protocol.ListNames(checked)+" without all summaries")
	}
}

// The actions of a resume.
const (
	resumeOffer    = "offer_resume"  // continue.md says where: resume there, or start fresh
	resumePlan     = "continue_plan" // no work was interrupted: go on with a plan
	resumeComplete = "complete"
)

// Resume returns the plan for resuming the build. It writes nothing: continue.md stays until its task reports.
func (r *Reader) Resume(now time.Time) model.Resume {
	c := r.open(now)
	p := model.Resume{Build: r.ID(), Action: resumePlan}
	switch {
	case c.Resume != nil:
		p.Action, p.File, p.Why, p.Steps = resumeOffer, core.ResumeFile, line.Tidy("work was broken off: "+c.interruptedAt()), append(p.Steps, c.Resume.Steps...)
		if c.at.Running != nil {
			p.Phase = c.at.Running.ID
		}
	case c.at.Complete:
		p.Action, p.Why = resumeComplete, "all plans have a summary"
	case c.at.Running != nil:
		p.Phase, p.Why = c.at.Running.ID, "nothing was broken off: plan "+c.at.Running.ID+" is running"
	case c.Build.Next != nil:
		p.Phase, p.Why = c.Build.Next.Command, line.Tidy("nothing was broken off: "+c.Build.Next.Command+" comes next ("+c.Build.Next.Why+")")
	default:
		p.Why = "nothing was broken off, and no plan is known that comes next"
	}
	return p
}
