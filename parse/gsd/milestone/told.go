package milestone

import "gatehouse/parse/text/scan"

// OfReader is [Of] as a reader has it: with the phases, too, that stand in the section of the milestone in a form that GSD does
// not know. Where GSD finds none named, and counts every directory, a reader leaves out those that other milestones have.
func OfReader(declared, roadmap string) Scope {
	s := Of(Meant(declared), roadmap)
	told := s.told(roadmap)
	s.ordered = append(s.ordered, told...)
	if s.Everything() {
		s.others = s.ofOthers(roadmap, told)
		return s
	}
	for _, id := range told {
		s.ids[id] = true
	}
	return s
}

// ofOthers returns the phases that stand in sections of other milestones alone.
func (s *Scope) ofOthers(roadmap string, told []string) map[string]bool {
	others, tokens := map[string]bool{}, tokens(roadmap)
	for h := range rawHeadings(roadmap) {
		if !s.Found || !hasVersion(h.text) || mentions(h.text, s.Version) {
			continue
		}
		for line := range unfenced(roadmap[h.start:sectionEnd(roadmap, tokens, h)]) {
			if id := normal(toldOn(line)); id != "" {
				others[id] = true
			}
		}
	}
	for _, id := range told {
		delete(others, id)
	}
	return others
}

// told returns the phases, normalised, that a reader of ROADMAP.md finds in the section of the current milestone and GSD does
// not, in the order of the text: list items with a box and no bold, "- [x] Phase 3: Name", and headings without a colon,
// "### Phase 3 - Name". Where a roadmap has no section of that milestone and yet others, nobody can tell whose they are.
func (s *Scope) told(roadmap string) (ids []string) {
	text, known := unfolded(roadmap), !s.Found
	for h := range rawHeadings(roadmap) {
		known = known && !ofMilestone(h)
	}
	if s.Found {
		var headings []heading
		for h := range rawHeadings(roadmap) {
			if mentions(h.text, s.Version) {
				headings = append(headings, h)
			}
		}
		if known = len(headings) > 0; known {
			h := sectionOf(headings)
			text = roadmap[h.start:sectionEnd(roadmap, tokens(roadmap), h)]
		}
	}
	if !known {
		return nil
	}
	seen := map[string]bool{}
	for line := range unfenced(text) {
		if id := normal(toldOn(line)); id != "" && !isBacklog(id) && !seen[id] && !s.has(id) {
			seen[id], ids = true, append(ids, id)
		}
	}
	return ids
}

// toldOn returns the number of the phase that a line tells of, "" for other lines, and where it is struck through.
func toldOn(line string) string {
	line = line[scan.SkipBlanks(line, 0):]
	level, rest := hashes(line)
	switch c := first(line); {
	case level >= 2 && level <= 4 && scan.SpaceLen(rest) > 0:
	case (c == '-' || c == '*' || c == '+') && at(line, 1) == ' ' && at(line, 2) == '[' && line[3:] != "" && at(line, 4) == ']':
		rest = line[5:]
	default:
		return ""
	}
	rest = rest[scan.SkipBlanks(rest, 0):]
	bold := hasPrefix(rest, "**")
	if bold {
		rest = rest[2:]
	}
	number, rest := afterPhase(rest)
	if number == "" || Number(number) != number {
		return ""
	}
	rest = rest[tagLen(rest):]
	for hasPrefix(rest, "**") {
		rest = rest[2:]
	}
	rest = rest[scan.SkipBlanks(rest, 0):]
	for _, sign := range [...]string{":", "—", "–", "- "} {
		if bold || rest == "" || hasPrefix(rest, sign) {
			return number
		}
	}
	return "" // "Phase 4 was hard" is prose
}
