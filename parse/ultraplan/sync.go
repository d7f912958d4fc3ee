// Bringing STATE.md in line with the tree: what the file counts, and nothing that only people can know.

package ultraplan

import (
	"fmt"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/reader"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
	"gatehouse/parse/ultraplan/statemd"
)

// syncSpans returns what STATE.md has to say otherwise, by the tree that was read.
func (c *builder) syncSpans(content string) (spans []model.Span) {
	pr := &c.Build.Progress
	s, _ := facts.ParseState(content) // what it could not read is not there
	add := func(more []model.Span, _ string) { spans = append(spans, more...) }
	add(statemd.SetPhaseTotal(content, s.PhaseTotal, c.phaseNumbers()))
	if p := c.overclaimed(s); p != nil {
		add(statemd.SetField(content, "Status", facts.TreeWord(p.Count())))
	}
	if s.HasPercent && s.Percent != pr.Percent || s.Plans.Total > 0 && s.Plans != pr.Plans {
		add(statemd.SetProgress(content, pr.Plans.Done, pr.Plans.Total))
	}
	for _, m := range s.Metrics {
		if n, err := strconv.Atoi(m.Value); err == nil && m.Label == "Total plans completed" && n != pr.Plans.Done {
			add(statemd.SetField(content, m.Label, strconv.Itoa(pr.Plans.Done)))
		}
	}
	return spans
}

// overclaimed returns the phase that a STATE.md calls complete and that is not, nil where there is none.
func (c *builder) overclaimed(s *facts.State) *facts.Phase {
	if rules.Status(s.Status) != rules.StatusComplete {
		return nil
	}
	for _, p := range c.Phases {
		if s.Phase != "" && p.Dir != "" && rules.CompareNumbers(p.Number, s.Phase) == 0 && p.Count().Open() > 0 {
			return p
		}
	}
	return nil
}

// phaseNumbers returns how many phases there are by number.
func (c *builder) phaseNumbers() int {
	numbers := map[string]bool{}
	for _, p := range c.Phases {
		numbers[rules.TrimZeros(p.Number)] = true
	}
	return len(numbers)
}

// wholeState is STATE.md as it stands, for the mirror to keep beside what is read from it.
type wholeState string

// verbs returns what can be done to the build as a whole: sync, where STATE.md claims what the tree denies and something can
// be mended.
func (c *builder) verbs() []model.Verb {
	if c.Unlisted != "" {
		return nil
	}
	for _, d := range c.Build.Divergences {
		if d.Source.File != c.Build.File {
			continue
		}
		whole := func(text string) (wholeState, error) { return wholeState(text), nil }
		if r := mirror.Read(c.Mirror, c.Build.File, whole); r.Err == nil && len(c.syncSpans(string(r.Value))) > 0 {
			return []model.Verb{model.VerbSync}
		}
		break
	}
	return nil
}

// syncEffect says in words what a sync comes to.
func syncEffect(spans []model.Span) (was, is, effect string) {
	first := spans[0]
	for _, s := range spans {
		if s.Label == "Progress" {
			first = s
		}
	}
	was, is = shortly(first.Old), shortly(first.New)
	return was, is, fmt.Sprintf("%s, %s → %s", reader.Counted(len(spans), "value"), was, is)
}

// shortly returns the percent of a progress, else the value itself.
func shortly(value string) string {
	if p := facts.PercentIn(value); p != "" {
		return p
	}
	return line.Tidy(strings.TrimSpace(value))
}
