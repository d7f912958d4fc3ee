package decide

// The dialog about a gate or a build, which asks before anything is written. Its stages:
//
//	key ─► opening ─ Propose ─► (typing ─ Propose with the text ─►) asking ─ y ─► sending ─ Do ─► closed, or the next of the queue
//	          ▲                                 │ the build changes, or Do finds another file
//	          └────────────────────────────────┘ the same text, what is different, and a fresh y
//
// If the reply is missing, a yes asks for the outcome and does not repeat the action. The target is frozen by IDs.
// Its page is in gate_page.go, the evidence in evidence.go, the outcome in writing.go.

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/dialog"
)

// question is the dialog.
type question struct {
	box
	action model.Action // the requested action, with the typed text
	name   string
	build  *model.Build // as of the last proposal; a different one requires a new proposal
	node   *model.Node  // the gate as of the last snapshot, nil for the build

	shown  *model.Proposal    // the proposal on the screen, nil before the first reply
	differ []model.Difference // to the previous proposal, before the file changed
	loose  bool               // any version of the file will do if it shows the same
	before *model.Build       // when the action was sent

	evidence
	bytes bool // all bytes to write are shown

	tries int  // requests to the actor: only the last reply counts
	under bool // a reply is awaited
	again bool // ask again afterwards
}

// Ask opens the dialog about a verb and its target.
func (d *Decisions) Ask(t Target, verb model.Verb) tea.Cmd {
	if verb == model.VerbAnswer {
		return d.askAgent(t)
	}
	q := &question{name: strings.Clone(t.Name()), node: t.Node}
	q.box = d.newBox(q, t, d.whereWords(t))
	q.action = model.Action{Project: q.at.Project, Build: q.at.Build, Node: q.at.Node, Ahead: true} // the dialog warns if the gate is not reached yet
	d.openBox(q)
	return q.askFor(verb)
}

// askFor opens the dialog for a verb of the target.
func (q *question) askFor(verb model.Verb) tea.Cmd {
	q.action.Verb, q.action.Text, q.stage, q.shown, q.notice, q.differ = verb, "", opening, nil, notice{}, nil
	q.text.Many = verb == model.VerbChanges
	q.typed = wanted{label: "Reason", rows: 2, least: 1, done: func(text string) tea.Cmd {
		q.action.Text = text
		return q.lookAgain() // the text is checked with the files
	}}
	switch verb {
	case model.VerbChanges:
		q.typed.label, q.typed.rows = "What to change", 0
	case model.VerbAdd:
		q.typed.label, q.typed.remark = "Item", "an idea, a wish, or a link"
	}
	q.text.Set("")
	q.Revise()
	return tea.Batch(q.propose(), q.readLog())
}

