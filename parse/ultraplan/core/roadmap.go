package core

import "gatehouse/parse/doc"

// maxPhases limits the number of phases, because for each the prompt has to list a directory.
const maxPhases = 1000

// RoadmapPhase is a phase that ROADMAP.md names.
type RoadmapPhase struct {
	Number, Name string
	Checked      bool // its box is checked off
	Skipped      bool // the roadmap marks it as skipped
	Plans        int  // number of announced plans, 0 if there is none
	IsVague      bool // it announces plans in words that can't be read
	Line         int  // of its first mention
}

// Roadmap is a ROADMAP.md.
type Roadmap struct {
	Phases []RoadmapPhase // in the order of the file, each number once
}

// ParseRoadmap parses a ROADMAP.md: its phases in lists and headings, "- [x] **Phase 3: Name** - what", "### Phase 3: Name", and their
// numbers of plans: "(0/3 plans)" on the line, "**Plans**: 3 plans" and a list of plans below the heading, or the cell "0/3" of a table.
func ParseRoadmap(text string) *Roadmap {
	r := &Roadmap{}
	at, listed := -1, 0 // index of the phase of the heading above, and the number of its listed plans
	var columns []string
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Code || l.Comment {
			continue
		}
		cells := doc.SplitCells(l.Text)
		if cells == nil {
			columns = nil
		} else if columns == nil {
			columns = cells
			continue
		}
		if l.Level > 0 && l.Level < 4 {
			at, listed = -1, 0
		}
		if p, ok := parseRoadmapPhase(doc.Trim(l.Text)); ok {
			p.Line = l.Number
			if i := r.addPhase(&p); l.Level > 0 {
				at = i
			}
		} else if cells != nil {
			r.addRow(columns, cells, l.Number)
		} else if at < 0 {
			continue
		} else if f, ok := ParseField(l.Text); ok && EqualFold(f.Name, "plans") {
			n, ok := parsePlanTotal(f.Value)
			r.addPhase(&RoadmapPhase{Number: r.Phases[at].Number, Plans: n, IsVague: !ok})
		} else if box, _, ok := doc.ParseCheckBox(l.Text); ok && CompareNumbers(phaseOfPlan(box), r.Phases[at].Number) == 0 {
			listed++
			r.addPhase(&RoadmapPhase{Number: r.Phases[at].Number, Plans: listed})
		}
	}
	return r
}

// phaseOfPlan returns the phase of the plan that an item names, "03" of "**03-01**: name" and "03-01-PLAN.md"; "" for other items.
func phaseOfPlan(item string) string {
	phase, _ := SplitPlan(PlanAt(doc.StripMarks(item)))
	return phase
}

// addPhase adds a phase, or updates the plans of one that exists already: the largest number counts. It returns its index, -1 if there are
// too many.
func (r *Roadmap) addPhase(p *RoadmapPhase) int {
	for i := range r.Phases {
		if was := &r.Phases[i]; CompareNumbers(was.Number, p.Number) == 0 {
			was.Plans, was.IsVague = max(was.Plans, p.Plans), was.IsVague || p.IsVague
			return i
		}
	}
	if len(r.Phases) == maxPhases {
		return -1
	}
	r.Phases = append(r.Phases, *p)
	return len(r.Phases) - 1
}

// addRow reads a row of a table of phases: "| 1. Foundation | 0/3 | Not started |".
func (r *Roadmap) addRow(columns, cells []string, number int) {
	if !HasPrefixFold(columns[0], "Phase") {
		return
	}
	name := cells[0]
	if doc.HasPrefix(name, "Phase ") {
		name = name[len("Phase "):]
	}
	p := RoadmapPhase{Number: LeadingNumber(name), Line: number}
	for p.Name = name[len(p.Number):]; p.Name != "" && doc.Contains(".:-) ", p.Name[:1]); {
		p.Name = p.Name[1:]
	}
	for i := 1; i < min(len(columns), len(cells)) && p.Number != ""; i++ {
		if HasPrefixFold(columns[i], "plans") {
			n, ok := parsePlanTotal(cells[i])
			done, total, _ := planCount(cells[i] + " plans")
			if p.Plans, p.IsVague = n, !ok; r.has(p.Number) || done < total || total == 0 && n > 0 {
				r.addPhase(&p) // a phase that is named nowhere else, and is done, belongs to an earlier milestone
			}
		}
	}
}

