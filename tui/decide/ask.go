package decide

// The dialog that answers the ask of a live agent. Its stages:
//
//	key ─► opening ─ Ask ─► asking ⇄ typing ─► sending ─ Answer ─► closed, or the next of the queue
//	                           └──── it has ended in the meantime ───► over, with its fate
//
// Enter gives the selected answer. At first none is selected, so a key that opens the dialog does not also answer; y says yes to a plan or a call,
// and with a question it does the same as enter. The texts of the dialog are in ask_page.go.

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
)

// askBox is the dialog.
type askBox struct {
	box
	id      string
	work    string     // the work of the session, and its branch
	session string     // its node, "" if unknown
	ask     *model.Ask // nil until it is read

	number  int           // of the shown question
	replies []chosenReply // one for each question
	cursor  int           // the option at the cursor, -1 for none
	answer  *model.Answer // being sent

	long   *dialog.Text
	longOf bodyOf
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
	project, id := t.Site.Project.Root, t.Place().Node
	if a := askOf(t); a != nil {
		project, id = a.Project, a.ID
	}
	where := line.Name(filepath.Base(project))
	if h := t.Site.Project.Host; h != nil {
		where += " on " + h.Name
	}
	x := &askBox{cursor: -1, id: strings.Clone(id)}
	x.box = d.newBox(x, t, where)
	if s := t.Site.SessionOf(x.at.Node); s != nil {
		x.work, x.session = draw.Join(draw.PartJoint, s.Title, s.Branch), strings.Clone(s.Node)
	}
	x.text.Many = true
	d.openBox(x)
	return x.readAsk()
}

// readAsk returns the command that reads the ask.
func (x *askBox) readAsk() tea.Cmd {
	answerer, ctx, id := x.owner.Answerer, x.owner.Context, x.id
	return Request(func() (*model.Ask, error) { return answerer.Ask(ctx, id) }, x.takeAsk)
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
	case x.stage == sending, x.stage == over, x.sent != nil && (err != nil || ask.State == model.AskWaiting):
	case err != nil:
		x.endAsk(err.Error())
	case ask.Kind == model.AskTurn && x.sent == nil:
		if x.ask != nil && ask.State != model.AskWaiting {
			x.notice = notice{text: capitalize(ask.Fate), calm: true}
		}
		if x.ask = ask; x.stage == opening {
			x.stage = asking
		}
	case ask.State != model.AskWaiting:
		mine := x.sent != nil // our answer may have counted; the fate says whose did
		x.ask = ask
		if x.endAsk(ask.Fate); mine {
			x.notice.next = ""
		}
	case x.stage == opening:
		x.ask, x.stage = ask, asking
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
		x.typeOwn()
	}
}

// endAsk says that the ask can't be answered any more, and why.
func (x *askBox) endAsk(why string) {
	x.stage, x.sent, x.notice = over, nil, notice{text: why, next: "Nothing was answered by you."}
	x.Sheet.Top = 0
}

