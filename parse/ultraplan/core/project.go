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
	Phases    []*Phase           // in order, including those that only the roadmap or the table By Phase has
	Groups    []*PhaseGroup      // the phases by number
	Plans     map[string]*Plan   // by [Plan.Key]
	shared    map[string][]*Plan // by a number that several directories share
	Unlisted  string             // a directory of phases or plans that can't be listed in full, "" without one
	Logs      []*Log             // those read that are whole, oldest first
	Broken    []*Log             // those read that are not whole
	Copies    []Copy

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
	Name  string // its ID, after the name of its directory if another directory has a plan with that ID
	Key   string // the [PlanKey] of its name
	File  string
	Phase *Phase
	Done  bool     // its summary is there
	Doc   *PlanDoc // nil before it is read
	Tasks []*Task  // of Doc

	front *Front
}

// SummaryFile returns the file of the plan's summary.
func (p *Plan) SummaryFile() string { return p.File[:len(p.File)-len("-PLAN.md")] + "-SUMMARY.md" }

// Open reads what every query needs: STATE.md, the roadmap, the session, and phases and plans by the names of their files.
func Open(src Source) *Project { return open(src, parseWholeState) }

func open(src Source, parseState Parser) *Project {
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
	p.addRoadmap()
	p.addTable()
	p.groupPhases()
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
		ph.Title = nameOfSlug(ph.Slug)
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
			all[i] = Plan{ID: id, Name: id, Key: PlanKey(id), File: at + "/" + id + "-PLAN.md", Phase: ph, Done: done}
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
			switch first := p.Plans[plan.Key]; {
			case first == nil:
				p.Plans[plan.Key] = plan
			case first.Phase != ph:
				p.sharePlan(first, plan)
			}
		}
	}
	for key := range p.shared { // the number alone is ambiguous
		delete(p.Plans, key)
	}
}

// sharePlan records that two directories have plans with the same number. Their names then include the directory, so that nothing of one
// plan counts for the other.
func (p *Project) sharePlan(first, second *Plan) {
	if p.shared == nil {
		p.shared = map[string][]*Plan{}
	}
	key := second.Key
	for _, plan := range []*Plan{first, second} {
		if plan.Key == key {
			plan.Name = plan.Phase.Dir + "/" + plan.ID
			plan.Key = PlanKey(plan.Name)
			p.Plans[plan.Key], p.shared[key] = plan, append(p.shared[key], plan)
		}
	}
}

// PlanWith returns the plan with a key, nil without one or if several directories have it. A plan whose key is only its number is also found
// by a key with its directory.
func (p *Project) PlanWith(key string) *Plan {
	if plan := p.Plans[key]; plan != nil {
		return plan
	}
	if dir, own := SplitDir(key); dir != "" && p.Plans[own] != nil && p.Plans[own].Phase.Dir == dir {
		return p.Plans[own]
	}
	return nil
}

// firstWith returns the plan with a key. If several directories have it, it prefers the one in phase, then the first open one.
func (p *Project) firstWith(key string, phase *Phase) (first *Plan) {
	for _, plan := range p.shared[key] {
		if plan.Phase == phase {
			return plan
		}
		if first == nil || first.Done && !plan.Done {
			first = plan
		}
	}
	if first == nil {
		return p.PlanWith(key)
	}
	return first
}

// PlanOfGate returns the plan of a gate, nil without one.
func (p *Project) PlanOfGate(g *Gate) *Plan {
	key := g.Key().Plan
	for _, plan := range p.shared[key] {
		if plan.Phase.Dir == g.Phase {
			return plan
		}
	}
	return p.PlanWith(key)
}

// PlanOfLog returns the plan of a log, nil without one. If several directories have its number and the log names none of them, it belongs to
// the only one that has its task.
func (p *Project) PlanOfLog(l *Log) (found *Plan) {
	key := PlanKey(l.Plan)
	for _, plan := range p.shared[key] {
		d := p.PlanDoc(plan.File)
		if d == nil {
			continue
		}
		if t := d.TaskNumbered(l.Task); t == nil || !SameName(t.Name, l.Name) {
			continue
		}
		if found != nil {
			return nil
		}
		found = plan
	}
	if found == nil {
		return p.PlanWith(key)
	}
	return found
}

// TaskOfLog returns the task of a log, nil without one.
func (p *Project) TaskOfLog(l *Log) *Task {
	if plan := p.PlanOfLog(l); plan != nil && plan.Doc != nil {
		return plan.taskOf(plan.Doc.TaskNumbered(l.Task))
	}
	return nil
}

