package decide

// Reports of decisions that another writer has overwritten. Nothing is written again by itself: the row is marked until its gate is
// decided again.

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// TellOverwritten reports decisions that a file has just lost, whenever they were made.
func (d *Decisions) TellOverwritten(losses []index.Loss) (cmd tea.Cmd) {
	for _, l := range losses {
		t := Target{Site: l.Site, Node: l.Site.Nodes[l.Node].Node}
		cmd = d.refuse(draw.Join(draw.PartJoint, "overwritten: "+line.Name(l.Name)+" was "+l.Verb.Words().Past+" "+d.Look.Ago(l.At)+", and is "+line.Foreign(l.Was)+" again", d.whereWords(t)))
	}
	return cmd
}

// settle returns the command that checks whether an action of a question stands.
func (q *question) settle(out *model.Outcome) tea.Cmd {
	d, actor, ctx := q.owner, q.owner.Actor, q.owner.Context
	return request(func() (any, error) { return nil, actor.Settle(ctx, out) }, func(_ any, err error) tea.Cmd {
		var over *model.Overwritten
		switch {
		case err == nil || ctx.Err() != nil || d.last != q:
			return nil
		case !errors.As(err, &over):
			return d.refuse("result unknown: " + err.Error())
		}
		delete(d.writing, q.at)
		d.lost[q.at] = true
		d.markRows()
		return d.refuse(draw.Join(draw.PartJoint, "overwritten: another writer of "+line.Foreign(over.File)+" undid your decision about "+q.name, q.where))
	})
}
