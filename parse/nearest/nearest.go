// Package nearest finds the builds that a directory belongs to and reads the input of one line about them: the nearest
// state file above the directory, with as little work as possible, and git. The prompt uses it. The rules package of each protocol interprets the files, as in the dashboard.
//
// Every protocol is one file here and one line in sources.
package nearest

import (
	"gatehouse/model/line"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/formats/core"
)

// entryLimit limits the names of a directory that are looked at.
const entryLimit = 4096

// Place is the input of a search: its directory and options. Nothing else is consulted: no global state, and no clock
// but its own.
type Place struct {
	Dir      string                   // the absolute, clean path of the directory at which the walk up begins
	Home     string                   // the user's home directory, at which a walk ends; "" for none
	TempDir  string                   // directory of temporary files, without a trailing separator; GSD keeps its sessions' pointers there
	Env      func(name string) string // returns a variable of the environment, "" if it is not set; nil means that none is
	Terminal func() string            // returns the path of the terminal on standard input, "" for none; may be nil
	Now      func() int64             // returns the seconds since 1970; without it nothing counts as new
	Source   string                   // limits the search to one of Protocols; "" searches for all
	Detail   bool                     // also read data that only an agent's layout shows: line.AgentRows
	Alerts   bool                     // also find waits for a human: Found.Waits, Beside, Agents and Denied
	Asks     string                   // the store of live agents, see [waiting.StorePath]; "" for none

	planning planning // of the directory looked at last
	marks    marks    // likewise
	defined  *defined // the formats of the user, read once
	all      bool     // Source goes through all protocols: a .planning is only its owner's
	refused  string   // the first file that was refused
	reason   error
}

// Found is the state of the nearest build.
type Found struct {
	Facts    line.Facts // input of the line
	Protocol string     // its name, such as "gsd"
	Dir      string     // the directory that the build belongs to
	Path     string     // the file that was read, "" if the facts come from the absence of one
	With     string     // a second file that the line was made from, "" for none: the definition of a loop

	Compact    bool   // the project's configuration asks for the compact form
	ConfigPath string // the file with that setting, "" for none

	Waits     string         // the wait for a human, as the file WaitsPath spells it; "" without a certain one
	WaitsPath string         // "" without Waits
	WaitsSaid bool           // the line already mentions them
	Beside    []Waiting      // waits in other states of the same directory
	Agents    waiting.Counts // waits of live agents in the project, with or without a build
	Denied    string         // remaining work in the tree if the facts call the milestone complete, else ""

	Refused string // the first file that was found and not read, "" for none
	Reason  error  // why: one of the errors of package peek
}

// Waiting is a wait in a state that the line does not show.
type Waiting struct {
	Name string // of the file, relative to the directory
	What string
}

// source is one protocol: in looks at a single directory and reports whether the protocol's state is there. An empty
// state counts, with facts that make no line: it hides states further up.
type source struct {
	protocol string
	state    string // the name of the state file, for people
	in       func(p *Place, dir string) (Found, bool)
}

// sources are the protocols in lookup order within one directory.
var sources = []source{
	{"gsd", ".planning/STATE.md", gsdIn},
	{"ultraplan", ".planning/STATE.md", ultraplanIn},
	{"loop", "*-state.json", loopIn},
	{"fctry", ".fctry/state.json", fctryIn},
	{core.SpecKit, "specs/*/tasks.md", func(p *Place, dir string) (Found, bool) { return formatIn(p, dir, 0) }},
	{core.OpenSpec, "openspec/changes", func(p *Place, dir string) (Found, bool) { return formatIn(p, dir, 1) }},
	{core.Kiro, ".kiro/specs", func(p *Place, dir string) (Found, bool) { return formatIn(p, dir, 2) }},
	{core.BMAD, "sprint-status.yaml", func(p *Place, dir string) (Found, bool) { return formatIn(p, dir, 3) }},
	{core.TaskMaster, ".taskmaster/tasks/tasks.json", func(p *Place, dir string) (Found, bool) { return formatIn(p, dir, 4) }},
	{"format", core.ProjectFormat, definedIn},
}

// sceneComplete is the number of the scene of a complete build.
const sceneComplete = 3

// Protocols returns the names of the protocols, in lookup order within one directory.
func Protocols() (names []string) {
	for _, s := range sources {
		names = append(names, s.protocol)
	}
	return names
}

