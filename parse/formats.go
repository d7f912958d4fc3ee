package parse

import (
	"slices"
	"strings"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/formats"
	"gatehouse/parse/formats/core"
)

// definedFormats is the name of the row of the registry that stands for all formats that users define.
const definedFormats = "format"

// formatDefinitions returns the formats that may be read in the project: its own, and the user's formats whose files may be there.
func (p *Project) formatDefinitions() (all []*core.Definition) {
	if d := formats.ReadDefinition(p.mirror, core.ProjectFormat, core.ProjectFormat); d != nil {
		all = append(all, d)
	}
	for _, d := range p.userDefinitions() {
		if d.IsUsable() && p.hasMark(d) && !slices.ContainsFunc(all, func(other *core.Definition) bool { return other.Name == d.Name }) {
			all = append(all, d)
		}
	}
	return all
}

// userDefinitions returns the formats in the user's directory, by the names of their files.
func (p *Project) userDefinitions() (all []*core.Definition) {
	for _, m := range p.format {
		entries, _ := m.List(".")
		for _, e := range entries {
			if strings.HasSuffix(e.Name, ".yaml") {
				all = append(all, formats.ReadDefinition(m, e.Name, e.Name))
			}
		}
	}
	return all
}

// hasMark reports whether files of a format of the user may be in the project: the first name of a pattern is there.
func (p *Project) hasMark(d *core.Definition) bool {
	return slices.ContainsFunc(d.Marks(), func(name string) bool { _, ok := p.mirror.Stat(name); return ok })
}

// definedReaders returns the readers of the formats that users define.
func (p *Project) definedReaders() (all []*formats.Reader) {
	for _, d := range p.formatDefinitions() {
		name := d.Name
		if name == "" {
			name = definedFormats
		}
		all = append(all, formats.Readers(p.mirror, core.Format{Name: name, Read: d.Read})...)
	}
	return all
}

// Explained is a format as "gatehouse format check" explains it.
type Explained struct {
	*core.Definition
	Builds []*core.Build
}

// ExplainFormat reads a format from a file and finds its builds in a directory.
func ExplainFormat(name, text, dir string) Explained {
	d := core.ParseDefinition(name, text)
	e := Explained{Definition: d}
	if d.IsUsable() {
		e.Builds = d.Read(formats.FilesOf(mirror.New(dir)))
	}
	return e
}
