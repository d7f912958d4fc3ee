// Package waiting counts the waits of live agents by file names alone: a prompt pays for one directory listing and
// opens no file. Package ask writes the files. Each entry is one file in the directory "waiting" of the store,
// PROJECT.SESSION.ID and one of the suffixes below. PROJECT and SESSION are keys ([Key]) of the project's directory and
// of the agent's session. An entry has ended once the directory "ended" holds a file ID.end; its own file moves there
// afterwards.
package waiting

import "gatehouse/parse/disk/peek"

// Dir and Ended are the directories of the store. Held, Kept and Turn are the kinds of entries and the suffixes of their files.
const (
	Dir   = "waiting"
	Ended = "ended"
	Held  = ".held" // an ask whose asker runs and holds a lock on the file
	Kept  = ".kept" // an ask without a running asker, which collects the answer later
	Turn  = ".turn" // a finished turn: the agent waits for the next prompt; a lock is optional
	End   = ".end"  // the suffix of the file that records how an entry ended

	KeySize    = 16 // the length of a key
	IDSize     = 8  // the length of an ID
	sessionEnd = KeySize + 1 + KeySize
	idEnd      = sessionEnd + 1 + IDSize
	Most       = 8192 // how many names of a directory are read at most, valid or not
)

// Key returns a short form of text for file names: its 64-bit FNV-1a hash in hexadecimal. Directories are hashed by their real
// path. Two texts with the same key are counted together, which is harmless.
func Key(text string) string {
	hash := uint64(14695981039346656037)
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * 1099511628211
	}
	var key [KeySize]byte
	for i := range key {
		key[i] = "0123456789abcdef"[hash>>(60-4*i)&0xf]
	}
	return string(key[:])
}

// Name is the parsed form of a file name. Project and Session are keys, Kind is Held, Kept or Turn.
type Name struct{ Project, Session, ID, Kind string }

// String returns the file name.
func (n Name) String() string { return n.Project + "." + n.Session + "." + n.ID + n.Kind }

// Parse parses a file name. The result refers to the bytes of name; ok is false for any other file.
func Parse(name string) (n Name, ok bool) {
	if len(name) != idEnd+len(Held) || name[KeySize] != '.' || name[sessionEnd] != '.' {
		return n, false
	}
	n = Name{Project: name[:KeySize], Session: name[KeySize+1 : sessionEnd], ID: name[sessionEnd+1 : idEnd], Kind: name[idEnd:]}
	known := n.Kind == Held || n.Kind == Kept || n.Kind == Turn
	return n, known && isPlain(n.Project) && isPlain(n.Session) && isPlain(n.ID)
}

// ValidID reports whether id has the form of an ID.
func ValidID(id string) bool { return len(id) == IDSize && isPlain(id) }

// isPlain reports whether text consists of lower-case letters and digits.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// EndPath returns the path of the file that records how id ended.
func EndPath(store, id string) string { return peek.Join(peek.Join(store, Ended), id+End) }

// Counts says how much waits: an ask holds up its agent, a finished turn waits for the next prompt.
type Counts struct{ Asks, Turns int }

// Count counts the waits for the project with this key, or for all projects if the key is empty. A missing store counts
// as empty.
func Count(store, project string) (c Counts) {
	peek.Entries(peek.Join(store, Dir), Most, func(file string, _ peek.Type) {
		switch name, ok := Parse(file); {
		case !ok || project != "" && name.Project != project || peek.Exists(EndPath(store, name.ID)):
		case name.Kind == Turn:
			c.Turns++
		default:
			c.Asks++
		}
	})
	return c
}

// StatePath returns the directory of everything that gatehouse keeps for a user: below $XDG_STATE_HOME if that is absolute, else
// in the default place of the system, which windows selects. It is "" if neither env nor home gives one.
func StatePath(windows bool, home string, env func(name string) string) string {
	state := env("XDG_STATE_HOME")
	if !peek.IsAbsolute(state) && windows && env("LOCALAPPDATA") != "" {
		state = env("LOCALAPPDATA")
	} else if !peek.IsAbsolute(state) {
		if !peek.IsAbsolute(home) {
			return ""
		}
		state = peek.Join(peek.Join(home, ".local"), "state")
	}
	return peek.Join(state, "gatehouse")
}

// StorePath returns the directory of a user's store, or "" if [StatePath] finds none.
func StorePath(windows bool, home string, env func(name string) string) string {
	if state := StatePath(windows, home, env); state != "" {
		return peek.Join(state, "agents")
	}
	return ""
}
