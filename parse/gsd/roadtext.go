// The small forms inside ROADMAP.md: "Phase 4.5: Name", "v1.2", "Phases 3-7",
// and the words and signs that say how a milestone stands.

package gsd

import (
	"slices"
	"strings"
	"unicode"

	"gatehouse/parse/doc"
)

// phaseTitle reads "Phase 4.5: Name" out of a heading or a check box, with or
// without bold, a tag before it ("[x] Phase …") or behind the number
// ("(INSERTED)"). Struck through, the phase is retired.
func phaseTitle(t string) (id phaseID, name string, retired, ok bool) {
	t = strings.TrimSpace(t)
	if strings.HasPrefix(t, "[") {
		if _, rest, found := strings.Cut(t, "]"); found {
			t = strings.TrimSpace(rest)
		}
	}
	retired = strings.HasPrefix(strings.TrimLeft(t, "*"), "~~")
	bold := strings.HasPrefix(strings.TrimLeft(t, "~"), "**")
	t = strings.TrimLeft(t, "*~ ")
	const word = "Phase "
	if len(t) < len(word) || !strings.EqualFold(t[:len(word)], word) {
		return phaseID{}, "", false, false
	}
	id, rest, ok := parsePhaseID(strings.TrimSpace(t[len(word):]))
	if !ok {
		return phaseID{}, "", false, false
	}
	rest = phaseSpan(&id, rest)
	if bold {
		rest, _, _ = strings.Cut(rest, "**")
	}
	rest = strings.TrimSpace(strings.Trim(rest, "*~"))
	if strings.HasPrefix(rest, "(") {
		if _, after, closed := strings.Cut(rest, ")"); closed {
			rest = strings.TrimSpace(after)
		}
	}
	named := false
	for _, sep := range []string{":", "—", "–", "- "} {
		if after, cut := strings.CutPrefix(rest, sep); cut {
			rest, named = after, true
			break
		}
	}
	if rest != "" && !named && !bold {
		return phaseID{}, "", false, false // "Phase 4 was hard" is prose
	}
	return id, phaseName(rest, bold), retired, true
}

// phaseSpan takes a range behind a number, "8.1–8.9", into the number.
func phaseSpan(id *phaseID, rest string) string {
	for _, dash := range []string{"–", "-"} {
		if after, ok := strings.CutPrefix(rest, dash); ok {
			if last, tail, isID := parsePhaseID(after); isID {
				id.text += dash + last.text
				id.key += "-" + last.key
				return tail
			}
		}
	}
	return rest
}

// phaseName takes off what is not the name: "(INSERTED)", and where no bold
// says where the name ends, the counts and dates behind it.
func phaseName(t string, bold bool) string {
	t = doc.StripMarks(t)
	t = strings.ReplaceAll(t, "(INSERTED)", "")
	t = strings.ReplaceAll(t, "[INSERTED]", "")
	if !bold {
		if i := strings.LastIndex(t, "("); i > 0 && strings.Contains(t[i:], "plan") {
			t = t[:i]
		}
		for _, sep := range []string{" — completed", " - completed", " – completed"} {
			t, _, _ = strings.Cut(t, sep)
		}
	}
	return strings.TrimSpace(t)
}

// versionIn returns the first version in a text, "v1.2" or "v2.0.1-beta", and
// the name behind it, up to a bracket or a dash.
func versionIn(t string) (version, name string) {
	for i := 0; i+1 < len(t); i++ {
		if t[i] != 'v' || !isDigit(t[i+1]) || (i > 0 && (isLetter(t[i-1]) || isDigit(t[i-1]) || t[i-1] == '/')) {
			continue
		}
		end := i + 1
		for end < len(t) && (isDigit(t[end]) || t[end] == '.' && end+1 < len(t) && isDigit(t[end+1])) {
			end++
		}
		if !strings.Contains(t[i:end], ".") {
			continue
		}
		end += suffixLen(t[end:])
		name = strings.TrimLeft(t[end:], " :—–-*")
		for _, stop := range []string{"(", "—", "–", " - ", "**", "]"} {
			name, _, _ = strings.Cut(name, stop)
		}
		if end < len(t) && t[end] == '-' {
			name = "" // "v1.0-ROADMAP.md"
		}
		return t[i:end], strings.Trim(name, " :*~")
	}
	return "", ""
}

// suffixLen returns the length of what makes "v2.0-beta" another version than "v2.0". The names of GSD's own files are none.
func suffixLen(t string) int {
	n := 1
	for n < len(t) && (isLetter(t[n]) || isDigit(t[n]) || t[n] == '.' && n+1 < len(t) && isDigit(t[n+1])) {
		n++
	}
	if t == "" || t[0] != '-' || n == 1 || !isLetter(t[1]) || n < len(t) && t[n] == '-' {
		return 0
	}
	switch strings.ToUpper(t[1:n]) {
	case "ROADMAP", "REQUIREMENTS", "PHASES", "MILESTONE", "AUDIT":
		return 0
	}
	return n
}

