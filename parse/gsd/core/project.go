package core

import (
	"cmp"
	"slices"

	"gatehouse/parse/doc"
)

// Source gives access to the files of a project. Paths are relative to the project's directory, with slashes.
type Source interface {
	// List returns the entries of a directory in the order of their names, nil if it can't be read.
	List(dir string) []Entry
	// Read returns the value that parse makes of a file. Source may keep the value while the file stays the same.
	Read(file string, parse func(text string) (any, error)) File
}

// Entry is an entry of a directory.
type Entry struct {
	Name     string
	IsDir    bool
	IsFile   bool  // neither is true for a link that leads nowhere or out of the project
	Modified int64 // nanoseconds since 1970
	Size     int64
}

// File is a file as it was read.
type File struct {
	Value    any // nil if unknown
	Exists   bool
	IsHeld   bool // the file can't be read now; Value is from before
	IsBroken bool // all or most of it can't be read now
	Modified int64
}

// Options are the caller's needs in addition to the position.
type Options struct {
	Root string // the project's directory, absolute
	// IsDeep requests data that only the dashboard shows: tasks of plans, plans of archived phases.
	IsDeep bool
	// ParseTimes extracts the times that the caller keeps from a summary; nil for nothing.
	ParseTimes func(d *Document) any
}

// Project is a GSD build: the content of its files, and the conclusions.
type Project struct {
	Dir       string // of STATE.md, ROADMAP.md and phases/
	State     *State
	StateFile File
	Roadmap   *Roadmap
	Planned   int64 // when ROADMAP.md was modified
	Config    *Config
	Shipped   []ShippedMilestone // of MILESTONES.md and STATE.md

	Counting Scope // the phases that GSD counts
	Scope    Scope // the phases of the current milestone to a reader
	// Overtaken is the milestone in progress if the roadmap has shipped the one that STATE.md still names, else nil.
	Overtaken *Milestone
	End       End

	Phases   []*Phase // in order: those with a directory, and those that are only planned
	Archived []*Phase
	Backlog  []*Phase
	Counted  []*Phase // of Phases: those that GSD counts
	Ours     []*Phase // subset of Phases: the current milestone for a reader
	Current  *Phase   // the phase that STATE.md is at, nil without one
	ByKey    map[string]*Phase
	Plans    map[string]*PlanState // by PlanKey

	Signal  *Signal
	HandOff *HandOff
	Notes   []*Continue // in the directories of the build, not of a phase

	source    Source
	options   Options
	isPrimary bool
	// mayAwaitHuman reports whether a statement of STATE.md awaits a human.
	mayAwaitHuman bool
	isBeyond      bool   // STATE.md works on a phase of no milestone, after the one it names was shipped
	closed        string // a version that STATE.md calls complete before it names another one
}

// Phase is a phase with facts from its directory and the roadmap.
type Phase struct {
	ID          PhaseID
	Name        string
	Dir         string // "" for a phase that is only planned
	Modified    int64
	Road        *RoadPhase // nil if the roadmap does not have it
	Version     string     // of its milestone, "" if nothing says
	Past        string     // why nothing in it waits; "" for a phase of the current milestone
	IsAhead     bool       // Past, but of a milestone that is yet to come
	IsArchived  bool
	IsDuplicate bool // another directory before it has the same number

	Files         []Entry
	Nested        []Entry // of plans/
	HasHadPlans   bool
	Plans         []*PlanState
	Main          *VerificationFile // the one to go by: GSD's, or one that has verified again
	Verifications []*VerificationFile
	UATs          []*UATFile
	Stopped       *Continue
	IsHeld        bool

	Status      Status
	Word        string // GSD's own word
	Why         string
	DecidedBy   string // the file that the status comes from, "" for none
	DecidedLine int
	IsClosed    bool // nothing is left to do
}

// PlanState is a plan with facts from its files.
type PlanState struct {
	File            PlanFile
	ID              string
	Path            string // "" if the plan was not opened
	Phase           *Phase
	Plan            *Plan
	Summary         *Summary
	Modified        int64
	Size            int64
	SummaryModified int64
	SummarySize     int64
	IsHeld          bool
	DependsOn       []*PlanState
	BlockedBy       []*PlanState
	Status          Status
	Word, Why       string
}

// VerificationFile is a verification of a phase.
type VerificationFile struct {
	*Verification
	File     string // its name
	Modified int64
}

