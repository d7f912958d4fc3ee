package decide

// A look at the evidence inside the dialog: the text of one deliverable after the other, and before it what has changed since
// the user looked last, here or in the pager. What was looked at is remembered by [document.Looks], which the file pane shares.

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/document"
	"gatehouse/tui/draw"
)

// LookedMsg brings the text of a deliverable that the user looks at, or why there is none.
type LookedMsg struct {
	id      uint64 // of the question
	place   int    // of the deliverable among the evidence; -1 where it is read elsewhere, and only remembered
	now     document.Looked
	changes []document.Change // since the text before
	problem string
}

// look is the deliverable that the dialog shows in the place of the question.
type look struct {
	LookedMsg
	sheet draw.Sheet
	laid  questionLaid
}

// there returns the places of the deliverables that can be looked at.
func (q *question) there() (places []int) {
	if q.shown != nil {
		for i, a := range q.shown.Evidence {
			if a.Exists && a.File != "" {
				places = append(places, i)
			}
		}
	}
	return places
}

// after returns the deliverable that follows on a place, and which of how many that is; ok is false behind the last.
func (q *question) after(place int) (next, number int, ok bool) {
	for number, i := range q.there() {
		if i > place {
			return i, number + 1, true
		}
	}
	return 0, 0, false
}

// lookOn goes on to the next deliverable, and after the last back to the question.
func (q *question) lookOn() tea.Cmd {
	place := -1
	if q.look != nil {
		place = q.look.place
	}
	next, _, ok := q.after(place)
	switch {
	case ok && q.stage == asking:
		return q.read(next, next)
	case q.look == nil:
		return q.owner.refuse("no deliverable is there to be looked at")
	}
	q.look = nil
	return nil
}

// read returns the command that reads a deliverable; place is -1 where it is not to be shown here.
func (q *question) read(i, place int) tea.Cmd {
	files, home := q.owner.host.Files(), q.owner.Index.Site(q.at)
	if files == nil || home == nil {
		return q.owner.refuse("files cannot be read here")
	}
	msg := LookedMsg{id: q.id, place: place}
	project, file, at := q.at.Project, strings.Clone(q.shown.Evidence[i].File), q.owner.host.Now()
	before := q.owner.Looks.Of(project, file)
	return func() tea.Msg { return msg.read(files, before, project, file, at) }
}

// read reads the file and compares it with what the user has looked at before.
func (msg LookedMsg) read(files model.Files, before document.Looked, project, file string, at time.Time) LookedMsg {
	text, err := files.Text(project, file)
	msg.now.Project, msg.now.File, msg.now.At = project, file, at
	switch {
	case err != nil && text == "":
		msg.problem = err.Error()
		return msg
	case !document.IsText(text):
		msg.problem = "this is no text; o opens it"
		return msg
	case len(text) > document.LookedBytes:
		msg.problem = "only its beginning is shown here; o opens the whole"
	}
	msg.now = before.Again(project, file, text, at)
	msg.changes = msg.now.Changes()
	return msg
}

// takeLook shows a text that was read, and remembers it.
func (d *Decisions) takeLook(msg LookedMsg) {
	if msg.now.Text != "" {
		d.Looks.Remember(msg.now)
	}
	if q := d.question(msg.id); q != nil && msg.place >= 0 && q.shown != nil && msg.place < len(q.shown.Evidence) && q.stage == asking {
		q.look = &look{LookedMsg: msg}
	}
}

// openEvidence opens the next deliverable that is there, and comes back to the question.
func (q *question) openEvidence() tea.Cmd {
	home := q.owner.Index.Site(q.at)
	if q.look != nil {
		q.opened = q.look.place - 1 // the one that is looked at
	}
	next, number, ok := q.after(q.opened)
	if !ok {
		next, number, ok = q.after(-1)
	}
	if !ok || home == nil {
		return q.owner.refuse("no deliverable is there to be opened")
	}
	q.opened = next
	a := q.shown.Evidence[next]
	cmds := []tea.Cmd{q.owner.host.Show(home, model.Pos{File: a.File})}
	if n := len(q.there()); n > 1 {
		cmds = append(cmds, q.owner.tell(ofMany(a.Name, number, n)+"; o opens the next"))
	}
	if q.owner.host.Files() != nil {
		cmds = append(cmds, q.read(next, -1))
	}
	return tea.Batch(cmds...)
}

// ofMany says which of how many something is.
func ofMany(name string, number, n int) string {
	return draw.Join(", ", name, strconv.Itoa(number)+" of "+strconv.Itoa(n))
}

// page lays out the deliverable.
func (x *look) page(l *draw.Look, width int) *draw.Page {
	p := l.Page(width)
	th := l.Theme
	if x.problem != "" {
		p.Item(th.Wait, l.Glyphs.Problem, th.Wait, x.problem)
	}
	switch {
	case x.now.Text == "" && x.problem == "":
		p.Text(th.Dim, "the file is empty")
	case x.now.Text == "", x.now.BeforeAt.IsZero():
	case len(x.changes) == 0:
		p.Text(th.Dim, "nothing has changed since you looked "+l.Ago(x.now.BeforeAt))
		p.Gap()
	default:
		p.Heading("Changed since you looked " + l.Ago(x.now.BeforeAt))
		for _, c := range x.changes {
			st, sign, text := draw.Style(""), " ", c.Text
			switch c.Sign {
			case '@':
				text = l.Glyphs.Ellipsis
			case '!':
				p.Text(th.Dim, text)
				continue
			case '+':
				st, sign = th.OK, "+"
			case '-':
				st, sign = th.Block, "-"
			}
			p.Hanging(st, sign, 2, st, draw.OrElse(line.Foreign(text), " "))
		}
		p.Heading("All of it")
	}
	if x.now.Text != "" {
		p.QuoteLines(strings.ReplaceAll(strings.TrimSuffix(x.now.Text, "\n"), "\t", "    "))
	}
	return p
}
