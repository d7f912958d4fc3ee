package decide

// The dialog that answers the ask of a live agent. Its stages:
//
//	key ─► reading ─ Ask ─► choosing ⇄ typing ─► sending ─ Answer ─► closed, or the next of the queue
//	                           └──── it has ended in the meantime ───► over, with its fate
//
// Enter gives the selected answer. At first none is selected, so a key that opens the dialog does not also answer; y says yes to a plan or a call,
// and with a question it does the same as enter. The results of answers are in answer.go, the texts of the dialog in ask_page.go.

import (
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
)

// askStage is the stage of the dialog.
type askStage int

const (
	askReading askStage = iota
	askChoosing
	askOwn   // own words are typed as the answer to a question
	askNo    // the reason for a no, or the requested changes, are typed
	askReply // a reply to a finished turn is typed
	askSending
	askUnknown // the reply is missing
	askOver
)

// askBox is the dialog.
type askBox struct {
	box
	id      string
	work    string     // the work of the session, and its branch
	session string     // its node, "" if unknown
	ask     *model.Ask // nil until it is read
	stage   askStage

	number  int           // of the shown question
	replies []chosenReply // one for each question
	cursor  int           // the option at the cursor, -1 for none
	answer  *model.Answer // being sent

	// asWritten shows a plan as written and not as Markdown, and the whole call instead of its diff.
	asWritten bool
	marked    bool // there are two forms of the ask
	long      *dialog.Text
	longOf    bodyOf
}

// chosenReply is the current reply to a question.
type chosenReply struct {
	picks []bool
	own   string
}

// askOf returns the ask of a live agent at a target, nil if the target is none.
func askOf(t Target) *model.Ask {
	if t.Node == nil || t.Node.Gate == nil {
		return nil
	}
	return t.Node.Gate.Ask
}

// askAgent opens the dialog about an agent's ask.
func (d *Decisions) askAgent(t Target) tea.Cmd {
	x, isNew := d.openBox(t.Place(), func() decider {
		x := &askBox{cursor: -1}
		x.box = box{Dialog: dialog.New(d.host, x), owner: d, at: t.Place().Clone(), where: askedWhere(t)}
		if x.id = x.at.Node; askOf(t) != nil {
			x.id = strings.Clone(askOf(t).ID)
		}
		if s := t.Site.SessionOf(x.at.Node); s != nil {
			x.work, x.session = draw.Join(draw.PartJoint, s.Title, s.Branch), strings.Clone(s.Node)
		}
		x.text.Many = true
		return x
	})
	if !isNew {
		return nil
	}
	return x.(*askBox).readAsk()
}

// askedWhere names the project of an agent, and its machine if that is another one.
func askedWhere(t Target) string {
	project := t.Site.Project.Root
	if a := askOf(t); a != nil {
		project = a.Project
	}
	where := line.Name(filepath.Base(project))
	if h := t.Site.Project.Host; h != nil {
		where += " on " + h.Name
	}
	return where
}

// readAsk returns the command that reads the ask.
func (x *askBox) readAsk() tea.Cmd {
	answerer, ctx, id := x.owner.Answerer, x.owner.Context, x.id
	return request(func() (*model.Ask, error) { return answerer.Ask(ctx, id) }, x.takeAsk)
}

// askID returns the ID to answer to. When a turn is over, words go to its session.
func (x *askBox) askID() string {
	if x.isTurn() && x.ask.State != model.AskWaiting && x.session != "" {
		return x.session
	}
	return x.id
}

// isTurn reports whether the dialog is about a finished turn.
func (x *askBox) isTurn() bool { return x.ask != nil && x.ask.Kind == model.AskTurn }

// takeAsk shows an ask, or its result if it has ended.
func (x *askBox) takeAsk(ask *model.Ask, err error) tea.Cmd {
	x.Revise()
	if err == nil {
		x.guardNew()
	}
	switch {
	case x.stage == askSending, x.stage == askOver, x.stage == askUnknown && (err != nil || ask.State == model.AskWaiting):
	case err != nil:
		x.endAsk(err.Error())
	case ask.Kind == model.AskTurn && x.stage != askUnknown:
		if x.ask != nil && ask.State != model.AskWaiting {
			x.notice = notice{text: capitalize(ask.Fate), calm: true}
		}
		if x.ask = ask; x.stage == askReading {
			x.stage = askChoosing
		}
	case ask.State != model.AskWaiting:
		mine := x.stage == askUnknown // our answer may have counted; the fate says whose did
		x.ask = ask
		x.endAsk(ask.Fate)
		if mine {
			x.notice.next = ""
			delete(x.owner.unknown, x.at)
		}
	case x.stage == askReading:
		x.ask, x.stage = ask, askChoosing
		x.replies = make([]chosenReply, len(ask.Questions))
		for i := range x.replies {
			x.replies[i].picks = make([]bool, len(ask.Questions[i].Options))
		}
		x.beginQuestion()
	}
	return nil
}

