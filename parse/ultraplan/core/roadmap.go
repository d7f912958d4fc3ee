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
// A phase may be named only in that table.
func ParseRoadmap(text string) *Roadmap {
	r := &Roadmap{}
	at, listed := -1, 0 // index of the phase of the heading above, and the number of its listed plans
	var columns []string
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Code || l.Comment {
			continue
		}
		t := doc.Trim(l.Text)
		if t == "" || !doc.Contains("#-*+|P", t[:1]) && doc.CountDigits(t) == 0 && l.Level == 0 {
			columns = nil
			continue // prose
		}
		if l.Level > 0 && l.Level < 4 {
			at, listed = -1, 0
		}
		if p, ok := parseRoadmapPhase(t); ok {
			p.Line = l.Number
			i := r.addPhase(&p)
			if l.Level > 0 {
				at = i
			}
			continue
		}
		switch {
		case t[0] != '|':
			columns = nil
		case columns == nil:
			columns = []string{""} // a row of another table
			if HasPrefixFold(doc.Trim(t[1:]), "Phase") {
				columns = doc.SplitCells(t)
			}
			continue
		case columns[0] == "":
			continue
		default:
			r.addRow(columns, doc.SplitCells(t), l.Number)
		}
		if at < 0 {
			continue
		}
		if f, ok := ParseField(l.Text); ok && EqualFold(f.Name, "plans") {
			r.announcePlans(at, f.Value)
		} else if box, _, ok := doc.ParseCheckBox(l.Text); ok && CompareNumbers(phaseOfPlan(box), r.Phases[at].Number) == 0 {
			listed++
			r.Phases[at].Plans = max(r.Phases[at].Plans, listed)
		}
	}
	return r
}

// phaseOfPlan returns the phase of the plan that an item names, "03" of "**03-01**: name" and "03-01-PLAN.md"; "" for other items.
func phaseOfPlan(item string) string {
	for doc.HasPrefix(item, "*") || doc.HasPrefix(item, "`") {
		item = item[1:]
	}
	phase, _ := SplitPlan(PlanAt(item))
	return phase
}

func (r *Roadmap) findPhase(number string) int {
	for i := range r.Phases {
		if CompareNumbers(r.Phases[i].Number, number) == 0 {
			return i
		}
	}
	return -1
}

// addPhase adds a phase, or updates the plans of one that exists already. It returns its index, -1 if there are too many.
func (r *Roadmap) addPhase(p *RoadmapPhase) int {
	i := r.findPhase(p.Number)
	if i < 0 {
		if len(r.Phases) == maxPhases {
			return -1
		}
		r.Phases = append(r.Phases, *p)
		return len(r.Phases) - 1
	}
	r.Phases[i].Plans, r.Phases[i].IsVague = max(r.Phases[i].Plans, p.Plans), r.Phases[i].IsVague || p.IsVague
	return i
}

// announcePlans records the announced number of plans of a phase; the largest number counts.
func (r *Roadmap) announcePlans(i int, text string) {
	n, ok := parsePlanTotal(text)
	r.Phases[i].Plans, r.Phases[i].IsVague = max(r.Phases[i].Plans, n), r.Phases[i].IsVague || !ok
}

// addRow reads a row of a table of phases: "| 1. Foundation | 0/3 | Not started |". A phase that is named nowhere else is added if it has
// open plans.
func (r *Roadmap) addRow(columns, cells []string, number int) {
	if len(cells) == 0 {
		return
	}
	name := cells[0]
	if doc.HasPrefix(name, "Phase ") {
		name = name[len("Phase "):]
	}
	p := RoadmapPhase{Number: LeadingNumber(name), Line: number}
	for i := 1; i < min(len(columns), len(cells)); i++ {
		if !HasPrefixFold(columns[i], "plans") || p.Number == "" {
			continue
		}
		done, total, _ := planCount(cells[i] + " plans")
		n, ok := parsePlanTotal(cells[i])
		if p.Plans, p.IsVague = n, !ok; r.findPhase(p.Number) >= 0 || total > done || n > 0 && total == 0 {
			for p.Name = name[len(p.Number):]; p.Name != "" && doc.Contains(".:-) ", p.Name[:1]); {
				p.Name = p.Name[1:]
			}
			r.addPhase(&p)
		}
	}
}

