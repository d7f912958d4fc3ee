package core

import (
	"cmp"
	"slices"

	"gatehouse/parse/doc"
)

// Roadmap is a ROADMAP.md: the milestones and the phases that are planned in them.
type Roadmap struct {
	Milestones []Milestone
	Earlier    []PhaseRange // all phases before the separately listed milestones
	Phases     []*RoadPhase // in the order they first appear
	Backlog    []*RoadPhase
	ByKey      map[string]*RoadPhase

	text string
}

// RoadPhase is a phase as the roadmap has it.
type RoadPhase struct {
	ID        PhaseID
	Name      string
	Line      int
	Milestone string // version of the section, "" without one
	IsListed  bool   // it has a check box
	IsChecked bool
	IsRetired bool // struck through: no longer planned
	IsFolded  bool // only in a folded section of a shipped milestone
	Goal      string
	DependsOn string
	Status    string // of the progress table
	Completed string // of the progress table: a day

	rank nameRank
}

// nameRank is the origin of a phase's name; the highest counts.
type nameRank uint8

const (
	rankNone    nameRank = iota
	rankTable            // a row of the progress table
	rankItem             // a list item without a box, which may be a remark
	rankBox              // a list item with a box
	rankHeading          // a heading
)

const maxRoadPhases = 2000

// Find returns the milestone of a version, nil without one.
func (r *Roadmap) Find(version string) *Milestone {
	for i := range r.Milestones {
		if r.Milestones[i].Version == version {
			return &r.Milestones[i]
		}
	}
	return nil
}

// stateOf returns the state of the milestone of a version.
func (r *Roadmap) stateOf(version string) MilestoneState {
	if m := r.Find(version); m != nil {
		return m.State
	}
	return StateUnknown
}

// UnderWay returns the milestone in progress, else the last one that has shipped, else nil.
func (r *Roadmap) UnderWay() (last *Milestone) {
	for i := range r.Milestones {
		switch m := &r.Milestones[i]; m.State {
		case InProgress:
			return m
		case Shipped:
			last = m
		}
	}
	return last
}

// ownerOf returns the version of the milestone of a phase: by its section, else by the ranges, the current milestone's
// first, as numbering may restart.
func (r *Roadmap) ownerOf(id PhaseID, current string) string {
	if p := r.ByKey[id.Key]; p != nil && r.Find(p.Milestone) != nil {
		return p.Milestone
	}
	if m := r.Find(current); m != nil && m.Range.HasPhase(id) {
		return current
	}
	for i := range r.Milestones {
		if m := &r.Milestones[i]; m.Range.HasPhase(id) {
			return m.Version
		}
	}
	return ""
}

// lastPhase returns the last phase of a milestone: by its range, else by its section.
func (r *Roadmap) lastPhase(version string) (last PhaseID, ok bool) {
	if m := r.Find(version); m != nil && m.Range.IsSet {
		return m.Range.Last, true
	}
	for _, phase := range r.Phases {
		if phase.Milestone == version && version != "" && (!ok || last.Compare(phase.ID) < 0) {
			last, ok = phase.ID, true
		}
	}
	return last, ok
}

// isEarlier reports whether a number is in a range of earlier phases.
func (r *Roadmap) isEarlier(id PhaseID) bool {
	return slices.ContainsFunc(r.Earlier, func(e PhaseRange) bool { return e.HasPhase(id) })
}

// NewRoadmap returns the roadmap of an empty file.
func NewRoadmap() *Roadmap { return &Roadmap{ByKey: map[string]*RoadPhase{}} }

// ParseRoadmap parses a ROADMAP.md. Text in an unknown form is prose.
func ParseRoadmap(text string) (*Roadmap, error) {
	p := roadmapParser{Roadmap: NewRoadmap()}
	p.text = text
	for l := range doc.Lines(text, 0, len(text)) {
		if !l.Code && !l.Comment {
			p.parseLine(l)
		}
	}
	if p.excess > 0 {
		return p.Roadmap, &ParseError{Line: p.excess, Text: "more than " + formatNumber(maxRoadPhases) + " phases; the rest is ignored", Minor: true}
	}
	return p.Roadmap, nil
}

