// The velocity: how many plans are done and how long they took. All values count the same plans. STATE.md may have plans that the tree
// lacks, from earlier milestones or without a logged time: such values stay, and new plans are added to them.

package statemd

import (
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/protocol"
)

// claims are the claims of a file about plans and their time.
type claims struct {
	plans    int
	hasPlans bool
	total    string
	took     model.Millis
	hasTotal bool
	average  string
}

// settled are the values that a file should have.
type settled struct {
	plans          int
	total, average model.Millis // 0 leaves a value alone
	clears         bool         // there are neither plans nor time, so the values are cleared
	isStrict       bool         // rewrite times even if they differ only by rounding: a result was captured, or more plans are done
	newer          int          // number of plans finished since the file was written, the last ones
}

// settleWith decides the values of a file by a tally: those of the tree and the daily summaries, unless these are incomplete and the file
// has more. The time of results is never added to the file's time: a capture has written it there, or has recorded what the file had before.
func (said *claims) settleWith(t *tally, isEarlier, isEvent bool) (now settled) {
	now = settled{plans: t.countPlans(), total: t.totalTime(), isStrict: isEvent || said.hasPlans && said.plans != t.countPlans()}
	if said.hasPlans {
		now.newer = min(len(t.done), max(0, now.plans-said.plans))
	}
	summarized := model.Millis(0) // time that only summaries have, so it can't be in the file
	for _, w := range t.done[len(t.done)-now.newer:] {
		if w.Results == 0 {
			summarized += w.Took
		}
	}
	knowsMore := said.hasTotal && said.took+summarized > t.totalTime()+precisionOf(said.total)
	switch {
	case isEarlier && (knowsMore || !said.hasTotal): // the file counts plans that the tree never had
		return settled{plans: said.plans}
	case said.hasPlans && said.plans > now.plans:
		if knowsMore && !t.isWhole() {
			now.total = max(now.total, said.took*model.Millis(now.plans)/model.Millis(said.plans))
		}
		now.clears = now.plans == 0 && now.total == 0
	case knowsMore && !t.isWhole():
		now.total = said.took + summarized
	}
	if now.plans > 0 && (t.isWhole() || knowsMore) {
		now.average = now.total / model.Millis(now.plans)
	}
	return now
}

// isEarlier reports whether a number of plans is larger than the tree's because it counts plans of earlier milestones: no plan of the
// tree is done, the tree has fewer plans, or the table has phases that the tree lacks. The claimed times have to fit together.
func (said *claims) isEarlier(is *Figures, elsewhere int) bool {
	n := is.velocity.countPlans()
	if average, ok := protocol.ParseDuration(said.average); ok && said.hasTotal {
		if sum := average * model.Millis(said.plans); sum < said.took*8/10 || sum > said.took*12/10 {
			return false
		}
	}
	return said.hasPlans && said.plans > n && (len(is.velocity.done) == 0 || said.plans > is.totals.Total || elsewhere > 0 && said.plans <= n+elsewhere)
}

// claimedVelocity reads the velocity of a file.
func (c *comparison) claimedVelocity() (said claims, isEarlier bool) {
	plans, _ := c.findField("Total plans completed")
	total, _ := c.findField("Total execution time")
	average, _ := c.findField("Average duration")
	n, err := strconv.Atoi(plans.text)
	said = claims{plans: n, hasPlans: err == nil, total: total.text, average: average.text}
	said.took, said.hasTotal = protocol.ParseDuration(total.text)
	elsewhere := 0
	for _, row := range c.rows {
		if row.HasCount && row.Done == row.Total && c.is.findPhase(row.Number) == nil {
			elsewhere += row.Done
		}
	}
	return said, said.isEarlier(c.is, elsewhere)
}

// compareVelocity compares the fields of the velocity, the table and the trend.
func (c *comparison) compareVelocity() {
	said, isEarlier := c.claimedVelocity()
	t := &c.is.velocity
	now := said.settleWith(t, isEarlier, c.is.IsEvent)
	if v, ok := c.findField("Total plans completed"); ok && now.plans != said.plans && (said.hasPlans || isUnset(v.text) && now.plans > 0) {
		c.addDifference(v, strconv.Itoa(now.plans), "the tree has "+protocol.Count(len(t.done), "plan")+" with a summary")
	}
	c.compareDuration("Average duration", now.average, now, formatWords, "on average")
	c.compareDuration("Total execution time", now.total, now, formatMinutes, "in all")
	c.phaseRows()
	c.compareRecent(said, now, isEarlier)
}

// compareDuration compares a duration. A text that is no duration is a human's note and stays.
func (c *comparison) compareDuration(name string, took model.Millis, now settled, format func(d model.Millis) string, what string) {
	v, ok := c.findField(name)
	_, isDuration := protocol.ParseDuration(v.text)
	switch {
	case !ok || !isDuration && !isUnset(v.text):
	case now.clears && isDuration:
		c.addDifference(v, "-", "no plan of the tree is done")
	case took > 0 && !isSameTime(v.text, took, now.isStrict):
		c.addDifference(v, format(took), "summaries and logs say "+formatMinutes(took)+" "+what)
	}
}

