// Finding the state of a loop in a directory, and the definition that says in which order its phases and gates stand. What
// they mean is parse/loop/rules'.

package nearest

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/loop/rules"
)

const (
	// entryLimit is how many entries of a directory are looked at for names of state files.
	entryLimit = 4096
	// firstCandidates is how many files are looked into at first as possible states of one directory, and for what waits in others
	// than the newest. Only where none of them is a state are there up to rules.MaxCandidates.
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
		return peek.Join(root, rules.MemoryDir)
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
	all := loopFiles{files: make([]loopFile, 0, rules.MaxCandidates)}
	all.collect(p, dir)
	return newestLoop(p, dir, all.files[min(len(candidates.files), len(all.files)):])
}

// newestLoop returns the first of some files that is the state of a loop, or that looks like one and can't be read: an older one
// must not be taken for what is going on.
func newestLoop(p *Place, dir string, files []loopFile) (found Found, ok bool) {
	m := new(rules.Memory)
	for i := range files {
		f := &files[i]
		path := peek.Join(f.dir(dir), f.name)
		if ok { // it would count if it were changed
			p.Watch.Add(path)
			if p.Alerts {
				if what := p.waitsBeside(m, dir, path, f); what != "" {
					found.Beside = append(found.Beside, Waiting{path[len(peek.Join(dir, "")):], what})
				}
			}
			continue
		}
		buffer := p.Buffer
		text, err := p.readSettled(path, dir)
		if peek.Missing(err) {
			if _, _, link := peek.ModifiedLink(path); !link {
				continue
			}
		}
		resembles := false
		if err == nil {
			state, reason := m.State(text)
			if reason == "" {
				definition, with := findDefinition(p, m, dir, peek.Parent(path), state.ID)
				found, ok = p.loopFound(rules.Line(state.Name(definition), m.Loop(&state, definition)), path), true
				found.With = with
				continue
			}
			err, resembles = reason, rules.Resembles(text)
		}
		if ok = rules.Lost(f.name, err, resembles, func() bool { return p.defines(m, dir, path, f.name) }); ok {
			found = p.loopFound(&line.Loop{Unreadable: f.name}, path)
		}
		p.Buffer = buffer
		if ok || err != rules.ErrBlank && err != rules.ErrDamaged && !peek.Missing(err) {
			p.refuseLoop(path, err)
		}
	}
	return found, ok
}

// waitsBeside returns what certainly waits in the state at path, which is older than the one that the line is about.
func (p *Place) waitsBeside(m *rules.Memory, root, path string, f *loopFile) string {
	buffer := p.Buffer
	text, err := p.read(path, root)
	defer func() { p.Buffer = buffer }() // what is returned may not stay in it
	resembles := false
	if err == nil {
		state, reason := m.State(text)
		if reason == "" {
			definition, _ := findDefinition(p, m, root, peek.Parent(path), state.ID)
			facts := rules.Line(state.Name(definition), m.Loop(&state, definition))
			facts.GatesPending, facts.GatesFailed = 0, 0 // of which nobody knows whether it is their turn
			return string([]byte(facts.Waiting()))
		}
		err, resembles = reason, rules.Resembles(text)
	}
	if rules.Lost(f.name, err, resembles, func() bool { return p.defines(m, root, path, f.name) }) {
		return "can't be read"
	}
	return ""
}

// defines reports whether a definition belongs to the state at path, which can't be read: then it is a loop's.
func (p *Place) defines(m *rules.Memory, root, path, name string) bool {
	for n := 0; ; n++ {
		id, more := rules.LostID(name, n)
		if !more {
			return false
		}
		if d, _ := findDefinition(p, m, root, peek.Parent(path), id); d != nil {
			return true
		}
	}
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
		case name == rules.MemoryDir:
			memory = true
		case rules.MayBeState(name):
			c.add(dir, loopFile{name: name})
		}
	})
	if memory {
		p.entries(peek.Join(dir, rules.MemoryDir), func(name string) {
			if rules.NamesState(name) {
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

// findDefinition returns the definition of the loop with an ID and the file it stands in. Links beside the state must stay
// inside root; what the user's own directories link to is the user's. Where none counts and one can't be read, d is none of
// which gates could be placed.
func findDefinition(p *Place, m *rules.Memory, root, dir, id string) (d *rules.Definition, path string) {
	list := p.env("GATEHOUSE_LOOPS")
	s := rules.Search{ID: id, Memory: dir != root, Dirs: lengthOf(list)}
	for at, library := -1, ""; s.Next(); {
		within := root
		switch s.At {
		case rules.BesideState:
			path = peek.Join(dir, s.Name)
		case rules.InProject:
			path = peek.Join(root, s.Name)
		default:
			for ; at < int(s.At); at++ {
				library, list = cutList(list)
			}
			if !peek.IsAbsolute(library) {
				continue // it would be another one in each directory
			}
			path, within = peek.Join(library, s.Name), ""
		}
		if d, found := readDefinition(p, m, &s, path, within); found {
			return d.Named(s.Name), path
		}
	}
	if s.Unread.Reason != nil {
		return rules.Unreadable(s.Unread.Name), ""
	}
	return nil, ""
}

// readDefinition reads the file at a place of the search, and reports whether it is the definition.
func readDefinition(p *Place, m *rules.Memory, s *rules.Search, path, root string) (d *rules.Definition, found bool) {
	buffer := p.Buffer
	text, err := p.read(path, root)
	if err == nil {
		var reason peek.Error
		if d, reason = m.Definition(text); reason != "" {
			err = reason
		} else {
			err = d.Of(s.ID)
		}
		if err != nil {
			p.Buffer = buffer
			p.refuseLoop(path, err)
		}
	}
	if peek.Missing(err) {
		if _, _, link := peek.ModifiedLink(path); !link {
			return nil, false
		}
	}
	return d, s.Judge(err)
}

// refuseLoop notes why a file that was read counts for nothing, where that is worth telling.
func (p *Place) refuseLoop(path string, reason error) {
	if reason != rules.ErrNotLoop {
		p.refuse(path, reason)
	}
}

// lengthOf returns how many directories a list such as PATH's names.
func lengthOf(list string) (n int) {
	for ; list != ""; n++ {
		_, list = cutList(list)
	}
	return n
}

// cutList returns the first directory of a list such as PATH's, and what follows it.
func cutList(list string) (dir, rest string) {
	for i := range len(list) {
		if list[i] == peek.ListSeparator {
			return list[:i], list[i+1:]
		}
	}
	return list, ""
}
