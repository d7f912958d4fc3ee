package decide

// The page of the dialog about an ask: errors first, then dangers, then the whole ask.

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
)

// noReply explains that words may not reach a session.
const noReply = "the agent takes no messages; J goes to its pane"

// titleWords says who wants what.
func (x *askBox) titleWords() string {
	what := "An agent asks"
	if x.ask != nil {
		switch {
		case x.isTurn():
			what = x.ask.Agent + " finished its turn"
		case x.ask.Kind == model.AskPlan:
			what = x.ask.Agent + " has a plan"
		case x.ask.Call != nil:
			what = x.ask.Agent + " wants to use " + x.ask.Call.Tool
		default:
			what = x.ask.Agent + " asks"
			if n := len(x.ask.Questions); n > 1 {
				what += " (" + strconv.Itoa(x.number+1) + " of " + strconv.Itoa(n) + ")"
			}
		}
	}
	return what
}

// Content implements [dialog.Subject].
func (x *askBox) Content(l *draw.Look, width int) dialog.Content {
	p, a, th := page{l.Page(width)}, x.ask, l.Theme
	c := dialog.Content{Title: x.titleWords(), Where: x.where, Left: x.owner.leftWords(x.at), Page: p.Page}
	p.addNotice(&x.box)
	if x.notice.text != "" {
		p.Gap()
	}
	switch {
	case a == nil && x.stage == over:
		return c
	case a == nil:
		p.Text(th.Dim, "reading"+l.Glyphs.Ellipsis)
		return c
	}
	if a.Call != nil {
		for _, d := range a.Call.Dangers {
			p.Item(th.Block, l.Glyphs.Problem, th.Block, d.Part)
			p.Below("", d.Why)
		}
		if len(a.Call.Dangers) > 0 {
			p.Gap()
		}
	}
	if q := x.shownQuestion(); q != nil {
		p.addOptions(x, q)
	} else if x.isTurn() {
		if !a.Door.IsOpen() {
			p.Text(th.Dim, "No reply from here: "+draw.OrElse(a.Door.String(), noReply))
		}
	} else if a.Kind != model.AskQuestion {
		p.Quote(th.Strong, a.Text)
	}
	p.addAsker(x)
	c.Body = x.bodyText(l, width)
	return c
}

// bodyOf is the key of a laid-out body.
type bodyOf struct {
	look     *draw.Styles
	width    int
	ask      *model.Ask
	question int
	cursor   int
}

// bodyText lays out the part that may be long: a plan, a call, the last words, the preview of an option.
func (x *askBox) bodyText(l *draw.Look, width int) *dialog.Text {
	if of := (bodyOf{l.Theme, width, x.ask, x.number, x.cursor}); x.longOf != of {
		x.longOf, x.long = of, x.layBody(l, width)
	}
	return x.long
}

func (x *askBox) layBody(l *draw.Look, width int) *dialog.Text {
	b, a := dialog.NewText(width), x.ask
	switch q := x.shownQuestion(); {
	case a.Kind == model.AskPlan:
		b.Plan(l, a.Plan, "The agent has written no plan.", false)
	case a.Kind == model.AskTurn:
		b.Plan(l, draw.OrElse(a.Message, a.Text), "The agent said nothing.", true)
	case q != nil && x.cursor >= 0 && x.cursor < len(q.Options) && q.Options[x.cursor].Preview != "":
		b.Say(l.Theme.Accent, "What it would look like")
		b.Quote(l, q.Options[x.cursor].Preview)
	case a.Call != nil:
		if a.Call.Reason != "" {
			b.Say(l.Theme.Dim, "It says why:")
			b.Quote(l, a.Call.Reason)
		}
		if a.Call.Diff != "" {
			b.Say(l.Theme.Accent, "What would change")
			b.Diff(l, a.Call.Diff)
		}
		b.Say(l.Theme.Accent, "The whole call")
		b.Quote(l, a.Call.Input)
	}
	return b
}

// addAsker adds the agent that asks, its work, its place, and since when it waits.
func (p page) addAsker(x *askBox) {
	a := x.ask
	who := draw.Join(draw.PartJoint, a.Agent, x.work)
	if a.Subagent != "" {
		who += ", an agent below it"
	}
	since := waitedFor(p.Look.Age(a.Since))
	if a.Kind == model.AskTurn {
		since = "finished " + p.Look.Ago(a.Since)
	}
	until := draw.If(!a.Until.IsZero(), "until "+a.Until.In(p.Look.Now.Location()).Format("15:04"))
	p.Gap()
	p.Text(p.Look.Theme.Dim, draw.Join(draw.PartJoint, who, a.Pane, a.Dir, since, until))
	st := p.Look.Theme.Wait
	if a.Until.Sub(p.Look.Now) < time.Minute {
		st = p.Look.Theme.Block
	}
	p.Text(st, p.Look.Deadline(a.Until, a.Then))
}

// addOptions adds a question with its options.
func (p page) addOptions(x *askBox, q *model.Question) {
	th, r := p.Look.Theme, x.shownReply()
	if q.Header != "" {
		p.Text(th.Dim, q.Header)
	}
	p.Quote(th.Strong, q.Text)
	p.Gap()
	open, mark, shut := "(", "x", ")"
	if q.Multi {
		open, shut = "[", "]"
	}
	for i, o := range q.Options {
		sign, st := " ", draw.Style("")
		if i == x.cursor {
			sign = p.Look.Glyphs.Marker
		}
		box := open + " " + shut
		if r.picks[i] {
			box, st = open+mark+shut, th.Accent
		}
		number := strconv.Itoa(i + 1)
		sign += number + strings.Repeat(" ", max(3-len(number), 1)) + box
		p.Hanging(st, sign, 9, st, o.Label)
		p.Hanging("", "", 9, th.Dim, o.Description)
	}
	if r.own != "" {
		p.Hanging(th.Accent, " t  "+open+mark+shut, 9, th.Accent, strings.ReplaceAll(r.own, "\n", " "))
	} else if q.Own && len(q.Options) > 0 {
		p.Hanging("", " t  "+open+" "+shut, 9, th.Dim, "your own words")
	}
	if q.Multi {
		p.Gap()
		p.Text(th.Dim, "several may be picked")
	}
}