// UATFile is a UAT of a phase.
type UATFile struct {
	*UAT
	File     string // its name
	Modified int64
	IsHeld   bool
	IsBroken bool
}

// UnreadableText describes the unreadable part of a UAT, "" if there is none.
func (u *UATFile) UnreadableText() string {
	switch {
	case u.Unread == 0:
		return ""
	case len(u.Tests) == 0:
		return u.File + " has no test that can be read"
	}
	return "line " + formatNumber(u.Unread) + " of " + u.File + " can't be read as a test"
}

// Read reads a build. With isPrimary it includes the project-wide files in .planning and .gsd.
func Read(source Source, dir string, isPrimary bool, options Options) *Project {
	p := &Project{Dir: dir, source: source, options: options, isPrimary: isPrimary, ByKey: map[string]*Phase{}}
	if p.State, p.StateFile = read(p, joinPath(p.Dir, "STATE.md"), ParseState); p.State == nil {
		p.State = &State{}
	}
	for _, statement := range p.State.waitingStatements() {
		p.mayAwaitHuman = p.mayAwaitHuman || AwaitsHuman(statement.Text)
	}
	p.readSignals()
	if !options.IsDeep && p.Signal == nil && !p.State.ClaimsEnd() {
		p.Roadmap = NewRoadmap() // the prompt needs it only for a question, and for evidence against completion
		return p
	}
	p.readTexts()
	p.readPhases()
	p.readArchives()
	p.placePhases()
	if !options.IsDeep {
		p.readOpenPhases()
	}
	p.derivePlans()
	for _, phase := range p.Phases {
		p.derivePhase(phase)
	}
	p.Counted, p.Ours = p.inScope(&p.Counting), p.inScope(&p.Scope)
	p.findCurrent()
	for _, phase := range p.Phases {
		phase.IsClosed = phase.Status.IsClosed() || phase.Past != "" && p.isPutAway(phase)
	}
	p.checkSignals()
	return p
}

// read reads a file with a parser of a type.
func read[T any](p *Project, file string, parse func(text string) (*T, error)) (*T, File) {
	f := p.source.Read(file, func(text string) (any, error) {
		value, err := parse(text)
		if value == nil {
			return nil, err
		}
		return value, err
	})
	value, _ := f.Value.(*T)
	return value, f
}

// readTexts reads the files that speak of the whole build.
func (p *Project) readTexts() {
	roadmap, file := read(p, joinPath(p.Dir, "ROADMAP.md"), ParseRoadmap)
	if p.Roadmap, p.Planned = roadmap, file.Modified; roadmap == nil {
		p.Roadmap = NewRoadmap()
	}
	version := meantVersion(p.State.Declared)
	if p.Overtaken = p.findOvertaking(); p.Overtaken != nil {
		version = p.Overtaken.Version
	}
	p.Counting, p.Scope = NewScope(p.State.Declared, p.Roadmap.text), NewScope(version, p.Roadmap.text)
	if shipped, _ := read(p, joinPath(p.Dir, "MILESTONES.md"), ParseMilestones); shipped != nil {
		p.Shipped = slices.Clone(*shipped)
	}
	for _, m := range p.State.Shipped {
		if m.Version != p.CurrentVersion() && p.findShipped(m.Version) == nil {
			p.Shipped = append(p.Shipped, m)
		}
	}
	if p.Config, _ = read(p, Planning+"/config.json", ParseConfig); p.Config == nil {
		p.Config = &Config{Verifies: true}
	}
}

// Planning is the directory of GSD's files in a project.
const Planning = ".planning"

// signalDirs returns the directories with files that speak to a human: the build's and, for one build of the project, .planning and the
// others.
func (p *Project) signalDirs(others ...string) []string {
	places := []string{p.Dir}
	if !p.isPrimary {
		return places
	}
	if p.Dir != Planning {
		places = append(places, Planning)
	}
	return append(places, others...)
}

// unreadableQuestion is the question of an unreadable WAITING.json: the file is written only to ask.
const unreadableQuestion = "an agent asks something, but WAITING.json can't be read"

