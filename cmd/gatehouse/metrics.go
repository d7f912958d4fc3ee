package main

// gatehouse metrics: the numbers of a build, from its logs and its tree.

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/model"
)

// metricsJSON is the document of "gatehouse metrics --json".
type metricsJSON struct {
	Schema int            `json:"schema"`
	Build  string         `json:"build"` // ID
	Of     string         `json:"of"`    // the ID of the node, the day, or "project"
	name   string         // of that for people, "" for the same
	Tally  tallyJSON      `json:"tally"`
	Parts  []partJSON     `json:"parts"`          // the tasks of a plan, the plans of a phase, the phases of a project
	Days   []dayJSON      `json:"days,omitempty"` // the oldest first; of a whole build
	Plans  *planTimesJSON `json:"plans,omitempty"`
	Facts  []model.Fact   `json:"facts,omitempty"` // what the files keep of numbers: the metrics of a loop
}

// tallyJSON is a [model.Tally] with what follows from it.
type tallyJSON struct {
	model.Tally
	SuccessRate *float64      `json:"success_rate"` // null without an attempt
	Average     *model.Millis `json:"average_ms"`   // how long an attempt took on average; null if that is unknown
}

type partJSON struct {
	Node  string    `json:"node"` // ID
	Name  string    `json:"name"` // number and title
	Tally tallyJSON `json:"tally"`
}

type dayJSON struct {
	Date  string    `json:"date"`  // like 2026-01-26
	Plans int       `json:"plans"` // plans finished on it
	Tally tallyJSON `json:"tally"`
}

// planTimesJSON is how long plans took.
type planTimesJSON struct {
	Done    int            `json:"done"` // how many are finished
	Time    model.Spread   `json:"time"`
	Average *model.Millis  `json:"average_ms"` // of those whose duration is known; null without one
	Recent  []model.Millis `json:"recent_ms"`  // durations of the last ones, the oldest first
	Trend   model.Trend    `json:"trend"`
}

// metricsFlags are the flags of metrics.
type metricsFlags struct {
	target
	plan, phase, task, day string
	window                 int
}

func newMetrics(s *env) *cobra.Command {
	var m metricsFlags
	cmd := &cobra.Command{
		Use:   "metrics",
		Short: "Print the numbers of a build",
		Long: `Print the numbers of a build from its logs and its tree: attempts, successes, retries
and durations by phase and by day, and the trend of the plans. --phase, --plan, --task
and --day select one; a task is named by its plan and number, 03-01:2. For a loop, print
the metrics that its state keeps. The trend compares the last two of five plans with the
three before; with --window 10, the last four of ten with the six before.

With --json: {"schema", "build", "of", "tally", "parts": [{"node", "name", "tally"}],
"days": [{"date", "plans", "tally"}], "plans": {"done", "time", "average_ms",
"recent_ms", "trend"}, "facts": [{"label", "value"}]}. A tally has "executed", "succeeded", "failed", "blocked",
"retries", "files", "time": {"known", "total_ms", "min_ms", "max_ms"},
"success_rate" and "average_ms", null if nothing is known.`,
		RunE: func(*cobra.Command, []string) error { return m.printMetrics(s) },
	}
	m.addTo(s, cmd)
	s.jsonFlag(cmd, "print the numbers as JSON")
	cmd.Flags().StringVar(&m.plan, "plan", "", "only the plan with this `ID`, like 03-01")
	cmd.Flags().StringVar(&m.phase, "phase", "", "only the phase with this `number`")
	cmd.Flags().StringVar(&m.task, "task", "", "only one task, as `PLAN:NUMBER`")
	cmd.Flags().StringVar(&m.day, "day", "", "only this `DATE`, like 2026-01-26")
	cmd.Flags().IntVar(&m.window, "window", model.TrendWindow, "base the trend on this `number` of plans, 2 or more")
	return cmd
}

var errNoMetrics = errors.New("no log and no finished plan is there to count; " + elsewhere)

// keepsOwn reports whether a build has its own numbers instead of plans that can be counted.
func keepsOwn(b *model.Build) bool { return path.Ext(b.File) == ".json" }

