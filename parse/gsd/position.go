package gsd

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// setProgress counts the current milestone. The headline counts plans like GSD; the phases are counted as a reader sees
// them.
func (c *build) setProgress() {
	pr, t, now := &c.b.Progress, c.CountPhases(), c.CurrentPhases()
	pr.Closed, pr.Phases = model.Count{Done: t.Closed, Total: t.Total}, model.Count{Done: t.Executed, Total: t.Total}
	hasDirectories := false
	for _, p := range c.Counted {
		if p.Dir == "" {
			continue
		}
		hasDirectories = hasDirectories || len(now) == 0 || slices.Contains(now, p)
		done, total := p.CountPlans()
		pr.Plans.Done += done
		pr.Plans.Total += total
	}
	pr.Percent, pr.Rounded = pr.Plans.Round(), true
	// Without a directory there is nothing to count: a planned phase has not begun, and a check mark in the roadmap is
	// only a claim. And GSD counts the milestone that STATE.md names, even if work has moved to another one.
	pr.Known = hasDirectories && c.hasPhases() && c.Overtaken == nil
}

// hasPhases reports whether there is a phase that identifies the current milestone, or the roadmap calls all of them
// shipped.
func (c *build) hasPhases() bool { return len(c.CurrentPhases()) > 0 || c.HasAllShipped() }

// setPosition finds the overall status and the next step.
func (c *build) setPosition() {
	c.setProgress()
	b, now := c.b, c.CurrentPhases()
	if c.State.Line.ActivePhase != "" && c.Current != nil {
		b.Now = phaseNode(c.Current)
	}
	var statuses []model.Status
	for _, p := range now {
		statuses = append(statuses, c.effectiveStatus(p))
	}
	b.Status, b.Raw = model.RollUp(statuses), line.Tidy(c.State.Line.Status)
	b.Why = "from " + core.Count(len(now), "phase") + " of the tree"
	unseen := c.CountPhases().Unseen
	switch {
	case unseen > 0 && b.Status == model.Done:
		b.Status, b.Why = model.Unknown, "STATE.md counts "+core.Count(unseen, "phase")+" more than the tree and ROADMAP.md have"
	case c.End.Reason != "" && b.Status == model.Done:
		b.Why = c.End.Reason
	case len(now) == 0 && c.HasAllShipped():
		b.Status, b.Why = model.Done, "all milestones of the roadmap are shipped"
	case len(now) == 0 && len(c.Counted) > 0:
		b.Status, b.Why = model.Pending, "no phase of it has begun; those on disk are of other milestones"
	case len(now) == 0:
		b.Why = "there are no phases to tell from"
	}
	if statement, ok := c.State.IsBlocked(); ok && b.Status != model.Done && c.End.Reason == "" {
		b.Status, b.Why = model.Blocked, "STATE.md says “"+line.Tidy(statement.Text)+"”"
	}
	if n := len(b.Certain()); n > 0 {
		b.Status, b.Why = model.Waiting, core.Count(n, "thing")+" for a human to do"
	}
	c.setPause()
	b.Next = c.nextStep()
	b.Freshness.Claimed = protocol.ParseTime(c.State.LastUpdated)
}

// setPause notes that work was paused: by STATE.md, by a hand-off, or by a note to continue. In a build that is done the word of
// STATE.md was only left behind.
func (c *build) setPause() {
	pause := func(reason, written string, modified int64, at model.Pos) {
		since := c.momentStated(written, modified)
		c.b.Pause = &model.Pause{Reason: line.Tidy(firstLine(reason)), Since: since.at, SinceFile: since.fromFile, Source: at}
	}
	if reason, ok := c.State.IsPaused(); ok && c.b.Status != model.Done {
		pause(reason.Text, c.State.LastUpdated, c.StateFile.Modified, model.Pos{File: c.b.File, Line: reason.Line})
		return
	}
	if h := c.HandOff; h != nil && h.Stale == "" {
		pause(h.Reason, h.Since, h.Modified, model.Pos{File: h.File})
		return
	}
	for _, n := range c.Notes {
		if n.Stale == "" {
			pause(n.Task, n.Since, n.Modified, model.Pos{File: n.File})
			return
		}
	}
	for _, p := range c.CurrentPhases() {
		if n := p.Stopped; n != nil && n.Stale == "" {
			reason := strings.TrimSuffix("phase "+p.ID.Text+" at "+n.Task, " at ")
			pause(reason, n.Since, n.Modified, model.Pos{File: n.File})
			return
		}
	}
}