// beginQuestion shows a question: one without options is answered in the user's own words only.
func (x *askBox) beginQuestion() {
	x.cursor, x.Sheet.Top = -1, 0
	if q := x.shownQuestion(); q != nil && len(q.Options) == 0 && q.Own {
		x.typeFor(askOwn, x.shownReply().own)
	}
}

// endAsk says that the ask can't be answered any more, and why.
func (x *askBox) endAsk(why string) {
	x.stage, x.notice = askOver, notice{text: why, next: "Nothing was answered by you."}
	x.Sheet.Top = 0
}

// reconsider reads the ask again if it is gone from the snapshot.
func (x *askBox) reconsider() tea.Cmd {
	_, isThere := x.Target()
	over := x.stage == askOver || x.isTurn() && x.ask.State != model.AskWaiting
	if x.stage == askSending || over || isThere {
		return nil
	}
	return x.readAsk()
}

// hasOutcome implements [decider]: the ask has ended.
func (x *askBox) hasOutcome() bool {
	_, isThere := x.Target()
	return !isThere && x.owner.Index.Site(x.at) != nil
}

// shownQuestion returns the shown question, nil if the ask has none.
func (x *askBox) shownQuestion() *model.Question {
	if x.ask == nil || x.ask.Kind != model.AskQuestion || x.number >= len(x.ask.Questions) {
		return nil
	}
	return &x.ask.Questions[x.number]
}

// shownReply returns the current reply to the shown question.
func (x *askBox) shownReply() *chosenReply { return &x.replies[x.number] }

// Choices implements [dialog.Subject].
func (x *askBox) Choices() []dialog.Choice {
	leave, back := dialog.Choice{Row: "back", Words: "leave", Do: x.leaveQueue}, dialog.Choice{Row: "back", Words: "back", Do: x.leaveText}
	next := dialog.Choice{Row: "next", Do: x.passOver}
	q := x.shownQuestion()
	isLast := x.ask != nil && x.number+1 >= len(x.ask.Questions)
	var all choices
	switch x.stage {
	case askSending:
		return []dialog.Choice{{Words: "sending"}, {Rest: true, Do: func() tea.Cmd { return x.owner.host.Say("it is being sent: one moment", true) }}}
	case askOwn:
		if len(q.Options) == 0 {
			back.Words = "leave"
		}
		return []dialog.Choice{{Words: x.onWords(), Marked: true, Commits: isLast, Do: x.sendOwn}, back}
	case askReply:
		return []dialog.Choice{{Words: "send", Marked: true, Commits: true, Do: x.sendReply}, back}
	case askNo:
		words := "deny"
		if x.ask.Kind == model.AskPlan {
			words = "ask for it"
		}
		return []dialog.Choice{{Words: words, Marked: true, Commits: true, Do: x.deny}, back}
	case askOver:
		all.add(dialog.Choice{Words: "leave", Marked: true, Do: x.passOver}, dialog.Choice{Row: "back", Do: x.leaveQueue}, next)
	case askUnknown:
		all.add(outcomeChoice(x.askOutcome), leave, next)
	default:
		if x.owner.leftWords(x.at) != "" {
			next.Words = "next"
		}
		switch {
		case x.ask == nil:
			all.add(leave, next)
		case q == nil:
			all.add(x.turnChoices(next, leave)...)
		default:
			all.add(x.questionChoices(q, isLast, next, leave)...)
		}
	}
	undo := func() tea.Cmd { return x.owner.undoNewest(func() { x.owner.close(x, false) }) }
	all.add(dialog.Choice{Row: "quit", Do: x.leaveQueue}, dialog.Choice{Row: "jump", Do: x.jumpToPane}, dialog.Choice{Row: "diff", Do: x.showDiff}, dialog.Choice{Row: "undo", Do: undo})
	return all
}

// decline returns the choice that says no, with a reason.
func (x *askBox) decline(words string) dialog.Choice {
	return dialog.Choice{Row: "decline", Words: words, Do: func() tea.Cmd { x.typeFor(askNo, x.owner.drafts[draft{x.at, model.VerbAnswer}]); return nil }}
}

