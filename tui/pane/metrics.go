package pane

// The numbers of a build: progress over time, work left, durations, attempts, and the numbers that the build itself keeps.

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

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
func (p page) addBurnUp(s *index.Site, h *model.History, rows int) {
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
		tenths := len(pieces) * 10 / days
		speed = strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) + " a day of work, on " + draw.Counted(days, "day")
	}
	p.Text("", draw.Join(draw.PartJoint, count, speed))
	if without > 0 && len(pieces) > 0 {
		p.Text(p.Look.Theme.Dim, strconv.Itoa(without)+" without a date")
	}
	if rows > 0 && len(pieces) > 1 {
		p.addChart(pieces, without, max(h.Count.Total, without+len(pieces)), rows)
	}
}

// widestChart bounds the chart: a wider one says no more.
const widestChart = 60

// addChart draws how much was done from the first piece until now, as a share of the most, with the days of both ends below it.
func (p page) addChart(pieces []model.Piece, before, most, rows int) {
	from, now := pieces[0].Ended, p.Look.Now
	values := make([]int, min(p.Width, widestChart))
	if now.Before(from) {
		return
	}
	for x := range values {
		at := from.Add(time.Duration(float64(now.Sub(from)) * float64(x+1) / float64(len(values))))
		values[x] = before + sort.Search(len(pieces), func(i int) bool { return pieces[i].Ended.After(at) })
	}
	p.Gap()
	for _, line := range p.Look.Glyphs.Chart(values, most, rows) {
		r := p.Look.Ribbon(p.Width)
		r.Exactly(p.Look.Theme.Run, line)
		p.Add(&r)
	}
	r := p.Look.Ribbon(p.Width)
	r.Add(p.Look.Theme.Dim, from.In(now.Location()).Format("Jan 02"))
	r.To(len(values) - len("today"))
	r.Add(p.Look.Theme.Dim, "today")
	p.Add(&r)
}

// addLeft adds how much is left, if that is known, and how long it may take.
func (p page) addLeft(h *model.History, known bool) {
	f := h.Forecast
	if f == nil {
		return
	}
	p.Heading("What is left")
	days := ""
	if f.Days != nil {
		days = daysOf(f.Days) + " of work like the last " + strconv.Itoa(f.Days.ReadOf)
	}
	p.Facts(
		draw.Fact{Label: "to do", Value: draw.If(known, leftOf(h))},
		draw.Fact{Label: "days", Value: days},
		draw.Fact{Label: "forecast", Value: draw.If(f.None != "", "none: "+f.None), Style: p.Look.Theme.Dim},
	)
}

// leftOf says how many pieces are left, and how many phases have none yet.
func leftOf(h *model.History) string {
	count := draw.If(h.Forecast.Left > 0 || h.Unplanned == 0, draw.Counted(h.Forecast.Left, strings.TrimSuffix(h.Of, "s")))
	without := draw.If(h.Unplanned > 0, draw.Counted(h.Unplanned, "phase")+" without "+h.Of)
	return strings.Trim(count+", "+without, ", ")
}

// daysOf writes a range of days: "2 to 5 days", "about 3 days".
func daysOf(r *model.Range) string {
	most := draw.Counted(int(r.To), "day")
	if r.From == r.To {
		return "about " + most
	}
	return strconv.FormatInt(r.From, 10) + " to " + most
}

// leftInShort says in one line how much is left and how long it may take, "" if both are unknown.
func leftInShort(h *model.History) string {
	if h == nil || h.Forecast == nil || h.Forecast.None != "" {
		return ""
	}
	comes := ""
	if h.Forecast.Days != nil {
		comes = daysOf(h.Forecast.Days) + " of work"
	}
	return draw.Join(draw.PartJoint, leftOf(h), comes)
}

// addDurations adds how long the pieces took, and the trend if the protocol has one.
func (p page) addDurations(s *index.Site, h *model.History) {
	d := h.PieceTime
	if d == nil {
		return
	}
	p.Heading("How long they took")
	facts := []draw.Fact{{Label: h.Of, Value: durationWords(d.Median)}}
	if d.Known > 1 {
		longest := draw.Join(draw.PartJoint, durationWords(d.Longest), p.Look.Clipped(s.NameOf(d.Node), p.Width-24))
		facts = []draw.Fact{{Label: h.Of, Value: durationWords(d.Median) + " median"}, {Label: "longest", Value: longest}}
	}
	if m := s.Build.Measured; m != nil && m.All.Executed > 0 {
		facts = append(facts, p.trendFact(m.Trend))
	}
	p.Facts(facts...)
}

