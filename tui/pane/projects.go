package pane

// The rows of builds in the tree. If there are several, each is a row of a table: its question, or the position of its work;
// until when, or since when.

import (
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// siteRow returns the row of the only build.
func siteRow(l *draw.Look, s *index.Site) (r treeRow) {
	b, host := s.Build, s.Host()
	if b == nil {
		return treeRow{sign: " ", title: s.Name, titleStyle: l.Theme.Dim, hints: []string{draw.Join(draw.PartJoint, host, noBuild)}}
	}
	r = treeRow{title: s.Name, titleStyle: l.Theme.Strong, isHeld: b.Freshness.Held > 0, since: ageFrom(b.Since, b.SinceFile, b.StaleSince)}
	r.signStyle, r.sign, r.word = s.StatusOfBuild(l)
	r.wordStyle = r.signStyle
	of := ""
	if b.Progress.Known {
		of = doneOf(b.Progress.Counted()) + " " + b.Progress.Of()
		r.percent = b.Progress.Percent
		r.share = model.Count{Done: r.percent, Total: 100}
	}
	if s.IsAgents() {
		of = countsOf(b)
	}
	r.hints = []string{draw.Join(draw.PartJoint, host, of), draw.Foreign(host)}
	if s.Project.OutOfReach() {
		r.word, r.wordStyle = s.Project.Host.Word(), l.Theme.Wait
		r.since = s.Project.Host.AsOf
	}
	return r
}

// The widths of the table's columns.
const (
	longestSite = 30
	whenWidth   = 14 // "unverified 14m"
	whenNarrow  = 11 // "waiting 25m"
	lineCells   = 8  // of a progress line
	workRoom    = 16
)

// drawProject draws one of several builds.
func (t *Tree) drawProject(r *draw.Ribbon, s *index.Site, remark string) {
	l, th := r.Look, r.Look.Theme
	names, when := 0, whenWidth
	for _, site := range t.sites {
		names = max(names, l.Width(site.Where))
	}
	names = min(names, longestSite, r.Room/4)
	switch {
	case r.Room < 50:
		when = 5
	case r.Room < 84:
		when = whenNarrow
	}
	name, at := th.Strong, r.Width
	st, glyph := th.Dim, " "
	if s.Build != nil {
		st, glyph, _ = s.StatusOfBuild(l)
	}
	if s.Build == nil || s.Project.OutOfReach() || s.Build.Status.Closed() {
		name = th.Dim
	}
	r.Sign(st, glyph)
	r.Gap(1)
	if _, build, several := strings.Cut(s.Where, draw.PartJoint); several && t.isAmbiguous(s, names-1) {
		tail := l.TailOf(build, names/2)
		r.AddWithin(name, s.Where, names-l.Width(tail))
		r.AddWithin(name, tail, l.Width(tail))
	} else {
		r.AddWithin(name, s.Where, names)
	}
	r.To(at + 2 + names + 2)
	edge := r.Room - 1 - when
	t.drawWork(r, s, edge-1)
	r.To(edge)
	if s.Build != nil {
		since, style := t.sinceWords(l, s, when)
		if remark != "" {
			since, style = remark, th.Accent
		}
		draw.DrawRight(r, style, since, when)
	}
}

// isAmbiguous reports whether the first characters of a site's name are those of another, too.
func (t *Tree) isAmbiguous(s *index.Site, characters int) bool {
	name := []rune(s.Where)
	begin := string(name[:min(characters, len(name))])
	return slices.ContainsFunc(t.sites, func(other *index.Site) bool {
		return other != s && len(name) > characters && strings.HasPrefix(other.Where, begin)
	})
}

// drawWork writes the question of a build, its failure, or the position of its work.
func (t *Tree) drawWork(r *draw.Ribbon, s *index.Site, edge int) {
	l, th, b := r.Look, r.Look.Theme, s.Build
	if b == nil {
		r.AddWithin(th.Dim, noBuild, edge-r.Width)
		return
	}
	if b.Freshness.Held > 0 {
		r.Sign(th.Wait, l.Glyphs.Held)
		r.AddWithin(th.Wait, " last good state ", edge-r.Width)
	}
	isBelow := s.IsAgents() && t.isOpen(index.Row{Site: s}) // the question has a row of its own there
	if w, ok := s.Question(); ok && !s.Project.OutOfReach() && !isBelow {
		r.AddWithin("", w.Text, edge-r.Width)
		return
	}
	if n, why := t.index.Failure(s); n != nil {
		r.AddWithin("", draw.Join(": ", n.Name(), why), edge-r.Width)
		return
	}
	if s.IsAgents() {
		r.AddWithin(th.Dim, countsOf(b), edge-r.Width)
		return
	}
	where := ""
	if b.Header != nil {
		where = line.Position(b.Header, l.Narrow) // the texts of its files cannot pass for our signs
	}
	if n := s.Running(); n != nil && where == "" {
		where = n.Name()
	}
	of := draw.If(b.Progress.Known && !b.Status.Closed(), doneOf(b.Progress.Counted())+" "+b.Progress.Of())
	bar := edge
	if !b.Status.Closed() && b.Progress.Known && b.Progress.Percent > 0 && edge-r.Width >= workRoom+lineCells+6 {
		bar -= lineCells + 6
	}
	full := strings.TrimPrefix(strings.TrimSuffix(where+" · "+of, " · "), " · ")
	if _, w := l.MeasureExactly(full); w > bar-r.Width {
		full = where
	}
	r.ExactlyWithin(th.Dim, full, bar-r.Width)
	if bar < edge {
		r.To(bar + 1)
		r.Bar(b.Progress.Percent, 100, lineCells)
		draw.DrawRight(r, th.Dim, percentOf(b.Progress.Percent), 5)
	}
}

// sinceWords says how long a build still waits, or how long it has had its status, after the word for that if there is room.
func (t *Tree) sinceWords(l *draw.Look, s *index.Site, room int) (text string, st draw.Style) {
	b := s.Build
	st, _, word := s.StatusOfBuild(l)
	since := ageFrom(b.Since, b.SinceFile, b.StaleSince)
	if s.Project.OutOfReach() {
		st, word, since = l.Theme.Wait, s.Project.Host.Word(), s.Project.Host.AsOf
	} else if w, ok := s.Question(); ok {
		if left := l.Deadline(w.Deadline, ""); left != "" {
			return left, l.DeadlineStyle(w.Deadline)
		}
		since = ageFrom(w.Since, w.SinceFile, b.StaleSince)
	} else if n, _ := t.index.Failure(s); n != nil && !n.Since.IsZero() {
		since = ageFrom(n.Since, n.SinceFile, b.StaleSince)
	}
	age := l.AgeSince(since, false)
	if s.Build.Status.Closed() || s.Build.Status == model.Pending {
		st = l.Theme.Dim
	}
	if both := draw.Join(" ", word, age); l.Width(both) <= room {
		return both, st
	}
	return draw.OrElse(age, word), st
}
