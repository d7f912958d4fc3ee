package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/ultraplan/rules"
)

// maxLogs limits the logs of an ultraplan project that are looked at.
const maxLogs = 1 << 16

// planning is the .planning of a directory. GSD and ultraplan both ask for it.
type planning struct {
	dir       string // the directory asked about, "" for none yet
	path      string // of .planning
	here      bool
	state     string // path of STATE.md
	text      string // what it says
	err       error  // why it was not read
	ultraplan bool   // it is ultraplan's
}

// planningIn looks at the .planning of a directory; ok is false without one.
func (p *Place) planningIn(dir string) (at *planning, ok bool) {
	at = &p.planning
	if at.dir == dir {
		return at, at.here
	}
	*at = planning{dir: dir, path: peek.Join(dir, planningDir)}
	if at.here = p.exists(at.path); !at.here { // most directories on the way up
		return at, false
	}
	at.state = peek.Join(at.path, "STATE.md")
	at.text, at.err = p.read(at.state, dir)
	at.ultraplan = rules.Owns(at.text, func() bool {
		home := peek.Join(dir, rules.Home)
		if !p.exists(home) {
			return false
		}
		p.Watch.Add(home)
		return true
	})
	return at, true
}

// ultraplanIn looks for ultraplan's state in one directory. Phases and plans are counted by the names of their files.
func ultraplanIn(p *Place, dir string) (found Found, ok bool) {
	at, ok := p.planningIn(dir)
	if !ok || !at.ultraplan {
		return found, false
	}
	found.Path = at.state
	text := at.text
	if peek.Missing(at.err) { // ultraplan's templates put it into the project's own directory, too
		if beside := peek.Join(dir, "STATE.md"); p.exists(beside) {
			if other, err := p.read(beside, dir); err == nil {
				found.Path, text = beside, other
			}
		}
	}
	home, root := peek.Join(dir, rules.Home), peek.Join(at.path, "phases")
	readPlan := func(phase, id string) string {
		text, _ := p.read(peek.Join(peek.Join(root, phase), id+"-PLAN.md"), dir)
		return text
	}
	state, phases := rules.ParseState(text), p.listPhases(root)
	sessionPath := peek.Join(home, "logs/current-session.json")
	session, _ := p.read(sessionPath, dir)
	facts := rules.Line(phases, &state, rules.SessionPlans(session), func() []rules.RoadmapPhase {
		roadmap, _ := p.read(peek.Join(at.path, "ROADMAP.md"), dir)
		return rules.RoadmapPhases(roadmap)
	})
	rules.Free(&facts, phases, readPlan)
	if resume, err := p.read(peek.Join(home, "state/continue.md"), dir); !peek.Missing(err) {
		rules.Pause(&facts, phases, resume)
	}
	found.Facts = &facts
	found.Compact, found.ConfigPath = gsdCompact(p)

	retriesPath := peek.Join(home, "state/retry-state.json")
	retries, _ := p.read(retriesPath, dir)
	var logs []string
	what, in := rules.Stuck(text, phases, &state, &rules.Beside{
		Session: session, Retries: retries, Asked: p.Alerts,
		Logs: func() (files []rules.LogFile) {
			files, logs = p.listLogs(peek.Join(home, "logs"))
			return files
		},
		Read: func(i int) rules.LogHead {
			text, _ := p.read(logs[i], dir)
			return rules.ParseLogHead(text)
		},
		Plan: func(id string) string {
			for _, phase := range phases {
				for _, plan := range phase.Plans {
					if rules.SamePlan(plan.ID, id, "") {
						return readPlan(phase.Dir, plan.ID)
					}
				}
			}
			return ""
		},
	})
	found.Waits = what
	switch scene, _ := facts.Scene(); {
	case what == "" && facts.Paused && scene == 2:
		found.Waits, found.WaitsPath, found.WaitsSaid = "resume", found.Path, true
	case what == "":
	case in == rules.InState:
		found.WaitsPath = found.Path
	case in == rules.InRetries:
		found.WaitsPath = retriesPath
	case in == rules.InSession:
		found.WaitsPath = sessionPath
	default:
		found.WaitsPath = logs[in]
	}
	return found, true
}

// listPhases returns the phases in a directory, in their order.
func (p *Place) listPhases(root string) (phases []rules.Phase) {
	dirs, _ := p.list(root, func(name string) bool {
		_, _, ok := rules.PhaseDir(name)
		return ok
	})
	for _, dir := range dirs[:min(len(dirs), rules.PhaseLimit)] {
		files, isDir := p.list(peek.Join(root, dir), func(name string) bool {
			_, _, ok := rules.PlanFile(name)
			return ok
		})
		if phase, _, ok := rules.NewPhase(dir, files); ok && isDir {
			phases = append(phases, phase)
		}
	}
	rules.SortPhases(phases)
	return phases
}

// listLogs returns the logs of results by their names, with their paths: those of each day, and those in the archive.
func (p *Place) listLogs(home string) (logs []rules.LogFile, paths []string) {
	for _, parent := range [...]string{"executions", "archive", "archive/executions"} {
		parent = peek.Join(home, parent)
		days, _ := p.list(parent, func(name string) bool { return len(name) == len("2006-01-02") && name[4] == '-' && name[7] == '-' })
		for _, day := range days {
			dir := peek.Join(parent, day)
			p.list(dir, func(name string) bool {
				f, ok := rules.ParseLogName(string([]byte(name)))
				if f.Day = day; ok && len(logs) < maxLogs {
					logs, paths = append(logs, f), append(paths, peek.Join(dir, name))
				}
				return false
			})
		}
	}
	return logs, paths
}
