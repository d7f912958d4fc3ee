package pane

// The history of a build in numbers: progress over time, work left, and durations.

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// addCourse adds the progress over time, with a chart of the given height, 0 for none. Chart and bars share one time axis.
func (p page) addCourse(s *index.Site, h *model.History, rows int) {
	a := p.axisOf(s, h)
	p.addBurnUp(s, h, a, rows)
	p.addStretches(s, h, a)
	p.addLeft(h, s.Build.Progress.Known)
	p.addDurations(s, h)
}

// datedPieces returns the finished pieces that have a time, the oldest first, and how many finished ones have none. The history of
// another machine need not be consistent.
func datedPieces(h *model.History) (pieces []model.Piece, without int) {
	from := 0
	for from < len(h.Pieces) && h.Pieces[from].Done && h.Pieces[from].Ended.IsZero() {
		from++
	}
	to := from
	for to < len(h.Pieces) && h.Pieces[to].Done {
		to++
	}
	return h.Pieces[from:to], max(0, h.Count.Done-(to-from))
}

// addBurnUp adds how much is done, the speed, and both as a chart over time.
func (p page) addBurnUp(s *index.Site, h *model.History, a *axis, rows int) {
	th := p.Look.Theme
	p.Heading("Burn-up")
	pieces, without := datedPieces(h)
	in := p.Look.Now.Location()
	days, on := 0, 0
	for i := range pieces {
		if n := model.DayNumber(pieces[i].Ended, in); i == 0 || n != on {
			days, on = days+1, n
		}
	}
	count := strconv.Itoa(h.Count.Done) + " of " + strconv.Itoa(h.Count.Total) + " " + h.Of
	if !s.Build.Progress.Known {
		count = strconv.Itoa(h.Count.Done) + " " + h.Of + " done"
	}
	speed := ""
	if days > 1 {
		speed = perDay(len(pieces), days) + " a day of work, on " + draw.Counted(days, "day")
	}
	p.Text("", draw.Join(draw.PartJoint, count, speed))
	var notes []string
	if without > 0 && len(pieces) > 0 {
		notes = append(notes, strconv.Itoa(without)+" without a date")
	}
	if h.TotalSince.IsZero() && h.Count.Open() > 0 && s.Build.Progress.Known {
		notes = append(notes, "of what is planned today")
	}
	if rows > 0 && a != nil {
		p.addChart(s, h, a, pieces, without, rows)
	}
	p.Text(th.Dim, strings.Join(notes, draw.PartJoint))
}

// addLeft adds how much is left, if that is known, and how long it may take.
func (p page) addLeft(h *model.History, known bool) {
	f := h.Forecast
	if f == nil {
		return
	}
	p.Heading("What is left")
	todo, days, work, none := "", "", "", ""
	if f.Days != nil {
		days = daysOf(f.Days) + " of work like the last " + strconv.Itoa(f.Days.ReadOf)
	}
	if f.Work != nil {
		work = rangeOf(roughDuration(f.Work.From), roughDuration(f.Work.To)) + " if they are like the last " + strconv.Itoa(f.Work.ReadOf) + " " + h.Of
	}
	if f.None != "" {
		none = "none: " + f.None
	}
	if known {
		todo = leftOf(h)
	}
	p.Facts(
		draw.Fact{Label: "to do", Value: todo},
		draw.Fact{Label: "days", Value: days},
		draw.Fact{Label: "work", Value: work},
		draw.Fact{Label: "forecast", Value: none, Style: p.Look.Theme.Dim},
	)
}

// leftOf says how many pieces are left, and how many phases have none yet.
func leftOf(h *model.History) string {
	count := ""
	if h.Forecast.Left > 0 || h.Unplanned == 0 {
		count = draw.Counted(h.Forecast.Left, strings.TrimSuffix(h.Of, "s"))
	}
	without := ""
	if h.Unplanned > 0 {
		without = draw.Counted(h.Unplanned, "phase") + " without " + h.Of
	}
	return strings.Trim(count+", "+without, ", ")
}

// daysOf writes a range of days.
func daysOf(r *model.Range) string {
	return rangeOf(strconv.FormatInt(r.From, 10), draw.Counted(int(r.To), "day"))
}

// rangeOf writes a range: "2 to 5 days", and "about 3 days" if both ends look the same because they are rounded.
func rangeOf(from, to string) string {
	if number, _, _ := strings.Cut(to, " "); from == to || from == number {
		return "about " + to
	}
	return from + " to " + to
}

