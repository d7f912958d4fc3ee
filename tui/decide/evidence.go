package decide

// A look at the evidence inside the dialog: the text of one deliverable after the other, and before it what has changed since
// the user looked last, here or in the pager. What was looked at is remembered until the dashboard ends, and bounded.

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/rogpeppe/go-internal/diff"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
)

const (
	lookBytes   = 64 << 10 // of a file that are looked at here: the pager has it all
	looksKept   = 16       // files whose texts are remembered
	changedRows = 200      // rows of what has changed
)

// looked is a file as the user has looked at it.
type looked struct {
	project, file string
	text          string
	at            time.Time
	before        string    // the last text that was another
	beforeAt      time.Time // zero: there was none
}

// LookedMsg brings the text of a deliverable that the user looks at, or why there is none.
type LookedMsg struct {
	id      uint64 // of the question
	place   int    // of the deliverable among the evidence; -1 where it is read elsewhere, and only remembered
	now     looked
	changes string // since the text before, as a unified difference
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
	msg := LookedMsg{id: q.id, place: place, now: looked{project: q.at.Project, file: strings.Clone(q.shown.Evidence[i].File), at: q.owner.host.Now()}}
	var before looked
	if k := q.owner.lookedAt(msg.now); k >= 0 {
		before = q.owner.looks[k]
	}
	return func() tea.Msg { return msg.read(files, before) }
}

// lookedAt returns the place of what is remembered of a file, -1 where nothing is.
func (d *Decisions) lookedAt(now looked) int {
	return slices.IndexFunc(d.looks, func(l looked) bool { return l.project == now.project && l.file == now.file })
}

// read reads the file and compares it with what the user has looked at before.
func (msg LookedMsg) read(files model.Files, before looked) LookedMsg {
	text, err := files.Text(msg.now.project, msg.now.file)
	switch {
	case err != nil && text == "":
		msg.problem = err.Error()
		return msg
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		msg.problem = "this is no text; o opens it"
		return msg
	case len(text) > lookBytes:
		text = strings.ToValidUTF8(text[:lookBytes], "")
		msg.problem = "only its beginning is shown here; o opens the whole"
	}
	msg.now.text, msg.now.before, msg.now.beforeAt = strings.Clone(text), before.text, before.at
	if before.text == text && !before.beforeAt.IsZero() { // what was new at the last look is so still, for whoever looks twice
		msg.now.before, msg.now.beforeAt = before.before, before.beforeAt
	}
	if msg.now.before != text {
		msg.changes = changesOf(msg.now.before, text)
	}
	return msg
}

// changesOf returns what has become of a text: lines that begin with "+", "-" or a blank, and "@@" before each place.
func changesOf(before, now string) string {
	all := diff.Diff("a", []byte(before), "b", []byte(now))
	for range 3 { // which files it is about
		_, all, _ = bytes.Cut(all, []byte("\n"))
	}
	return string(all)
}

// takeLook shows a text that was read, and remembers it.
func (d *Decisions) takeLook(msg LookedMsg) {
	if msg.now.text != "" {
		if k := d.lookedAt(msg.now); k >= 0 {
			d.looks = slices.Delete(d.looks, k, k+1)
		}
		d.looks = append(d.looks, msg.now)
		d.looks = slices.Delete(d.looks, 0, max(len(d.looks)-looksKept, 0))
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
	case x.now.text == "" && x.problem == "":
		p.Text(th.Dim, "the file is empty")
	case x.now.text == "", x.now.beforeAt.IsZero():
	case x.changes == "":
		p.Text(th.Dim, "nothing has changed since you looked "+l.Ago(x.now.beforeAt))
		p.Gap()
	default:
		p.Heading("Changed since you looked " + l.Ago(x.now.beforeAt))
		for i, s := range strings.Split(strings.TrimSuffix(x.changes, "\n"), "\n") {
			if i == changedRows {
				p.Text(th.Dim, "more has changed than is shown here")
				break
			}
			st, sign := draw.Style(""), " "
			switch {
			case strings.HasPrefix(s, "@@"), strings.HasPrefix(s, `\`):
				s = " " + l.Glyphs.Ellipsis
			case strings.HasPrefix(s, "+"):
				st, sign = th.OK, "+"
			case strings.HasPrefix(s, "-"):
				st, sign = th.Block, "-"
			}
			p.Hanging(st, sign, 2, st, draw.OrElse(line.Foreign(strings.TrimRight(s[1:], "\r")), " "))
		}
		p.Heading("All of it")
	}
	if x.now.text != "" {
		p.QuoteLines(strings.ReplaceAll(strings.TrimSuffix(x.now.text, "\n"), "\t", "    "))
	}
	return p
}
