package gsd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// addClaims lists the claims of STATE.md and ROADMAP.md that the tree contradicts. Lagging figures become a divergence
// once nothing has changed for a while.
func (c *build) addClaims() {
	b := c.b
	if c.StateFile.Exists {
		if claim, truth, line := c.FindDenial(); truth != "" {
			protocol.Claim(b, model.Pos{File: b.File, Line: line}, claim, truth)
		}
		c.compareCounts()
		c.comparePosition()
	}
	c.compareRoadmap()
	if len(b.Lags) == 0 {
		return
	}
	// A time far ahead of the clock proves nothing.
	if age := c.now.Sub(b.Freshness.Changed); -model.LagAfter < age && age < model.LagAfter {
		b.Settles = b.Freshness.Changed.Add(model.LagAfter)
		return
	}
	b.Divergences, b.Lags = append(b.Divergences, b.Lags...), nil
}

func (c *build) addLag(claim, truth string, at model.Pos) {
	c.b.Lags = append(c.b.Lags, model.Divergence{Claim: line.Tidy(claim), Truth: line.Tidy(truth), Source: at})
}

// compareRoadmap lists the phases that the roadmap checks off and the tree has open, those without a trace together.
func (c *build) compareRoadmap() {
	var gone []string
	line := 0
	for _, p := range c.CurrentPhases() {
		isOpen := p.Dir != "" && !p.IsExecuted() && !p.HasLostPlans() && (p.HasHadPlans || p.Main == nil)
		switch {
		case p.Past != "" || p.Road == nil || !p.Road.IsChecked || p.Road.IsRetired:
		case p.Dir == "" && p.Status == core.Unknown:
			gone, line = append(gone, p.ID.Text), cmp.Or(line, p.Road.Line)
		case isOpen:
			protocol.Claim(c.b, c.roadmapPos(p.Road.Line), "ROADMAP.md checks off phase "+p.ID.Text, p.Why)
		}
	}
	if len(gone) > 0 {
		protocol.Claim(c.b, c.roadmapPos(line), "ROADMAP.md checks off phase "+protocol.ListNames(gone), "nothing on disk")
	}
}

// compareCounts compares the figures of STATE.md with the tree, as one claim. It does nothing while the figures are zero, if GSD counts
// other phases than a reader, or if directories of finished phases are gone.
func (c *build) compareCounts() {
	pr, says := &c.b.Progress, c.State.Progress
	if !pr.Known || c.End.Reason != "" || c.Overtaken != nil || len(c.b.Divergences) > 0 || c.State.Declared != "" && !c.Scope.Found && len(c.Roadmap.Milestones) > 0 {
		return
	}
	if says["total_phases"] == 0 && says["total_plans"] == 0 && says["percent"] == 0 {
		return
	}
	var counted model.Count // as GSD counts phases
	for _, p := range c.Counted {
		if p.Past != "" || p.Dir == "" && p.Status == core.Unknown || p.HasLostPlans() {
			return
		}
		if p.Dir != "" || p.Road == nil || !p.Road.IsRetired {
			counted.Total++
		}
		if p.Dir != "" && p.IsExecuted() || p.Dir == "" && p.IsClosed && !p.Road.IsRetired {
			counted.Done++
		}
	}
	counted.Total += c.CountPhases().Unseen
	var claims, truths []string
	compare := func(noun string, is model.Count, also ...model.Count) {
		done, hasDone := says["completed_"+noun+"s"]
		total, hasTotal := says["total_"+noun+"s"]
		if hasDone && hasTotal && !slices.Contains(append(also, is), model.Count{Done: done, Total: total}) {
			claims = append(claims, fmt.Sprintf("%d of %s", done, core.Count(total, noun)))
			truths = append(truths, fmt.Sprintf("%d of %s", is.Done, core.Count(is.Total, noun)))
		}
	}
	compare("plan", pr.Plans)
	compare("phase", counted, pr.Closed, pr.Phases)
	if percent, ok := says["percent"]; ok && percent != pr.Percent && percent != counted.Round() && percent != pr.Phases.Round() {
		claims = append(claims, fmt.Sprintf("%d %%", percent))
		truths = append(truths, fmt.Sprintf("%d %%", pr.Percent))
	}
	if len(claims) > 0 {
		c.addLag("STATE.md counts "+strings.Join(claims, ", "), "the tree has "+strings.Join(truths, ", "), model.Pos{File: c.b.File, Line: c.State.PercentLine})
	}
}

// comparePosition compares the phase that STATE.md works on, or recommends, with the tree.
func (c *build) comparePosition() {
	const nowhere = "neither a directory nor ROADMAP.md has it"
	at, l := model.Pos{File: c.b.File, Line: c.State.Status.Line}, &c.State.Line
	phase, claim := l.ActivePhase, "STATE.md says phase "+l.ActivePhase+" is active"
	if phase == "" && l.NextAction != "" && len(l.NextPhases) > 0 {
		phase = l.NextPhases[0]
		claim = "STATE.md recommends " + l.NextAction + " " + phase
	}
	if p := c.FindPhase(phase); p != nil && p.IsClosed {
		truth := "phase " + p.ID.Text + " is " + p.Status.String()
		if l.ActivePhase != "" {
			truth += ": " + p.Why
		}
		c.addLag(claim, truth, at)
	}
	if c.IsNowhere(phase) {
		protocol.Claim(c.b, at, claim, nowhere)
	} else if c.IsNowhere(c.State.Phase) && c.End.Reason == "" {
		protocol.Claim(c.b, at, "STATE.md is at phase "+c.State.Phase, nowhere)
	}
}
