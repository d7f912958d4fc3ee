package tui

// The numbers of a build: how fast it goes, how well, and which way; by phase and plan where there is room. Where nothing was
// measured, the numbers that the build keeps about itself.

import (
	"strings"
	"time"

	"gatehouse/model"
)

// metricsPage lays out the numbers of a build.
func metricsPage(l *look, s *site, width int) *page {
	p := l.page(width)
	b := s.build
	if b == nil {
		p.text(l.theme.dim, noBuild)
		return p
	}
	m := b.Measured
	if m == nil && len(b.Metrics) == 0 {
		p.text(l.theme.dim, "nothing is measured here: this build keeps no numbers")
		return p
	}
	if m != nil {
		p.velocity(m)
		p.attempts(&m.All)
		p.trend(m)
		p.measures("By phase", s, m.Phases)
		p.measures("By plan", s, m.Plans)
	}
	if len(b.Metrics) > 0 {
		if m != nil {
			p.heading("As the build itself has it")
		}
		p.ownNumbers(b.Metrics)
	}
	return p
}

// velocity adds how many plans are done, how many in a day, and the days as a line of columns.
func (p *page) velocity(m *model.Metrics) {
	done := func(d *model.Day) int { return d.Plans }
	what, total := "plan", 0
	for i := range m.Days {
		total += m.Days[i].Plans
	}
	if total == 0 { // no plan says when it was finished
		done = func(d *model.Day) int { return d.Succeeded }
		what = "task"
		for i := range m.Days {
			total += m.Days[i].Succeeded
		}
	}
	p.heading("Velocity")
	facts := []fact{{label: "plans done", value: itoa(m.PlansDone)}}
	from, days := dayRange(m.Days)
	if days > 0 && total > 0 {
		facts = append(facts, fact{label: "per day", value: perDay(total, days) + partJoint + counted(total, what) + " in " + counted(days, "day")})
	}
	p.facts(facts...)
	if days == 0 || total == 0 {
		return
	}
	columns := min(days, p.width-2, longestSpark)
	counts := make([]int, columns) // of the last days, those without anything too
	first := from.AddDate(0, 0, days-columns)
	most := 0
	for i := range m.Days {
		at, err := time.Parse(time.DateOnly, m.Days[i].Date)
		if n := daysBetween(first, at); err == nil && n >= 0 && n < columns {
			counts[n] += done(&m.Days[i])
			most = max(most, counts[n])
		}
	}
	p.gap()
	r := p.look.ribbon(p.width)
	r.sign(p.look.theme.run, p.look.glyphs.spark(counts, most))
	p.add(&r)
	last := from.AddDate(0, 0, days-1)
	r = p.look.ribbon(p.width)
	r.add(p.look.theme.dim, first.Format("Jan 02")+" to "+last.Format("Jan 02")+", "+counted(most, what)+" a day at most")
	p.add(&r)
}

// longestSpark is how many days the line of columns has at most.
const longestSpark = 60

// dayRange returns the first of some days, and how many there are from it to the last, both included; 0 without any.
func dayRange(all []model.Day) (first time.Time, days int) {
	if len(all) == 0 {
		return first, 0
	}
	first, err := time.Parse(time.DateOnly, all[0].Date)
	last, err2 := time.Parse(time.DateOnly, all[len(all)-1].Date)
	if err != nil || err2 != nil {
		return first, 0
	}
	return first, max(daysBetween(first, last)+1, 0)
}

// daysBetween returns how many days a day is after another, both at midnight in UTC.
func daysBetween(a, b time.Time) int { return int((b.Unix() - a.Unix()) / (24 * 60 * 60)) }

// perDay writes a rate with one decimal, rounded down.
func perDay(n, days int) string {
	tenths := n * 10 / days
	return itoa(tenths/10) + "." + itoa(tenths%10)
}

