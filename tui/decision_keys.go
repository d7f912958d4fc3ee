package tui

// The decisions: the verbs as people read them, and the gate or build that a key is about. The target is frozen by its IDs when the key
// is pressed; later changes of the selection do not matter.

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/decide"
	"gatehouse/tui/draw"
)

// whyNone says why a verb is impossible if the protocol does not have it. For other verbs the state of the target is the reason.
var whyNone = map[model.Verb]string{
	model.VerbSync:      "there is nothing to sync here",
	model.VerbFresh:     "no run was started here that could be cleared",
	model.VerbAdd:       "this build has no inbox",
	model.VerbComplete:  "this loop cannot be completed: phases are open, gates are undecided, or it is complete",
	model.VerbRestart:   "only a loop that is complete or failed can be restarted, and only next to its loop.json",
	model.VerbSkipPhase: "select a phase that has not begun and is not required",
	model.VerbDismiss:   "select an item of the inbox",
}

// targetOf returns the target of a verb: the build, the selected row, or the gate named by the banner; or why there is none.
func (d *dashboard) targetOf(verb model.Verb) (t decide.Target, why string) {
	s, ok := d.selectedSubject()
	if !ok || s.Site.Build == nil {
		return t, "there is no build here"
	}
	t.Site = s.Site
	switch verb.Words().About {
	case model.AboutBuild:
		if verb == model.VerbAdd && !slices.Contains(s.Site.Build.Can, verb) { // the only inbox of the project is meant
			for _, other := range d.index.Sites {
				if other.Project == s.Site.Project && other.Build != nil && slices.Contains(other.Build.Can, verb) {
					t.Site = other
				}
			}
		}
		return t, ""
	case model.AboutPhase, model.AboutItem:
		if s.Node == nil || !slices.Contains(s.Node.Can, verb) {
			return t, whyNone[verb]
		}
		t.Node = s.Node
		return t, ""
	}
	if gate, ok := d.selectedGate(); ok && d.touched && slices.Contains(gate.Can(), verb) {
		return gate, ""
	}
	if n := s.Node; n != nil && n.Kind == model.KindSession && n.Status == model.Waiting && len(n.Children) == 0 { // in the agent's own prompt
		why = n.Why
		if d.whyNoAgent() == "" {
			why += "; " + d.keyOf("jump") + " goes there"
		}
		return t, why
	}
	if verb == model.VerbUndo { // otherwise the last decision
		if newest, ok := d.decisions.Newest(); ok {
			return newest, ""
		}
		if s.Node == nil || s.Node.Gate == nil {
			return t, "no gate is selected whose last decision could be undone"
		}
		t.Node = s.Node
		return t, ""
	}
	if t, w, _ := d.currentTarget(); w.Site != nil {
		return t, ""
	}
	return t, "nothing waits for you"
}

// chooseVerb returns the first possible verb and its target, or the reason why there is none.
func (d *dashboard) chooseVerb(verbs ...model.Verb) (verb model.Verb, t decide.Target, why string) {
	for _, verb = range verbs {
		if t, why = d.targetOf(verb); why == "" && slices.Contains(t.Can(), verb) {
			return verb, t, d.whyNobody(t)
		}
	}
	if why != "" {
		return verb, t, why
	}
	switch why = d.whyNobody(t); {
	case why != "":
	case whyNone[verb] != "":
		why = whyNone[verb]
	default:
		why = d.whyNeither(t)
	}
	return verb, t, why
}

// askFor opens the dialog for the first possible verb of some.
func (d *dashboard) askFor(verbs ...model.Verb) tea.Cmd {
	verb, t, why := d.chooseVerb(verbs...)
	if why != "" {
		return d.showRefusal(why)
	}
	return d.decisions.Ask(t, verb)
}

// openQueue opens the dialog of the banner's question; the next questions follow.
func (d *dashboard) openQueue() tea.Cmd {
	verb, t, _ := d.chooseVerb(model.VerbAnswer, model.VerbApprove, model.VerbRetry)
	return d.decisions.StartQueue(t, verb)
}

// whyNobody says why no decision about a target is possible now.
func (d *dashboard) whyNobody(t decide.Target) string {
	why := t.Site.OutOfReach(d.look.Now)
	switch {
	case why != "":
		return why
	case t.IsAsk():
		if d.decisions.Answerer == nil {
			return "agents cannot be answered from here"
		}
		return ""
	case d.decisions.Actor == nil:
		return "read-only: no writer is configured"
	}
	return d.decisions.Busy(t)
}

// whyNeither says why the protocol does not allow a verb: the current state, and the verbs that are allowed.
func (d *dashboard) whyNeither(t decide.Target) string {
	word := t.Site.Build.Word()
	if t.Node != nil {
		word = t.Node.Word()
	}
	can := t.Can()
	if len(can) == 0 && t.Node != nil { // a paused build has to be resumed first; an inbox may take the answer
		can = slices.DeleteFunc(slices.Clone(t.Site.Build.Can), func(v model.Verb) bool { return v != model.VerbResume && v != model.VerbAdd })
	}
	var instead []string
	for _, v := range can {
		if key := d.KeyFor(v); key != "" {
			instead = append(instead, key+" "+v.Words().Short)
		}
	}
	return draw.Join(" ", t.Name(), "is", word) + ": " + draw.OrElse(strings.Join(instead, ", "), "there is nothing to decide here")
}

// keyOf returns the key of a row of the key table, or the key of the palette if the row has none.
func (d *dashboard) keyOf(name string) string {
	for _, b := range d.keys {
		if b.name == name && len(b.on.Keys()) > 0 {
			return draw.KeyName(b.on.Keys()[0])
		}
	}
	if name == "palette" {
		return ""
	}
	return d.keyOf("palette")
}

// KeyFor returns the key of a verb, or "".
func (d *dashboard) KeyFor(v model.Verb) string {
	key := ""
	for _, b := range d.keys {
		if slices.Contains(b.verbs, v) && len(b.on.Keys()) > 0 && (key == "" || b.name == string(v)) {
			key = b.on.Keys()[0]
		}
	}
	return key
}

// offersOf returns the possible verbs of a target with their keys.
func (d *dashboard) offersOf(t decide.Target) (offers []draw.Hint) {
	if d.still || t.Site.Project.OutOfReach() {
		return nil
	}
	for _, v := range t.Can() {
		if key := d.KeyFor(v); key != "" && d.decisions.Does(v) {
			offers = append(offers, draw.Hint{Key: key, Words: t.WordsFor(v)})
		}
	}
	return offers
}
