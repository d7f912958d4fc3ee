// Finding the state of a loop in a directory, and the definition that says in which order its phases and gates stand. What
// they mean is parse/loop/core's.

package nearest

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
)

const (
	// entryLimit is how many entries of a directory are looked at for names of state files.
	entryLimit = 4096
	// firstCandidates is how many files are looked into at first as possible states of one directory, and for what waits in others
	// than the newest. Only where none of them is a state are there up to core.MaxCandidates.
	firstCandidates = 64
	// watchedCandidates is how many of them the shell looks at by itself. Of more the program is asked again each time.
	watchedCandidates = 8
	// entryBuffer is how many bytes of a directory's entries are read at once.
	entryBuffer = 4096
)

// loopFile is a file that may be the state of a loop, by its name.
type loopFile struct {
	name                 string
	memory               bool  // it lies in the directory memory
	seconds, nanoseconds int64 // when it was changed last
}

// dir returns the directory that the file is in.
func (f *loopFile) dir(root string) string {
	if f.memory {
		return peek.Join(root, core.MemoryDir)
	}
	return root
}

// newer reports whether f was changed after other, of equals by name.
func (f *loopFile) newer(other *loopFile) bool {
	switch {
	case f.seconds != other.seconds:
		return f.seconds > other.seconds
	case f.nanoseconds != other.nanoseconds:
		return f.nanoseconds > other.nanoseconds
	}
	return f.name < other.name
}

// loopFiles are the files of a directory that may be the state of a loop, the one changed last first.
type loopFiles struct {
	files []loopFile // as many as fit its capacity
	more  bool       // there were more than are kept
}

// loopIn looks for the state of a loop in one directory: of several the one that was changed last.
func loopIn(p *Place, dir string) (Found, bool) {
	var first [firstCandidates]loopFile
	candidates := loopFiles{files: first[:0]}
	if candidates.collect(p, dir); len(candidates.files) == 0 {
		return Found{}, false
	}
	if len(candidates.files) > watchedCandidates {
		p.Watch.unsure()
	}
	if !candidates.more {
		return newestLoop(p, dir, candidates.files)
	}
	if found, ok := newestLoop(p, dir, candidates.files); ok {
		return found, true
	}
	all := loopFiles{files: make([]loopFile, 0, core.MaxCandidates)}
	all.collect(p, dir)
	return newestLoop(p, dir, all.files[min(len(candidates.files), len(all.files)):])
}

// newestLoop returns the first of some files that is the state of a loop. A state that can't be read counts: an older one must not
// be taken for the current one.
func newestLoop(p *Place, dir string, files []loopFile) (found Found, ok bool) {
	for i := range files {
		f := &files[i]
		path := peek.Join(f.dir(dir), f.name)
		if ok { // this file would count if it changed
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

// loopFacts returns the facts of the state at path, and the file of its definition. Without facts, it is no state, for a reason.
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

// waitsBeside returns what certainly waits in the state at path, which is older than the one that the line is about.
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
	facts.GatesPending, facts.GatesFailed = 0, 0 // nobody knows whether it is their turn
	return facts.Waiting()
}

// loopFound returns what a state file comes to.
func (p *Place) loopFound(facts *line.Loop, path string) Found {
	found := Found{Facts: facts, Path: path}
	if p.Alerts {
		if found.Waits = facts.Waiting(); found.Waits != "" {
			found.WaitsPath, found.WaitsSaid = path, true
		}
	}
	return found
}

// collect lists the directory, and its memory directory if there is one.
func (c *loopFiles) collect(p *Place, dir string) {
	memory := false
	p.entries(dir, func(name string) {
		switch {
		case name == core.MemoryDir:
			memory = true
		case core.IsCandidate(name):
			c.add(dir, loopFile{name: name})
		}
	})
	if memory {
		p.entries(peek.Join(dir, core.MemoryDir), func(name string) {
			if core.IsStateName(name) {
				c.add(dir, loopFile{name: name, memory: true})
			}
		})
	}
}

// add takes a file into account, whose name need not stay valid.
func (c *loopFiles) add(root string, f loopFile) {
	f.name = string([]byte(f.name))
	var ok bool
	path := peek.Join(f.dir(root), f.name)
	if f.seconds, f.nanoseconds, ok = peek.Modified(path); !ok {
		if f.seconds, f.nanoseconds, ok = peek.ModifiedLink(path); !ok { // to nothing
			return
		}
	}
	at := len(c.files)
	for at > 0 && f.newer(&c.files[at-1]) {
		at--
	}
	if len(c.files) < cap(c.files) {
		c.files = append(c.files, loopFile{})
	} else if c.more = true; at == len(c.files) {
		return
	}
	copy(c.files[at+1:], c.files[at:])
	c.files[at] = f
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
				return nil, nil // it would be another one in each directory
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

// refuseLoop notes why a file that was read counts for nothing, if that is worth telling.
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
