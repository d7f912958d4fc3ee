package core

import (
	"gatehouse/parse/doc"
)

// MilestoneState is the state of a milestone according to a file.
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

// HasPhase reports whether a number is in the range. A phase inserted after the last one, 7.1 after 7, counts.
func (r *PhaseRange) HasPhase(id PhaseID) bool {
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

// hasOverSign reports whether a line begins with a sign that a milestone is over.
func hasOverSign(t string) bool { return hasAnyPrefix(t, "✅", "🗄") }

// isOver reports whether a line that is not a heading calls a milestone over or put aside, by its first sign or by an
// unambiguous word. "Complete" is not enough.
func isOver(t string) bool {
	hasWord := doc.Contains(t, "✅") || containsAny(doc.Lower(cutMilestoneName(t)), "shipped", "closed", "archived", "abandoned")
	isOver := hasOverSign(trimLeft(t, "-* ")) || isParked(t) || hasWord && parseMilestoneState(t) == Shipped
	return isOver && !containsAny(t, "🚧", "🔄")
}

func isParked(t string) bool { return containsAny(doc.Lower(cutMilestoneName(t)), "parked", "on hold") }

var (
	startedPhrases = []string{"started|active|wip", "in progress"}
	closedPhrases  = []string{"closed|archived|abandoned|shipped|failed"}
)

// parseMilestoneState parses the state of a milestone: from the sign next to it, else from the words after its name,
// which itself may be "Closed Beta". A word for "over" counts only without a word for the opposite.
func parseMilestoneState(t string) MilestoneState {
	switch all := splitWords(cutMilestoneName(t)); {
	case isParked(t): // regardless of its sign
		return Planned
	case containsAny(t, "🚧", "🔄"):
		return InProgress
	case containsAny(t, "✅", "🗄"):
		return Shipped
	case doc.Contains(t, "📋"), all.hasAny([]string{"not started", "planned|upcoming"}):
		return Planned
	case all.hasAny(startedPhrases):
		return InProgress
	case all.hasAny(closedPhrases), all.hasAny([]string{"completed|complete"}):
		return Shipped
	}
	return StateUnknown
}

// cutMilestoneName returns the text after a milestone's name: after the bold, else from the first bracket or dash.
func cutMilestoneName(t string) string {
	if _, rest, ok := doc.Cut(t, "**"); ok {
		if _, after, closed := doc.Cut(rest, "**"); closed && doc.Trim(after) != "" {
			return after
		}
	}
	return t[len(cutAny(t, "(", "—", "–", " - ", ": Phase", ": phase")):]
}

// parseRange parses "Phases 3-7", "Phases 8+" or "Phase 4" in a text.
func parseRange(t string) (r PhaseRange) {
	_, rest, found := doc.Cut(t, "hases ") // in either case
	if !found {
		_, rest, _ = doc.Cut(t, "Phase ")
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
	}
	for _, dash := range [...]string{"–", "—", "-", "to ", "through ", "..", ","} {
		if doc.HasPrefix(rest, dash) {
			if last, _, ok := ParsePhaseID(doc.Trim(rest[len(dash):])); ok && (dash != "," || last.number == r.First.number+1) {
				r.Last = last
			}
		}
	}
	return r
}

// isSpan reports whether the range is set and has more than one phase.
func (r *PhaseRange) isSpan() bool { return r.IsSet && r.First.Key != r.Last.Key }

// isRangeCell reports whether a cell of a table is a range of phases: "3-4", "1–2", "8 to 9".
func isRangeCell(cell string) bool {
	r := parseRange("Phases " + cell)
	return r.isSpan() && isOneOf(trim(cell, "0123456789. -–—"), "", "to", "through")
}

// joinCells returns the cells of a table row as the text of a list item, a range of phases with the word before it.
func joinCells(cells []string) (text string) {
	for _, cell := range cells {
		if cell = doc.StripMarks(cell); isRangeCell(cell) {
			cell = "Phases " + cell
		}
		text += cell + " — "
	}
	return text
}

// findDay returns the first day in a text, "2026-01-15"; "" without one.
func findDay(text string) string {
	const length = len("2026-01-15")
	for i := 0; i+length <= len(text); i++ {
		if _, ok := doc.ParseSeconds(text[i : i+length]); ok {
			return text[i : i+length]
		}
	}
	return ""
}

// parseShippedLine parses a line of STATE.md that calls a milestone over and says which phases it had: "v1.0 shipped 2026-01-01 (Phases
// 1-2)", "| v1.0 Old | 1-2 | shipped |".
func parseShippedLine(line string) (m ShippedMilestone, ok bool) {
	m, ok = parseShippedItem(line)
	return m, ok && m.Range.isSpan()
}

// parseShippedItem parses a list item or a row of a table of MILESTONES.md: it begins with a version and calls it over.
// Other lines must have a range of phases.
func parseShippedItem(line string) (m ShippedMilestone, ok bool) {
	text, _, isItem := doc.ParseItem(line)
	if box, _, isBox := doc.ParseCheckBox(line); isBox {
		text = box
	} else if cells := doc.SplitCells(line); cells != nil {
		text, isItem = joinCells(cells), true
	} else if !isItem {
		text = line
	}
	version, _ := leadingVersion(text)
	if version == "" {
		return m, false
	}
	_, rest, _ := doc.Cut(text, version)
	words := splitWords(rest)
	saysOver := doc.Contains(text, "✅") || words.hasAny([]string{"shipped|archived|closed"}) && !words.hasAny([]string{"not shipped|archived|closed"})
	m = ShippedMilestone{version, findDay(text), parseRange(text)}
	return m, saysOver && m.Range.isSpan() || isItem && isOver(text) && parseMilestoneState(text) == Shipped
}

// ParseMilestones parses MILESTONES.md: the milestones that have shipped, as headings, list items or rows of a table.
func ParseMilestones(text string) (*[]ShippedMilestone, error) {
	var all []ShippedMilestone
	level := 0 // of the heading of the entry that a line is below
	for l := range doc.Lines(text, 0, len(text)) {
		switch version := entryVersion(l.Title, l.Level); {
		case l.Code || l.Comment || len(all) == maxMilestones:
		case version != "":
			level = l.Level
			if state := parseMilestoneState(l.Title); state != InProgress && state != Planned {
				all = append(all, ShippedMilestone{version, findDay(l.Title), parseRange(l.Title)})
			}
		case l.Level > 0:
			if l.Level <= level {
				level = 0
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

// parseCompletedRange parses a range in the phases of an entry: "1-4 (9 plans)", "13 phases (19–32 incl. 18.1)". "5
// phases, 12 plans" is not a range.
func parseCompletedRange(value string) PhaseRange {
	_, inner, _ := doc.Cut(value, "(")
	for _, text := range [...]string{value, inner} {
		if hasPrefixFold(text, "phase") {
			_, text, _ = doc.Cut(text, " ")
		}
		if r := parseRange("Phases " + text); r.isSpan() && r.Last.number != maxInt {
			return r
		}
	}
	return PhaseRange{}
}

// entryVersion returns the version of the milestone whose entry a heading of MILESTONES.md begins, "" for other lines:
// "v1.0 Old", "Milestone v1.0", "Release 1.0", "Old (v1.0)", "3. Old v1.0 — shipped 2026-01-15". A version further
// inside belongs to something else, "Migration to Node v22.1", unless the title calls it over.
func entryVersion(title string, level int) string {
	version, _ := parseVersion(title)
	leading, _ := leadingVersion(title)
	switch {
	case level == 0 || level > 3:
		return ""
	case version == "":
		return ""
	case leading != "", parseMilestoneState(title) == Shipped:
		return version
	}
	before := title[:doc.Index(title, version)]
	all := splitWords(before)
	isLabel := len(all) == 1 || len(all) == 2 && doc.CountDigits(all[1]) == len(all[1])
	if level <= 2 && (doc.HasSuffix(before, "(") || doc.HasSuffix(before, "[") || isLabel && isOneOf(all[0], "release", "version", "milestone")) {
		return version
	}
	return ""
}
