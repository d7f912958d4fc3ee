package decide

// How the dialog about what an agent asks is drawn: what went wrong first, then what deserves a look, then what is asked, whole.

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/input"
)

// Box implements [Dialog].
func (x *askBox) Box(l *draw.Look, body draw.Area) ([]string, draw.Area) {
	lines, a, _ := x.draw(l, body)
	return lines, a
}

func (x *askBox) draw(l *draw.Look, body draw.Area) ([]string, draw.Area, []button) {
	laid := questionLaid{l, min(body.Width, dialogWidth) - 4, x.revision}
	if x.laid != laid {
		x.laid = laid
		x.sheet.Lines, x.sheet.Rest = x.page(l, laid.width), x.lay(l, laid.width)
	}
	return drawDialog(l, body, x.title(l, laid.width), &x.sheet, x.inputBox(l, body), x.buttons())
}

// Click presses the key of the answer at a point.
func (x *askBox) Click(l *draw.Look, body draw.Area, px, py int) tea.Cmd {
	_, a, buttons := x.draw(l, body)
	return clickButton(x.Press, a, buttons, px, py)
}

// Scroll moves the window over what is asked.
func (x *askBox) Scroll(by int) { x.sheet.Scroll(by) }

// noReply is said of a session of which it is not known whether words can reach it.
const noReply = "the agent takes no messages; J goes to its pane"

// title says what is wanted, and by whom.
func (x *askBox) title(l *draw.Look, width int) string {
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
	where := l.Clipped(x.where, width/2)
	return draw.Join(draw.PartJoint, l.Clipped(what, width-3-l.Width(where)), where)
}

// page lays out what is to be known.
func (x *askBox) page(l *draw.Look, width int) []string {
	p := page{l.Page(width)}
	th := l.Theme
	if x.away != "" && x.stage != askOver {
		p.Item(th.Wait, l.Glyphs.Problem, th.Wait, x.away)
		p.Gap()
	}
	if x.notice.text != "" {
		st, sign := th.Wait, l.Glyphs.Problem
		if x.notice.calm {
			st, sign = th.Dim, l.Glyphs.Dot
		}
		p.Item(st, sign, st, x.notice.text)
		p.Below("", x.notice.next)
		if x.stage == askUnknown { // whole on a line of its own, to be copied
			p.Below("", x.sent.Command())
		}
		p.Gap()
	}
	a := x.ask
	if a == nil {
		p.Text(th.Dim, "reading"+l.Glyphs.Ellipsis)
		return p.Lines
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
	if q := x.question(); q != nil {
		p.options(x, q)
	} else if x.isTurn() {
		if !a.Door.IsOpen() {
			p.Text(th.Dim, "No reply from here: "+draw.OrElse(a.Door.String(), noReply))
		}
	} else if a.Kind != model.AskQuestion {
		p.Quote(th.Strong, a.Text)
	}
	p.asker(x)
	return p.Lines
}

// asker adds which agent asks, at what it works, where, and since when.
func (p page) asker(x *askBox) {
	a := x.ask
	who := draw.Join(draw.PartJoint, a.Agent, x.work)
	if a.Subagent != "" {
		who += ", an agent below it"
	}
	since := "began to wait just now"
	switch age := p.Look.Age(a.Since); {
	case a.Kind == model.AskTurn:
		since = "finished " + p.Look.Ago(a.Since)
	case age != "now":
		since = "waits for " + age
	}
	until := ""
	if !a.Until.IsZero() {
		until = "until " + a.Until.In(p.Look.Now.Location()).Format("15:04")
	}
	p.Gap()
	p.Text(p.Look.Theme.Dim, draw.Join(draw.PartJoint, who, a.Pane, a.Dir, since, until))
	p.Text(p.Look.Theme.Wait, p.Look.Deadline(a.Until, a.Then))
}

// options adds a question with what there is to choose.
func (p page) options(x *askBox, q *model.Question) {
	th, r := p.Look.Theme, x.reply()
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
		p.Hanging(th.Accent, " t   "+open+mark+shut, 9, th.Accent, strings.ReplaceAll(r.own, "\n", " "))
	} else if q.Own {
		p.Hanging("", " t   "+open+" "+shut, 9, th.Dim, "your own words")
	}
	if q.Multi {
		p.Gap()
		p.Text(th.Dim, "several may be picked")
	}
}

