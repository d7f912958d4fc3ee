package rules

import "gatehouse/model/line"

// The files of a project that are read for its line and for what waits.
const (
	StateFile   = ".planning/STATE.md"
	roadmapFile = ".planning/ROADMAP.md"
	phasesDir   = ".planning/phases"
	sessionFile = Home + "/logs/current-session.json"
	retriesFile = Home + "/state/retry-state.json"
	resumeFile  = Home + "/state/continue.md"
	logsDir     = Home + "/logs/"
)

// maxLogs limits the logs of results that are looked at.
const maxLogs = 1 << 16

// Files reads the files of a project, by their paths below its directory.
type Files struct {
	// Read returns the text of a file, "" if it can't be read, and whether it exists.
	Read func(path string) (text string, exists bool)
	// List returns the names in a directory that are wanted; ok is false if it can't be listed. A name is valid only in the call.
	List func(path string, isWanted func(name string) bool) (names []string, ok bool)
}

// ReadLine returns the facts of a project's line, by the text of its STATE.md, and what waits for a human, "" for nothing, with the
// file that says so. Phases and plans are counted by the names of their files. asked says that somebody asked what waits: then
// logs are looked at that STATE.md does not call for.
func (f *Files) ReadLine(state string, asked bool) (facts line.Ultraplan, what, file string) {
	s, phases := ParseState(state), f.listPhases()
	session, _ := f.Read(sessionFile)
	facts = Line(phases, &s, SessionPlans(session), func() []RoadmapPhase {
		roadmap, _ := f.Read(roadmapFile)
		return RoadmapPhases(roadmap)
	})
	Free(&facts, phases, f.readPlan)
	if resume, exists := f.Read(resumeFile); exists {
		Pause(&facts, phases, resume)
	}
	retries, _ := f.Read(retriesFile)
	x := &stuck{Files: f, session: session, retries: retries, text: state, phases: phases, state: &s}
	what, file = x.find(asked)
	return facts, what, file
}

// readPlan returns the text of a plan.
func (f *Files) readPlan(phase, id string) string {
	text, _ := f.Read(phasesDir + "/" + phase + "/" + id + "-PLAN.md")
	return text
}

// listPhases returns the phases in their order.
func (f *Files) listPhases() (phases []Phase) {
	dirs, _ := f.List(phasesDir, func(name string) bool {
		_, _, ok := PhaseDir(name)
		return ok
	})
	for _, dir := range dirs[:min(len(dirs), PhaseLimit)] {
		files, isDir := f.List(phasesDir+"/"+dir, func(name string) bool {
			_, _, ok := PlanFile(name)
			return ok
		})
		if phase, _, ok := NewPhase(dir, files); ok && isDir {
			phases = append(phases, phase)
		}
	}
	SortPhases(phases)
	return phases
}

// listLogs returns the logs of results by their names: those of each day, and those in the archive.
func (f *Files) listLogs() (logs []LogFile) {
	for _, parent := range [...]string{logsDir + "executions", logsDir + "archive", logsDir + "archive/executions"} {
		days, _ := f.List(parent, func(name string) bool { return len(name) == len("2006-01-02") && name[4] == '-' && name[7] == '-' })
		for _, day := range days {
			f.List(parent+"/"+day, func(name string) bool {
				log, ok := ParseLogName(string([]byte(name)))
				if log.Day = day; ok && len(logs) < maxLogs {
					log.path = parent + "/" + day + "/" + name
					logs = append(logs, log)
				}
				return false
			})
		}
	}
	return logs
}
