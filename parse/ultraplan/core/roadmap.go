package core

import "gatehouse/parse/doc"

// maxPhases limits the phases that are looked at: each costs the prompt the listing of its directory.
const maxPhases = 1000

// RoadmapPhase is a phase that ROADMAP.md names.
type RoadmapPhase struct {
	Number, Name string
	Checked      bool // its box is checked off
	Skipped      bool // the roadmap leaves it out
	Plans        int  // how many plans it announces, 0 if it does not say
	Line         int  // where it is first named
}

// Roadmap is what a ROADMAP.md says.
type Roadmap struct {
	Phases   []RoadmapPhase // in its order, each number once
	Problems []Problem
}

// ParseRoadmap parses a ROADMAP.md: its phases in lists and headings, "- [x] **Phase 3: Name** - what", "### Phase 3: Name", and how many
// plans each has: "(0/3 plans)" on the line, "**Plans**: 3 plans" and a list of plans below the heading, or the cell "0/3" of a table.
func ParseRoadmap(text string) *Roadmap {
	r := &Roadmap{}
	at, listed := -1, 0 // the phase of the heading above; its plans in a list
	var columns []string
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Code || l.Comment {
			continue
		}
		t := doc.Trim(l.Text)
		if t == "" || !doc.Contains("#-*+|P", t[:1]) && l.Level == 0 {
			columns = nil
			continue // prose
		}
		if l.Level > 0 && l.Level < 4 {
			at, listed = -1, 0
		}
		if p, ok := parseRoadmapPhase(t); ok {
			i := r.find(p.Number)
			if i < 0 && len(r.Phases) < maxPhases {
				p.Line = l.Number
				i = len(r.Phases)
				r.Phases = append(r.Phases, p)
			}
			r.announce(i, p.Plans)
			if l.Level > 0 {
				at = i
			}
			continue
		}
		switch {
		case t[0] != '|':
			columns = nil
		case columns == nil:
			columns = []string{""} // of another table
			if HasPrefixFold(doc.Trim(t[1:]), "Phase") {
				columns = doc.SplitCells(t)
			}
			continue
		case columns[0] == "":
			continue
		default:
			r.row(columns, doc.SplitCells(t))
		}
		if at < 0 {
			continue
		}
		if f, ok := ParseField(l.Text); ok && EqualFold(f.Name, "plans") {
			r.announce(at, parsePlanTotal(f.Value))
		} else if box, _, ok := doc.ParseCheckBox(l.Text); ok && CompareNumbers(phaseOfPlan(box), r.Phases[at].Number) == 0 {
			listed++
			r.announce(at, listed)
		}
	}
	return r
}

// phaseOfPlan returns the phase of the plan that an item names, "03" of "**03-01**: name" and "03-01-PLAN.md"; "" for other items.
func phaseOfPlan(item string) string {
	for doc.HasPrefix(item, "*") || doc.HasPrefix(item, "`") {
		item = item[1:]
	}
	phase, _ := SplitPlan(planAt(item))
	return phase
}

func (r *Roadmap) find(number string) int {
	for i := range r.Phases {
		if CompareNumbers(r.Phases[i].Number, number) == 0 {
			return i
		}
	}
	return -1
}

// announce notes how many plans a phase has; the largest number counts.
func (r *Roadmap) announce(i, plans int) {
	if i >= 0 {
		r.Phases[i].Plans = max(r.Phases[i].Plans, plans)
	}
}

// row reads a row of a table of phases: "| 1. Foundation | 0/3 | Not started |".
func (r *Roadmap) row(columns, cells []string) {
	if len(cells) == 0 {
		return
	}
	name := cells[0]
	if doc.HasPrefix(name, "Phase ") {
		name = name[len("Phase "):]
	}
	for i := 1; i < min(len(columns), len(cells)); i++ {
		if HasPrefixFold(columns[i], "plans") {
			_, total, _ := planCount(cells[i] + " plans")
			r.announce(r.find(Number(name)), total)
		}
	}
}

// parsePlanTotal reads "3 plans", "2/3", "1/3 plans complete" and "3".
func parsePlanTotal(text string) int {
	n := doc.CountDigits(text)
	if rest := text[n:]; doc.HasPrefix(rest, "/") {
		return ParseCount(rest[1 : 1+doc.CountDigits(rest[1:])])
	} else if rest = doc.Trim(rest); rest != "" && !doc.HasPrefix(rest, "plan") {
		return 0
	}
	return ParseCount(text[:n])
}

// parseRoadmapPhase parses a line as a phase.
func parseRoadmapPhase(l string) (p RoadmapPhase, ok bool) {
	rest := l
	if doc.HasPrefix(l, "#") {
		for doc.HasPrefix(rest, "#") {
			rest = rest[1:]
		}
	} else {
		box, checked, isBox := doc.ParseCheckBox(l)
		if !isBox {
			return p, false
		}
		p.Checked, rest = checked, box
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
	p.Number = Number(rest)
	inserted, name, ok := doc.Cut(rest[len(p.Number):], ":") // "Phase 2.1 (INSERTED): name"
	if p.Number == "" || !ok {
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
	} else if _, inside, _ := doc.Cut(name, "("); doc.CountDigits(inside) > 0 && doc.HasPrefix(doc.Trim(inside[doc.CountDigits(inside):]), "plan") {
		p.Plans = parsePlanTotal(inside)
	}
	end := 0
	for end < len(name) && name[end] != '*' && name[end] != '~' {
		end++
	}
	p.Name = doc.Trim(name[:end])
	return p, true
}
