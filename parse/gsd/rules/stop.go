// Where STATE.md says that a human is awaited.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// Stop is the human that a STATE.md says is awaited, and in which phase.
type Stop struct {
	Said    []string // the sentences that say so, best first
	Phase   string   // that STATE.md is at, for a sentence that names no plan; "" where it says none
	Written string   // when STATE.md was written, by its own word
}

// StopIn returns what the text of a STATE.md says of that, given what the line takes from it.
func StopIn(text string, g *line.GSD) (a Stop) {
	stopped := bodyField(text, "stopped_at")
	if stopped == "" {
		stopped = bodyField(text, "Stopped at")
	}
	for _, said := range [...]string{BodyStatus(text), g.Status, bodyField(text, "Plan"), scan.Unquote(stopped)} {
		if AwaitsHuman(said) {
			a.Said = append(a.Said, said)
		}
	}
	if len(a.Said) == 0 {
		return a
	}
	for _, phase := range [...]string{g.ActivePhase, scan.Unquote(Value(text, "current_phase")), bodyField(text, "Phase")} {
		if a.Phase == "" {
			a.Phase = leadingNumber(phase)
		}
	}
	a.Written = scan.Unquote(Value(text, "last_updated"))
	return a
}

// Moment is when something was, in seconds since 1970: by its own word, 0 where it has none, and by the time of its file.
type Moment struct{ Said, File int64 }

// WentPast reports whether a plan was finished after STATE.md said that a human is awaited in it, by the status in its summary.
// That it has a summary does not say so: agents write one and leave the last task to the human. The newer of the two counts, by
// the times that both name, or those of the files where the summary names none; where STATE.md names none, that is the summary.
func WentPast(status string, finished, stated Moment) bool {
	switch {
	case AwaitsHuman(status):
		return false
	case stated.Said == 0:
		return true
	case finished.Said != 0:
		return finished.Said > stated.Said
	}
	return Newer(finished.File, stated.File)
}

// Newer reports whether a file is newer than another, by times in seconds. A checkout gives all files about the same time, in any
// order, and must outdate nothing.
func Newer(a, b int64) bool { return a > b+60 }

// leadingNumber returns the number of a phase that a text begins with, "4.5" of "4.5 of 7 (Name)"; "" without one.
func leadingNumber(text string) string {
	_, end := scan.Digits(text, 0)
	for end > 0 && end < len(text) && (inWord(text[end]) || text[end] == '.' && end+1 < len(text) && inWord(text[end+1])) {
		end++
	}
	return text[:end]
}

// PlanIn returns the first number of a plan in a sentence, "02-01" of "02-01-PLAN.md: checkpoint reached", and its phase; ""
// without one. Dates have none.
func PlanIn(said string) (phase, plan string) {
	for i := 0; i < len(said); i++ {
		if i > 0 && inWord(said[i-1]) {
			continue
		}
		phase := leadingNumber(said[i:])
		end := i + len(phase)
		if phase == "" || end >= len(said) || said[end] != '-' {
			continue
		}
		if len(phase) >= len("2026") {
			for i < len(said) && (said[i] == '-' || inWord(said[i])) {
				i++
			}
			continue
		}
		if digits, stop := scan.Digits(said, end+1); len(digits) == 2 && (stop == len(said) || !inWord(said[stop])) {
			return phase, said[i:stop]
		}
	}
	return "", ""
}
