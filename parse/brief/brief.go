// Package brief reads what one line about a place needs, and no more: the nearest state file above a directory, as
// shallowly as possible. The prompt binary is built on it; the readers of whole projects use its scanners, so that line
// and dashboard can't disagree about what a file says.
//
// Every protocol is one file here and one line in sources.
package brief

import (
	"gatehouse/model/line"
	"gatehouse/parse/peek"
)

// Place is where to look and what the surroundings are. Nothing else is consulted: no global state, no clock.
type Place struct {
	// Dir is the absolute, clean path of the directory where the walk up begins.
	Dir string
	// Home is the user's home directory, where a walk ends; "" for none.
	Home string
	// TempDir is the directory of temporary files, without a trailing separator; GSD keeps its sessions' pointers there.
	TempDir string
	// Env returns the value of an environment variable, "" when it is not set. nil means that none is.
	Env func(name string) string
	// Terminal returns the path of the terminal on standard input, such as "/dev/pts/3", "" for none. nil means none.
	Terminal func() string
	// Buffer takes the bytes of the files read and is given up to Find: the facts point into it. What does not fit goes
	// onto the heap, so nil works too.
	Buffer []byte

	refused string // the first file that was refused
	reason  error
}

// Found is the state of the nearest build.
type Found struct {
	// Facts are what the line is made from.
	Facts line.Facts
	// Protocol is the name of the protocol, such as "gsd".
	Protocol string
	// Path is the file that was read, "" when the facts come from the absence of one.
	Path string
	// Compact says that the project's own configuration asks for the compact form, ConfigPath which file was looked at
	// for it, "" when there is none.
	Compact    bool
	ConfigPath string
	// Refused is the first file on the way that is there and was not read, "" for none, and Reason why: one of the errors
	// of package peek.
	Refused string
	Reason  error
}

// source is one protocol: in looks at a single directory and says whether the protocol's state is there. A state that is
// there and empty is found too, with facts that make no line: it hides what lies above.
type source struct {
	protocol string
	in       func(p *Place, dir string) (Found, bool)
}

// sources are the protocols in the order in which they are asked within one directory.
var sources = [...]source{
	{"gsd", gsdIn},
}

// Find looks for the state of a build in the directory of p and above it, peek.ClimbLimit directories in total and not
// above home. The nearest directory with a state wins. ok is false when there is none; then found still says what was
// refused. What cannot be read counts as not there: Find never fails, never waits and writes nothing.
func Find(p Place) (found Found, ok bool) {
	for dir := range peek.Climb(p.Dir, p.Home) {
		for i := range sources {
			if found, ok = sources[i].in(&p, dir); ok {
				found.Protocol = sources[i].protocol
				found.Refused, found.Reason = p.refused, p.reason
				return found, true
			}
		}
	}
	return Found{Refused: p.refused, Reason: p.reason}, false
}

// env returns the value of an environment variable, "" when it is not set.
func (p *Place) env(name string) string {
	if p.Env == nil {
		return ""
	}
	return p.Env(name)
}

// read returns the text of the file at path, and why it could not be read. A link at path may lead anywhere within root.
func (p *Place) read(path, root string) (text string, err error) {
	text, _, err = peek.ReadFile(path, root, p.Buffer, peek.Limit)
	switch {
	case err == nil:
		// What was read keeps its part of the buffer; the next file gets the rest.
		p.Buffer = p.Buffer[min(len(text), len(p.Buffer)):]
	case p.reason == nil && !peek.Missing(err):
		p.refused, p.reason = path, err
	}
	return text, err
}
