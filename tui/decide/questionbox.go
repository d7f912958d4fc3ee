package decide

// How a question is drawn: what is to be known, in a window that scrolls; below it what is typed; and at the bottom always
// the answers, which can be clicked.

import (
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/input"
)

// dialogWidth is how wide a dialog gets that asks or tells something: long lines are hard to read.
const dialogWidth = 92

// button is an answer with the key for it, and where it stands in its dialog.
type button struct {
	key, words    string
	first         bool // the one that is asked for
	row, from, to int
}

// layButtons places buttons in rows of some width.
func layButtons(l *draw.Look, buttons []button, width int) (rows int) {
	column := 0
	for i := range buttons {
		b := &buttons[i]
		w := utf8.RuneCountInString(draw.KeyName(b.key)) + 1 + l.Width(b.words)
		if b.first { // stands on a ground of its own
			w += 2
		}
		if column > 0 && column+w > width {
			rows, column = rows+1, 0
		}
		b.row, b.from, b.to = rows, column, column+w
		column += w + 2
	}
	return rows + 1
}

// drawButtons draws the rows of buttons that are placed.
func drawButtons(l *draw.Look, buttons []button, rows, width int) []string {
	lines := make([]string, 0, rows)
	for row := range rows {
		r := l.Ribbon(width)
		for _, b := range buttons {
			if b.row != row {
				continue
			}
			r.To(b.from)
			if b.first {
				r.Exactly(l.Theme.Accent+l.Theme.Strong+l.Theme.Chosen, " "+draw.KeyName(b.key)+" "+b.words+" ")
				continue
			}
			r.Exactly(l.Theme.Strong, draw.KeyName(b.key))
			r.Gap(1)
			r.Add(l.Theme.Dim, b.words)
		}
		lines = append(lines, r.Line())
	}
	return lines
}

// drawDialog draws a box with a page that scrolls, what is typed, and buttons; where there is little room, first the page and
// then what is typed get less of it. It returns where the box stands, and the buttons with their places on the screen.
func drawDialog(l *draw.Look, body draw.Area, title string, s *draw.Sheet, input *inputBox, buttons []button) ([]string, draw.Area, []button) {
	width := min(body.Width, dialogWidth)
	rows := layButtons(l, buttons, width-4)
	fixed := rows
	if input != nil {
		fixed += 1 + input.height
	}
	a := body.Middle(width, s.Len()+fixed+3)
	in := draw.InBox(a)
	ruled := in.Height >= 9
	if ruled {
		fixed++
	}
	if input != nil && in.Height-fixed < 1 {
		less := min(fixed+1-in.Height, input.height-1)
		input.height, fixed = input.height-less, fixed-less
	}
	s.Fit(max(in.Height-fixed, 0))
	lines := s.Render(l, in.Width, s.Height, false)
	margin := func(texts []string) {
		for _, text := range texts {
			lines = append(lines, " "+text+" ")
		}
	}
	if ruled {
		r := l.Ribbon(in.Width - 2)
		r.Fill(l.Glyphs.Horizontal, l.Theme.Border, in.Width-2)
		margin([]string{r.Line()})
	}
	if input != nil {
		margin(input.draw(l, in.Width-2))
	}
	first := len(lines)
	margin(drawButtons(l, buttons, rows, in.Width-2))
	for i := range buttons {
		b := &buttons[i]
		b.row, b.from, b.to = b.row+in.Y+first, b.from+in.X+1, b.to+in.X+1
	}
	return l.Box([]draw.Tab{{Text: title, Front: true}}, s.Note(l), lines[:min(len(lines), in.Height)], a.Width, a.Height, true), a, buttons
}

// clickButton presses the key of the button under the pointer. Anywhere else a click does nothing: it might have been meant
// for what was there before.
func clickButton(press func(input.Stroke) tea.Cmd, a draw.Area, buttons []button, px, py int) tea.Cmd {
	for _, b := range buttons {
		if py == b.row && px >= b.from && px < b.to && py < a.Y+a.Height-1 {
			return press(input.StrokeOf(b.key))
		}
	}
	return nil
}

