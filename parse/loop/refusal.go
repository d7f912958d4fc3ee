// Why a decision is refused, in words, and what to do then.

package loop

import (
	"fmt"
	"slices"
	"strconv"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
)

// noGate refuses what is about a row that is no gate of the state.
func (v *view) noGate(node string) error {
	r := &model.Refusal{Code: string(rules.NoGate), Text: line.Tidy(fmt.Sprintf("%s has no gate %q", v.r.file, node))}
	if v.d != nil {
		for i := range v.d.gates {
			if line.Tidy("gate/"+v.d.gates[i].ID) == node {
				r.Text, r.Fix = line.Tidy(v.d.file+" has the gate "+v.d.gates[i].ID+", and "+v.r.file+" has not"), "have the agents add it to the state"
			}
		}
	}
	return r
}

// refuseGate says why something is not done to a gate.
func (v *view) refuseGate(i int, code rules.Code, a rules.GateAction) error {
	g := v.gate(i)
	r := &model.Refusal{Code: string(code)}
	switch code {
	case rules.LoopNotActive:
		return v.notActive(r)
	case rules.UnknownStatus:
		r.Text, r.Fix = g.Name+" is "+unknownWord(g.Status), "write pending, passed, skipped or failed into the file"
	case rules.SameStatus:
		r.Already = true
		r.Text = g.Name + " " + stands[g.Status] + " already"
		switch {
		case g.Status == rules.Passed && g.passedAt != "":
			r.Text += ", at " + g.passedAt
		case g.Status == rules.Skipped && g.skipped != "":
			r.Text += ": " + g.skipped
		}
	case rules.ReasonRequired, rules.ReasonTooShort:
		return reader.SkipReason(a.Text)
	case rules.FeedbackRequired:
		r.Text, r.Fix = "nothing is said about what is to be changed", "say it in words"
	default: // Forbidden, NotPending
		r.Text, r.Fix = g.Name+" "+stands[g.Status], wayOut[g.Status]
	}
	r.Text = line.Tidy(r.Text)
	return r
}

// stands says how a gate stands, as the end of a sentence.
var stands = map[string]string{rules.Failed: "has failed", rules.Passed: "has passed", rules.Skipped: "was skipped", rules.Pending: "is pending"}

// wayOut says what can be done about a gate that is in the way, by its status.
var wayOut = map[string]string{
	rules.Failed:  "retry it first, or skip it",
	rules.Passed:  "a gate that has passed stays so, unless the decision is undone",
	rules.Skipped: "a skip has no way back, unless it is undone",
	rules.Pending: "approve or skip it, or ask for changes",
}

// notActive says why nothing can be done to the gates of a loop that is not active.
func (v *view) notActive(r *model.Refusal) error {
	r.Text = "the loop is " + v.loop.Status
	switch v.loop.Status {
	case rules.Paused:
		r.Fix = "resume it first"
	case rules.Complete, "completed":
		if v.overclaims() {
			r.Text = "the file says that the loop is " + reader.Quoted(v.loop.Status) + ", though " + v.unfinished()
			if r.Fix = "have it go on first (gatehouse resume)"; !slices.Contains(v.verbs(), model.VerbResume) {
				r.Fix = "mend that first" // which is a file
			}
			break
		}
		r.Fix = "begin it anew (gatehouse restart)"
	case rules.Failed:
		r.Fix = "take it up again first (gatehouse resume --retry-failed)"
	default:
		r.Text, r.Fix = "the loop is "+unknownWord(v.loop.Status), "write active, paused, complete or failed into the file"
	}
	r.Text = line.Tidy(r.Text)
	return r
}

// spelled quotes a word that the protocol does not know. Where what is odd about it can't be seen, it is escaped.
func spelled(word string) string {
	if shown := line.Tidy(word); shown == word || len(word) > 80 {
		return reader.Quoted(shown)
	}
	return strconv.QuoteToASCII(word)
}

// unknownWord tells of a status that the protocol does not know.
func unknownWord(status string) string {
	if status == "" {
		return "without a status"
	}
	return spelled(status) + ", which the protocol does not know"
}

// refuseLoop says why something is not done to a loop.
func (v *view) refuseLoop(verb model.Verb, code rules.Code) error {
	r := &model.Refusal{Code: string(code), Text: "the loop is " + v.loop.Status}
	switch {
	case code == rules.UnknownStatus:
		return v.notActive(r)
	case code == rules.SameStatus:
		r.Already = true
		r.Text += " already"
	case code == rules.Unfinished:
		r.Text, r.Fix = v.unfinished(), "a loop is complete when its phases are over and its gates decided"
	case verb == model.VerbRestart:
		r.Fix = "only one that is complete or has failed can be begun anew; abort it first"
	case v.loop.Status == rules.Paused:
		r.Fix = "resume it first"
	case v.loop.Status == rules.Failed && verb == model.VerbResume:
		r.Fix = "take it up again as one that has failed (gatehouse resume --retry-failed)"
	case v.loop.Status == rules.Complete:
		return v.notActive(r)
	case v.loop.Status == rules.Failed:
		r.Fix = "take it up again first (gatehouse resume --retry-failed)"
	}
	r.Text = line.Tidy(r.Text)
	return r
}
