// Package ultraplan reads an ultraplan project into the model, checks it, and says what a decision changes in it. README.md describes
// the files and the protocol.
//
//	Readers ─► Reader.open: core.Project over the mirror ─┬► Read:   model.Build (build.go, rows.go, gates.go, activity.go)
//	                                                      ├► Check:  broken rules
//	                                                      ├► Resume: where work goes on
//	                                                      └► Target: Change of a decision (edit.go)
//
// Package core parses the files and evaluates the rules of the protocol, for the prompt too. The tree counts: a plan with a summary is
// done, whatever STATE.md says. Where they differ the build has a divergence. Package record writes what executors return.
package ultraplan

import (
	"path"
	"runtime"
	"slices"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// Protocol is the name of the protocol in the model.
const Protocol = "ultraplan"

// Home is the directory of ultraplan's own files.
const Home = core.Home

// Reader reads the ultraplan build of a project.
type Reader struct{ m *mirror.Mirror }

// Readers returns a reader for the ultraplan build of a project, none without one. A .ultraplan with a configuration alone, as a user may
// have it for all projects, is no build.
func Readers(m *mirror.Mirror) []*Reader {
	if !IsOwner(m) {
		return nil
	}
	for _, name := range []string{core.StateFile, core.RoadmapFile, core.PhasesDir, core.OtherState, core.StateDir, core.LogsDir} {
		if _, ok := m.Stat(name); ok {
			return []*Reader{{m: m}}
		}
	}
	return nil
}

// IsOwner reports whether the .planning of a project is ultraplan's and not GSD's.
func IsOwner(m *mirror.Mirror) bool {
	type owner struct{ isUltraplan, asksHome bool }
	parse := func(text string) (o owner, err error) {
		o.isUltraplan = core.IsUltraplan(text, func() bool {
			o.asksHome = true
			return false
		})
		return o, nil
	}
	if r := mirror.Read(m, core.StateFile, parse); r.Exists && (r.Err == nil || r.Held) && (r.Value.isUltraplan || !r.Value.asksHome) {
		return r.Value.isUltraplan
	}
	return m.IsDir(Home)
}

// ID returns the ID of the build.
func (r *Reader) ID() string { return Protocol }

// Read returns the build as the files say it now. It never fails: a file that can't be read is a problem of the build.
func (r *Reader) Read(now time.Time) *model.Build { return r.open(now).Build }

// builder makes the build of a project.
type builder struct {
	*core.Project
	src         *Source
	Build       *model.Build
	now         time.Time
	at          core.Position
	days        []*core.Daily
	finished    []core.PlanWork
	status      map[*core.Plan]model.Status
	differences []statemd.Difference // what STATE.md says otherwise than tree and logs
}

func (r *Reader) open(now time.Time) *builder {
	c := &builder{now: now, Build: &model.Build{ID: Protocol, Protocol: Protocol, Dir: core.Planning}, status: map[*core.Plan]model.Status{}}
	c.src = NewSource(r.m, c.Build)
	c.Project = core.Open(c.src)
	c.Build.File = c.StateFile
	c.src.readAhead(c.Project)
	c.ReadAll()
	c.at = c.FindPosition()
	c.days = c.CountDays()
	c.finished = core.FinishedWork(c.ListWork(c.days))
	c.reportFiles()
	c.addRows()
	c.addBlockers()
	c.addActivity()
	c.addHistory()
	c.addPause()
	c.addStatus()
	c.addDivergences()
	if len(statemd.Spans(c.differences)) > 0 {
		c.Build.Can = []model.Verb{model.VerbSync}
	}
	return c
}

// Source reads the files of a project through its mirror, and adds what is wrong with them to a build.
type Source struct {
	m     *mirror.Mirror
	b     *model.Build
	files map[string]fileInfo
}

// fileInfo describes a file in addition to its content.
type fileInfo struct {
	changed time.Time
	isHeld  bool // its last good state is shown
}

// NewSource returns the source of a project. Problems of its files are added to b.
func NewSource(m *mirror.Mirror, b *model.Build) *Source {
	return &Source{m: m, b: b, files: map[string]fileInfo{}}
}

// load reads a file once per source.
func load[T any](s *Source, file string, parse func(text string) (T, error)) (value T, exists bool) {
	r := mirror.Read(s.m, file, parse)
	if _, known := s.files[file]; !known && r.Exists {
		r.Note(s.b, file)
		s.files[file] = fileInfo{r.ModTime, r.Held}
	}
	return r.Value, r.Exists
}

// without returns a parser that never fails.
func without[T any](parse func(text string) T) func(text string) (T, error) {
	return func(text string) (T, error) { return parse(text), nil }
}

// jsonFile returns a parser of a JSON file, which is read up to a limit.
func jsonFile[T any](parse func(text string) (T, *doc.SyntaxError), problems func(T) []doc.Problem) func(text string) (T, error) {
	return func(text string) (value T, err error) {
		if len(text) > protocol.SideLimit {
			return value, &mirror.Fault{Line: 1, Text: "this is more than 1 MiB of JSON, which is not read"}
		}
		value, syntax := parse(text)
		if syntax != nil {
			return value, protocol.SyntaxFault(text, syntax)
		}
		if all := problems(value); len(all) > 0 {
			f := &mirror.Fault{Text: all[0].Text, Minor: true}
			f.Line, f.Col = doc.IndexLines(text).Position(all[0].At)
			return value, f
		}
		return value, nil
	}
}

// State is of [core.Source], like the methods below.
func (s *Source) State(file string) (*core.State, bool) {
	return load(s, file, func(text string) (*core.State, error) { return core.ParseState(text), unclosed(text) })
}

// unclosed returns the fault of a document whose frontmatter has no end, as in a file that is being written.
func unclosed(text string) error {
	if doc.SplitFrontmatter(text).Unclosed {
		return &mirror.Fault{Line: 1, Text: "the frontmatter has no end"}
	}
	return nil
}

// Roadmap parses ROADMAP.md.
func (s *Source) Roadmap() *core.Roadmap {
	r, _ := load(s, core.RoadmapFile, without(core.ParseRoadmap))
	return r
}

// Session parses current-session.json, nil without one.
func (s *Source) Session() *core.Session {
	session, _ := load(s, core.SessionFile, jsonFile(core.ParseSession, func(v *core.Session) []doc.Problem { return v.Problems }))
	return session
}

// Retries parses retry-state.json, nil without one.
func (s *Source) Retries() *core.Retries {
	retries, _ := load(s, core.RetriesFile, jsonFile(core.ParseRetries, func(v *core.Retries) []doc.Problem { return v.Problems }))
	return retries
}

// Resume parses continue.md, nil without one. An empty file counts.
func (s *Source) Resume() *core.Resume {
	r, exists := load(s, core.ResumeFile, without(core.ParseResume))
	if exists && r == nil {
		r = &core.Resume{}
	}
	return r
}

// Plan parses a PLAN.md.
func (s *Source) Plan(file string) *core.PlanDoc {
	p, _ := load(s, file, parsePlan)
	return p
}

func parsePlan(text string) (*core.PlanDoc, error) {
	p := core.ParsePlan(text)
	switch err := unclosed(text); {
	case err != nil:
		return p, err
	case len(p.Problems) > 0:
		return p, &mirror.Fault{Line: p.Problems[0].Line, Text: "the frontmatter: " + p.Problems[0].Text, Minor: true}
	case p.IsCut:
		return p, &mirror.Fault{Text: "it has too many tasks or criteria; the rest is left out", Minor: true}
	}
	return p, nil
}

// Front parses the frontmatter of a PLAN.md.
func (s *Source) Front(file string) *core.Front {
	if p := s.Plan(file); p != nil {
		return &p.Front
	}
	return nil
}

// summary is a SUMMARY.md with the times that it names.
type summary struct {
	core.SummaryDoc
	Worked protocol.Worked
}

func parseSummary(text string) (*summary, error) {
	root := doc.Value{}
	f := doc.SplitFrontmatter(text)
	if f.Exists {
		root = doc.ParseYAML(text, f.Block, f.BlockEnd).Root()
	}
	return &summary{*core.ParseSummary(text), protocol.ParseWorkTimes(func(keys ...string) string { return root.Get(keys...).Scalar() }, text[f.Body:])}, nil
}

func (s *Source) summary(file string) *summary {
	r := mirror.Read(s.m, file, parseSummary)
	if s.files[file] = (fileInfo{changed: r.ModTime}); r.ModTime.After(s.b.Freshness.Changed) {
		s.b.Freshness.Changed = r.ModTime
	}
	if r.Value == nil {
		return &summary{}
	}
	return r.Value
}

// Summary parses a SUMMARY.md; an empty one closes its plan, too.
func (s *Source) Summary(file string) *core.SummaryDoc { return &s.summary(file).SummaryDoc }

// Log returns the log of a result, nil if it is gone.
func (s *Source) Log(file string) *core.Log {
	r := mirror.Read(s.m, file, without(core.ParseLog))
	if r.ModTime.After(s.b.Freshness.Changed) {
		s.b.Freshness.Changed = r.ModTime
	}
	switch {
	case !r.Exists:
		return nil
	case r.Value == nil:
		return &core.Log{Lacks: "it can't be read: " + errorText(r.Err)}
	}
	return r.Value
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Daily returns the summary of a day, nil without one.
func (s *Source) Daily(date string) *core.Daily {
	d, _ := load(s, core.SummaryFile(date), func(text string) (*core.Daily, error) {
		d, syntax := core.ParseDaily(text, date)
		if syntax != nil {
			return nil, protocol.SyntaxFault(text, syntax)
		}
		return d, nil
	})
	return d
}

// List calls add with the names in a directory.
func (s *Source) List(dir string, add func(name string)) bool {
	entries, err := s.m.List(dir)
	for _, e := range entries {
		switch {
		case dir == core.PhasesDir && e.Regular, path.Dir(dir) == core.PhasesDir && e.Dir: // a link that leads nowhere can be a phase
		case path.Dir(dir) != core.PhasesDir && dir != core.PhasesDir && core.IsLogFile(e.Name) && e.Dir:
		default:
			add(e.Name)
		}
	}
	if _, known := s.files[dir]; err != nil && !known {
		s.files[dir] = fileInfo{}
		protocol.Report(s.b, model.Pos{File: dir}, model.Error, "", err.Error(), "not all of its files are shown")
	}
	return err == nil
}

// readAhead parses plans and logs on all processors the first time that they are read: what is then asked for in order has been read.
func (s *Source) readAhead(p *core.Project) {
	files := p.LogFiles()
	if s.m.Reads() >= len(files)+len(p.Plans) {
		return
	}
	var work []func()
	for _, file := range files {
		work = append(work, func() { mirror.Read(s.m, file, without(core.ParseLog)) })
	}
	for _, plan := range p.Plans {
		work = append(work, func() { mirror.Read(s.m, plan.File, parsePlan) })
	}
	next := make(chan func(), len(work))
	for _, w := range work {
		next <- w
	}
	close(next)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			defer func() { _ = recover() }() // reading in order meets the fault again, and reports it
			for w := range next {
				w()
			}
		})
	}
	group.Wait()
}

