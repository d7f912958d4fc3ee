package tui

// The timeline: what changed while the dashboard ran, and before that what the files' times say; newest last, with a
// filter of its own. It follows what comes in until the user goes back in it.

import (
	"time"

	"gatehouse/model"
)

// timeline is the pane of events.
type timeline struct {
	index    *index
	rows     []int // numbers of the events that pass the filter
	selected int
	top      int
	height   int
	back     bool // the user went back: it does not follow
	filter   filter
	mode     barMode
	revision uint64
}

func (t *timeline) version() uint64 { return t.revision }

// load shows the events of another snapshot.
func (t *timeline) load(ix *index) {
	var seq uint64
	if e, ok := t.at(); ok {
		seq = e.seq
	}
	t.index = ix
	t.refilter()
	if !t.back {
		return
	}
	for i, n := range t.rows { // the same event, or the oldest kept
		t.selected = i
		if ix.log[n].seq >= seq {
			break
		}
	}
}

// refilter chooses the rows anew. A new filter begins at the newest event.
func (t *timeline) refilter() {
	t.rows = t.rows[:0:0]
	for i := range t.index.log {
		e := &t.index.log[i]
		if t.filter.passes(e.To, e.What, e.Text, e.name) {
			t.rows = append(t.rows, i)
		}
	}
	t.selected = max(len(t.rows)-1, 0)
	t.revision++
}

// at returns the selected event; ok is false where there is none.
func (t *timeline) at() (e event, ok bool) {
	if t.selected >= len(t.rows) {
		return event{}, false
	}
	return t.index.log[t.rows[t.selected]], true
}

// move goes some events down, or up. At the newest it follows again.
func (t *timeline) move(by int) { t.choose(t.selected + by) }

func (t *timeline) choose(i int) {
	t.selected = max(0, min(i, len(t.rows)-1))
	t.back = t.selected < len(t.rows)-1
	t.revision++
}

func (t *timeline) barHeight() int {
	if t.filter.active() || t.mode != barResting {
		return 1
	}
	return 0
}

func (t *timeline) bar(l *look, width int) (string, []chip) {
	found := ""
	if t.filter.active() {
		found = itoa(len(t.rows)) + " of " + itoa(len(t.index.log))
	}
	return t.filter.bar(l, width, t.mode, found)
}

// fit takes a new height in and keeps the selection inside the window.
func (t *timeline) fit(height int) {
	top := scrolled(t.top, t.selected, len(t.rows), height-t.barHeight())
	if !t.back {
		top = max(0, len(t.rows)-(height-t.barHeight()))
	}
	if top != t.top || height != t.height {
		t.top, t.height = top, height
		t.revision++
	}
}

func (t *timeline) note(l *look) string {
	if !t.back {
		return ""
	}
	return join(" ", moreNote(l, t.top, t.height-t.barHeight(), len(t.rows)), "not following")
}

// Render draws the visible events.
func (t *timeline) Render(l *look, width, height int, focused bool) []string {
	lines := make([]string, 0, height)
	if t.barHeight() > 0 && height > 0 {
		bar, _ := t.bar(l, width)
		lines = append(lines, bar)
	}
	if len(t.rows) == 0 && len(lines) < height {
		r := l.ribbon(width)
		r.gap(1)
		if len(t.index.log) > 0 {
			r.add(l.theme.dim, "no change is like this; esc clears the filter")
		} else {
			r.add(l.theme.dim, "nothing has changed since you opened this")
		}
		lines = append(lines, r.line())
	}
	several := len(t.index.snap.Projects) > 1
	for i := t.top; i < len(t.rows) && len(lines) < height; i++ {
		r := l.ribbon(width)
		if i == t.selected && focused {
			r.sign(l.theme.marker(focused), l.glyphs.marker)
		}
		r.to(1)
		t.drawEvent(&r, t.index.log[t.rows[i]], several)
		lines = append(lines, r.line())
	}
	return filled(lines, width, height)
}

// longestName bounds the column of names, so that what happened stands near to whom it did.
const longestName = 90

func (t *timeline) drawEvent(r *ribbon, e event, several bool) {
	l := r.look
	clock, column := "15:04", 6
	if r.room >= 70 {
		clock, column = "15:04:05", 12
	}
	if y, m, d := e.At.Date(); !sameDay(y, m, d, l.now.In(e.At.Location())) {
		clock = "Jan 02"
		if column > 6 {
			clock = "Jan 02 15:04"
		}
	}
	r.add(l.theme.dim, e.At.Format(clock))
	r.to(1 + column)
	r.gap(1)
	if e.Text == "gone" { // what is not there has no status
		r.sign(l.theme.dim, l.glyphs.dot)
	} else {
		r.sign(l.theme.status(e.To), l.glyphs.of(e.To))
	}
	r.gap(1)
	name := e.What
	if several && e.name != e.What {
		name = join(" · ", e.name, e.What)
	}
	from, room := r.width, r.room-r.width-1
	names := min(max(room-l.width(e.Text)-2, room/2), longestName)
	st := style("")
	if e.seq == 0 || e.To.Closed() || e.To == model.Pending {
		st = l.theme.dim
	}
	r.addWithin(st, name, names)
	r.to(from + names + 2)
	told := l.theme.status(e.To)
	if e.seq == 0 {
		told = l.theme.dim
	}
	r.addWithin(told, e.Text, r.room-r.width-1)
}

func sameDay(y int, m time.Month, d int, other time.Time) bool {
	y2, m2, d2 := other.Date()
	return y == y2 && m == m2 && d == d2
}