// trendFact describes the trend of the last plans' times.
func (p page) trendFact(trend model.Trend) draw.Fact {
	f := draw.Fact{Label: "trend", Value: strings.ToLower(string(trend)) + " over the last " + strconv.Itoa(model.TrendWindow) + " plans"}
	switch trend {
	case model.TrendUnknown:
		f.Style, f.Value = p.Look.Theme.Dim, "none: it takes "+strconv.Itoa(model.TrendWindow)+" plans with a known time"
	case model.TrendImproving:
		f.Style = p.Look.Theme.OK
	case model.TrendDeclining:
		f.Style = p.Look.Theme.Wait
	}
	return f
}

// measuresPage lays out the numbers of the selected build. Agents keep none, but the build that they work on may.
func measuresPage(_ *textPane, s *Scene, width, height int) (p page, about index.Place, ok bool) {
	site := s.Row.Site
	if site == nil {
		return p, about, false
	}
	for _, other := range s.Index.Sites {
		if site.IsAgents() && other.Project == site.Project && !other.IsAgents() {
			site = other
		}
	}
	chart := 0
	if height >= 20 {
		chart = min(height/6, 4)
	}
	return metricsPage(s.Look, site, width, chart), site.Place(""), true
}

// metricsPage lays out the numbers of a build.
func metricsPage(l *draw.Look, s *index.Site, width, chart int) page {
	p := newPage(l, width)
	b := s.Build
	if b == nil {
		p.Text(l.Theme.Dim, noBuild)
		return p
	}
	m := b.Measured
	if m == nil && b.History == nil && len(b.Metrics) == 0 && len(b.Notes) == 0 {
		p.Text(l.Theme.Dim, "nothing is measured here: this build keeps no numbers")
		return p
	}
	if b.History != nil {
		p.addBurnUp(s, b.History, chart)
		p.addLeft(b.History, b.Progress.Known)
		p.addDurations(s, b.History)
	}
	if m != nil {
		p.addAttempts(&m.All)
	}
	if len(b.Metrics) > 0 {
		if m != nil || b.History != nil {
			p.Heading("As the build itself has it")
		}
		p.addOwnNumbers(b.Metrics)
	}
	if len(b.Notes) > 0 {
		p.Heading("For the next session")
		p.addOwnNumbers(b.Notes)
	}
	return p
}

// addAttempts adds the results and the durations of the attempts. A build that logs none has only its plans.
func (p page) addAttempts(t *model.Tally) {
	if t.Executed == 0 {
		return
	}
	th := p.Look.Theme
	p.Heading("Attempts")
	rate := t.Rate()
	p.addShare(rate, rate.Floor(), min(20, p.Width/3), 3, doneOf(rate)+" succeeded")
	some := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	took := ""
	if d := t.Time; d.Known > 0 {
		took = draw.Join(draw.PartJoint, "min "+durationWords(d.Min), "avg "+durationWords(d.Average()), "max "+durationWords(d.Max))
	}
	p.Facts(
		draw.Fact{Label: "failed", Value: some(t.Failed), Style: th.Block},
		draw.Fact{Label: "blocked", Value: some(t.Blocked), Style: th.Block},
		draw.Fact{Label: "retries", Value: strconv.Itoa(t.Retries)},
		draw.Fact{Label: "took", Value: took},
		draw.Fact{Label: "files touched", Value: some(t.Files)},
	)
}

// durationWords writes a duration: "340ms", "45s", "2m 5s", "1h 20m", "3d 4h".
func durationWords(d model.Millis) string {
	switch s := int((d + 500) / 1000); {
	case d < 1000:
		return strconv.Itoa(int(d)) + "ms"
	case s < 60:
		return strconv.Itoa(s) + "s"
	case s < 600 && s%60 > 0:
		return strconv.Itoa(s/60) + "m " + strconv.Itoa(s%60) + "s"
	case s < 3600:
		return strconv.Itoa(s/60) + "m"
	case s < 24*3600 && s/60%60 > 0:
		return strconv.Itoa(s/3600) + "h " + strconv.Itoa(s/60%60) + "m"
	case s < 24*3600:
		return strconv.Itoa(s/3600) + "h"
	default:
		return strconv.Itoa(s/86400) + "d " + strconv.Itoa(s/3600%24) + "h"
	}
}

// addOwnNumbers adds the numbers that a build itself keeps.
func (p page) addOwnNumbers(all []model.Fact) {
	p.Longest = min(p.Width*2/5, 28)
	var facts []draw.Fact
	for _, m := range all[:min(len(all), 4*draw.ListLimit)] {
		facts = append(facts, draw.Fact{Label: m.Label, Value: m.Value})
	}
	p.Facts(facts...)
	p.Longest = 0
}
