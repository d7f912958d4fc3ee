// Package dialog is the one dialog of the dashboard. It shows a [Content]: a title, a page that scrolls with a long text below it, lines
// that stay in view, a text field, and the choices, each with its key. Its [Subject] lays the content out again whenever the revision changes;
// a choice does something, and the subject shows the effect.
//
//	key ─► field (letters while a text is typed) ─► choice (guards, then Do) ─► scrolling
//
// Every choice that decides something is guarded: it must have been on the screen in its current form, and for a second after the dialog
// has changed by itself its keys only say that. Keys come from the dashboard's one table, so a rebound key is rebound here too.
package dialog

import (
	"slices"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/draw"
	"gatehouse/tui/input"
)

// Subject is the subject of a dialog.
type Subject interface {
	// Content lays out the dialog for a width in columns.
	Content(l *draw.Look, width int) Content
	// Choices returns the possible answers, the most likely first.
	Choices() []Choice
	// Field returns the text field, nil without one.
	Field() *Field
}

// Content is the content of a dialog.
type Content struct {
	Title string // the decision
	Where string // the project; always shown
	Left  string // how many more wait after it: "2 left"
	Page  *draw.Page
	Body  draw.Rest // a long text below the page, drawn as it comes into view; nil for none
	Foot  []string  // lines that stay in view above the choices
}

// Choice is a possible answer.
type Choice struct {
	Row     string // the row of the key table with its keys
	Key     string // or a key of its own, such as a digit
	Words   string // on its button; "" for a choice without one
	Marked  bool   // enter chooses it, and it is highlighted
	Commits bool   // it decides something
	Rest    bool   // it gets every key that belongs to no other choice
	Do      func() tea.Cmd
}

// Field is a text field.
type Field struct {
	Editor        *input.Editor
	Label, Remark string
	Rows          int // the maximum, 0 for a third of the space
}

// Host is the dashboard around a dialog.
type Host interface {
	// KeysOf returns the keys of a row of the key table.
	KeysOf(row string) []string
	// Unseen reports whether the current form of the dialog on top is not on the screen yet, TooSmall whether nothing can be seen at all.
	Unseen() bool
	TooSmall() bool
	Now() time.Time
	// Say shows a short message, that something was done or why not.
	Say(text string, good bool) tea.Cmd
}

// DeadTime is how long deciding keys are ignored after a dialog has changed by itself: longer than anybody takes to press a key that was
// meant for the previous content.
const DeadTime = time.Second

// widest is the maximum width of a dialog: long lines are hard to read.
const widest = 92

// Dialog is the dialog.
type Dialog struct {
	Subject
	Sheet    draw.Sheet
	host     Host
	revision uint64
	changed  time.Time // when it changed by itself
	key      string    // the last key
	laid     laid
	content  Content
}

// laid is the key of laid-out content.
type laid struct {
	look     *draw.Look
	width    int
	revision uint64
}

// New returns a dialog about a subject.
func New(h Host, s Subject) *Dialog { return &Dialog{Subject: s, host: h} }

// reader is a subject that only shows something.
type reader struct {
	lay    func(l *draw.Look, width int) Content
	closes []Choice
}

// NewReader returns a dialog that shows something until it is closed by a key of one of some rows of the key table, the first with a
// button.
func NewReader(h Host, lay func(l *draw.Look, width int) Content, close func(*Dialog), rows ...string) *Dialog {
	r := &reader{lay: lay}
	d := New(h, r)
	for _, row := range rows {
		r.closes = append(r.closes, Choice{Row: row, Do: func() tea.Cmd { close(d); return nil }})
	}
	r.closes[0].Words = "close"
	return d
}

func (r *reader) Content(l *draw.Look, width int) Content { return r.lay(l, width) }
func (r *reader) Choices() []Choice                       { return r.closes }
func (r *reader) Field() *Field                           { return nil }

// Revision changes whenever the dialog shows something else, but not when it is scrolled.
func (d *Dialog) Revision() uint64 { return d.revision }

// Revise lays the content out again.
func (d *Dialog) Revise() { d.revision++ }

// Change does the same for content that has changed by itself. It is shown from its beginning, and deciding keys are ignored for a
// while.
func (d *Dialog) Change() {
	d.revision++
	d.Sheet.Top = 0
	d.changed = d.host.Now()
}

// Press handles a key.
func (d *Dialog) Press(k input.Stroke) tea.Cmd {
	choices := d.Choices()
	if d.host.TooSmall() { // nothing of the dialog is visible
		choices = slices.DeleteFunc(choices, func(c Choice) bool { return c.Row != "back" })
	}
	field := d.Field()
	typed := field != nil && k.Text != ""
	if !typed {
		d.key = k.Name
		for _, c := range choices {
			if c.Do != nil && d.isFor(k.Name, c) {
				return d.choose(c)
			}
		}
	}
	switch {
	case d.host.TooSmall():
	case field != nil && k.Name != "pgup" && k.Name != "pgdown":
		field.Editor.Press(k)
		d.revision++
	default:
		d.Sheet.Press(k.Name)
	}
	return nil
}

// isFor reports whether a key is for a choice.
func (d *Dialog) isFor(key string, c Choice) bool {
	return c.Rest || c.Key == key || c.Marked && key == "enter" || c.Row != "" && slices.Contains(d.host.KeysOf(c.Row), key)
}