// copyOf returns a copy of a name, which stays valid.
func copyOf(name string) string { return string([]byte(name)) }

func nameOfSlug(slug string) string {
	out := []byte(slug)
	for i, c := range out {
		if c == '-' {
			out[i] = ' '
		}
	}
	return string(out)
}

func (p *Project) sortPhases() {
	slices.SortStableFunc(p.Phases, func(a, b *Phase) int {
		return cmp.Or(CompareNumbers(a.Number, b.Number), cmp.Compare(a.Slug, b.Slug))
	})
}

// addRoadmap names phases by the roadmap, and adds those that only the roadmap has. Directories that share a number keep their own names.
func (p *Project) addRoadmap() {
	var added []*Phase
	for i := range p.Roadmap.Phases {
		r := &p.Roadmap.Phases[i]
		same := p.PhasesNumbered(r.Number)
		for _, ph := range same {
			if ph.Road = r; r.Name != "" && len(same) == 1 {
				ph.Title = r.Name
			}
		}
		if len(same) == 0 {
			number := r.Number
			if len(wholePart(number)) == 1 {
				number = "0" + number
			}
			added = append(added, &Phase{Number: number, Slug: r.Name, Title: r.Name, Road: r})
		}
	}
	p.Phases = append(p.Phases, added...)
	p.sortPhases()
}

// PhasesNumbered returns the phases with a number, which several directories may share.
func (p *Project) PhasesNumbered(number string) []*Phase {
	for i, ph := range p.Phases {
		if CompareNumbers(ph.Number, number) != 0 {
			continue
		}
		end := i + 1
		for end < len(p.Phases) && CompareNumbers(p.Phases[end].Number, number) == 0 {
			end++
		}
		return p.Phases[i:end:end]
	}
	return nil
}

// addTable adds phases that only the table By Phase of STATE.md has. A phase whose plans are all done belongs to an earlier milestone.
func (p *Project) addTable() {
	for _, row := range p.State.Phases {
		if row.Done < row.Total && len(p.PhasesNumbered(row.Number)) == 0 {
			number := row.Number
			if len(wholePart(number)) == 1 {
				number = "0" + number
			}
			p.Phases = append(p.Phases, &Phase{Number: number})
			p.sortPhases()
		}
	}
}

// frontOf returns the frontmatter of a plan.
func (p *Project) frontOf(plan *Plan) *Front {
	if plan.Doc != nil {
		return &plan.Doc.Front
	}
	switch d := (*PlanDoc)(nil); {
	case plan.front != nil:
		return plan.front
	case p.isShallow:
		plan.front, _ = readAs[Front](p.Source, plan.File, parseFront)
	default:
		if d = p.PlanDoc(plan.File); d != nil {
			plan.front = &d.Front
		}
	}
	if plan.front == nil {
		plan.front = &Front{}
	}
	return plan.front
}

// FindDependency returns the plan that an entry of depends_on names, nil without one.
func (p *Project) FindDependency(plan *Plan, entry string) *Plan {
	return p.firstWith(DependencyKey(entry, plan.Phase.Number), plan.Phase)
}

// PlanBefore returns the first plan that an open plan waits for, nil without one: a dependency or, with isWave, a plan of a lower wave in its
// phase. A plan without a wave neither waits for a wave nor holds one up.
func (p *Project) PlanBefore(plan *Plan) (other *Plan, isWave bool) {
	f := p.frontOf(plan)
	for _, entry := range f.DependsOn {
		if on := p.FindDependency(plan, entry); on != nil && !on.Done {
			return on, false
		}
	}
	for _, sibling := range plan.Phase.Plans {
		if f.Wave == "" || sibling.Done || sibling == plan {
			continue
		}
		if wave := p.frontOf(sibling).Wave; wave != "" && CompareNumbers(wave, f.Wave) < 0 {
			return sibling, true
		}
	}
	return nil, false
}

// FindTask returns a task of the plan by its name, else by its number; nil without one.
func (p *Project) FindTask(plan, name string) *Task {
	s := p.PlanWith(plan)
	if s == nil || s.Doc == nil {
		return nil
	}
	return s.taskOf(s.Doc.FindTask(name))
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
			logs, _, _ = p.ReadLogs(p.logsOf(k.Plan))
		}
		for _, l := range logs {
			if l.Key() == k {
				t.Logs = append(t.Logs, l)
			}
		}
	}
	t.Overtaken = g.isOvertaken(t.sumResults())
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
		for _, plan := range p.shared[key] {
			if !plan.Done {
				p.ReadTasks(plan)
			}
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
