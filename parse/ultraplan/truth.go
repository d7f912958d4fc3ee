// What the build comes to, and the claims of STATE.md and ROADMAP.md held against the tree.

package ultraplan

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
	"gatehouse/parse/ultraplan/statemd"
)

// conclude gives the build its progress, its status, and what comes next.
func (c *builder) conclude() {
	b := c.Build
	pr := &b.Progress
	var statuses []model.Status
	for _, p := range c.Phases {
		n := p.Count()
		pr.Plans.Done += n.Done
		pr.Plans.Total += n.Total
		if p.Status == model.Skipped {
			continue
		}
		pr.Phases.Total++
		if p.Status == model.Done {
			pr.Phases.Done++
		}
		statuses = append(statuses, p.Status)
	}
	pr.Closed, pr.Known, pr.Percent = pr.Phases, pr.Plans.Total > 0, pr.Plans.Floor()
	b.Raw, b.Why = line.Tidy(c.State.Status), "from "+protocol.Count(len(c.Phases), "phase")+" of the tree"
	switch certain := len(b.Certain()); {
	case certain > 0:
		b.Status, b.Why = model.Waiting, protocol.Count(certain, "thing")+" for a human to do"
	case c.Line.Complete:
		b.Status, b.Why = model.Done, "all "+protocol.Count(pr.Plans.Total, "plan")+" have a summary"
	case len(statuses) == 0:
		b.Why = "there are no phases to tell from"
	default:
		if b.Status = model.RollUp(statuses); b.Status == model.Done { // STATE.md counts phases that nobody has seen
			b.Status, b.Why = model.Active, "phase "+c.Line.ToPlan+" has no plans yet"
		}
	}
	c.next()
	c.nextOfPause()
	b.Freshness.Claimed = c.lastClaimed()
	claimed := c.Line
	header := c.header()
	b.Claimed, b.Header = &claimed, &header
}

// lastClaimed returns when something happened last by what the files say, as far as that is past: the newest result, the session,
// the gate, and the day of "Last activity". Of a day nobody knows the hour: it is over before it counts.
func (c *builder) lastClaimed() (last time.Time) {
	var times []time.Time
	if n := len(c.Logs); n > 0 {
		times = append(times, c.Logs[n-1].At)
	}
	if c.Session != nil {
		times = append(times, protocol.ParseTime(c.Session.Updated))
	}
	if g := c.State.Gate; g != nil {
		times = append(times, g.Started, g.Last)
	}
	if day, err := time.ParseInLocation(time.DateOnly, c.State.ActiveOn, c.now.Location()); err == nil {
		times = append(times, day.AddDate(0, 0, 1))
	}
	for _, t := range times {
		if t.After(last) && !t.After(c.now) {
			last = t
		}
	}
	return last
}

// next names the plan at work, or what comes next.
func (c *builder) next() {
	b := c.Build
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			switch {
			case s.Done:
			case s.ID == c.Line.Running && b.Now == "":
				b.Now = s.Node
			case s.ID == c.Line.Next && b.Next == nil:
				why := "the first plan without a summary that waits for no other"
				if c.Line.NextWaits {
					why = "the first plan without a summary; each of them waits for another"
				}
				b.Next = &model.Next{Command: c.Line.Next, Why: why, Node: s.Node, Derived: true}
			}
		}
		if c.Line.ToPlan != "" && b.Next == nil && rules.CompareNumbers(p.Number, c.Line.ToPlan) == 0 {
			b.Next = &model.Next{Command: "plan-phase " + c.Line.ToPlan, Why: line.Tidy("phase " + p.Number + ": " + p.Why), Node: p.ID, Derived: true}
		}
	}
	if c.Line.ToPlan != "" && b.Next == nil {
		b.Next = &model.Next{Command: "plan-phase " + c.Line.ToPlan, Why: "STATE.md counts " + c.State.PhaseTotal + " phases", Derived: true, Source: model.Pos{File: b.File, Line: c.State.PhaseLine}}
	}
}

