// Bringing STATE.md in line with the tree: what the file counts, and nothing that only people can know.

package ultraplan

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/rules"
)

// syncSpans returns what STATE.md has to say otherwise, by the tree that was read.
func (c *collector) syncSpans(content string) (spans []model.Span) {
	pr, s := &c.b.Progress, parsedState(content)
	add := func(more []model.Span, _ string) { spans = append(spans, more...) }
	add(setPhaseTotal(content, s.PhaseTotal, c.phaseNumbers()))
	if p := c.overclaimed(s); p != nil {
		add(setField(content, "Status", treeWord(p.count())))
	}
	if s.percentIs && s.percent != pr.Percent || s.plans.Total > 0 && s.plans != pr.Plans {
		add(setProgress(content, pr.Plans.Done, pr.Plans.Total))
	}
	for _, m := range s.metrics {
		if n, err := strconv.Atoi(m.Value); err == nil && m.Label == "Total plans completed" && n != pr.Plans.Done {
			add(setField(content, m.Label, strconv.Itoa(pr.Plans.Done)))
		}
	}
	return spans
}

// overclaimed returns the phase that a STATE.md calls complete and that is not, nil where there is none.
func (c *collector) overclaimed(s *state) *phase {
	if rules.Status(s.Status) != rules.StatusComplete {
		return nil
	}
	for _, p := range c.phases {
		if s.Phase != "" && p.Dir != "" && rules.CompareNumbers(p.Number, s.Phase) == 0 && p.count().Open() > 0 {
			return p
		}
	}
	return nil
}

// phaseNumbers returns how many phases there are by number.
func (c *collector) phaseNumbers() int {
	numbers := map[string]bool{}
	for _, p := range c.phases {
		numbers[rules.TrimZeros(p.Number)] = true
	}
	return len(numbers)
}

var phaseOf = regexp.MustCompile(`^[\d.]+(?:\s+of\s+|\s*/\s*)(\d+)`)

// setPhaseTotal raises the number of phases in "Phase: 3 of 4"; more than the tree has may be planned.
func setPhaseTotal(text, claimed string, phases int) ([]model.Span, string) {
	if claimed == "" || rules.CompareNumbers(strconv.Itoa(phases), claimed) <= 0 {
		return nil, stateSet
	}
	lines, _ := sectionLines(text, positionTitle)
	for _, l := range lines {
		if from, to, ok := fieldValue(l.Text, "Phase"); ok {
			if m := phaseOf.FindStringSubmatchIndex(l.Text[from:to]); m != nil {
				return []model.Span{{At: l.At + from + m[2], Old: l.Text[from+m[2] : from+m[3]], New: strconv.Itoa(phases), Label: "Phase"}}, stateSet
			}
			break
		}
	}
	return nil, stateNoField
}

// wholeState is STATE.md as it stands, for the mirror to keep beside what is read from it.
type wholeState string

// verbs returns what can be done to the build as a whole: sync, where STATE.md claims what the tree denies and something can
// be mended.
func (c *collector) verbs() []model.Verb {
	if c.unlisted != "" {
		return nil
	}
	for _, d := range c.b.Divergences {
		if d.Source.File != c.b.File {
			continue
		}
		whole := func(text string) (wholeState, error) { return wholeState(text), nil }
		if r := mirror.Read(c.m, c.b.File, whole); r.Err == nil && len(c.syncSpans(string(r.Value))) > 0 {
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
	return was, is, fmt.Sprintf("%s, %s → %s", number(len(spans), "value"), was, is)
}

// shortly returns the percent of a progress, else the value itself.
func shortly(value string) string {
	if p := percentForm.FindString(value); p != "" {
		return p
	}
	return clean(strings.TrimSpace(value))
}
