package pane

// How the timeline is drawn: the bar of its filter, the pinned alerts, and the rows that can be seen.

import (
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// Render draws what is visible.
func (t *Timeline) Render(l *draw.Look, width, height int, focused bool) []string {
	lines := make([]string, 0, height)
	if t.barHeight() > 0 && height > 0 {
		bar, _ := t.bar(l, width)
		lines = append(lines, bar[:min(len(bar), height)]...)
	}
	if len(t.rows) == 0 && len(lines) < height {
		r := l.Ribbon(width)
		r.Gap(1)
		if len(t.index.Moments) > 0 {
			r.Add(l.Theme.Dim, "nothing that happened is like this; esc clears the filter")
		} else {
			r.Add(l.Theme.Dim, "nothing has changed since you opened this")
		}
		lines = append(lines, r.Line())
	}
	row := func(i int) {
		r := l.Ribbon(width)
		if i == t.selected && focused {
			r.Select(focused)
		}
		r.To(1)
		t.drawMoment(&r, &t.index.Moments[t.entry(i)])
		lines = append(lines, r.Line())
	}
	for i := 0; i < t.pinned && len(lines) < height; i++ {
		row(i)
	}
	if t.pinned > 0 && len(lines) < height {
		r := l.Ribbon(width)
		r.Gap(1)
		r.Fill(l.Glyphs.Horizontal, l.Theme.Border, width-1)
		lines = append(lines, r.Line())
	}
	for i := t.top; i < len(t.rows) && len(lines) < height; i++ {
		row(t.pinned + i)
	}
	return draw.Filled(lines, width, height)
}

// longestName bounds the column of names, so that what happened stands near to whom it did.
const longestName = 90

func (t *Timeline) drawMoment(r *draw.Ribbon, m *index.Moment) {
	l := r.Look
	t.drawClock(r, m.Time())
	status, seen, alarm := model.Unknown, false, false
	if m.Activity != nil {
		status, alarm = m.Activity.Status, m.Activity.Alert
	} else {
		status, seen = m.Change.To, m.Change.Seq > 0
	}
	text := m.Text()
	past := m.Change != nil && m.Node != nil && status == model.Waiting && m.Node.IsExpiredWait()
	switch {
	case alarm:
		r.Sign(l.Theme.Wait, l.Glyphs.Problem)
	case m.Activity != nil && status == model.Unknown, m.Change != nil && text == "gone": // what is not there has no status
		r.Sign(l.Theme.Dim, l.Glyphs.Dot)
	case past:
		r.Sign(l.Theme.Dim, l.Glyphs.Past)
	case m.Change != nil && strings.HasSuffix(text, string(model.SessionTurn)):
		r.Sign(l.Theme.Wait, l.Glyphs.Turn)
	default:
		r.Sign(l.Theme.Status(status), l.Glyphs.Of(status))
	}
	r.Gap(1)
	name := m.What()
	if project := m.Project(); len(t.index.Snap.Projects) > 1 && project != name {
		name = draw.Join(draw.PartJoint, project, name)
	}
	from, room := r.Width, r.Room-r.Width-1
	if said := m.Kindly(); l.Width(said)+2 <= room-room/2 {
		text = said // where all of it has room
	}
	names := min(max(room-l.Width(text)-2, room/2), longestName)
	st, says := draw.Style(""), l.Theme.Status(status)
	switch {
	case alarm:
		says = l.Theme.Wait
	case m.Activity != nil:
		st, says = l.Theme.Dim, ""
		if status == model.Failed || status == model.Blocked {
			says = l.Theme.Block
		}
	case !seen, past:
		st, says = l.Theme.Dim, l.Theme.Dim
	case status.Closed() || status == model.Pending:
		st = l.Theme.Dim
	}
	r.AddWithin(st, name, names)
	r.To(from + names + 2)
	r.AddWithin(says, text, r.Room-r.Width-1)
}

// drawClock writes when something happened, by the clock here: the time of today, the day of what is older. What a file dates by
// its day has no time: it is read as the midnight in UTC that begins the day, and stays on that day wherever somebody looks.
func (t *Timeline) drawClock(r *draw.Ribbon, at time.Time) {
	l := r.Look
	clock, column := "15:04", 6
	if r.Room >= 70 {
		clock, column = "15:04:05", 12
	}
	dayOnly := at.Location() == time.UTC && at.Equal(at.Truncate(24*time.Hour))
	if !dayOnly {
		at = at.In(l.Now.Location())
	}
	if y, m, d := at.Date(); dayOnly || !sameDay(y, m, d, l.Now) {
		clock = "Jan 02"
		if column > 6 && !dayOnly {
			clock = "Jan 02 15:04"
		}
	}
	if !at.IsZero() {
		r.Add(l.Theme.Dim, at.Format(clock))
	}
	r.To(1 + column)
	r.Gap(1)
}

func sameDay(y int, m time.Month, d int, other time.Time) bool {
	y2, m2, d2 := other.Date()
	return y == y2 && m == m2 && d == d2
}
