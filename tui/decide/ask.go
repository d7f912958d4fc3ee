package decide

// The dialog that answers what a live agent asks. How it goes:
//
//	key ─► reading ─ Ask ─► choosing ⇄ typing ─► sending ─ Answer ─► closed
//	                           └──── it has ended meanwhile ───────► over, with how and by whom
//
// Enter gives the answer that is picked or marked, and nothing is at first, so no key that opens it also answers; y says yes to a
// plan or a call, and with a question does what enter does. How it is drawn is in askbox.go, what comes of
// an answer in askanswer.go.

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
)

// askStage is where in its way the dialog is.
type askStage int

const (
	askReading askStage = iota
	askChoosing
	askOwn   // words of one's own are typed, as the answer to a question
	askNo    // or why not, or what is to be changed
	askReply // or a reply to a finished turn
	askSending
	askUnknown // nobody could say whether it was answered
	askOver
)

// askBox is the dialog.
type askBox struct {
	owner   *Decisions
	at      index.Place
	id      string
	where   string
	work    string     // what the session works at, and on which branch
	session string     // its node, "" if none is known
	ask     *model.Ask // nil until it is read
	stage   askStage

	number  int              // of the question that is shown
	replies []chosenReply    // one for each
	cursor  int              // the option that is pointed at, -1 for none
	marked  string           // of a plan or a call: the key of the answer that enter gives, "" for none yet
	text    input.Editor     // what is typed
	notice  notice           // what went wrong
	sent    model.Unanswered // what may have been answered, and is asked about
	away    string           // why nothing can be answered, "" where its host is there
	answer  *model.Answer    // being sent

	sheet    draw.Sheet
	laid     questionLaid
	body     askBody
	revision uint64 // of all but how far it is scrolled
	// asWritten shows a plan as it is written and not as Markdown, and the whole call instead of its diff.
	asWritten bool
	shown     bool   // what is asked was on the screen
	key       string // that was pressed last
}

// chosenReply is what is chosen for a question so far.
type chosenReply struct {
	picks []bool
	own   string
}

// The messages of what the answerer was asked for.
type (
	// AskReadMsg brings an ask.
	AskReadMsg struct {
		box *askBox
		ask *model.Ask
		err error
	}
	// AnsweredMsg says what came of an answer.
	AnsweredMsg struct {
		box *askBox
		ask *model.Ask
		err error
	}
	// LookedAtMsg says what came of marking a finished turn as looked at.
	LookedAtMsg struct {
		ask *model.Ask
		err error
	}
)

// askOf returns what a live agent asks at a target, nil for all else.
func askOf(t Target) *model.Ask {
	if t.Node == nil || t.Node.Gate == nil {
		return nil
	}
	return t.Node.Gate.Ask
}

// answerAsk opens the dialog about what an agent asks.
func (d *Decisions) answerAsk(t Target) tea.Cmd {
	if x := d.unknown[t.Place()]; x != nil { // nothing else is answered there until it is known what became of that
		d.asks = append(d.asks, x)
		d.host.Open(x)
		return nil
	}
	x := &askBox{owner: d, at: t.Place().Clone(), where: askedWhere(t), cursor: -1}
	if x.id = x.at.Node; askOf(t) != nil {
		x.id = strings.Clone(askOf(t).ID)
	}
	if s := t.Site.SessionOf(x.at.Node); s != nil {
		x.work, x.session = draw.Join(draw.PartJoint, s.Title, s.Branch), strings.Clone(s.Node)
	}
	x.text.Many = true
	d.asks = append(d.asks, x)
	d.host.Open(x)
	return x.read()
}

// askedWhere says in which project, and on which other machine, an agent asks.
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