// nextStep returns the command that GSD would run next: STATE.md's recommendation, unless that phase is closed or missing;
// else the step for the phase whose turn it is.
func (c *build) nextStep() *model.Next {
	l := &c.State.Line
	if l.ActivePhase == "" && l.NextAction != "" && len(l.NextPhases) > 0 {
		if p := c.FindPhase(l.NextPhases[0]); p != nil && !p.IsClosed || p == nil && !c.IsNowhere(l.NextPhases[0]) {
			n := &model.Next{Command: line.Tidy(l.NextAction + " " + strings.Join(l.NextPhases, "/")), Why: "STATE.md recommends it", Source: model.Pos{File: c.b.File}}
			if p != nil {
				n.Node = phaseNode(p)
			}
			return n
		}
	}
	p := c.firstOpen()
	if p == nil {
		return nil
	}
	return &model.Next{Command: c.commandFor(p), Why: line.Tidy("phase " + p.ID.Text + ": " + p.Why), Node: phaseNode(p), Derived: true}
}

// commandFor returns the command that a phase needs. The word of STATE.md decides if the phase is running and the tree knows less.
func (c *build) commandFor(p *core.Phase) string {
	activity, command := "", "discuss-phase"
	if p == c.Current && len(p.Plans) == 0 { // STATE.md knows more than the tree
		activity = c.State.Activity()
	}
	switch {
	case p.Main != nil && p.Main.AsksHuman && (p.AnsweredBy(p.Main) != "" || c.WaitsIn(p)):
		command = "verify-work"
	case p.Status == core.Failed:
		return "plan-phase " + p.ID.Text + " --gaps"
	case p.Status == core.Executed, isVerifiedWithoutPlans(p), p.Word == core.WordExecuted, p.Word == core.WordNeedsReview, p.Word == core.WordComplete, activity == "verifying":
		command = "verify-work"
	case p.Word == core.WordPlanned, p.Word == core.WordInProgress:
		command = "execute-phase"
	case activity == "planning" && p.Dir == "", p.HasFile("CONTEXT.md") || p.HasFile("RESEARCH.md"):
		command = "plan-phase"
	}
	return command + " " + p.ID.Text
}

// firstOpen returns the open phase whose turn it is: the one STATE.md is at, unless that has not begun and an agent has answers to look
// at; else one that waits for a human, one with answers, the first of a milestone that is not over, or the first. An unknown phase
// can't be next, and one that was verified and checked off needs nothing.
func (c *build) firstOpen() *core.Phase {
	open := slices.DeleteFunc(c.OpenPhases(), func(p *core.Phase) bool {
		isDone := isVerifiedWithoutPlans(p) && p.Road != nil && p.Road.IsChecked && !c.WaitsIn(p)
		return isDone || p.Status == core.Unknown
	})
	if slices.Contains(open, c.Current) && (c.Current.Dir != "" || !slices.ContainsFunc(open, c.IsAnswered)) {
		return c.Current
	}
	isOfNow := func(p *core.Phase) bool { return !c.IsOfShipped(p) && !isVerifiedWithoutPlans(p) }
	for _, is := range []func(*core.Phase) bool{c.WaitsIn, c.IsAnswered, isOfNow, func(*core.Phase) bool { return true }} {
		if i := slices.IndexFunc(open, is); i >= 0 {
			return open[i]
		}
	}
	return nil
}