// Choices implements [dialog.Subject].
func (q *question) Choices() []dialog.Choice {
	d, short := q.owner, q.action.Verb.Words().Short
	leaveQueue, passOver := func() tea.Cmd { return d.leaveQueue(q) }, func() tea.Cmd { return d.passOver(q) }
	leave := dialog.Choice{Row: "back", Words: "leave", Do: leaveQueue}
	var all choices
	switch q.stage {
	case sending:
		return q.sendingChoices("writing", "it is being written: one moment")
	case typing:
		return []dialog.Choice{{Words: "go on", Marked: true, Do: q.takeText}, leave}
	case opening:
		all.add(leave)
	case over:
		all.add(dialog.Choice{Words: "look again", Marked: true, Do: q.lookAgain}, dialog.Choice{Row: "yes", Do: q.lookAgain}, leave)
		all.add(q.otherVerbs()...)
	default:
		if q.sent != nil {
			askOutcome := func() tea.Cmd { return q.awaitOutcome("asking for the result", q.sent.Outcome) } // it is not sent again
			all.add(dialog.Choice{Row: "yes", Words: "ask for the result", Marked: true, Do: askOutcome}, leave)
			break
		}
		if q.action.Verb == model.VerbChanges {
			short = "ask for it"
		}
		isMissing := len(q.missingFiles()) > 0
		yes := dialog.Choice{Row: "yes", Words: short, Marked: q.shown.Confirm == "", Commits: true, Do: func() tea.Cmd { return q.commit(false) }}
		if isMissing {
			yes = dialog.Choice{Row: "failed", Words: "record as failed", Commits: true, Do: func() tea.Cmd { return q.commit(true) }}
			refuse := func() tea.Cmd {
				return d.refuse("deliverables are missing: f records the failed check, esc leaves")
			}
			all.add(dialog.Choice{Row: "yes", Do: refuse}, dialog.Choice{Key: "enter", Do: refuse})
		}
		all.add(yes)
		all.add(q.otherVerbs()...)
		all.addIf(d.leftWords(q.at) != "", dialog.Choice{Row: "next", Words: "next", Do: passOver})
		all.add(leave)
		all.addIf(q.action.Text != "", dialog.Choice{Row: "note", Words: "text", Do: func() tea.Cmd { q.retype(notice{}); return nil }})
		all.addIf(len(q.existingEvidence()) > 0, dialog.Choice{Row: "open-file", Words: "open", Do: q.openEvidence})
		bytes := dialog.Choice{Row: "bytes", Words: "every byte", Do: func() tea.Cmd {
			q.bytes = !q.bytes
			q.jump = q.bytes
			return nil
		}}
		if q.bytes {
			bytes.Words = "hide bytes"
		}
		all.addIf(len(q.shown.Edits) > 0, bytes)
	}
	all.add(dialog.Choice{Row: "quit", Do: leaveQueue}, dialog.Choice{Row: "next", Do: passOver}, dialog.Choice{Row: "undo", Do: func() tea.Cmd { return d.undoNewest(q) }})
	return all
}

// otherVerbs are the other possible decisions about the gate.
func (q *question) otherVerbs() (all []dialog.Choice) {
	t, ok := q.Target()
	if !ok || q.action.Verb.Words().About != model.AboutGate || q.action.Verb == model.VerbUndo {
		return nil
	}
	for _, v := range t.Can() {
		if v != q.action.Verb && v != model.VerbUndo && v.Words().About == model.AboutGate {
			all = append(all, dialog.Choice{Row: string(v), Words: v.Words().Short, Do: func() tea.Cmd { return q.askFor(v) }})
		}
	}
	return all
}

// commit writes the shown proposal; failed records the failed check of a gate.
func (q *question) commit(failed bool) tea.Cmd {
	if q.away != "" {
		return q.owner.refuse(q.away)
	}
	a := q.shown.Action
	a.Text, a.RecordFailed, a.Looked = q.action.Text, failed, q.shown
	if q.loose {
		a.Seen = ""
	}
	q.before = nil
	if home := q.owner.Index.Site(q.at); home != nil {
		q.before = home.Build
	}
	actor := q.owner.Actor
	return q.awaitOutcome(fillName(q.action.Verb.Words().Doing, q.name), func(ctx context.Context) (*model.Outcome, error) { return actor.Do(ctx, a) })
}

// lookAgain asks the actor for a new proposal.
func (q *question) lookAgain() tea.Cmd {
	q.stage, q.notice, q.Sheet.Top = opening, notice{}, 0
	return q.propose()
}

// missingFiles returns the missing deliverables that make an approval the record of a failed check.
func (q *question) missingFiles() []string {
	if q.action.Verb != model.VerbApprove || q.shown == nil {
		return nil
	}
	return q.shown.Missing
}

func (q *question) leave() tea.Cmd {
	q.owner.close(q, false)
	return nil
}

// retype asks for another text, and says why.
func (q *question) retype(n notice) {
	q.stage, q.notice, q.action.Text = typing, n, ""
	q.Sheet.Top = 0
}