// roadmapParser remembers the section that a line is in.
type roadmapParser struct {
	*Roadmap
	inDetails    bool
	detailsOf    string // version of the summary, inside <details>
	detailsState MilestoneState
	heading      string // version of the heading above
	level        int    // of that heading
	title        string // of the last heading, in lower case
	phase        *RoadPhase
	table        []string // head of the table
	excess       int      // line of the first phase too many
}

func (p *roadmapParser) parseLine(l doc.Line) {
	t := doc.Trim(l.Text)
	if item, _, ok := doc.ParseItem(t); ok && doc.HasPrefix(item, "<details") {
		t = item // a milestone of the list, folded on one line
	}
	cells := doc.SplitCells(t)
	if cells == nil {
		p.table = nil
	}
	switch {
	case t == "":
	case hasAnyPrefix(t, "<details", "</details"):
		p.inDetails, p.detailsOf, p.detailsState, p.phase = !doc.Contains(t, "</details"), "", StateUnknown, nil
		if _, summary, ok := doc.Cut(t, "<summary>"); ok {
			p.parseSummary(summary, l.Number)
		}
	case doc.HasPrefix(t, "<summary>"):
		p.parseSummary(t[len("<summary>"):], l.Number)
	case l.Level > 0:
		p.parseHeading(l)
	case cells != nil:
		if !p.parseOverRow(cells, l.Number) {
			p.parseRow(cells)
		}
	default:
		p.parseText(t, l.Number)
	}
}

// parseSummary parses the title of a folded section: "✅ v1.0 MVP (Phases 1-7) — SHIPPED".
func (p *roadmapParser) parseSummary(t string, line int) {
	t, _, _ = doc.Cut(t, "</summary>")
	version, name := parseVersion(t)
	if p.inDetails {
		p.detailsOf, p.detailsState = version, parseMilestoneState(t)
	}
	if version == "" {
		p.addEarlier(t)
	} else {
		p.addMilestone(version, name, t, line)
	}
}

func (p *roadmapParser) parseHeading(l doc.Line) {
	if phase := parsePhaseTitle(l.Title); phase != nil && l.Level >= 2 && l.Level <= 4 {
		phase.Line, phase.rank = l.Number, rankHeading
		p.phase = p.addPhase(phase)
		return
	}
	p.phase, p.title = nil, doc.Lower(l.Title)
	if l.Level > 3 {
		return
	}
	p.addEarlier(l.Title)
	// A version further inside a title belongs to something else: "Migration to Node v22.1", "Roadmap: App v1.0".
	version, name := parseVersion(l.Title)
	leading, _ := leadingVersion(l.Title)
	isKnown := p.Find(version) != nil
	if isNote := isNoteTitle(name); version != "" && (isKnown || !isNote) && (leading != "" || isKnown && l.Level > 1) {
		p.heading, p.level = version, l.Level
		if isNote {
			return
		}
		m := p.addMilestone(version, name, l.Title, l.Number)
		if m.hasHeading && m.State == Shipped && parseMilestoneState(l.Title) == InProgress {
			m.State = InProgress // of several headings one that is not closed counts, as for GSD
		}
		m.hasHeading = true
		return
	}
	if l.Level <= p.level {
		p.heading, p.level = "", 0
	}
}

// isNoteTitle reports whether the words after a version in a heading are about the milestone, and not its name: "v1.2 Progress".
func isNoteTitle(name string) bool {
	return isOneOf(firstWord(name), "progress", "phase", "phases", "ordering", "coverage", "requirements", "overview", "details", "notes", "rationale")
}

// parseText parses a list item, a field of the phase above, or prose.
func (p *roadmapParser) parseText(t string, line int) {
	box, isChecked, isBox := doc.ParseCheckBox(t)
	item, _, isItem := doc.ParseItem(t)
	rank := rankItem
	if isBox {
		item, rank = box, rankBox
	}
	switch phase := parsePhaseTitle(item); {
	case phase != nil && (isBox || hasAnyPrefix(item, "**", "~~") || doc.HasPrefix(p.title, "phases")):
		phase.Line, phase.rank, phase.IsListed, phase.IsChecked = line, rank, isBox, isChecked
		p.addPhase(phase)
		p.phase = nil
	case p.phase == nil && isItem:
		p.parseMilestoneItem(item, isChecked, line)
	case p.phase == nil && hasOverSign(t):
		p.parseMilestoneItem(t, false, line)
	case p.phase == nil, isBox:
	default:
		name, value, _ := doc.ParseField(t)
		switch doc.Lower(name) {
		case "goal":
			p.phase.Goal = value
		case "depends on":
			p.phase.DependsOn = value
		}
	}
}

