// Package nearest reads what one line about a place needs, and no more: the nearest state file above a directory, as
// shallowly as possible, which files the line depends on, and git. The prompt binary is built on it. What a file says is read
// by the rules package of each protocol, which the readers of whole projects use too.
//
// Every protocol is one file here and one line in sources.
package nearest

import (
	"gatehouse/model/line"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
)

// Place is where to look and what the surroundings are. Nothing else is consulted: no global state, no clock
// but its own.
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
	// Source limits the search to the protocol of that name, one of Protocols; "" searches for all.
	Source string
	// Alerts asks for everything that waits for somebody, too: Found.Waits and Found.Agents.
	Alerts bool
	// Asks is the store of live agents, see [waiting.StorePath]; "" for none.
	Asks string
	// Detail has it read what only an agent's layout shows: line.AgentRows.
	Detail bool
	// Now returns the time in seconds since 1970, for what counts only while it is new; nil means that nothing is.
	Now func() int64
	// Watch, where it is not nil, is told which files the result depends on.
	Watch *Watch
	// Buffer takes the bytes of the files read and is given up to Find: the facts point into it. What does not fit goes
	// onto the heap, so nil works too.
	Buffer []byte

	planning planning // of the directory looked at last
	all      bool     // Source goes through all protocols: a .planning is only its owner's
	refused  string   // the first file that was refused
	reason   error
	sources  []source // those of a test; nil for sources
}

// Found is the state of the nearest build.
type Found struct {
	// Facts are what the line is made from.
	Facts line.Facts
	// Protocol is the name of the protocol, such as "gsd".
	Protocol string
	// Dir is the directory whose build it is.
	Dir string
	// Path is the file that was read, "" when the facts come from the absence of one.
	Path string
	// With is a second file that the line was made from, "" for none: the definition of a loop.
	With string
	// Compact says that the project's own configuration asks for the compact form, ConfigPath which file was looked at
	// for it, "" when there is none.
	Compact    bool
	ConfigPath string
	// Waits says what waits for somebody, as the file WaitsPath spells it; both are "" when nothing certain does, or when
	// Place.Alerts did not ask for it.
	Waits     string
	WaitsPath string
	// Beside is what waits in other states of the same directory, which are not those of the facts; nil for nothing, or when Place.Alerts
	// did not ask for it.
	Beside []Waiting
	// Agents counts what waits from live agents in the project, with or without a build; it is zero without Place.Alerts.
	Agents waiting.Counts
	// Denied says what the tree has left to do where the facts call the milestone complete; "" elsewhere, and when
	// Place.Alerts did not ask for it.
	Denied string
	// Turns is the moment, in seconds since 1970, from which on the facts are others although nothing is written; 0 where there
	// is none, or where Place.Now is not known.
	Turns int64
	// WaitsSaid says that the line of the facts says by itself what waits.
	WaitsSaid bool
	// Refused is the first file on the way that is there and was not read, "" for none, and Reason why: one of the errors
	// of package peek.
	Refused string
	Reason  error
}

// Waiting is what waits for somebody in a state beside the one that the line is about.
type Waiting struct {
	Name string // of the file, as it is called in the directory
	What string
}

// source is one protocol: in looks at a single directory and says whether the protocol's state is there. A state that is
// there and empty is found too, with facts that make no line: it hides what lies above.
type source struct {
	protocol string
	state    string // the file that is looked for, for people
	in       func(p *Place, dir string) (Found, bool)
}

// sources are the protocols in the order in which they are asked within one directory.
var sources = [...]source{
	{"gsd", ".planning/STATE.md", gsdIn},
	{"ultraplan", ".planning/STATE.md", ultraplanIn},
	{"loop", "*-state.json", loopIn},
	{"fctry", ".fctry/state.json", fctryIn},
}

// Protocols returns the names of the protocols there are, in the order in which they are asked within one directory.
func Protocols() []string {
	names := make([]string, len(sources))
	for i := range sources {
		names[i] = sources[i].protocol
	}
	return names
}