// read returns the command that reads the ask.
func (x *askBox) read() tea.Cmd {
	answerer, ctx, id := x.owner.Answerer, x.owner.Context, x.id
	return func() tea.Msg {
		a, err := answerer.Ask(ctx, id)
		return AskReadMsg{x, a, err}
	}
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

// takeRead shows an ask, or how it has ended.
func (x *askBox) takeRead(msg AskReadMsg) {
	x.revision++
	switch {
	case x.stage == askSending, x.stage == askOver, x.stage == askUnknown && (msg.err != nil || msg.ask.State == model.AskWaiting):
	case msg.err != nil:
		x.end(msg.err.Error())
	case msg.ask.Kind == model.AskTurn && x.stage != askUnknown:
		if x.ask != nil && msg.ask.State != model.AskWaiting {
			x.notice = notice{text: upper(msg.ask.Fate), calm: true}
		}
		if x.ask = msg.ask; x.stage == askReading {
			x.stage = askChoosing
		}
	case msg.ask.State != model.AskWaiting:
		mine := x.stage == askUnknown // it may have been, and how it has ended says by whom
		x.ask = msg.ask
		x.end(msg.ask.Fate)
		if mine {
			x.notice.next = ""
			delete(x.owner.unknown, x.at)
		}
	case x.stage == askReading:
		x.ask, x.stage = msg.ask, askChoosing
		x.replies = make([]chosenReply, len(msg.ask.Questions))
		for i := range x.replies {
			x.replies[i].picks = make([]bool, len(msg.ask.Questions[i].Options))
		}
	}
}

// end says that it can't be answered any more, and why.
func (x *askBox) end(why string) {
	x.stage, x.notice = askOver, notice{text: why, next: "Nothing was answered by you."}
	x.sheet.Top = 0
}

// reconsider looks again where what is asked is gone from the snapshot.
func (x *askBox) reconsider() tea.Cmd {
	home := x.owner.Index.Site(x.at)
	over := x.stage == askOver || x.isTurn() && x.ask.State != model.AskWaiting
	if x.stage == askSending || over || home != nil && home.Nodes[x.at.Node].Node != nil {
		return nil
	}
	return x.read()
}

// question is the one that is shown, nil where the ask is none of questions.
func (x *askBox) question() *model.Question {
	if x.ask == nil || x.ask.Kind != model.AskQuestion || x.number >= len(x.ask.Questions) {
		return nil
	}
	return &x.ask.Questions[x.number]
}

// reply is what is chosen for the question that is shown.
func (x *askBox) reply() *chosenReply { return &x.replies[x.number] }

// Revision implements [Revised].
func (x *askBox) Revision() uint64 { return x.revision }

// Press implements [Dialog].
func (x *askBox) Press(k input.Stroke) tea.Cmd {
	x.shown = x.shown || x.ask != nil && !x.owner.host.Unseen() && !x.owner.host.TooSmall()
	if x.owner.host.TooSmall() && k.Name != "esc" || x.scrolled(k) {
		return nil
	}
	x.revision++
	x.key = k.Name
	switch x.stage {
	case askOwn, askNo, askReply:
		return x.typed(k)
	case askSending:
		return x.owner.host.Say("it is being sent: one moment", true)
	}
	return x.command(k)
}

// typing reports whether keys go to a text.
func (x *askBox) typing() bool { return x.stage == askOwn || x.stage == askNo || x.stage == askReply }

// scrolled scrolls if a key means that, and reports whether it does. Where options are picked, keys move among these.
func (x *askBox) scrolled(k input.Stroke) bool {
	q, page := x.question(), k.Name == "pgup" || k.Name == "pgdown"
	picking := x.stage == askChoosing && q != nil && (k.Name == "space" || len(q.Options) > 0 && slices.Contains([]string{"j", "k", "down", "up"}, k.Name))
	return (page || !x.typing() && !picking) && x.sheet.Press(k.Name)
}

// command does what a key means where nothing is typed.
func (x *askBox) command(k input.Stroke) tea.Cmd {
	q := x.question()
	switch k.Name {
	case "esc", "q", "n":
		return x.leave()
	case "J":
		if x.ask == nil {
			return nil
		}
		jump := x.owner.host.Jump(x.at.Node)
		if x.isTurn() {
			return tea.Batch(x.leave(), jump)
		}
		return jump
	case "D":
		if x.ask != nil {
			return x.owner.ShowDiff(x.owner.Answerer, x.at)
		}
	case "j", "down":
		x.point(1)
	case "k", "up":
		x.point(-1)
	case "r":
		x.asWritten = !x.asWritten
	case "enter":
		return x.enter()
	case "tab", "shift+tab":
		x.mark()
	case "y":
		switch {
		case x.isTurn() && x.stage == askChoosing:
		case x.stage == askChoosing && q == nil:
			return x.send(model.Answer{Allow: true})
		case x.stage == askChoosing, x.stage == askUnknown:
			return x.enter()
		}
	case "c", "d":
		if x.stage == askChoosing && !x.isTurn() {
			x.typeFor(askNo, x.owner.drafts[draft{x.at, model.VerbAnswer}])
		}
	case "t":
		switch {
		case x.stage != askChoosing:
		case x.isTurn():
			return x.enter()
		case q != nil && q.Own:
			x.typeFor(askOwn, x.reply().own)
		}
	case "h", "left", "backspace":
		if q != nil && x.number > 0 {
			x.number, x.cursor, x.sheet.Top = x.number-1, -1, 0
		}
	case "space":
		if x.cursor >= 0 {
			x.pick(x.cursor)
		}
	default:
		if n, err := strconv.Atoi(k.Name); err == nil && q != nil && x.stage == askChoosing && n >= 1 && n <= len(q.Options) {
			x.cursor = n - 1
			x.pick(x.cursor)
		}
	}
	return nil
}

// point points at the next option.
func (x *askBox) point(by int) {
	if x.cursor < 0 && by < 0 {
		x.cursor = len(x.question().Options)
	}
	x.cursor = max(0, min(x.cursor+by, len(x.question().Options)-1))
}

// pick picks an option, or no more. Where only one may be picked, it is that one, and no words of one's own.
func (x *askBox) pick(i int) {
	r, q := x.reply(), x.question()
	was := r.picks[i]
	if !q.Multi {
		clear(r.picks)
		r.own = ""
	}
	r.picks[i] = !was || !q.Multi
	x.notice = notice{}
}

// given reports whether a question has an answer.
func (r *chosenReply) given() bool {
	for _, p := range r.picks {
		if p {
			return true
		}
	}
	return r.own != ""
}

// enter goes on: to the next question, or sends what is chosen.
func (x *askBox) enter() tea.Cmd {
	q := x.question()
	switch {
	case x.stage == askOver:
		return x.leave()
	case x.stage == askUnknown:
		return x.askOutcome()
	case x.stage != askChoosing:
		return nil
	case x.isTurn() && !x.ask.Door.IsOpen():
		return x.owner.refuse(draw.OrElse(x.ask.Door.String(), noReply))
	case x.isTurn():
		x.typeFor(askReply, x.owner.drafts[draft{x.at, model.VerbAnswer}])
		return nil
	case q != nil && len(q.Options) == 0 && q.Own && !x.reply().given():
		x.typeFor(askOwn, "")
		return nil
	case q == nil && x.marked != "":
		return x.command(input.StrokeOf(x.marked))
	case q == nil && x.ask.Kind == model.AskPlan:
		return x.owner.refuse("no answer is marked: tab marks one; y approves the plan, c asks for changes, esc leaves")
	case q == nil:
		return x.owner.refuse("no answer is marked: tab marks one; y allows it, d denies it, esc leaves")
	}
	r := x.reply()
	if !r.given() && x.cursor >= 0 {
		x.pick(x.cursor)
	}
	if !r.given() {
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
		x.number, x.cursor, x.sheet.Top = x.number+1, -1, 0
		return nil
	}
	return x.send(x.chosen())
}

// mark marks the next answer to a plan or a call, the yes first.
func (x *askBox) mark() {
	switch {
	case x.stage != askChoosing || x.question() != nil || x.isTurn():
	case x.marked != "y":
		x.marked = "y"
	case x.ask.Kind == model.AskPlan:
		x.marked = "c"
	default:
		x.marked = "d"
	}
}

// typeFor begins to type.
func (x *askBox) typeFor(what askStage, text string) {
	x.stage = what
	x.text.Set(text)
}

// typed does what a key means while a text is typed.
func (x *askBox) typed(k input.Stroke) tea.Cmd {
	switch k.Name {
	case "esc":
		x.keep()
		x.stage = askChoosing
	case "enter":
		switch x.stage {
		case askNo:
			return x.deny()
		case askReply:
			return x.sendReply()
		}
		r := x.reply()
		if r.own = x.text.Value(); r.own != "" && !x.question().Multi {
			clear(r.picks)
		}
		x.stage = askChoosing
		if r.own != "" {
			return x.enter()
		}
	default:
		x.text.Press(k)
	}
	return nil
}

// deny says no, with the words that were typed. Changes are asked for in words.
func (x *askBox) deny() tea.Cmd {
	if x.ask.Kind == model.AskPlan && x.text.Value() == "" {
		return x.owner.refuse("say what is to be changed; esc goes back")
	}
	x.keep()
	return x.send(model.Answer{Text: x.text.Value()})
}

// sendReply sends the words that were typed to the session.
func (x *askBox) sendReply() tea.Cmd {
	if x.text.Value() == "" {
		return x.owner.refuse("type your reply; esc goes back")
	}
	x.keep()
	return x.send(model.Answer{Allow: true, Text: x.text.Value()})
}

// keep remembers a text that was typed as a no or a reply until one is sent.
func (x *askBox) keep() {
	if x.stage == askNo || x.stage == askReply {
		x.owner.keep(draft{x.at, model.VerbAnswer}, x.text.Value())
	}
}
