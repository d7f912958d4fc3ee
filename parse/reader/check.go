// A check, from its beginning to its end.

package reader

import (
	"cmp"
	"slices"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Check gathers the rules that a build's files break.
type Check struct {
	Problems []model.Problem
	build    *model.Build
}

// NewCheck begins the check of a build with what reading it had to report: what has no rule of its own breaks
// "<protocol>-readable".
func NewCheck(b *model.Build) *Check {
	k := &Check{Problems: slices.Clone(b.Problems), build: b}
	for i := range k.Problems {
		if p := &k.Problems[i]; p.Rule == "" {
			p.Rule = b.Protocol + "-readable"
		}
	}
	return k
}

// Report adds a rule that is broken.
func (k *Check) Report(at model.Pos, s model.Severity, rule, text, fix string) {
	k.Problems = append(k.Problems, model.Problem{Pos: at, Severity: s, Rule: rule, Text: line.Tidy(text), Fix: fix})
}

// End returns the rules broken in the order of files and places, each once. What the files claim and the tree denies breaks
// "<protocol>-truth"; fix says what to do about that.
func (k *Check) End(fix string) []model.Problem {
	for _, d := range k.build.Divergences {
		k.Report(d.Source, model.Warning, k.build.Protocol+"-truth", d.Claim+", but "+d.Truth, fix)
	}
	slices.SortStableFunc(k.Problems, func(a, b model.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
	})
	type told struct {
		file string
		line int
		text string
	}
	seen := make(map[told]bool, len(k.Problems))
	return slices.DeleteFunc(k.Problems, func(p model.Problem) bool {
		this := told{p.File, p.Line, p.Text}
		twice := seen[this]
		seen[this] = true
		return twice
	})
}