// reportProblem adds a problem to the build, once.
func (c *builder) reportProblem(at model.Pos, s model.Severity, rule, text, fix string) {
	p := model.Problem{Pos: at, Severity: s, Rule: rule, Text: line.Tidy(text), Fix: line.Tidy(fix)}
	if !slices.Contains(c.Build.Problems, p) {
		c.Build.Problems = append(c.Build.Problems, p)
	}
}

// reportFiles reports files whose content is wrong.
func (c *builder) reportFiles() {
	state := model.Pos{File: c.Build.File}
	if !c.HasState {
		c.reportProblem(state, model.Warning, "", "there is no STATE.md", "what is shown comes from the tree alone")
	}
	if c.State.Conflict > 0 {
		state.Line = c.State.Conflict
		c.reportProblem(state, model.Error, "", "an unresolved merge conflict", "keep one side of it; until then nothing is written into the file")
	}
	for _, p := range c.State.Problems {
		state.Line = p.Line
		c.reportProblem(state, model.Error, "ultraplan-gate", p.Text, p.Fix)
	}
	for _, l := range c.Broken {
		c.reportProblem(model.Pos{File: l.File, Line: l.Line}, model.Error, "ultraplan-log", "this is no whole log: "+l.Lacks, "it counts as no result; have its task executed and captured again, and delete it")
	}
	for _, one := range c.Copies {
		c.reportProblem(model.Pos{File: one.File}, model.Warning, "ultraplan-log-twice", "this is the same log as "+one.Of+", and counted once", "delete one of the two")
	}
	for _, d := range c.readSummaries() {
		if d.Fault != "" {
			c.reportProblem(model.Pos{File: core.SummaryFile(d.Date)}, model.Error, "", d.Fault, "its logs are counted instead; the next capture keeps the file beside, and counts again")
		}
	}
	for _, ph := range c.Phases {
		for _, id := range ph.Orphans {
			c.reportProblem(model.Pos{File: path.Join(ph.Path(), id+"-SUMMARY.md")}, model.Warning, "", "this summary has no plan, and is not counted", "give it the name of its plan, with SUMMARY for PLAN")
		}
	}
	for _, plan := range c.at.Unsummarized {
		if plan != c.at.Next {
			c.reportProblem(model.Pos{File: plan.SummaryFile()}, model.Warning, "ultraplan-summary-missing", "all tasks of plan "+plan.ID+" are done, and "+plan.ID+"-SUMMARY.md is missing", "write it: it closes the plan")
		}
	}
	for _, group := range c.FindCycles() {
		for i, plan := range group {
			if other := group[(i+1)%len(group)]; other == plan {
				c.reportProblem(model.Pos{File: plan.File}, model.Error, "ultraplan-cycle", "plan "+plan.ID+" waits for itself", "take it out of depends_on")
			} else {
				c.reportProblem(model.Pos{File: plan.File}, model.Error, "ultraplan-cycle", "plan "+plan.ID+" waits for itself through "+other.ID, "take out a dependency or change a wave; none of them can come first")
			}
		}
	}
}

// readSummaries returns the summaries of days.
func (c *builder) readSummaries() (all []*core.Daily) {
	for _, date := range c.SummaryDates() {
		if d := c.Daily(date); d != nil {
			all = append(all, d)
		}
	}
	return all
}

// unixTime returns a time of the core.
func unixTime(at int64) time.Time {
	if at == 0 {
		return time.Time{}
	}
	return time.Unix(at, 0).UTC()
}