// pause notes that work was broken off: continue.md is there. What it says comes next does. In a build that is done the file was only left behind.
func (c *builder) pause() {
	if c.Resume == nil || c.Line.Complete {
		return
	}
	at := model.Pos{File: facts.ResumeFile}
	c.Build.Pause = &model.Pause{Reason: c.brokenOffAt(), Since: c.ResumeAt, Source: at}
	c.brokenOff()
}

// brokenOffAt says where work was broken off: at the last task of continue.md, else where STATE.md says that it stopped.
func (c *builder) brokenOffAt() string {
	if at := line.Tidy(c.Resume.Last); at != "" {
		return at
	}
	return line.Tidy(c.State.StoppedAt)
}

// nextOfPause takes what comes next from what was left behind.
func (c *builder) nextOfPause() {
	if c.Build.Pause == nil {
		return
	}
	if next := line.Tidy(c.Resume.Next); next != "" {
		n := &model.Next{Command: next, Why: "continue.md names it as the next step", Node: c.Build.Now, Source: model.Pos{File: facts.ResumeFile}}
		if n.Node == "" && c.Build.Next != nil {
			n.Node = c.Build.Next.Node
		}
		c.Build.Next = n
	}
}

// header returns the facts of the dashboard's line: those of the prompt, which come from the tree already, without a status
// that calls complete what is not.
func (c *builder) header() line.Ultraplan {
	u := c.Line
	if !u.Complete && rules.Status(u.Status) == rules.StatusComplete {
		u.Status = ""
	}
	return u
}

func (c *builder) diverges(claim, truth string, at model.Pos) {
	c.Build.Divergences = append(c.Build.Divergences, model.Divergence{Claim: line.Tidy(claim), Truth: line.Tidy(truth), Source: at})
}

// compare lists what the files claim and the tree denies.
func (c *builder) compare() {
	whole := func(text string) (wholeState, error) { return wholeState(text), nil }
	if r := mirror.Read(c.Mirror, c.Build.File, whole); r.Exists && r.Err == nil {
		c.differences = statemd.Differences(string(r.Value), c.figures())
		for _, d := range c.differences {
			c.diverges(d.Claim, d.Truth, model.Pos{File: c.Build.File, Line: d.Line})
		}
	}
	if t := cmp.Or(c.atWork(), c.Loose()); t != nil && t.Behind() {
		claim := "the gate of " + t.Name + " is " + t.Gate.Status
		c.diverges(claim, t.Why, model.Pos{File: c.Build.File, Line: t.Gate.Line})
	}
	c.compareRoadmap()
}

// compareRoadmap lists the phases that the roadmap checks off and the tree has open, those of one kind together.
func (c *builder) compareRoadmap() {
	var open, bare []*facts.Phase
	for _, p := range c.Phases {
		switch {
		case p.Road == nil || !p.Road.Checked || p.Road.Skipped || p.Status == model.Done:
		case len(p.Plans) > 0:
			open = append(open, p)
		case p.Dir == "" || !c.planned(p.Number):
			bare = append(bare, p)
		}
	}
	c.checkedOff(open, "it has plans without a summary", "they have plans without a summary")
	c.checkedOff(bare, "it has no plan", "none of them has a plan")
}

func (c *builder) checkedOff(phases []*facts.Phase, one, several string) {
	switch len(phases) {
	case 0:
		return
	case 1:
		c.diverges("ROADMAP.md checks off phase "+phases[0].Number, one, model.Pos{File: facts.RoadmapFile, Line: phases[0].Road.Line})
	default:
		c.diverges("ROADMAP.md checks off phases "+numbers(phases), several, model.Pos{File: facts.RoadmapFile, Line: phases[0].Road.Line})
	}
}

// planned reports whether a directory with this number has plans.
func (c *builder) planned(number string) bool {
	for _, p := range c.Phases {
		if len(p.Plans) > 0 && rules.CompareNumbers(p.Number, number) == 0 {
			return true
		}
	}
	return false
}

// numbers returns the phases in a list, by number: "1, 13 and 14".
func numbers(phases []*facts.Phase) string {
	const most = 12
	var names []string
	for _, p := range phases {
		names = append(names, p.Number)
	}
	names = slices.Compact(names)
	if len(names) > most+1 {
		return strings.Join(names[:most], ", ") + " and " + protocol.Count(len(names)-most, "other")
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}
