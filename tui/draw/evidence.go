package draw

// Evidence: the deliverables of a gate, each with its existence, size and age.

import (
	"path"
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
	var cols exhibitColumns
	longest := p.Width
	for _, x := range all {
		if x.File != x.Name { // the path is shown, too
			longest = max(LongestLabel, p.Width/3)
		}
		cols.size = max(cols.size, p.Look.Width(extentWords(x.Artifact)))
		cols.remark = max(cols.remark, p.Look.Width(x.remark))
		cols.age = max(cols.age, p.Look.Width(p.Look.Ago(x.Changed)))
	}
	for _, x := range all {
		cols.name = max(cols.name, min(p.Look.Width(x.Name), longest))
	}
	if room := p.Width - cols.width(); room < min(cols.name+4, p.Width/2) { // on a narrow page the name gets most of the width
		cols.remark = 0
	}
	for _, x := range Limited(p, all) {
		p.addExhibit(x, cols, wanted)
	}
}

// exhibitColumns are the widths of the columns; 0 leaves one out.
type exhibitColumns struct{ name, size, remark, age int }

// width returns the width of the columns at the right, with blanks before each.
func (c exhibitColumns) width() int {
	w := 0
	for _, column := range [...]int{c.size, c.remark, c.age} {
		if column > 0 {
			w += column + 3
		}
	}
	return w
}

// addExhibit adds one file: its name, its path if there is room, and on the right its size, remark and age.
func (p *Page) addExhibit(x Exhibit, cols exhibitColumns, wanted bool) {
	th, g := p.Look.Theme, p.Look.Glyphs
	st, name, glyph := th.OK, Style(""), g.Of(model.Done)
	switch {
	case !x.Exists && wanted:
		st, glyph = th.Block, g.Of(model.Failed)
	case !x.Exists:
		st, name, glyph = th.Dim, th.Dim, g.Of(model.Pending)
	}
	r := p.Look.Ribbon(p.Width)
	r.Sign(st, glyph)
	r.Gap(1)
	edge := p.Width - cols.width()
	r.AddWithin(name, x.Name, min(cols.name, edge-r.Width))
	if x.File != x.Name {
		r.To(cols.name + 4)
		file := x.File
		if room := edge - r.Width; p.Look.Width(file) > room {
			file = path.Base(file)
		}
		if file != x.Name {
			r.AddWithin(th.Dim, file, edge-r.Width)
		}
	}
	r.To(edge)
	column := func(text string, width int) {
		if width > 0 {
			r.Gap(3)
			DrawRight(&r, th.Dim, text, width)
		}
	}
	column(extentWords(x.Artifact), cols.size)
	column(x.remark, cols.remark)
	if x.Exists {
		column(p.Look.Ago(x.Changed), cols.age)
	}
	p.Add(&r)
}

// extentWords returns the size of a file in words.
func extentWords(a model.Artifact) string {
	if !a.Exists {
		return "missing"
	}
	return BytesOf(a.Size)
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
