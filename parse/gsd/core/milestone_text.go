package core

import (
	"gatehouse/parse/doc"
)

// MilestoneState is how a milestone stands by the word of a file.
type MilestoneState uint8

// The states of a milestone.
const (
	StateUnknown MilestoneState = iota
	Planned
	InProgress
	Shipped
)

// Milestone is a milestone of ROADMAP.md: an item of the list at the top, or a section.
type Milestone struct {
	Version string // "v1.2", as written
	Name    string
	State   MilestoneState
	Range   PhaseRange
	On      string // the day it was shipped, as written
	Line    int

	hasHeading bool
}

// PhaseRange is the range of a milestone's phases, "Phases 3-7". The zero value is no range.
type PhaseRange struct {
	First, Last PhaseID
	IsSet       bool
}

// Holds reports whether a number lies in the range. A phase that was inserted behind the last one, 7.1 behind 7, does.
func (r *PhaseRange) Holds(id PhaseID) bool {
	isInserted := len(r.Last.decimals) == 0 && id.number == r.Last.number && id.prefix == r.Last.prefix
	return r.IsSet && r.First.Compare(id) <= 0 && (r.Last.Compare(id) >= 0 || isInserted)
}

// ShippedMilestone is a milestone that MILESTONES.md or STATE.md calls shipped.
type ShippedMilestone struct {
	Version, On string // On is the day, as written
	Range       PhaseRange
}

// maxMilestones limits the milestones of a file. Real projects have fewer than fifty.
const maxMilestones = 500

// parseVersion returns the first version in a text, "v1.2" or "v2.0.1-beta", and the name behind it, up to a bracket or a dash.
func parseVersion(t string) (version, name string) {
	for i := 0; i+1 < len(t); i++ {
		if t[i] != 'v' || !isDigit(t[i+1]) || i > 0 && (isAlphanumeric(t[i-1]) || t[i-1] == '/') {
			continue
		}
		end := i + 1
		for isDigit(byteAt(t, end)) || byteAt(t, end) == '.' && isDigit(byteAt(t, end+1)) {
			end++
		}
		if !doc.Contains(t[i:end], ".") {
			continue
		}
		end += preReleaseLength(t[end:])
		if byteAt(t, end) != '-' { // "v1.0-ROADMAP.md" has no name
			name = trim(cutAny(trimLeft(t[end:], " :—–-*"), "(", "—", "–", " - ", "**", "]"), " :*~")
		}
		return t[i:end], name
	}
	return "", ""
}

// preReleaseLength returns the length of what makes "v2.0-beta" another version than "v2.0", 0 for the names of GSD's own files.
func preReleaseLength(t string) int {
	n := 1
	for isAlphanumeric(byteAt(t, n)) || byteAt(t, n) == '.' && isDigit(byteAt(t, n+1)) {
		n++
	}
	if byteAt(t, 0) != '-' || n == 1 || !isLetter(t[1]) || byteAt(t, n) == '-' || isOneOf(doc.Lower(t[1:n]), "roadmap", "requirements", "phases", "milestone", "audit") {
		return 0
	}
	return n
}

// startsWithVersion reports whether a title begins with a version, but for signs, brackets and the word "milestone".
func startsWithVersion(title, version string) bool {
	t := trimSigns(title)
	if hasPrefixFold(t, "milestone") {
		t = trimSigns(t[len("milestone"):])
	}
	if !doc.HasPrefix(t, version) {
		return false
	}
	next := byteAt(t, len(version))
	return next != '-' && next != '_' && !isAlphanumeric(next)
}

// trimSigns removes everything before the first letter or digit.
func trimSigns(t string) string {
	for t != "" && !isAlphanumeric(t[0]) {
		t = t[1:]
	}
	return t
}

// hasOverSign reports whether a line begins with a sign that a milestone is over.
func hasOverSign(t string) bool { return hasAnyPrefix(t, "✅", "🗄") }

// isOver reports whether a line that is not a heading says of a milestone that it is over or put aside, by its first sign or by a word
// that is used of nothing else. "Complete" is not enough.
func isOver(t string) bool {
	if containsAny(t, "🚧", "🔄") {
		return false
	}
	if hasOverSign(trimLeft(t, "-* ")) {
		return true
	}
	switch parseMilestoneState(t) {
	case Shipped:
		return doc.Contains(t, "✅") || containsAny(doc.Lower(cutMilestoneName(t)), "shipped", "closed", "archived", "abandoned")
	case Planned:
		return isParked(t)
	}
	return false
}

func isParked(t string) bool { return containsAny(doc.Lower(cutMilestoneName(t)), "parked", "on hold") }

