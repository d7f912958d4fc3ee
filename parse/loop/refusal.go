// Why a decision is refused, in words, and what to do then.

package loop

import (
	"fmt"

	"gatehouse/model"
	"gatehouse/model/flow"
)

// noGate refuses what is about a row that is no gate of the state.
func (v *view) noGate(node string) error {
	r := &model.Refusal{Code: string(flow.NoGate), Text: clean(fmt.Sprintf("%s has no gate %q", v.r.file, node))}
	if v.d != nil {
		for i := range v.d.gates {
			if clean("gate/"+v.d.gates[i].id) == node {
				r.Text, r.Fix = clean(v.d.file+" has the gate "+v.d.gates[i].id+", and "+v.r.file+" has not"), "have the agents add it to the state"
			}
		}
	}
	return r
}

// refuseGate says why something is not done to a gate.
func (v *view) refuseGate(i int, code flow.Code, missing []string) error {
	g := &v.s.gates[v.gates[i]]
	r := &model.Refusal{Code: string(code)}
	switch code {
	case flow.LoopNotActive:
		return v.notActive(r)
	case flow.UnknownStatus:
		r.Text, r.Fix = g.id+" is "+unknownWord(g.status), "write pending, passed, skipped or failed into the file"
	case flow.SameStatus:
		r.Already = true
		r.Text = g.id + " " + stands[g.status] + " already"
		switch {
		case g.status == flow.Passed && g.passedAt != "":
			r.Text += ", at " + g.passedAt
		case g.status == flow.Skipped && g.skipped != "":
			r.Text += ": " + g.skipped
		}
	case flow.ReasonRequired:
		r.Text, r.Fix = "a skip needs a reason", "give one of more than 10 characters"
	case flow.ReasonTooShort:
		r.Text, r.Fix = "the reason is too short", "give one of more than 10 characters"
	case flow.FeedbackRequired:
		r.Text, r.Fix = "nothing is said about what is to be changed", "say it in words"
	case flow.DeliverablesMissing:
		r.Text, r.Fix = "not there: "+list(missing), "have it delivered first, or go on and the gate is written failed"
	default: // Forbidden, NotPending
		r.Text, r.Fix = g.id+" "+stands[g.status], wayOut[g.status]
	}
	r.Text = clean(r.Text)
	return r
}

// stands says how a gate stands, as the end of a sentence.
var stands = map[string]string{flow.Failed: "has failed", flow.Passed: "has passed", flow.Skipped: "was skipped", flow.Pending: "is pending"}

// wayOut says what can be done about a gate that is in the way, by its status.
var wayOut = map[string]string{
	flow.Failed:  "retry it first, or skip it",
	flow.Passed:  "a gate that has passed stays so, unless the decision is undone",
	flow.Skipped: "a skip has no way back, unless it is undone",
	flow.Pending: "approve or skip it, or ask for changes",
}

// notActive says why nothing can be done to the gates of a loop that is not active.
func (v *view) notActive(r *model.Refusal) error {
	r.Text = "the loop is " + v.rules.Status
	switch v.rules.Status {
	case flow.Paused:
		r.Fix = "resume it first"
	case flow.Failed:
		r.Fix = "take it up again first (gatehouse resume --retry-failed)"
	case flow.Complete:
		r.Fix = "its gates are decided; begin a new one"
	default:
		r.Text, r.Fix = "the loop is "+unknownWord(v.rules.Status), "write active, paused, complete or failed into the file"
	}
	r.Text = clean(r.Text)
	return r
}

// unknownWord tells of a status that the protocol does not know.
func unknownWord(status string) string {
	if status == "" {
		return "without a status"
	}
	return quoted(status) + ", which the protocol does not know"
}

// refuseLoop says why something is not done to a loop.
func (v *view) refuseLoop(verb model.Verb, code flow.Code) error {
	r := &model.Refusal{Code: string(code), Text: "the loop is " + v.rules.Status}
	switch {
	case code == flow.UnknownStatus:
		return v.notActive(r)
	case code == flow.SameStatus:
		r.Already = true
		r.Text += " already"
	case v.rules.Status == flow.Paused:
		r.Fix = "resume it first"
	case v.rules.Status == flow.Failed && verb == model.VerbResume:
		r.Fix = "take it up again as one that has failed (gatehouse resume --retry-failed)"
	case v.rules.Status == flow.Complete:
		r.Fix = "begin a new one"
	case v.rules.Status == flow.Failed:
		r.Fix = "take it up again first (gatehouse resume --retry-failed)"
	}
	r.Text = clean(r.Text)
	return r
}
