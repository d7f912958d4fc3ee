package rules

import "gatehouse/parse/disk/peek"

// MemoryDir is where some agents keep their states, beside the project's own.
const MemoryDir = "memory"

// NamesState reports whether a file may be a loop's state by its name: "*-state.json", as a shell has it. In the directory of
// a project state.json may be one, too.
func NamesState(name string) bool {
	const suffix = "-state.json"
	return len(name) >= len(suffix) && name[len(name)-len(suffix):] == suffix && name[0] != '.'
}

// Beside returns the n-th place, from 0, where the definition of a loop is looked for from the directory of its state; "" when
// there are no more. The first of them that can be read and is that loop's ([Definition.Of]) counts, then the first of
// [InLibrary].
func Beside(id string, n int) string {
	switch {
	case n == 0:
		return "loop.json"
	case !UsableInPath(id):
	case n == 1:
		return id + ".json"
	case n == 2:
		return "loops/" + id + "/loop.json"
	case n == 3:
		return "loops/" + id + ".json"
	}
	return ""
}

// InLibrary returns the n-th place, from 0, where a definition is looked for in each of the directories of GATEHOUSE_LOOPS; ""
// when there are no more.
func InLibrary(id string, n int) string {
	switch {
	case !UsableInPath(id):
	case n == 0:
		return id + "/loop.json"
	case n == 1:
		return id + ".json"
	}
	return ""
}

// Of returns why a definition is not that of the loop with an ID, "" that it is. A state without an ID takes any.
func (d *Definition) Of(id string) (reason peek.Error) {
	if id != "" && d.ID != id {
		return ErrOtherLoop
	}
	return ""
}

// UsableInPath reports whether an ID may be part of a path: letters, digits, ".", "_" and "-", and no "." first.
func UsableInPath(id string) bool {
	for i := range len(id) {
		switch c := id[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-':
		case c == '.' && i > 0:
		default:
			return false
		}
	}
	return id != ""
}
