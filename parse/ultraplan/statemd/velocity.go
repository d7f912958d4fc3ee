// The velocity: how many plans are done and how long they took. All values count the same plans. STATE.md may know of more plans than
// the tree, those of earlier milestones and those without a logged time: such values stay, and new plans are added to them.

package statemd

import (
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// claims is what a file says of plans and their time.
type claims struct {
	plans    int
	hasPlans bool
	total    string
	took     model.Millis
	hasTotal bool
	average  string
}

// settled is what the file has to say.
type settled struct {
	plans          int
	total, average model.Millis    // 0 leaves a value alone
	clears         bool            // without plans or time nothing is left to say
	older          int             // of the file's plans that count
	newer          []core.PlanWork // finished since the file was written
}

// settle decides what a file has to say by a tally.
func (said *claims) settle(t *tally, isEarlier bool) (now settled) {
	now = settled{plans: t.plans(), total: t.total(), older: t.plans()}
	if said.hasPlans && said.plans < now.plans {
		now.newer = said.newer(t)
		now.older -= len(now.newer)
	}
	newer := model.Millis(0)
	for _, w := range now.newer {
		newer += model.Millis(w.MS)
	}
	slack := precision(said.total)
	knowsMore := said.hasTotal && said.took > t.total()-newer+slack
	switch {
	case isEarlier && (knowsMore || !said.hasTotal): // the file counts plans that the tree never had
		return settled{plans: said.plans, older: said.plans}
	case said.hasPlans && said.plans > now.plans:
		if knowsMore && !t.isWhole() {
			now.total = max(now.total, said.took*model.Millis(now.plans)/model.Millis(said.plans))
		}
		now.clears = now.plans == 0 && now.total == 0
	case knowsMore && !t.isWhole():
		now.total = max(now.total, said.took+newer)
	}
	isKnown := t.isWhole() || knowsMore
	if now.plans == 0 || now.total == 0 || !isKnown {
		return now
	}
	now.average = now.total / model.Millis(now.plans)
	if done := (t.finished + model.Millis(t.earlier.MS)) / model.Millis(now.plans); t.isWhole() && isSameTime(said.average, done) {
		now.average = 0 // of the plans that are done, while others are at work
	}
	return now
}

// newer returns the plans that were finished since a file was written: the last ones, unless the file has the time of just those that are
// known.
func (said *claims) newer(t *tally) []core.PlanWork {
	var timed, untimed []core.PlanWork
	for _, w := range t.done {
		if w.MS > 0 {
			timed = append(timed, w)
		} else {
			untimed = append(untimed, w)
		}
	}
	n, from := t.plans()-said.plans, t.done
	if len(timed) == said.plans && said.took+precision(said.total) >= t.finished {
		from = untimed
	}
	return from[max(0, len(from)-n):]
}

// isEarlier reports whether a number of plans is larger than the tree's because it counts plans of earlier milestones: no plan of the
// tree is done, the tree has fewer plans, or the table has the phases that the tree has not. Its time has to fit it.
func (said *claims) isEarlier(is *Figures, elsewhere int) bool {
	n := is.velocity.plans()
	if average, ok := parseDuration(said.average); ok && said.hasTotal {
		if sum := average * model.Millis(said.plans); sum < said.took*8/10 || sum > said.took*12/10 {
			return false
		}
	}
	return said.hasPlans && said.plans > n && (len(is.velocity.done) == 0 || said.plans > is.totals.Total || elsewhere > 0 && said.plans <= n+elsewhere)
}

// claimedVelocity reads the velocity of a file.
func (c *comparison) claimedVelocity() (said claims, isEarlier bool) {
	plans, _ := c.field("Total plans completed")
	total, _ := c.field("Total execution time")
	average, _ := c.field("Average duration")
	n, err := strconv.Atoi(plans.text)
	said = claims{plans: n, hasPlans: err == nil, total: total.text, average: average.text}
	said.took, said.hasTotal = parseDuration(total.text)
	elsewhere := 0
	for _, row := range c.rows {
		if done, total, ok := row.count(); ok && done == total && c.is.find(row.number) == nil {
			elsewhere += done
		}
	}
	return said, said.isEarlier(c.is, elsewhere)
}

// velocity compares the fields of the velocity, the table and the trend.
func (c *comparison) velocity() {
	said, isEarlier := c.claimedVelocity()
	t := &c.is.velocity
	now := said.settle(t, isEarlier)
	if v, ok := c.field("Total plans completed"); ok && now.plans != said.plans && (said.hasPlans || isUnset(v.text) && now.plans > 0) {
		c.differs(v, strconv.Itoa(now.plans), "the tree has "+protocol.Count(len(t.done), "plan")+" with a summary")
	}
	c.duration("Average duration", now.average, now.clears, func(string, model.Millis) string { return formatWords(now.average) }, "on average")
	c.duration("Total execution time", now.total, now.clears, formatTotal, "in all")
	c.phaseRows()
	c.recent(now, isEarlier)
}

// duration compares a duration. A text that is no duration belongs to people.
func (c *comparison) duration(name string, took model.Millis, clears bool, format func(old string, d model.Millis) string, what string) {
	v, ok := c.field(name)
	_, isDuration := parseDuration(v.text)
	switch {
	case !ok || !isDuration && !isUnset(v.text):
	case clears && isDuration:
		c.differs(v, "-", "no plan of the tree is done")
	case took > 0 && !isSameTime(v.text, took):
		c.differs(v, format(v.text, took), "summaries and logs say "+formatMinutes(took)+" "+what)
	}
}

// recent compares how long the last plans took, the oldest first, and the trend of them.
func (c *comparison) recent(now settled, isEarlier bool) {
	var known []model.Millis
	t := &c.is.velocity
	for _, w := range t.done {
		if w.MS > 0 {
			known = append(known, model.Millis(w.MS))
		}
	}
	knowsAll := t.untimed == 0 && t.earlier.Plans == 0 && !isEarlier
	v, ok := c.field("Last 5 plans")
	var said []model.Millis
	for one := range strings.SplitSeq(v.text, ",") {
		if d, ok := parseDuration(one); ok {
			said = append(said, d)
		} else if !isUnset(v.text) {
			return // names of plans
		}
	}
	texts := strings.Split(v.text, ",")
	if !knowsAll && len(said) > 0 { // the file knows more: what was finished since comes behind
		known = said[:min(len(said), now.older)]
		texts = texts[:len(known)]
		for _, w := range now.newer {
			if took := model.Millis(w.MS); took > 0 {
				known, texts = append(known, took), append(texts, formatMinutes(took))
			}
		}
	} else if len(known) == 0 {
		return
	}
	last := known[max(0, len(known)-model.TrendWindow):]
	isSame := len(said) == len(last)
	for i, d := range last {
		isSame = isSame && (d == said[i] || isSameTime(strings.Split(v.text, ",")[i], d))
	}
	if ok && !isSame {
		list := make([]string, len(last))
		for i, d := range last {
			if list[i] = formatMinutes(d); !knowsAll && len(said) > 0 {
				list[i] = strings.TrimSpace(texts[len(texts)-len(last)+i])
			}
		}
		c.differs(v, strings.Join(list, ", "), "the last plans took "+strings.Join(list, ", "))
	}
	if knowsAll || !isSame {
		c.trend(model.TrendOf(known), len(known))
	}
}

// trend compares the word of the trend. Other words than the protocol's belong to people.
func (c *comparison) trend(is model.Trend, plans int) {
	v, ok := c.field("Trend")
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
	c.differs(v, string(is), truth)
}

// Unlogged returns what STATE.md knows beyond the figures, of the project and of one phase. A recorder keeps it, so that what is logged from
// now on is added to it.
func Unlogged(text string, is *Figures, phase string) (more []core.Earlier) {
	c := newComparison(text, is)
	note := func(key string, said claims, t *tally, isEarlier bool) {
		if !said.hasTotal || said.took <= t.total()+precision(said.total) || !isEarlier && (t.isWhole() || said.plans > t.plans()) {
			return
		}
		e := core.Earlier{Phase: key, MS: int64(said.took - t.total()), Untimed: max(0, t.untimed-t.earlier.Untimed)}
		if isEarlier {
			e.Plans = said.plans - t.plans()
		}
		more = append(more, e)
	}
	said, isEarlier := c.claimedVelocity()
	note("", said, &is.velocity, isEarlier)
	if p := is.find(phase); p != nil {
		for _, row := range c.rows {
			if row.isOf(p.number) {
				note(p.number, row.claims(), &p.velocity, false)
			}
		}
	}
	return more
}
