package decide

// Answering a live agent: what was chosen goes to the answerer, and what comes of it is said. The first answer wins.

import (
	"errors"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// chosen is the answer to all questions.
func (x *askBox) chosen() model.Answer {
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

// send returns the command that answers.
func (x *askBox) send(a model.Answer) tea.Cmd {
	if x.away != "" {
		return x.owner.refuse(x.away)
	}
	if x.owner.Answerer == nil {
		return x.owner.refuse("nothing can be answered here")
	}
	x.stage, x.answer, x.notice = askSending, &a, notice{}
	answerer, ctx, id := x.owner.Answerer, x.owner.Context, x.askID()
	return func() tea.Msg {
		done, err := answerer.Answer(ctx, id, a)
		return AnsweredMsg{x, done, err}
	}
}

// askOutcome returns the command that asks what became of an answer: it is not sent again.
func (x *askBox) askOutcome() tea.Cmd {
	x.stage = askSending
	sent, ctx := x.sent, x.owner.Context
	return func() tea.Msg {
		o, err := sent.Outcome(ctx)
		if o == nil {
			return AnsweredMsg{x, nil, err}
		}
		return AnsweredMsg{x, o.Asked, err}
	}
}

// takeAnswered says what came of an answer.
func (x *askBox) takeAnswered(msg AnsweredMsg) tea.Cmd {
	x.Revise()
	d := x.owner
	delete(d.unknown, x.at)
	defer d.markRows()
	switch {
	case errors.As(msg.err, &x.sent):
		d.unknown[x.at] = x
		x.stage, x.notice = askUnknown, notice{text: upper(x.sent.Why()) + ".", next: askOutcomeHow}
	case msg.err == nil:
		x.owner.keep(draft{x.at, model.VerbAnswer}, "")
		x.close(true)
		next := x.ask.Agent + " goes on"
		if x.isTurn() {
			next = "it " + x.ask.Door.String()
		}
		text := draw.Join(draw.PartJoint, x.said()+": "+draw.OrElse(x.words(), x.ask.Text), next)
		return tea.Batch(d.tell(draw.Join(draw.PartJoint, text, d.whatElse(x.at))), d.advance(x.at))
	case msg.ask != nil && msg.ask.State != model.AskWaiting: // somebody was faster
		x.ask = msg.ask
		x.end(upper(msg.err.Error()))
	default:
		x.stage, x.notice = askChoosing, notice{text: "It was not answered: " + msg.err.Error()}
		var refusal *model.Refusal
		if errors.As(msg.err, &refusal) {
			x.notice = notice{text: refusal.Text, next: refusal.Fix}
		}
	}
	x.Sheet.Top = 0
	return nil
}

// said is what was done with the ask, in a word.
func (x *askBox) said() string {
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

// words are the answer's own, on one line.
func (x *askBox) words() string {
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

// leave closes the dialog without an answer. A finished turn that was on the screen has been looked at then; the last turn of an
// idle session was before.
func (x *askBox) leave() tea.Cmd {
	x.close(false)
	answerer, ctx, id := x.owner.Answerer, x.owner.Context, x.id
	if !x.isTurn() || x.ask.State != model.AskWaiting || id == x.session || x.owner.host.Unseen() || x.owner.host.TooSmall() || x.stage != askChoosing || x.away != "" {
		return nil
	}
	return func() tea.Msg {
		a, err := answerer.Answer(ctx, id, model.Answer{Allow: true})
		return LookedAtMsg{a, err}
	}
}

// takeLookedAt says why a finished turn could not be marked as looked at. If it is over anyway, nothing is to be said.
func (d *Decisions) takeLookedAt(msg LookedAtMsg) tea.Cmd {
	if msg.err == nil || msg.ask != nil && msg.ask.State != model.AskWaiting {
		return nil
	}
	return d.refuse("the turn is not marked as looked at: " + msg.err.Error())
}

// close closes it. The keys that answer mean nothing for a moment after it.
func (x *askBox) close(committed bool) {
	d := x.owner
	for i, other := range d.asks {
		if other == x {
			d.asks = append(d.asks[:i:i], d.asks[i+1:]...)
			break
		}
	}
	d.answered = answered{d.host.Now(), committed}
	d.host.Close(x)
}

// askOutcomeHow says how it is found out what became of something that may have been done. The command stands behind it.
const askOutcomeHow = "y asks what became of it; nothing is sent again. In a shell:"

// upper returns a sentence with a capital letter.
func upper(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}
