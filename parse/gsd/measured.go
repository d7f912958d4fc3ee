// The numbers of a milestone, from its summaries: how many plans a day, how long they took, and how that moves.

package gsd

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// measure computes the numbers of the phases that count. Without a finished plan there are none.
func (c *collector) measure() {
	var finished []model.Finish
	for _, p := range c.counted {
		for _, s := range p.plans {
			if s.summary == nil || s.plan.superseded || s.summary.halted {
				continue
			}
			took, _ := duration(s.summary.worked.Took)
			done := s.summary.worked.Plan(planNode(s), phaseNode(p), model.Millis(took.Milliseconds()))
			f := model.Finish{Plan: done.Node, Took: done.Took, Timed: done.Took > 0}
			if !done.Ended.IsZero() {
				f.On = done.Ended.Format(time.DateOnly)
			}
			finished = append(finished, f)
		}
	}
	if len(finished) == 0 {
		return
	}
	// Those of a day stay in the order of the tree; those without a day come first, for the trend is about the last ones.
	slices.SortStableFunc(finished, func(a, b model.Finish) int { return cmp.Compare(a.On, b.On) })
	c.b.Measured = model.NewMetrics(nil, finished, c.now.Location())
}

// notes lists what STATE.md carries along for the next session: where the last one stopped, and what was decided. Todos are
// rows of the tree.
func (c *collector) notes() {
	add := func(label, value string) {
		if value = line.Tidy(value); value != "" {
			c.b.Notes = append(c.b.Notes, model.Fact{Label: label, Value: value})
		}
	}
	s := c.state
	if !s.session.IsZero() {
		add("last session", s.session.Format(time.DateOnly))
	}
	add("stopped at", s.stoppedAt)
	add("resume from", s.resume)
	for _, d := range s.decisions {
		add("decided", d)
	}
}

// timePart is a number with its unit: "45min", "1.5 h", "30 s".
var timePart = regexp.MustCompile(`^(\d+(?:\.\d+)?)\s*(hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\b[\s,]*(?:and\s+)?`)

// duration reads how long a plan took, as agents write it: "12min", "~5 minutes (with review)", "1h 5m". What goes on with
// anything but a remark in brackets is no duration.
func duration(text string) (took time.Duration, ok bool) {
	rest := strings.ToLower(strings.TrimLeft(strings.TrimSpace(text), "~≈<> "))
	for rest != "" && !strings.HasPrefix(rest, "(") {
		part := timePart.FindStringSubmatch(rest)
		if part == nil {
			return 0, false
		}
		n, err := strconv.ParseFloat(part[1], 64)
		if err != nil || n > 100_000 {
			return 0, false
		}
		unit := time.Second
		switch part[2][0] {
		case 'h':
			unit = time.Hour
		case 'm':
			unit = time.Minute
		}
		took += time.Duration(n * float64(unit))
		rest = rest[len(part[0]):]
	}
	return took, took > 0
}
