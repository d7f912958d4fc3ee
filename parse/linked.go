// Links that lead out of the project. A directory of a protocol that is one is read, and said to lie elsewhere: whoever laid it
// out so means it, and prompts follow it. Nothing is written through it: where it leads to there is another project, which
// knows nothing of this one's decisions. No other link out is followed at all, and each where state is kept is said.

package parse

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
)

// maxLinked is how many links of a project are reported one by one.
const maxLinked = 20

// ruleLinked is the name of the rule in checks.
const ruleLinked = "project-link"

// linkedOut returns a problem for each link out of the project where its state is, but for those that its builds tell of.
func (p *Project) linkedOut(builds []*model.Build) (problems []model.Problem) {
	reported := map[string]bool{}
	for _, b := range builds {
		for _, problem := range b.Problems {
			reported[problem.File] = true
		}
	}
	root, ok := peek.RealPath(p.root)
	if !ok {
		return nil // told where the project is listed
	}
	add := func(name, real, comes string) {
		problems = append(problems, model.Problem{
			Pos: model.Pos{File: name}, Severity: model.Warning, Rule: ruleLinked,
			Text: line.Clean("is a link that leads out of the project, to " + real + ": " + comes),
			Fix:  "open the project there, or put what it leads to here",
		})
	}
	for _, home := range p.stateDirs()[1:] {
		if real, ok := peek.RealPath(filepath.Join(p.root, home)); ok && !peek.Inside(real, root) {
			add(home, real, "it is read, and nothing is written through it")
		}
	}
	links := slices.DeleteFunc(p.mirror.Outside(), func(name string) bool { return reported[name] || !p.keeps(name, builds) })
	for i, name := range links {
		if i == maxLinked {
			problems = append(problems, model.Problem{
				Pos: model.Pos{File: path.Dir(name)}, Severity: model.Warning, Rule: ruleLinked,
				Text: fmt.Sprintf("%d more links lead out of the project", len(links)-i), Fix: "nothing behind them is read",
			})
			break
		}
		if real, ok := peek.RealPath(filepath.Join(p.root, filepath.FromSlash(name))); ok {
			add(name, real, "nothing of it is read")
		}
	}
	return problems
}

// keeps reports whether an entry is one where a protocol looks for state. Below its directories all are; in the project's own
// directory, where people link what they like, those are that say so by their names, and those of general names where the
// protocol has a build or nothing else is there.
func (p *Project) keeps(name string, builds []*model.Build) bool {
	if strings.Contains(name, "/") {
		return true
	}
	for _, pr := range protocols {
		if pr.means != nil && pr.means(name) {
			return true
		}
		ours := len(builds) == 0 || slices.ContainsFunc(builds, func(b *model.Build) bool { return b.Protocol == pr.name })
		if ours && slices.Contains(pr.dirs, name) {
			return true
		}
	}
	return false
}
