package tui

// The counts in the header: their order, their words, and the shorter forms for narrow rows.

import (
	"path"
	"slices"
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// readOnlyWords say that no key decides anything.
const readOnlyWords = "read only"

// count is one number in the header.
type count struct {
	n     int
	style draw.Style
	glyph string
	words string // with the number
	badge bool   // also shown without words
	spare bool   // shown only if everything fits
	fixed bool   // always shown
}

// counts returns the counts that are not zero, the most important first. The number of projects comes first if there are several,
// because the counts are of all of them.
func (h *header) counts(l *draw.Look) []count {
	g, t, s := l.Glyphs, l.Theme, h.index.Sums
	numbered := func(n int, word string) string { return strconv.Itoa(n) + " " + word }
	status := func(n int, style draw.Style, st model.Status) count {
		return count{n: n, style: style, glyph: g.Of(st), words: numbered(n, st.Word()), fixed: true, badge: true}
	}
	projects := len(h.index.Snap.Projects)
	if projects == 1 {
		projects = 0
	}
	differ := ""
	if s.Divergences > 0 {
		differ = h.differWords(l)
	}
	readOnly := 0
	if h.readOnly {
		readOnly = 1
	}
	running := status(s.Running, t.Run, model.Active)
	running.spare, running.fixed, running.badge = true, false, false
	away, awayWords := h.countHosts()
	return slices.DeleteFunc([]count{
		{n: projects, style: t.Dim, words: draw.Counted(projects, "project")},
		status(s.Waits, t.Wait, model.Waiting),
		{n: s.Turns, style: t.Wait, glyph: g.Turn, words: turnCount(s.Turns), fixed: true, badge: true},
		status(s.Failed, t.Block, model.Failed),
		status(s.Blocked, t.Block, model.Blocked),
		{n: s.Blockers, style: t.Block, glyph: g.Of(model.Blocked), words: draw.Counted(s.Blockers, "blocker")},
		{n: away, style: t.Wait, words: awayWords},
		{n: s.OutOfReach, style: t.Dim, glyph: g.Of(model.Waiting), words: numbered(s.OutOfReach, "out of reach")},
		{n: s.WithAgent, style: t.Dim, glyph: g.Of(model.Active), words: numbered(s.WithAgent, "with the agent")},
		{n: s.Old, style: t.Dim, glyph: g.Of(model.Waiting), words: numbered(s.Old, "old")},
		{n: s.Divergences, style: t.Wait, glyph: g.Differs, words: differ, badge: true},
		{n: h.changed, style: t.Changed, glyph: g.Changed, words: numbered(h.changed, "changed"), badge: true},
		{n: s.Problems, style: t.Dim, glyph: g.Problem, words: draw.Counted(s.Problems, "problem"), badge: true},
		{n: readOnly, style: t.Dim, words: readOnlyWords, fixed: true},
		running,
	}, func(c count) bool { return c.n == 0 })
}

// fitCounts shortens counts until they fit: running work goes first, then the words of the last ones, and the less important counts.
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
		r.Sign(c.style, c.glyph)
		if c.glyph != "" {
			r.Gap(1)
		}
		r.Add(c.style, c.words)
	}
}

// drawBadges writes the most important counts as glyph and number.
func (h *header) drawBadges(r *draw.Ribbon) {
	for _, c := range h.counts(r.Look) {
		if c.badge {
			r.Gap(1)
			r.Sign(c.style, c.glyph)
			r.Add(c.style, strconv.Itoa(c.n))
		}
	}
	r.Gap(1)
}

// countsRow is a row of its own for the counts, continued by a rule.
func (h *header) countsRow(l *draw.Look, width int) string {
	r := l.Ribbon(width)
	r.Gap(1)
	h.drawCounts(&r, h.counts(l), width-2)
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

// countHosts counts the missing hosts of the fleet, with the words for them.
func (h *header) countHosts() (away int, words string) {
	all := h.index.Snap.Hosts
	for _, x := range all {
		if !x.Live() {
			away++
		}
	}
	return away, strconv.Itoa(away) + " of " + draw.Counted(len(all), "host") + " out of reach"
}
