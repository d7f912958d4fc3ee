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

	"gatehouse/cmd/gatehouse/remote"
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

func newMetrics(s *env) *cobra.Command {
	var pl target
	var plan, phase string
	cmd := &cobra.Command{
		Use:   "metrics",
		Short: "Print the numbers of a build",
		Long: `Print the numbers of a build from its logs and its tree: attempts, successes, retries
and durations by phase and by day, and the trend of the plans. --phase and --plan
select one. For a loop, print the metrics that its state keeps. The trend compares the
last two of five plans with the three before.`,
		RunE: func(*cobra.Command, []string) error {
			kind, number := model.KindPhase, phase
			switch {
			case plan != "" && phase != "":
				return usageError{errors.New("name one of --plan and --phase")}
			case plan != "":
				kind, number = model.KindPlan, plan
			}
			b, err := pl.findMeasured(s, number != "")
			if err != nil {
				return err
			}
			out := metricsJSON{Schema: remote.Schema, Build: b.ID, Of: "project", Parts: []partJSON{}}
			switch {
			case b.Measured == nil:
				out.Facts = b.Metrics
			case number == "":
				out.addBuild(b)
			default:
				if err := out.addNode(b, kind, number); err != nil {
					return err
				}
			}
			switch {
			case s.asJSON:
				return s.out.printJSON(out)
			case b.Measured == nil && len(out.Facts) == 0:
				s.out.printf("no metrics yet in %s\n", b.File)
			default:
				s.printMetrics(&out)
			}
			return nil
		},
	}
	pl.addTo(s, cmd)
	s.jsonFlag(cmd, "print the numbers as JSON")
	cmd.Flags().StringVar(&plan, "plan", "", "only the plan with this `ID`, like 03-01")
	cmd.Flags().StringVar(&phase, "phase", "", "only the phase with this `number`")
	return cmd
}

// findMeasured returns the build with numbers: one with plans that were measured, else one whose file keeps numbers of the whole.
func (pl *target) findMeasured(s *env, ofPart bool) (found *model.Build, err error) {
	_, err = pl.find(s, func(in *selection) error {
		builds, err := pl.selectBuilds(in)
		if err != nil {
			return err
		}
		for _, has := range []func(*model.Build) bool{
			func(b *model.Build) bool { return b.Measured != nil },
			func(b *model.Build) bool { return !ofPart && len(b.Metrics) > 0 },
			func(b *model.Build) bool { return !ofPart && path.Ext(b.File) == ".json" }, // it may keep some later
		} {
			if i := slices.IndexFunc(builds, has); i >= 0 {
				found = builds[i]
				return nil
			}
		}
		return errors.New("no log and no finished plan is there to count; " + elsewhere)
	})
	return found, err
}

// addBuild adds the numbers of a whole build.
func (out *metricsJSON) addBuild(b *model.Build) {
	all := b.Measured
	out.Tally, out.Parts = withRates(&all.All), partsOf(b.Nodes, all.Phases)
	for i := range all.Days {
		out.Days = append(out.Days, dayJSON{all.Days[i].Date, all.Days[i].Plans, withRates(&all.Days[i].Tally)})
	}
	recent, trend := all.Lately(model.TrendWindow)
	out.Plans = &planTimesJSON{all.PlansDone, all.PlanTime, averageOf(all.PlanTime), nonNil(recent), trend}
}

// addNode adds the numbers of the phase or plan with a number.
func (out *metricsJSON) addNode(b *model.Build, kind model.Kind, number string) error {
	for _, n := range model.Walk(b.Nodes) {
		if n.Kind != kind || trimZeros(n.Number) != trimZeros(number) {
			continue
		}
		out.Of, out.name = n.ID, strings.TrimSpace(n.Number+" "+n.Title)
		for _, x := range slices.Concat(b.Measured.Phases, b.Measured.Plans) {
			if x.Node == n.ID {
				out.Tally = withRates(&x.Tally)
			}
		}
		out.Parts = partsOf(n.Children, slices.Concat(b.Measured.Plans, b.Measured.Tasks))
		return nil
	}
	return usageError{fmt.Errorf("%q: there is no such %s in %s", number, kind, b.ID)}
}

// trimZeros returns numbers without leading zeros, so that 3-1 finds 03-01.
func trimZeros(number string) string {
	parts := strings.Split(number, "-")
	for i, p := range parts {
		parts[i] = cmp.Or(strings.TrimLeft(p, "0"), "0")
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

// printMetrics prints numbers for people.
func (s *env) printMetrics(m *metricsJSON) {
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
