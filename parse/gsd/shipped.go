// MILESTONES.md: the milestones that are over, each with the phases that were in it where it says so, as headings, list items or
// rows of a table.

package gsd

import (
	"regexp"
	"strings"

	"gatehouse/parse/doc"
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
	level := 0 // of the heading of the entry that the line is below, 0 for none
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Code || l.Comment {
			continue
		}
		if l.Level > 0 {
			version := entryVersion(l.Title, l.Level)
			if version == "" || len(s.milestones) == maxMilestones {
				if l.Level <= level {
					level = 0
				}
				continue
			}
			level = l.Level
			switch milestoneMark(l.Title) {
			case stateActive, statePlanned:
				continue
			}
			m := shippedMilestone{version: version, on: dayIn.FindString(l.Title)}
			m.phases.first, m.phases.last, m.phases.ranged = phaseRange(l.Title)
			s.milestones = append(s.milestones, m)
			continue
		}
		if m, ok := shippedItem(l.Text); ok && level == 0 && len(s.milestones) < maxMilestones {
			s.milestones = append(s.milestones, m)
			continue
		}
		if len(s.milestones) == 0 {
			continue
		}
		m := &s.milestones[len(s.milestones)-1].phases
		if name, value, ok := doc.ParseField(l.Text); ok && !m.ranged && strings.HasPrefix(strings.ToLower(name), "phases") {
			if found := completedRange.FindStringSubmatch(value); found != nil {
				m.first, _, m.ranged = parsePhaseID(found[1])
				m.last, _, _ = parsePhaseID(found[2])
			}
		}
	}
	return s, nil
}

// entryVersion returns the version of the milestone that a heading of MILESTONES.md begins an entry of, "" for other headings:
// "v1.0 Old", "Milestone v1.0", "Release 1.0", "Old (v1.0)", "3. Old v1.0 — shipped 2026-01-15". A version further inside is one of
// something else, "Migration to Node v22.1", unless the title says that it is over.
func entryVersion(title string, level int) string {
	if level > 3 {
		return ""
	}
	version, _ := versionIn(title)
	if version == "" {
		if found := bareVersion.FindStringSubmatch(title); found != nil {
			return "v" + found[1]
		}
		return ""
	}
	at := strings.Index(title, version)
	bracketed := at > 0 && (title[at-1] == '(' || title[at-1] == '[')
	if startsTitle(title, version) || milestoneMark(title) == stateShipped || level <= 2 && (bracketed || bareWord.MatchString(title[:at])) {
		return version
	}
	return ""
}

var (
	bareVersion = regexp.MustCompile(`^\W*(?:(?i:milestone|release|version)\s+)?(\d+\.\d+(?:\.\d+)?)(?::|\s+[\pL(—–-]|\s*$)`)
	bareWord    = regexp.MustCompile(`^\W*(?i:release|version|milestone)(?:\s+\d+)?\W*$`)
)

// shippedItem reads a list item or a row of a table that is an entry of MILESTONES.md: it begins with a version and says that it
// is over.
func shippedItem(text string) (m shippedMilestone, ok bool) {
	if m, ok = shippedLine(text); ok {
		return m, true
	}
	item, _, isItem := doc.ParseItem(strings.TrimSpace(text))
	if box, _, isBox := doc.ParseCheckBox(strings.TrimSpace(text)); isBox {
		item = box
	}
	if cells := doc.SplitCells(text); cells != nil {
		item, isItem = strings.Join(cells, " — "), true
	}
	version, _ := versionIn(item)
	if !isItem || version == "" || !startsTitle(item, version) || !overInWords(item) || milestoneMark(item) != stateShipped {
		return m, false
	}
	m.version, m.on = version, dayIn.FindString(item)
	m.phases.first, m.phases.last, m.phases.ranged = phaseRange(item)
	return m, true
}

// shippedLine reads a line of STATE.md that says of a milestone that it is over and which phases were in it: "v1.0 shipped
// 2026-01-01 (Phases 1-2)", "| v1.0 Old | 1-2 | shipped |".
func shippedLine(text string) (m shippedMilestone, ok bool) {
	if box, _, ok := doc.ParseCheckBox(strings.TrimSpace(text)); ok {
		text = box
	}
	version, _ := versionIn(text)
	if version == "" || !startsTitle(text, version) {
		return m, false
	}
	for _, cell := range doc.SplitCells(text) {
		if cell = doc.StripMarks(cell); rangeAlone(cell) {
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
