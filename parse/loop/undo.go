// Taking a decision back: the one way back that the protocol's table lacks.

package loop

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/edit"
	"gatehouse/parse/text/jsondoc"
)

// undo restores the values that the last decision about a target replaced, with a new last_updated. It is possible only
// while the gate says what was decided, nobody has been told, and the phase behind it has not begun.
func (v *view) undo(q edit.Request) (*edit.Change, error) {
	i := -1
	p := model.Proposal{Name: line.Tidy(v.name())}
	if q.Node != "" {
		if i = v.ruleOf(q.Node); i < 0 || v.loop.Gates[i].At < 0 { // agents may have taken it out of the state since
			return nil, v.noGate(q.Node)
		}
		p = v.gateProposal(i)
	}
	if refused := v.remade(q.Last); refused != nil {
		return nil, refused
	}
	if refused := v.begun(q, i); refused != nil { // more than that the file is another one
		return nil, refused
	}
	if refused := reader.Undoable(q); refused != nil {
		return nil, refused
	}
	c, refused := reader.Undone(q, v.r.file, v.part(i), lastUpdated[0])
	if refused != nil {
		return nil, refused
	}
	if q.Last.Verb == model.VerbRestart { // the state that comes back is whole
		return v.changed(p, c.Was, c.Is, c.Spans), nil
	}
	stamped, err := jsondoc.Set(q.Content, []jsondoc.Assignment{jsondoc.Text(v.lastUpdated(q.Now), lastUpdated...)})
	if err != nil {
		return nil, err
	}
	spans := append(slices.DeleteFunc(c.Spans, func(s model.Span) bool { return s.Label == lastUpdated[0] }), stamped...)
	if q.Last.Verb == model.VerbChanges {
		p.Effect = "the request for changes is taken back"
	}
	return v.changed(p, c.Was, c.Is, spans), nil
}

// remade refuses to take back a decision about a loop that is not here any more: the file is another's, or was made anew.
func (v *view) remade(last *model.Decision) *model.Refusal {
	if last == nil || last.Verb == model.VerbRestart {
		return nil // a restart is taken back as a whole
	}
	const fix = "look at it and decide anew"
	if id := v.loopID(); last.Of != "" && id != "" && last.Of != id {
		return &model.Refusal{Code: reader.Forbidden, Text: line.Tidy(v.r.file + " is the state of " + id + " now, and the decision was about " + last.Of), Fix: fix}
	}
	if began := reader.Time(v.s.started); !last.Began.IsZero() && !began.IsZero() && !last.Began.Equal(began) {
		return &model.Refusal{Code: reader.Forbidden, Text: line.Tidy("the loop that was decided about is gone: the one that " + v.r.file + " tells of began at " + v.s.started), Fix: fix}
	}
	return nil
}

// Remade reports whether a decision was about another loop than the one that the content of its file tells of now. What can't be read
// does not say so.
func (r *Reader) Remade(d model.Decision, content string, now time.Time) bool {
	v, err := r.parse(content, now)
	return err == nil && v.remade(&d) != nil
}

// part returns where in the file a gate stands, or for none the loop's own status.
func (v *view) part(i int) (p reader.Part) {
	if i >= 0 {
		if g := v.s.gates[v.loop.Gates[i].At].value; g != nil {
			p = reader.Part{From: g.At, To: g.At + len(g.Raw), With: []string{"passedAt", "skippedReason"}}
		}
	} else if m := v.s.doc.Root.Member("status"); m != nil {
		p = reader.Part{From: m.KeyAt, To: m.Value.At + len(m.Value.Raw)}
	}
	return p
}

// begun refuses to take a decision back once the phase behind its gate has begun; i is the gate among those of the rules, -1
// for none.
func (v *view) begun(q edit.Request, i int) *model.Refusal {
	if i < 0 || q.Last == nil || q.Last.Is == q.Last.Was {
		return nil
	}
	refuse := func(text string) *model.Refusal {
		return &model.Refusal{Code: reader.Forbidden, Text: line.Tidy(text), Fix: "tell the agents what you want instead"}
	}
	if rules.LoopWord(v.loop.Status) == rules.Complete {
		return refuse("the loop is complete")
	}
	next := v.next(i)
	for at := next; at >= 0 && at < len(v.loop.Phases); at++ {
		p := &v.loop.Phases[at]
		if w := rules.PhaseWord(p.Status); w != rules.Pending && (at == next || w != rules.Skipped) {
			if w == rules.Skipped {
				return refuse("phase " + p.Name + ", behind the gate, was skipped")
			}
			return refuse("phase " + p.Name + ", behind the gate, has begun")
		}
	}
	return v.another(q.Last, i)
}

// another refuses to take a decision back where somebody else has let the gate pass since: it says another time. One that says the
// same in another way, or none at all, is still this decision's.
func (v *view) another(last *model.Decision, i int) *model.Refusal {
	now := reader.Time(v.gate(i).passedAt)
	for _, s := range last.Spans {
		if !strings.HasSuffix(s.Label, ".passedAt") || now.IsZero() {
			continue
		}
		for word := range strings.SplitSeq(s.New, `"`) {
			if wrote := reader.Time(word); !wrote.IsZero() && now.Sub(wrote).Abs() >= time.Second {
				return &model.Refusal{Code: reader.Forbidden, Text: line.Tidy(v.loop.Gates[i].ID + " has passed at another time since, " + v.gate(i).passedAt), Fix: "look at it and decide anew"}
			}
		}
	}
	return nil
}