// isVerifiedWithoutPlans reports whether a phase has passed its verification, and its plans were removed.
func isVerifiedWithoutPlans(p *core.Phase) bool {
	return p.HasLostPlans() && p.Main != nil && p.Main.HasPassed
}

// headerFacts returns the facts of the dashboard's line: STATE.md's, corrected by the tree. It says nothing that the build's row denies.
func (c *build) headerFacts() line.GSD {
	l, pr := c.State.Line, &c.b.Progress
	if l.MilestoneName == "milestone" {
		l.MilestoneName = "" // the placeholder of GSD's writer
	}
	if m := c.Roadmap.Find(l.Milestone); m != nil {
		l.MilestoneName = cmp.Or(l.MilestoneName, m.Name)
	}
	if m := c.Overtaken; m != nil {
		l.Milestone, l.MilestoneName = m.Version, m.Name
		l.PhaseNumber, l.PhaseTotal, l.PhaseName = "", "", "" // of the milestone that is over
	}
	if m := c.Roadmap.UnderWay(); m != nil && l.Milestone == "" && l.MilestoneName == "" {
		l.Milestone, l.MilestoneName = m.Version, m.Name
	}
	open := c.OpenPhases()
	l.Unfinished = len(open) > 0 || !c.hasPhases() || c.CountPhases().Unseen > 0 || len(c.b.Certain()) > 0
	claimsComplete, saysComplete := c.State.ClaimsComplete(), core.SaysComplete(l.Status)
	scene, _ := l.Scene()
	l.Percent, l.CompletedPhases, l.TotalPhases = "", "", ""
	if pr.Known {
		l.Percent, l.PercentOf = strconv.Itoa(pr.Percent), pr.Of()
	}
	isDone := c.b.Status == model.Done
	switch {
	case isDone && !c.End.IsByWord && !c.State.AwaitsNext() && !saysComplete: // the words are about something else
		l.CompletedPhases, l.TotalPhases = "1", "1"
	case pr.Known && (c.End.Reason == "" || pr.Percent == 100): // else it is over, and the files on disk are not all of it
		l.CompletedPhases, l.TotalPhases = strconv.Itoa(pr.Closed.Done), strconv.Itoa(pr.Closed.Total)
	case !pr.Known && claimsComplete && len(open) == 0 && scene == 3: // its directories were archived
		l.CompletedPhases, l.TotalPhases = "1", "1"
	}
	if p := c.FindPhase(l.ActivePhase); p != nil && p.IsClosed || p == nil && isDone {
		l.ActivePhase = ""
	} else if l.ActivePhase != "" && saysComplete {
		l.Status = ""
	}
	if len(l.NextPhases) > 0 {
		if p := c.FindPhase(l.NextPhases[0]); p != nil && p.IsClosed || c.IsNowhere(l.NextPhases[0]) {
			l.NextAction, l.NextPhases = "", nil
		}
	}
	isDenied := len(open) > 0 && l.ActivePhase == "" && (claimsComplete || saysComplete)
	if isDenied || c.Overtaken != nil && (c.b.Status == model.Pending || c.State.AwaitsNext()) {
		l.Status = ""
		if next := c.b.Next; next != nil && (l.NextAction == "" || len(l.NextPhases) == 0) {
			action, phase, _ := strings.Cut(next.Command, " ")
			l.NextAction, l.NextPhases = action, []string{phase}
		}
	}
	return l
}

// effectiveStatus is the status of a phase as a part of its milestone: an answered one is an agent's turn.
func (c *build) effectiveStatus(p *core.Phase) model.Status {
	switch {
	case p.IsClosed:
		return model.Done
	case p.Status == core.Waiting && !c.WaitsIn(p):
		return model.Executed
	}
	return model.Status(p.Status)
}