func (p *Project) readSignals() {
	for _, dir := range p.signalDirs(".gsd") {
		file := joinPath(dir, "WAITING.json")
		signal, f := readNote(p, file, ParseSignal, func(s *Signal) *Note { return &s.Note })
		if signal == nil && f.Exists {
			signal = &Signal{Note: Note{File: file, Modified: f.Modified}, Question: unreadableQuestion}
		}
		if p.Signal == nil && signal != nil && !isAnswered(signal.Status) {
			p.Signal = signal
		}
	}
	if !p.options.IsDeep {
		return
	}
	for _, dir := range p.signalDirs() {
		handOff, _ := readNote(p, joinPath(dir, "HANDOFF.json"), ParseHandOff, func(h *HandOff) *Note { return &h.Note })
		if p.HandOff == nil {
			p.HandOff = handOff
		}
		for _, e := range p.source.List(dir) {
			if !e.IsDir && IsContinue(e.Name) {
				if note := p.readContinue(joinPath(dir, e.Name)); note != nil {
					p.Notes = append(p.Notes, note)
				}
			}
		}
	}
}

func (p *Project) readContinue(file string) *Continue {
	note, _ := readNote(p, file, ParseContinue, func(c *Continue) *Note { return &c.Note })
	return note
}

// readNote reads a file about work that has stopped. The caller may change the value, which is nil if it is unknown.
func readNote[T any](p *Project, file string, parse func(text string) (*T, error), noteOf func(*T) *Note) (*T, File) {
	value, f := read(p, file, parse)
	if value == nil {
		return nil, f
	}
	one := *value
	note := noteOf(&one)
	note.File, note.Modified = file, f.Modified
	return &one, f
}

// readPhases unites the directories with the roadmap by number.
func (p *Project) readPhases() {
	root := joinPath(p.Dir, "phases")
	for _, e := range p.source.List(root) {
		if e.IsFile {
			continue // a broken link is a phase nevertheless
		}
		id, name, ok := ParsePhaseDir(e.Name)
		if !ok {
			if !p.Counting.HoldsDir(e.Name) || e.Name[0] == '.' {
				continue
			}
			id = wordPhaseID(e.Name) // GSD counts it
		}
		phase := &Phase{ID: id, Name: name, Dir: joinPath(root, e.Name), Modified: e.Modified}
		if id.IsBacklog() {
			p.Backlog = append(p.Backlog, phase)
			continue
		}
		if p.ByKey[id.Key] != nil {
			phase.IsDuplicate = true
		} else {
			p.ByKey[id.Key] = phase
		}
		p.Phases = append(p.Phases, phase)
	}
	isPadded := false
	for _, phase := range p.Phases {
		phase.Road = p.Roadmap.ByKey[phase.ID.Key]
		if phase.Road != nil && isSameName(phase.Road.Name, phase.Name) {
			phase.Name = phase.Road.Name
		}
		if p.options.IsDeep || phase.ID.IsZero() {
			p.readPhase(phase)
		}
		isPadded = isPadded || phase.ID.Text[0] == '0'
	}
	p.Phases = slices.DeleteFunc(p.Phases, func(phase *Phase) bool {
		isIdea := phase.ID.IsZero() && len(phase.Plans) == 0 && !p.isAt(phase.ID)
		if isIdea {
			p.Backlog = append(p.Backlog, phase)
			delete(p.ByKey, phase.ID.Key)
		}
		return isIdea
	})
	for _, r := range p.Roadmap.Phases {
		switch {
		case p.ByKey[r.ID.Key] != nil:
		case r.ID.IsZero() && !p.isAt(r.ID):
			if !slices.ContainsFunc(p.Backlog, func(b *Phase) bool { return b.ID.Key == r.ID.Key }) {
				p.Backlog = append(p.Backlog, &Phase{ID: r.ID, Name: r.Name, Road: r})
			}
		default:
			phase := &Phase{ID: r.ID, Name: r.Name, Road: r}
			if isPadded && doc.CountDigits(phase.ID.Text) == 1 {
				phase.ID.Text = "0" + phase.ID.Text // like the other directories
			}
			p.ByKey[r.ID.Key] = phase
			p.Phases = append(p.Phases, phase)
		}
	}
	slices.SortStableFunc(p.Phases, func(a, b *Phase) int { return a.ID.Compare(b.ID) })
}

// isAt reports whether STATE.md is at a phase.
func (p *Project) isAt(id PhaseID) bool {
	return isSamePhase(p.State.Line.ActivePhase, id) || isSamePhase(p.State.Phase, id)
}

