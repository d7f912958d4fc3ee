package tui

// The counts in the header: their order, their words, and the shorter forms for narrow rows.

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

// readOnlyWords say that no key decides anything.
const readOnlyWords = "read only"

// count is one number in the header. A click on it filters by its state, or goes to the pane with the list.
type count struct {
	n     int
	style draw.Style
	glyph string
	words string // with the number
	state index.Standing
	pane  pane.ID
	badge bool // also shown without words
	spare bool // shown only if everything fits
	fixed bool // always shown
}

// counts returns the counts that are not zero. The number of projects comes first if there are several, because the counts are of
// all of them.
func (h *header) counts(l *draw.Look) (all []count) {
	add := func(n int, style draw.Style, glyph, words string, to pane.ID) *count {
		if n == 0 {
			return &count{}
		}
		all = append(all, count{n: n, style: style, glyph: glyph, words: words, pane: to})
		return &all[len(all)-1]
	}
	g, t, s := l.Glyphs, l.Theme, h.index.Sums
	numbered := func(n int, word string) string { return strconv.Itoa(n) + " " + word }
	status := func(n int, style draw.Style, st model.Status, state index.Standing, to pane.ID) *count {
		c := add(n, style, g.Of(st), numbered(n, st.Word()), to)
		c.state, c.fixed, c.badge = state, true, true
		return c
	}
	if n := len(h.index.Snap.Projects); n > 1 {
		add(n, t.Dim, "", draw.Counted(n, "project"), pane.TreeID)
	}
	status(s.Waits, t.Wait, model.Waiting, index.StandsWaiting, pane.WaitsID)
	turns := add(s.Turns, t.Wait, g.Turn, turnCount(s.Turns), pane.WaitsID)
	turns.fixed, turns.badge = true, true
	status(s.Failed, t.Block, model.Failed, index.StandsFailed, pane.TreeID)
	status(s.Blocked, t.Block, model.Blocked, index.StandsBlocked, pane.BlockersID)
	add(s.Blockers, t.Block, g.Of(model.Blocked), draw.Counted(s.Blockers, "blocker"), pane.BlockersID)
	there, away, awayWords := h.countHosts()
	add(away, t.Wait, "", awayWords, pane.TreeID)
	add(s.OutOfReach, t.Dim, g.Of(model.Waiting), numbered(s.OutOfReach, "out of reach"), pane.WaitsID)
	add(s.WithAgent, t.Dim, g.Of(model.Active), numbered(s.WithAgent, "with the agent"), pane.WaitsID)
	add(s.Old, t.Dim, g.Of(model.Waiting), numbered(s.Old, "old"), pane.WaitsID)
	if s.Divergences > 0 {
		add(s.Divergences, t.Wait, g.Differs, h.differWords(l), pane.DetailID).badge = true
	}
	add(s.Held, t.Wait, g.Held, "last good state", pane.BlockersID)
	add(h.changed, t.Changed, g.Changed, numbered(h.changed, "changed"), pane.TimelineID).badge = true
	add(s.Problems, t.Dim, g.Problem, draw.Counted(s.Problems, "problem"), pane.BlockersID).badge = true
	add(s.MayWait, t.Dim, g.MayWait, numbered(s.MayWait, model.LaterWord), pane.WaitsID)
	if h.readOnly {
		add(1, t.Dim, "", readOnlyWords, pane.TreeID).fixed = true
	}
	running := status(s.Running, t.Run, model.Active, index.StandsRunning, pane.TreeID)
	running.spare, running.badge = true, false
	stale := add(s.Stale, t.Dim, g.Stale, numbered(s.Stale, model.StaleWord), pane.TreeID)
	stale.spare, stale.state = true, index.StandsStale
	add(there, t.Dim, "", draw.Counted(there, "host"), pane.TreeID)
	return all
}

// fitCounts shortens counts until they fit: running work goes first, then the words of the last ones, the number of projects, and the
// less important counts.
func fitCounts(all []count, room int, narrow bool) []count {
	width := func() (w int) {
		for _, c := range all {
			w += len(c.words) + 4
		}
		return w
	}
	if width() > room {
		all = slices.DeleteFunc(all, func(c count) bool { return c.spare })
	}
	for i := len(all) - 1; i >= 0 && width() > room; i-- {
		if all[i].glyph != "" {
			all[i].words = strconv.Itoa(all[i].n)
		}
	}
	if width() > room && len(all) > 0 && strings.HasSuffix(all[0].words, " projects") {
		all = all[1:]
	}
	for i := len(all) - 1; i >= 0 && !narrow && width() > room; i-- {
		if !all[i].fixed {
			all = slices.Delete(all, i, i+1)
		}
	}
	return all
}

// drawCounts writes the counts with their words.
func (h *header) drawCounts(r *draw.Ribbon, all []count, room int) {
	for i, c := range fitCounts(all, room, r.Look.Narrow) {
		if i > 0 {
			r.Gap(2)
		}
		from := r.Width
		r.Sign(c.style, c.glyph)
		if c.glyph != "" {
			r.Gap(1)
		}
		r.Add(c.style, c.words)
		h.spots = append(h.spots, spot{from: from, to: r.Width, count: &c})
	}
}

// drawBadges writes the most important counts as glyph and number.
func (h *header) drawBadges(r *draw.Ribbon) {
	for _, c := range h.counts(r.Look) {
		if c.badge {
			r.Gap(1)
			from := r.Width
			r.Sign(c.style, c.glyph)
			r.Add(c.style, strconv.Itoa(c.n))
			h.spots = append(h.spots, spot{from: from, to: r.Width, count: &c})
		}
	}
	r.Gap(1)
}

// countsRow is a row of its own for the counts, continued by a rule.
func (h *header) countsRow(l *draw.Look, width int) string {
	r := l.Ribbon(width)
	r.Gap(1)
	h.drawCounts(&r, h.counts(l), width-2)
	placeSpots(h.spots, 2, 0)
	r.Gap(min(r.Width-1, 1)) // none before a rule that stands alone
	r.Fill(l.Glyphs.Horizontal, l.Theme.Border, width-1)
	return r.Line()
}

// turnCount counts finished turns in words.
func turnCount(n int) string { return strconv.Itoa(n) + " " + string(model.SessionTurn) }

// differWords name the state file with wrong claims, and the key that syncs it.
func (h *header) differWords(l *draw.Look) string {
	words, sites := "", h.index.Sites
	if h.site != nil {
		sites = append([]*index.Site{h.site}, sites...)
	}
	for _, s := range sites {
		if s.Build != nil && len(s.Build.Divergences) > 0 {
			words = path.Base(s.Build.File)
			break
		}
	}
	if !l.Narrow {
		words += " differs"
	}
	if h.sync != "" {
		words += ", " + h.sync + " syncs"
	}
	return words
}

// countHosts counts the hosts of the fleet if all are in reach, else the missing ones, with the words for them.
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
