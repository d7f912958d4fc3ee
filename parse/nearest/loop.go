package nearest

import (
	"cmp"
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
)

// loopFile is a candidate with the name of a state file.
type loopFile struct {
	name, path string
	modified   int64
}

// loopIn finds the loop of a directory: the newest candidate that is a state. A state that can't be read counts: an older one
// must not be taken for the current one.
func loopIn(p *Place, dir string) (found Found, ok bool) {
	for _, f := range p.listLoopFiles(dir) {
		isOlder := ok
		if isOlder && !p.Alerts {
			break
		}
		text, _, err := p.readJSON(f.path, dir)
		if isGone(f.path, err) {
			continue
		}
		facts, definition, reason := p.loopFacts(dir, f, text, err)
		switch {
		case isOlder:
			if what := certainWaits(facts); what != "" {
				found.Beside = append(found.Beside, Waiting{f.path[len(peek.Join(dir, "")):], what})
			}
			continue
		case facts != nil:
			found, ok = Found{Facts: facts, Path: f.path, With: definition}, true
			if what := facts.Waiting(); p.Alerts && what != "" {
				found.Waits, found.WaitsPath, found.WaitsSaid = what, f.path, true
			}
		}
		if reason != nil && (ok || reason != core.ErrBlank && reason != core.ErrDamaged && !peek.Missing(reason)) {
			p.refuseLoop(f.path, reason)
		}
	}
	return found, ok
}

// listLoopFiles returns the candidates of a directory and of its memory directory, the newest first.
func (p *Place) listLoopFiles(dir string) (files []loopFile) {
	add := func(dir string, names []string) {
		for _, name := range names {
			path := peek.Join(dir, name)
			info, ok := peek.Stat(path)
			if !ok { // a link to a missing file counts
				info, ok = peek.Lstat(path)
			}
			if ok {
				files = append(files, loopFile{name, path, info.Modified})
			}
		}
	}
	names := p.listLoopNames(dir)
	hasMemory := slices.Contains(names, core.MemoryDir)
	add(dir, slices.DeleteFunc(names, func(name string) bool { return name == core.MemoryDir }))
	if hasMemory {
		memory := peek.Join(dir, core.MemoryDir)
		add(memory, listNames(memory, core.IsStateName))
	}
	slices.SortStableFunc(files, func(a, b loopFile) int {
		return cmp.Or(cmp.Compare(b.modified, a.modified), cmp.Compare(a.name, b.name))
	})
	return files[:min(len(files), core.MaxCandidates)]
}

// listLoopNames returns the names of candidates in a directory and in its memory directory, and records the marks of
// formats.
func (p *Place) listLoopNames(dir string) []string {
	p.marks = marks{dir: dir}
	return listNames(dir, func(name string) bool {
		if isMark(name) {
			p.marks.names = append(p.marks.names, name)
		}
		return name == core.MemoryDir || core.IsCandidate(name)
	})
}

// isGone reports whether an unreadable path does not exist. A link to a missing file exists.
func isGone(path string, err error) bool {
	info, _ := peek.Lstat(path)
	return peek.Missing(err) && !info.IsLink
}

// loopFacts returns the facts of a state, and the file of its definition. If the file is not a state, facts is nil and
// reason has the reason.
func (p *Place) loopFacts(root string, f loopFile, text string, err error) (facts *line.Loop, definition string, reason error) {
	var state *core.State
	if err == nil {
		state, err = core.ParseState(text)
	}
	if err == nil {
		d, file := p.findDefinition(root, f.path, state.ID)
		return core.New(state, d).Facts(), file, nil
	}
	hasDefinition := func(id string) bool {
		d, _ := p.findDefinition(root, f.path, id)
		return d != nil
	}
	if core.IsLostState(f.name, core.ResemblesState(text), err, hasDefinition) {
		facts = &line.Loop{Unreadable: f.name}
	}
	return facts, "", err
}

// certainWaits returns the definite waits of a state older than the one shown. It is unknown whether work has reached
// its gates.
func certainWaits(facts *line.Loop) string {
	switch {
	case facts == nil:
		return ""
	case facts.Unreadable != "":
		return "can't be read"
	}
	facts.GatesPending, facts.GatesFailed = 0, 0
	return facts.Waiting()
}

// findDefinition returns the definition of the loop with an id, for the state at path, and its file. Links in the directory of
// the state must stay inside root; links in the user's own directories may lead anywhere.
func (p *Place) findDefinition(root, path, id string) (d *core.Definition, file string) {
	dir, libraries := peek.Parent(path), splitList(p.lookupEnv("GATEHOUSE_LOOPS"))
	search := core.Search{ID: id, InMemory: dir != root, Dirs: len(libraries)}
	d, _, _ = search.Find(func(place core.Place) (found *core.Definition, err error) {
		within := root
		switch place.Dir {
		case core.BesideState:
			file = peek.Join(dir, place.Name)
		case core.InProject:
			file = peek.Join(root, place.Name)
		default:
			if !peek.IsAbsolute(libraries[place.Dir]) {
				return nil, nil // a relative path would mean another directory in each project
			}
			file, within = peek.Join(libraries[place.Dir], place.Name), ""
		}
		text, err := p.readText(file, within)
		if isGone(file, err) {
			return nil, nil
		}
		if err == nil {
			found, err = core.ParseDefinition(text)
		}
		if err != nil && err != core.ErrNotLoop {
			p.refuseLoop(file, err)
			return nil, err
		}
		p.refuseLoop(file, found.MatchID(id))
		found.File = place.Name
		return found, nil
	})
	if d == nil || d.Unreadable {
		file = ""
	}
	return d, file
}

// refuseLoop notes why a file was ignored. A file of another tool is not worth a note.
func (p *Place) refuseLoop(path string, reason error) {
	if _, isSyntax := reason.(*doc.SyntaxError); isSyntax {
		reason = core.ErrNotJSON
	}
	if reason != nil && reason != core.ErrNotLoop {
		p.refusePath(path, reason)
	}
}

// splitList returns the directories of a list such as PATH's.
func splitList(list string) (dirs []string) {
	for dir := ""; list != ""; {
		dir, list, _ = doc.Cut(list, string(rune(peek.ListSeparator)))
		dirs = append(dirs, dir)
	}
	return dirs
}
