package modeltest

import (
	"fmt"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// DescribeBriefly returns a build as text like [Describe], without what most tests do not look at, and its rows on one line. Times after now are
// left out: they are of files that the test has written.
func DescribeBriefly(b *model.Build, now time.Time) string {
	var out strings.Builder
	add := func(label string, values ...any) {
		if text := strings.TrimSpace(fmt.Sprintln(values...)); text != "" && text != "[]" {
			fmt.Fprintf(&out, "%s: %s\n", label, text)
		}
	}
	add("status", fmt.Sprintf("%s %q: %s", b.Status, b.Raw, b.Why))
	if b.Claimed != nil {
		add("line", line.Full(b.Claimed))
	}
	if b.Header != nil && b.Claimed != nil && line.Full(b.Header) != line.Full(b.Claimed) {
		add("header", line.Full(b.Header))
	}
	if p := b.Progress; p.Known {
		add("progress", fmt.Sprintf("%d %% of %v phases, %v plans", p.Percent, p.Phases, p.Plans))
	}
	add("now", b.Now)
	if n := b.Next; n != nil {
		add("next", fmt.Sprintf("%s %s (%s)", n.Command, n.Node, n.Why))
	}
	if b.Pause != nil {
		add("pause", b.Pause.Reason, b.Pause.Source)
	}
	add("can", b.Can)
	add("unread", b.Unread)
	add("rows", describeRows(b.Nodes))
	for _, w := range b.Waits {
		since := ""
		if !w.Since.IsZero() && !w.Since.After(now) {
			since = " since " + w.Since.Format(time.RFC3339)
		}
		add("wait", fmt.Sprintf("%s at %s%s (%s, %s, upcoming %t) %s", w.Text, w.Node, since, w.Evidence, w.Place, w.IsUpcoming(), w.Source))
	}
	for _, x := range b.Blockers {
		add("blocker", fmt.Sprintf("%s at %s, concern %t", x.Text, x.Node, x.Concern))
	}
	for _, d := range b.Divergences {
		add("denied", fmt.Sprintf("%s: %s; %s", d.Source, d.Claim, d.Truth))
	}
	return out.String() + DescribeProblems(b.Problems)
}

// describeRows writes rows in brief, without skills and deliverables: "phase/A done, gate/b pending (human, required)".
func describeRows(nodes []*model.Node) string {
	var all []string
	for _, n := range model.Walk(nodes) {
		if n.Kind == model.KindSkill || n.Kind == model.KindDeliverable {
			continue
		}
		text := n.ID + " " + n.Status.String()
		if n.Wave > 0 {
			text += fmt.Sprintf(" wave %d", n.Wave)
		}
		if n.Attempt > 0 {
			text += fmt.Sprintf(" (attempt %d of %d)", n.Attempt, n.Attempts)
		}
		if g := n.Gate; g != nil {
			terms := string(g.Approval)
			if g.Required {
				terms += ", required"
			}
			for _, f := range n.Facts {
				terms += ", " + f.Label + " " + f.Value
			}
			text += " (" + terms + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// DescribeProblems writes problems, each on a line.
func DescribeProblems(all []model.Problem) string {
	var out strings.Builder
	for _, p := range all {
		fmt.Fprintf(&out, "%s %s: %s\n", p.Severity, p.Rule, p.String())
	}
	return out.String()
}
