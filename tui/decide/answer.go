package decide

// Answering a live agent: sends the chosen reply to the answerer and reports the outcome. The first answer wins.

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

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
	x.stage, x.answer, x.notice = askSending, &a, notice{}
	answerer, ctx, id := x.owner.Answerer, x.owner.Context, x.askID()
	return request(func() (*model.Ask, error) { return answerer.Answer(ctx, id, a) }, x.takeAnswered)
}

// askOutcome returns the command that asks for the outcome of an answer: it is not sent again.
func (x *askBox) askOutcome() tea.Cmd {
	x.stage = askSending
	sent, ctx := x.sent, x.owner.Context
	return request(func() (*model.Ask, error) {
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
	defer d.markRows()
	switch {
	case errors.As(err, &x.sent):
		x.stage = askChoosing
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
		x.stage, x.notice = askChoosing, noticeOf(err, "It was not answered: ", "")
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

// leaveAsk closes the dialog without an answer. A finished turn that was on the screen counts as looked at; the last turn of an
// idle session already did.
func (x *askBox) leaveAsk() tea.Cmd {
	x.owner.close(x, false)
	answerer, ctx, id := x.owner.Answerer, x.owner.Context, x.id
	if !x.isTurn() || x.ask.State != model.AskWaiting || id == x.session || x.owner.host.Unseen() || x.owner.host.TooSmall() || x.stage != askChoosing || x.away != "" {
		return nil
	}
	return request(func() (*model.Ask, error) { return answerer.Answer(ctx, id, model.Answer{Allow: true}) }, func(ask *model.Ask, err error) tea.Cmd {
		if err == nil || ask != nil && ask.State != model.AskWaiting { // it is over anyway
			return nil
		}
		return x.owner.refuse("the turn is not marked as looked at: " + err.Error())
	})
}
