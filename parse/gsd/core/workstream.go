package core

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

const (
	// WorkstreamsDir is the directory in .planning with a directory for each workstream.
	WorkstreamsDir = "workstreams"
	pointerLimit   = 4 << 10 // bytes of a pointer file, which holds one name
)

// ActiveWorkstream returns the name of the workstream that is active in the .planning directory planning: from the environment, else
// from the pointer in the project. ok is false if none is active, the name is not allowed, or the pointer names a missing directory.
func ActiveWorkstream(env func(name string) string, planning string) (name string, ok bool) {
	if name = trimSpace(env("GSD_WORKSTREAM")); name != "" {
		return name, isWorkstream(name)
	}
	text, _, err := peek.ReadFile(peek.Join(planning, "active-workstream"), "", nil, pointerLimit)
	name = trimSpace(text)
	if err != nil || !isWorkstream(name) {
		return "", false
	}
	return name, peek.Exists(peek.Join(peek.Join(planning, WorkstreamsDir), name))
}

// isWorkstream reports whether name is ASCII letters, digits, ".", "_" and "-", begins with a letter or digit, and has no two dots in a
// row.
func isWorkstream(name string) bool {
	for i := range len(name) {
		if !isWord(name[i]) && name[i] != '.' && name[i] != '-' {
			return false
		}
	}
	return name != "" && isAlphanumeric(name[0]) && !doc.Contains(name, "..")
}
