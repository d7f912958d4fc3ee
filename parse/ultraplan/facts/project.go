// Package facts is what the files of an ultraplan project say, and what follows from them for its tasks, plans and phases: a
// parser for each kind of file (state.go, plan.go, logs.go, sidefiles.go …), the tree of all plans (collect.go), and how far
// each is (status.go). It shows nothing and writes nothing: package ultraplan makes a build of the facts, package record a
// record of results.
package facts

import (
	"path"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/rules"
)

// Project is what is known of a project, as far as it has been read: [Project.Read] reads all, its other methods a part of it.
type Project struct {
	Mirror *mirror.Mirror
	Build  *model.Build // File is its STATE.md; Problems get what is wrong with the files

	State    *State
	HasState bool // there is a STATE.md
	Roadmap  []rules.RoadmapPhase
	Phases   []*Phase // in order: those with a directory, and those that only the roadmap has
	Plans    map[string]*Plan
	Tasks    map[TaskKey]*Task
	// Unlisted is a directory of phases or plans that could not be listed in full, "" for none: the tree has more then.
	Unlisted string

	Session  *Session
	Retries  *Retries
	Resume   *Resume
	ResumeAt time.Time
	Logs     []*Log             // the oldest first
	torn     map[TaskKey]string // logs that are not whole, by the task that their names say
	// Summaries are the summaries of days as their files have them, Days the same with the logs that they don't count yet.
	Summaries, Days []*Daily
	Events          []EventFile

	Line line.Ultraplan // what the line says by the tree
}

// Phase is a phase of the tree, or one that only the roadmap has.
type Phase struct {
	rules.Phase
	ID      string // of its node
	Title   string
	Road    *rules.RoadmapPhase
	Files   []mirror.Entry
	ModTime time.Time
	Plans   []*Plan  // those of rules.Phase, with what their files say
	Orphans []string // summaries without a plan

	Status    model.Status
	Word, Why string
}

// Path returns the directory of the phase, "" for one that only the roadmap has.
func (p *Phase) Path() string {
	if p.Dir == "" {
		return ""
	}
	return path.Join(PhasesDir, p.Dir)
}

// Plan is a plan with what its files say.
type Plan struct {
	rules.Plan
	Node    string // its ID
	Key     string // see [PlanKey]
	File    string
	Phase   *Phase
	Doc     *PlanDoc
	Summary *SummaryDoc
	Held    bool
	Changed time.Time
	Closed  time.Time // when its summary was last written; zero without one
	Tasks   []*Task

	Status    model.Status
	Word, Why string
}

// Log is the log of a result with its place.
type Log struct {
	*LogDoc
	File string
}

// EventFile is a file of events, and what they belong to.
type EventFile struct {
	File   string
	Family model.Family
	List   []Event
}

// Planning is the directory of the plans, which ultraplan shares with GSD.
const Planning = ".planning"

// The other files and directories that are read and written, below the project's root.
const (
	PhasesDir   = Planning + "/phases"
	RoadmapFile = Planning + "/ROADMAP.md"

	StateDir      = rules.Home + "/state"
	ResumeFile    = StateDir + "/continue.md"
	LogsDir       = rules.Home + "/logs"
	SessionFile   = LogsDir + "/current-session.json"
	ExecutionsDir = LogsDir + "/executions"
	SummaryDir    = LogsDir + "/summary"
	ArchiveDir    = LogsDir + "/archive"
	RejectedDir   = LogsDir + "/rejected"
)

// Owns reports whether the .planning of a project is ultraplan's and not GSD's.
func Owns(m *mirror.Mirror) bool {
	// What the text says: kept by the mirror while the text stays, whatever comes beside it.
	type owner struct{ ultraplan, open bool }
	parse := func(text string) (said owner, err error) {
		said.ultraplan = rules.Owns(text, func() bool {
			said.open = true
			return false
		})
		return said, nil
	}
	if r := mirror.Read(m, path.Join(Planning, "STATE.md"), parse); r.Exists && (r.Err == nil || r.Held) && !r.Value.open {
		return r.Value.ultraplan
	}
	return m.IsDir(rules.Home)
}
