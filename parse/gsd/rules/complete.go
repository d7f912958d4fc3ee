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

// ClaimsComplete reports whether a STATE.md says that the milestone is complete, given what the line takes from it and the
// status in its body. GSD writes "completed" into the frontmatter when the body says "Phase 10 complete", which claims
// nothing of the milestone; the words of the body say what is meant.
func ClaimsComplete(g *line.GSD, body string) bool {
	if scene, _ := g.Scene(); scene == 3 {
		return true
	}
	if g.ActivePhase != "" || !SaysComplete(g.Status) {
		return false
	}
	return body == "" || line.ContainsFold(g.Status, "milestone") || SaysComplete(body)
}

// AwaitsNext reports whether a sentence of STATE.md awaits the next milestone: the one that it names is over.
func AwaitsNext(said string) bool {
	w := words(said)
	return w.has("awaiting next milestone") || w.has("awaiting the next milestone") || w.has("between milestones") ||
		w.has("ready for next milestone") || w.has("ready for the next milestone")
}

// SaysOver reports whether a sentence of STATE.md calls the milestone of a version shipped or closed: "shipped", "v1.1 New
// shipped 2026-02-16", "milestone closed and tagged". The word has to be said of the milestone: of a phase or a plan it says
// nothing, nor of another version ("v1.0 shipped, now v1.1"). Of a version of "" any will do. "Complete" is a claim, and no end.
func SaysOver(said, version string) bool {
	w := words(said)
	if AtWork(said) {
		return false
	}
	of := words(version)
	named := false // a version stands before the word
	for i, word := range w {
		switch {
		case isVersion(word):
			if len(of) > 0 && word != of[0] || len(of) == 0 && named {
				return false
			}
			named = true
		case oneOf(word, "shipped", "closed", "archived", "abandoned", "parked", "released"):
			if next := w[i+1 : min(len(w), i+3)]; next.ofAPart() {
				return false
			}
			return named || w[:i].only("milestone", "project", "the", "current", "this", "is", "was", "has", "been", "now", "fully", "successfully", "complete", "completed", "and")
		case w[i : i+1].ofAPart(), oneOf(word, "not", "never", "partly", "partially", "nearly", "almost", "half", "until", "once", "before", "when", "ready", "to", "be"):
			return false
		}
	}
	return false
}

// AtWork reports whether a sentence of STATE.md says that work goes on.
func AtWork(said string) bool {
	for _, word := range words(said) {
		for _, stem := range [...]string{"execut", "planning", "discuss", "verif", "progress", "paus", "stopp", "start", "defin", "gather", "awaiting", "waiting", "pending", "begin", "building", "implement", "working"} {
			if starts(word, stem) {
				return true
			}
		}
	}
	return false
}

// ofAPart reports whether words name a part of a milestone: a phase, a plan, "03-01", or what else may be closed.
func (w sentence) ofAPart() bool {
	for _, word := range w {
		if oneOf(word, "phase", "phases", "plan", "plans", "task", "tasks", "wave", "waves", "hotfix", "issue", "issues", "gap", "gaps", "bug", "bugs", "pr", "research") {
			return true
		}
	}
	if len(w) == 0 {
		return false
	}
	digits, end := scan.Digits(w[0], 0)
	return digits != "" && end < 4 && end == len(w[0])
}

// Ended reports whether STATE.md calls its milestone shipped or closed, or awaits the next: by its status in frontmatter and
// body, and where the session stopped. What the latter two say may be older than a status that is at work; and where the
// session stopped has to name the version.
func Ended(status, body, stopped, version string) bool {
	if AwaitsNext(status) || AwaitsNext(body) || SaysOver(status, version) {
		return true
	}
	return !AtWork(status) && (SaysOver(body, version) || version != "" && words(stopped).has(version) && SaysOver(stopped, version))
}

// bodyField returns what the first line of a text says that begins with a key, in bold or not; "" without one.
func bodyField(text, key string) string {
	for _, k := range [...]string{key + ":", "**" + key + ":**"} {
		if at := scan.FindAtLineStart(text, k, 0); at >= 0 {
			return scan.TrimSpace(text[at+len(k) : scan.LineEnd(text, at)])
		}
	}
	return ""
}

// BodyStatus returns the status in the body of a STATE.md, "" without one.
func BodyStatus(text string) string { return bodyField(text, "Status") }

// EndedBy is [Ended] for the text of a STATE.md, given what the line takes from it.
func EndedBy(text string, g *line.GSD, version string) bool {
	return Ended(g.Status, BodyStatus(text), bodyField(text, "stopped_at"), version)
}

// isVersion reports whether a word is a version, "v1.2".
func isVersion(word string) bool {
	return len(word) > 1 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9'
}
