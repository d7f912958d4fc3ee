package draw

// Evidence: the deliverables of a gate, each with its existence, size and age.

import (
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
)

// Exhibit is a file to judge a gate by, with a further fact about it: "12 sections".
type Exhibit struct {
	model.Artifact
	remark string
}

// Exhibits makes exhibits of files without further facts.
func Exhibits(files []model.Artifact) []Exhibit {
	all := make([]Exhibit, len(files))
	for i, a := range files {
		all[i] = Exhibit{Artifact: a}
	}
	return all
}

// ExhibitsOf returns the files of a node and of the deliverables below it.
func ExhibitsOf(n *model.Node) []Exhibit {
	all := Exhibits(n.Artifacts)
	for _, below := range n.Children {
		if below.Kind != model.KindDeliverable {
			continue
		}
		remark := ""
		for _, f := range below.Facts {
			label := f.Label
			if f.Value == "1" { // "sections"
				label = strings.TrimSuffix(label, "s")
			}
			remark = Join(", ", remark, f.Value+" "+label)
		}
		for _, a := range below.Artifacts {
			i := slices.IndexFunc(all, func(x Exhibit) bool { return x.File == a.File })
			if i < 0 {
				all = append(all, Exhibit{Artifact: a})
				i = len(all) - 1
			}
			all[i].remark = remark
		}
	}
	return all
}

// Evidence adds files under a heading, with size and age. A missing one is highlighted if it is needed now.
func (p *Page) Evidence(heading string, all []Exhibit, wanted bool) {
	if len(all) == 0 {
		return
	}
	p.Heading(heading)
	th, g := p.Look.Theme, p.Look.Glyphs
	for _, x := range Limited(p, all) {
		file := ""
		if x.File != x.Name {
			file = x.File
		}
		switch {
		case x.Exists:
			p.Item(th.OK, g.Of(model.Done), "", Join(PartJoint, x.Name, BytesOf(x.Size), x.remark, p.Look.Ago(x.Changed)))
		case wanted:
			p.Item(th.Block, g.Of(model.Failed), "", Join(PartJoint, x.Name, "missing"))
		default:
			p.Item(th.Dim, g.Of(model.Pending), th.Dim, Join(PartJoint, x.Name, "missing"))
		}
		p.Below(th.Dim, file)
	}
}

// FailuresOf returns the reasons of a node's failed attempts, the newest first, and its other facts.
func FailuresOf(n *model.Node) (reasons []string, others []model.Fact) {
	for _, f := range n.Facts {
		if n.Status == model.Failed && strings.HasPrefix(f.Label, "failure ") {
			reasons = append([]string{f.Value}, reasons...)
		} else {
			others = append(others, f)
		}
	}
	return reasons, others
}

// Failures adds the reasons of a failure.
func (p *Page) Failures(reasons []string) {
	if len(reasons) == 0 {
		return
	}
	p.Heading("Why it failed")
	for _, reason := range reasons {
		p.Item(p.Look.Theme.Block, p.Look.Glyphs.Of(model.Failed), "", reason)
	}
}

// Problems adds problems, each with its place and its fix.
func (p *Page) Problems(problems []model.Problem) {
	if len(problems) == 0 {
		return
	}
	p.Heading("Problems (" + strconv.Itoa(len(problems)) + ")")
	for _, problem := range Limited(p, problems) {
		p.Problem(problem)
	}
}

// Problem adds one problem.
func (p *Page) Problem(problem model.Problem) {
	th := p.Look.Theme
	st := th.Wait
	if problem.Severity == model.Error {
		st = th.Block
	}
	p.Item(st, p.Look.Glyphs.Problem, "", string(problem.Severity)+": "+problem.Text)
	p.Below(th.Dim, problem.Pos.String())
	p.Below(th.Dim, problem.Fix)
}
