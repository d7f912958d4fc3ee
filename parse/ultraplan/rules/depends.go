// What a plan waits for, by the frontmatter of its PLAN.md: the plans that it depends on, and those of lower waves of its phase.
// So it is told which plan comes next.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// DependsOn returns what the text of a PLAN.md names under depends_on: in brackets, on lines of their own, or with commas.
func DependsOn(text string) (all []string) {
	block, _, ok := scan.Frontmatter(text)
	if !ok {
		return nil
	}
	add := func(list string) {
		for from, i := 0, 0; i <= len(list); i++ {
			if i == len(list) || list[i] == ',' || list[i] == '[' || list[i] == ']' {
				if one := scan.Unquote(scan.TrimSpace(list[from:i])); one != "" && one[0] != '#' {
					all = append(all, one)
				}
				from = i + 1
			}
		}
	}
	inside := false
	for at := 0; at < len(block); {
		var l string
		l, at = nextText(block, at)
		t := scan.TrimSpace(l)
		const key = "depends_on:"
		switch {
		case scan.HasPrefixAt(l, key, 0):
			inside = true
			add(withoutComment(l[len(key):]))
		case t == "" || t[0] == '#':
		case inside && (l[0] == ' ' || l[0] == '\t' || l[0] == '-'):
			if t[0] == '-' {
				t = t[1:]
			}
			add(withoutComment(t))
		default:
			inside = false
		}
	}
	return all
}

func withoutComment(value string) string {
	for i := 1; i < len(value); i++ {
		if value[i] == '#' && (value[i-1] == ' ' || value[i-1] == '\t') {
			return value[:i]
		}
	}
	return value
}

// Dependency takes from an entry of depends_on what is written around the number: "03-01-PLAN.md", "01" of its own phase.
func Dependency(entry, phase string) string {
	for i := len(entry) - 1; i >= 0; i-- {
		if entry[i] == '/' {
			entry = entry[i+1:]
			break
		}
	}
	for _, end := range [...]string{".md", "-PLAN"} {
		if n := len(entry) - len(end); n >= 0 && entry[n:] == end {
			entry = entry[:n]
		}
	}
	if of, _ := SplitPlan(entry); of == "" {
		return phase + "-" + entry
	}
	return entry
}

// before returns the first open plan that one depends on, "" for none. One that is not there holds up nothing: the check names it.
func before(phases []Phase, phase *Phase, text string) (id string) {
	for _, d := range DependsOn(text) {
		on := Dependency(d, phase.Number)
		for i := range phases {
			for _, plan := range phases[i].Plans {
				if !plan.Done && SamePlan(plan.ID, on, phase.Number) {
					return plan.ID
				}
			}
		}
	}
	return ""
}

// Wave returns the wave that the text of a PLAN.md puts it into, "" where it names none. One that is no number is none.
func Wave(text string) (wave string) {
	block, _, _ := scan.Frontmatter(text)
	s := scan.Scalars{Block: block}
	for key, value, ok := s.Next(); ok; key, value, ok = s.Next() {
		if key != "wave" {
			continue
		}
		value = scalar(value)
		if digits, end := scan.Digits(value, 0); end == len(value) {
			wave = digits // of two keys the last counts
		}
	}
	return wave
}

// Before returns the first plan that an open one of a phase waits for: one that it depends on or, with ofWave, one of a lower wave of
// its phase; "" for none. A plan that names no wave neither waits for one nor holds one up. plan returns the text of a PLAN.md.
func Before(phases []Phase, phase *Phase, id string, plan func(dir, id string) string) (other string, ofWave bool) {
	text := plan(phase.Dir, id)
	if other = before(phases, phase, text); other != "" {
		return other, false
	}
	own := Wave(text)
	for _, p := range phase.Plans {
		if p.Done || p.ID == id || own == "" {
			continue
		}
		if wave := Wave(plan(phase.Dir, p.ID)); wave != "" && CompareNumbers(wave, own) < 0 {
			return p.ID, true
		}
	}
	return "", false
}

// free finds the first plan without a summary that waits for no other, "" for none.
func free(phases []Phase, plan func(dir, id string) string) (id, phase string) {
	for i := range phases {
		texts := map[string]string{} // each is asked for once
		once := func(dir, id string) string {
			text, known := texts[id]
			if !known {
				text = plan(dir, id)
				texts[id] = text
			}
			return text
		}
		for _, p := range phases[i].Plans {
			if p.Done {
				continue
			}
			if other, _ := Before(phases, &phases[i], p.ID, once); other == "" {
				return p.ID, TrimZeros(phases[i].Number)
			}
		}
	}
	return "", ""
}

// Free has the line name, as what comes next, the first plan that waits for no other one; where each waits for another it stays
// the first, and NextWaits says so.
func Free(u *line.Ultraplan, phases []Phase, plan func(dir, id string) string) {
	if u.Running != "" || u.Next == "" {
		return
	}
	if id, phase := free(phases, plan); id != "" {
		u.Next, u.NextPhase = id, phase
	} else {
		u.NextWaits = true
	}
}
