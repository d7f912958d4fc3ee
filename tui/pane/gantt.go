package pane

// From when to when there was work on what, as a bar each over an axis of dates.

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// The least width of a page with such bars, and how wide their names and durations are.
const (
	ganttFrom  = 80
	ganttNames = 28
	ganttTook  = 7
)

// stretches adds the bars, where there is room for them.
func (p page) stretches(s *index.Site, h *model.History) {
	if p.Width < ganttFrom || len(h.Stretches) < 2 {
		return
	}
	a := axis{in: p.Look.Now.Location(), columns: p.Width - ganttNames - 1 - ganttTook - 1}
	for i, x := range h.Stretches {
		if i == 0 || x.From.Before(a.from) {
			a.from = x.From
		}
		if i == 0 || x.To.After(a.to) {
			a.to = x.To
		}
	}
	if !a.to.After(a.from) {
		return
	}
	heading := "Phases over time"
	if h.Of == "chunks" {
		heading = "Chunks over time"
	}
	th := p.Look.Theme
	p.Heading(heading)
	r := p.Look.Ribbon(p.Width)
	for _, t := range a.ticks() {
		r.To(ganttNames + 1 + t.column)
		r.Add(th.Dim, t.label)
	}
	r.To(p.Width - ganttTook)
	draw.DrawRight(&r, th.Dim, "worked", ganttTook)
	p.Add(&r)
	for i := range h.Stretches {
		if i == draw.ListLimit {
			p.More(len(h.Stretches) - i)
			return
		}
		p.stretch(s, &a, &h.Stretches[i])
	}
}

// stretch adds one bar with its name and how long it was worked on.
func (p page) stretch(s *index.Site, a *axis, x *model.Stretch) {
	th := p.Look.Theme
	r := p.Look.Ribbon(p.Width)
	st := th.Dim
	if e, ok := s.Nodes[x.Node]; ok {
		sign, glyph, _ := s.StatusOf(p.Look, e.Node)
		r.Sign(sign, glyph)
		r.Gap(1)
		if !e.Node.Status.Closed() {
			st = sign
		}
	}
	name := strings.TrimPrefix(draw.OrElse(s.NameOf(x.Node), x.Node), "Phase ")
	r.AddWithin("", name, ganttNames-r.Width)
	first := a.columnOf(x.From)
	last := max(first, a.columnOf(x.To))
	if last > first && a.at(last).Equal(x.To) {
		last-- // it ended where this column begins
	}
	r.To(ganttNames + 1 + first)
	r.Sign(st, strings.Repeat(p.Look.Glyphs.Edge(draw.EdgeCritical, draw.ToLeft|draw.ToRight), last-first+1))
	r.To(p.Width - ganttTook)
	if x.Took > 0 {
		draw.DrawRight(&r, th.Dim, took(x.Took), ganttTook)
	}
	p.Add(&r)
}

// axis is a span of time over some columns.
type axis struct {
	from, to time.Time
	in       *time.Location
	columns  int
}

// columnOf returns in which column a time lies.
func (a *axis) columnOf(t time.Time) int {
	n := int(float64(t.Sub(a.from)) / float64(a.to.Sub(a.from)) * float64(a.columns))
	return max(0, min(n, a.columns-1))
}

// at returns when a column begins.
func (a *axis) at(column int) time.Time {
	return a.from.Add(time.Duration(float64(a.to.Sub(a.from)) * float64(column) / float64(a.columns)))
}

// tick is a time that is named on an axis.
type tick struct {
	column int
	label  string
}

// tickRoom is how many columns a label has at least, with what is between it and the next.
const tickRoom = 9

// ticks returns the times that are named: round ones, as many as there is room for.
func (a *axis) ticks() (all []tick) {
	most := max(1, a.columns/tickRoom)
	begin := a.from.In(a.in)
	y, m, d := begin.Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, a.in)
	step := func(next func(time.Time) time.Time, format string) bool {
		all = all[:0]
		for t := day; !t.After(a.to); t = next(t) {
			if t.Before(a.from) {
				continue
			}
			if len(all) == most {
				return false
			}
			label := t.Format(format)
			if label == "00:00" {
				label = t.Format("Jan 02")
			}
			if column := a.columnOf(t); column+len(label) <= a.columns {
				all = append(all, tick{column, label})
			}
		}
		return len(all) > 1
	}
	for _, every := range []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour} {
		if a.to.Sub(a.from) <= every*time.Duration(most) && step(func(t time.Time) time.Time { return t.Add(every) }, "15:04") {
			return all
		}
	}
	for _, days := range []int{1, 2, 7, 14} {
		if step(func(t time.Time) time.Time { return t.AddDate(0, 0, days) }, "Jan 02") {
			return all
		}
	}
	day = time.Date(y, m, 1, 0, 0, 0, 0, a.in)
	for _, months := range []int{1, 3, 12, 60} {
		if step(func(t time.Time) time.Time { return t.AddDate(0, months, 0) }, "Jan 2006") {
			return all
		}
	}
	return []tick{{0, strconv.Itoa(y)}}
}