// attempts adds how the attempts ended, and how long they took.
func (p *page) attempts(t *model.Tally) {
	if t.Executed == 0 {
		return
	}
	th := p.look.theme
	p.heading("Attempts")
	rate := t.Rate()
	r := p.look.ribbon(p.width)
	filled, rest := p.look.glyphs.bar(rate.Done, rate.Total, min(20, p.width/3))
	r.sign(th.ok, filled)
	r.sign(th.dim, rest)
	r.gap(2)
	r.add("", itoa(rate.Floor())+"%")
	r.gap(3)
	r.add(th.dim, itoa(rate.Done)+" of "+itoa(rate.Total)+" succeeded")
	p.add(&r)
	some := func(n int) string {
		if n == 0 {
			return ""
		}
		return itoa(n)
	}
	p.facts(
		fact{label: "failed", value: some(t.Failed), style: th.block},
		fact{label: "blocked", value: some(t.Blocked), style: th.block},
		fact{label: "retries", value: itoa(t.Retries)},
		fact{label: "took", value: spread(t.Time)},
		fact{label: "files touched", value: some(t.Files)},
	)
}

// trend adds how long plans take, and whether that gets better.
func (p *page) trend(m *model.Metrics) {
	if m.PlanTime.Known == 0 {
		return
	}
	th := p.look.theme
	p.heading("Plans")
	st, says := style(""), strings.ToLower(string(m.Trend))
	switch m.Trend {
	case model.TrendImproving:
		st = th.ok
	case model.TrendDeclining:
		st = th.wait
	case model.TrendUnknown:
		st, says = th.dim, "none: it takes "+itoa(model.TrendWindow)+" plans"
	}
	last := make([]string, len(m.Recent))
	for i, d := range m.Recent {
		last[i] = took(d)
	}
	label := "last " + itoa(len(last))
	if len(last) == 1 {
		label = "last"
	}
	ordered := partJoint + "oldest first"
	if len(last) < 2 {
		ordered = ""
	}
	p.facts(
		fact{label: "took", value: spread(m.PlanTime)},
		fact{label: "trend", value: says, style: st},
		fact{label: label, value: strings.Join(last, ", ") + ordered},
	)
}

// spread writes how long things took: "min 4m · avg 12m · max 1h 20m".
func spread(s model.Spread) string {
	if s.Known == 0 {
		return ""
	}
	return "min " + took(s.Min) + " · avg " + took(s.Average()) + " · max " + took(s.Max)
}

// took writes a duration: "340ms", "45s", "2m 5s", "1h 20m", "3d 4h".
func took(d model.Millis) string {
	switch s := int((d + 500) / 1000); {
	case d < 1000:
		return itoa(int(d)) + "ms"
	case s < 60:
		return itoa(s) + "s"
	case s < 600 && s%60 > 0:
		return itoa(s/60) + "m " + itoa(s%60) + "s"
	case s < 3600:
		return itoa(s/60) + "m"
	case s < 24*3600 && s/60%60 > 0:
		return itoa(s/3600) + "h " + itoa(s/60%60) + "m"
	case s < 24*3600:
		return itoa(s/3600) + "h"
	default:
		return itoa(s/86400) + "d " + itoa(s/3600%24) + "h"
	}
}

// measureColumns are the columns of a table of measures, right of the names.
var measureColumns = [...]struct {
	name  string
	width int
	of    func(*model.Tally) string
}{
	{"tries", 5, func(t *model.Tally) string { return itoa(t.Executed) }},
	{"ok", 5, func(t *model.Tally) string { r := t.Rate(); return itoa(r.Floor()) + "%" }},
	{"again", 5, func(t *model.Tally) string { return itoa(t.Retries) }},
	{"avg", 7, func(t *model.Tally) string {
		if t.Time.Known == 0 {
			return ""
		}
		return took(t.Time.Average())
	}},
	{"max", 7, func(t *model.Tally) string {
		if t.Time.Known == 0 {
			return ""
		}
		return took(t.Time.Max)
	}},
}

// Below this width a table would have no room for the names; and it never gets wider than is easy to read across.
const narrowestTable, widestTable = 44, 90

