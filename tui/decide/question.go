package decide

// The dialog that asks before anything is decided. How it goes:
//
//	key ─► proposing ─ Propose ─► (typing ─ Propose with the text ─►) asking ─ y ─► writing ─ Do ─► closed
//	          ▲                                 │ the build changes, or Do finds another file
//	          └────────────────────────────────┘ the same text, what is different, and a fresh y
//
// If nobody can say whether it was done, a yes sends it again: a decision is applied once.
//
// What it is about is frozen by IDs. Nothing is written by the key that opens it, nor by one that was pressed before what
// would be written was on the screen. How it asks the actor is in reconsider.go, how it is drawn in questionbox.go, what
// comes after it in writing.go and overwritten.go.

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
)

// stage is where in its way a question is.
type stage int

const (
	proposing stage = iota // at the files, for what would be done
	typing                 // the user types a text
	asking                 // everything is on the screen
	writing
	refused    // it can't be done as things are
	unanswered // nobody could say whether it was done
)

// question is the dialog.
type question struct {
	owner  *Decisions
	id     uint64
	action model.Action // what is asked for, with the text that was typed
	at     index.Place
	name   string
	where  string       // the project and the build
	build  *model.Build // as of the last proposal; another one means to ask for a new one
	node   *model.Node  // the gate as of the last snapshot, nil for the build

	stage  stage
	shown  *model.Proposal    // what is on the screen, nil before the first answer
	differ []model.Difference // from what was on it before the file changed
	notice notice
	away   string    // why nothing can be decided there, "" where its host is there
	final  bool      // looking again would not help: it is refused for good
	failed bool      // the user recorded that the check has failed
	since  time.Time // when it began to be written
	left   bool      // the user has left it while it was being written
	loose  bool      // what is written may be any file for which the same would be shown
	noting bool      // a note is typed, which an approval can have
	warned bool      // the user knows that no human is asked for here
	fresh  time.Time // when what is shown became another by itself
	wanted bool      // the user has asked for another look

	text input.Editor // the reason, the request
	word input.Editor // the word that confirms

	sent   model.Unanswered // what may have been done, and is asked about
	before *model.Build     // as of when it was sent
	raw    string           // its status then, in the words of the file

	look   *look // the deliverable that is looked at, nil for the question itself
	opened int   // the place of the one that was opened last, -1 for none

	tries   int  // how often the actor was asked: only its last answer counts
	under   bool // an answer is awaited
	resting bool // the last one was just now
	again   bool // ask again afterwards

	sheet    draw.Sheet
	laid     questionLaid
	revision uint64
}

// notice is what a question says before everything else.
type notice struct {
	text, next string // what, and what to do about it
	calm       bool   // nothing is wrong
}

// The messages of what the actor was asked for.
type (
	ProposedMsg struct {
		id       uint64
		try      int
		proposal *model.Proposal
		err      error
	}
	RestedMsg struct{ ID uint64 }
	DoneMsg   struct {
		id      uint64
		at      index.Place
		outcome *model.Outcome
		err     error
	}
)

// echo is how long keys that answer mean nothing after a question was closed: pressed twice, or a moment too late, they would
// reach what is behind the dialog.
const echo = 400 * time.Millisecond

// answered is when the last question was closed, and whether with an answer that was carried out.
type answered struct {
	at        time.Time
	committed bool
}

// echoes reports whether a key is only the echo of an answer: y after any question, what else answers only after an answer, so
// that whoever leaves one can go on at once. n answers too, but behind the dialog it goes to what waits next, which is what people
// press then.
func (a answered) echoes(key string, now time.Time) bool {
	if now.Sub(a.at) >= echo {
		return false
	}
	switch key {
	case "y":
		return true
	case "enter", "f":
		return a.committed
	}
	return false
}

// deadTime is how long the keys that decide are dead after a dialog has changed by itself: longer than anybody takes to press one
// that is meant for what was there before.
const deadTime = time.Second

// draft is a text that was typed and not used.
type draft struct {
	at   index.Place
	verb model.Verb
}