// LooksFor returns the files that Find looks for in each directory, separated by a comma and a space.
func LooksFor() (files string) {
	for _, s := range sources {
		if files == "" {
			files = s.state
		} else if !doc.HasSuffix(files, s.state) {
			files += ", " + s.state
		}
	}
	return files
}

// Find looks for the state of a build in the directory of p and above it, as far as [peek.Climb] goes. The nearest
// directory with a state wins, and within one directory the order of Protocols, except that a complete build yields to
// one of another protocol that waits for a human. ok is false without a state; found still has the refused files and
// the waits of live agents then. Unreadable files count as missing: Find never fails, never waits, runs nothing and
// writes nothing.
func Find(p Place) (found Found, ok bool) {
	if found, ok = p.findBuild(); !ok {
		found.Agents = p.countAgents("")
	}
	return found, ok
}

// FindAll looks for the state of each protocol by itself, as Find does, and returns them in the order of Protocols.
// Without any, ok is false and it returns one Found as Find does.
func FindAll(p Place) (all []Found, ok bool) {
	var none Found
	p.all = true
	for _, s := range sources {
		p.Source = s.protocol
		if found, ok := p.findBuild(); ok {
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

// findBuild is Find without a count of agents if there is no build.
func (p *Place) findBuild() (found Found, ok bool) {
	for dir := range peek.Climb(p.Dir, p.Home) {
		for i, s := range sources {
			if p.Source != "" && p.Source != s.protocol {
				continue
			}
			if found, ok = s.findIn(p, dir); !ok {
				continue
			}
			if scene, _ := found.Facts.Scene(); scene == sceneComplete && p.Source == "" {
				found = p.preferWaiting(found, sources[i+1:])
			}
			found.Refused, found.Reason = p.refused, p.reason
			found.Agents = p.countAgents(dir)
			return found, true
		}
	}
	return Found{Refused: p.refused, Reason: p.reason}, false
}

// findIn looks at one directory.
func (s source) findIn(p *Place, dir string) (found Found, ok bool) {
	found, ok = s.in(p, dir)
	found.Protocol, found.Dir = s.protocol, dir
	return found, ok
}

// preferWaiting returns the first build of the other protocols in the directory of a complete one that waits for a
// human, else complete.
func (p *Place) preferWaiting(complete Found, others []source) Found {
	alerts := p.Alerts
	defer func() { p.Alerts = alerts }()
	p.Alerts = true
	for _, s := range others {
		if found, ok := s.findIn(p, complete.Dir); ok && (found.Waits != "" || len(found.Beside) > 0) {
			return found
		}
	}
	return complete
}

// countAgents counts the waits of live agents in a project: the build in dir or, if dir is empty, the repository or
// else the directory of p. Without any file in the store it costs one directory listing.
func (p *Place) countAgents(dir string) (c waiting.Counts) {
	if !p.Alerts || p.Asks == "" {
		return c
	}
	if waiting.Count(p.Asks, "") == c {
		return c
	}
	if dir == "" {
		dir = p.Dir
		if r, ok := p.findRepository(); ok {
			dir = r.Root
		}
	}
	if real, ok := peek.RealPath(dir); ok {
		c = waiting.Count(p.Asks, waiting.Key(real))
	}
	return c
}

// lookupEnv returns the value of an environment variable, "" if it is not set.
func (p *Place) lookupEnv(name string) string {
	if p.Env == nil {
		return ""
	}
	return p.Env(name)
}

// readText returns the text of the file at path, and why it could not be read. A link at path may lead anywhere within root.
func (p *Place) readText(path, root string) (text string, err error) {
	if text, _, err = peek.ReadFile(path, root, peek.Limit); err != nil && !peek.Missing(err) {
		p.refusePath(path, err)
	}
	return text, err
}

// refusePath records why a file counts as missing; only the first one is reported.
func (p *Place) refusePath(path string, reason error) {
	if p.reason == nil {
		p.refused, p.reason = path, reason
	}
}

// listNames returns the names in a directory that are wanted, in no order.
func listNames(dir string, isWanted func(name string) bool) (names []string) {
	peek.Entries(dir, entryLimit, func(name string, _ peek.Type) {
		if isWanted(name) {
			names = append(names, name)
		}
	})
	return names
}