// LooksFor returns the files that are looked for in each directory, separated by a comma and a space: those of the protocol
// named, or of all for "".
func LooksFor(protocol string) string {
	files := ""
	for i := range sources {
		if protocol != "" && protocol != sources[i].protocol || i > 0 && protocol == "" && sources[i].state == sources[i-1].state {
			continue
		}
		if files != "" {
			files += ", "
		}
		files += sources[i].state
	}
	return files
}

// Find looks for the state of a build in the directory of p and above it, peek.ClimbLimit directories in total and not
// above home. The nearest directory with a state wins, and within one directory the order of Protocols, except that a complete
// build gives way to one of another protocol that waits for a human. ok is false when there is no state; then found still says
// what was refused and what waits from live agents. What cannot be read counts as not there: Find never fails, never waits and
// writes nothing.
func Find(p Place) (found Found, ok bool) {
	if found, ok = find(&p); !ok {
		found.Agents = p.countAgents("")
	}
	return found, ok
}

// FindAll looks for the state of each protocol by itself, as Find does, and returns what there is, in the order of
// Protocols. Without any, ok is false and it returns one Found as Find does.
func FindAll(p Place) (all []Found, ok bool) {
	list := p.sources
	if list == nil {
		list = sources[:]
	}
	var none Found
	p.all = true
	for i := range list {
		p.Source = list[i].protocol
		found, ok := find(&p)
		if ok {
			all = append(all, found)
		} else if none.Reason == nil {
			none = found
		}
	}
	if len(all) == 0 {
		none.Agents = p.countAgents("")
		return []Found{none}, false
	}
	return all, true
}

func find(p *Place) (found Found, ok bool) {
	list := p.sources
	if list == nil {
		list = sources[:]
	}
	for dir := range peek.Climb(p.Dir, p.Home) {
		for i := range list {
			if p.Source != "" && p.Source != list[i].protocol {
				continue
			}
			if found, ok = list[i].in(p, dir); ok {
				found.Protocol, found.Dir = list[i].protocol, dir
				if scene, _ := found.Facts.Scene(); scene == sceneComplete && p.Source == "" {
					found = p.preferWaiting(found, list[i+1:], dir)
				}
				found.Refused, found.Reason = p.refused, p.reason
				found.Agents = p.countAgents(dir)
				return found, true
			}
		}
	}
	return Found{Refused: p.refused, Reason: p.reason}, false
}

// sceneComplete is the number of the scene of a complete build.
const sceneComplete = 3

// preferWaiting returns the first build of the other protocols in dir that waits for a human, else complete.
func (p *Place) preferWaiting(complete Found, others []source, dir string) Found {
	alerts := p.Alerts
	defer func() { p.Alerts = alerts }()
	p.Alerts = true
	for i := range others {
		found, ok := others[i].in(p, dir)
		if ok && (found.Waits != "" || len(found.Beside) > 0) {
			found.Protocol, found.Dir = others[i].protocol, dir
			return found
		}
	}
	return complete
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
	p.Watch.file(path, err)
	switch {
	case err == nil:
		// What was read keeps its part of the buffer; the next file gets the rest.
		p.Buffer = p.Buffer[min(len(text), len(p.Buffer)):]
	case !peek.Missing(err):
		p.refuse(path, err)
	}
	return text, err
}

// refuse notes why a file that is there counts as not there; the first one is told.
func (p *Place) refuse(path string, reason error) {
	if p.reason == nil {
		p.refused, p.reason = path, reason
	}
}

// entries shows the names in a directory to see, at most entryLimit of them. What is found depends on the directory then.
func (p *Place) entries(dir string, see func(name string)) {
	// What is free of the buffer serves until the next file is read into it.
	peek.Entries(dir, p.Buffer[:min(len(p.Buffer), entryBuffer)], entryLimit, see)
	p.Watch.directory(dir)
}