// Keys are the keys in the dialog, for the help and the docs.
func Keys() []draw.Hint {
	return []draw.Hint{
		{Key: "enter y", Words: "do it: what the dialog is about, or the answer that is picked or marked; none is beforehand. Where a text is typed, enter alone"},
		{Key: "f", Words: "with deliverables missing: record the failed check"},
		{Key: "t", Words: "add a note to an approval; change the text that was typed"},
		{Key: "v", Words: "look at the deliverables one after the other, and at what changed since you last looked"},
		{Key: "o", Words: "open the deliverables one after the other, in $PAGER or the editor"},
		{Key: "e", Words: "edit the file that would be written"},
		{Key: "1 2 3 j k space", Words: "an agent's question: pick an answer by its number; h goes back a question"},
		{Key: "t d", Words: "an agent's question: answer in your own words, decline it"},
		{Key: "y c d", Words: "an agent's plan or call: approve or allow it once; ask for changes; deny it, and say why; tab marks one for enter"},
		{Key: "r", Words: "an agent's plan or call: as it is written, or as Markdown or a diff"},
		{Key: "enter t", Words: "a finished turn: type a reply, if the agent can hear it; leaving the dialog marks the turn as looked at"},
		{Key: "D J", Words: "an agent: show the diff of its working tree; go to its pane"},
		{Key: "n esc q", Words: "leave it; esc and q first go back from a deliverable"},
	}
}

// Ask opens the dialog about a verb and its target.
func (d *Decisions) Ask(t Target, verb model.Verb) tea.Cmd {
	if verb == model.VerbAnswer {
		return d.answerAsk(t)
	}
	if q := d.unanswered[t.place()]; q != nil { // nothing else is decided there until it is known what became of that
		d.questions = append(d.questions, q)
		d.host.Open(q)
		return nil
	}
	d.asked++
	// What is remembered of it, as a draft or a loss, outlives the snapshot.
	q := &question{owner: d, id: d.asked, at: t.place().Clone(), name: strings.Clone(t.Name()), where: strings.Clone(d.where(t)), node: t.Node, opened: -1,
		// The dialog warns of a gate that the work has not reached.
		action: model.Action{Verb: verb, Project: t.Site.Project.Root, Build: t.Site.Build.ID, Ahead: true}}
	if t.Node != nil {
		q.action.Node = q.at.Node
	}
	q.text.Many = verb == model.VerbChanges
	q.text.Set(d.drafts[draft{q.at, verb}])
	d.questions = append(d.questions, q)
	d.host.Open(q)
	return d.propose(q)
}

// Revision implements [Revised].
func (q *question) Revision() uint64 { return q.revision }

// Press does what a key means at the stage that the question is at. Those that decide something are of no effect before the
// user has seen what they would do.
func (q *question) Press(k input.Stroke) tea.Cmd {
	q.revision++
	if q.owner.host.TooSmall() && k.Name != "esc" { // nothing of it can be seen
		return nil
	}
	if q.stage == writing {
		switch k.Name {
		case "q":
			return q.owner.Quit()
		case "esc":
			if q.mayLeave() {
				q.left = true
				q.owner.host.Close(q)
				return nil
			}
		}
		return q.owner.host.Say("it is being written: one moment", true)
	}
	if q.stage == unanswered && slices.Contains([]string{"enter", "y", "f", "t", "v", "o", "e"}, k.Name) {
		if k.Name != "enter" && k.Name != "y" {
			return nil
		}
		return q.owner.askOutcome(q)
	}
	switch k.Name {
	case "esc":
		q.back()
		return nil
	case "pgup", "pgdown":
		q.onScreen().Press(k.Name)
		return nil
	}
	if k.Name == "tab" && len(q.kinds()) > 1 && (q.stage == typing || q.stage == asking) {
		return q.nextKind()
	}
	if input := q.input(); input != nil {
		if k.Name == "enter" {
			return q.enter()
		}
		input.Press(k)
		return nil
	}
	return q.command(k)
}

// leaveAfter is how long something is being written before the dialog can be left: files here take less, other machines more.
const leaveAfter = time.Second

// mayLeave reports whether the dialog can be left although it is not known yet what comes of the answer. That is told then.
func (q *question) mayLeave() bool {
	return !q.since.IsZero() && q.owner.host.Now().Sub(q.since) >= leaveAfter
}

// command does what a key means where nothing is typed.
func (q *question) command(k input.Stroke) tea.Cmd {
	switch k.Name {
	case "n":
		q.leave()
	case "q":
		q.back()
	case "enter", "y", "f":
		return q.answer(k.Name)
	case "t":
		q.look = nil
		switch {
		case q.mayNote():
			q.stage, q.noting = typing, true
		case q.action.Text != "":
			q.retype(notice{})
		}
	case "v":
		return q.lookOn()
	case "o":
		return q.openEvidence()
	case "e":
		return q.edit()
	default:
		q.onScreen().Press(k.Name)
	}
	return nil
}

// input returns the text that keys go to now, nil where they mean something.
func (q *question) input() *input.Editor {
	switch {
	case q.stage == typing:
		return &q.text
	case q.stage == asking && q.shown.Confirm != "":
		return &q.word
	}
	return nil
}