// inputBox returns what is typed now, nil where nothing is.
func (x *askBox) inputBox(l *draw.Look, body draw.Area) *inputBox {
	box := &inputBox{editor: &x.text, remark: "ctrl+j begins a line"}
	switch {
	case x.stage == askOwn:
		box.label = "Your own words"
	case x.stage == askReply:
		box.label = "Reply"
		if x.ask.Door.IsOpen() {
			box.label = "Reply (" + x.ask.Door.Hears + ")"
		}
	case x.stage == askNo && x.ask.Kind == model.AskPlan:
		box.label = "What is to be changed"
	case x.stage == askNo:
		box.label, box.remark = "Why not", "may be left empty"
	default:
		return nil
	}
	if x.text.Full {
		box.remark = "the rest was left out: at most " + strconv.Itoa(input.TextLimit) + " characters"
	}
	x.text.Lay(l, min(body.Width, dialogWidth)-5)
	box.height = min(max(len(x.text.Rows), 3), max(body.Height/3, 3))
	return box
}

// buttons returns the answers that there are now.
func (x *askBox) buttons() []button {
	leave := button{key: "esc", words: "leave"}
	q := x.question()
	switch {
	case x.stage == askReading:
		return []button{leave}
	case x.stage == askOver:
		return []button{{key: "enter", words: "leave", first: true}}
	case x.stage == askUnknown:
		return []button{{key: "y", words: "ask what became of it", first: true}, leave}
	case x.stage == askSending:
		return []button{{key: "", words: "sending"}}
	case x.stage == askOwn:
		return []button{{key: "enter", words: x.onWords(), first: true}, {key: "esc", words: "back"}}
	case x.stage == askReply:
		return []button{{key: "enter", words: "send", first: x.text.Value() != ""}, {key: "esc", words: "back"}}
	case x.isTurn():
		all := []button{{key: "J", words: "its pane"}, {key: "D", words: "diff"}, leave}
		if x.ask.Door.IsOpen() {
			all = append([]button{{key: "enter", words: "reply", first: true}}, all...)
		}
		return all
	case x.stage == askNo && x.ask.Kind == model.AskPlan:
		return []button{{key: "enter", words: "ask for it", first: x.text.Value() != ""}, {key: "esc", words: "back"}}
	case x.stage == askNo:
		return []button{{key: "enter", words: "deny", first: true}, {key: "esc", words: "back"}}
	case q == nil && x.ask.Kind == model.AskPlan:
		return []button{{key: "y", words: "approve", first: x.marked == "y"}, {key: "c", words: "ask for changes", first: x.marked == "c"}, {key: "tab", words: "mark"}, leave}
	case q == nil && x.ask.Call == nil:
		return []button{{key: "y", words: "yes", first: x.marked == "y"}, {key: "d", words: "no", first: x.marked == "d"}, {key: "tab", words: "mark"}, leave}
	case q == nil:
		return []button{{key: "y", words: "allow once", first: x.marked == "y"}, {key: "d", words: "deny", first: x.marked == "d"}, {key: "tab", words: "mark"}, leave}
	}
	all := []button{{key: "enter", words: x.onWords(), first: x.reply().given()}}
	if q.Multi {
		all = append(all, button{key: "space", words: "pick"})
	}
	if q.Own {
		all = append(all, button{key: "t", words: "own words"})
	}
	if x.number > 0 {
		all = append(all, button{key: "h", words: "back"})
	}
	return append(all, button{key: "d", words: "decline"}, leave)
}

// onWords says what enter does next with a question.
func (x *askBox) onWords() string {
	if x.number+1 < len(x.ask.Questions) {
		return "next question"
	}
	return "answer"
}

// Hints implements [Dialog].
func (x *askBox) Hints() []draw.Hint {
	hints := []draw.Hint{{Key: "pgup", Words: ""}, {Key: "pgdown", Words: "scroll"}, {Key: "esc", Words: "leave"}}
	switch {
	case x.body.marked && x.asWritten && x.ask.Call != nil:
		return append(hints, draw.Hint{Key: "r", Words: "as a diff"})
	case x.body.marked && x.asWritten:
		return append(hints, draw.Hint{Key: "r", Words: "as Markdown"})
	case x.body.marked:
		return append(hints, draw.Hint{Key: "r", Words: "as written"})
	}
	return hints
}
