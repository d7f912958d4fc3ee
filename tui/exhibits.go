package tui

// Evidence: the deliverables of a gate, each with whether it is there, its size and its age.

import (
	"path"
	"slices"

	"gatehouse/model"
)

// The kinds of leaves that say what a phase or gate is made of.
const (
	kindSkill       model.Kind = "skill"
	kindDeliverable model.Kind = "deliverable"
)

// exhibit is a file to judge by, with what else is known about it: "12 sections".
type exhibit struct {
	model.Artifact
	remark string
}

// exhibits makes exhibits of files about which nothing else is known.
func exhibits(files []model.Artifact) []exhibit {
	all := make([]exhibit, len(files))
	for i, a := range files {
		all[i] = exhibit{Artifact: a}
	}
	return all
}

// exhibitsOf returns the files of a node, and those of the deliverables below it.
func exhibitsOf(n *model.Node) []exhibit {
	all := exhibits(n.Artifacts)
	for _, below := range n.Children {
		if below.Kind != kindDeliverable {
			continue
		}
		remark := ""
		for _, f := range below.Facts {
			remark = join(", ", remark, f.Value+" "+f.Label)
		}
		for _, a := range below.Artifacts {
			i := slices.IndexFunc(all, func(x exhibit) bool { return x.File == a.File })
			if i < 0 {
				all = append(all, exhibit{Artifact: a})
				i = len(all) - 1
			}
			all[i].remark = remark
		}
	}
	return all
}

// evidence adds files under a heading, with what is known about each. One that is missing stands out where it is wanted by
// now.
func (p *page) evidence(heading string, all []exhibit, wanted bool) {
	if len(all) == 0 {
		return
	}
	p.heading(heading)
	names, longest := 0, p.width
	for _, x := range all {
		if x.File != x.Name { // the path stands beside it
			longest = max(longestLabel, p.width/3)
		}
	}
	for _, x := range all {
		names = max(names, min(p.look.width(x.Name), longest))
	}
	for i, x := range all {
		if i == listLimit {
			p.more(len(all) - i)
			return
		}
		p.exhibit(x, names, wanted)
	}
}

// exhibit adds one file: its name in a column, its path where there is room for it, and at the right how much there is of it.
func (p *page) exhibit(x exhibit, names int, wanted bool) {
	th, g := p.look.theme, p.look.glyphs
	state, st, name, glyph := "missing", th.dim, th.dim, g.of(model.Pending)
	switch {
	case x.Exists:
		state, st, name, glyph = join("   ", bytesOf(x.Size), x.remark, p.look.ago(x.Changed)), th.ok, "", g.of(model.Done)
	case wanted:
		st, name, glyph = th.block, "", g.of(model.Failed)
	}
	r := p.look.ribbon(p.width)
	r.sign(st, glyph)
	r.gap(1)
	edge := max(p.width-p.look.width(state), p.width/3)
	r.addWithin(name, x.Name, min(names, edge-r.width-2))
	file := x.File
	if file == x.Name || path.Base(file) == x.Name && p.look.width(file) > edge-names-6 {
		file = ""
	}
	if file != "" {
		r.to(names + 4)
		if room := edge - r.width - 2; p.look.width(file) > room {
			file = path.Base(file)
		}
		r.addWithin(th.dim, file, edge-r.width-2)
	}
	r.to(edge)
	r.add(th.dim, state)
	p.add(&r)
}
