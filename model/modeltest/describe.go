package modeltest

import (
	"fmt"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Describe returns a build as text, for comparison with a golden file: one line for each fact, rows indented below the rows that hold
// them. Empty facts are left out. A row whose time is only that of its file has the sign "~".
func Describe(b *model.Build) string {
	var d describer
	d.add("%s %q %s: %s", b.ID, b.Title, b.Status, b.Why)
	d.addTime(" since", b.Since, b.SinceFile)
	d.addLine("line", b.Header)
	if b.Claimed != nil && (b.Header == nil || line.Full(b.Claimed) != line.Full(b.Header)) {
		d.addLine("claims", b.Claimed)
	}
	pr := &b.Progress
	d.add("progress: known %v, %d%%%s%s%s%s%s", pr.Known, pr.Percent, describeCount(", plans", pr.Plans), describeCount(", phases executed", pr.Phases),
		describeCount(", closed", pr.Closed), describeCount(", chunks", pr.Chunks), describeCount(", tasks", pr.Tasks))
	if b.Now != "" {
		d.add("now: %s", b.Now)
	}
	if n := b.Next; n != nil {
		d.add("next: %s (%s) %s %s", n.Command, n.Why, n.Node, n.Source)
	}
	if p := b.Pause; p != nil {
		d.add("paused: %q %s", p.Reason, p.Source)
		d.addTime(" since", p.Since, p.SinceFile)
	}
	d.addWaits("waits", b.Waits)
	d.addWaits("past", b.Expired)
	for _, x := range b.Blockers {
		d.add("%s: %s %s %s %s", map[bool]string{false: "blocker", true: "concern"}[x.Concern], x.Text, x.Owner, x.Node, x.Source)
		d.addTime(" since", x.Since, x.SinceFile)
	}
	for _, x := range b.Divergences {
		d.add("denied: %s; %s (%s)", x.Claim, x.Truth, x.Source)
	}
	for _, x := range b.Lags {
		d.add("lags: %s; %s (%s)", x.Claim, x.Truth, x.Source)
	}
	for _, p := range b.Problems {
		d.add("%s: %s", p.Severity, p)
	}
	if b.Freshness.Held > 0 {
		d.add("held: %d", b.Freshness.Held)
	}
	d.addTime("turns", b.Turns, false)
	if len(b.Can) > 0 {
		d.add("can: %v", b.Can)
	}
	d.addFacts("note", b.Notes)
	d.addFacts("metric", b.Metrics)
	for _, a := range b.Activity {
		d.add("event: %s %s %s %q %s %s alert %v", a.At.Format(time.RFC3339), a.Family, a.Kind, a.Text, a.Chunk, a.Node, a.Alert)
		d.addFacts(" event", a.Details)
	}
	if r := b.Resume; r != nil {
		d.add("resume: %s %s: %s", r.Action, r.Chunk, r.Why)
		d.add(" left %v done %v changed %v outdated %v offers %v", r.Chunks, r.Done, r.Changed, r.Outdated, r.Offers)
	}
	if h := b.History; h != nil {
		for _, p := range h.Pieces {
			d.add("piece: %s of %s done %v, took %d", p.Node, p.Phase, p.Done, p.Took)
			d.addTime(" began", p.Began, false)
			d.addTime(map[bool]string{false: " ended", true: " ended on the day"}[p.DayOnly], p.Ended, false)
		}
		d.add("unplanned: %d", h.Unplanned)
		d.addTime("known since", h.TotalSince, false)
	}
	if m := b.Measured; m != nil {
		d.add("measured: %d plans, %+v, %v", m.PlansDone, m.PlanTime, m.Recent)
	}
	d.addNodes("", b.Nodes)
	return d.text.String()
}

type describer struct{ text strings.Builder }

// add adds a line, without the blanks of empty facts.
func (d *describer) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	fmt.Fprintln(&d.text, indent+strings.Join(strings.Fields(text), " "))
}

func (d *describer) addTime(what string, at time.Time, fromFile bool) {
	if !at.IsZero() && !fromFile {
		d.add("%s %s", what, at.UTC().Format(time.RFC3339))
	}
}

func (d *describer) addLine(what string, l line.Facts) {
	if l != nil {
		d.add("%s: %s | %s", what, line.Full(l), line.Compact(l))
	}
}

func (d *describer) addWaits(what string, waits []model.Wait) {
	for _, w := range waits {
		d.add("%s: %s, %s: %s %s %s %s", what, w.Evidence, w.Place, w.Text, describeStanding(w.Standing), w.Node, w.Source)
		d.addTime(" since", w.Since, w.SinceFile)
	}
}

// describeStanding returns the standing of a row or a wait that does not count now.
func describeStanding(s model.Standing) string {
	words := [...]string{model.Old: "old", model.YourTurn: "turn", model.WithAgent: "with its agent", model.Upcoming: "later", model.Stale: "stale", model.Answered: "answered", model.Expired: "past", model.Archived: "archived"}
	switch {
	case s.IsCurrent():
		return ""
	case s.IsExpired() && s.IsArchived():
		return "(past, archived)"
	case s.Reason != "":
		return "(" + words[s.Status] + ": " + s.Reason + ")"
	}
	return "(" + words[s.Status] + ")"
}

func describeCount(what string, n model.Count) string {
	return describeFlag(what+" "+n.String(), n != model.Count{})
}

func describeFlag(what string, is bool) string {
	if is {
		return what
	}
	return ""
}

func (d *describer) addFacts(what string, facts []model.Fact) {
	for _, f := range facts {
		d.add("%s %s: %s", what, f.Label, f.Value)
	}
}

func (d *describer) addNodes(indent string, nodes []*model.Node) {
	for _, n := range nodes {
		d.add("%s%s %q %s [%s] %s%s%s%s%s: %s", indent, n.ID, n.Title, n.Status, n.Raw, describeStanding(n.Standing), describeFlag(" held", n.Held),
			describeCount(" ", n.Count), describeCount(" plans", n.Plans), describeFlag(" ~", n.SinceFile), n.Why)
		below := indent + "  "
		if n.Decides != (model.Pos{}) {
			d.add("%sdecides: %s", below, n.Decides)
		}
		d.addTime(below+"since", n.Since, n.SinceFile)
		if len(n.DependsOn)+len(n.BlockedBy) > 0 {
			d.add("%sneeds: %v, blocked by %v", below, n.DependsOn, n.BlockedBy)
		}
		if g := n.Gate; g != nil {
			d.add("%sasks: %q %q expects %q %s, required %v, upcoming %v, opens %v, can %v", below, g.Asks, g.Options, g.Expects, g.Reason, g.Required, g.Upcoming, g.Opens, g.Can)
		}
		if len(n.Can) > 0 {
			d.add("%scan: %v", below, n.Can)
		}
		d.addFacts(below+"-", n.Facts)
		d.addNodes(below, n.Children)
	}
}
