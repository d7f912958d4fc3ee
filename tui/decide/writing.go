package decide

// Writing, and what comes after it: the toast, the mark on the row until the file says so, and the notice where another
// writer has put something else over it. Quitting waits for what is being written.

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// quitPatience is how long quitting waits for what is being written.
const quitPatience = time.Second

// pending is something that is being written, or was and cannot be seen yet.
type pending struct {
	verb  model.Verb
	name  string
	build *model.Build // as it was before
	done  bool
}

// quitMsg says that quitting has waited long enough.
type quitMsg struct{}

// SettledMsg says what has become of something that was written.
type SettledMsg struct {
	lost  lost
	after uint64 // how many had been done when this one was
	err   error
}

// write returns the command that does what was decided. Until it has ended the dialog takes no other answer.
func (d *Decisions) write(q *question, a model.Action) tea.Cmd {
	q.failed, q.before = a.RecordFailed, nil
	if home := d.Index.Site(q.at); home != nil {
		q.before, q.raw = home.Build, d.raw(q.at)
	}
	actor := d.Actor
	return d.await(q, about(q.action.Verb.Words().Doing, q.name), func(ctx context.Context) (*model.Outcome, error) { return actor.Do(ctx, a) })
}

// askOutcome returns the command that asks what became of what was sent: it is not sent again.
func (d *Decisions) askOutcome(q *question) tea.Cmd {
	return d.await(q, "asking what became of it", q.sent.Outcome)
}

// await returns the command that finds out what became of a decision.
func (d *Decisions) await(q *question, doing string, outcome func(context.Context) (*model.Outcome, error)) tea.Cmd {
	q.stage, q.left, q.since = writing, false, d.host.Now()
	d.writing[q.at] = pending{verb: q.action.Verb, name: q.name, build: q.before}
	d.markRows()
	ctx, id, at := d.Context, q.id, q.at
	return tea.Batch(d.tell(doing+d.Look.Glyphs.Ellipsis), func() tea.Msg {
		out, err := outcome(ctx)
		return DoneMsg{id, at, out, err}
	})
}

// takeDone says what came of it.
func (d *Decisions) takeDone(msg DoneMsg) tea.Cmd {
	q := d.question(msg.id)
	if q == nil {
		return nil
	}
	cmd := d.conclude(q, msg)
	d.markRows()
	if d.quitting && d.question(msg.id) == nil {
		return d.host.Leave
	}
	d.quitting = false // it was not done, and the user has to know
	return cmd
}

// conclude ends a question, or asks again.
func (d *Decisions) conclude(q *question, msg DoneMsg) tea.Cmd {
	q.Revise()
	was, written := d.writing[msg.at], msg.err == nil && msg.outcome.Note == ""
	if home := d.Index.Site(msg.at); written && home != nil && home.Build == was.build {
		was.done = true
		d.writing[msg.at] = was
	} else {
		delete(d.writing, msg.at) // nothing was written, or the file has told already
	}
	delete(d.unanswered, msg.at)
	var refusal *model.Refusal
	var changed *model.Changed
	switch {
	case written:
		return d.succeed(q, msg.outcome)
	case msg.err == nil:
		d.close(q)
		return tea.Batch(d.tell(msg.outcome.Note+"; nothing was written"), d.advance(q.at))
	case errors.As(msg.err, &refusal) && refusal.Already:
		d.close(q)
		return tea.Batch(d.tell(refusal.Error()+"; nothing was written"), d.advance(q.at))
	case errors.As(msg.err, &q.sent):
		q.stage = unanswered
		d.unanswered[msg.at] = q
		q.notice = notice{text: upper(q.sent.Why()) + ".", next: askOutcomeHow}
	case errors.As(msg.err, &refusal):
		q.refuse(notice{text: refusal.Text, next: refusal.Fix})
	case errors.As(msg.err, &changed):
		q.askAnew(changed)
	default:
		q.stage = asking
		q.notice = notice{text: "It failed: " + msg.err.Error(), next: "y tries again."}
	}
	q.Sheet.Top = 0
	d.host.ClearToast()
	if q.left { // it takes no keys that are meant for something else now
		d.quitting = false
		q.leave()
		return d.refuse(draw.Join(draw.PartJoint, draw.Join(": ", q.name, msg.err.Error()), q.where))
	}
	return d.Reconsider()
}

// askAnew shows what would be done to the file as it is now. Where only what is not shown has changed, the next yes holds for
// any such file: a writer that never rests must not lock the user out.
func (q *question) askAnew(c *model.Changed) {
	if c.Now == nil {
		q.refuse(notice{text: "The file has changed meanwhile: " + c.Why.Error()})
		return
	}
	same := q.shown.Action.Shown == c.Now.Action.Shown
	q.stage, q.shown = asking, c.Now
	if !same {
		q.changed()
		return
	}
	q.differ, q.loose = nil, true
	q.notice = notice{text: "The file was written meanwhile, but nothing that you see here has changed.", next: "y does it all the same.", calm: true}
}

