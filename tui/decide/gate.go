package decide

// The dialog about a gate or a build, which asks before anything is written. Its stages:
//
//	key ─► proposing ─ Propose ─► (typing ─ Propose with the text ─►) asking ─ y ─► writing ─ Do ─► closed, or the next of the queue
//	          ▲                                 │ the build changes, or Do finds another file
//	          └────────────────────────────────┘ the same text, what is different, and a fresh y
//
// If the reply is missing, a yes asks for the outcome and never repeats the action. The target is frozen by IDs.
// Its page is in gate_page.go, the evidence in evidence.go, writing in writing.go.

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
	"gatehouse/tui/input"
)

// stage is the stage of a question.
type stage int

const (
	proposing stage = iota // the actor is asked for a proposal
	typing                 // the user types a text
	asking                 // the proposal is on the screen
	writing
	refused    // currently impossible
	unanswered // the reply is missing
)

// question is the dialog.
type question struct {
	box
	id     uint64
	action model.Action // the requested action, with the typed text
	name   string
	build  *model.Build // as of the last proposal; a different one requires a new proposal
	node   *model.Node  // the gate as of the last snapshot, nil for the build

	stage  stage
	shown  *model.Proposal    // the proposal on the screen, nil before the first reply
	differ []model.Difference // to the previous proposal, before the file changed
	final  bool               // asking again would not help: refused for good
	since  time.Time          // start of the write
	left   bool               // the user has left the dialog during the write
	loose  bool               // any version of the file will do if it shows the same
	noting bool               // a note for an approval is being typed
	warned bool               // the user knows that no human needs to decide here
	wanted bool               // the user has asked for a new proposal

	word input.Editor // the word that confirms

	before *model.Build // when the action was sent
	raw    string       // its status at that time, in the words of the file

	evidence
	bytes bool // all bytes to write are shown

	tries   int  // requests to the actor: only the last reply counts
	under   bool // a reply is awaited
	resting bool // the last request was just now
	again   bool // ask again afterwards
}

// RestedMsg reports that a question has waited long enough after a request.
type RestedMsg struct{ ID uint64 }

// Ask opens the dialog about a verb and its target.
func (d *Decisions) Ask(t Target, verb model.Verb) tea.Cmd {
	if verb == model.VerbAnswer {
		return d.askAgent(t)
	}
	x, isNew := d.openBox(t.Place(), func() decider {
		d.asked++
		q := &question{id: d.asked, name: strings.Clone(t.Name()), node: t.Node, evidence: evidence{viewed: -1, opened: -1}}
		q.box = box{Dialog: dialog.New(d.host, q), owner: d, at: t.Place().Clone(), where: strings.Clone(d.whereWords(t))} // outlive the snapshot
		q.action = model.Action{Project: q.at.Project, Build: q.at.Build, Node: q.at.Node, Ahead: true}                    // the dialog warns if the gate is not reached yet
		return q
	})
	if !isNew {
		return nil
	}
	return x.(*question).askFor(verb)
}

// askFor opens the dialog for a verb of the target.
func (q *question) askFor(verb model.Verb) tea.Cmd {
	if q.action.Verb != "" {
		q.keepText()
	}
	q.action.Verb, q.action.Text, q.stage, q.shown, q.notice, q.differ, q.noting, q.warned = verb, "", proposing, nil, notice{}, nil, false, false
	q.text.Many = verb == model.VerbChanges
	q.text.Set(q.owner.drafts[draft{q.at, verb}])
	q.word.Set("")
	q.Revise()
	return tea.Batch(q.propose(), q.readLog())
}

// keepText keeps the typed text for the next dialog with the same target and verb.
func (q *question) keepText() { q.owner.keepDraft(draft{q.at, q.action.Verb}, q.text.Value()) }

// leaveAfter is how long a write takes before the dialog can be left: local files take less, other machines more.
const leaveAfter = time.Second

// mayLeave reports whether the dialog can be left before the reply has come. A later message reports the outcome.
func (q *question) mayLeave() bool {
	return !q.since.IsZero() && q.owner.host.Now().Sub(q.since) >= leaveAfter
}