// turnChoices are the answers to a finished turn, a plan or a call.
func (x *askBox) turnChoices(next, leave dialog.Choice) (all choices) {
	forms := []dialog.Choice{{Row: "bytes", Words: x.otherForm(), Do: x.switchForm}, {Row: "raw", Do: x.switchForm}}
	if x.isTurn() {
		reply := dialog.Choice{Words: "reply", Marked: true, Do: x.enter}
		if !x.ask.Door.IsOpen() {
			reply.Words = ""
		}
		all.add(reply, dialog.Choice{Row: "note", Do: x.enter}, next, dialog.Choice{Row: "jump", Words: "its pane", Do: x.jumpToPane}, dialog.Choice{Row: "diff", Words: "diff", Do: x.showDiff}, leave)
		all.add(forms...)
		return all
	}
	yes, no, how := "allow once", x.decline("deny"), "y allows it, d denies it, esc leaves"
	changes := x.decline("")
	changes.Row = string(model.VerbChanges)
	switch {
	case x.ask.Kind == model.AskPlan:
		yes, no, how = "approve", x.decline(""), "y approves the plan, c asks for changes, esc leaves"
		changes.Words = "ask for changes"
	case x.ask.Call == nil:
		yes, no = "yes", x.decline("no")
	}
	all.add(dialog.Choice{Row: "yes", Words: yes, Commits: true, Do: func() tea.Cmd { return x.sendAnswer(model.Answer{Allow: true}) }}, changes, no, next, leave)
	all.add(forms...)
	all.add(dialog.Choice{Key: "enter", Do: func() tea.Cmd { return x.owner.refuse("enter does not answer here: " + how) }})
	return all
}

// questionChoices are the answers to a question.
func (x *askBox) questionChoices(q *model.Question, isLast bool, next, leave dialog.Choice) (all choices) {
	given := x.shownReply().isGiven()
	commits := isLast && (given || x.cursor >= 0)
	pick := dialog.Choice{Key: "space", Do: x.pickCursor}
	if q.Multi {
		pick.Words = "pick"
	}
	all.add(dialog.Choice{Key: "enter", Words: x.onWords(), Marked: given, Commits: commits, Do: x.enter}, dialog.Choice{Row: "yes", Commits: commits, Do: x.enter}, pick)
	all.addIf(q.Own, dialog.Choice{Row: "note", Words: "own words", Do: func() tea.Cmd { x.typeFor(askOwn, x.shownReply().own); return nil }})
	back := func() tea.Cmd {
		x.number--
		x.cursor, x.Sheet.Top = -1, 0
		return nil
	}
	all.addIf(x.number > 0, dialog.Choice{Row: "out", Words: "back", Do: back}, dialog.Choice{Key: "backspace", Do: back})
	all.add(x.decline("decline"), next, leave)
	point := func(by int) func() tea.Cmd { return func() tea.Cmd { x.pointBy(by); return nil } }
	all.addIf(len(q.Options) > 0, dialog.Choice{Row: "down", Do: point(1)}, dialog.Choice{Row: "up", Do: point(-1)})
	for i := range q.Options {
		all.add(dialog.Choice{Key: strconv.Itoa(i + 1), Do: func() tea.Cmd { x.cursor = i; x.pickOption(i); return nil }})
	}
	return all
}

// Field implements [dialog.Subject].
func (x *askBox) Field() *dialog.Field {
	f := &dialog.Field{Editor: &x.text, Remark: "ctrl+j begins a line"}
	switch {
	case x.stage == askOwn:
		f.Label = "Your own words"
	case x.stage == askReply:
		f.Label = "Reply"
		if x.ask.Door.IsOpen() {
			f.Label = "Reply (" + x.ask.Door.Hears + ")"
		}
	case x.stage == askNo && x.ask.Kind == model.AskPlan:
		f.Label = "What to change"
	case x.stage == askNo:
		f.Label, f.Remark = "Why not", "may be left empty"
	default:
		return nil
	}
	f.Remark = fullRemark(&x.text, f.Remark)
	return f
}

// otherForm names the other form of a plan or a call, "" if there is none.
func (x *askBox) otherForm() string {
	switch {
	case !x.marked:
		return ""
	case !x.asWritten:
		return "as written"
	case x.ask.Call != nil:
		return "as a diff"
	}
	return "as Markdown"
}

// switchForm shows the other form.
func (x *askBox) switchForm() tea.Cmd {
	x.asWritten = !x.asWritten
	return nil
}

// onWords names the effect of enter on a question.
func (x *askBox) onWords() string {
	if x.number+1 < len(x.ask.Questions) {
		return "next question"
	}
	return "answer"
}

