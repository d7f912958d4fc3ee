// The phases that ROADMAP.md names.

package rules

import "gatehouse/parse/text/scan"

// PhaseLimit is how many phases are looked at: each costs the prompt the listing of its directory.
const PhaseLimit = 1000

// RoadmapPhases returns the phases that the text of a ROADMAP.md names in its list or its headings, in the order of the
// text, each number once: "- [x] **Phase 3: Name** - what", "### Phase 3: Name".
func RoadmapPhases(text string) []RoadmapPhase {
	var phases []RoadmapPhase
	fenced := false
	for at, no := 0, 1; at < len(text) && len(phases) < PhaseLimit; no++ {
		var l string
		l, at = nextText(text, at)
		l = scan.TrimSpace(l)
		if scan.HasPrefixAt(l, "```", 0) || scan.HasPrefixAt(l, "~~~", 0) {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		if ph, ok := roadmapPhase(l); ok && !known(phases, ph.Number) {
			ph.Line = no
			phases = append(phases, ph)
		}
	}
	return phases
}

func known(phases []RoadmapPhase, number string) bool {
	for i := range phases {
		if CompareNumbers(phases[i].Number, number) == 0 {
			return true
		}
	}
	return false
}

// roadmapPhase reads one line, trimmed, as a phase of the roadmap.
func roadmapPhase(l string) (ph RoadmapPhase, ok bool) {
	rest := l
	switch {
	case l == "":
		return ph, false
	case l[0] == '#':
		for rest != "" && rest[0] == '#' {
			rest = rest[1:]
		}
	case (l[0] == '-' || l[0] == '*') && scan.HasPrefixAt(l, " [", 1) && scan.HasPrefixAt(l, "]", 4):
		ph.Checked = l[3] == 'x' || l[3] == 'X'
		rest = l[5:]
	default:
		return ph, false
	}
	i := 0
	for i < len(rest) && (rest[i] == ' ' || rest[i] == '*' || rest[i] == '~') {
		ph.Skipped = ph.Skipped || rest[i] == '~'
		i++
	}
	const word = "Phase "
	if !scan.HasPrefixAt(rest, word, i) {
		return ph, false
	}
	number, i := dotted(rest, i+len(word))
	for i < len(rest) && rest[i] != ':' {
		if c := rest[i]; c != ' ' && c != '(' && c != ')' && (c|0x20 < 'a' || c|0x20 > 'z') {
			return ph, false
		}
		i++ // "Phase 2.1 (INSERTED): name"
	}
	if number == "" || i == len(rest) {
		return ph, false
	}
	rest = rest[i+1:]
	for i = 0; i < len(rest) && rest[i] != '*' && rest[i] != '~'; i++ {
	}
	ph.Number, ph.Name = number, scan.TrimSpace(rest[:i])
	ph.Skipped = ph.Skipped || scan.Index(rest, "SKIPPED") >= 0
	return ph, true
}