// printMetrics finds the build with numbers, and prints the requested ones.
func (m *metricsFlags) printMetrics(s *env) error {
	named := 0
	for _, of := range []string{m.plan, m.phase, m.task, m.day} {
		if of != "" {
			named++
		}
	}
	if named > 1 {
		return usageError{errors.New("name one of --plan, --phase, --task and --day")}
	}
	if m.window < 2 {
		return usageError{fmt.Errorf("--window %d: a trend needs 2 plans or more", m.window)}
	}
	var found *model.Build
	_, err := m.findIn(s, func(mp *model.Project) error {
		builds, err := m.selectBuilds(mp.Builds)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(builds, func(b *model.Build) bool { return b.Measured != nil })
		if i < 0 && named == 0 {
			i = slices.IndexFunc(builds, func(b *model.Build) bool { return len(b.Metrics) > 0 })
		}
		if i < 0 {
			i = slices.IndexFunc(builds, keepsOwn)
		}
		switch {
		case i < 0:
			return errNoMetrics
		case named > 0 && builds[i].Measured == nil:
			return errors.New("its numbers are of the whole; leave out --plan, --phase, --task and --day")
		}
		found = builds[i]
		return nil
	})
	if err != nil {
		return err
	}
	out, err := m.collectMetrics(found)
	if err != nil {
		return err
	}
	if s.asJSON {
		return s.out.printJSON(out)
	}
	if found.Measured == nil && len(out.Facts) == 0 {
		s.out.printf("no metrics yet in %s\n", found.File)
		return nil
	}
	s.printTable(out)
	return nil
}

// collectMetrics gathers the requested numbers.
func (m *metricsFlags) collectMetrics(b *model.Build) (*metricsJSON, error) {
	all := b.Measured
	out := &metricsJSON{Schema: statusSchema, Build: b.ID, Parts: []partJSON{}}
	if all == nil {
		out.Of, out.Facts = "project", b.Metrics
		return out, nil
	}
	if m.day != "" {
		if _, err := time.Parse(time.DateOnly, m.day); err != nil {
			return nil, usageError{fmt.Errorf("--day %s: write a date, like 2026-01-26", m.day)}
		}
		out.Of = m.day
		if i := slices.IndexFunc(all.Days, func(d model.Day) bool { return d.Date == m.day }); i >= 0 {
			out.Tally = withRates(&all.Days[i].Tally)
		}
		return out, nil
	}
	node, err := m.findNode(b)
	if err != nil {
		return nil, err
	}
	if node == nil {
		out.Of, out.Tally, out.Parts = "project", withRates(&all.All), partsOf(b.Nodes, all.Phases)
		for i := range all.Days {
			out.Days = append(out.Days, dayJSON{all.Days[i].Date, all.Days[i].Plans, withRates(&all.Days[i].Tally)})
		}
		recent, trend := all.Lately(m.window)
		out.Plans = &planTimesJSON{all.PlansDone, all.PlanTime, averageOf(all.PlanTime), nonNil(recent), trend}
		return out, nil
	}
	out.Of, out.name = node.ID, strings.TrimSpace(node.Number+" "+node.Title)
	of := map[model.Kind][]model.Measure{model.KindPhase: all.Phases, model.KindPlan: all.Plans, model.KindTask: all.Tasks}[node.Kind]
	if i := slices.IndexFunc(of, func(x model.Measure) bool { return x.Node == node.ID }); i >= 0 {
		out.Tally = withRates(&of[i].Tally)
	}
	out.Parts = partsOf(node.Children, slices.Concat(all.Plans, all.Tasks))
	return out, nil
}

