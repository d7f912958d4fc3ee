// Package core parses the files of an ultraplan project and evaluates the rules of the protocol, for the prompt, the dashboard, the
// checks, the edits and the recorder alike. ../README.md describes the files.
//
//	Source ─► Open: STATE.md, ROADMAP.md, phases and plans by name, session ─► Position: what runs, what comes next, and why
//	              └► ReadAll: plans, summaries, logs ─► Task.Status of each task ─► Waits
//
// The prompt opens a project and gets the position and the waits, which read only the plans and logs that they need. The dashboard reads
// everything. Both get the same results.
//
// The package opens no file itself. It uses neither fmt, strings, regexp nor time, because the prompt links it.
package core

import (
	"cmp"
	"slices"
)

// Project is an ultraplan project.
type Project struct {
	Source
	State     *State
	HasState  bool
	StateFile string // where STATE.md is, or would be
	Roadmap   *Roadmap
	Session   *Session
	Retries   *Retries
	Resume    *Resume
	Phases    []*Phase         // in order, including those that only the roadmap or the table By Phase has
	Plans     map[string]*Plan // by [PlanKey]; if several directories have a number, the first open plan, else the first
	Twice     []*Plan          // plans whose number an earlier directory has, too
	Unlisted  string           // a directory of phases or plans that can't be listed in full, "" without one
	Logs      []*Log           // those read that are whole, oldest first
	Broken    []*Log           // those read that are not whole

	files     []string // all logs, nil before they are listed
	isShallow bool
	skipsLogs bool // logs are not read
	reads     int
}

// Phase is a phase with a directory, or one that is only announced.
type Phase struct {
	Dir          string // name of the directory, "02.5-tasks-api"; "" without one
	Number, Slug string // "02.5", "tasks-api"
	Title        string
	Road         *RoadmapPhase // nil if the roadmap does not have it
	Plans        []*Plan
	Orphans      []string // summaries without a plan
	// Missing is the number of announced plans without a file: by ROADMAP.md, or in STATE.md by the table By Phase and the position.
	Missing int
	Claimed int // number of these that only the position announces, as long as it stays there
	// IsVague says that ROADMAP.md announces plans in words that can't be read, so more may come.
	IsVague bool
}

// Path returns the directory of the phase, "" without one.
func (p *Phase) Path() string {
	if p.Dir == "" {
		return ""
	}
	return PhasesDir + "/" + p.Dir
}

// Count returns how many of the phase's plans have a summary. The total includes announced plans.
func (p *Phase) Count() (done, total int) {
	for _, plan := range p.Plans {
		if plan.Done {
			done++
		}
	}
	return done, len(p.Plans) + p.Missing
}

// IsDone reports whether all plans of the phase have a summary. A phase without plans, or with an unknown number of
// them, is not done.
func (p *Phase) IsDone() bool {
	done, total := p.Count()
	return total > 0 && done == total && !p.IsVague
}

// IsSkipped reports whether the roadmap leaves the phase out.
func (p *Phase) IsSkipped() bool { return p.Dir == "" && p.Road != nil && p.Road.Skipped }

// Word returns the protocol's word for the phase, only by its files.
func (p *Phase) Word() string {
	switch {
	case len(p.Plans) == 0:
		return StatusReadyToPlan
	case p.IsDone():
		return StatusComplete
	}
	return StatusInProgress
}

// Plan is a plan of a phase.
type Plan struct {
	ID    string // "02.5-01", as its file is named
	Key   string // its [PlanKey]
	File  string
	Phase *Phase
	Done  bool     // its summary is there
	Doc   *PlanDoc // nil before it is read
	Tasks []*Task  // of Doc
}

// SummaryFile returns the file of the plan's summary.
func (p *Plan) SummaryFile() string { return p.File[:len(p.File)-len("-PLAN.md")] + "-SUMMARY.md" }

// Open reads what every query needs: STATE.md, the roadmap, the session, and phases and plans by the names of their files.
func Open(src Source) *Project {
	p := &Project{Source: src, StateFile: StateFile, Plans: map[string]*Plan{}}
	p.Roadmap, _ = readAs[Roadmap](src, RoadmapFile, parseRoadmap)
	p.Session, _ = readAs[Session](src, SessionFile, parseSession)
	p.Retries, _ = readAs[Retries](src, RetriesFile, parseRetries)
	hasResume := false
	if p.Resume, hasResume = readAs[Resume](src, ResumeFile, parseResume); hasResume && p.Resume == nil {
		p.Resume = &Resume{}
	}
	if p.State, p.HasState = readAs[State](src, StateFile, parseState); !p.HasState {
		if other, exists := readAs[State](src, OtherState, parseState); exists {
			p.State, p.HasState, p.StateFile = other, true, OtherState
		}
	}
	if p.State == nil {
		p.State = &State{}
	}
	if p.Roadmap == nil {
		p.Roadmap = &Roadmap{}
	}
	p.listPhases()
	p.addAnnounced()
	for i, ph := range p.Phases {
		if i == 0 || CompareNumbers(p.Phases[i-1].Number, ph.Number) != 0 {
			p.announcePlans(ph)
		}
	}
	return p
}