// parseMilestoneItem parses a milestone of the list: "🚧 **v1.1 Name** — Phases 3-7 (…)". An item without bold counts if
// it calls itself over: many lists begin with a version.
func (p *roadmapParser) parseMilestoneItem(item string, isChecked bool, line int) {
	p.addEarlier(item)
	title := item
	if _, bold, isBold := doc.Cut(item, "**"); isBold {
		if title, _, isBold = doc.Cut(bold, "**"); !isBold {
			return
		}
	} else if !isOver(item) && !(isChecked && parseMilestoneState(item) == StateUnknown) {
		return
	}
	version, name := leadingVersion(title)
	if version == "" {
		return
	}
	if m := p.addMilestone(version, name, item, line); m.State == StateUnknown && isChecked {
		m.State = Shipped
	}
}

// addEarlier adds a title for all earlier milestones, by its range of phases: "Earlier milestones (Phases 1-12)".
func (p *roadmapParser) addEarlier(title string) {
	r, lower := parseRange(title), doc.Lower(title)
	if !r.IsSet || !containsAny(lower, "milestone", "earlier phases", "previous phases") || len(p.Earlier) == maxMilestones {
		return
	}
	if parseMilestoneState(title) == Shipped || containsAny(lower, "earlier", "previous", "past ") {
		p.Earlier = append(p.Earlier, r)
	}
}

// parseOverRow parses a row of a table that closes a milestone: "v1.1 Name | 3-4 | ✅ Shipped". "Complete" may describe
// many other things with a version.
func (p *roadmapParser) parseOverRow(cells []string, line int) bool {
	version, name := leadingVersion(doc.StripMarks(cells[0]))
	text := joinCells(cells)
	if lower := doc.Lower(text); version == "" || !isOver(text) || doc.Contains(lower, "complete") && !doc.Contains(lower, "shipped") {
		return false
	}
	p.addMilestone(version, name, text, line)
	return true
}

// parseRow parses a row of the progress table, whose columns are known by their heads. A range of phases is not a phase.
func (p *roadmapParser) parseRow(cells []string) {
	if p.table == nil {
		p.table = cells
		return
	}
	cell := func(head string) string {
		for i, h := range p.table {
			if i < len(cells) && equalFold(h, head) {
				return doc.StripMarks(cells[i])
			}
		}
		return ""
	}
	title := cutPrefix(cell("Phase"), "Phase ")
	id, rest, ok := ParsePhaseID(title)
	_, isSpan := cutSpan(&PhaseID{}, rest)
	if !ok || isSpan || doc.IsTableRule(cells) || cell("Status")+cell("Plans Complete") == "" || isRangeCell(title) || len(id.segments) > 0 && p.ByKey[id.Key] == nil {
		return
	}
	phase := p.addPhase(&RoadPhase{ID: id, Name: doc.Trim(trimLeft(rest, ".:-–— ")), rank: rankTable})
	if version, _ := parseVersion(cell("Milestone")); phase.Milestone == "" || phase.rank == rankTable && version != "" {
		phase.Milestone = version
	}
	phase.Status, phase.Completed = cell("Status"), cell("Completed")
}

