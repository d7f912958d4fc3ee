// Reading ROADMAP.md: line by line, with the section that a line stands in. What is not of a known form is prose and left alone.

package gsd

import (
	"fmt"
	"strings"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
)

// roadmapReader walks over the lines and remembers which section it is in.
type roadmapReader struct {
	r          *roadmap
	details    bool   // inside <details>
	detailsOf  string // version its summary names
	detailsWas milestoneState
	heading    string // version of the milestone heading above
	level      int    // of that heading
	phase      *roadPhase
	table      []string // head of the table the line before belongs to
	title      string   // of the last heading, lower case
	more       int      // line of the first phase too many, 0 for none
}

const (
	// maxMilestones is how many milestones are told apart: real roadmaps have
	// fewer than fifty.
	maxMilestones = 500
	// maxRoadPhases is how many phases of a roadmap count, and how many plans
	// of each: real ones have some hundred.
	maxRoadPhases, maxRoadPlans = 2000, 1000
)

// parseRoadmap reads ROADMAP.md. A file without a known form is a roadmap
// without phases; its only error is that there are too many.
func parseRoadmap(text string) (*roadmap, error) {
	rd := roadmapReader{r: newRoadmap()}
	rd.r.text = text
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Code || l.Comment {
			continue
		}
		rd.line(l)
	}
	if rd.more > 0 {
		return rd.r, &mirror.Fault{Line: rd.more, Text: fmt.Sprintf("more than %d phases; the rest is left out", maxRoadPhases), Minor: true}
	}
	return rd.r, nil
}

func (rd *roadmapReader) line(l doc.Line) {
	t := strings.TrimSpace(l.Text)
	if item, _, ok := doc.ParseItem(t); ok && strings.HasPrefix(item, "<details") {
		t = item // a milestone of the list, folded on one line
	}
	cells := doc.SplitCells(t)
	if cells == nil {
		rd.table = nil
	}
	switch {
	case t == "":
	case strings.HasPrefix(t, "<details"):
		rd.details, rd.detailsOf, rd.detailsWas = true, "", stateUnsaid
		rd.phase = nil
		if _, summary, ok := strings.Cut(t, "<summary>"); ok {
			rd.summary(summary, l.Number)
		}
		if strings.Contains(t, "</details") {
			rd.details, rd.detailsOf = false, ""
		}
	case strings.HasPrefix(t, "</details"):
		rd.details, rd.detailsOf = false, ""
		rd.phase = nil
	case strings.HasPrefix(t, "<summary>"):
		rd.summary(strings.TrimPrefix(t, "<summary>"), l.Number)
	case l.Level > 0:
		rd.head(l)
	case cells != nil:
		if !rd.over(cells, l.Number) {
			rd.row(cells)
		}
	default:
		rd.text(l, t)
	}
}

// summary is the title of a folded section: "✅ v1.0 MVP (Phases 1-7) — SHIPPED".
func (rd *roadmapReader) summary(t string, line int) {
	t, _, _ = strings.Cut(t, "</summary>")
	version, name := versionIn(t)
	rd.detailsWas = milestoneMark(t)
	if version == "" {
		rd.before(t)
		return
	}
	rd.detailsOf = version
	rd.milestone(version, name, t, line)
}

func (rd *roadmapReader) head(l doc.Line) {
	id, name, retired, ok := phaseTitle(l.Title)
	if ok && l.Level >= 2 && l.Level <= 4 {
		p := rd.add(id, name, l.Number)
		p.retired = p.retired || retired
		rd.phase = p
		return
	}
	rd.phase, rd.title = nil, strings.ToLower(l.Title)
	if l.Level > 3 {
		return
	}
	rd.before(l.Title)
	// A version further inside a title is that of something else: "Migration
	// to Node v22.1", "Roadmap: App v1.0".
	version, name := versionIn(l.Title)
	_, listed := rd.r.byVersion[version]
	if version != "" && (startsTitle(l.Title, version) || listed && l.Level > 1) {
		rd.heading, rd.level = version, l.Level
		m := rd.milestone(version, name, l.Title, l.Number)
		if s := milestoneMark(l.Title); s == stateActive && m.headed && m.state == stateShipped {
			m.state = s // of several headings one that is not closed counts, as for GSD
		}
		m.headed = true
		return
	}
	if l.Level <= rd.level {
		rd.heading, rd.level = "", 0
	}
}