// jumpToPane goes to the pane of the agent.
func (x *askBox) jumpToPane() tea.Cmd {
	if x.ask == nil {
		return nil
	}
	jump := x.owner.host.Jump(x.at.Node)
	if x.isTurn() {
		return tea.Batch(x.leaveAsk(), jump)
	}
	return jump
}

// showDiff shows the changes in the working tree.
func (x *askBox) showDiff() tea.Cmd { return x.owner.ShowDiff(x.owner.Answerer, x.at) }

// leaveQueue leaves the dialog, and ends the queue.
func (x *askBox) leaveQueue() tea.Cmd {
	x.owner.queue = nil
	return x.leaveAsk()
}

// passOver leaves the dialog for the next one in the queue.
func (x *askBox) passOver() tea.Cmd { return tea.Batch(x.leaveAsk(), x.owner.advance(x.at)) }

// pickCursor picks the option at the cursor.
func (x *askBox) pickCursor() tea.Cmd {
	if x.cursor >= 0 {
		x.pickOption(x.cursor)
	}
	return nil
}

// pointBy moves the cursor by some options.
func (x *askBox) pointBy(by int) {
	if x.cursor < 0 && by < 0 {
		x.cursor = len(x.shownQuestion().Options)
	}
	x.cursor = max(0, min(x.cursor+by, len(x.shownQuestion().Options)-1))
}

// pickOption picks an option, or drops it. If only one option is allowed, all others and typed words are dropped.
func (x *askBox) pickOption(i int) {
	r, q := x.shownReply(), x.shownQuestion()
	was := r.picks[i]
	if !q.Multi {
		clear(r.picks)
		r.own = ""
	}
	r.picks[i] = !was || !q.Multi
	x.notice = notice{}
}

// isGiven reports whether a question has an answer.
func (r *chosenReply) isGiven() bool {
	for _, p := range r.picks {
		if p {
			return true
		}
	}
	return r.own != ""
}

// enter goes to the next question, or sends the answer.
func (x *askBox) enter() tea.Cmd {
	if x.isTurn() {
		if !x.ask.Door.IsOpen() {
			return x.owner.refuse(draw.OrElse(x.ask.Door.String(), noReply))
		}
		x.typeFor(askReply, x.owner.drafts[draft{x.at, model.VerbAnswer}])
		return nil
	}
	r, q := x.shownReply(), x.shownQuestion()
	if !r.isGiven() && x.cursor >= 0 {
		x.pickOption(x.cursor)
	}
	if !r.isGiven() {
		how := "pick one by its number"
		if q.Multi {
			how = "pick some by their numbers"
		}
		if q.Own {
			how += ", or t for words of your own"
		}
		return x.owner.refuse(how + "; esc leaves")
	}
	if x.number+1 < len(x.ask.Questions) {
		x.number++
		x.beginQuestion()
		return nil
	}
	return x.sendAnswer(x.chosenAnswer())
}

// typeFor starts typing.
func (x *askBox) typeFor(what askStage, text string) {
	x.stage = what
	x.text.Set(text)
}

// leaveText leaves a text field; the text is kept for the next time.
func (x *askBox) leaveText() tea.Cmd {
	x.keepText()
	if q := x.shownQuestion(); x.stage == askOwn && len(q.Options) == 0 {
		return x.leaveQueue()
	}
	x.stage = askChoosing
	return nil
}

// sendOwn sends an answer in the user's own words.
func (x *askBox) sendOwn() tea.Cmd {
	r := x.shownReply()
	if r.own = x.text.Value(); r.own != "" && !x.shownQuestion().Multi {
		clear(r.picks)
	}
	switch {
	case r.own != "":
		x.stage = askChoosing
		return x.enter()
	case len(x.shownQuestion().Options) == 0:
		return x.owner.refuse("type your answer; esc leaves")
	}
	x.stage = askChoosing
	return nil
}

// deny says no, with the typed words. Changes are requested in words.
func (x *askBox) deny() tea.Cmd {
	if x.ask.Kind == model.AskPlan && x.text.Value() == "" {
		return x.owner.refuse("say what to change; esc goes back")
	}
	x.keepText()
	return x.sendAnswer(model.Answer{Text: x.text.Value()})
}

// sendReply sends the typed words to the session.
func (x *askBox) sendReply() tea.Cmd {
	if x.text.Value() == "" {
		return x.owner.refuse("type your reply; esc goes back")
	}
	x.keepText()
	return x.sendAnswer(model.Answer{Allow: true, Text: x.text.Value()})
}

// keepText keeps the text of a no or a reply until one is sent.
func (x *askBox) keepText() {
	if x.stage == askNo || x.stage == askReply {
		x.owner.keepDraft(draft{x.at, model.VerbAnswer}, x.text.Value())
	}
}