// addPhase adds a phase, or merges it into the one with its number, and returns that one.
func (p *roadmapParser) addPhase(fresh *RoadPhase) *RoadPhase {
	fresh.Milestone, fresh.IsFolded = cmp.Or(p.detailsOf, p.heading), p.detailsState == Shipped
	phase := p.ByKey[fresh.ID.Key]
	switch {
	case phase == nil && len(p.ByKey) == maxRoadPhases:
		p.excess = cmp.Or(p.excess, max(fresh.Line, 1))
		return fresh
	case phase == nil:
		list := &p.Phases
		if fresh.ID.IsBacklog() {
			list = &p.Backlog
		}
		*list, p.ByKey[fresh.ID.Key] = append(*list, fresh), fresh
		return fresh
	case phase.IsFolded && !fresh.IsFolded && fresh.Milestone != "" && fresh.Milestone != phase.Milestone:
		*phase = *fresh // the number is used again
		return phase
	case phase.IsRetired != fresh.IsRetired && fresh.Milestone != "" && phase.Milestone != "" && fresh.Milestone != phase.Milestone:
		if phase.IsRetired {
			*phase = *fresh // it was moved there
		}
		return phase
	case phase.Name == "" || fresh.Name != "" && fresh.rank > phase.rank:
		if phase.rank < rankBox {
			phase.Line = cmp.Or(fresh.Line, phase.Line)
		}
		phase.Name, phase.rank = fresh.Name, fresh.rank
	}
	phase.Milestone, phase.Line = cmp.Or(phase.Milestone, fresh.Milestone), cmp.Or(phase.Line, fresh.Line)
	phase.IsFolded, phase.IsRetired = phase.IsFolded && fresh.IsFolded, phase.IsRetired || fresh.IsRetired
	if fresh.IsListed {
		phase.IsListed, phase.IsChecked = true, fresh.IsChecked
	}
	return phase
}

// addMilestone returns the milestone of a version, new or known, updated from a text.
func (p *roadmapParser) addMilestone(version, name, text string, line int) *Milestone {
	m, state := p.Find(version), parseMilestoneState(text)
	if m == nil {
		if len(p.Milestones) == maxMilestones {
			return &Milestone{}
		}
		p.Milestones = append(p.Milestones, Milestone{Version: version, Line: line})
		m = &p.Milestones[len(p.Milestones)-1]
	}
	m.Name, m.State = cmp.Or(m.Name, name), cmp.Or(m.State, state)
	if state == Shipped {
		m.On = cmp.Or(m.On, findDay(text))
	}
	if !m.Range.IsSet {
		m.Range = parseRange(text)
	}
	return m
}

// parsePhaseTitle parses "Phase 4.5: Name" in a heading or a list item, with or without bold, a tag before it or after the number
// ("(INSERTED)"), nil for other texts. A phase that is struck through is retired.
func parsePhaseTitle(t string) *RoadPhase {
	t = cutTag(t, "[", "]")
	isRetired := doc.HasPrefix(trimLeft(t, "*"), "~~")
	isBold := doc.HasPrefix(trimLeft(t, "~"), "**")
	if t = trimLeft(t, "*~ "); !hasPrefixFold(t, "Phase ") {
		return nil
	}
	id, rest, ok := ParsePhaseID(doc.Trim(t[len("Phase "):]))
	rest, _ = cutSpan(&id, rest)
	if isBold {
		rest, _, _ = doc.Cut(rest, "**")
	}
	rest = cutTag(trim(rest, "*~"), "(", ")")
	name := rest
	for _, sign := range [...]string{":", "—", "–", "- "} {
		if name == rest {
			name = cutPrefix(rest, sign)
		}
	}
	if !ok || rest != "" && name == rest && !isBold {
		return nil // "Phase 4 was hard" is prose
	}
	return &RoadPhase{ID: id, Name: cleanPhaseName(name, isBold), IsRetired: isRetired}
}

// cutSpan takes a range after a number, "8.1–8.9", into the number.
func cutSpan(id *PhaseID, rest string) (after string, isSpan bool) {
	for _, dash := range [...]string{"–", "-"} {
		if doc.HasPrefix(rest, dash) {
			if last, tail, ok := ParsePhaseID(rest[len(dash):]); ok {
				id.Text += dash + last.Text
				id.Key += "-" + last.Key
				return tail, true
			}
		}
	}
	return rest, false
}

// cleanPhaseName removes text that is not part of the name: "(INSERTED)" and, if no bold marks the end of the name, the
// counts and days after it.
func cleanPhaseName(t string, isBold bool) string {
	t = doc.StripMarks(t)
	for _, tag := range [...]string{"(INSERTED)", "[INSERTED]"} {
		before, after, _ := doc.Cut(t, tag)
		t = before + after
	}
	if !isBold {
		if i := doc.LastIndex(t, "("); i > 0 && doc.Contains(t[i:], "plan") {
			t = t[:i]
		}
		t = cutAny(t, " — completed", " - completed", " – completed")
	}
	return doc.Trim(t)
}
