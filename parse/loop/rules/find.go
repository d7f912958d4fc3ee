package rules

// MemoryDir is where some agents keep their states, beside the project's own.
const MemoryDir = "memory"

// MaxCandidates is how many files of a directory are looked into that may be states, the newest.
const MaxCandidates = 512

// MayBeState reports whether a file in the directory of a project may be a loop's state by its name.
func MayBeState(name string) bool { return name == "state.json" || NamesState(name) }

// NamesState reports whether a file may be a loop's state by its name: "*-state.json", as a shell has it.
func NamesState(name string) bool {
	const suffix = "-state.json"
	return len(name) >= len(suffix) && name[len(name)-len(suffix):] == suffix && name[0] != '.'
}

// Where says in which directory a definition is looked for: from 0 on, in one of those of GATEHOUSE_LOOPS.
type Where int

const (
	BesideState Where = iota - 2 // the directory of the state
	InProject                    // that of the project, where the state is in [MemoryDir]
)

// Search goes through the places where the definition of a loop may be: call Next and look at At and Name, then Judge what
// is there, until it says that it is the one.
type Search struct {
	ID     string // of the loop
	Memory bool   // its state is in [MemoryDir]
	Dirs   int    // how many directories GATEHOUSE_LOOPS names

	At   Where
	Name string

	// Unread is the first file, of those before the one that counts, that is there and can't be read, or can't be told to be
	// another loop's; its Reason is nil where there is none. Where nothing else counts, nobody knows where the gates stand.
	Unread struct {
		At     Where
		Name   string
		Reason error
	}

	begun bool
	n     int // of the next name in the directory
}

// Next goes on to the next place, and reports whether there is one.
func (s *Search) Next() bool {
	if !s.begun {
		s.begun, s.At = true, BesideState
	}
	for int(s.At) < s.Dirs {
		if s.At != InProject || s.Memory {
			if s.Name = s.name(); s.Name != "" {
				s.n++
				return true
			}
		}
		s.At, s.n = s.At+1, 0
	}
	return false
}

// name returns the n-th name that is looked for in the directory, "" when there are no more.
func (s *Search) name() string {
	beside := s.At < 0
	switch {
	case beside && s.n == 0:
		return "loop.json"
	case !UsableInPath(s.ID):
	case s.n == 1:
		return s.ID + ".json"
	case !beside && s.n == 0:
		return s.ID + "/loop.json"
	case beside && s.n == 2:
		return "loops/" + s.ID + "/loop.json"
	case beside && s.n == 3:
		return "loops/" + s.ID + ".json"
	}
	return ""
}

// Judge takes why the file at the place is no definition of the loop, nil where it is ([Definition.Of]). A file that is not
// there is not judged. It reports whether the search has ended.
func (s *Search) Judge(reason error) (found bool) {
	anything := s.At < 0 && s.n == 2 // ID.json may be the file of anybody
	switch {
	case reason == nil:
		return true
	case reason == ErrOtherLoop, reason == ErrNotLoop && anything, s.Unread.Reason != nil:
	default:
		s.Unread.At, s.Unread.Name, s.Unread.Reason = s.At, s.Name, reason
	}
	return false
}

// Of returns why a definition is not that of the loop with an ID, nil that it is. A state without an ID takes any.
func (d *Definition) Of(id string) error {
	switch {
	case len(d.Phases) == 0:
		return ErrNotLoop
	case id == "" || d.ID == id:
		return nil
	case d.ID == "":
		return ErrNoID
	case foldASCII(d.ID) == foldASCII(id):
		return ErrOtherCase
	}
	return ErrOtherLoop
}

// foldASCII returns a text with its letters small.
func foldASCII(s string) string {
	small := []byte(s)
	for i, c := range small {
		if c >= 'A' && c <= 'Z' {
			small[i] = c + 'a' - 'A'
		}
	}
	return string(small)
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
