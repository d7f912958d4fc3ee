// Taking a decision back: the one way back that the protocol's table lacks (product.md §3).

package loop

import (
	"slices"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/text/edit"
	"gatehouse/parse/text/jsondoc"
)

// undo restores the values that the last decision about a target replaced, with a new last_updated. It is possible only
// while the file is byte for byte what was written, nobody has been told, and the phase behind the gate has not begun.
func (v *view) undo(q edit.Request) (*edit.Change, error) {
	last := q.Last
	if last == nil || last.Node != q.Node || last.Verb == model.VerbUndo || last.Undone {
		return nil, &model.Refusal{Text: "there is no decision about it to take back"}
	}
	i := -1
	p := model.Proposal{Name: clean(v.name())}
	if q.Node != "" {
		if i = v.ruleOf(q.Node); i < 0 {
			return nil, v.noGate(q.Node)
		}
		p = v.gateProposal(i)
	}
	if err := v.mayUndo(q, i); err != nil {
		return nil, err
	}
	spans := slices.DeleteFunc(edit.Invert(last.Spans), func(s model.Span) bool { return s.Label == lastUpdated[0] })
	stamped, err := jsondoc.Set(q.Content, []jsondoc.Assignment{jsondoc.Text(v.lastUpdated(q.Now), lastUpdated...)})
	if err != nil {
		return nil, err
	}
	spans = append(spans, stamped...)
	if _, err := edit.Apply(q.Content, spans); err != nil {
		return nil, err
	}
	if last.Verb == model.VerbChanges {
		p.Effect = "the request for changes is taken back"
	}
	return v.changed(p, last.Is, last.Was, spans), nil
}

// mayUndo says whether the last decision can still be taken back; i is its gate among those of the rules, -1 for none.
func (v *view) mayUndo(q edit.Request, i int) error {
	last := q.Last
	if i >= 0 && last.Is != last.Was {
		if next := v.next(i); next >= 0 && v.loop.Phases[next].Status != rules.Pending && v.loop.Phases[next].Status != "" {
			return &model.Refusal{Text: clean("phase " + v.loop.Phases[next].Name + ", behind the gate, has begun"), Fix: "tell the agents what you want instead"}
		}
	}
	switch {
	case last.Reported:
		return &model.Refusal{Text: "the decision has been handed on already", Fix: "tell the agents what you want instead"}
	case statefile.Hash(q.Content) != last.After:
		return &model.Refusal{Text: v.r.file + " has been changed since", Fix: "look at it and decide anew"}
	}
	return nil
}