// Choices implements [dialog.Subject].
func (q *question) Choices() []dialog.Choice {
	d, short := q.owner, q.action.Verb.Words().Short
	leave := dialog.Choice{Row: "back", Words: "leave", Do: q.goBack}
	kind := dialog.Choice{Row: "bytes", Words: "another type", Do: q.nextKind}
	text := dialog.Choice{Row: "note", Words: "text", Do: q.editText}
	edit := dialog.Choice{Row: "edit", Words: "edit", Do: q.editFile}
	severalKinds := len(q.kinds()) > 1
	var all choices
	switch q.stage {
	case writing:
		all.add(dialog.Choice{Words: "writing"}, dialog.Choice{Row: "quit", Do: d.Quit})
		all.addIf(q.mayLeave(), dialog.Choice{Row: "back", Words: "leave", Do: q.leaveWriting})
		return append(all, dialog.Choice{Rest: true, Do: func() tea.Cmd { return d.host.Say("it is being written: one moment", true) }})
	case typing:
		if q.noting {
			return []dialog.Choice{{Words: "keep the note", Marked: true, Do: q.enter}, {Row: "back", Words: "back", Do: q.goBack}}
		}
		all.add(dialog.Choice{Words: "go on", Marked: true, Do: q.enter}, leave)
		all.addIf(severalKinds, kind)
		return all
	case proposing:
		all.add(leave)
	case unanswered:
		all.add(outcomeChoice(q.askOutcome), leave)
	case refused:
		if q.final {
			all.add(dialog.Choice{Words: "leave", Marked: true, Do: q.goBack}, dialog.Choice{Row: "back", Do: q.goBack})
			break
		}
		all.add(dialog.Choice{Words: "look again", Marked: true, Do: q.lookAgain}, dialog.Choice{Row: "yes", Do: q.lookAgain}, leave)
		all.add(q.otherVerbs()...)
		all.addIf(q.action.Text != "", text)
		all.addIf(q.shown != nil, edit)
	default:
		if q.shown.Confirm != "" {
			return []dialog.Choice{{Words: short, Marked: true, Commits: true, Do: q.enter}, leave}
		}
		if q.viewed >= 0 {
			leave.Words = "back"
		}
		if q.action.Verb == model.VerbChanges {
			short = "ask for it"
		}
		isMissing, approves := len(q.missingFiles()) > 0, q.action.Verb == model.VerbApprove
		all.addIf(!isMissing, dialog.Choice{Row: "yes", Words: short, Marked: true, Commits: true, Do: q.sayYes})
		all.addIf(isMissing, dialog.Choice{Row: "failed", Words: "record as failed", Commits: true, Do: q.recordFailed})
		all.add(q.otherVerbs()...)
		all.addIf(d.leftWords(q.at) != "", dialog.Choice{Row: "next", Words: "next", Do: q.passOver})
		all.add(leave)
		all.addIf(approves && !isMissing, dialog.Choice{Row: "note", Words: "note", Do: func() tea.Cmd { q.stage, q.noting = typing, true; return nil }})
		all.addIf((!approves || isMissing) && q.action.Text != "", text)
		n := len(q.existingEvidence())
		view := dialog.Choice{Row: "view", Words: "view", Do: q.viewNext}
		if q.viewed >= 0 && q.viewed+1 < n {
			view.Words = "next document"
		}
		all.addIf(n > 0, view, dialog.Choice{Row: "open-file", Words: "open", Do: q.openEvidence})
		bytes := dialog.Choice{Row: "bytes", Words: "every byte", Do: q.showBytes}
		if q.bytes {
			bytes.Words = "hide bytes"
		}
		all.addIf(severalKinds, kind)
		all.addIf(!severalKinds && len(q.shown.Edits) > 0, bytes)
		all.add(edit)
		refuse := func() tea.Cmd { return d.refuse("deliverables are missing: f records the failed check, esc leaves") }
		all.addIf(isMissing, dialog.Choice{Row: "yes", Do: refuse}, dialog.Choice{Key: "enter", Do: refuse})
	}
	all.add(dialog.Choice{Row: "quit", Do: q.goBack}, dialog.Choice{Row: "next", Do: q.passOver}, dialog.Choice{Row: "undo", Do: func() tea.Cmd { return d.undoNewest(q.leave) }})
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

// Field implements [dialog.Subject].
func (q *question) Field() *dialog.Field {
	switch {
	case q.stage == asking && q.shown.Confirm != "":
		return &dialog.Field{Editor: &q.word, Label: "Type " + q.shown.Confirm, Remark: "to go on", Rows: 1}
	case q.stage != typing:
		return nil
	}
	f := &dialog.Field{Editor: &q.text, Label: "Reason", Rows: 2}
	switch q.action.Verb {
	case model.VerbChanges:
		f.Label, f.Rows = "What to change", 0
	case model.VerbApprove:
		f.Label = "Note"
	case model.VerbAdd:
		f.Label = "Item"
	}
	switch n := q.missingLetters(); {
	case q.noting:
		f.Remark = "for the journal, and for a waiting agent"
	case len(q.kinds()) > 0:
		f.Remark = draw.Join(draw.PartJoint, "an idea, a wish, or a link", "tab: "+draw.OrElse(q.action.Kind, "type by the text"))
	case n > 0:
		f.Remark = draw.Counted(n, "more character")
	case q.text.Many:
		f.Remark = "ctrl+j begins a line"
	}
	f.Remark = fullRemark(&q.text, f.Remark)
	return f
}

// missingLetters returns how many characters the text still needs.
func (q *question) missingLetters() int {
	least := 1
	switch {
	case q.noting:
		return 0
	case q.shown != nil && q.shown.Wants == "reason":
		least = model.LeastReason
	}
	return max(least-utf8.RuneCountInString(q.text.Value()), 0)
}

// kinds are the kinds to choose from for an item of the inbox.
func (q *question) kinds() []string {
	if q.shown == nil {
		return nil
	}
	return q.shown.Kinds
}

// kind is the kind that would be written.
func (q *question) kind() string {
	if all := q.kinds(); q.action.Kind == "" && len(all) > 0 {
		return all[0]
	}
	return q.action.Kind
}

// nextKind selects the next kind.
func (q *question) nextKind() tea.Cmd {
	all := slices.Sorted(slices.Values(q.kinds())) // the best match comes first, and changes with the choice
	q.action.Kind = all[(slices.Index(all, q.kind())+1)%len(all)]
	if q.stage == typing {
		return nil
	}
	q.stage, q.notice = proposing, notice{}
	return q.propose()
}

// enter ends typing: a text is checked with the files, a confirming word is the answer.
func (q *question) enter() tea.Cmd {
	switch n := q.missingLetters(); {
	case q.stage == asking && q.word.Value() != q.shown.Confirm:
		return q.owner.refuse("type " + q.shown.Confirm + " to go on; esc leaves")
	case q.stage == asking:
		return q.sayYes()
	case q.noting:
		q.stage, q.noting, q.action.Text = asking, false, q.text.Value()
		return nil
	case n > 0:
		return q.owner.refuse(draw.Counted(n, "more character") + "; esc leaves")
	}
	q.action.Text, q.stage, q.notice = q.text.Value(), proposing, notice{}
	q.Sheet.Top = 0
	return q.propose()
}

// sayYes carries the action out.
func (q *question) sayYes() tea.Cmd {
	if q.action.Verb == model.VerbApprove && q.node != nil && q.node.Gate != nil && q.node.Gate.Approval == model.ApprovalAuto && !q.warned {
		q.warned, q.viewed = true, -1
		q.notice = notice{text: "This gate is opened by a check, not by a human.", next: "y once more approves it all the same."}
		q.Sheet.Top = 0
		return nil
	}
	return q.commit(false)
}

// recordFailed records the failed check of a gate.
func (q *question) recordFailed() tea.Cmd { return q.commit(true) }

// commit writes the shown proposal.
func (q *question) commit(failed bool) tea.Cmd {
	if q.away != "" {
		return q.owner.refuse(q.away)
	}
	a := q.shown.Action
	a.Text, a.RecordFailed, a.Looked = q.action.Text, failed, q.shown
	if q.loose {
		a.Seen = ""
	}
	return q.write(a)
}

// lookAgain asks the actor for a new proposal.
func (q *question) lookAgain() tea.Cmd {
	if q.under {
		return nil
	}
	q.wanted = true
	return q.propose()
}

// missingFiles returns the missing deliverables that make an approval the record of a failed check.
func (q *question) missingFiles() []string {
	if q.action.Verb != model.VerbApprove || q.shown == nil {
		return nil
	}
	return q.shown.Missing
}

// goBack takes one step back: from a deliverable or a note to the question, and out of the question, which ends the queue.
func (q *question) goBack() tea.Cmd {
	switch {
	case q.stage == asking && q.viewed >= 0:
		q.viewed, q.Sheet.Top = -1, 0
	case q.noting:
		q.stage, q.noting = asking, false
	default:
		q.owner.queue = nil
		q.leave()
	}
	return nil
}

// passOver leaves the dialog for the next one in the queue.
func (q *question) passOver() tea.Cmd {
	q.leave()
	return q.owner.advance(q.at)
}

// leaveWriting closes the dialog before the outcome is known.
func (q *question) leaveWriting() tea.Cmd {
	q.left = true
	q.owner.host.Close(q)
	return nil
}

// leave closes the dialog.
func (q *question) leave() {
	q.keepText()
	q.owner.close(q, q.stage == writing)
}

// editText returns to the text.
func (q *question) editText() tea.Cmd {
	q.retype(notice{})
	return nil
}

// retype asks for another text, and says why.
func (q *question) retype(n notice) {
	q.stage, q.notice, q.action.Text = typing, n, ""
	q.Sheet.Top = 0
}

// showBytes shows all bytes to write, or hides them.
func (q *question) showBytes() tea.Cmd {
	q.bytes = !q.bytes
	q.jump = q.bytes
	return nil
}

// editFile opens the file to write, at the first value.
func (q *question) editFile() tea.Cmd {
	home := q.owner.Index.Site(q.at)
	if home == nil || q.shown == nil || q.shown.File == "" {
		return q.owner.refuse("no file is known")
	}
	pos := model.Pos{File: q.shown.File}
	if len(q.shown.Edits) > 0 {
		pos = q.shown.Edits[0].Pos
	}
	return q.owner.host.Edit(home, pos)
}

// restTime is the minimum time between two proposals for an open question: an agent may write all the time.
const restTime = 500 * time.Millisecond

// propose returns the command that asks for a proposal, from the current files.
func (q *question) propose() tea.Cmd {
	d := q.owner
	if home := d.Index.Site(q.at); home != nil {
		q.build = home.Build
	}
	q.under, q.resting, q.again = true, true, false
	q.tries++
	actor, ctx, action, id, try := d.Actor, d.Context, q.action, q.id, q.tries
	action.Looked = q.shown
	return tea.Batch(request(func() (*model.Proposal, error) { return actor.Propose(ctx, action) }, func(p *model.Proposal, err error) tea.Cmd {
		if try != q.tries || !d.isOpen(q) {
			return nil
		}
		return q.takeProposal(p, err)
	}), d.host.Tick(restTime, func(time.Time) tea.Msg { return RestedMsg{id} }))
}

// isSettled reports whether a decision was sent: until its outcome is known, the state of the file means nothing.
func (q *question) isSettled() bool { return q.stage == writing || q.stage == unanswered }

// Reconsider asks again if the build of a question has changed while it was open, but not all the time.
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
	case q.under || q.resting:
		q.node, q.again = t.Node, true
	default:
		q.node = t.Node
		cmd = q.propose()
	}
	q.Revise()
	return cmd
}