// succeed closes the question and says what was done; the row will change when the file is read again.
func (d *Decisions) succeed(q *question, out *model.Outcome) tea.Cmd {
	d.keep(draft{q.at, q.action.Verb}, "")
	d.losses = slices.DeleteFunc(d.losses, func(x *lost) bool { return x.at == q.at }) // it has been decided again
	d.done++
	d.last[q.at] = d.done
	if d.newest = q.at; q.action.Verb == model.VerbUndo || q.action.Verb.Words().About != model.AboutGate {
		d.newest = index.Place{}
	}
	d.close(q)
	text := about(q.action.Verb.Words().Done, q.name)
	if q.failed {
		text = about("recorded the failed check of %", q.name)
	}
	if q.action.Verb == model.VerbUndo {
		text = draw.Join(": ", text, changedOf(&out.Decision))
	}
	text = draw.Join(draw.PartJoint, text, q.where)
	if key := d.host.KeyFor(model.VerbUndo); key != "" && q.action.Verb.Words().About == model.AboutGate && q.action.Verb != model.VerbUndo {
		text += draw.PartJoint + key + " undoes"
	}
	text = draw.Join(draw.PartJoint, text, d.whatElse(q.at))
	actor, ctx, after := d.Actor, d.Context, d.done
	gone := lost{at: q.at, verb: q.action.Verb, name: strings.Clone(q.name), where: q.where, text: q.action.Text}
	settle := func() tea.Msg { return SettledMsg{gone, after, actor.Settle(ctx, out)} }
	return tea.Batch(d.tell(text), settle, d.advance(q.at))
}

// takeSettled tells the user where the decision has been overwritten, unless they have decided again meanwhile.
func (d *Decisions) takeSettled(msg SettledMsg) tea.Cmd {
	var over *model.Overwritten
	switch {
	case msg.err == nil || d.Context.Err() != nil || d.last[msg.lost.at] != msg.after:
		return nil
	case !errors.As(msg.err, &over):
		return d.refuse("nobody knows whether it stayed: " + msg.err.Error())
	}
	gone := msg.lost
	gone.owner = d
	gone.Dialog = dialog.New(d.host, &gone)
	gone.file, gone.values = over.File, over.Lost
	delete(d.writing, gone.at)
	d.losses = append(d.losses, &gone)
	d.host.ClearToast()
	d.TellLosses()
	d.markRows()
	return nil
}

// Load takes in a snapshot: the marks go from the rows of which the file has told.
func (d *Decisions) Load(ix *index.Index) {
	d.Index = ix
	for at, w := range d.writing {
		if home := d.Index.Site(at); w.done && (home == nil || home.Build != w.build) {
			delete(d.writing, at)
		}
	}
	for at, x := range d.unknown {
		if home := ix.Site(at); home != nil && home.Nodes[at.Node].Node == nil && !slices.Contains(d.asks, x) { // it has ended
			delete(d.unknown, at)
		}
	}
	for at, q := range d.unanswered {
		if raw := d.raw(at); raw != q.raw && d.question(q.id) == nil { // the file has told
			delete(d.unanswered, at)
		}
	}
	for _, q := range d.questions { // its host may have gone, or be back
		if away := d.outOfReach(q.at); away != q.away {
			q.away = away
			q.Revise()
		}
	}
	for _, x := range d.asks {
		if away := d.outOfReach(x.at); away != x.away {
			x.away = away
			x.Revise()
		}
	}
	d.markRows()
}

// raw returns the status of a place in the file's words, "" where it is gone.
func (d *Decisions) raw(at index.Place) string {
	home := d.Index.Site(at)
	switch {
	case home == nil || home.Build == nil:
		return ""
	case at.Node == "":
		return home.Build.Raw
	case home.Nodes[at.Node].Node == nil:
		return ""
	}
	return home.Nodes[at.Node].Node.Raw
}

// markRows makes the remarks beside the rows anew.
func (d *Decisions) markRows() {
	remarks := make(map[index.Place]string, len(d.writing)+len(d.losses))
	for at := range d.writing {
		remarks[at] = "writing" + d.Look.Glyphs.Ellipsis
	}
	for at, q := range d.unanswered {
		if q.stage == unanswered {
			remarks[at] = "not known"
		}
	}
	for at := range d.unknown {
		remarks[at] = "not known"
	}
	for _, gone := range d.losses {
		remarks[gone.at] = "overwritten"
	}
	d.host.Remark(remarks)
}

// Quit ends the program; what is being written is waited for, but not for long, nor when the user insists.
func (d *Decisions) Quit() tea.Cmd {
	busy := false
	for _, w := range d.writing {
		busy = busy || !w.done
	}
	if !busy || d.quitting {
		return d.host.Leave
	}
	d.quitting = true
	return tea.Batch(d.host.Say("writing: quits as soon as that is done", true), d.host.Tick(quitPatience, func(time.Time) tea.Msg { return quitMsg{} }))
}