// text is a list item, a field of the phase above, or prose.
func (rd *roadmapReader) text(l doc.Line, t string) {
	box, checked, isBox := doc.ParseCheckBox(t)
	if isBox {
		if id, name, retired, ok := phaseTitle(box); ok {
			p := rd.add(id, name, l.Number)
			p.listed, p.checked, p.retired = true, checked, p.retired || retired
			rd.phase = nil
			return
		}
		if rd.phase != nil && rd.plan(box, checked, l.Number) {
			return
		}
	}
	item, _, isItem := doc.ParseItem(t)
	if isBox {
		item = box
	} else if isItem && (strings.HasPrefix(item, "**") || strings.HasPrefix(item, "~~") || strings.HasPrefix(rd.title, "phases")) {
		// A list without boxes plans as well.
		if id, name, retired, ok := phaseTitle(item); ok {
			p := rd.add(id, name, l.Number)
			p.retired = p.retired || retired
			rd.phase = nil
			return
		}
	}
	if (isItem || milestoneSign(t)) && rd.phase == nil {
		if !isItem {
			item = t
		}
		rd.bullet(item, checked, isBox, l.Number)
		return
	}
	if name, value, ok := doc.ParseField(t); ok && rd.phase != nil {
		switch strings.ToLower(name) {
		case "goal":
			rd.phase.goal = value
		case "depends on":
			rd.phase.depends = value
		}
	}
}

// bullet is a milestone of the list: "🚧 **v1.1 Name** — Phases 3-7 (…)". Without bold it is one where it says that it is over:
// many a list begins with a version.
func (rd *roadmapReader) bullet(item string, checked, isBox bool, line int) {
	rd.before(item)
	_, inner, bold := strings.Cut(item, "**")
	if bold {
		if inner, _, bold = strings.Cut(inner, "**"); !bold {
			return
		}
	} else if inner = item; !overInWords(item) && !(isBox && checked && milestoneMark(item) == stateUnsaid) {
		return
	}
	version, name := versionIn(inner)
	if version == "" || !startsTitle(inner, version) {
		return
	}
	m := rd.milestone(version, name, item, line)
	if m.state == stateUnsaid && isBox && checked {
		m.state = stateShipped
	}
}

// before takes up a title of all that came before, by its range of phases: "Earlier milestones (Phases 1-12)". One that begins
// with a version is that of a milestone.
func (rd *roadmapReader) before(title string) {
	first, last, ok := phaseRange(title)
	lower := strings.ToLower(title)
	if !ok || !strings.Contains(lower, "milestone") && !strings.Contains(lower, "earlier phases") && !strings.Contains(lower, "previous phases") || len(rd.r.before) == maxMilestones {
		return
	}
	if milestoneMark(title) == stateShipped || strings.Contains(lower, "earlier") || strings.Contains(lower, "previous") || strings.Contains(lower, "past ") {
		rd.r.before = append(rd.r.before, roadMilestone{first: first, last: last, ranged: true})
	}
}

// plan is a plan's check box below a phase: "- [x] 03-02: text", "- [ ]
// 03-02-PLAN.md — text".
func (rd *roadmapReader) plan(box string, checked bool, line int) bool {
	t := strings.TrimLeft(box, "*`")
	id, rest, ok := parsePhaseID(t)
	if !ok {
		return false
	}
	text := id.text
	if len(id.sort.segments) == 0 {
		n := digits(strings.TrimPrefix(rest, "-"))
		if !strings.HasPrefix(rest, "-") || n == 0 {
			return false
		}
		text, rest = text+rest[:1+n], rest[1+n:]
	}
	rest = strings.TrimPrefix(rest, "-PLAN.md")
	rest = strings.TrimLeft(rest, "*`: —–-")
	if len(rd.phase.plans) == maxRoadPlans {
		return true
	}
	rd.phase.plans = append(rd.phase.plans, roadPlan{id: text, name: doc.StripMarks(rest), checked: checked, line: line})
	return true
}

