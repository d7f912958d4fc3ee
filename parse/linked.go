// Links that lead out of the project. A protocol directory that is such a link is read, and reported as external: the
// layout is intentional, and prompts follow it. Nothing is written through it: the target is another project, which
// does not know this one's decisions. No other link out is followed, and each one at a state location is reported.

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

// linkedOut returns a problem for each link out of the project at a state location, except for those that its builds
// report.
func (p *Project) linkedOut(builds []*model.Build) (problems []model.Problem) {
	reported := map[string]bool{}
	for _, b := range builds {
		for _, problem := range b.Problems {
			reported[problem.File] = true
		}
	}
	root, ok := peek.RealPath(p.root)
	if !ok {
		return nil // reported when the project is listed
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
	links := slices.DeleteFunc(p.mirror.Outside(), func(name string) bool { return reported[name] || !p.keepsState(name, builds) })
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

// keepsState reports whether a protocol looks for state in an entry. This includes every entry below its directories. In the
// project's own directory, where users may link anything, it includes entries with specific names, and those with
// generic names if the protocol has a build or nothing else is there.
func (p *Project) keepsState(name string, builds []*model.Build) bool {
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