// inputBox is what is typed, with a label above it.
type inputBox struct {
	editor        *input.Editor
	label, remark string
	height        int
}

func (i *inputBox) draw(l *draw.Look, width int) []string {
	r := l.Ribbon(width)
	r.Add(l.Theme.Accent, i.label)
	r.Gap(2)
	r.Add(l.Theme.Dim, i.remark)
	lines := []string{r.Line()}
	return append(lines, i.editor.Draw(l, width, i.height)...)
}

// questionLaid says what a question's page was laid out for.
type questionLaid struct {
	look     *draw.Look
	width    int
	revision uint64
}

// Box implements [Dialog].
func (q *question) Box(l *draw.Look, body draw.Area) ([]string, draw.Area) {
	lines, a, _ := q.draw(l, body)
	return lines, a
}

func (q *question) draw(l *draw.Look, body draw.Area) ([]string, draw.Area, []button) {
	laid := questionLaid{l, min(body.Width, dialogWidth) - 4, q.revision}
	if x := q.look; x != nil {
		if laid.revision = 0; x.laid != laid {
			x.laid, x.sheet.Lines = laid, x.page(l, laid.width).Lines
		}
		a := q.shown.Evidence[x.place]
		_, number, _ := q.after(x.place - 1)
		return drawDialog(l, body, q.title(l, laid.width, ofMany(a.Name, number, len(q.there()))), &x.sheet, nil, q.buttons())
	}
	if q.laid != laid {
		q.laid = laid
		q.sheet.Lines = questionPage(l, q, laid.width).Lines
	}
	return drawDialog(l, body, q.title(l, laid.width, about(q.action.Verb.Words().Title, q.name)), &q.sheet, q.inputBox(l, body), q.buttons())
}

// title heads the dialog: what is done, and always in which project and build, however long a name is.
func (q *question) title(l *draw.Look, width int, what string) string {
	where := l.Clipped(q.where, width/2)
	return draw.Join(draw.PartJoint, l.Clipped(what, width-3-l.Width(where)), where)
}

// Click presses the key of the answer at a point.
func (q *question) Click(l *draw.Look, body draw.Area, x, y int) tea.Cmd {
	_, a, buttons := q.draw(l, body)
	return clickButton(q.Press, a, buttons, x, y)
}

// inputBox returns what is typed now, nil where nothing is.
func (q *question) inputBox(l *draw.Look, body draw.Area) *inputBox {
	e := q.input()
	if e == nil {
		return nil
	}
	if q.stage == asking {
		return &inputBox{e, "Type " + q.shown.Confirm, "to go on", 1}
	}
	box := &inputBox{editor: e, label: q.label(), height: 2}
	if e.Many {
		e.Lay(l, min(body.Width, dialogWidth)-5)
		box.height = min(max(len(e.Rows), 3), max(body.Height/3, 3))
	}
	switch n := q.lacking(); {
	case q.noting && !e.Full:
		box.remark = "for the journal, and for whoever waits"
	case e.Full:
		box.remark = "the rest was left out: at most " + strconv.Itoa(input.TextLimit) + " characters"
	case len(q.kinds()) > 0:
		box.remark = draw.Join(draw.PartJoint, "an idea, a wish, or a link", "tab: "+draw.OrElse(q.action.Kind, "type by the text"))
	case n > 0:
		box.remark = draw.Counted(n, "more character")
	case e.Many:
		box.remark = "ctrl+j begins a line"
	}
	return box
}

