package nearest

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
)

const (
	// entryLimit limits the entries of a directory that are searched for names of state files.
	entryLimit = 4096
	// watchedCandidates limits the candidates that the shell watches by itself. With more, it runs the program each time.
	watchedCandidates = 8
	// entryBuffer is the number of bytes of a directory that are read at once.
	entryBuffer = 4096
)

// loopFile is a candidate: its name is that of a state file.
type loopFile struct {
	name                 string
	isInMemory           bool  // it is in the directory memory
	seconds, nanoseconds int64 // modification time
}

// dir returns the directory that the file is in.
func (f *loopFile) dir(root string) string {
	if f.isInMemory {
		return peek.Join(root, core.MemoryDir)
	}
	return root
}

// isNewer reports whether f was modified after other, or at the same time and comes first by name.
func (f *loopFile) isNewer(other *loopFile) bool {
	switch {
	case f.seconds != other.seconds:
		return f.seconds > other.seconds
	case f.nanoseconds != other.nanoseconds:
		return f.nanoseconds > other.nanoseconds
	}
	return f.name < other.name
}

// loopFiles are the newest candidates of a directory, the last modified first.
type loopFiles []loopFile

// loopIn finds the loop of a directory: the state that was modified last.
func loopIn(p *Place, dir string) (Found, bool) {
	var few [watchedCandidates]loopFile
	candidates := loopFiles(few[:0])
	if candidates.collect(p, dir); len(candidates) > watchedCandidates {
		p.Watch.unsure()
	}
	return newestLoop(p, dir, candidates)
}

// newestLoop returns the first candidate that is the state of a loop. A state that can't be read counts: an older one must not be taken
// for the current one.
func newestLoop(p *Place, dir string, files loopFiles) (found Found, ok bool) {
	for i := range files {
		f := &files[i]
		path := peek.Join(f.dir(dir), f.name)
		if ok { // a change would make this file the newest
			p.Watch.Add(path)
			if p.Alerts {
				if waiting := p.waitsBeside(dir, path, f); waiting != "" {
					found.Beside = append(found.Beside, Waiting{path[len(peek.Join(dir, "")):], waiting})
				}
			}
			continue
		}
		text, err := p.readSettled(path, dir)
		if isGone(path, err) {
			continue
		}
		facts, definition, reason := p.loopFacts(dir, path, f, text, err)
		if ok = facts != nil; ok {
			found = p.loopFound(facts, path)
			found.With = definition
		}
		if reason != nil && (ok || reason != core.ErrBlank && reason != core.ErrDamaged && !peek.Missing(reason)) {
			p.refuseLoop(path, reason)
		}
	}
	return found, ok
}

// isGone reports whether a path that could not be read leads to nothing. A link to a missing file is there.
func isGone(path string, err error) bool {
	if !peek.Missing(err) {
		return false
	}
	_, _, isLink := peek.ModifiedLink(path)
	return !isLink
}

// loopFacts returns the facts of the state at path, and the file of its definition. If the file is no state, facts is nil and reason
// says why.
func (p *Place) loopFacts(root, path string, f *loopFile, text string, err error) (facts *line.Loop, definition string, reason error) {
	var state *core.State
	if err == nil {
		state, err = core.ParseState(text)
	}
	if err == nil {
		d, file := p.findDefinition(root, path, state.ID)
		return core.New(state, d).Facts(), file, nil
	}
	hasDefinition := func(id string) bool {
		d, _ := p.findDefinition(root, path, id)
		return d != nil
	}
	if core.IsLostState(f.name, core.ResemblesState(text), err, hasDefinition) {
		facts = &line.Loop{Unreadable: f.name}
	}
	return facts, "", err
}

// waitsBeside returns the certain waits of the state at path, which is older than the one shown.
func (p *Place) waitsBeside(root, path string, f *loopFile) string {
	text, err := p.read(path, root)
	if isGone(path, err) {
		return ""
	}
	facts, _, _ := p.loopFacts(root, path, f, text, err)
	switch {
	case facts == nil:
		return ""
	case facts.Unreadable != "":
		return "can't be read"
	}
	facts.GatesPending, facts.GatesFailed = 0, 0 // it is unknown whether work has reached them
	return facts.Waiting()
}

// loopFound returns the facts of a state file, with its waits if they are asked for.
func (p *Place) loopFound(facts *line.Loop, path string) Found {
	found := Found{Facts: facts, Path: path}
	if p.Alerts {
		if found.Waits = facts.Waiting(); found.Waits != "" {
			found.WaitsPath, found.WaitsSaid = path, true
		}
	}
	return found
}

// collect adds the candidates of a directory and of its memory directory.
func (c *loopFiles) collect(p *Place, dir string) {
	hasMemory := false
	p.entries(dir, func(name string) {
		switch {
		case name == core.MemoryDir:
			hasMemory = true
		case core.IsCandidate(name):
			c.add(dir, loopFile{name: name})
		}
	})
	if hasMemory {
		p.entries(peek.Join(dir, core.MemoryDir), func(name string) {
			if core.IsStateName(name) {
				c.add(dir, loopFile{name: name, isInMemory: true})
			}
		})
	}
}

// add adds a candidate. Its name need not stay valid.
func (c *loopFiles) add(root string, f loopFile) {
	f.name = string([]byte(f.name))
	var exists bool
	path := peek.Join(f.dir(root), f.name)
	if f.seconds, f.nanoseconds, exists = peek.Modified(path); !exists {
		if f.seconds, f.nanoseconds, exists = peek.ModifiedLink(path); !exists { // a link to a missing file
			return
		}
	}
	at := len(*c)
	for at > 0 && f.isNewer(&(*c)[at-1]) {
		at--
	}
	if len(*c) < core.MaxCandidates {
		*c = append(*c, f)
	}
	if at < len(*c) {
		copy((*c)[at+1:], (*c)[at:])
		(*c)[at] = f
	}
}

// findDefinition returns the definition of the loop with an id, for the state at path, and the file it is in. Links beside the state
// must stay inside root; what the user's own directories link to is the user's.
func (p *Place) findDefinition(root, path, id string) (d *core.Definition, file string) {
	dir, libraries := peek.Parent(path), splitList(p.env("GATEHOUSE_LOOPS"))
	search := core.Search{ID: id, InMemory: dir != root, Dirs: len(libraries)}
	d, _, _ = search.Find(func(place core.Place) (*core.Definition, error) {
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
		text, err := p.read(file, within)
		if isGone(file, err) {
			return nil, nil
		}
		var found *core.Definition
		if err == nil {
			found, err = core.ParseDefinition(text)
		}
		if err == nil || err == core.ErrNotLoop {
			if mismatch := found.Match(id); mismatch != nil {
				p.refuseLoop(file, mismatch)
			}
			found.File, err = place.Name, nil
			return found, nil
		}
		p.refuseLoop(file, err)
		return nil, err
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
	if reason != core.ErrNotLoop {
		p.refuse(path, reason)
	}
}

// splitList returns the directories of a list such as PATH's.
func splitList(list string) (dirs []string) {
	for list != "" {
		end := 0
		for end < len(list) && list[end] != peek.ListSeparator {
			end++
		}
		dirs, list = append(dirs, list[:end]), list[min(end+1, len(list)):]
	}
	return dirs
}
