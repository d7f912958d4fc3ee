package tui

// How the timeline is drawn: the bar of its filter, the pinned alerts, and the rows that can be seen.

import (
	"time"

	"gatehouse/model"
)

// Render draws what is visible.
func (t *timeline) Render(l *look, width, height int, focused bool) []string {
	lines := make([]string, 0, height)
	if t.barHeight() > 0 && height > 0 {
		bar, _ := t.bar(l, width)
		lines = append(lines, bar[:min(len(bar), height)]...)
	}
	if len(t.rows) == 0 && len(lines) < height {
		r := l.ribbon(width)
		r.gap(1)
		if len(t.index.moments) > 0 {
			r.add(l.theme.dim, "nothing that happened is like this; esc clears the filter")
		} else {
			r.add(l.theme.dim, "nothing has changed since you opened this")
		}
		lines = append(lines, r.line())
	}
	draw := func(i int) {
		r := l.ribbon(width)
		if i == t.selected && focused {
			r.sign(l.theme.marker(focused), l.glyphs.marker)
		}
		r.to(1)
		t.drawMoment(&r, &t.index.moments[t.entry(i)])
		lines = append(lines, r.line())
	}
	for i := 0; i < t.pinned && len(lines) < height; i++ {
		draw(i)
	}
	if t.pinned > 0 && len(lines) < height {
		r := l.ribbon(width)
		r.gap(1)
		r.fill(l.glyphs.horizontal, l.theme.border, width-1)
		lines = append(lines, r.line())
	}
	for i := t.top; i < len(t.rows) && len(lines) < height; i++ {
		draw(t.pinned + i)
	}
	return filled(lines, width, height)
}

// longestName bounds the column of names, so that what happened stands near to whom it did.
const longestName = 90

func (t *timeline) drawMoment(r *ribbon, m *moment) {
	l := r.look
	t.drawClock(r, m.time())
	status, seen, alarm := model.Unknown, false, false
	if m.told != nil {
		status, alarm = m.told.Status, m.told.Alert
	} else {
		status, seen = m.seen.To, m.seen.seq > 0
	}
	text := m.text()
	switch {
	case alarm:
		r.sign(l.theme.wait, l.glyphs.problem)
	case m.told != nil && status == model.Unknown, m.seen != nil && text == "gone": // what is not there has no status
		r.sign(l.theme.dim, l.glyphs.dot)
	default:
		r.sign(l.theme.status(status), l.glyphs.of(status))
	}
	r.gap(1)
	name := m.what()
	if project := m.project(); len(t.index.snap.Projects) > 1 && project != name {
		name = join(" · ", project, name)
	}
	from, room := r.width, r.room-r.width-1
	names := min(max(room-l.width(text)-2, room/2), longestName)
	st, says := style(""), l.theme.status(status)
	switch {
	case alarm:
		says = l.theme.wait
	case m.told != nil:
		st, says = l.theme.dim, ""
		if status == model.Failed || status == model.Blocked {
			says = l.theme.block
		}
	case !seen:
		st, says = l.theme.dim, l.theme.dim
	case status.Closed() || status == model.Pending:
		st = l.theme.dim
	}
	r.addWithin(st, name, names)
	r.to(from + names + 2)
	r.addWithin(says, text, r.room-r.width-1)
}

// project returns the name of the project it happened in.
func (m *moment) project() string {
	if m.seen != nil {
		return m.seen.name
	}
	return m.site.name
}

// drawClock writes when something happened: the time of today, the day of what is older.
func (t *timeline) drawClock(r *ribbon, at time.Time) {
	l := r.look
	clock, column := "15:04", 6
	if r.room >= 70 {
		clock, column = "15:04:05", 12
	}
	if y, m, d := at.Date(); !sameDay(y, m, d, l.now.In(at.Location())) {
		clock = "Jan 02"
		if column > 6 {
			clock = "Jan 02 15:04"
		}
	}
	if !at.IsZero() {
		r.add(l.theme.dim, at.Format(clock))
	}
	r.to(1 + column)
	r.gap(1)
}

func sameDay(y int, m time.Month, d int, other time.Time) bool {
	y2, m2, d2 := other.Date()
	return y == y2 && m == m2 && d == d2
}