// compareRecent compares the times of the last plans, the oldest first, and their trend. The file's times stay for plans whose time the
// tree does not know. Times that the tree knows replace the file's times of the same plans, and new ones are appended.
func (c *comparison) compareRecent(said claims, now settled, isEarlier bool) {
	t := &c.is.velocity
	v, ok := c.findField("Last 5 plans")
	var times []model.Millis
	var texts []string
	for one := range strings.SplitSeq(v.text, ",") {
		if d, ok := protocol.ParseDuration(one); ok {
			times, texts = append(times, d), append(texts, strings.TrimSpace(one))
		} else if !isUnset(v.text) {
			return // the field lists names of plans
		}
	}
	was, wasText := times, texts
	older, counted := t.done[:len(t.done)-now.newer], 0
	knowsAll := t.earlier.Plans == 0 && !isEarlier && !slices.ContainsFunc(t.done, func(w PlanWork) bool { return w.Took <= 0 })
	switch {
	case knowsAll || len(was) == 0:
		times, texts, counted = nil, nil, len(older)
	case said.hasPlans && !isEarlier:
		for counted < min(len(older), model.TrendWindow) && older[len(older)-1-counted].Took > 0 {
			counted++
		}
		left := min(len(was), now.plans-now.newer)
		// The file counts this many plans without a time; they may be among those whose time the tree knows by now.
		lacks := max(0, min(said.plans, model.TrendWindow)-left)
		for added := 0; added <= min(counted, lacks); added++ {
			known := counted - added // plans whose time both have
			isListed := known <= left && sameTimes(wasText[left-known:left], older[len(older)-counted:len(older)-added])
			if isListed || added == min(counted, lacks) {
				left = max(0, left-known)
				break
			}
		}
		times, texts = slices.Clone(times[:left]), slices.Clone(texts[:left])
	}
	for _, w := range t.done[len(older)-counted:] {
		if took := w.Took; took > 0 {
			times, texts = append(times, took), append(texts, formatMinutes(took))
		}
	}
	from := max(0, len(times)-model.TrendWindow)
	last, texts := times[from:], texts[from:]
	isSame := len(was) == len(last)
	for i, d := range last {
		isSame = isSame && (d == was[i] || isSameTime(wasText[i], d, now.isStrict))
	}
	if ok && !isSame && len(last) > 0 {
		list := strings.Join(texts, ", ")
		c.addDifference(v, list, "the last plans took "+list)
	}
	if len(times) > 0 && (knowsAll || !isSame) {
		c.compareTrend(model.TrendOf(times), len(times))
	}
}

// sameTimes reports whether texts are the times of plans.
func sameTimes(texts []string, work []PlanWork) bool {
	for i, w := range work {
		if !isSameTime(texts[i], w.Took, false) {
			return false
		}
	}
	return true
}

// compareTrend compares the word of the trend. Words that the protocol does not know are a human's and stay.
func (c *comparison) compareTrend(is model.Trend, plans int) {
	v, ok := c.findField("Trend")
	word := v.text
	if strings.EqualFold(word, "Degrading") { // GSD's word
		word = string(model.TrendDeclining)
	}
	known := slices.ContainsFunc([]model.Trend{model.TrendImproving, model.TrendStable, model.TrendDeclining}, func(t model.Trend) bool { return strings.EqualFold(word, string(t)) })
	if !ok || !known && !isUnset(v.text) || strings.EqualFold(word, string(is)) || is == model.TrendUnknown && !known {
		return
	}
	truth := "the last plans make it “" + string(is) + "”"
	if is == model.TrendUnknown {
		truth = "a trend takes " + strconv.Itoa(model.TrendWindow) + " plans; there are " + strconv.Itoa(plans)
	}
	c.addDifference(v, string(is), truth)
}

// FindUnlogged returns the plans and times that only STATE.md has, of the project ("") and of one phase. A recorder stores them, so that later
// logs are added to them.
func FindUnlogged(text string, is *Figures, phase string) map[string]Earlier {
	c, more := newComparison(text, is), map[string]Earlier{}
	note := func(key string, said claims, t *tally, isEarlier bool) {
		if !said.hasTotal || said.took <= t.totalTime()+precisionOf(said.total) || !isEarlier && (t.isWhole() || said.plans > t.countPlans()) {
			return
		}
		e := Earlier{Took: said.took - t.totalTime(), Untimed: max(0, t.untimed-t.earlier.Untimed)}
		if isEarlier {
			e.Plans = said.plans - t.countPlans()
		}
		more[key] = e
	}
	said, isEarlier := c.claimedVelocity()
	note("", said, &is.velocity, isEarlier)
	if p := is.findPhase(phase); p != nil {
		for i := range c.rows {
			if row := &c.rows[i]; isOf(row, p.Number) {
				note(p.Number, claimsOf(row), &p.velocity, false)
			}
		}
	}
	return more
}