// startsTitle reports whether a title begins with a version, but for signs,
// brackets and the word milestone. What goes on behind it, "v1.0-REQ-1", is another word.
func startsTitle(title, version string) bool {
	other := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	t := strings.TrimLeftFunc(title, other)
	if rest, ok := strings.CutPrefix(strings.ToLower(t), "milestone"); ok {
		t = strings.TrimLeftFunc(t[len(t)-len(rest):], other)
	}
	rest, ok := strings.CutPrefix(t, version)
	return ok && (rest == "" || rest[0] != '-' && rest[0] != '_' && !isLetter(rest[0]) && !isDigit(rest[0]))
}

// milestoneSign reports whether a line begins with a sign that a milestone is over.
func milestoneSign(t string) bool {
	return strings.HasPrefix(t, "✅") || strings.HasPrefix(t, "🗄")
}

// overInWords reports whether a line that is no heading says of a milestone that it is over or laid aside, by its first sign or
// by a word that is said of nothing else in a roadmap. That it is "complete" is not enough.
func overInWords(t string) bool {
	if strings.Contains(t, "🚧") || strings.Contains(t, "🔄") {
		return false
	}
	if start := strings.TrimLeft(t, "-* "); milestoneSign(start) {
		return true
	}
	switch milestoneMark(t) {
	case stateShipped:
		lower := strings.ToLower(behindName(t))
		return strings.Contains(t, "✅") || slices.ContainsFunc([]string{"shipped", "closed", "archived", "abandoned"}, func(w string) bool { return strings.Contains(lower, w) })
	case statePlanned:
		lower := strings.ToLower(behindName(t))
		return strings.Contains(lower, "parked") || strings.Contains(lower, "on hold")
	}
	return false
}

// rangeAlone reports whether a cell of a table is a range of phases: "3-4", "1–2".
func rangeAlone(cell string) bool {
	first, last, ok := phaseRange("Phases " + cell)
	return ok && first.key != last.key && strings.Trim(cell, "0123456789. -–—") == ""
}

// milestoneMark reads how a milestone stands: from the sign beside it, else
// from the words behind its name, which itself may be "Closed Beta". A word for
// "over" counts only where none says that it is not.
func milestoneMark(t string) milestoneState {
	if lower := strings.ToLower(behindName(t)); strings.Contains(lower, "parked") || strings.Contains(lower, "on hold") {
		return statePlanned // whatever its sign says
	}
	for _, sign := range []struct {
		sign  string
		state milestoneState
	}{{"🚧", stateActive}, {"🔄", stateActive}, {"✅", stateShipped}, {"🗄", stateShipped}, {"📋", statePlanned}} {
		if strings.Contains(t, sign.sign) {
			return sign.state
		}
	}
	words := " " + strings.Join(strings.FieldsFunc(strings.ToUpper(behindName(t)), func(r rune) bool { return r < 'A' || r > 'Z' }), " ") + " "
	has := func(all ...string) bool {
		for _, w := range all {
			if strings.Contains(words, " "+w+" ") {
				return true
			}
		}
		return false
	}
	switch {
	case has("NOT STARTED", "PLANNED", "UPCOMING"):
		return statePlanned
	case has("STARTED", "ACTIVE", "WIP", "IN PROGRESS"):
		return stateActive
	case has("CLOSED", "ARCHIVED", "ABANDONED", "SHIPPED", "FAILED", "COMPLETED", "COMPLETE"):
		return stateShipped
	}
	return stateUnsaid
}

// behindName returns what follows a milestone's name: behind the bold, else,
// or where nothing is there, from the first bracket or dash.
func behindName(t string) string {
	if _, rest, ok := strings.Cut(t, "**"); ok {
		if _, after, closed := strings.Cut(rest, "**"); closed && strings.TrimSpace(after) != "" {
			return after
		}
	}
	at := len(t)
	for _, sep := range []string{"(", "—", "–", " - ", ": Phase", ": phase"} {
		if i := strings.Index(t, sep); i >= 0 {
			at = min(at, i)
		}
	}
	return t[at:]
}

// phaseRange reads "Phases 3-7", "Phases 8+" or "Phase 4" out of a text.
func phaseRange(t string) (first, last phaseID, ok bool) {
	rest := ""
	for _, word := range []string{"Phases ", "phases ", "Phase "} {
		var found bool
		if _, rest, found = strings.Cut(t, word); found {
			break
		}
	}
	// A range must not be taken for a milestone-prefixed number: "12-15".
	n := 0
	for n < len(rest) && (isDigit(rest[n]) || rest[n] == '.' && !strings.HasPrefix(rest[n:], "..") || isLetter(rest[n])) {
		n++
	}
	first, _, ok = parsePhaseID(rest[:n])
	if !ok {
		return phaseID{}, phaseID{}, false
	}
	rest = strings.TrimSpace(rest[n:])
	for _, dash := range []string{"–", "—", "-", "to ", "through ", "..", ","} {
		if after, cut := strings.CutPrefix(rest, dash); cut {
			after = strings.TrimSpace(after)
			if last, _, ok = parsePhaseID(after); ok && (dash != "," || last.sort.number == first.sort.number+1) {
				return first, last, true
			}
		}
	}
	if strings.HasPrefix(rest, "+") {
		last = first
		last.sort.number = atoi("99999999999999999999")
		return first, last, true
	}
	return first, first, true
}