// buttons returns the answers that there are now.
func (q *question) buttons() []button {
	leave := button{key: "n", words: "leave"}
	evidence := []button{{key: "e", words: "edit"}}
	if len(q.there()) > 0 {
		evidence = []button{{key: "v", words: "view"}, {key: "o", words: "open"}, {key: "e", words: "edit"}}
	}
	if q.input() != nil {
		leave.key = "esc"
	}
	switch q.stage {
	case proposing:
		return []button{leave}
	case writing:
		all := []button{{key: "", words: "writing"}}
		if q.mayLeave() {
			all = append(all, button{key: "esc", words: "leave"})
		}
		return all
	case unanswered:
		return []button{{key: "y", words: "ask what became of it", first: true}, leave}
	case refused:
		if q.final {
			return []button{{key: "enter", words: "leave", first: true}}
		}
		all := []button{{key: "enter", words: "look again"}, leave}
		if q.action.Text != "" {
			all = append(all, button{key: "t", words: "text"})
		}
		if q.shown == nil {
			return all
		}
		return append(all, button{key: "e", words: "edit"})
	case typing:
		if q.noting {
			return []button{{key: "enter", words: "keep the note", first: true}, {key: "esc", words: "back"}}
		}
		return append([]button{{key: "enter", words: "go on", first: q.lacking() == 0}, leave}, q.kindButton()...)
	}
	yes := button{key: "y", words: q.action.Verb.Words().Short, first: true}
	switch {
	case q.shown.Confirm != "":
		return []button{{key: "enter", words: q.action.Verb.Words().Short, first: q.word.Value() == q.shown.Confirm}, leave}
	case len(q.missing()) > 0:
		yes = button{key: "f", words: "record as failed"}
	case q.action.Verb == model.VerbChanges:
		yes.words = "ask for it"
	}
	if x := q.look; x != nil {
		all := []button{yes, {key: "esc", words: "back"}}
		if _, _, more := q.after(x.place); more {
			all = append(all, button{key: "v", words: "next"})
		}
		return append(all, button{key: "o", words: "open"})
	}
	all := []button{yes, leave}
	switch {
	case q.mayNote():
		all = append(all, button{key: "t", words: "note"})
	case q.action.Text != "":
		all = append(all, button{key: "t", words: "text"})
	}
	all = append(all, q.kindButton()...)
	return append(all, evidence...)
}

// Hints implements [Dialog].
func (q *question) Hints() []draw.Hint {
	if q.input() != nil {
		return []draw.Hint{{Key: "pgup", Words: ""}, {Key: "pgdown", Words: "scroll"}, {Key: "esc", Words: "leave"}}
	}
	hints := []draw.Hint{{Key: "j", Words: ""}, {Key: "k", Words: "scroll"}, {Key: "esc", Words: "leave"}}
	if q.look != nil {
		hints[2].Words = "back"
	}
	if all := q.buttons(); all[0].key == "y" {
		hints = []draw.Hint{{Key: "enter", Words: ""}, {Key: "y", Words: all[0].words}, hints[2], hints[0], hints[1]}
	}
	return hints
}

// page is a page with what is said about a decision.
type page struct{ *draw.Page }

// questionPage lays out what is to be known: what is wrong first, then what is asked, what there is to judge by, and exactly
// what would be written.
func questionPage(l *draw.Look, q *question, width int) page {
	p := page{l.Page(width)}
	th := l.Theme
	p.noticeOf(q)
	if q.shown == nil {
		if q.stage == proposing {
			p.Text(th.Dim, "looking"+l.Glyphs.Ellipsis)
		}
		return p
	}
	s := q.shown
	missing := q.missing()
	if len(missing) > 0 {
		p.Item(th.Block, l.Glyphs.Of(model.Failed), th.Block, "Missing: "+strings.Join(missing, ", "))
		p.Below("", "Going on records the failed check: the gate is written as failed, not as passed.")
		p.Gap()
	}
	p.Quote(th.Strong, s.Asks)
	p.standing(q)
	if q.action.Text != "" {
		switch q.action.Verb {
		case model.VerbChanges:
			p.Heading("You ask for")
		case model.VerbApprove:
			p.Heading("Your note, kept in the journal and handed to whoever waits")
		case model.VerbAdd:
			p.Heading(draw.Join(": ", "Item", q.kind()))
		default:
			p.Heading("Reason")
		}
		p.QuoteLines(q.action.Text)
	}
	for _, w := range s.Warnings {
		p.Gap()
		p.Item(th.Wait, l.Glyphs.Problem, th.Wait, w)
	}
	p.Evidence("Evidence", draw.Exhibits(s.Evidence), true)
	if len(s.Checks) > 0 {
		p.Heading("To be looked at")
		for _, c := range s.Checks {
			p.Item(th.Dim, l.Glyphs.Dot, "", c)
		}
	}
	if q.stage == refused || q.stage == unanswered || q.stage == typing && q.action.Verb == model.VerbAdd { // nothing will be, or nobody knows what
		return p
	}
	p.effect(s, len(missing) == 0)
	p.edits(s)
	return p
}

