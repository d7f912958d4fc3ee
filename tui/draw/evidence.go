package draw

// Evidence: the deliverables of a gate, failures and problems.

import (
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
)

// FilesOf returns the files of a node and of the deliverables below it, with further facts about them by file: "12 sections".
func FilesOf(n *model.Node) (files []model.Artifact, remarks map[string]string) {
	files, remarks = slices.Clone(n.Artifacts), map[string]string{}
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
			if !slices.ContainsFunc(files, func(x model.Artifact) bool { return x.File == a.File }) {
				files = append(files, a)
			}
			remarks[a.File] = remark
		}
	}
	return files, remarks
}

// Evidence adds files under a heading, with size, age and remarks. A missing one is highlighted if it is needed now.
func (p *Page) Evidence(heading string, all []model.Artifact, remarks map[string]string, wanted bool) {
	if len(all) == 0 {
		return
	}
	p.Heading(heading)
	th, g := p.Look.Theme, p.Look.Glyphs
	for _, x := range Limited(p, all) {
		switch {
		case x.Exists:
			p.Item(th.OK, g.Of(model.Done), "", Join(PartJoint, x.Name, BytesOf(x.Size), remarks[x.File], p.Look.Ago(x.Changed)))
		case wanted:
			p.Item(th.Block, g.Of(model.Failed), "", Join(PartJoint, x.Name, "missing"))
		default:
			p.Item(th.Dim, g.Of(model.Pending), th.Dim, Join(PartJoint, x.Name, "missing"))
		}
		p.Below(th.Dim, If(x.File != x.Name, x.File))
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