var milestoneSigns = [...]struct {
	sign  string
	state MilestoneState
}{{"🚧", InProgress}, {"🔄", InProgress}, {"✅", Shipped}, {"🗄", Shipped}, {"📋", Planned}}

var (
	startedPhrases = []string{"started|active|wip", "in progress"}
	closedPhrases  = []string{"closed|archived|abandoned|shipped|failed"}
)

// parseMilestoneState parses how a milestone stands: from the sign beside it, else from the words behind its name, which itself may be
// "Closed Beta". A word for "over" counts only if none says the opposite.
func parseMilestoneState(t string) MilestoneState {
	if isParked(t) {
		return Planned // whatever its sign says
	}
	for _, s := range milestoneSigns {
		if doc.Contains(t, s.sign) {
			return s.state
		}
	}
	switch all := splitWords(cutMilestoneName(t)); {
	case all.hasAny([]string{"not started", "planned|upcoming"}):
		return Planned
	case all.hasAny(startedPhrases):
		return InProgress
	case all.hasAny(closedPhrases), all.hasAny([]string{"completed|complete"}):
		return Shipped
	}
	return StateUnknown
}

// cutMilestoneName returns what follows a milestone's name: behind the bold, else from the first bracket or dash.
func cutMilestoneName(t string) string {
	if _, rest, ok := doc.Cut(t, "**"); ok {
		if _, after, closed := doc.Cut(rest, "**"); closed && doc.Trim(after) != "" {
			return after
		}
	}
	at := len(t)
	for _, separator := range [...]string{"(", "—", "–", " - ", ": Phase", ": phase"} {
		if i := doc.Index(t, separator); i >= 0 {
			at = min(at, i)
		}
	}
	return t[at:]
}

// parseRange parses "Phases 3-7", "Phases 8+" or "Phase 4" in a text.
func parseRange(t string) (r PhaseRange) {
	rest := ""
	for _, word := range [...]string{"Phases ", "phases ", "Phase "} {
		var found bool
		if _, rest, found = doc.Cut(t, word); found {
			break
		}
	}
	n := 0 // the range "12-15" must not be taken for a number of two parts
	for isAlphanumeric(byteAt(rest, n)) || byteAt(rest, n) == '.' && byteAt(rest, n+1) != '.' {
		n++
	}
	if r.First, _, r.IsSet = ParsePhaseID(rest[:n]); !r.IsSet {
		return PhaseRange{}
	}
	r.Last = r.First
	rest = doc.Trim(rest[n:])
	if doc.HasPrefix(rest, "+") {
		r.Last.number = maxInt
		return r
	}
	for _, dash := range [...]string{"–", "—", "-", "to ", "through ", "..", ","} {
		if doc.HasPrefix(rest, dash) {
			if last, _, ok := ParsePhaseID(doc.Trim(rest[len(dash):])); ok && (dash != "," || last.number == r.First.number+1) {
				r.Last = last
				break
			}
		}
	}
	return r
}

// isRangeCell reports whether a cell of a table is a range of phases: "3-4", "1–2".
func isRangeCell(cell string) bool {
	r := parseRange("Phases " + cell)
	return r.IsSet && r.First.Key != r.Last.Key && trim(cell, "0123456789. -–—") == ""
}

// findDay returns the first day in a text, "2026-01-15"; "" without one.
func findDay(text string) string {
	const form = "dddd-dd-dd"
	for i := 0; i+len(form) <= len(text); i++ {
		n := 0
		for n < len(form) && (form[n] == 'd' && isDigit(text[i+n]) || form[n] == '-' && text[i+n] == '-') {
			n++
		}
		if n == len(form) {
			return text[i : i+n]
		}
	}
	return ""
}

// parseShippedLine parses a line of STATE.md that says of a milestone that it is over and which phases it had: "v1.0 shipped
// 2026-01-01 (Phases 1-2)", "| v1.0 Old | 1-2 | shipped |".
func parseShippedLine(text string) (m ShippedMilestone, ok bool) {
	if box, _, isBox := doc.ParseCheckBox(text); isBox {
		text = box
	}
	version, _ := parseVersion(text)
	if version == "" || !startsWithVersion(text, version) {
		return m, false
	}
	for _, cell := range doc.SplitCells(text) {
		if cell = doc.StripMarks(cell); isRangeCell(cell) {
			text += " Phases " + cell
			break
		}
	}
	_, rest, _ := doc.Cut(text, version)
	rest = doc.Lower(rest)
	isOver := doc.Contains(text, "✅")
	for _, word := range [...]string{"shipped", "archived", "closed"} {
		isOver = isOver || doc.Contains(rest, word) && !doc.Contains(rest, "not "+word)
	}
	m = ShippedMilestone{version, findDay(text), parseRange(text)}
	return m, isOver && m.Range.IsSet && m.Range.First.Key != m.Range.Last.Key
}