// over is a row of a table that puts away a milestone: "v1.1 Name | 3-4 | ✅ Shipped". "Complete" may be said of much else that
// has a version.
func (rd *roadmapReader) over(cells []string, line int) bool {
	plain := make([]string, len(cells))
	for i, cell := range cells {
		plain[i] = doc.StripMarks(cell)
		if i > 0 && rangeAlone(plain[i]) {
			plain[i] = "Phases " + plain[i]
		}
	}
	version, name := versionIn(plain[0])
	text := strings.Join(plain, " — ")
	if version == "" || !startsTitle(plain[0], version) || !overInWords(text) || strings.Contains(strings.ToLower(text), "complete") && !strings.Contains(strings.ToLower(text), "shipped") {
		return false
	}
	rd.milestone(version, name, text, line)
	return true
}

// row is a row of the progress table; columns are known by their heads.
func (rd *roadmapReader) row(cells []string) {
	if rd.table == nil {
		rd.table = cells
		return
	}
	if doc.IsTableRule(cells) {
		return
	}
	cell := func(head string) string {
		for i, h := range rd.table {
			if i < len(cells) && strings.EqualFold(h, head) {
				return doc.StripMarks(cells[i])
			}
		}
		return ""
	}
	if cell("Status") == "" && cell("Plans Complete") == "" {
		return
	}
	id, rest, ok := parsePhaseID(strings.TrimPrefix(cell("Phase"), "Phase "))
	if !ok {
		return
	}
	rest = phaseSpan(&id, rest)
	name := strings.TrimSpace(strings.TrimLeft(rest, ".:-–— "))
	p := rd.r.byKey[id.key]
	if p == nil {
		p = rd.add(id, name, 0)
		p.milestone, _ = versionIn(cell("Milestone"))
	}
	if p.milestone == "" {
		p.milestone, _ = versionIn(cell("Milestone"))
	}
	p.status, p.completed = cell("Status"), cell("Completed")
}

// add returns the phase with that number, new or known.
func (rd *roadmapReader) add(id phaseID, name string, line int) *roadPhase {
	p := rd.r.byKey[id.key]
	if p == nil {
		p = &roadPhase{id: id, name: name, line: line, milestone: rd.section(), shipped: rd.folded()}
		if len(rd.r.byKey) == maxRoadPhases {
			if rd.more == 0 {
				rd.more = max(line, 1)
			}
			return p // which nobody will see
		}
		if id.sentinel() {
			rd.r.backlog = append(rd.r.backlog, p)
		} else {
			rd.r.phases = append(rd.r.phases, p)
		}
		rd.r.byKey[id.key] = p
		return p
	}
	if section := rd.section(); p.shipped && !rd.folded() && section != "" && section != p.milestone {
		// A number used again: what is not over goes before what has shipped.
		*p = roadPhase{id: id, name: name, line: line, milestone: section}
		return p
	}
	if p.name == "" {
		p.name = name
	}
	if p.milestone == "" {
		p.milestone = rd.section()
	}
	if p.line == 0 {
		p.line = line
	}
	p.shipped = p.shipped && rd.folded()
	return p
}

// section returns the version of the milestone whose section this is.
func (rd *roadmapReader) section() string {
	if rd.details && rd.detailsOf != "" {
		return rd.detailsOf
	}
	return rd.heading
}

func (rd *roadmapReader) folded() bool { return rd.details && rd.detailsWas == stateShipped }

// milestone returns the milestone of that version, new or known, with what the
// text says about it added.
func (rd *roadmapReader) milestone(version, name, text string, line int) *roadMilestone {
	i, known := rd.r.byVersion[version]
	if !known {
		i = len(rd.r.milestones)
		if i == maxMilestones {
			return &roadMilestone{version: version} // read, and not kept
		}
		rd.r.milestones = append(rd.r.milestones, roadMilestone{version: version, line: line})
		rd.r.byVersion[version] = i
	}
	m := &rd.r.milestones[i]
	if m.name == "" {
		m.name = name
	}
	s := milestoneMark(text)
	if m.state == stateUnsaid {
		m.state = s
	}
	if m.on == "" && s == stateShipped {
		m.on = dayIn.FindString(text)
	}
	if !m.ranged {
		m.first, m.last, m.ranged = phaseRange(text)
	}
	return m
}