// effect adds what comes of it: the new status, and what that releases.
func (p page) effect(s *model.Proposal, releases bool) {
	effect := s.Effect
	if was, is, both := strings.Cut(effect, " → "); both && was == is {
		effect = "stays " + is
	}
	p.Heading("Effect")
	p.Text(p.Look.Theme.Strong, draw.Changed(effect))
	if !releases {
		return
	}
	for _, r := range s.Releases {
		p.Item(p.Look.Theme.Accent, p.Look.Glyphs.Folded, "", "releases "+r)
	}
}

// noticeOf adds what is to be said before everything else, and what has become different.
func (p page) noticeOf(q *question) {
	th := p.Look.Theme
	if q.away != "" {
		p.Item(th.Wait, p.Look.Glyphs.Problem, th.Wait, q.away)
	}
	if q.notice.text != "" {
		st, glyph := th.Wait, p.Look.Glyphs.Problem
		if q.notice.calm {
			st, glyph = th.Dim, p.Look.Glyphs.Dot
		}
		p.Item(st, glyph, st, q.notice.text)
		p.Below("", q.notice.next)
		if q.stage == unanswered { // whole on a line of its own, to be copied
			p.Below("", q.sent.Command())
		}
	}
	var facts []draw.Fact
	for _, x := range q.differ {
		facts = append(facts, draw.Fact{Label: x.Label, Value: draw.Becomes(draw.OrElse(x.Was, "nothing"), draw.OrElse(x.Is, "nothing")), Style: th.Wait})
	}
	p.Facts(facts...)
	if q.shown != nil {
		p.Gap()
	}
}

// standing adds in one line who opens the gate, whether it is required, and since when it waits.
func (p page) standing(q *question) {
	terms := q.shown.Terms // as the file has them now: the snapshot may be older
	if terms == "" && q.node != nil && q.node.Gate != nil {
		terms = draw.ApprovalOf(q.node.Gate)
	}
	since := ""
	switch age := p.Look.Age(q.shown.Since); {
	case q.shown.Since.IsZero() || q.action.Verb == model.VerbUndo:
	case age == "now":
		since = "began to wait just now"
	default:
		since = "waits for " + age
	}
	hears := ""
	if q.node != nil && q.node.Gate != nil && !q.node.Gate.Awaited.IsZero() {
		hears = "an agent waits for the answer"
	}
	p.Text(p.Look.Theme.Dim, draw.Join(draw.PartJoint, terms, since, hears))
}

// edits adds exactly what would be written: the place of each value, what goes and what comes.
func (p page) edits(s *model.Proposal) {
	th := p.Look.Theme
	p.Heading("Will be written")
	if len(s.Edits) == 0 {
		p.Text(th.Dim, "no value of a file; it is kept in the journal")
		return
	}
	for _, e := range s.Edits {
		p.Text(th.Dim, draw.Join(draw.PartJoint, e.Pos.String(), e.Label))
		if both := draw.Becomes(e.Old, e.New); e.Old != "" && e.New != "" && !strings.Contains(e.Old+e.New, "\n") && p.Look.Width(both) <= p.Width-2 {
			p.Below("", both)
			continue
		}
		p.change("-", th.Block, e.Old)
		p.change("+", th.OK, e.New)
	}
}

// change adds what goes or comes, with a sign before the first line and another before all others. It is foreign text like any
// other: the file's own bytes are a key away, in the pane and in the editor.
func (p page) change(sign string, st draw.Style, text string) {
	if text == "" {
		return
	}
	for i, s := range strings.Split(strings.TrimRight(text, "\r\n"), "\n") {
		if i > 0 {
			st, sign = p.Look.Theme.Dim, p.Look.Glyphs.GoesOn
		}
		p.Hanging(st, "  "+sign, 4, "", s)
	}
}