// ParseMilestones parses MILESTONES.md: the milestones that have shipped, as headings, list items or rows of a table.
func ParseMilestones(text string) (*[]ShippedMilestone, error) {
	var all []ShippedMilestone
	level := 0 // of the heading of the entry that a line is below
	for l := range doc.Lines(text, 0, len(text)) {
		switch {
		case l.Code || l.Comment || len(all) == maxMilestones:
		case l.Level > 0:
			version := entryVersion(l.Title, l.Level)
			if version == "" {
				if l.Level <= level {
					level = 0
				}
				continue
			}
			level = l.Level
			if state := parseMilestoneState(l.Title); state != InProgress && state != Planned {
				all = append(all, ShippedMilestone{version, findDay(l.Title), parseRange(l.Title)})
			}
		default:
			if m, ok := parseShippedItem(l.Text); ok && level == 0 {
				all = append(all, m)
			} else if name, value, ok := doc.ParseField(l.Text); ok && len(all) > 0 && hasPrefixFold(name, "phases") {
				if m := &all[len(all)-1]; !m.Range.IsSet {
					m.Range = parseCompletedRange(value)
				}
			}
		}
	}
	return &all, nil
}

// parseCompletedRange parses a range in what an entry says of its phases: "1-4 (9 plans)", "13 phases (19–32 incl. 18.1)". "5 phases,
// 12 plans" is no range.
func parseCompletedRange(value string) PhaseRange {
	_, inner, _ := doc.Cut(value, "(")
	for _, text := range [...]string{value, inner} {
		for _, word := range [...]string{"Phases ", "phases ", "Phase ", "phase "} {
			if doc.HasPrefix(text, word) {
				text = text[len(word):]
			}
		}
		if r := parseRange("Phases " + text); r.IsSet && r.First.Key != r.Last.Key && r.Last.number != maxInt {
			return r
		}
	}
	return PhaseRange{}
}

// entryVersion returns the version of the milestone that a heading of MILESTONES.md begins an entry for, "" for other headings: "v1.0
// Old", "Milestone v1.0", "Release 1.0", "Old (v1.0)", "3. Old v1.0 — shipped 2026-01-15". A version further inside belongs to
// something else, "Migration to Node v22.1", unless the title says that it is over.
func entryVersion(title string, level int) string {
	if level > 3 {
		return ""
	}
	version, _ := parseVersion(title)
	if version == "" {
		return bareVersion(title)
	}
	before := title[:doc.Index(title, version)]
	all := splitWords(before)
	isBracketed := before != "" && (before[len(before)-1] == '(' || before[len(before)-1] == '[')
	isLabel := len(all) == 1 || len(all) == 2 && countDigits(all[1]) == len(all[1])
	isLabel = isLabel && isOneOf(all[0], "release", "version", "milestone")
	if startsWithVersion(title, version) || parseMilestoneState(title) == Shipped || level <= 2 && (isBracketed || isLabel) {
		return version
	}
	return ""
}

// bareVersion returns the version of a title that begins with one without a "v": "Release 1.0", "1.0 Old".
func bareVersion(title string) string {
	t := trimSigns(title)
	for _, word := range [...]string{"milestone ", "release ", "version "} {
		if hasPrefixFold(t, word) {
			t = t[len(word):]
		}
	}
	n := countDigits(t)
	for byteAt(t, n) == '.' && isDigit(byteAt(t, n+1)) {
		n += 1 + countDigits(t[n+1:])
	}
	next := trimLeft(t[n:], " ")
	if n == 0 || !doc.Contains(t[:n], ".") || byteAt(t, n) != ' ' && byteAt(t, n) != ':' && n < len(t) ||
		next != "" && !isLetter(next[0]) && next[0] < 0x80 && !containsAny(next[:1], "(", "-", ":") {
		return ""
	}
	return "v" + t[:n]
}

// parseShippedItem parses a list item or a row of a table of MILESTONES.md: it begins with a version and says that it is over.
func parseShippedItem(text string) (m ShippedMilestone, ok bool) {
	if m, ok = parseShippedLine(text); ok {
		return m, true
	}
	item, _, isItem := doc.ParseItem(text)
	if box, _, isBox := doc.ParseCheckBox(text); isBox {
		item = box
	}
	if cells := doc.SplitCells(text); cells != nil {
		isItem, item = true, ""
		for _, cell := range cells {
			item += cell + " — "
		}
	}
	version, _ := parseVersion(item)
	if !isItem || version == "" || !startsWithVersion(item, version) || !isOver(item) || parseMilestoneState(item) != Shipped {
		return m, false
	}
	return ShippedMilestone{version, findDay(item), parseRange(item)}, true
}