// roughDuration writes a duration as coarsely as a forecast deserves.
func roughDuration(d int64) string {
	of := time.Duration(min(d, int64(1<<63-1)/int64(time.Millisecond))) * time.Millisecond
	for _, step := range []struct{ from, to time.Duration }{{10 * time.Hour, time.Hour}, {2 * time.Hour, 15 * time.Minute}, {20 * time.Minute, 5 * time.Minute}, {0, time.Minute}} {
		if of >= step.from {
			of = max(of.Round(step.to), time.Minute)
			break
		}
	}
	return durationWords(model.Millis(of.Milliseconds()))
}

// leftInShort says in one line how much is left and how long it may take, "" if both are unknown.
func leftInShort(h *model.History) string {
	if h == nil || h.Forecast == nil || h.Forecast.None != "" {
		return ""
	}
	f, comes := h.Forecast, ""
	switch {
	case f.Days != nil:
		comes = daysOf(f.Days) + " of work"
	case f.Work != nil:
		comes = rangeOf(roughDuration(f.Work.From), roughDuration(f.Work.To)) + " of work"
	}
	return draw.Join(draw.PartJoint, leftOf(h), comes)
}

// addDurations adds how long plans and phases took, and the trend.
func (p page) addDurations(s *index.Site, h *model.History) {
	if h.PieceTime == nil {
		return
	}
	p.Heading("How long they took")
	facts := p.durationFacts(s, h.Of, h.PieceTime)
	if h.PhaseTime != nil {
		facts = append(facts, p.durationFacts(s, "phases", h.PhaseTime)...)
	}
	if m := s.Build.Measured; m != nil && m.All.Executed > 0 { // the protocol has a trend of its own
		p.Facts(append(facts, p.trendFacts(m)...)...)
		return
	}
	p.Facts(append(facts, p.paceFact(h.Pace))...)
}

// trendFacts describes the trend of the last plans' times, over the protocol's window and one of twice its size.
func (p page) trendFacts(m *model.Metrics) (facts []draw.Fact) {
	for _, window := range []int{model.TrendWindow, 2 * model.TrendWindow} {
		recent, trend := m.Lately(window)
		f := draw.Fact{Label: "trend of " + strconv.Itoa(window), Value: strings.ToLower(string(trend))}
		switch {
		case len(recent) < window && window > model.TrendWindow:
			continue
		case trend == model.TrendUnknown:
			f.Style, f.Value = p.Look.Theme.Dim, "none: it takes "+strconv.Itoa(window)+" plans with a known time"
		case trend == model.TrendImproving:
			f.Style = p.Look.Theme.OK
		case trend == model.TrendDeclining:
			f.Style = p.Look.Theme.Wait
		}
		facts = append(facts, f)
	}
	return facts
}

// durationFacts says how long pieces took: the median, the middle half, the longest.
func (p page) durationFacts(s *index.Site, what string, d *model.Durations) []draw.Fact {
	text := durationWords(d.Median)
	if d.Known > 1 {
		text += " median"
	}
	if d.Known > 3 && d.Lower < d.Upper {
		text += draw.PartJoint + "half of them " + rangeOf(durationWords(d.Lower), durationWords(d.Upper))
	}
	facts := []draw.Fact{{Label: what, Value: text}}
	if d.Known > 1 {
		facts = append(facts, draw.Fact{Label: "longest", Value: draw.Join(draw.PartJoint, durationWords(d.Longest), p.Look.Clipped(s.NameOf(d.Node), p.Width-24))})
	}
	return facts
}

// paceFact says whether later pieces took longer.
func (p page) paceFact(pace *model.Pace) draw.Fact {
	f := draw.Fact{Label: "trend"}
	if pace == nil {
		f.Style, f.Value = p.Look.Theme.Dim, "none: it takes "+strconv.Itoa(model.PaceFrom)+" with a known time"
		return f
	}
	f.Value = string(pace.Says)
	switch pace.Says {
	case model.Faster:
		f.Style = p.Look.Theme.OK
	case model.Slower:
		f.Style = p.Look.Theme.Wait
	case model.Steady:
		f.Value = "no clear change"
	}
	f.Value += ": " + durationWords(pace.Before) + " in the former half, " + durationWords(pace.After) + " in the later"
	return f
}