// propose returns the command that asks for a proposal, from the current files.
func (q *question) propose() tea.Cmd {
	d := q.owner
	if home := d.Index.Site(q.at); home != nil {
		q.build = home.Build
	}
	q.under, q.again = true, false
	q.tries++
	actor, ctx, action, try := d.Actor, d.Context, q.action, q.tries
	action.Looked = q.shown
	return Request(func() (*model.Proposal, error) { return actor.Propose(ctx, action) }, func(p *model.Proposal, err error) tea.Cmd {
		if try != q.tries || !d.isOpen(q) {
			return nil
		}
		return q.takeProposal(p, err)
	})
}

// isSettled reports whether a decision was sent: until its outcome is known, the state of the file means nothing.
func (q *question) isSettled() bool { return q.stage == sending || q.sent != nil }

// Reconsider asks again if the build of a question has changed while it was open.
func (d *Decisions) Reconsider() tea.Cmd {
	var cmd tea.Cmd
	for _, x := range d.boxes {
		cmd = tea.Batch(cmd, x.reconsider())
	}
	return cmd
}

func (q *question) reconsider() (cmd tea.Cmd) {
	if q.isSettled() {
		return nil
	}
	t, ok := q.Target()
	switch {
	case !ok:
		q.refuse(notice{text: q.name + " is gone from the build", next: "it may come back while the file is written; esc leaves"})
		q.build = nil
	case t.Site.Build == q.build:
		return nil
	case q.under:
		q.node, q.again = t.Node, true
	default:
		q.node = t.Node
		cmd = q.propose()
	}
	q.Revise()
	return cmd
}

// takeProposal shows a proposal, or why there is none.
func (q *question) takeProposal(p *model.Proposal, err error) (cmd tea.Cmd) {
	q.under = false
	q.Revise()
	if q.isSettled() {
		return nil
	}
	var refusal *model.Refusal
	switch isRefusal := errors.As(err, &refusal); {
	case isRefusal && refusal.Already:
		return q.closeUndone(err.Error())
	case isRefusal && q.stage == opening && q.action.Text != "": // the text is refused, not the action
		q.retype(noticeOf(err, "", ""))
	case err != nil:
		q.refuse(noticeOf(err, "", "enter looks again"))
	default:
		q.showProposal(p)
		cmd = q.readEvidence()
	}
	if q.again {
		return tea.Batch(cmd, q.propose())
	}
	return cmd
}

// closeUndone closes a question without a write, says why, and goes on in the queue.
func (q *question) closeUndone(why string) tea.Cmd {
	d := q.owner
	d.close(q, q.stage == sending)
	return tea.Batch(d.tell(why+"; nothing was written"), d.advance(q.at))
}

// showProposal shows a proposal, and marks its differences to the one on the screen.
func (q *question) showProposal(p *model.Proposal) {
	old := q.shown
	q.shown = p
	if p.Name != "" {
		q.name = line.Name(p.Name)
	}
	switch {
	case q.stage == opening || old == nil: // the first proposal, or one that the user has asked for
		q.differ, q.notice, q.loose = nil, notice{}, false
		if old == nil {
			q.bytes = !q.showsEvidence() && !q.hasFailed() // there is nothing else to judge by
		}
		q.guardNew()
	case old.Action.Shown != p.Action.Shown:
		q.showChange()
	case q.stage == over:
		q.Change()
		q.notice = notice{text: "it is possible again", calm: true}
	}
	q.stage = asking
	if p.Wants == "reason" {
		q.typed.least = model.LeastReason
	}
	if p.Wants != "" && q.action.Text == "" {
		q.stage = typing
	}
}

// showChange says that the proposal differs from the one that the user saw.
func (q *question) showChange() {
	q.differ, q.loose = q.shown.Differences, false
	q.notice = notice{text: "The file has changed meanwhile.", next: "Below is what would be done now; look again."}
	if len(q.differ) == 0 {
		q.notice.text = "Only something else in the file has changed meanwhile."
	}
	q.Change()
}

// refuse says that the action is currently impossible. The typed text stays.
func (q *question) refuse(n notice) {
	q.stage, q.notice, q.differ, q.loose = over, n, nil, false
	q.Revise()
}