func (p *Project) listPhases() {
	var dirs []string
	if !p.List(PhasesDir, func(name string) {
		if _, _, ok := ParsePhaseDir(name); ok && len(dirs) < maxPhases {
			dirs = append(dirs, copyOf(name))
		}
	}) {
		p.Unlisted = PhasesDir
	}
	var plans, summaries []string
	for _, dir := range dirs {
		ph := &Phase{Dir: dir}
		ph.Number, ph.Slug, _ = ParsePhaseDir(dir)
		ph.Title = spaceOut(ph.Slug)
		at := ph.Path()
		plans, summaries = plans[:0], summaries[:0]
		if !p.List(at, func(name string) {
			if id, isSummary, ok := ParsePlanFile(name); ok && isSummary {
				summaries = append(summaries, copyOf(id))
			} else if ok {
				plans = append(plans, copyOf(id))
			}
		}) {
			p.Unlisted = at
		}
		slices.SortFunc(plans, comparePlans)
		slices.SortFunc(summaries, comparePlans)
		all := make([]Plan, len(plans))
		ph.Plans = make([]*Plan, len(plans))
		for i, id := range plans {
			_, done := slices.BinarySearchFunc(summaries, id, comparePlans)
			all[i] = Plan{ID: id, Key: PlanKey(id), File: at + "/" + id + "-PLAN.md", Phase: ph, Done: done}
			ph.Plans[i] = &all[i]
		}
		for _, id := range summaries {
			if _, ok := slices.BinarySearchFunc(plans, id, comparePlans); !ok {
				ph.Orphans = append(ph.Orphans, id)
			}
		}
		p.Phases = append(p.Phases, ph)
	}
	p.sortPhases()
	for _, ph := range p.Phases {
		for _, plan := range ph.Plans {
			first := p.Plans[plan.Key]
			if first != nil {
				p.Twice = append(p.Twice, plan)
			}
			if first == nil || first.Done && !plan.Done {
				p.Plans[plan.Key] = plan
			}
		}
	}
}

// PlanWith returns the plan with a key, nil without one.
func (p *Project) PlanWith(key string) *Plan { return p.Plans[key] }

// PlanOfGate returns the plan of a gate, nil without one.
func (p *Project) PlanOfGate(g *Gate) *Plan { return p.Plans[g.Key().Plan] }

// PlanOfLog returns the plan of a log, nil without one.
func (p *Project) PlanOfLog(l *Log) *Plan { return p.Plans[PlanKey(l.Plan)] }

// TaskOfLog returns the task of a log, nil without one.
func (p *Project) TaskOfLog(l *Log) *Task {
	if plan := p.PlanOfLog(l); plan != nil && plan.Doc != nil {
		return plan.taskOf(plan.Doc.TaskNumbered(l.Task))
	}
	return nil
}

// copyOf returns a copy of a name, which stays valid.
func copyOf(name string) string { return string([]byte(name)) }

// spaceOut returns a slug with blanks for its dashes.
func spaceOut(slug string) string {
	out := []byte(slug)
	for i, c := range out {
		if c == '-' {
			out[i] = ' '
		}
	}
	return string(out)
}

// addAnnounced names phases by the roadmap, and adds those that only the roadmap has, or only the table By Phase of STATE.md. A phase of the
// table whose plans are all done belongs to an earlier milestone. Directories that share a number keep their own names.
func (p *Project) addAnnounced() {
	add := func(number, name string, road *RoadmapPhase) {
		if len(wholePart(number)) == 1 {
			number = "0" + number
		}
		p.Phases = append(p.Phases, &Phase{Number: number, Slug: name, Title: name, Road: road})
		p.sortPhases()
	}
	for i := range p.Roadmap.Phases {
		r := &p.Roadmap.Phases[i]
		same := p.PhasesNumbered(r.Number)
		for _, ph := range same {
			if ph.Road = r; r.Name != "" && len(same) == 1 {
				ph.Title = r.Name
			}
		}
		if len(same) == 0 {
			add(r.Number, r.Name, r)
		}
	}
	for _, row := range p.State.Phases {
		if row.Done < row.Total && len(p.PhasesNumbered(row.Number)) == 0 {
			add(row.Number, "", nil)
		}
	}
}

func (p *Project) sortPhases() {
	slices.SortStableFunc(p.Phases, func(a, b *Phase) int {
		return cmp.Or(CompareNumbers(a.Number, b.Number), cmp.Compare(a.Slug, b.Slug))
	})
}