// findNode returns the node that the flags name, nil for the whole build.
func (m *metricsFlags) findNode(b *model.Build) (*model.Node, error) {
	plan, task, _ := strings.Cut(m.task, ":")
	word, kind, flag := m.phase, model.KindPhase, "--phase"
	switch {
	case m.task != "":
		if task = strings.TrimPrefix(task, "task-"); task == "" {
			return nil, usageError{fmt.Errorf("--task %s: write it as its plan and number, like 03-01:2", m.task)}
		}
		word, kind, flag = plan, model.KindPlan, "--task"
	case m.plan != "":
		word, kind, flag = m.plan, model.KindPlan, "--plan"
	case m.phase == "":
		return nil, nil
	}
	for _, n := range model.Walk(b.Nodes) {
		if n.Kind != kind || trimZeros(n.Number) != trimZeros(word) {
			continue
		}
		if task == "" {
			return n, nil
		}
		for _, t := range n.Children {
			if t.Kind == model.KindTask && trimZeros(t.Number) == trimZeros(task) {
				return t, nil
			}
		}
	}
	return nil, usageError{fmt.Errorf("%s %s: there is no such %s in %s", flag, strings.TrimSpace(word+" "+task), kind, b.ID)}
}

// trimZeros returns numbers without leading zeros, so that 3-1 finds 03-01.
func trimZeros(number string) string {
	parts := strings.Split(number, "-")
	for i, p := range parts {
		if parts[i] = strings.TrimLeft(p, "0"); parts[i] == "" {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, "-")
}

func withRates(t *model.Tally) tallyJSON {
	j := tallyJSON{Tally: *t, Average: averageOf(t.Time)}
	if t.Executed > 0 {
		rate := float64(t.Succeeded) / float64(t.Executed)
		j.SuccessRate = &rate
	}
	return j
}

// averageOf returns the average of durations, nil without one.
func averageOf(time model.Spread) *model.Millis {
	if time.Known == 0 {
		return nil
	}
	average := time.Average()
	return &average
}

// partsOf returns the numbers of the nodes that have some, in tree order.
func partsOf(nodes []*model.Node, of []model.Measure) []partJSON {
	found := []partJSON{}
	for _, n := range nodes {
		if i := slices.IndexFunc(of, func(x model.Measure) bool { return x.Node == n.ID }); i >= 0 {
			found = append(found, partJSON{Node: n.ID, Name: strings.TrimSpace(n.Number + " " + n.Title), Tally: withRates(&of[i].Tally)})
		}
	}
	return found
}

// printTable prints numbers for people.
func (s *env) printTable(m *metricsJSON) {
	const names = 28 // columns
	if m.Facts != nil {
		s.out.printf("%s\n", m.Build)
		for _, f := range m.Facts {
			s.out.printf("  %s %s\n", fitColumn(f.Label, names-2), f.Value)
		}
		return
	}
	row := func(name exact, t *tallyJSON) {
		s.out.printf("%s %5d %5d %6d %7d %7d   %s\n", name, t.Executed, t.Succeeded, t.Failed, t.Blocked, t.Retries, formatSpread(t.Time))
	}
	s.out.printf("%s %5s %5s %6s %7s %7s   %s\n", fitColumn(m.Build, names), "runs", "done", "failed", "blocked", "retries", "average (least to most)")
	row(fitColumn(cmp.Or(m.name, m.Of), names), &m.Tally)
	for i := range m.Parts {
		row("  "+fitColumn(m.Parts[i].Name, names-2), &m.Parts[i].Tally)
	}
	for i := range m.Days {
		row("  "+fitColumn(m.Days[i].Date, names-2), &m.Days[i].Tally)
	}
	if m.Tally.Executed > 0 {
		s.out.printf("success rate %d %%, %d files touched\n", m.Tally.Rate().Floor(), m.Tally.Files)
	}
	if p := m.Plans; p != nil {
		s.out.printf("plans finished: %d, %s each\n", p.Done, formatSpread(p.Time))
		var recent []string
		for _, d := range p.Recent {
			recent = append(recent, d.Duration().Round(time.Second).String())
		}
		if len(recent) > 0 {
			s.out.printf("the last, oldest first: %s; trend: %s\n", strings.Join(recent, ", "), p.Trend)
		}
	}
}

// formatSpread describes the spread of durations.
func formatSpread(t model.Spread) string {
	if t.Known == 0 {
		return "-"
	}
	short := func(d model.Millis) string { return d.Duration().Round(100 * time.Millisecond).String() }
	return fmt.Sprintf("%s (%s to %s)", short(t.Average()), short(t.Min), short(t.Max))
}
