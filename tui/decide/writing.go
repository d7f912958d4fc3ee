package decide

// Writing a decision, and the time after it: the toast, and the mark on the row until the file shows the decision. Quitting waits for
// writes.

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// quitPatience is how long quitting waits for pending writes.
const quitPatience = time.Second

// pending is a write that has not ended yet, or is not visible in the file yet.
type pending struct {
	verb  model.Verb
	name  string
	build *model.Build // before the write
	done  bool
}

// awaitOutcome returns the command that waits for the outcome of a decision.
func (q *question) awaitOutcome(doing string, outcome func(context.Context) (*model.Outcome, error)) tea.Cmd {
	d := q.owner
	q.stage = sending
	d.writing[q.at] = pending{verb: q.action.Verb, name: q.name, build: q.before}
	ctx := d.Context
	return tea.Batch(d.tell(doing+d.Look.Glyphs.Ellipsis), Request(func() (*model.Outcome, error) { return outcome(ctx) }, q.takeOutcome))
}

// takeOutcome reports the outcome.
func (q *question) takeOutcome(out *model.Outcome, err error) tea.Cmd {
	d := q.owner
	if !d.isOpen(q) {
		return nil
	}
	cmd := q.conclude(out, err)
	if d.quitting && !d.isOpen(q) {
		return d.host.Leave
	}
	d.quitting = false // it was not done, and the user has to know
	return cmd
}

// conclude ends a question, or asks again.
func (q *question) conclude(out *model.Outcome, err error) tea.Cmd {
	q.Revise()
	q.sent = nil
	d := q.owner
	was, written := d.writing[q.at], err == nil && out.Note == ""
	if home := d.Index.Site(q.at); written && home != nil && home.Build == was.build {
		was.done = true
		d.writing[q.at] = was
	} else {
		delete(d.writing, q.at) // nothing was written, or the new file was already read
	}
	var refusal *model.Refusal
	var changed *model.Changed
	switch {
	case written:
		return q.succeed(out)
	case err == nil:
		return q.closeUndone(out.Note)
	case errors.As(err, &refusal) && refusal.Already:
		return q.closeUndone(refusal.Error())
	case errors.As(err, &q.sent):
		q.stage = asking
		q.missReply()
	case refusal != nil:
		q.refuse(noticeOf(err, "", ""))
	case errors.As(err, &changed):
		q.askAgain(changed)
	default:
		q.stage = asking
		q.notice = notice{text: "It failed: " + err.Error(), next: "y tries again."}
	}
	q.Sheet.Top = 0
	return tea.Batch(d.tell(""), d.Reconsider())
}

// askAgain shows a proposal for the current file. If only hidden parts of the file have changed, the next yes holds for
// any such file: a writer that never rests must not lock the user out.
func (q *question) askAgain(c *model.Changed) {
	if c.Now == nil {
		q.refuse(notice{text: "The file has changed meanwhile: " + c.Why.Error()})
		return
	}
	same := q.shown.Action.Shown == c.Now.Action.Shown
	q.stage, q.shown = asking, c.Now
	if !same {
		q.showChange()
		return
	}
	q.differ, q.loose = nil, true
	q.notice = notice{text: "The file was written meanwhile, but nothing that you see here has changed.", next: "y does it all the same.", calm: true}
}

// succeed closes the question and reports the action; the row will change when the file is read again.
func (q *question) succeed(out *model.Outcome) tea.Cmd {
	d := q.owner
	delete(d.lost, q.at) // the place was decided again
	d.last = q
	if d.newest = q.at; q.action.Verb == model.VerbUndo || q.action.Verb.Words().About != model.AboutGate {
		d.newest = index.Place{}
	}
	d.close(q, true)
	text := fillName(out.Decision.Words().Done, q.name)
	if x := &out.Decision; q.action.Verb == model.VerbUndo && x.Was != x.Is {
		text = draw.Join(": ", text, draw.Becomes(x.Was, x.Is))
	}
	text = draw.Join(draw.PartJoint, text, q.where)
	if key := d.host.KeyFor(model.VerbUndo); key != "" && q.action.Verb.Words().About == model.AboutGate && q.action.Verb != model.VerbUndo {
		text += draw.PartJoint + key + " undoes"
	}
	return tea.Batch(d.tell(text), q.settle(out), d.advance(q.at))
}

// Load takes in a snapshot. Rows lose their remarks as soon as the file shows the decision.
func (d *Decisions) Load(ix *index.Index) {
	d.Index = ix
	for at, w := range d.writing {
		if home := d.Index.Site(at); w.done && (home == nil || home.Build != w.build) {
			delete(d.writing, at)
		}
	}
	for _, x := range d.boxes { // a host may be lost, or back
		if b := x.common(); b.away != d.outOfReach(b.at) {
			b.away = d.outOfReach(b.at)
			b.Revise()
		}
	}
}

// Remarks replace the status words of rows.
func (d *Decisions) Remarks() map[index.Place]string {
	remarks := make(map[index.Place]string, len(d.writing)+len(d.lost))
	for at := range d.writing {
		remarks[at] = "writing" + d.Look.Glyphs.Ellipsis
	}
	for at := range d.lost {
		remarks[at] = "overwritten"
	}
	return remarks
}

// Quit ends the program; it waits for pending writes, but not for long, nor if the user insists.
func (d *Decisions) Quit() tea.Cmd {
	busy := false
	for _, w := range d.writing {
		busy = busy || !w.done
	}
	if !busy || d.quitting {
		return d.host.Leave
	}
	d.quitting = true
	return tea.Batch(d.host.Say("writing: quits as soon as that is done", true), d.host.Tick(quitPatience, func(time.Time) tea.Msg {
		return Result{func() tea.Cmd {
			if d.quitting {
				return d.host.Leave
			}
			return nil
		}}
	}))
}

// Decisions that another writer has overwritten are reported. Nothing is written again by itself: the row is marked until its gate is
// decided again.

// TellOverwritten reports decisions that a file has just lost, whenever they were made.
func (d *Decisions) TellOverwritten(losses []index.Loss) (cmd tea.Cmd) {
	for _, l := range losses {
		t := Target{Site: l.Site, Node: l.Site.Nodes[l.Node].Node}
		cmd = d.refuse(draw.Join(draw.PartJoint, "overwritten: "+line.Name(l.Name)+" was "+l.Verb.Words().Past+" "+d.Look.Ago(l.At)+", and the file no longer says so", d.whereWords(t)))
	}
	return cmd
}

// settle returns the command that checks whether an action of a question stands.
func (q *question) settle(out *model.Outcome) tea.Cmd {
	d, actor, ctx := q.owner, q.owner.Actor, q.owner.Context
	return Request(func() (any, error) { return nil, actor.Settle(ctx, out) }, func(_ any, err error) tea.Cmd {
		var over *model.Overwritten
		switch {
		case err == nil || ctx.Err() != nil || d.last != q:
			return nil
		case !errors.As(err, &over):
			return d.refuse("result unknown: " + err.Error())
		}
		delete(d.writing, q.at)
		d.lost[q.at] = true
		return d.refuse(draw.Join(draw.PartJoint, "overwritten: another writer of "+line.Foreign(over.File)+" undid your decision about "+q.name, q.where))
	})
}
