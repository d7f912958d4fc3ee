package decide

// Looking at the files for a question: what would be done, once more when the build changes under it, and what the answer
// means for it.

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
)

// restTime is the least time between two proposals asked for while a question is open: an agent may write all the time.
const restTime = 500 * time.Millisecond

// propose returns the command that asks what would be done, as the files are now.
func (d *Decisions) propose(q *question) tea.Cmd {
	if home := d.Index.Site(q.at); home != nil {
		q.build = home.Build
	}
	q.under, q.resting, q.again = true, true, false
	q.tries++
	actor, ctx, action, id, try := d.Actor, d.Context, q.action, q.id, q.tries
	action.Looked = q.shown
	return tea.Batch(func() tea.Msg {
		p, err := actor.Propose(ctx, action)
		return ProposedMsg{id, try, p, err}
	}, d.host.Tick(restTime, func(time.Time) tea.Msg { return RestedMsg{id} }))
}

// question returns the question with a number; nil where it is no more.
func (d *Decisions) question(id uint64) *question {
	for _, q := range d.questions {
		if q.id == id {
			return q
		}
	}
	return nil
}

// Reconsider asks again where the build of a question has changed under it, but not all the time.
func (d *Decisions) Reconsider() tea.Cmd {
	var cmd tea.Cmd
	for _, x := range d.asks {
		cmd = tea.Batch(cmd, x.reconsider())
	}
	for _, q := range d.questions {
		if q.stage == writing || q.stage == unanswered {
			continue
		}
		home := d.Index.Site(q.at)
		switch {
		case home == nil || home.Build == nil || q.at.Node != "" && home.Nodes[q.at.Node].Node == nil:
			q.refuse(notice{text: q.name + " is gone from the build", next: "it may come back while the file is written; esc leaves"})
			q.build = nil
		case home.Build == q.build:
			continue
		case q.under || q.resting:
			q.node, q.again = home.Nodes[q.at.Node].Node, true
		default:
			q.node = home.Nodes[q.at.Node].Node
			cmd = tea.Batch(cmd, d.propose(q))
		}
		q.revision++
	}
	return cmd
}

// rested asks again after a while, where something has changed meanwhile.
func (d *Decisions) rested(msg RestedMsg) tea.Cmd {
	q := d.question(msg.ID)
	if q == nil {
		return nil
	}
	q.resting = false
	if q.again && !q.under && q.stage != writing && q.stage != unanswered {
		return d.propose(q)
	}
	return nil
}

// takeProposal shows what would be done, or why it can't be.
func (d *Decisions) takeProposal(msg ProposedMsg) tea.Cmd {
	q := d.question(msg.id)
	if q == nil || msg.try != q.tries {
		return nil
	}
	q.under = false
	q.revision++
	if q.stage == writing || q.stage == unanswered { // it was asked for before, and means nothing any more
		return nil
	}
	var refusal *model.Refusal
	switch isRefusal := errors.As(msg.err, &refusal); {
	case isRefusal && refusal.Already:
		d.close(q)
		return d.tell(msg.err.Error() + "; nothing was written")
	case isRefusal && q.stage == proposing && q.action.Text != "": // it is the text that is refused
		q.retype(notice{text: refusal.Text, next: refusal.Fix})
	case isRefusal:
		q.refuse(notice{text: refusal.Text, next: refusal.Fix})
		q.final = q.action.Verb == model.VerbUndo
	case msg.err != nil:
		q.refuse(notice{text: msg.err.Error(), next: "enter looks again"})
	default:
		q.show(msg.proposal)
	}
	if q.again && !q.resting {
		return d.propose(q)
	}
	return nil
}

// show shows a proposal, and says so where it is another one than the user was looking at.
func (q *question) show(p *model.Proposal) {
	old := q.shown
	q.shown = p
	if p.Name != "" {
		q.name = line.Name(p.Name)
	}
	switch {
	case q.stage == proposing || old == nil: // the first, or one for a text that was just typed
		q.differ, q.notice, q.loose = nil, notice{}, false
	case old.Action.Shown != p.Action.Shown:
		q.changed()
		q.fresh = q.owner.host.Now()
	case q.stage == refused:
		if !q.wanted {
			q.fresh = q.owner.host.Now()
		}
		q.notice = notice{text: "it is possible again", calm: true}
	}
	q.stage, q.final, q.wanted = asking, false, false
	if p.Wants != "" && q.action.Text == "" || q.noting {
		q.stage = typing
	}
}

// changed says that what would be done is not what the user was proposing at.
func (q *question) changed() {
	q.differ, q.loose, q.warned = q.shown.Differences, false, false
	q.word.Set("")
	q.notice = notice{text: "The file has changed meanwhile.", next: "Below is what would be done now; look again."}
	if len(q.differ) == 0 {
		q.notice.text = "Only something else in the file has changed meanwhile."
	}
	q.sheet.Top, q.look = 0, nil
}

// refuse says that it can't be done as things are. What was typed stays.
func (q *question) refuse(n notice) {
	q.stage, q.notice, q.differ, q.loose, q.noting, q.look = refused, n, nil, false, false, nil
}

// retype goes back to the text.
func (q *question) retype(n notice) {
	q.stage, q.notice, q.action.Text = typing, n, ""
	q.sheet.Top = 0
}
