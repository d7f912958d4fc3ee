package pane

// The numbers of a build: its progress, the work left, speed and quality; and the numbers that the build itself keeps.

import (
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

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
		p.addCourse(s, b.History, chart)
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

// perDay writes a rate with one decimal, rounded down.
func perDay(n, days int) string {
	tenths := n * 10 / days
	return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10)
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
	p.Facts(
		draw.Fact{Label: "failed", Value: some(t.Failed), Style: th.Block},
		draw.Fact{Label: "blocked", Value: some(t.Blocked), Style: th.Block},
		draw.Fact{Label: "retries", Value: strconv.Itoa(t.Retries)},
		draw.Fact{Label: "took", Value: spreadWords(t.Time)},
		draw.Fact{Label: "files touched", Value: some(t.Files)},
	)
}

// spreadWords writes the spread of durations: "min 4m · avg 12m · max 1h 20m".
func spreadWords(s model.Spread) string {
	if s.Known == 0 {
		return ""
	}
	return "min " + durationWords(s.Min) + draw.PartJoint + "avg " + durationWords(s.Average()) + draw.PartJoint + "max " + durationWords(s.Max)
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