// readOpenPhases reads the phases that may deny that the milestone is complete: the prompt has no time for more.
func (p *Project) readOpenPhases() {
	for _, phase := range p.Phases {
		if phase.Dir != "" && phase.Files == nil && (phase.Past == "" || p.End.Reason != "") {
			p.readPhase(phase)
		}
	}
}

// isSameName reports whether two names have the same letters and digits.
func isSameName(a, b string) bool {
	return slices.Equal(nameWords(a), nameWords(b))
}

func nameWords(name string) (all []string) {
	var word []byte
	for i := 0; i <= len(name); i++ {
		if c := byteAt(name, i); isAlphanumeric(c) || c >= 0x80 {
			word = append(word, foldByte(c))
		} else if len(word) > 0 {
			all, word = append(all, string(word)), nil
		}
	}
	return all
}

// IsNamed reports whether the roadmap names the phase.
func (p *Phase) IsNamed() bool { return p.Road == nil || isSameName(p.Road.Name, p.Name) }

// readPhase reads the directory of a phase.
func (p *Project) readPhase(phase *Phase) {
	phase.Files = p.source.List(phase.Dir)
	names, nested := make([]string, 0, len(phase.Files)), []string(nil)
	for _, e := range phase.Files {
		switch {
		case !e.IsDir:
			names = append(names, e.Name)
		case e.Name == "plans":
			phase.Nested = p.source.List(joinPath(phase.Dir, "plans"))
		}
	}
	for _, e := range phase.Nested {
		nested = append(nested, e.Name)
	}
	p.readReviews(phase, names)
	files := PairPlans(phase.ID, names, nested)
	// The prompt opens a plan with a summary only if it may have closed gaps. A summary may call its plan blocked, or
	// announce a wait for a human; for a verified phase the prompt checks only the latter.
	withPlans := p.options.IsDeep
	withSummaries := p.options.IsDeep || p.mayAwaitHuman || phase.Main == nil || !phase.Main.HasPassed
	for _, u := range phase.UATs {
		withPlans = withPlans || !u.AllPassed()
	}
	for _, f := range files {
		phase.Plans = append(phase.Plans, p.readPlan(phase, f, withPlans, withSummaries))
	}
	phase.HasHadPlans = len(phase.Plans) > 0
	p.applyReverification(phase)
}

// findEntry returns a file of the phase, by its path in the directory.
func (p *Phase) findEntry(file string) Entry {
	entries := p.Files
	if doc.HasPrefix(file, "plans/") {
		entries, file = p.Nested, file[len("plans/"):]
	}
	i, ok := slices.BinarySearchFunc(entries, file, func(e Entry, name string) int { return cmp.Compare(e.Name, name) })
	if !ok {
		return Entry{}
	}
	return entries[i]
}

// unopenedPlan and unopenedSummary represent files that were not opened.
var (
	unopenedPlan    = &Plan{}
	unopenedSummary = &Summary{}

	// unreadableSummary represents what stands in place of a file.
	unreadableSummary = &Summary{IsUnread: true}
)

// readPlan reads a plan and its summary.
func (p *Project) readPlan(phase *Phase, f PlanFile, withPlan, withSummary bool) *PlanState {
	entry := phase.findEntry(f.Name)
	s := &PlanState{File: f, ID: f.ID, Phase: phase, Plan: unopenedPlan, Modified: entry.Modified, Size: entry.Size}
	if withPlan || f.Summary == "" {
		s.Path = joinPath(phase.Dir, f.Name)
		plan, file := read(p, s.Path, func(text string) (*Plan, error) { return ParsePlan(text, p.options.IsDeep) })
		if plan != nil {
			s.Plan = plan
		}
		s.IsHeld = file.IsHeld
	}
	if f.Summary == "" {
		return s
	}
	s.Summary = unopenedSummary
	if withSummary {
		summary, file := read(p, joinPath(phase.Dir, f.Summary), func(text string) (*Summary, error) { return ParseSummary(text, p.options.ParseTimes) })
		switch {
		case summary != nil:
			s.Summary = summary
		case !phase.findEntry(f.Summary).IsFile: // a link to nothing, or no file at all
			s.Summary = unreadableSummary
		}
		s.IsHeld = s.IsHeld || file.IsHeld
	}
	entry = phase.findEntry(f.Summary)
	s.SummaryModified, s.SummarySize = entry.Modified, entry.Size
	return s
}