// reconsider reads the ask again if it is gone from the snapshot.
func (x *askBox) reconsider() tea.Cmd {
	_, isThere := x.Target()
	over := x.stage == over || x.isTurn() && x.ask.State != model.AskWaiting
	if x.stage == sending || over || isThere {
		return nil
	}
	return x.readAsk()
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
	leaveQueue, passOver := func() tea.Cmd { return x.owner.leaveQueue(x) }, func() tea.Cmd { return x.owner.passOver(x) }
	leave, next := dialog.Choice{Row: "back", Words: "leave", Do: leaveQueue}, dialog.Choice{Row: "next", Do: passOver}
	showDiff := func() tea.Cmd { return x.owner.ShowDiff(x.owner.Answerer, x.at) }
	var all choices
	switch x.stage {
	case sending:
		return x.sendingChoices("sending", "it is being sent: one moment")
	case typing:
		back := dialog.Choice{Row: "back", Words: "back", Do: x.leaveText}
		return []dialog.Choice{{Words: x.typed.button, Marked: true, Commits: x.typed.commits, Do: x.takeText}, back}
	case over:
		all.add(dialog.Choice{Words: "leave", Marked: true, Do: passOver}, dialog.Choice{Row: "back", Do: leaveQueue}, next)
	default:
		if x.sent != nil {
			all.add(dialog.Choice{Row: "yes", Words: "ask for the result", Marked: true, Do: x.askOutcome}, leave, next)
			break
		}
		if x.owner.leftWords(x.at) != "" {
			next.Words = "next"
		}
		switch q := x.shownQuestion(); {
		case x.ask == nil:
		case x.isTurn():
			all.addIf(x.ask.Door.IsOpen(), dialog.Choice{Words: "reply", Marked: true, Do: x.reply})
			all.addIf(!x.ask.Door.IsOpen(), dialog.Choice{Key: "enter", Do: x.reply})
			all.add(dialog.Choice{Row: "jump", Words: "its pane", Do: x.jumpToPane}, dialog.Choice{Row: "diff", Words: "diff", Do: showDiff})
		case q == nil:
			all.add(x.yesChoices()...)
		default:
			all.add(x.questionChoices(q)...)
		}
		all.add(next, leave)
	}
	undo := func() tea.Cmd { return x.owner.undoNewest(x) }
	all.add(dialog.Choice{Row: "quit", Do: leaveQueue}, dialog.Choice{Row: "jump", Do: x.jumpToPane}, dialog.Choice{Row: "diff", Do: showDiff}, dialog.Choice{Row: "undo", Do: undo})
	return all
}

// yesChoices are the answers to a plan, a call or a yes-or-no question.
func (x *askBox) yesChoices() (all choices) {
	yes, no, changes := "allow once", "deny", ""
	switch {
	case x.ask.Kind == model.AskPlan:
		yes, no, changes = "approve", "", "ask for changes"
	case x.ask.Call == nil:
		yes, no = "yes", "no"
	}
	all.add(dialog.Choice{Row: "yes", Words: yes, Commits: true, Do: func() tea.Cmd { return x.sendAnswer(model.Answer{Allow: true}) }})
	all.add(dialog.Choice{Row: string(model.VerbChanges), Words: changes, Do: x.decline}, dialog.Choice{Row: "decline", Words: no, Do: x.decline})
	all.add(dialog.Choice{Key: "enter", Do: func() tea.Cmd {
		return x.owner.refuse("enter does not answer here: y says yes, " + map[bool]string{true: "c asks for changes", false: "d says no"}[no == ""] + ", esc leaves")
	}})
	return all
}

// questionChoices are the answers to a question.
func (x *askBox) questionChoices(q *model.Question) (all choices) {
	given := x.shownReply().isGiven()
	commits := x.isLast() && (given || x.cursor >= 0)
	pick := dialog.Choice{Key: "space", Do: func() tea.Cmd {
		if x.cursor >= 0 {
			x.pickOption(x.cursor)
		}
		return nil
	}}
	if q.Multi {
		pick.Words = "pick"
	}
	all.add(dialog.Choice{Key: "enter", Words: x.onWords(), Marked: given, Commits: commits, Do: x.enter}, dialog.Choice{Row: "yes", Commits: commits, Do: x.enter}, pick)
	all.addIf(q.Own, dialog.Choice{Row: "note", Words: "own words", Do: x.typeOwn})
	back := func() tea.Cmd {
		x.number--
		x.cursor, x.Sheet.Top = -1, 0
		return nil
	}
	all.addIf(x.number > 0, dialog.Choice{Row: "out", Words: "back", Do: back})
	all.add(dialog.Choice{Row: "decline", Words: "decline", Do: x.decline})
	point := func(by int) func() tea.Cmd {
		return func() tea.Cmd {
			if x.cursor < 0 && by < 0 {
				x.cursor = len(q.Options)
			}
			x.cursor = max(0, min(x.cursor+by, len(q.Options)-1))
			return nil
		}
	}
	all.addIf(len(q.Options) > 0, dialog.Choice{Row: "down", Do: point(1)}, dialog.Choice{Row: "up", Do: point(-1)})
	for i := range q.Options {
		all.add(dialog.Choice{Key: strconv.Itoa(i + 1), Do: func() tea.Cmd { x.cursor = i; x.pickOption(i); return nil }})
	}
	return all
}

