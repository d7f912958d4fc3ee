package tui

// How a question is drawn: what is to be known, in a window that scrolls; below it what is typed; and at the bottom always
// the answers, which can be clicked.

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
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
func layButtons(l *look, buttons []button, width int) (rows int) {
	column := 0
	for i := range buttons {
		b := &buttons[i]
		w := utf8.RuneCountInString(keyName(b.key)) + 1 + l.width(b.words)
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
func drawButtons(l *look, buttons []button, rows, width int) []string {
	lines := make([]string, 0, rows)
	for row := range rows {
		r := l.ribbon(width)
		for _, b := range buttons {
			if b.row != row {
				continue
			}
			r.to(b.from)
			if b.first {
				r.exactly(l.theme.accent+l.theme.strong+l.theme.chosen, " "+keyName(b.key)+" "+b.words+" ")
				continue
			}
			r.exactly(l.theme.strong, keyName(b.key))
			r.gap(1)
			r.add(l.theme.dim, b.words)
		}
		lines = append(lines, r.line())
	}
	return lines
}

// drawDialog draws a box with a page that scrolls, what is typed, and buttons; where there is little room, first the page and
// then what is typed get less of it. It returns where the box stands, and the buttons with their places on the screen.
func (d *dashboard) drawDialog(title string, s *sheet, input *inputBox, buttons []button) ([]string, area, []button) {
	l := d.look
	width := min(d.screen.body.width, dialogWidth)
	rows := layButtons(l, buttons, width-4)
	fixed := rows
	if input != nil {
		fixed += 1 + input.height
	}
	a := d.middle(width, len(s.lines)+fixed+3)
	in := inBox(a)
	ruled := in.height >= 9
	if ruled {
		fixed++
	}
	if input != nil && in.height-fixed < 1 {
		less := min(fixed+1-in.height, input.height-1)
		input.height, fixed = input.height-less, fixed-less
	}
	s.fit(max(in.height-fixed, 0))
	lines := s.Render(l, in.width, s.height, false)
	margin := func(texts []string) {
		for _, text := range texts {
			lines = append(lines, " "+text+" ")
		}
	}
	if ruled {
		r := l.ribbon(in.width - 2)
		r.fill(l.glyphs.horizontal, l.theme.border, in.width-2)
		margin([]string{r.line()})
	}
	if input != nil {
		margin(input.draw(l, in.width-2))
	}
	first := len(lines)
	margin(drawButtons(l, buttons, rows, in.width-2))
	for i := range buttons {
		b := &buttons[i]
		b.row, b.from, b.to = b.row+in.y+first, b.from+in.x+1, b.to+in.x+1
	}
	return l.box([]tab{{text: title, front: true}}, s.note(l), lines[:min(len(lines), in.height)], a.width, a.height, true), a, buttons
}

// clickButton presses the key of the button under the pointer. Anywhere else a click does nothing: it might have been meant
// for what was there before.
func clickButton(d *dashboard, x dialog, a area, buttons []button, px, py int) tea.Cmd {
	for _, b := range buttons {
		if py == b.row && px >= b.from && px < b.to && py < a.y+a.height-1 {
			return x.press(d, strokeOf(b.key))
		}
	}
	return nil
}

// inputBox is what is typed, with a label above it.
type inputBox struct {
	editor        *editor
	label, remark string
	height        int
}

func (i *inputBox) draw(l *look, width int) []string {
	r := l.ribbon(width)
	r.add(l.theme.accent, i.label)
	r.gap(2)
	r.add(l.theme.dim, i.remark)
	lines := []string{r.line()}
	return append(lines, i.editor.draw(l, width, i.height)...)
}

// questionLaid says what a question's page was laid out for.
type questionLaid struct {
	look     *look
	width    int
	revision uint64
}

func (q *question) box(d *dashboard) ([]string, area) {
	lines, a, _ := q.draw(d)
	return lines, a
}

func (q *question) draw(d *dashboard) ([]string, area, []button) {
	laid := questionLaid{d.look, min(d.screen.body.width, dialogWidth) - 4, q.revision}
	if q.laid != laid {
		q.laid = laid
		q.sheet.lines = questionPage(d.look, q, laid.width).lines
	}
	return d.drawDialog(about(q.deed.title, q.name), &q.sheet, q.inputBox(d), q.buttons())
}

func (q *question) click(d *dashboard, x, y int) tea.Cmd {
	_, a, buttons := q.draw(d)
	return clickButton(d, q, a, buttons, x, y)
}

// inputBox returns what is typed now, nil where nothing is.
func (q *question) inputBox(d *dashboard) *inputBox {
	e := q.input()
	if e == nil {
		return nil
	}
	if q.stage == asking {
		return &inputBox{e, "Type " + q.shown.Confirm, "to go on", 1}
	}
	box := &inputBox{editor: e, label: q.label(), height: 2}
	if e.many {
		e.lay(d.look, min(d.screen.body.width, dialogWidth)-5)
		box.height = min(max(len(e.rows), 3), max(d.screen.body.height/3, 3))
	}
	switch n := q.lacking(); {
	case e.full:
		box.remark = "the rest was left out: at most " + itoa(textLimit) + " characters"
	case len(q.kinds()) > 0:
		box.remark = join(partJoint, "an idea, a wish, or a link", "tab: "+orElse(q.action.Kind, "type by the text"))
	case n > 0:
		box.remark = counted(n, "more character")
	case e.many:
		box.remark = "ctrl+j begins a line"
	}
	return box
}

// buttons returns the answers that there are now.
func (q *question) buttons() []button {
	leave := button{key: "n", words: "leave"}
	evidence := []button{{key: "o", words: "open"}, {key: "e", words: "edit"}}
	if q.input() != nil {
		leave.key = "esc"
	}
	switch q.stage {
	case looking:
		return []button{leave}
	case writing:
		return []button{{key: "", words: "writing"}}
	case refused:
		all := []button{{key: "enter", words: "look again"}, leave}
		if q.action.Text != "" {
			all = append(all, button{key: "t", words: "text"})
		}
		if q.shown == nil {
			return all
		}
		return append(all, button{key: "e", words: "edit"})
	case typing:
		return append([]button{{key: "enter", words: "go on", first: q.lacking() == 0}, leave}, q.kindButton()...)
	}
	yes := button{key: "y", words: q.deed.word, first: true}
	switch {
	case q.shown.Confirm != "":
		return []button{{key: "enter", words: q.deed.word, first: q.word.value() == q.shown.Confirm}, leave}
	case len(q.missing()) > 0:
		yes = button{key: "f", words: "record as failed"}
	case q.action.Verb == model.VerbChanges:
		yes.words = "ask for it"
	}
	all := []button{yes, leave}
	if q.action.Text != "" {
		all = append(all, button{key: "t", words: "text"})
	}
	all = append(all, q.kindButton()...)
	return append(all, evidence...)
}

func (q *question) hints() []hint {
	if q.input() != nil {
		return []hint{{"pgup", ""}, {"pgdown", "scroll"}, {"esc", "leave"}}
	}
	return []hint{{"j", ""}, {"k", "scroll"}, {"esc", "leave"}}
}

// questionPage lays out what is to be known: what is wrong first, then what is asked, what there is to judge by, and exactly
// what would be written.
func questionPage(l *look, q *question, width int) *page {
	p := l.page(width)
	th := l.theme
	p.noticeOf(q)
	if q.shown == nil {
		if q.stage == looking {
			p.text(th.dim, "looking"+l.glyphs.ellipsis)
		}
		return p
	}
	s := q.shown
	missing := q.missing()
	if len(missing) > 0 {
		p.item(th.block, l.glyphs.of(model.Failed), th.block, "Missing: "+list(missing))
		p.below("", "Going on records the failed check: the gate is written as failed, not as passed.")
		p.gap()
	}
	p.quote(th.strong, s.Asks)
	p.standing(q)
	if q.action.Text != "" {
		switch q.action.Verb {
		case model.VerbChanges:
			p.heading("You ask for")
		case model.VerbAdd:
			p.heading(join(": ", "Item", q.kind()))
		default:
			p.heading("Reason")
		}
		p.quoteLines(q.action.Text)
	}
	for _, w := range s.Warnings {
		p.gap()
		p.item(th.wait, l.glyphs.problem, th.wait, w)
	}
	p.evidence("Evidence", exhibits(s.Evidence), true)
	if len(s.Checks) > 0 {
		p.heading("To be looked at")
		for _, c := range s.Checks {
			p.item(th.dim, l.glyphs.dot, "", c)
		}
	}
	if q.stage == refused || q.stage == typing && q.action.Verb == model.VerbAdd { // nothing will be, or nobody knows what
		return p
	}
	p.effect(s, len(missing) == 0)
	p.edits(s)
	return p
}

// effect adds what comes of it: the new status, and what that releases.
func (p *page) effect(s *model.Proposal, releases bool) {
	effect := s.Effect
	if was, is, both := strings.Cut(effect, changeJoint); both && was == is {
		effect = "stays " + is
	}
	p.heading("Effect")
	p.text(p.look.theme.strong, effect)
	if !releases {
		return
	}
	for _, r := range s.Releases {
		p.item(p.look.theme.accent, p.look.glyphs.folded, "", "releases "+r)
	}
}

// noticeOf adds what is to be said before everything else, and what has become different.
func (p *page) noticeOf(q *question) {
	th := p.look.theme
	if q.notice.text != "" {
		st, glyph := th.wait, p.look.glyphs.problem
		if q.notice.calm {
			st, glyph = th.dim, p.look.glyphs.dot
		}
		p.item(st, glyph, st, q.notice.text)
		p.below("", q.notice.next)
	}
	if q.before != nil {
		var facts []fact
		for _, x := range differences(q.before, q.shown) {
			facts = append(facts, fact{x.label, becomes(orElse(x.was, "nothing"), orElse(x.is, "nothing")), th.wait})
		}
		p.facts(facts...)
	}
	if q.shown != nil {
		p.gap()
	}
}

// standing adds in one line who opens the gate, whether it is required, and since when it waits.
func (p *page) standing(q *question) {
	terms := q.shown.Terms // as the file has them now: the snapshot may be older
	if terms == "" && q.node != nil && q.node.Gate != nil {
		terms = approvalOf(q.node.Gate)
	}
	since := ""
	switch age := p.look.age(q.shown.Since); {
	case q.shown.Since.IsZero() || q.action.Verb == model.VerbUndo:
	case age == "now":
		since = "began to wait just now"
	default:
		since = "waits for " + age
	}
	p.text(p.look.theme.dim, join(" · ", terms, since))
}

// approvalOf says who opens a gate, and whether the work stops there in any case.
func approvalOf(g *model.Gate) string {
	if g.Required {
		return join(", ", string(g.Approval), "required")
	}
	return join(", ", string(g.Approval), "optional")
}

// quoteLines adds a text of somebody's with its lines, of which some may be blank.
func (p *page) quoteLines(text string) {
	for s := range strings.SplitSeq(text, "\n") {
		p.quote("", orElse(strings.TrimRight(s, "\r"), " "))
	}
}

// edits adds exactly what would be written: the place of each value, what goes and what comes.
func (p *page) edits(s *model.Proposal) {
	th := p.look.theme
	p.heading("Will be written")
	if len(s.Edits) == 0 {
		p.text(th.dim, "no value of a file; it is kept in the journal")
		return
	}
	for _, e := range s.Edits {
		p.text(th.dim, join(partJoint, e.Pos.String(), e.Label))
		if both := becomes(e.Old, e.New); e.Old != "" && e.New != "" && !strings.Contains(e.Old+e.New, "\n") && p.look.width(both) <= p.width-2 {
			p.below("", both)
			continue
		}
		p.change("-", th.block, e.Old)
		p.change("+", th.ok, e.New)
	}
}

// change adds what goes or comes, with a sign before the first line and another before all others. It is foreign text like any
// other: the file's own bytes are a key away, in the pane and in the editor.
func (p *page) change(sign string, st style, text string) {
	if text == "" {
		return
	}
	for i, s := range strings.Split(strings.TrimRight(text, "\r\n"), "\n") {
		if i > 0 {
			st, sign = p.look.theme.dim, p.look.glyphs.goesOn
		}
		p.hanging(st, "  "+sign, 4, "", s)
	}
}
