package protocol

import (
	"cmp"
	"slices"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Check collects the rules that the files of a build break.
type Check struct {
	Problems []model.Problem
	build    *model.Build
}

// NewCheck begins a check with the problems of the build. Those without a rule break "<protocol>-readable".
func NewCheck(b *model.Build) *Check {
	k := &Check{Problems: slices.Clone(b.Problems), build: b}
	for i := range k.Problems {
		if p := &k.Problems[i]; p.Rule == "" {
			p.Rule = b.Protocol + "-readable"
		}
	}
	return k
}

// Report adds a broken rule.
func (k *Check) Report(at model.Pos, s model.Severity, rule, text, fix string) {
	k.Problems = append(k.Problems, model.Problem{Pos: at, Severity: s, Rule: rule, Text: line.Tidy(text), Fix: line.Tidy(fix)})
}

// End returns the broken rules by file and place, each once. Claims that the tree denies break "<protocol>-truth", with fix.
func (k *Check) End(fix string) []model.Problem {
	for _, d := range k.build.Divergences {
		k.Report(d.Source, model.Warning, k.build.Protocol+"-truth", d.Claim+", but "+d.Truth, fix)
	}
	slices.SortStableFunc(k.Problems, func(a, b model.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
	})
	type key struct {
		file string
		line int
		text string
	}
	seen := make(map[key]bool, len(k.Problems))
	return slices.DeleteFunc(k.Problems, func(p model.Problem) bool {
		this := key{p.File, p.Line, p.Text}
		isRepeated := seen[this]
		seen[this] = true
		return isRepeated
	})
}
