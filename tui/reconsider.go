package tui

// Looking at the files for a question: what would be done, once more when the build changes under it, and what the answer
// means for it.

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
)

// rest is the least time between two looks at the files while a question is open: an agent may write all the time.
const rest = 500 * time.Millisecond

// propose returns the command that looks what would be done, as the files are now.
func (d *dashboard) propose(q *question) tea.Cmd {
	if home := d.index.Site(q.at); home != nil {
		q.build = home.Build
	}
	q.under, q.resting, q.again = true, true, false
	q.looks++
	actor, ctx, action, id, look := d.opts.Actor, d.ctx, q.action, q.id, q.looks
	return tea.Batch(func() tea.Msg {
		p, err := actor.Propose(ctx, action)
		return proposedMsg{id, look, p, err}
	}, d.tick(rest, func(time.Time) tea.Msg { return restedMsg{id} }))
}

// question returns the question with a number; nil where it is no more.
func (d *dashboard) question(id uint64) *question {
	for _, x := range d.dialogs {
		if q, ok := x.(*question); ok && q.id == id {
			return q
		}
	}
	return nil
}

// reconsider looks again where the build of a question has changed under it, but not all the time.
func (d *dashboard) reconsider() tea.Cmd {
	var cmd tea.Cmd
	for _, x := range d.dialogs {
		q, ok := x.(*question)
		if !ok || q.stage == writing {
			continue
		}
		home := d.index.Site(q.at)
		switch {
		case home == nil || home.Build == nil || q.at.Node != "" && home.Nodes[q.at.Node].Node == nil:
			q.refuse(notice{text: q.name + " is gone from the build", next: "it may come back while the file is written; esc leaves"})
			q.build = nil
		case home.Build == q.build:
		case q.under || q.resting:
			q.node, q.again = home.Nodes[q.at.Node].Node, true
		default:
			q.node = home.Nodes[q.at.Node].Node
			cmd = alongside(cmd, d.propose(q))
		}
		q.revision++
	}
	return cmd
}

// rested looks again after a while, where something has changed meanwhile.
func (d *dashboard) rested(msg restedMsg) tea.Cmd {
	q := d.question(msg.id)
	if q == nil {
		return nil
	}
	q.resting = false
	if q.again && !q.under && q.stage != writing {
		return d.propose(q)
	}
	return nil
}

// takeProposal shows what would be done, or why it can't be.
func (d *dashboard) takeProposal(msg proposedMsg) tea.Cmd {
	q := d.question(msg.id)
	if q == nil || msg.look != q.looks {
		return nil
	}
	q.under = false
	q.revision++
	if q.stage == writing { // it was asked for before, and means nothing any more
		return nil
	}
	var refusal *model.Refusal
	switch isRefusal := errors.As(msg.err, &refusal); {
	case isRefusal && refusal.Already:
		d.remove(q)
		return d.tell(msg.err.Error() + "; nothing was written")
	case isRefusal && q.stage == looking && q.action.Text != "": // it is the text that is refused
		q.retype(notice{text: refusal.Text, next: refusal.Fix})
	case isRefusal:
		q.refuse(notice{text: refusal.Text, next: refusal.Fix})
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
	case q.stage == looking || old == nil: // the first, or one for a text that was just typed
		q.before, q.notice, q.loose = nil, notice{}, false
	case old.Action.Shown != p.Action.Shown:
		q.changed(old)
	case q.stage == refused:
		q.notice = notice{text: "it is possible again", calm: true}
	}
	q.stage = asking
	if p.Wants != "" && q.action.Text == "" {
		q.stage = typing
	}
}

// changed says that what would be done is not what the user was looking at.
func (q *question) changed(old *model.Proposal) {
	q.before, q.loose, q.warned = old, false, false
	q.word.set("")
	q.notice = notice{text: "The file has changed meanwhile.", next: "Below is what would be done now; look again."}
	if len(differences(old, q.shown)) == 0 {
		q.notice.text = "Only something else in the file has changed meanwhile."
	}
	q.sheet.Top = 0
}

// refuse says that it can't be done as things are. What was typed stays.
func (q *question) refuse(n notice) { q.stage, q.notice, q.before, q.loose = refused, n, nil, false }

// retype goes back to the text.
func (q *question) retype(n notice) {
	q.stage, q.notice, q.action.Text = typing, n, ""
	q.sheet.Top = 0
}