// endRest asks again after a while if something has changed since.
func (d *Decisions) endRest(id uint64) tea.Cmd {
	for _, x := range d.boxes {
		if q, ok := x.(*question); ok && q.id == id {
			if q.resting = false; q.again && !q.under && !q.isSettled() {
				return q.propose()
			}
		}
	}
	return nil
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
	case isRefusal && q.stage == proposing && q.action.Text != "": // the text is refused, not the action
		q.retype(noticeOf(err, "", ""))
	case err != nil:
		q.refuse(noticeOf(err, "", "enter looks again"))
		q.final = isRefusal && q.action.Verb == model.VerbUndo
	default:
		q.showProposal(p)
		cmd = q.readShown()
	}
	if q.again && !q.resting {
		return tea.Batch(cmd, q.propose())
	}
	return cmd
}

// closeUndone closes a question without a write, says why, and goes on in the queue.
func (q *question) closeUndone(why string) tea.Cmd {
	d := q.owner
	d.close(q, q.stage == writing)
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
	case q.stage == proposing || old == nil: // the first proposal, or one for a new text
		q.differ, q.notice, q.loose = nil, notice{}, false
		if old == nil {
			q.bytes = !q.showsEvidence() && !q.hasFailed() // there is nothing else to judge by
		}
		q.guardNew()
	case old.Action.Shown != p.Action.Shown:
		q.showChange()
	case q.stage == refused:
		if !q.wanted {
			q.Change()
		}
		q.notice = notice{text: "it is possible again", calm: true}
	}
	q.stage, q.final, q.wanted = asking, false, false
	if p.Wants != "" && q.action.Text == "" || q.noting {
		q.stage = typing
	}
}

// showChange says that the proposal differs from the one that the user saw.
func (q *question) showChange() {
	q.differ, q.loose, q.warned = q.shown.Differences, false, false
	q.word.Set("")
	q.notice = notice{text: "The file has changed meanwhile.", next: "Below is what would be done now; look again."}
	if len(q.differ) == 0 {
		q.notice.text = "Only something else in the file has changed meanwhile."
	}
	q.viewed = -1
	q.Change()
}

// refuse says that the action is currently impossible. The typed text stays.
func (q *question) refuse(n notice) {
	q.stage, q.notice, q.differ, q.loose, q.noting, q.viewed = refused, n, nil, false, false, -1
	q.Revise()
}
