package tui

// The counts of the header: which there are, how they are drawn, and where each can be clicked.

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/pane"
)

// marksRow is the row of counts, ruled off from what is below it.
func (h *header) marksRow(l *draw.Look, width int) string {
	r := l.Ribbon(width)
	r.Gap(1)
	h.drawMarks(&r, h.countMarks(l), width-2)
	h.placeSpots(0, 2, 0)
	r.Gap(min(r.Width-1, 1)) // none before a rule that stands alone
	r.Fill(l.Glyphs.Horizontal, l.Theme.Border, width-1)
	return r.Line()
}

// readOnlyWords say that no key decides anything here.
const readOnlyWords = "read only"

// mark is one count: a glyph, how many, and the words for it.
type mark struct {
	style draw.Style
	glyph string
	n     int
	words string
	badge bool // also shown without words
	spare bool // shown only if all fit
	// a click filters by the state, or goes to the pane with the list
	state index.Standing
	pane  pane.ID // the tree for none
}

// isScope reports whether the mark says of how many projects all others are counts.
func (m *mark) isScope() bool { return strings.HasSuffix(m.words, " projects") }

// markSpot is the position of a mark.
type markSpot struct {
	row, from, to int
	mark          mark
}

// countMarks returns the counts that are not zero. The number of projects comes first if there are several, because the counts are of
// all of them.
func (h *header) countMarks(l *draw.Look) []mark {
	s, later := h.index.Sums, "ask later"
	if s.MayWait == 1 {
		later = model.LaterWord
	}
	differs := " differs"
	if l.Narrow {
		differs = ""
	}
	projects, readOnly := len(h.index.Snap.Projects), 0
	if projects == 1 {
		projects = 0
	}
	there, away, awayWords := h.countHosts()
	if h.readOnly {
		readOnly = 1
	}
	all := [...]mark{
		{l.Theme.Dim, "", projects, draw.Counted(projects, "project"), false, false, 0, pane.TreeID},
		{l.Theme.Wait, l.Glyphs.Of(model.Waiting), s.Waits, strconv.Itoa(s.Waits) + " " + model.Waiting.Word(), true, false, index.StandsWaiting, pane.WaitsID},
		{l.Theme.Wait, l.Glyphs.Turn, s.Turns, turnCount(s.Turns), true, false, 0, pane.WaitsID},
		{l.Theme.Block, l.Glyphs.Of(model.Failed), s.Failed, strconv.Itoa(s.Failed) + " " + model.Failed.Word(), true, false, index.StandsFailed, pane.TreeID},
		{l.Theme.Block, l.Glyphs.Of(model.Blocked), s.Blocked, strconv.Itoa(s.Blocked) + " " + model.Blocked.Word(), true, false, index.StandsBlocked, pane.BlockersID},
		{l.Theme.Block, l.Glyphs.Of(model.Blocked), s.Blockers, draw.Counted(s.Blockers, "blocker"), false, false, 0, pane.BlockersID},
		{l.Theme.Wait, "", away, awayWords, false, false, 0, pane.TreeID},
		{l.Theme.Dim, l.Glyphs.Of(model.Waiting), s.OutOfReach, strconv.Itoa(s.OutOfReach) + " out of reach", false, false, 0, pane.WaitsID},
		{l.Theme.Dim, l.Glyphs.Of(model.Active), s.WithAgent, strconv.Itoa(s.WithAgent) + " with the agent", false, false, 0, pane.WaitsID},
		{l.Theme.Dim, l.Glyphs.Of(model.Waiting), s.Old, strconv.Itoa(s.Old) + " old", false, false, 0, pane.WaitsID},
		{l.Theme.Wait, l.Glyphs.Differs, s.Divergences, draw.Join(", ", h.disputedFile()+differs, h.syncHint()), true, false, 0, pane.DetailID},
		{l.Theme.Wait, l.Glyphs.Held, s.Held, "last good state", false, false, 0, pane.BlockersID},
		{l.Theme.Changed, l.Glyphs.Changed, h.changed, strconv.Itoa(h.changed) + " changed", true, false, 0, pane.TimelineID},
		{l.Theme.Dim, l.Glyphs.Problem, s.Problems, draw.Counted(s.Problems, "problem"), true, false, 0, pane.BlockersID},
		{l.Theme.Dim, l.Glyphs.MayWait, s.MayWait, strconv.Itoa(s.MayWait) + " " + later, false, false, 0, pane.WaitsID},
		{l.Theme.Dim, "", readOnly, readOnlyWords, false, false, 0, pane.TreeID},
		{l.Theme.Run, l.Glyphs.Of(model.Active), s.Running, strconv.Itoa(s.Running) + " " + model.Active.Word(), false, true, index.StandsRunning, pane.TreeID},
		{l.Theme.Dim, l.Glyphs.Stale, s.Stale, strconv.Itoa(s.Stale) + " " + model.StaleWord, false, true, index.StandsStale, pane.TreeID},
		{l.Theme.Dim, "", there, draw.Counted(there, "host"), false, false, 0, pane.TreeID},
	}
	some := make([]mark, 0, len(all))
	for _, m := range all {
		if m.n > 0 {
			some = append(some, m)
		}
	}
	return some
}

