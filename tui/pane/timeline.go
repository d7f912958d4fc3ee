package pane

// The timeline: what changed while the dashboard ran, what the agents have logged, and before that since when the files say
// that something stands as it does; newest last, with a filter of its own. It follows what comes in until the user goes back in it. Alerts that nobody has
// looked at stand above it. How it is drawn is in timelinerow.go.

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// Timeline is the pane of what happened. Its entries are the alerts that are pinned, then the rows.
type Timeline struct {
	index    *index.Index
	rows     []int // numbers of the moments that pass the filter
	alerts   []int // of those that want to be looked at, the newest last
	pinned   int   // how many of the alerts stand above the rows
	known    int64 // up to when the user has seen the alerts
	selected int
	top      int
	height   int
	back     bool // the user went back: it does not follow
	now      time.Time
	filterBar
	revision uint64
}

// pinLimit is how many alerts are pinned at most: the newest.
const pinLimit = 3

// Name implements [Pane].
func (t *Timeline) Name() string { return "Timeline" }

// Words implements [Pane].
func (t *Timeline) Words() string {
	return "what changed while you looked, and what the agents have logged"
}

// Title implements [Pane].
func (t *Timeline) Title(bool) string { return t.Name() }

// Version implements [Pane].
func (t *Timeline) Version() uint64 { return t.revision }

// SetMode implements [Filtered].
func (t *Timeline) SetMode(m Mode) { t.mode = m; t.revision++ }

// Topics implements [Filtered].
func (t *Timeline) Topics() []string { return t.index.Topics }

// Position implements [List].
func (t *Timeline) Position() (n, of int) { return t.selected + 1, t.count() }

// Selected implements [List].
func (t *Timeline) Selected() (x selection, ok bool) {
	m, ok := t.at()
	if ok {
		x = selection{at: m.Place(), text: m.Line(), activity: m.Activity}
		if m.Activity != nil {
			x.source = m.Activity.Source
		}
	}
	return x, ok
}

// Enter opens the details of what an agent has told, which are its own; else it goes to the row that has changed.
func (t *Timeline) Enter() step {
	m, ok := t.at()
	switch {
	case !ok:
		return step{Never: "nothing is selected"}
	case m.Activity != nil:
		return step{To: DetailID}
	}
	return step{Row: true, At: m.Place()}
}

// Lay implements [Pane].
func (t *Timeline) Lay(s *Scene, a draw.Area, _ bool) {
	t.now = s.Now()
	t.fit(a.Height)
}

// Click selects the entry at a point, or switches what is in the bar there.
func (t *Timeline) Click(l *draw.Look, x, y, width int) {
	n := t.barHeight()
	if y < n {
		if _, chips := t.bar(l, width); t.switchAt(chips[y], x) {
			t.Refilter()
		}
		return
	}
	if i, ok := t.hit(y - n); ok {
		t.choose(i)
	}
}

// Load shows what happened as of another snapshot.
func (t *Timeline) Load(ix *index.Index) {
	was, on := t.at()
	t.index = ix
	t.Refilter()
	if !t.back || !on {
		return
	}
	// The same moment, or the oldest kept. What is newer is behind it, and what went was at the beginning: nothing moves far.
	t.selected = t.pinned + max(slices.IndexFunc(t.rows, func(n int) bool { return ix.Moments[n].Same(&was) }), 0)
}

// Refilter chooses the rows anew. A new filter begins at the newest moment.
func (t *Timeline) Refilter() {
	t.rows, t.alerts = t.rows[:0:0], nil
	for i := range t.index.Moments {
		m := &t.index.Moments[i]
		if t.filter.Active() && !m.Passes(&t.filter) {
			continue
		}
		t.rows = append(t.rows, i)
		if m.Alarming() && m.At > t.known {
			t.alerts = append(t.alerts, i)
		}
	}
	t.alerts = t.alerts[max(0, len(t.alerts)-pinLimit):]
	t.pin()
	t.selected = max(t.count()-1, 0)
	t.revision++
}

// pin pins as many alerts as have room. The selection stays on its entry.
func (t *Timeline) pin() {
	n := min(len(t.alerts), max(t.height-t.barHeight(), 0)/4)
	if n != t.pinned {
		t.selected = max(t.selected+n-t.pinned, 0)
		t.pinned = n
		t.revision++
	}
}

// Alerts returns how many alerts there are that nobody has looked at.
func (t *Timeline) Alerts() int { return len(t.alerts) }

// Unpin takes the alerts down that there are so far.
func (t *Timeline) Unpin() {
	for _, n := range t.alerts {
		t.known = max(t.known, t.index.Moments[n].At)
	}
	t.alerts = nil
	t.pin()
}

// count returns how many entries there are.
func (t *Timeline) count() int { return t.pinned + len(t.rows) }

// entry returns the number of the moment of an entry.
func (t *Timeline) entry(i int) int {
	if i < t.pinned {
		return t.alerts[len(t.alerts)-t.pinned+i]
	}
	return t.rows[i-t.pinned]
}

// at returns the selected moment; ok is false where there is none.
func (t *Timeline) at() (m index.Moment, ok bool) {
	if t.selected >= t.count() {
		return index.Moment{}, false
	}
	return t.index.Moments[t.entry(t.selected)], true
}

// Move goes some entries down, or up. At the newest it follows again.
func (t *Timeline) Move(by int) { t.choose(t.selected + by) }

func (t *Timeline) choose(i int) {
	t.selected = max(0, min(i, t.count()-1))
	t.back = t.selected < t.count()-1
	t.revision++
}

func (t *Timeline) barHeight() int { return t.filterBar.barHeight(t.Topics()) }

// bar draws the lines of the filter's bar, and says where in each what stands.
func (t *Timeline) bar(l *draw.Look, width int) (lines []string, chips [][]chip) {
	found := ""
	if t.filter.Active() {
		found = strconv.Itoa(len(t.rows)) + " of " + strconv.Itoa(len(t.index.Moments))
	}
	return t.filterBar.bars(l, width, found, t.Topics())
}

// hit returns the entry on a line below the bar.
func (t *Timeline) hit(y int) (i int, ok bool) {
	switch {
	case y < t.pinned:
		return y, true
	case y < t.above()-t.barHeight():
		return 0, false
	}
	i = t.pinned + t.top + y - (t.above() - t.barHeight())
	return i, i < t.count()
}

// above returns how many lines stand above the rows: the bar, the alerts and the rule below them.
func (t *Timeline) above() int {
	n := t.barHeight() + t.pinned
	if t.pinned > 0 {
		n++
	}
	return n
}

// fit takes a new height in and keeps the selection inside the window.
func (t *Timeline) fit(height int) {
	changed := height != t.height
	t.height = height
	t.pin()
	room := height - t.above()
	top := max(0, len(t.rows)-room)
	if t.back {
		top = t.top
		if t.selected >= t.pinned {
			top = draw.Scrolled(t.top, t.selected-t.pinned, len(t.rows), room)
		}
	}
	if top != t.top || changed {
		t.top = top
		t.revision++
	}
}

// Note implements [Pane].
func (t *Timeline) Note(l *draw.Look) string {
	if !t.back {
		return ""
	}
	return strings.TrimPrefix(draw.MoreNote(l, t.top, t.height-t.above(), len(t.rows))+" not following", " ")
}

// Seek shows only what has a text, and has happened since a time where one is in it.
func (t *Timeline) Seek(text string) {
	t.filter.SearchSince(text, t.now, t.index.Visited)
	t.Refilter()
}
