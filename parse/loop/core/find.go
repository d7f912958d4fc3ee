package core

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// MemoryDir is a second directory for states, in the project.
const MemoryDir = "memory"

// MaxCandidates is how many files of a directory are read to find states, the newest ones.
const MaxCandidates = 512

const stateSuffix = "-state.json"

// IsStateName reports whether a file is called "*-state.json".
func IsStateName(name string) bool {
	return doc.HasSuffix(name, stateSuffix) && name[0] != '.'
}

// IsCandidate reports whether a file in a project's own directory may be a state by its name.
func IsCandidate(name string) bool { return name == "state.json" || IsStateName(name) }

// Place is a possible place of a definition.
type Place struct {
	// Dir is the index of one of the directories of GATEHOUSE_LOOPS, or one of the constants below.
	Dir  int
	Name string // name of the file, relative to the directory
}

// The directories of a project that a [Place] may be in.
const (
	BesideState = -1 - iota
	InProject   // for a state in [MemoryDir]
)

// Search is a search for the definition of a loop: in the directory of the state, in the project if that is [MemoryDir], then in the
// directories of GATEHOUSE_LOOPS.
type Search struct {
	ID       string // of the loop, "" if its state names none
	InMemory bool
	Dirs     int // number of directories in GATEHOUSE_LOOPS
}

// placeAt returns the n-th possible place in the order of precedence; ok is false after the last one. Names are built one at a time, because
// most searches end at the first.
func (s *Search) placeAt(n int) (p Place, ok bool) {
	const names = 4
	p.Dir = BesideState
	if n >= names && s.InMemory {
		p.Dir, n = InProject, n-names
	}
	if n >= names {
		p.Dir, n = (n-names)/2, (n-names)%2
	}
	switch {
	case p.Dir < 0 && n == 0:
		p.Name = "loop.json"
	case !IsFileName(s.ID):
	case p.Dir < 0 && n == 1, p.Dir >= 0 && n == 1:
		p.Name = s.ID + ".json"
	case p.Dir >= 0:
		p.Name = s.ID + "/loop.json"
	case n == 2:
		p.Name = "loops/" + s.ID + "/loop.json"
	default:
		p.Name = "loops/" + s.ID + ".json"
	}
	return p, p.Dir < s.Dirs
}

// Find returns the first definition of the loop. read returns the definition at a place, nil and no error if there is no file. Without a
// definition the result is nil, or [Definition.Unreadable] if one of the files could not be used. unread is the first such file before the
// definition, with its reason.
func (s *Search) Find(read func(Place) (*Definition, error)) (d *Definition, unread Place, reason error) {
	for n := 0; ; n++ {
		place, ok := s.placeAt(n)
		if !ok {
			break
		}
		if place.Name == "" {
			continue
		}
		found, err := read(place)
		if err == nil && found == nil {
			continue
		}
		if err == nil {
			err = found.MatchID(s.ID)
		}
		if err == nil {
			return found, unread, reason
		}
		isAnyTools := place.Dir < 0 && place.Name == s.ID+".json" // ID.json may be the file of another tool
		if err != ErrOtherLoop && !(err == ErrNotLoop && isAnyTools) && reason == nil {
			unread, reason = place, err
		}
	}
	if reason != nil {
		return &Definition{File: unread.Name, Unreadable: true}, unread, reason
	}
	return nil, unread, nil
}

// IsLostState reports whether an unreadable candidate belongs to a loop, which then waits. A truncated text does if it looks like a state,
// other texts if the loop has a definition. A file with the name state.json may belong to any tool. reason is why the candidate can't be
// read; hasDefinition reports whether a loop with an id has a definition.
func IsLostState(name string, resembles bool, reason error, hasDefinition func(id string) bool) bool {
	_, isSyntax := reason.(*doc.SyntaxError)
	switch {
	case reason == nil, reason == ErrNotLoop:
		return false
	case (isSyntax || reason == ErrTooMany) && resembles:
		return true
	case reason == peek.ErrPermission:
		return name != "state.json"
	case name == "state.json" && reason != ErrDamaged:
		return false
	case hasDefinition(""):
		return true
	case !IsStateName(name):
		return false
	}
	id := name[:len(name)-len(stateSuffix)]
	return hasDefinition(id) || hasDefinition(id+"-loop")
}

// ResemblesState reports whether a text that can't be parsed looks like a state, because other tools use the same file names.
func ResemblesState(text string) bool {
	return doc.Contains(text, `"loop"`) || doc.Contains(text, `"phases"`) && doc.Contains(text, `"gates"`)
}

// IsFileName reports whether an id may be part of a path: letters, digits, ".", "_" and "-", and no "." first.
func IsFileName(id string) bool {
	for i := range len(id) {
		switch c := id[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '_', c == '-', c == '.' && i > 0:
		default:
			return false
		}
	}
	return id != ""
}