// readReviews reads the findings about a phase's work, and the point at which the review stopped.
func (p *Project) readReviews(phase *Phase, names []string) {
	main := ""
	for _, name := range names {
		if isMainVerification(name) && (main == "" || name < main) {
			main = name
		}
	}
	for _, e := range phase.Files {
		file := joinPath(phase.Dir, e.Name)
		switch {
		case e.IsDir:
		case IsVerification(e.Name):
			v, f := read(p, file, ParseVerification)
			if v == nil {
				continue
			}
			one := &VerificationFile{v, e.Name, e.Modified}
			phase.Verifications = append(phase.Verifications, one)
			if e.Name == main {
				phase.Main, phase.IsHeld = one, f.IsHeld
			}
		case IsUAT(e.Name):
			u, f := read(p, file, ParseUAT)
			if u == nil {
				u = &UAT{Unread: 1}
			}
			if f.Exists {
				phase.UATs = append(phase.UATs, &UATFile{u, e.Name, e.Modified, f.IsHeld, f.IsBroken})
			}
		case IsContinue(e.Name):
			phase.Stopped = p.readContinue(file)
		}
	}
}

// readArchives lists the phases of archived milestones. Only the names of their plans are known: nothing in them
// changes.
func (p *Project) readArchives() {
	root := joinPath(p.Dir, "milestones")
	for _, m := range p.source.List(root) {
		if !m.IsDir || !isArchive(m.Name) {
			continue
		}
		version := cutSuffix(m.Name, "-phases")
		for _, e := range p.source.List(joinPath(root, m.Name)) {
			id, name, ok := ParsePhaseDir(e.Name)
			if !ok || !e.IsDir || id.IsBacklog() {
				continue
			}
			phase := &Phase{
				ID: id, Name: name, Version: version, Dir: joinPath(joinPath(root, m.Name), e.Name), Modified: e.Modified, IsArchived: true,
				Past: "it was archived with " + version,
			}
			if r := p.Roadmap.ByKey[id.Key]; r != nil && isSameName(r.Name, name) {
				phase.Name, phase.Road = r.Name, r
			}
			if p.options.IsDeep {
				p.readArchived(phase)
			}
			p.Archived = append(p.Archived, phase)
		}
	}
}

// readArchived pairs the plans of an archived phase. Its reviews are not read: nobody acts on them.
func (p *Project) readArchived(phase *Phase) {
	phase.Files = p.source.List(phase.Dir)
	var names []string
	for _, f := range phase.Files {
		if !f.IsDir {
			names = append(names, f.Name)
		}
	}
	for _, f := range PairPlans(phase.ID, names, nil) {
		s := &PlanState{File: f, ID: f.ID, Phase: phase, Plan: unopenedPlan}
		if f.Summary != "" {
			s.Summary = unopenedSummary
		}
		phase.Plans = append(phase.Plans, s)
	}
}

// isArchive reports whether a directory of milestones/ holds the phases of a milestone that is over: "v1.2-phases", or
// "pre-v25-phases" for everything before.
func isArchive(name string) bool {
	version := cutSuffix(name, "-phases")
	return version != name && (doc.HasPrefix(version, "pre-v") || version != "" && wholeVersion(version) == version)
}

// FindPhase returns the phase that a file refers to, nil without one.
func (p *Project) FindPhase(reference string) *Phase {
	id, ok := parsePhaseReference(reference)
	if !ok {
		return nil
	}
	return p.ByKey[id.Key]
}

// IsNowhere reports whether neither a directory nor the roadmap has a phase that a file refers to, though they have others.
func (p *Project) IsNowhere(reference string) bool {
	id, ok := parsePhaseReference(reference)
	return ok && len(p.Phases) > 0 && p.ByKey[id.Key] == nil && !p.IsInArchive(id) && !id.IsBacklog() && !id.IsZero()
}

// IsInArchive reports whether a phase of a number was archived.
func (p *Project) IsInArchive(id PhaseID) bool {
	return slices.ContainsFunc(p.Archived, func(a *Phase) bool { return a.ID.Key == id.Key })
}

// findCurrent finds the phase that STATE.md is at.
func (p *Project) findCurrent() {
	for _, reference := range [...]string{p.State.Line.ActivePhase, p.State.Phase} {
		if p.Current == nil {
			p.Current = p.FindPhase(reference)
		}
	}
}
