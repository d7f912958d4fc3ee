// MILESTONES.md: the milestones that are over, each with the phases that were in it where it says so.

package gsd

import (
	"regexp"
	"strings"

	"gatehouse/parse/text/markdown"
)

// shippedList is what a MILESTONES.md says.
type shippedList struct {
	milestones []shippedMilestone
}

// shippedMilestone is an entry: "## v1.0 Old (Shipped: 2026-01-15)" with "**Phases completed:** 1-4".
type shippedMilestone struct {
	version, on string // on is the day, as written; "" without one
	phases      roadMilestone
}

var (
	dayIn = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)
	// completedRange finds a range in what an entry says of its phases: "1-4 (9 plans)", "13 phases (19–32 incl. 18.1)". "5 phases,
	// 12 plans" is none.
	completedRange = regexp.MustCompile(`(?:^|\()(?:[Pp]hases? )?(\d+[A-Za-z]?(?:\.\d+)*)\s*(?:-|–|—|to)\s*(\d+[A-Za-z]?(?:\.\d+)*)`)
)

func parseShipped(text string) (*shippedList, error) {
	s := &shippedList{}
	for l := range markdown.Lines(strings.TrimPrefix(text, "\uFEFF"), 1) {
		if l.Code || l.Comment {
			continue
		}
		if l.Level > 0 {
			version, _ := versionIn(l.Title)
			if l.Level > 3 || version == "" || !startsTitle(l.Title, version) || len(s.milestones) == maxMilestones {
				continue
			}
			switch milestoneMark(l.Title) {
			case stateActive, statePlanned:
				continue
			}
			m := shippedMilestone{version: version, on: dayIn.FindString(l.Title)}
			m.phases.first, m.phases.last, m.phases.ranged = phaseRange(l.Title)
			s.milestones = append(s.milestones, m)
			continue
		}
		if len(s.milestones) == 0 {
			continue
		}
		m := &s.milestones[len(s.milestones)-1].phases
		if name, value, ok := markdown.Field(l.Text); ok && !m.ranged && strings.HasPrefix(strings.ToLower(name), "phases") {
			if found := completedRange.FindStringSubmatch(value); found != nil {
				m.first, _, m.ranged = parsePhaseID(found[1])
				m.last, _, _ = parsePhaseID(found[2])
			}
		}
	}
	return s, nil
}

// shippedLine reads a line of STATE.md that says of a milestone that it is over and which phases were in it: "v1.0 shipped
// 2026-01-01 (Phases 1-2)", "| v1.0 Old | 1-2 | shipped |".
func shippedLine(text string) (m shippedMilestone, ok bool) {
	if box, _, ok := markdown.CheckBox(strings.TrimSpace(text)); ok {
		text = box
	}
	version, _ := versionIn(text)
	if version == "" || !startsTitle(text, version) {
		return m, false
	}
	for _, cell := range markdown.Cells(text) {
		if cell = markdown.Plain(cell); rangeAlone(cell) {
			text = strings.Replace(text, cell, "Phases "+cell, 1)
			break
		}
	}
	_, said, _ := strings.Cut(text, version)
	over := strings.Contains(text, "✅")
	lower := strings.ToLower(said)
	for _, word := range []string{"shipped", "archived", "closed"} {
		over = over || strings.Contains(lower, word) && !strings.Contains(lower, "not "+word)
	}
	m.version, m.on = version, dayIn.FindString(text)
	m.phases.first, m.phases.last, m.phases.ranged = phaseRange(text)
	return m, over && m.phases.ranged && m.phases.first.key != m.phases.last.key
}

// find returns the entry of a version, nil without one.
func (s *shippedList) find(version string) *shippedMilestone {
	for i := range s.milestones {
		if s.milestones[i].version == version && version != "" {
			return &s.milestones[i]
		}
	}
	return nil
}

// holding returns the first entry whose phases a number is among, nil without one.
func (s *shippedList) holding(id phaseID) *shippedMilestone {
	for i := range s.milestones {
		if m := &s.milestones[i]; m.phases.ranged && m.phases.holds(id) {
			return m
		}
	}
	return nil
}
