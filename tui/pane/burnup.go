package pane

// Charts of work over time: the burn-up with its forecast, and below it one bar for each phase. Both share one time axis with a line for
// today.

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// The minimum widths of a chart and of the bars below it, and the widths of their names and durations.
const (
	narrowestChart = 24
	ganttFrom      = 80
	ganttNames     = 28
	ganttTook      = 7
)

// axisMargin returns the number of columns to the left of the axis.
func (p page) axisMargin(h *model.History) int {
	if p.Width >= ganttFrom && len(h.Stretches) > 1 {
		return ganttNames + 1
	}
	return len(strconv.Itoa(h.Count.Total)) + 1
}

// axisOf returns the time axis of a build. It ends now for an active build, or with the forecast if there is room. It is nil if too few
// pieces have a time.
func (p page) axisOf(s *index.Site, h *model.History) *axis {
	a := &axis{in: p.Look.Now.Location(), now: p.Look.Now, columns: p.Width - p.axisMargin(h)}
	if p.Width >= ganttFrom && len(h.Stretches) > 1 {
		a.columns -= ganttTook + 1
	}
	take := func(from, to time.Time) {
		if !from.IsZero() && (a.from.IsZero() || from.Before(a.from)) {
			a.from = from
		}
		if to.After(a.to) {
			a.to = to
		}
	}
	pieces, _ := datedPieces(h)
	for i := range pieces {
		take(pieces[i].Ended, pieces[i].Ended)
		take(pieces[i].Began, pieces[i].Began)
	}
	for _, x := range h.Stretches {
		take(x.From, x.To)
	}
	take(h.TotalSince, h.TotalSince)
	if b := s.Build; b.StaleSince.IsZero() && h.Forecast != nil && h.Forecast.None == "" && !a.now.Before(a.to) {
		a.to = a.now
		if days := h.Forecast.Days; days != nil && days.To > 0 { // the forecast takes at most half of the axis
			most := a.now.Add(a.now.Sub(a.from))
			a.soonest, a.latest = a.now.AddDate(0, 0, int(days.From)), a.now.AddDate(0, 0, int(min(days.To, 3650)))
			if a.to = a.latest; a.to.After(most) {
				a.to = most
			}
		}
	}
	if a.columns < narrowestChart || a.from.IsZero() || !a.to.After(a.from) {
		return nil
	}
	return a
}

// todayColumn returns the column of today, -1 if the axis ends before it.
func (a *axis) todayColumn() int {
	if !a.to.After(a.now) {
		return -1
	}
	return a.columnOf(a.now)
}

// expectedAt returns how much will be done at a time, at the fastest and at the slowest.
func (a *axis) expectedAt(at time.Time, done, most int, end time.Time) int {
	if !end.After(a.now) || at.After(end) {
		return most
	}
	return done + int(float64(most-done)*float64(at.Sub(a.now))/float64(end.Sub(a.now)))
}

// addChart draws how much was done over time, below a line for the total: plain if the total is known for each time, dotted if only today's is
// known, missing if it is unknown. Right of today it draws the range of the forecast.
func (p page) addChart(s *index.Site, h *model.History, a *axis, pieces []model.Piece, before, rows int) {
	most := h.Count.Total
	if !s.Build.Progress.Known {
		most = before + len(pieces)
	}
	if len(pieces) < 2 || most <= 0 {
		return
	}
	th, g, margin := p.Look.Theme, p.Look.Glyphs, p.axisMargin(h)
	values, today := make([]int, a.columns), a.todayColumn()
	low, high := make([]int, a.columns), make([]int, a.columns)
	for x := range values {
		at := a.timeAt(x + 1)
		if today >= 0 && x > today {
			low[x], high[x] = a.expectedAt(at, h.Count.Done, most, a.latest), a.expectedAt(at, h.Count.Done, most, a.soonest)
			continue
		}
		values[x] = before + sort.Search(len(pieces), func(i int) bool { return pieces[i].Ended.After(at) })
	}
	p.Gap()
	r := p.Look.Ribbon(p.Width)
	r.To(margin - 1 - len(strconv.Itoa(most)))
	r.Add(th.Dim, strconv.Itoa(most))
	r.To(margin)
	line := g.Dot
	if !h.TotalSince.IsZero() {
		line = g.Horizontal
	}
	if s.Build.Progress.Known {
		r.Fill(line, th.Border, margin+a.columns)
	}
	p.Add(&r)
	for i, line := range g.Chart(values, most, rows) {
		r := p.Look.Ribbon(p.Width)
		if i == rows-1 {
			r.To(margin - 2)
			r.Add(th.Dim, "0")
		}
		r.To(margin)
		floor, x := most*(rows-1-i)/rows, 0
		for _, cell := range line {
			switch {
			case x == today:
				r.Sign(th.Accent, g.Edge(draw.EdgeDone, draw.ToUp|draw.ToDown))
			case today >= 0 && x > today && high[x] > floor && low[x] <= most*(rows-i)/rows:
				r.Sign(th.Dim, g.Dot)
			default:
				r.Sign(th.Run, string(cell))
			}
			x++
		}
		p.Add(&r)
	}
	p.drawTicks(a, margin)
}

// drawTicks draws the times of an axis, and today's position.
func (p page) drawTicks(a *axis, margin int) {
	r := p.Look.Ribbon(p.Width)
	today := a.todayColumn()
	for _, t := range a.ticks() {
		if today >= 0 && t.column+len(t.label) >= today && t.column <= today+len("today") {
			continue
		}
		if today >= 0 && today < t.column && r.Width <= margin+today {
			r.To(margin + today)
			r.Add(p.Look.Theme.Accent, "today")
		}
		r.To(margin + t.column)
		r.Add(p.Look.Theme.Dim, t.label)
	}
	if today >= 0 && r.Width <= margin+today {
		r.To(margin + min(today, a.columns-len("today")))
		r.Add(p.Look.Theme.Accent, "today")
	}
	p.Add(&r)
}

