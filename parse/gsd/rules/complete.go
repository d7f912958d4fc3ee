// What STATE.md says of the end of a milestone.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// SaysComplete reports whether a status calls a milestone complete. As for GSD's normaliser, any word for work that goes on
// comes first; and what is said of a phase, a plan ("completed 03-01") or the research is not said of the milestone.
func SaysComplete(status string) bool {
	has := func(words ...string) bool {
		for _, w := range words {
			if line.ContainsFold(status, w) {
				return true
			}
		}
		return false
	}
	if has("incomplete", "paused", "stopped", "execut", "in progress", "planning", "ready to", "discuss", "verif", "awaiting", "not ", "nearly", "almost", "partly", "partially") {
		return false
	}
	if !has("milestone") {
		for _, part := range [...]string{"phase", "plan", "research", "wave", "task"} {
			if starts(status, part) {
				return false
			}
		}
		if namesPlan(status) {
			return false
		}
	}
	return has("complet", "done", "shipped", "archived", "finished", "closed", "released")
}

// namesPlan reports whether a sentence has the number of a plan in it, "03-01". A date is none.
func namesPlan(s string) bool {
	for i := 0; i < len(s); i++ {
		first, end := scan.Digits(s, i)
		if first == "" {
			continue
		}
		if end < len(s) && s[end] == '-' && len(first) < 4 {
			if second, _ := scan.Digits(s, end+1); second != "" {
				return true
			}
		}
		for i = end; i < len(s) && (s[i] == '-' || s[i] >= '0' && s[i] <= '9'); i++ {
		}
	}
	return false
}

// ClaimsComplete reports whether the text of a STATE.md calls the milestone complete by its status, given what the line takes
// from it. GSD writes "completed" into the frontmatter when the body says "Phase 10 complete", which claims nothing of the
// milestone; the words of the body say what is meant.
func ClaimsComplete(text string, g *line.GSD) bool {
	if g.ActivePhase != "" || !SaysComplete(g.Status) {
		return false
	}
	if line.ContainsFold(g.Status, "milestone") {
		return true
	}
	for _, key := range [...]string{"Status:", "**Status:**"} {
		if at := scan.FindAtLineStart(text, key, 0); at >= 0 {
			said := scan.TrimSpace(text[at+len(key) : scan.LineEnd(text, at)])
			return said == "" || SaysComplete(said)
		}
	}
	return true
}
