package pane

// The timeline: events, as a story. One row stands for a run of events about one subject. Days and the time of
// the last visit separate the rows. The newest row is last; the pane follows new ones until the user goes back.

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// Timeline is the pane of events.
type Timeline struct {
	list
	index *index.Index
	rows  []storyRow
	back  bool // the user went back: the pane does not follow new events
	now   time.Time
}

// storyRow is a line: a story, or a separator.
type storyRow struct {
	story int
	rule  string // the text of a separator
}

// momentAt returns the moment with the outcome of the story of a line.
func (t *Timeline) momentAt(i int) (m index.Moment, ok bool) {
	if i >= len(t.rows) || t.rows[i].rule != "" {
		return index.Moment{}, false
	}
	return t.index.Moments[t.index.Stories[t.rows[i].story].Head], true
}

// Selected implements [List].
func (t *Timeline) Selected() (x selection, ok bool) {
	m, ok := t.momentAt(t.selected)
	if !ok {
		return x, false
	}
	s := &t.index.Stories[t.rows[t.selected].story]
	x = selection{at: m.Where, text: draw.Join(": ", s.Subject, s.Text)}
	if m.Activity != nil {
		x.source = m.Activity.Source
	}
	return x, true
}

// Enter goes to the row that the entry is about.
func (t *Timeline) Enter() step {
	m, ok := t.momentAt(t.selected)
	if !ok {
		return step{Never: "nothing is selected"}
	}
	return step{Row: true, At: m.Where}
}

// Lay implements [Pane].
func (t *Timeline) Lay(s *Scene, a draw.Area, _ bool) {
	t.now = s.Look.Now
	if !t.back {
		t.selected = t.lastEntry()
	}
	t.fitHeight(a.Height)
	if !t.back {
		t.top = max(0, t.n-t.room())
	}
}

func (t *Timeline) choose(line, _ int) {
	t.selectLine(line)
	t.back = t.selected < t.lastEntry()
}

// Load shows the events of another snapshot, read now. The selection stays on its moment, or goes to the oldest one that is kept.
func (t *Timeline) Load(ix *index.Index, now time.Time) {
	was, on := index.Moment{}, false
	if t.index != nil {
		was, on = t.momentAt(t.selected)
	}
	above := t.selected - t.top
	t.index, t.now = ix, now
	t.Refilter()
	if !t.back || !on {
		return
	}
	t.selected = t.entryAt(0, 1)
	for i := range t.rows {
		m, ok := t.momentAt(i)
		if ok && m.Same(&was) {
			t.selected = i
			break
		}
		if s := t.rows[i]; ok && slices.ContainsFunc(t.index.Stories[s.story].Moments, func(n int) bool { return ix.Moments[n].Same(&was) }) {
			t.selected = i
		}
	}
	t.top = max(t.selected-above, 0)
}

// Refilter selects the rows again. A new filter begins at the newest.
func (t *Timeline) Refilter() {
	t.layRows()
	t.selected = t.lastEntry()
}

// layRows makes the rows: the stories that pass the filter, each day and the time of the last visit between them.
func (t *Timeline) layRows() {
	t.rows = t.rows[:0:0]
	day, ruled, hits := "", false, 0
	for i := range t.index.Stories {
		s := &t.index.Stories[i]
		if t.Filter.Active() && !t.index.Passes(s, &t.Filter) {
			continue
		}
		at := t.dayOf(s.At)
		if at != day {
			if day != "" || at != t.dayOf(t.now.UnixMilli()) {
				t.rows = append(t.rows, storyRow{rule: at})
			}
			day = at
		}
		if visit := t.index.Visited; !ruled && !visit.IsZero() && s.At > visit.UnixMilli() {
			ruled = true
			if summary := t.index.SinceVisit(t.now); summary != "" {
				t.rows = append(t.rows, storyRow{rule: summary})
			}
		}
		hits++
		t.rows = append(t.rows, storyRow{story: i})
	}
	if t.found = ""; t.Filter.Active() {
		t.found = strconv.Itoa(hits) + " of " + strconv.Itoa(len(t.index.Stories))
	}
	t.n = len(t.rows)
	t.owner = func(i int) int {
		if t.rows[i].rule != "" {
			return -1
		}
		return i
	}
}

// dayOf names the day of a time.
func (t *Timeline) dayOf(at int64) string {
	return time.UnixMilli(at).In(t.now.Location()).Format("Monday, Jan 02")
}