// measures adds a table of nodes with their tallies, where there is room for one.
func (p *page) measures(heading string, s *site, all []model.Measure) {
	if len(all) == 0 || p.width < narrowestTable {
		return
	}
	th, width := p.look.theme, min(p.width, widestTable)
	names := width
	for _, c := range measureColumns {
		names -= c.width + 1
	}
	p.gap()
	r := p.look.ribbon(p.width)
	r.addWithin(th.accent, heading, names)
	r.to(names)
	for _, c := range measureColumns {
		r.gap(1)
		drawRight(&r, th.dim, c.name, c.width)
	}
	p.add(&r)
	for i := range all {
		if i == listLimit {
			p.more(len(all) - i)
			return
		}
		m := &all[i]
		r := p.look.ribbon(p.width)
		name := s.nameOf(m.Node)
		if e, ok := s.nodes[m.Node]; ok {
			r.sign(th.status(e.node.Status), p.look.glyphs.of(e.node.Status))
			r.gap(1)
		}
		r.addWithin("", orElse(name, m.Node), names-r.width-1)
		r.to(names)
		for k, c := range measureColumns {
			r.gap(1)
			st := th.dim
			if k == 1 && m.Failed > 0 {
				st = th.wait
			}
			drawRight(&r, st, c.of(&m.Tally), c.width)
		}
		p.add(&r)
	}
}

// ownNumbers adds the numbers that a build keeps about itself. Neighbours whose labels begin with the same word stand
// under it.
func (p *page) ownNumbers(all []model.Fact) {
	p.longest = min(p.width*2/5, 28)
	defer func() { p.longest = 0 }()
	all = all[:min(len(all), 4*listLimit)]
	grouped := true // what stands alone needs a gap after what does not
	for i := 0; i < len(all); {
		word, n := sharedWord(all[i:])
		if n < 2 {
			if grouped {
				p.gap()
				grouped = false
			}
			from := i
			for i < len(all) {
				if _, n := sharedWord(all[i:]); n > 1 {
					break
				}
				i++
			}
			p.facts(numbers(all[from:i], "")...)
			continue
		}
		p.gap()
		p.quote(p.look.theme.accent, strings.ToUpper(word[:1])+word[1:])
		p.facts(numbers(all[i:i+n], word+" ")...)
		grouped = true
		i += n
	}
}

// numbers makes lines of facts, without what their labels begin with.
func numbers(all []model.Fact, prefix string) []fact {
	facts := make([]fact, len(all))
	for i, m := range all {
		facts[i] = fact{label: strings.TrimPrefix(m.Label, prefix), value: m.Value}
	}
	return facts
}

// sharedWord returns the first word of a label, and how many of the facts from here on begin with it. It is ASCII, so that it
// can be written large.
func sharedWord(all []model.Fact) (word string, n int) {
	word, _, _ = strings.Cut(all[0].Label, " ")
	if word == "" || word[0] < 'A' || word[0] > 'z' {
		return word, 1
	}
	for n < len(all) && (all[n].Label == word || strings.HasPrefix(all[n].Label, word+" ")) {
		n++
	}
	return word, max(n, 1)
}

// briefLimit is how many of the build's own numbers the overview has; the pane of metrics has all.
const briefLimit = 12

// brief adds the first of the numbers that a build keeps about itself, a line each, and where the others are.
func (p *page) brief(b *model.Build) {
	var facts []fact
	left := 0
	for _, m := range b.Metrics {
		switch {
		case b.Next != nil && m.Value == b.Next.Command, b.Pause != nil && m.Value == b.Pause.Reason, m.Value == b.Raw: // said above
		case len(facts) == briefLimit:
			left++
		default:
			facts = append(facts, fact{label: m.Label, value: p.look.clipped(m.Value, p.width-longestLabel-2)})
		}
	}
	if len(facts) == 0 && b.Measured == nil {
		return
	}
	p.heading("Metrics")
	if m := b.Measured; m != nil && m.All.Executed > 0 {
		rate := m.All.Rate()
		p.facts(
			fact{label: "succeeded", value: itoa(rate.Floor()) + "%, " + itoa(rate.Done) + " of " + itoa(rate.Total)},
			fact{label: "retries", value: itoa(m.All.Retries)},
			fact{label: "trend", value: strings.ToLower(strings.Trim(string(m.Trend), "-"))},
		)
		p.gap() // what the build says of itself, with labels of its own, is not to look measured
	}
	p.facts(facts...)
	if left > 0 {
		p.text(p.look.theme.dim, itoa(left)+" more: "+itoa(int(paneMetrics)+1)+" shows them")
	}
}

// clipped returns as much of a text as fits.
func (l *look) clipped(text string, columns int) string {
	r := l.ribbon(max(columns, 1))
	r.add("", text)
	return r.cut()
}
