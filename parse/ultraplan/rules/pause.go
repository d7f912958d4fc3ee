// Work that was broken off: continue.md is there.

package rules

import "gatehouse/model/line"

// Pause notes in the facts of the line that work was broken off: that continue.md is there says so, whatever is in it. Its text
// names the plan, else it is the one that was running.
func Pause(u *line.Ultraplan, phases []Phase, text string) {
	u.Paused = true
	named := ResumePlan(text)
	if named == "" {
		u.PausedPlan, u.PausedPhase = u.Running, u.RunningPhase
		return
	}
	for i := range phases {
		for _, plan := range phases[i].Plans {
			if u.PausedPlan == "" && SamePlan(plan.ID, named, phases[i].Number) {
				u.PausedPlan, u.PausedPhase = plan.ID, TrimZeros(phases[i].Number)
			}
		}
	}
}

// ResumePlan returns the first plan that the text of a continue.md names, "03-02" of "Task 2: name (03-02)", "03-02:task-2" or
// "03-02-PLAN.md"; "" without one. A date is none.
func ResumePlan(text string) string {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < '0' || c > '9' || i > 0 && wordByte(text[i-1]) {
			continue
		}
		phase, end := dotted(text, i)
		if end < len(text) && text[end] == '-' && len(phase) < 4 {
			plan, end := dotted(text, end+1)
			more := end < len(text) && wordByte(text[end])
			if plan != "" && (!more || text[end] == '-' || text[end] == '.') {
				return text[i:end]
			}
		}
		for i+1 < len(text) && wordByte(text[i+1]) {
			i++
		}
	}
	return ""
}

// wordByte reports whether a byte belongs to a word, with what joins the parts of a name.
func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '_' || c == '.' || c >= 0x80
}
