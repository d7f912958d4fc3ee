package core

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// MemoryDir is a second directory for states, in the project.
const MemoryDir = "memory"

// MaxCandidates is how many files of a directory are looked into, the newest, to find states.
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
	Name string // the file's, relative to the directory
}

// The directories of a project that a [Place] may be in.
const (
	BesideState = -1 - iota
	InProject   // for a state in [MemoryDir]
)

// DefinitionPlaces returns the possible places of the definition of a loop, in the order of precedence. dirs is the number of
// directories in GATEHOUSE_LOOPS.
func DefinitionPlaces(id string, inMemory bool, dirs int) []Place {
	places := make([]Place, 0, 10)
	add := func(dir int, names ...string) {
		for _, name := range names {
			places = append(places, Place{dir, name})
		}
	}
	project := []string{"loop.json"}
	if IsFileName(id) {
		project = append(project, id+".json", "loops/"+id+"/loop.json", "loops/"+id+".json")
	}
	add(BesideState, project...)
	if inMemory {
		add(InProject, project...)
	}
	for dir := range dirs {
		if IsFileName(id) {
			add(dir, id+"/loop.json", id+".json")
		}
	}
	return places
}

// FindDefinition returns the first definition of the loop with an id among the places. read returns what stands at a place: nil
// and no error if there is no file. Where none counts, the result is nil, or [Definition.Unreadable] if one of the files could not be
// used. unread is the first such file before the one that counts, with its reason.
func FindDefinition(id string, places []Place, read func(Place) (*Definition, error)) (d *Definition, unread *Place, reason error) {
	for i, place := range places {
		found, err := read(place)
		if err == nil && found == nil {
			continue
		}
		if err == nil {
			err = found.Match(id)
		}
		if err == nil {
			return found, unread, reason
		}
		isAnybodys := place.Dir < 0 && place.Name == id+".json" // ID.json may be the file of another tool
		if err != ErrOtherLoop && !(err == ErrNotLoop && isAnybodys) && unread == nil {
			unread, reason = &places[i], err
		}
	}
	if unread != nil {
		return &Definition{File: unread.Name, Unreadable: true}, unread, reason
	}
	return nil, nil, nil
}

// IsLostState reports whether a candidate from which no state can be read, for a reason, belongs to a loop nevertheless: then it waits. A
// truncated text does if it looks like a state, any other if there is a definition for it. A file called state.json may be anybody's.
// hasDefinition reports whether there is a definition for one of the ids.
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

// ResemblesState reports whether a text that can't be parsed looks like a state: others use the same file names.
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