// choose does what a choice stands for, unless it decides something that the user cannot have read.
func (d *Dialog) choose(c Choice) tea.Cmd {
	switch {
	case !c.Commits:
	case d.host.Unseen():
		return d.host.Say("not on your screen yet: press "+d.key+" again", false)
	case d.host.Now().Sub(d.changed) < DeadTime:
		return d.host.Say("it changed just now, before that key: read it as it is now, then press it again", false)
	}
	d.revision++
	return c.Do()
}

// Scroll moves the window over the content.
func (d *Dialog) Scroll(by int) { d.Sheet.Scroll(by) }

// listButtons returns the choices that have a button; each has the name of its key.
func (d *Dialog) listButtons() (all []Choice) {
	typing := d.Field() != nil
	for _, c := range d.Choices() {
		if c.Words == "" {
			continue
		}
		if keys := d.host.KeysOf(c.Row); c.Row != "" && len(keys) > 0 {
			c.Key = keys[0]
		}
		if c.Marked && (c.Key == "" || typing) {
			c.Key = "enter"
		}
		all = append(all, c)
	}
	return all
}

// drawButtons draws buttons in rows of some width.
func drawButtons(l *draw.Look, buttons []Choice, width int) (lines []string) {
	r := l.Ribbon(width)
	for _, b := range buttons {
		key := draw.KeyName(b.Key)
		w := utf8.RuneCountInString(key) + 1 + l.Width(b.Words)
		if b.Marked { // it has a background
			w += 2
		}
		if r.Width > 0 && r.Width+2+w > width {
			lines, r = append(lines, r.Line()), l.Ribbon(width)
		}
		r.Gap(2 * min(r.Width, 1))
		if b.Marked {
			r.Exactly(l.Theme.Accent+l.Theme.Strong+l.Theme.Chosen, " "+key+" "+b.Words+" ")
			continue
		}
		r.Exactly(l.Theme.Strong, key)
		r.Gap(min(len(key), 1))
		r.Add(l.Theme.Dim, b.Words)
	}
	return append(lines, r.Line())
}

// layContent lays the content out if it is outdated.
func (d *Dialog) layContent(l *draw.Look, width int) *Content {
	if at := (laid{l, width, d.revision}); d.laid != at {
		d.laid, d.content = at, d.Content(l, width)
		d.Sheet.Rest = d.content.Body
	}
	return &d.content
}

// Box draws the dialog and returns its position in the body of the screen: a page that scrolls, lines that stay, a text field, and
// buttons. If space is short, first the page, then the lines that stay and then the field get less of it.
func (d *Dialog) Box(l *draw.Look, body draw.Area) ([]string, draw.Area) {
	width := min(body.Width, widest)
	c, field, buttons := d.layContent(l, width-4), d.Field(), drawButtons(l, d.listButtons(), width-4)
	fixed, typed := len(buttons), 0
	if field != nil {
		field.Editor.Lay(l, width-5)
		if typed = field.Rows; typed == 0 {
			typed = min(max(len(field.Editor.Rows), 3), max(body.Height/3, 3))
		}
		fixed += 1 + typed
	}
	d.Sheet.Lines = c.Page.Lines
	a := body.Middle(width, d.Sheet.Len()+len(c.Foot)+fixed+3)
	in := draw.InBox(a)
	foot := c.Foot
	if in.Height < 12 { // it scrolls with the page
		d.Sheet.Lines = append(slices.Clip(c.Page.Lines), foot...)
		foot = nil
	}
	fixed += len(foot)
	ruled := in.Height >= 9
	if ruled {
		fixed++
	}
	if field != nil && in.Height-fixed < 1 {
		less := min(fixed+1-in.Height, typed-1)
		typed, fixed = typed-less, fixed-less
	}
	lines := d.Sheet.Render(l, in.Width, max(in.Height-fixed, 0))
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
	margin(foot)
	if field != nil {
		r := l.Ribbon(in.Width - 2)
		r.Add(l.Theme.Accent, field.Label)
		r.Gap(2)
		r.Add(l.Theme.Dim, field.Remark)
		margin(append([]string{r.Line()}, field.Editor.Draw(l, in.Width-2, typed)...))
	}
	margin(buttons)
	where := l.Clipped(c.Where, width/2)
	title := draw.Join(draw.PartJoint, l.Clipped(c.Title, width-8-l.Width(where)), where)
	note := d.Sheet.Note(l) // our own text, like what is left
	if c.Left != "" && note != "" {
		note = draw.PartJoint + note
	}
	note = c.Left + note
	return l.Box([]draw.Tab{{Text: title, Front: true}}, note, lines[:min(len(lines), in.Height)], a.Width, a.Height, true), a
}

// Hints are the keys in the footer: the marked choice, leaving, and scrolling.
func (d *Dialog) Hints() (hints []draw.Hint) {
	for _, b := range d.listButtons() {
		if b.Do == nil || !b.Marked && b.Row != "back" {
			continue
		}
		if b.Marked && b.Key != "enter" {
			hints = append(hints, draw.Hint{Key: "enter"})
		}
		hints = append(hints, draw.Hint{Key: b.Key, Words: b.Words})
	}
	if d.Field() != nil || slices.ContainsFunc(d.Choices(), func(c Choice) bool { return c.Row == "down" }) {
		return append(hints, draw.Hint{Key: "pgup"}, draw.Hint{Key: "pgdown", Words: "scroll"})
	}
	return append(hints, draw.Hint{Key: "j"}, draw.Hint{Key: "k", Words: "scroll"})
}
