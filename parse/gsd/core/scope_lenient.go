package core

import (
	"gatehouse/parse/doc"
	"gatehouse/parse/text/scan"
)

// newLenientScope is [Of] as a reader has it: with the phases, too, that stand in the section of the milestone in a form that GSD does
// not know. Where GSD finds none named, and counts every directory, a reader leaves out those that other milestones have.
func newLenientScope(declared, roadmap string) Scope {
	s := NewScope(meantVersion(declared), roadmap)
	told := s.lenientPhases(roadmap)
	if s.HoldsAll() {
		s.others = s.otherPhases(roadmap, told)
		return s
	}
	for _, id := range told {
		s.ids[id] = true
	}
	return s
}

// otherPhases returns the phases that stand in sections of other milestones alone.
func (s *Scope) otherPhases(roadmap string, told []string) map[string]bool {
	others, tokens := map[string]bool{}, parseHeadings(roadmap)
	for h := range rawHeadings(roadmap) {
		if !s.Found || !hasVersion(h.text) || mentions(h.text, s.Version) {
			continue
		}
		for line := range unfencedLines(roadmap[h.start:findSectionEnd(roadmap, tokens, h)]) {
			if id := normalizeID(parseLenientPhase(line)); id != "" {
				others[id] = true
			}
		}
	}
	for _, id := range told {
		delete(others, id)
	}
	return others
}

// lenientPhases returns the phases, normalised, that a reader of ROADMAP.md finds in the section of the current milestone and GSD does
// not, in the order of the text: list items with a box and no bold, "- [x] Phase 3: Name", and headings without a colon,
// "### Phase 3 - Name". Where a roadmap has no section of that milestone and yet others, nobody can tell whose they are.
func (s *Scope) lenientPhases(roadmap string) (ids []string) {
	text, known := removeFolded(roadmap), !s.Found
	for h := range rawHeadings(roadmap) {
		known = known && !startsMilestone(h)
	}
	if s.Found {
		var headings []heading
		for h := range rawHeadings(roadmap) {
			if mentions(h.text, s.Version) {
				headings = append(headings, h)
			}
		}
		if known = len(headings) > 0; known {
			h := chooseSection(headings)
			text = roadmap[h.start:findSectionEnd(roadmap, parseHeadings(roadmap), h)]
		}
	}
	if !known {
		return nil
	}
	seen := map[string]bool{}
	for line := range unfencedLines(text) {
		if id := normalizeID(parseLenientPhase(line)); id != "" && !isBacklog(id) && !seen[id] && !s.isNamed(id) {
			seen[id], ids = true, append(ids, id)
		}
	}
	return ids
}

// parseLenientPhase returns the number of the phase that a line tells of, "" for other lines, and where it is struck through.
func parseLenientPhase(line string) string {
	line = line[scan.SkipBlanks(line, 0):]
	level, rest := cutHashes(line)
	switch c := byteAt(line, 0); {
	case level >= 2 && level <= 4 && scan.SpaceLen(rest) > 0:
	case (c == '-' || c == '*' || c == '+') && byteAt(line, 1) == ' ' && byteAt(line, 2) == '[' && line[3:] != "" && byteAt(line, 4) == ']':
		rest = line[5:]
	default:
		return ""
	}
	rest = rest[scan.SkipBlanks(rest, 0):]
	bold := doc.HasPrefix(rest, "**")
	if bold {
		rest = rest[2:]
	}
	var numbering Scope
	number, rest := cutPhaseNumber(rest)
	if number == "" || numbering.leadingNumber(number) != number {
		return ""
	}
	rest = rest[tagLength(rest):]
	for doc.HasPrefix(rest, "**") {
		rest = rest[2:]
	}
	rest = rest[scan.SkipBlanks(rest, 0):]
	for _, sign := range [...]string{":", "—", "–", "- "} {
		if bold || rest == "" || doc.HasPrefix(rest, sign) {
			return number
		}
	}
	return "" // "Phase 4 was hard" is prose
}