// enter ends what is typed: the text is looked at with the files, the word is the answer.
func (q *question) enter() tea.Cmd {
	if q.stage == asking {
		if q.word.Value() != q.shown.Confirm {
			return q.owner.refuse("type " + q.shown.Confirm + " to go on; esc leaves")
		}
		return q.answer("enter")
	}
	if q.noting {
		q.stage, q.noting, q.action.Text = asking, false, q.text.Value()
		return nil
	}
	if n := q.lacking(); n > 0 {
		return q.owner.refuse(draw.Counted(n, "more character") + "; esc leaves")
	}
	q.action.Text, q.stage, q.notice = q.text.Value(), proposing, notice{}
	q.sheet.Top = 0
	return q.owner.propose(q)
}

// lacking returns how many characters the text still needs.
func (q *question) lacking() int {
	least := 1
	if q.noting {
		return 0
	}
	if q.shown != nil && q.shown.Wants == "reason" {
		least = model.LeastReason
	}
	return max(least-utf8.RuneCountInString(q.text.Value()), 0)
}

// answer is a yes, by a key: f records that the check has failed, the others go on.
func (q *question) answer(key string) tea.Cmd {
	switch {
	case q.stage == refused && q.final:
		q.leave()
		return nil
	case q.stage == refused && key != "f":
		return q.owner.proposeAgain(q)
	case q.stage != asking:
		return nil
	case q.away != "":
		return q.owner.refuse(q.away)
	case q.owner.host.Unseen():
		return q.owner.refuse("it is not on your screen yet: once more")
	case q.owner.host.Now().Sub(q.fresh) < deadTime: // the key was meant for what was there before
		return q.owner.refuse("it changed just now, before that key: read it as it is now, then press it again")
	case len(q.missing()) > 0 && key != "f":
		return q.owner.refuse("deliverables are missing: f records the failed check, esc leaves")
	case len(q.missing()) == 0 && key == "f":
		return nil
	case key != "f" && q.action.Verb == model.VerbApprove && q.automatic() && !q.warned:
		q.warned, q.look = true, nil
		q.notice = notice{text: "This gate is opened by a check, not by a human.", next: "y once more approves it all the same."}
		q.sheet.Top = 0
		return nil
	}
	a := q.shown.Action
	a.Text, a.RecordFailed, a.Looked = q.action.Text, key == "f", q.shown
	if q.loose {
		a.Seen = ""
	}
	return q.owner.write(q, a)
}

// missing returns the deliverables without which approving is only the record of a failed check.
func (q *question) missing() []string {
	if q.action.Verb != model.VerbApprove || q.shown == nil {
		return nil
	}
	return q.shown.Missing
}

// automatic reports whether a check opens the gate, and nobody waits for a human.
func (q *question) automatic() bool {
	return q.node != nil && q.node.Gate != nil && q.node.Gate.Approval == model.ApprovalAuto
}

// proposeAgain asks the actor once more what would be done.
func (d *Decisions) proposeAgain(q *question) tea.Cmd {
	if q.under {
		return nil
	}
	q.wanted = true
	return d.propose(q)
}

// mayNote reports whether a few words can be put beside the answer, which only the journal has a place for.
func (q *question) mayNote() bool {
	return q.stage == asking && q.action.Verb == model.VerbApprove && len(q.missing()) == 0
}

// back takes one step back: from a deliverable or a note to the question, and out of that.
func (q *question) back() {
	switch {
	case q.look != nil:
		q.look = nil
	case q.noting:
		q.stage, q.noting = asking, false
	default:
		q.leave()
	}
}

// leave closes the dialog. A text that was typed is there again when it is opened for the same.
func (q *question) leave() {
	q.owner.keep(draft{q.at, q.action.Verb}, q.text.Value())
	q.owner.close(q)
}

// keep remembers a text that was typed and not used.
func (d *Decisions) keep(of draft, text string) {
	if text == "" {
		delete(d.drafts, of)
		return
	}
	if d.drafts == nil {
		d.drafts = make(map[draft]string)
	}
	d.drafts[of] = text
}

// edit opens the file that would be written, at the first value.
func (q *question) edit() tea.Cmd {
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

// Scroll moves the window over what is said.
func (q *question) Scroll(by int) { q.onScreen().Scroll(by) }

// onScreen is what is on the screen: the question, or a deliverable.
func (q *question) onScreen() *draw.Sheet {
	if q.look != nil {
		return &q.look.sheet
	}
	return &q.sheet
}