// addStretches adds a bar for each phase, if the page is wide enough.
func (p page) addStretches(s *index.Site, h *model.History, a *axis) {
	if p.Width < ganttFrom || len(h.Stretches) < 2 || a == nil {
		return
	}
	heading := "Phases over time"
	if h.Of == "chunks" {
		heading = "Chunks over time"
	}
	p.Heading(heading)
	for i := range draw.Limited(p.Page, h.Stretches) {
		p.addStretch(s, a, &h.Stretches[i])
	}
	p.drawTicks(a, ganttNames+1)
}

// addStretch adds one bar in the color of its state, with its name and the duration of the work.
func (p page) addStretch(s *index.Site, a *axis, x *model.Stretch) {
	th, g := p.Look.Theme, p.Look.Glyphs
	r := p.Look.Ribbon(p.Width)
	st := th.Dim
	if e, ok := s.Nodes[x.Node]; ok {
		sign, glyph, _ := s.StatusOf(p.Look, e.Node)
		r.Sign(sign, glyph)
		r.Gap(1)
		st = sign
	}
	name := strings.TrimPrefix(draw.OrElse(s.NameOf(x.Node), x.Node), "Phase ")
	r.AddWithin("", name, ganttNames-r.Width)
	first := a.columnOf(x.From)
	last := max(first, a.columnOf(x.To))
	if last > first && a.timeAt(last).Equal(x.To) {
		last-- // the bar ended where this column begins
	}
	bar, today := g.Edge(draw.EdgeCritical, draw.ToLeft|draw.ToRight), a.todayColumn()
	for column := range a.columns {
		r.To(ganttNames + 1 + column)
		switch {
		case column >= first && column <= last:
			r.Sign(st, bar)
		case column == today:
			r.Sign(th.Accent, g.Edge(draw.EdgeDone, draw.ToUp|draw.ToDown))
		}
	}
	r.To(p.Width - ganttTook)
	if x.Took > 0 {
		draw.DrawRight(&r, th.Dim, durationWords(x.Took), ganttTook)
	}
	p.Add(&r)
}

// axis is a span of time over some columns.
type axis struct {
	from, to        time.Time
	now             time.Time
	soonest, latest time.Time // when all may be done; zero if unknown
	in              *time.Location
	columns         int
}

// columnOf returns the column of a time.
func (a *axis) columnOf(t time.Time) int {
	n := int(float64(t.Sub(a.from)) / float64(a.to.Sub(a.from)) * float64(a.columns))
	return max(0, min(n, a.columns-1))
}

// timeAt returns the time at which a column begins.
func (a *axis) timeAt(column int) time.Time {
	return a.from.Add(time.Duration(float64(a.to.Sub(a.from)) * float64(column) / float64(a.columns)))
}

// tick is a labeled time on an axis.
type tick struct {
	column int
	label  string
}

// tickRoom is the minimum width of a label, including the space before the next one.
const tickRoom = 9

// tickStep is the time between two ticks, and the format of their labels.
type tickStep struct {
	every        time.Duration
	days, months int
	format       string
}

var tickSteps = []tickStep{
	{every: time.Minute, format: "15:04"}, {every: 2 * time.Minute, format: "15:04"}, {every: 5 * time.Minute, format: "15:04"}, {every: 10 * time.Minute, format: "15:04"},
	{every: 30 * time.Minute, format: "15:04"}, {every: time.Hour, format: "15:04"}, {every: 2 * time.Hour, format: "15:04"}, {every: 6 * time.Hour, format: "15:04"},
	{days: 1, format: "Jan 02"}, {days: 2, format: "Jan 02"}, {days: 7, format: "Jan 02"}, {days: 14, format: "Jan 02"},
	{months: 1, format: "Jan 2006"}, {months: 3, format: "Jan 2006"}, {months: 12, format: "Jan 2006"}, {months: 60, format: "Jan 2006"},
}

func (s tickStep) next(t time.Time) time.Time {
	if s.every > 0 {
		return t.Add(s.every) // AddDate may repeat an hour when clocks change
	}
	return t.AddDate(0, s.months, s.days)
}

// ticksFrom returns the ticks of a step from a day on, nil if there are more than most.
func (a *axis) ticksFrom(day time.Time, step tickStep, most int) (all []tick) {
	for t := day; !t.After(a.to); t = step.next(t) {
		if t.Before(a.from) {
			continue
		}
		if len(all) == most {
			return nil
		}
		label := t.Format(step.format)
		if label == "00:00" {
			label = t.Format("Jan 02")
		}
		if column := a.columnOf(t); column+len(label) <= a.columns {
			all = append(all, tick{column, label})
		}
	}
	return all
}

// ticks returns the labeled times: round ones, as many as fit.
func (a *axis) ticks() (all []tick) {
	most := max(1, a.columns/tickRoom)
	begin := a.from.In(a.in)
	y, m, d := begin.Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, a.in)
	for _, step := range tickSteps {
		if step.every > 0 && a.to.Sub(a.from) > step.every*time.Duration(most) {
			continue
		}
		if step.months > 0 {
			day = time.Date(y, m, 1, 0, 0, 0, 0, a.in)
		}
		if all = a.ticksFrom(day, step, most); len(all) > 1 {
			return all
		}
	}
	return []tick{{0, strconv.Itoa(y)}}
}
