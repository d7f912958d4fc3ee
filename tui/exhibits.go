package tui

// Evidence: the deliverables of a gate, each with whether it is there, its size and its age.

import (
	"path"
	"slices"
	"strings"

	"gatehouse/model"
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
		if below.Kind != model.KindDeliverable {
			continue
		}
		remark := ""
		for _, f := range below.Facts {
			label := f.Label
			if f.Value == "1" { // "sections"
				label = strings.TrimSuffix(label, "s")
			}
			remark = join(", ", remark, f.Value+" "+label)
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
	var cols exhibitColumns
	longest := p.width
	for _, x := range all {
		if x.File != x.Name { // the path stands beside it
			longest = max(longestLabel, p.width/3)
		}
		cols.size = max(cols.size, p.look.width(extent(x.Artifact)))
		cols.remark = max(cols.remark, p.look.width(x.remark))
		cols.age = max(cols.age, p.look.width(p.look.ago(x.Changed)))
	}
	for _, x := range all {
		cols.name = max(cols.name, min(p.look.width(x.Name), longest))
	}
	if room := p.width - cols.width(); room < min(cols.name+4, p.width/2) { // of a narrow page the name gets the most
		cols.remark = 0
	}
	for i, x := range all {
		if i == listLimit {
			p.more(len(all) - i)
			return
		}
		p.exhibit(x, cols, wanted)
	}
}

// exhibitColumns are the widths of what stands in columns; 0 leaves one out.
type exhibitColumns struct{ name, size, remark, age int }

// width returns the columns at the right altogether, with blanks before each.
func (c exhibitColumns) width() int {
	w := 0
	for _, column := range [...]int{c.size, c.remark, c.age} {
		if column > 0 {
			w += column + 3
		}
	}
	return w
}

// exhibit adds one file: its name, its path where there is room for it, and at the right how much there is of it.
func (p *page) exhibit(x exhibit, cols exhibitColumns, wanted bool) {
	th, g := p.look.theme, p.look.glyphs
	st, name, glyph := th.ok, style(""), g.of(model.Done)
	switch {
	case !x.Exists && wanted:
		st, glyph = th.block, g.of(model.Failed)
	case !x.Exists:
		st, name, glyph = th.dim, th.dim, g.of(model.Pending)
	}
	r := p.look.ribbon(p.width)
	r.sign(st, glyph)
	r.gap(1)
	edge := p.width - cols.width()
	r.addWithin(name, x.Name, min(cols.name, edge-r.width))
	if x.File != x.Name {
		r.to(cols.name + 4)
		file := x.File
		if room := edge - r.width; p.look.width(file) > room {
			file = path.Base(file)
		}
		if file != x.Name {
			r.addWithin(th.dim, file, edge-r.width)
		}
	}
	r.to(edge)
	column := func(text string, width int) {
		if width > 0 {
			r.gap(3)
			drawRight(&r, th.dim, text, width)
		}
	}
	column(extent(x.Artifact), cols.size)
	column(x.remark, cols.remark)
	if x.Exists {
		column(p.look.ago(x.Changed), cols.age)
	}
	p.add(&r)
}