// Move moves by some entries. At the newest it follows again.
func (t *Timeline) Move(by int) {
	t.selectBy(by)
	t.back = t.selected < t.lastEntry()
}

// Scroll implements [Pane].
func (t *Timeline) Scroll(by int) { t.Move(by) }

// Note implements [Pane].
func (t *Timeline) Note(l *draw.Look) string {
	if !t.back {
		return ""
	}
	return strings.TrimPrefix(draw.MoreNote(l, t.top, t.room(), t.n)+" not following", " ")
}

// Render draws the visible rows.
func (t *Timeline) Render(l *draw.Look, width, height int, focused bool) []string {
	none := "no events since you opened this"
	if t.Filter.Active() {
		none = "no event matches; esc clears the filter"
	}
	names := t.projectWidth(l)
	return t.drawLines(l, width, height, nil, none, func(i int) string {
		r := l.Ribbon(width)
		if i == t.selected && focused {
			r.Select(true)
		}
		r.To(1)
		if row := t.rows[i]; row.rule != "" {
			drawRule(&r, row.rule)
		} else {
			t.drawStory(&r, &t.index.Stories[row.story], names)
		}
		return r.Line()
	})
}

// drawRule draws a horizontal line with a text in it.
func drawRule(r *draw.Ribbon, text string) {
	l := r.Look
	r.Fill(l.Glyphs.Horizontal, l.Theme.Border, 4)
	r.Gap(1)
	r.Add(l.Theme.Dim, text)
	r.Gap(1)
	r.Fill(l.Glyphs.Horizontal, l.Theme.Border, r.Room-1)
}

// longestProject bounds the column of projects.
const longestProject = 16

// projectWidth returns the width of the column of projects, 0 for a single project.
func (t *Timeline) projectWidth(l *draw.Look) (w int) {
	if len(t.index.Snap.Projects) < 2 {
		return 0
	}
	for _, s := range t.index.Sites {
		w = max(w, l.Width(s.Project.Called()))
	}
	return min(w, longestProject)
}

// drawStory draws the row of a story: when, where, what, and right after it the outcome.
func (t *Timeline) drawStory(r *draw.Ribbon, s *index.Story, projects int) {
	l := r.Look
	head := &t.index.Moments[s.Head]
	drawTime(r, t.index.Moments[s.Order()].Time)
	if projects > 0 {
		end := r.Width + projects + 2
		r.AddWithin(l.Theme.Dim, head.Project, projects)
		r.To(end)
	}
	st, sign := l.Theme.Status(s.Status), l.Glyphs.Of(s.Status)
	switch past := head.IsChange() && head.Node != nil && s.Status == model.Waiting && head.Node.IsExpiredWait(); {
	case past:
		st, sign = l.Theme.Dim, l.Glyphs.Past
	case s.Status == model.Unknown:
		st, sign = l.Theme.Dim, l.Glyphs.Dot
	case s.Text == string(model.SessionTurn):
		st, sign = l.Theme.Wait, l.Glyphs.Turn
	}
	r.Sign(st, sign)
	r.Gap(1)
	room := r.Room - r.Width - 1
	text := l.Width(s.Text)
	name := draw.Style("")
	if s.Status.Closed() || s.Status == model.Unknown || s.Status == model.Pending {
		name = l.Theme.Dim
	}
	if head.Decision != nil {
		name = l.Theme.Strong
	}
	r.AddWithin(name, s.Subject, max(room-text-2, room/2))
	r.Gap(2)
	style := st
	if s.Status.Closed() || s.Status == model.Executed || s.Status == model.Active || head.Decision != nil {
		style = l.Theme.Dim
	}
	r.AddWithin(style, s.Text, r.Room-r.Width-1)
}

// drawTime writes a time in the local time zone: the time of day for today, else the day. A date without a time reads as midnight in UTC; it
// stays on its day in every zone.
func drawTime(r *draw.Ribbon, at time.Time) {
	end, now := r.Width+7, r.Look.Now
	day, clock := at.Location() == time.UTC && at.Equal(at.Truncate(24*time.Hour)), "15:04"
	if !day {
		at = at.In(now.Location())
	}
	if day || at.Format(time.DateOnly) != now.Format(time.DateOnly) {
		clock = "Jan 02"
	}
	if !at.IsZero() {
		r.Add(r.Look.Theme.Dim, at.Format(clock))
	}
	r.To(end)
}
