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
	"slices"
	"strings"
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

// Readers returns a reader for the ultraplan build of a project, none without one. A .ultraplan that has only a configuration, which a
// user may have for all projects, is no build.
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

// IsOwner reports whether the .planning of a project belongs to ultraplan and not to GSD.
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

// Read returns the build by its files as they are now. It never fails: a file that can't be read is a problem of the build.
func (r *Reader) Read(now time.Time) *model.Build { return r.open(now).Build }

// builder makes the build of a project.
type builder struct {
	*core.Project
	src         *Source
	Build       *model.Build
	now         time.Time
	at          core.Position
	finished    []statemd.PlanWork
	status      map[*core.Plan]model.Status
	differences []statemd.Difference // where STATE.md differs from the tree and the logs
}

func (r *Reader) open(now time.Time) *builder {
	c := &builder{now: now, Build: &model.Build{ID: Protocol, Protocol: Protocol, Dir: core.Planning}, status: map[*core.Plan]model.Status{}}
	c.src = NewSource(r.m, c.Build)
	c.Project = core.Open(c.src)
	c.Build.File = c.StateFile
	c.ReadAll()
	c.at = c.FindPosition()
	c.finished = statemd.FinishedWork(statemd.ListWork(c.Project, statemd.CountDays(c.Project)))
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

// Source reads the files of a project through its mirror, and adds their problems to a build.
type Source struct {
	m     *mirror.Mirror
	b     *model.Build
	files map[string]fileInfo
}

// fileInfo describes a file in addition to its content.
type fileInfo struct {
	changed time.Time
	isHeld  bool // the last good state is shown
}

// NewSource returns the source of a project. Problems of its files are added to b.
func NewSource(m *mirror.Mirror, b *model.Build) *Source {
	return &Source{m: m, b: b, files: map[string]fileInfo{}}
}

// Read implements [core.Source]: it parses a file. The first read adds the file to the build. Faults of logs are reported separately, and
// an empty summary is a valid summary.
func (s *Source) Read(file string, parse core.Parser) (value any, exists bool) {
	r := s.parseFile(file, parse)
	if _, known := s.files[file]; !known && r.Exists {
		if core.IsLogFile(path.Base(file)) || strings.HasSuffix(file, "-SUMMARY.md") {
			r.Err, r.Held = nil, false
		}
		r.Note(s.b, file)
		s.files[file] = fileInfo{r.ModTime, r.Held}
	}
	return r.Value, r.Exists
}

func (s *Source) parseFile(file string, parse core.Parser) mirror.Result[any] {
	return mirror.Read(s.m, file, func(text string) (any, error) {
		value, fault := parse(text)
		switch {
		case fault == nil:
			return value, nil
		case fault.Syntax != nil:
			return value, protocol.SyntaxFault(text, fault.Syntax)
		}
		f := &mirror.Fault{Line: fault.Line, Text: fault.Text, Minor: fault.IsMinor}
		if fault.Line == 0 && fault.At >= 0 {
			f.Line, f.Col = doc.IndexLines(text).Position(fault.At)
		}
		return value, f
	})
}

// workTimes returns the times that a SUMMARY.md names.
func (s *Source) workTimes(file string) protocol.Worked {
	return mirror.Read(s.m, file, func(text string) (protocol.Worked, error) {
		root, f := doc.Value{}, doc.SplitFrontmatter(text)
		if f.Exists {
			root = doc.ParseYAML(text, f.Block, f.BlockEnd).Root()
		}
		return protocol.ParseWorkTimes(func(keys ...string) string { return root.Get(keys...).Scalar() }, text[f.Body:]), nil
	}).Value
}

// List calls add with the names in a directory.
func (s *Source) List(dir string, add func(name string)) bool {
	entries, err := s.m.List(dir)
	for _, e := range entries {
		switch {
		case dir == core.PhasesDir && e.Regular, path.Dir(dir) == core.PhasesDir && e.Dir: // a dangling link can be a phase
		case path.Dir(dir) != core.PhasesDir && dir != core.PhasesDir && core.IsLogFile(e.Name) && e.Dir:
		case isSummary(e.Name) && !e.Regular:
			file := path.Join(dir, e.Name)
			if _, known := s.files[file]; !known {
				s.files[file] = fileInfo{}
				protocol.Report(s.b, model.Pos{File: file}, model.Error, "", "this is not a regular file in the project, so it does not close its plan", "write the summary into a file")
			}
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

func isSummary(name string) bool {
	_, is, _ := core.ParsePlanFile(name)
	return is
}

// reportProblem adds a problem to the build, once.
func (c *builder) reportProblem(at model.Pos, s model.Severity, rule, text, fix string) {
	p := model.Problem{Pos: at, Severity: s, Rule: rule, Text: line.Tidy(text), Fix: line.Tidy(fix)}
	if !slices.Contains(c.Build.Problems, p) {
		c.Build.Problems = append(c.Build.Problems, p)
	}
}

// reportFiles reports files with invalid content.
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
	for _, plan := range c.Twice {
		c.reportProblem(model.Pos{File: plan.File}, model.Error, "ultraplan-plan-twice", "a second plan "+plan.ID+
			": STATE.md and logs mean only the first that is open", "give it another number")
	}
	for _, date := range statemd.DailyDates(c.Project) {
		if d := statemd.ReadDaily(c.Project, date); d != nil && d.Fault != "" {
			c.reportProblem(model.Pos{File: statemd.DailyFile(date)}, model.Error, "", d.Fault, "its logs are counted instead; delete it: the next capture counts again")
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
}

// unixTime converts a time of package core.
func unixTime(at int64) time.Time {
	if at == 0 {
		return time.Time{}
	}
	return time.Unix(at, 0).UTC()
}
