package gsd

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/protocol"
)

// addMetrics adds the history of the finished plans and their figures.
func (c *build) addMetrics() {
	history := &model.History{}
	var finished []model.Finish
	for _, p := range c.Counted {
		for _, s := range p.Plans {
			if !s.IsDone() || s.Plan.IsSuperseded {
				continue
			}
			worked := timesOf(s)
			piece := worked.Plan(planNode(s), phaseNode(p), parseDuration(worked.Took))
			history.Pieces = append(history.Pieces, piece)
			if s.Summary.IsHalted {
				continue
			}
			f := model.Finish{Plan: piece.Node, Took: piece.Took, Timed: piece.Took > 0}
			if !piece.Ended.IsZero() {
				f.On = piece.Ended.Format(time.DateOnly)
			}
			finished = append(finished, f)
		}
	}
	for _, p := range c.CurrentPhases() {
		if _, total := p.CountPlans(); total == 0 && !p.IsClosed && (p.Road == nil || !p.Road.IsRetired) {
			history.Unplanned++
		}
	}
	if len(history.Pieces) > 0 {
		c.b.History = history
	}
	if len(finished) > 0 {
		// Plans without a day come first, because the trend is about the last ones.
		slices.SortStableFunc(finished, func(a, b model.Finish) int { return cmp.Compare(a.On, b.On) })
		c.b.Measured = model.NewMetrics(nil, finished, c.now.Location())
	}
	for _, m := range c.State.Metrics {
		c.b.Metrics = append(c.b.Metrics, model.Fact{Label: line.Tidy("STATE.md " + m.Label), Value: line.Tidy(m.Value)})
	}
}

func (c *build) addNote(label, value string) {
	if value = line.Tidy(value); value != "" {
		c.b.Notes = append(c.b.Notes, model.Fact{Label: label, Value: value})
	}
}

// addNotes lists STATE.md's notes for the next session.
func (c *build) addNotes() {
	s := c.State
	c.addNote("core value", s.CoreValue)
	c.addNote("current focus", s.Focus)
	if at := protocol.ParseTime(s.LastSession); !at.IsZero() {
		c.addNote("last session", at.Format(time.DateOnly))
	}
	c.addNote("stopped at", s.StoppedAt.Text)
	c.addNote("resume from", s.ResumeFile)
	for _, d := range s.Decisions {
		c.addNote("decided", d)
	}
}

// parseDuration parses how long a plan took as agents write it: "12min", "~5 minutes (with review)", "1h and 5m"; 0 if it is unknown.
func parseDuration(text string) model.Millis {
	text, _, _ = strings.Cut(strings.TrimLeft(text, "~≈<> "), "(")
	took, _ := protocol.ParseDuration(strings.ReplaceAll(text, " and ", " "))
	return took
}
