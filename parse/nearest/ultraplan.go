// Finding an ultraplan project: the same .planning as GSD's, and a tree of plans that is counted by its names alone.

package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/ultraplan/rules"
)

// ultraplanEntries is how many entries of a directory of phases or plans the prompt looks at.
const ultraplanEntries = 4096

// planning is what is known of a directory's .planning: two protocols ask for it, and it is looked at once.
type planning struct {
	dir   string // the directory asked about, "" for none yet
	path  string // of .planning
	here  bool
	state string // path of STATE.md
	text  string // what it says
	err   error  // why it was not read
	// ultraplan says whose it is.
	ultraplan bool
}

// planningIn looks at the .planning of a directory; ok is false when there is none.
func (p *Place) planningIn(dir string) (at *planning, ok bool) {
	at = &p.planning
	if at.dir == dir {
		return at, at.here
	}
	*at = planning{dir: dir, path: peek.Join(dir, planningDir)}
	if at.here = peek.Exists(at.path); !at.here { // most directories on the way up: one question settles all
		p.Watch.Without(at.path)
		return at, false
	}
	at.state = peek.Join(at.path, "STATE.md")
	at.text, at.err = p.read(at.state, dir)
	at.ultraplan = rules.Owns(at.text, func() bool {
		home := peek.Join(dir, rules.Home)
		if !peek.Exists(home) {
			p.Watch.Without(home)
			return false
		}
		p.Watch.Add(home)
		return true
	})
	return at, true
}

// ultraplanIn looks for ultraplan's state in one directory.
func ultraplanIn(p *Place, dir string) (Found, bool) {
	at, ok := p.planningIn(dir)
	if !ok || !at.ultraplan {
		return Found{}, false
	}
	path, text := at.state, at.text
	if peek.Missing(at.err) {
		// ultraplan's templates put STATE.md into the project's own directory, too.
		if beside := peek.Join(dir, "STATE.md"); p.watched(beside) {
			var err error
			if text, err = p.read(beside, dir); err == nil {
				path = beside
			}
		}
	}
	s := rules.ParseState(text)
	phases := p.ultraplanTree(at.path)
	session, _ := p.read(sessionPath(dir), dir)
	facts := rules.Line(phases, &s, rules.SessionPlans(session), func() []rules.RoadmapPhase {
		roadmap, _ := p.read(peek.Join(at.path, "ROADMAP.md"), dir)
		return rules.RoadmapPhases(roadmap)
	})
	rules.Free(&facts, phases, func(phase, id string) string {
		text, _ := p.read(peek.Join(peek.Join(peek.Join(at.path, "phases"), phase), id+"-PLAN.md"), dir)
		return text
	})
	if resume, err := p.read(peek.Join(peek.Join(peek.Join(dir, rules.Home), "state"), "continue.md"), dir); !peek.Missing(err) {
		rules.Pause(&facts, phases, resume)
	}
	found := Found{Facts: &facts, Path: path}
	found.Compact, found.ConfigPath = p.isGSDCompact()
	found.Waits, found.WaitsPath = p.ultraplanStuck(dir, path, text, phases, &s, session)
	if n, _ := facts.Scene(); found.Waits == "" && facts.Paused && n == 2 {
		found.Waits, found.WaitsPath, found.WaitsSaid = "resume", path, true
	}
	return found, true
}

func sessionPath(dir string) string {
	return peek.Join(peek.Join(peek.Join(dir, rules.Home), "logs"), "current-session.json")
}

// watched notes that the result depends on the file at path, and reports whether it is there.
func (p *Place) watched(path string) bool {
	if peek.Exists(path) {
		return true
	}
	p.Watch.Without(path)
	return false
}

// ultraplanTree lists the phases below .planning, in their order, by the names of their files.
func (p *Place) ultraplanTree(planning string) []rules.Phase {
	root := peek.Join(planning, "phases")
	p.Watch.Add(root)
	var names []string
	peek.Entries(root, p.Buffer, ultraplanEntries, func(name string) {
		if _, _, ok := rules.PhaseDir(name); ok && len(names) < rules.PhaseLimit {
			names = append(names, string([]byte(name)))
		}
	})
	var phases []rules.Phase
	for _, dir := range names {
		path := peek.Join(root, dir)
		var files []string
		listed := peek.Entries(path, p.Buffer, ultraplanEntries, func(name string) {
			if _, _, ok := rules.PlanFile(name); ok {
				files = append(files, string([]byte(name)))
			}
		})
		if !listed {
			continue
		}
		p.Watch.Add(path)
		if phase, _, ok := rules.NewPhase(dir, files); ok {
			phases = append(phases, phase)
		}
	}
	rules.SortPhases(phases)
	return phases
}