// drawMarks writes the marks with their words. If they do not fit running work is left out, then the last ones lose their words.
func (h *header) drawMarks(r *draw.Ribbon, marks []mark, room int) {
	width := 0
	for _, m := range marks {
		width += len(m.words) + 4
	}
	if width > room {
		marks = slices.DeleteFunc(marks, func(m mark) bool {
			if m.spare {
				width -= len(m.words) + 4
			}
			return m.spare
		})
	}
	marks = slices.Clone(marks)
	for i := len(marks) - 1; i >= 0 && width > room; i-- {
		if marks[i].glyph != "" {
			width -= len(marks[i].words)
			marks[i].words = strconv.Itoa(marks[i].n)
			width += len(marks[i].words)
		}
	}
	if width > room && len(marks) > 0 && marks[0].isScope() {
		width -= len(marks[0].words) + 4
		marks = marks[1:]
	}
	for i := len(marks) - 1; i >= 0 && !r.Look.Narrow && width > room; i-- {
		if marks[i].state == index.StandsElsewise && marks[i].glyph != r.Look.Glyphs.Turn && marks[i].words != readOnlyWords { // these always have room
			width -= len(marks[i].words) + 4
			marks = slices.Delete(marks, i, i+1)
		}
	}
	for i, m := range marks {
		if i > 0 {
			r.Gap(2)
		}
		from := r.Width
		r.Sign(m.style, m.glyph)
		if m.glyph != "" {
			r.Gap(1)
		}
		r.Add(m.style, m.words)
		h.spots = append(h.spots, markSpot{from: from, to: r.Width, mark: m})
	}
}

// placeSpots moves the spots from a ribbon to its position on the screen.
func (h *header) placeSpots(first, row, x int) {
	for i := first; i < len(h.spots); i++ {
		h.spots[i].row, h.spots[i].from, h.spots[i].to = row, h.spots[i].from+x, h.spots[i].to+x
	}
}

// drawBadges writes the most important marks as glyph and number.
func (h *header) drawBadges(r *draw.Ribbon) {
	for _, m := range h.countMarks(r.Look) {
		if m.badge {
			r.Gap(1)
			from := r.Width
			r.Sign(m.style, m.glyph)
			r.Add(m.style, strconv.Itoa(m.n))
			h.spots = append(h.spots, markSpot{from: from, to: r.Width, mark: m})
		}
	}
	r.Gap(1)
}

// syncHint says which key brings the state file in line with the tree.
func (h *header) syncHint() string {
	if h.sync == "" {
		return ""
	}
	return h.sync + " syncs"
}

// countHosts counts the hosts of the fleet where all are there, else those that are not, with the words for these.
func (h *header) countHosts() (there, away int, words string) {
	word, all := "", h.index.Snap.Hosts
	for _, x := range all {
		switch {
		case x.Live():
			continue
		case away > 0 && word != x.Word():
			word = "out of reach"
		default:
			word = x.Word()
		}
		away++
	}
	if away == 0 {
		there = len(all)
	}
	return there, away, strconv.Itoa(away) + " of " + draw.Counted(len(all), "host") + " " + word
}

// disputedFile names the state file that claims what its tree denies.
func (h *header) disputedFile() string {
	if h.site != nil && h.site.Build != nil && len(h.site.Build.Divergences) > 0 {
		return path.Base(h.site.Build.File)
	}
	for _, s := range h.index.Sites {
		if s.Build != nil && len(s.Build.Divergences) > 0 {
			return path.Base(s.Build.File)
		}
	}
	return ""
}