// parsePlanTotal reads "3 plans", "2/3", "1 of 3 complete", "~3", "2-3 plans" and "3 (one of them later)". ok is false for words that may mean
// any number; "TBD" and the like mean none yet.
func parsePlanTotal(text string) (total int, ok bool) {
	text = doc.Lower(doc.Trim(doc.StripMarks(text)))
	if text == "" || IsNone(text) || doc.Contains("-[?", text[:1]) || doc.HasPrefix(text, "tbd") || doc.HasPrefix(text, "–") || doc.HasPrefix(text, "—") {
		return 0, true
	}
	if text[0] == '~' {
		text = doc.Trim(text[1:])
	}
	n := doc.CountDigits(text)
	if n == 0 || text[0] == '0' && n > 1 { // "01-02" is a plan
		return 0, false
	}
	total = ParseCount(text[:n])
	text = doc.Trim(text[n:])
	for _, between := range [...]string{"/", "of ", "-", "–", "to "} {
		if doc.HasPrefix(text, between) {
			rest := doc.Trim(text[len(between):])
			if n := doc.CountDigits(rest); n > 0 {
				total, text = max(total, ParseCount(rest[:n])), doc.Trim(rest[n:])
			}
			break
		}
	}
	for _, after := range [...]string{"plan", "total", "complete", "done", "("} {
		if doc.HasPrefix(text, after) {
			return total, true
		}
	}
	return total, text == "" || doc.Contains(",;.", text[:1])
}

// parseRoadmapPhase parses a line as a phase: a heading, a check box, or an item that begins with a bold phase.
func parseRoadmapPhase(l string) (p RoadmapPhase, ok bool) {
	rest := l
	if doc.HasPrefix(l, "#") {
		for doc.HasPrefix(rest, "#") {
			rest = rest[1:]
		}
	} else if box, checked, isBox := doc.ParseCheckBox(l); isBox {
		p.Checked, rest = checked, box
	} else if item, _, isItem := doc.ParseItem(l); isItem && (doc.HasPrefix(item, "**Phase ") || doc.HasPrefix(item, "~~**Phase ")) {
		rest = item
	} else {
		return p, false
	}
	i := 0
	for i < len(rest) && (rest[i] == ' ' || rest[i] == '*' || rest[i] == '~') {
		p.Skipped = p.Skipped || rest[i] == '~'
		i++
	}
	if rest = rest[i:]; !doc.HasPrefix(rest, "Phase ") {
		return p, false
	}
	rest = rest[len("Phase "):]
	if p.Number = LeadingNumber(rest); p.Number == "" {
		return p, false
	}
	inserted, name, ok := cutName(rest[len(p.Number):]) // "Phase 2.1 (INSERTED): name"
	if !ok {
		return p, false
	}
	for i := range len(inserted) {
		if c := inserted[i]; c != ' ' && c != '(' && c != ')' && (c|0x20 < 'a' || c|0x20 > 'z') {
			return p, false
		}
	}
	p.Skipped = p.Skipped || doc.Contains(name, "SKIPPED")
	if done, total, ok := planCount(name); ok {
		p.Plans = max(done, total)
	} else if _, inside, _ := doc.Cut(name, "("); inside != "" {
		inside, _, _ = doc.Cut(inside, ")")
		if n, ok := parsePlanTotal(inside); n > 0 && ok && doc.Contains(inside, "plan") || doc.HasSuffix(inside, " plans") {
			p.Plans, p.IsVague = n, !ok
		}
	}
	end := 0
	for end < len(name) && name[end] != '*' && name[end] != '~' {
		end++
	}
	p.Name = doc.Trim(name[:end])
	return p, true
}

// cutName splits the text after the number of a phase: " (INSERTED): name", " - name", or nothing.
func cutName(rest string) (inserted, name string, ok bool) {
	at, size := len(rest), 0
	for _, between := range [...]string{":", " - ", " – ", " — "} {
		if i := doc.Index(rest, between); i >= 0 && i < at {
			at, size = i, len(between)
		}
	}
	if size == 0 { // "**Phase 3**"
		for _, c := range []byte(rest) {
			if c != '*' && c != '~' && c != ' ' {
				return "", "", false
			}
		}
		return "", "", true
	}
	return rest[:at], rest[at+size:], true
}