func (r *Roadmap) has(number string) bool {
	for i := range r.Phases {
		if CompareNumbers(r.Phases[i].Number, number) == 0 {
			return true
		}
	}
	return false
}

// parsePlanTotal reads "3 plans", "2/3", "1 of 3 complete" and "3 (one of them later)". ok is false for words that may mean any number;
// "TBD" and the like mean none yet.
func parsePlanTotal(text string) (total int, ok bool) {
	text = doc.Lower(doc.Trim(doc.StripMarks(text)))
	if text == "" || IsNone(text) || doc.Contains("-[?", text[:1]) || doc.HasPrefix(text, "tbd") {
		return 0, true
	}
	n := doc.CountDigits(text)
	if n == 0 || text[0] == '0' && n > 1 { // "01-02" is a plan
		return 0, false
	}
	total = ParseCount(text[:n])
	text = doc.Trim(text[n:])
	for _, between := range [...]string{"/", "of "} {
		if doc.HasPrefix(text, between) {
			text = doc.Trim(text[len(between):])
			n = doc.CountDigits(text)
			total, text = max(total, ParseCount(text[:n])), doc.Trim(text[n:])
			break
		}
	}
	for _, after := range [...]string{"plan", "total", "complete", "done", "(", ",", ";", "."} {
		if doc.HasPrefix(text, after) {
			return total, true
		}
	}
	if text != "" {
		return 0, false
	}
	return total, true
}

// parseRoadmapPhase parses a line as a phase: a heading, a check box, or an item that begins with a bold phase.
func parseRoadmapPhase(l string) (p RoadmapPhase, ok bool) {
	rest := l
	if item, _, isItem := doc.ParseItem(l); isItem {
		if rest = item; !doc.HasPrefix(item, "**Phase ") {
			rest, p.Checked, isItem = doc.ParseCheckBox(l)
		}
		if !isItem {
			return p, false
		}
	} else if !doc.HasPrefix(l, "#") {
		return p, false
	}
	for rest != "" && doc.Contains("#* ", rest[:1]) {
		rest = rest[1:]
	}
	if !doc.HasPrefix(rest, "Phase ") {
		return p, false
	}
	rest = rest[len("Phase "):]
	if p.Number = LeadingNumber(rest); p.Number == "" {
		return p, false
	}
	inserted, name, ok := cutName(rest[len(p.Number):]) // "Phase 2.1 (INSERTED): name"
	for i := range len(inserted) {
		c := inserted[i]
		ok = ok && (c == ' ' || c == '(' || c == ')' || c|0x20 >= 'a' && c|0x20 <= 'z')
	}
	if !ok {
		return p, false
	}
	p.Skipped = doc.Contains(name, "SKIPPED")
	_, inside, _ := doc.Cut(name, "(")
	inside, _, _ = doc.Cut(inside, ")")
	if n, ok := parsePlanTotal(inside); doc.HasSuffix(inside, " plans") || n > 0 && ok && doc.Contains(inside, "plan") {
		p.Plans, p.IsVague = n, !ok
	}
	name, _, _ = doc.Cut(name, "*")
	p.Name = doc.Trim(name)
	return p, true
}

// cutName splits the text after the number of a phase: " (INSERTED): name", " - name", or nothing.
func cutName(rest string) (inserted, name string, ok bool) {
	inserted = rest
	for _, between := range [...]string{":", " - ", " – ", " — "} { // the first of them in the text
		if before, after, found := doc.Cut(rest, between); found && len(before) < len(inserted) {
			inserted, name, ok = before, after, true
		}
	}
	if ok {
		return inserted, name, true
	}
	for rest != "" && doc.Contains("* ", rest[:1]) { // "**Phase 3**"
		rest = rest[1:]
	}
	return "", "", rest == ""
}
