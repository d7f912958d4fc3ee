package nearest

import (
	"cmp"
	"slices"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/formats/core"
)

// marks are the names in a directory that identify projects of a format.
type marks struct {
	dir   string
	names []string
}

// isMarked reports whether a directory has one of the names of a format. It is listed once for all formats and loops.
func (p *Place) isMarked(dir string, format *core.Format) bool {
	if p.marks.dir != dir {
		p.listLoopNames(dir)
	}
	return slices.ContainsFunc(p.marks.names, func(name string) bool { return slices.Contains(format.Marks, name) })
}

// isMark reports whether a name in a directory identifies a project of a format.
func isMark(name string) bool {
	if name == projectFormatDir {
		return true
	}
	for i := range core.Formats {
		if slices.Contains(core.Formats[i].Marks, name) {
			return true
		}
	}
	return false
}

// formatIn finds the builds of one of [core.Formats] in a directory. The line is about the current one.
func formatIn(p *Place, dir string, i int) (found Found, ok bool) {
	format := &core.Formats[i]
	if !p.isMarked(dir, format) {
		return Found{}, false
	}
	return p.foundBuilds(dir, format.Read(placeFiles{p, dir}))
}

// foundBuilds makes the result of the builds of a directory.
func (p *Place) foundBuilds(dir string, builds []*core.Build) (found Found, ok bool) {
	b := core.Current(builds)
	if b == nil {
		return Found{}, false
	}
	name := dir[len(peek.Join(peek.Parent(dir), "")):]
	found = Found{Facts: b.Facts(name), Path: peek.Join(dir, b.File)}
	if !p.Alerts {
		return found, true
	}
	if w := b.Waiting(); w != nil {
		found.Waits, found.WaitsPath = w.Text, peek.Join(dir, w.File)
	}
	for _, other := range builds {
		if w := other.Waiting(); w != nil && other != b {
			found.Beside = append(found.Beside, Waiting{other.Name(name), w.Text})
		}
	}
	return found, true
}

// projectFormatDir is the directory of a format that a project defines.
const projectFormatDir = ".gatehouse"

// defined are the formats that the user defines.
type defined struct{ all []*core.Definition }

// definedIn finds the builds of user-defined formats: the project's own first, then those in the user's directory.
func definedIn(p *Place, dir string) (found Found, ok bool) {
	if p.marks.dir != dir {
		p.listLoopNames(dir)
	}
	var builds []*core.Build
	if slices.Contains(p.marks.names, projectFormatDir) {
		if text, err := (placeFiles{p, dir}).Text(core.ProjectFormat); err == nil {
			builds = core.ParseDefinition(core.ProjectFormat, text).Read(placeFiles{p, dir})
		} else if !peek.Missing(err) {
			builds = (&core.Definition{File: core.ProjectFormat, Problems: []core.Problem{{Text: err.Error()}}}).Read(nil)
		}
	}
	for _, d := range p.userDefinitions() {
		for _, mark := range d.Marks() {
			if len(builds) == 0 && peek.Exists(peek.Join(dir, mark)) {
				builds = d.Read(placeFiles{p, dir})
			}
		}
	}
	return p.foundBuilds(dir, builds)
}

// userDefinitions returns the formats in the user's own directory.
func (p *Place) userDefinitions() []*core.Definition {
	if p.defined != nil {
		return p.defined.all
	}
	p.defined = &defined{}
	config := p.lookupEnv("XDG_CONFIG_HOME")
	if !peek.IsAbsolute(config) {
		if p.Home == "" {
			return nil
		}
		config = peek.Join(p.Home, ".config")
	}
	files := placeFiles{p, peek.Join(peek.Join(config, "gatehouse"), "formats")}
	for _, name := range files.List("") {
		if text, err := files.Text(name); err == nil && doc.HasSuffix(name, ".yaml") {
			if d := core.ParseDefinition(name, text); d.IsUsable() {
				p.defined.all = append(p.defined.all, d)
			}
		}
	}
	return p.defined.all
}

// placeFiles are the files of a project as the prompt reads them.
type placeFiles struct {
	p   *Place
	dir string
}

func (f placeFiles) absPath(rel string) string {
	if rel == "" {
		return f.dir
	}
	return peek.Join(f.dir, rel)
}

func (f placeFiles) List(rel string) (names []string) {
	dir := f.absPath(rel)
	peek.Entries(dir, entryLimit, func(name string, t peek.Type) {
		isDir := t == peek.TypeDir
		if t == peek.TypeUnknown {
			path := peek.Join(dir, name)
			info, _ := peek.Stat(path)
			isDir = info.IsDir && peek.Inside(path, f.dir)
		}
		if isDir {
			names = append(names, name+"/")
		} else {
			names = append(names, name)
		}
	})
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(core.BareName(a), core.BareName(b)) })
	return names
}

// HasMark looks at what [Place.isMarked] listed.
func (f placeFiles) HasMark(name string) bool { return slices.Contains(f.p.marks.names, name) }

func (f placeFiles) Shallow() bool    { return true }
func (f placeFiles) WantsWaits() bool { return f.p.Alerts }

// The reasons why a text is invalid, in the words of the dashboard.
const (
	errEmpty  = peek.Error("the file is empty")
	errBinary = peek.Error("the file is not text, it holds NUL bytes")
	errLarge  = peek.Error("the file is larger than 8 MiB, so it is not read")
)

func (f placeFiles) Text(rel string) (text string, err error) {
	text, err = f.p.readText(f.absPath(rel), f.dir)
	switch {
	case err != nil:
		return "", err
	case text == "":
		return "", errEmpty
	case len(text) >= peek.Limit:
		return "", errLarge
	case doc.Contains(text, "\x00"):
		return "", errBinary
	}
	return text, nil
}

func (f placeFiles) JSON(rel string) (*doc.Tree, error) {
	text, tree, err := f.p.readJSON(f.absPath(rel), f.dir)
	if err != nil || tree.Root().Exists() {
		return tree, err
	}
	_, syntax := doc.ParseJSON(text)
	return nil, syntax
}
