package nearest

import (
	"cmp"
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/gsd/core"
)

const planningDir = core.Planning

// gsdIn looks for GSD's state in one directory: the flat STATE.md, else the one of the active workstream.
func gsdIn(p *Place, dir string) (Found, bool) {
	at, ok := p.planningIn(dir)
	// If requested by name, GSD also reads files of ultraplan: they have the same form.
	if !ok || at.ultraplan && (p.Source != "gsd" || p.all) {
		return Found{}, false
	}
	if at.err == nil {
		return p.gsdFound(dir, planningDir, at.state, at.text), true
	}
	planning := at.path
	workstreams := peek.Join(planning, core.WorkstreamsDir)
	if !peek.HasSubdir(workstreams) {
		return Found{}, false
	}
	session := core.Session{Env: p.lookupEnv, Terminal: p.Terminal, TempDir: p.TempDir}
	name, ok := session.ActiveWorkstream(planning)
	if !ok {
		return Found{Facts: &line.GSD{NoActiveWorkstream: true}}, true
	}
	if path, ok := session.WorkstreamState(planning, name); ok {
		if text, err := p.readText(path, dir); err == nil {
			return p.gsdFound(dir, path[len(peek.Join(dir, "")):len(path)-len("/STATE.md")], path, text), true
		}
	}
	return Found{Facts: &line.GSD{}}, true // a workstream whose state is not written yet shows nothing
}

// gsdFound returns the facts of the STATE.md at path, the configured form, and the waits. The state belongs to the
// build in a directory of the project at root.
func (p *Place) gsdFound(root, build, path, text string) Found {
	facts := core.ParseLine(text)
	found := Found{Facts: &facts, Path: path}
	found.Compact, found.ConfigPath = p.isGSDCompact()
	if !p.Alerts {
		return found
	}
	project := core.Read(&gsdSource{place: p, root: root, left: gsdEntryLimit}, build, true, core.Options{Root: root})
	if s := project.Signal; s != nil && s.Stale == "" {
		found.Waits, found.WaitsPath = s.QuestionText(), peek.Join(root, s.File)
	}
	_, found.Denied, _ = project.FindDenial()
	return found
}

// gsdEntryLimit limits the directory entries that are looked at: a tree with millions of files must not block the prompt.
const gsdEntryLimit = 10_000

// gsdSource reads the files of a project for package core.
type gsdSource struct {
	place *Place
	root  string
	left  int // entries
}

// List lists a directory inside the project.
func (s *gsdSource) List(dir string) (entries []core.Entry) {
	path := peek.Join(s.root, dir)
	if !peek.Inside(path, s.root) {
		return nil
	}
	prefix := path + "/"
	entries = make([]core.Entry, 0, 32)
	peek.Entries(path, min(s.left, 1000), func(name string, _ peek.Type) {
		s.left--
		// A plan needs no time, and getting one costs as much as listing a directory.
		e := core.Entry{Name: name, IsFile: doc.HasSuffix(name, "-PLAN.md")}
		if !e.IsFile {
			info, _ := peek.Stat(prefix + name)
			e.Modified, e.IsDir, e.IsFile = info.Modified, info.IsDir, info.IsRegular
		}
		entries = append(entries, e)
	})
	slices.SortFunc(entries, func(a, b core.Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries
}

// Read reads a file inside the project.
func (s *gsdSource) Read(file string, parse func(text string) (any, error)) core.File {
	path := peek.Join(s.root, file)
	text, _, err := peek.ReadFile(path, s.root, peek.Limit)
	if peek.Missing(err) {
		return core.File{}
	}
	if doc.HasSuffix(file, ".json") { // an agent may be writing it
		text, _, err = s.place.readJSON(path, s.root)
	}
	f := core.File{Exists: true, IsBroken: err != nil}
	if !doc.Contains(file, "/phases/") { // else the list has it
		info, _ := peek.Stat(path)
		f.Modified = info.Modified
	}
	if err == nil {
		f.Value, err = parse(text)
		f.IsBroken = core.IsSerious(err)
	}
	return f
}

// isGSDCompact reports whether the nearest config.json asks for the compact form of the line, and the path of that
// file. The configuration has its own walk up, independent of the state's location. The first file that exists counts,
// even if it can't be read.
func (p *Place) isGSDCompact() (compact bool, path string) {
	for dir := range peek.Climb(p.Dir, p.Home) {
		path = peek.Join(peek.Join(dir, planningDir), "config.json")
		text, err := p.readText(path, dir)
		if !peek.Missing(err) {
			config, _ := core.ParseConfig(text)
			return config.IsCompact, path
		}
	}
	return false, ""
}
