// Package waiting tells which asks wait by the names of files alone, so that a prompt can count those of its project by one
// reading of a directory, without opening anything. Package ask makes the files; its comment says what is in them.
//
// An ask that waits is one file in the directory "waiting" of the store, called
//
//	PROJECT.SESSION.ID.held    while the process that asked holds it: its lock says that it runs
//	PROJECT.SESSION.ID.kept    where nobody holds it: the answer is asked for later, by the ID
//
// PROJECT and SESSION are keys ([Key]) of the project's directory and of the agent's session, ID is eight letters and digits. An
// ask has ended as soon as a file ID.end is in the directory "ended"; its own file is moved there next.
package waiting

import (
	"gatehouse/parse/disk/peek"
)

// The directories of the store, and what the names of files end in.
const (
	Dir   = "waiting"
	Ended = "ended"

	Held = ".held" // an ask whose asker runs as long as it holds the lock of the file
	Kept = ".kept" // one that waits without anybody holding it
	End  = ".end"  // how an ask has ended
)

const (
	// KeySize is the length of a key.
	KeySize = 16
	// IDSize is the length of an ID.
	IDSize = 8
	// suffixSize is the length of Held and Kept.
	suffixSize = 5

	projectEnd = KeySize
	sessionEnd = projectEnd + 1 + KeySize
	idEnd      = sessionEnd + 1 + IDSize
	nameSize   = idEnd + suffixSize
)

// Most is how many names are looked at in a directory, of an ask or anything else. A thousand asks may wait at once.
const Most = 8192

// Key returns what stands for a text in names of files: 16 hexadecimal digits, the FNV-1a hash of 64 bits. That of a directory
// is made from its real path. Two texts that share a key by chance (1 in 10¹⁹) or by intent are counted together, no more.
func Key(text string) string {
	const digits = "0123456789abcdef"
	hash := uint64(14695981039346656037)
	for i := range len(text) {
		hash ^= uint64(text[i])
		hash *= 1099511628211
	}
	var key [KeySize]byte
	for i := range key {
		key[i] = digits[hash>>(60-4*i)&0xf]
	}
	return string(key[:])
}

// Name is what the name of a file tells about an ask.
type Name struct {
	Project, Session string // keys
	ID               string
	Held             bool
}

// String returns the name.
func (n Name) String() string {
	end := Kept
	if n.Held {
		end = Held
	}
	return n.Project + "." + n.Session + "." + n.ID + end
}

// Parse returns what a name tells, which refers to its bytes; ok is false for one that is none of an ask.
func Parse(name string) (n Name, ok bool) {
	if len(name) != nameSize || name[projectEnd] != '.' || name[sessionEnd] != '.' {
		return n, false
	}
	n = Name{Project: name[:projectEnd], Session: name[projectEnd+1 : sessionEnd], ID: name[sessionEnd+1 : idEnd], Held: name[idEnd:] == Held}
	return n, (n.Held || name[idEnd:] == Kept) && plain(n.Project) && plain(n.Session) && plain(n.ID)
}

// plain reports whether a text has only lower-case letters and digits.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// ValidID reports whether a text can be the ID of an ask.
func ValidID(id string) bool { return len(id) == IDSize && plain(id) }

// EndPath returns the path of the file that says how an ask has ended, in a store.
func EndPath(store, id string) string {
	return peek.Join(peek.Join(store, Ended), id+End)
}

// Count returns how many asks of a project wait in a store, by its key; "" is for those of all. buf is read through, see
// [peek.Entries]. Where there is no store nothing waits.
func Count(store, project string, buf []byte) (n int) {
	peek.Entries(peek.Join(store, Dir), buf, Most, func(file string) {
		name, ok := Parse(file)
		if ok && (project == "" || name.Project == project) && !peek.Exists(EndPath(store, name.ID)) {
			n++
		}
	})
	return n
}

// StorePath returns the directory of the store of a user: below $XDG_STATE_HOME where that is absolute, else where states are
// kept by default; "" where there is no place for one. windows asks for the rules of that system.
func StorePath(windows bool, home string, env func(name string) string) string {
	if state := StatePath(windows, home, env); state != "" {
		return peek.Join(state, "agents")
	}
	return ""
}

// StatePath returns the directory for all that gatehouse keeps of a user, as StorePath finds it.
func StatePath(windows bool, home string, env func(name string) string) string {
	state := env("XDG_STATE_HOME")
	switch {
	case peek.IsAbsolute(state):
	case windows && env("LOCALAPPDATA") != "":
		state = env("LOCALAPPDATA")
	case !peek.IsAbsolute(home):
		return ""
	default:
		state = peek.Join(peek.Join(home, ".local"), "state")
	}
	return peek.Join(state, "gatehouse")
}