// docOf returns the PLAN.md of a plan.
func (p *Project) docOf(plan *Plan) *PlanDoc {
	if plan.Doc != nil {
		return plan.Doc
	}
	if d := p.PlanDoc(plan.File); d != nil {
		return d
	}
	return &PlanDoc{}
}

// FindDependency returns the plan that an entry of depends_on names, nil without one.
func (p *Project) FindDependency(plan *Plan, entry string) *Plan {
	return p.Plans[DependencyKey(entry, plan.Phase.Number)]
}

// PlanBefore returns the first plan that an open plan waits for, nil without one: a dependency or, with isWave, a plan of a lower wave in its
// phase. A plan without a wave neither waits for a wave nor holds one up.
func (p *Project) PlanBefore(plan *Plan) (other *Plan, isWave bool) {
	f := p.docOf(plan)
	for _, entry := range f.DependsOn {
		if on := p.FindDependency(plan, entry); on != nil && !on.Done {
			return on, false
		}
	}
	for _, sibling := range plan.Phase.Plans {
		if f.Wave == "" || sibling.Done || sibling == plan {
			continue
		}
		if wave := p.docOf(sibling).Wave; wave != "" && CompareNumbers(wave, f.Wave) < 0 {
			return sibling, true
		}
	}
	return nil, false
}

// TaskWith returns the task with a key, nil without one.
func (p *Project) TaskWith(k TaskKey) *Task {
	s := p.PlanWith(k.Plan)
	if s == nil || s.Doc == nil {
		return nil
	}
	return s.taskOf(s.Doc.TaskNumbered(k.Task))
}

func (s *Plan) taskOf(d *TaskDoc) *Task {
	for _, t := range s.Tasks {
		if t.TaskDoc == d && d != nil {
			return t
		}
	}
	return nil
}

// GateTask returns the task whose gate STATE.md has, nil if no plan has the task.
func (p *Project) GateTask() *Task {
	if g := p.State.Gate; g != nil {
		return p.TaskOf(g)
	}
	return nil
}

// TaskOf returns the task of a gate, nil if no plan has it.
func (p *Project) TaskOf(g *Gate) *Task {
	if plan := p.PlanOfGate(g); plan != nil && plan.Doc != nil {
		return plan.taskOf(plan.Doc.FindTask(g.Name))
	}
	return nil
}

// UnplannedTask returns a task for the gate of STATE.md if no plan has the task, nil otherwise. Its logs only tell whether it has succeeded
// since; only a task of an open plan has a limit of failures.
func (p *Project) UnplannedTask() *Task {
	g := p.State.Gate
	if g == nil || p.GateTask() != nil {
		return nil
	}
	k := g.Key()
	plan := p.PlanOfGate(g)
	t := &Task{TaskDoc: &TaskDoc{Name: g.Name, Number: k.Task}, Gate: g, Closed: plan != nil && plan.Done}
	if k.Task != "" {
		logs := p.Logs
		if p.isShallow {
			logs, _ = p.ReadLogs(p.logsOf(k.Plan))
		}
		for _, l := range logs {
			if l.Key() == k {
				t.Logs = append(t.Logs, l)
			}
		}
	}
	t.compareGate()
	t.SpentSince = 0
	t.deriveStatus()
	return t
}

// isSuspect reports whether a log has a failure or a blocked task, by its file name.
func isSuspect(file string) (plan string, ok bool) {
	n, ok := ParseLogName(BaseName(file))
	return n.Plan, ok && (n.Status == Failure || n.Status == Blocked)
}

// readSuspects reads the plans that may have tasks waiting for a human.
func (p *Project) readSuspects() {
	read := func(key string) {
		if plan := p.PlanWith(key); plan != nil && !plan.Done {
			p.ReadTasks(plan)
		}
	}
	if g := p.State.Gate; g != nil {
		read(g.Key().Plan)
	}
	if p.Session != nil {
		for i := range p.Session.Tasks {
			if t := &p.Session.Tasks[i]; t.Status == Failure && t.Attempts >= MaxAttempts || t.Status == Blocked {
				read(t.Key())
			}
		}
	}
	if p.Retries != nil {
		for i := range p.Retries.Tasks {
			if p.Retries.Tasks[i].Status == Escalated {
				read(ParseTaskKey(p.Retries.Tasks[i].ID).Plan)
			}
		}
	}
	for _, file := range p.LogFiles() {
		if key, ok := isSuspect(file); ok {
			read(key)
		}
	}
}

// PhasesNumbered returns the phases with a number, which several directories may share.
func (p *Project) PhasesNumbered(number string) (same []*Phase) {
	for _, ph := range p.Phases {
		if CompareNumbers(ph.Number, number) == 0 {
			same = append(same, ph)
		}
	}
	return same
}