// isLast reports whether the shown question is the last one.
func (x *askBox) isLast() bool { return x.number+1 >= len(x.ask.Questions) }

// onWords names the effect of enter on a question.
func (x *askBox) onWords() string {
	if !x.isLast() {
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
		return tea.Batch(x.leave(), jump)
	}
	return jump
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
func (r *chosenReply) isGiven() bool { return r.own != "" || slices.Contains(r.picks, true) }

// enter goes to the next question, or sends the answer.
func (x *askBox) enter() tea.Cmd {
	r, q := x.shownReply(), x.shownQuestion()
	if !r.isGiven() && x.cursor >= 0 {
		x.pickOption(x.cursor)
	}
	switch {
	case !r.isGiven() && q.Own:
		return x.owner.refuse("pick one by its number, or t for words of your own; esc leaves")
	case !r.isGiven():
		return x.owner.refuse("pick one by its number; esc leaves")
	case x.isLast():
		return x.sendAnswer(x.chosenAnswer())
	}
	x.number++
	x.beginQuestion()
	return nil
}

// typeFor starts typing.
func (x *askBox) typeFor(w wanted, text string) tea.Cmd {
	x.stage, x.typed = typing, w
	x.text.Set(text)
	return nil
}

// leaveText leaves a text field, and with it a question that takes only words.
func (x *askBox) leaveText() tea.Cmd {
	x.stage = asking
	if q := x.shownQuestion(); q != nil && len(q.Options) == 0 {
		return x.owner.leaveQueue(x)
	}
	return nil
}

// typeOwn asks for an answer in the user's own words.
func (x *askBox) typeOwn() tea.Cmd {
	w := wanted{label: "Your own words", button: x.onWords(), commits: x.isLast(), done: func(text string) tea.Cmd {
		r := x.shownReply()
		if r.own = text; text == "" {
			return nil
		}
		if !x.shownQuestion().Multi {
			clear(r.picks)
		}
		return x.enter()
	}}
	if len(x.shownQuestion().Options) == 0 {
		w.least, w.lacks = 1, "type your answer; esc goes back"
	}
	return x.typeFor(w, x.shownReply().own)
}

// decline asks for the reason of a no, or for the changes of a plan.
func (x *askBox) decline() tea.Cmd {
	w := wanted{label: "Why not", remark: "may be left empty", button: "deny", commits: true, done: func(text string) tea.Cmd {
		return x.sendAnswer(model.Answer{Text: text})
	}}
	if x.ask.Kind == model.AskPlan {
		w.label, w.remark, w.button, w.least, w.lacks = "What to change", "", "ask for it", 1, "say what to change; esc goes back"
	}
	return x.typeFor(w, "")
}

// reply asks for words to the session of a finished turn.
func (x *askBox) reply() tea.Cmd {
	if !x.ask.Door.IsOpen() {
		return x.owner.refuse(draw.OrElse(x.ask.Door.String(), noReply))
	}
	return x.typeFor(wanted{label: "Reply (" + x.ask.Door.Hears + ")", button: "send", commits: true, least: 1, lacks: "type your reply; esc goes back", done: func(text string) tea.Cmd {
		return x.sendAnswer(model.Answer{Allow: true, Text: text})
	}}, "")
}

// The answer. The first one wins.

// chosenAnswer is the answer to all questions.
func (x *askBox) chosenAnswer() model.Answer {
	a := model.Answer{Allow: true}
	for i := range x.replies {
		reply := model.Reply{Text: x.replies[i].own}
		for n, p := range x.replies[i].picks {
			if p {
				reply.Picks = append(reply.Picks, n)
			}
		}
		a.Replies = append(a.Replies, reply)
	}
	return a
}

// sendAnswer returns the command that answers.
func (x *askBox) sendAnswer(a model.Answer) tea.Cmd {
	if x.away != "" {
		return x.owner.refuse(x.away)
	}
	if x.owner.Answerer == nil {
		return x.owner.refuse("nothing can be answered here")
	}
	x.stage, x.answer, x.notice = sending, &a, notice{}
	answerer, ctx, id := x.owner.Answerer, x.owner.Context, x.id
	if x.isTurn() && x.ask.State != model.AskWaiting && x.session != "" { // the turn is over: words go to its session
		id = x.session
	}
	return Request(func() (*model.Ask, error) { return answerer.Answer(ctx, id, a) }, x.takeAnswered)
}

// askOutcome returns the command that asks for the outcome of an answer: it is not sent again.
func (x *askBox) askOutcome() tea.Cmd {
	x.stage = sending
	sent, ctx := x.sent, x.owner.Context
	return Request(func() (*model.Ask, error) {
		o, err := sent.Outcome(ctx)
		if o == nil {
			return nil, err
		}
		return o.Asked, err
	}, x.takeAnswered)
}

// takeAnswered reports the outcome of an answer.
func (x *askBox) takeAnswered(ask *model.Ask, err error) tea.Cmd {
	x.Revise()
	x.sent = nil
	d := x.owner
	switch {
	case errors.As(err, &x.sent):
		x.stage = asking
		x.missReply()
	case err == nil:
		d.close(x, true)
		next := x.ask.Agent + " goes on"
		if x.isTurn() {
			next = "it " + x.ask.Door.String()
		}
		text := draw.Join(draw.PartJoint, x.answerKind()+": "+draw.OrElse(x.answerWords(), x.ask.Text), next)
		return tea.Batch(d.tell(text), d.advance(x.at))
	case ask != nil && ask.State != model.AskWaiting: // another answer was first
		x.ask = ask
		x.endAsk(capitalize(err.Error()))
	default:
		x.stage, x.notice = asking, noticeOf(err, "It was not answered: ", "")
	}
	x.Sheet.Top = 0
	return nil
}

// answerKind names the kind of the answer in a word.
func (x *askBox) answerKind() string {
	switch {
	case x.isTurn():
		return "replied"
	case !x.answer.Allow && x.ask.Kind == model.AskPlan:
		return "asked for changes"
	case !x.answer.Allow:
		return "denied"
	case x.ask.Kind == model.AskPlan:
		return "approved"
	case x.ask.Kind == model.AskPermission:
		return "allowed"
	}
	return "answered"
}

// answerWords are the words of the answer itself, on one line.
func (x *askBox) answerWords() string {
	var words []string
	for i, r := range x.answer.Replies {
		for _, n := range r.Picks {
			words = append(words, x.ask.Questions[i].Options[n].Label)
		}
		if r.Text != "" {
			words = append(words, r.Text)
		}
	}
	if x.answer.Text != "" {
		words = append(words, x.answer.Text)
	}
	return strings.Join(strings.Fields(strings.Join(words, ", ")), " ")
}

// leave closes the dialog without an answer. A finished turn that was on the screen counts as looked at; the last turn of an
// idle session already did.
func (x *askBox) leave() tea.Cmd {
	x.owner.close(x, false)
	answerer, ctx, id := x.owner.Answerer, x.owner.Context, x.id
	if !x.isTurn() || x.ask.State != model.AskWaiting || id == x.session || x.owner.host.Unseen() || x.owner.host.TooSmall() || x.stage != asking || x.away != "" {
		return nil
	}
	return Request(func() (*model.Ask, error) { return answerer.Answer(ctx, id, model.Answer{Allow: true}) }, func(ask *model.Ask, err error) tea.Cmd {
		if err == nil || ask != nil && ask.State != model.AskWaiting { // it is over anyway
			return nil
		}
		return x.owner.refuse("the turn is not marked as looked at: " + err.Error())
	})
}
