// Collecting what the files say, before anything is concluded from it.

package facts

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/rules"
)

// Read reads all files, and derives from the tree and what they say how far tasks, plans and phases are.
func (pr *Project) Read() {
	pr.collect()
	pr.locate()
	pr.DeriveTasks()
	pr.derivePhases()
}

func (pr *Project) collect() {
	pr.ReadState()
	pr.readRoadmap()
	pr.ReadSession()
	if r := protocol.ReadFile(pr.Mirror, pr.Build, ResumeFile, ParseResume); r.Exists {
		if pr.Resume, pr.ResumeAt = r.Value, r.ModTime; pr.Resume == nil {
			pr.Resume = &Resume{} // its presence says enough
		}
	}
	for _, e := range []EventFile{{File: StateDir + "/events.jsonl", Family: model.FamilySession}, {File: LogsDir + "/retry.jsonl", Family: model.FamilyRetries}} {
		if r := protocol.ReadFile(pr.Mirror, pr.Build, e.File, parseEvents); r.Value != nil {
			e.List = r.Value.list
			pr.Events = append(pr.Events, e)
		}
	}
	pr.collectPhases()
	pr.collectLogs()
}

func (pr *Project) readRoadmap() {
	pr.Roadmap = protocol.ReadFile(pr.Mirror, pr.Build, RoadmapFile, func(text string) ([]rules.RoadmapPhase, error) {
		return rules.RoadmapPhases(strings.TrimPrefix(text, "\uFEFF")), nil
	}).Value
}

// ReadTree reads what STATE.md is held against, and no plan: the phases with their summaries, the roadmap, and what was done
// on each day.
func (pr *Project) ReadTree() {
	pr.readRoadmap()
	pr.ListPhases()
	for _, p := range pr.Phases {
		for _, s := range p.Plans {
			pr.ReadSummary(s)
		}
	}
	pr.uniteRoadmap()
	pr.ReadDays()
}

// ReadPhases finds the phases by their directories and the roadmap, and reads no plan.
func (pr *Project) ReadPhases() {
	pr.readRoadmap()
	pr.ListPhases()
	pr.uniteRoadmap()
}

// ReadState reads STATE.md, wherever it is.
func (pr *Project) ReadState() {
	s := protocol.ReadFile(pr.Mirror, pr.Build, pr.Build.File, ParseState)
	if beside := (mirror.Result[*State]{}); !s.Exists {
		// ultraplan's templates put STATE.md into the project's own directory, too.
		if beside = protocol.ReadFile(pr.Mirror, pr.Build, "STATE.md", ParseState); beside.Exists {
			s, pr.Build.File = beside, "STATE.md"
		}
	}
	pr.HasState, pr.State = s.Exists, s.Value
	if pr.State == nil {
		pr.State = &State{}
	}
	if !s.Exists {
		pr.problem(model.Pos{File: pr.Build.File}, model.Warning, "there is no STATE.md", "what is shown comes from the tree alone")
	}
	if no := pr.State.Conflict; no > 0 {
		pr.problem(model.Pos{File: pr.Build.File, Line: no}, model.Error, "a merge conflict that nobody has resolved", "keep one side of it; until then nothing is written into the file")
	}
}

// ReadSession reads what is known of the tasks at work beside STATE.md.
func (pr *Project) ReadSession() {
	pr.Session = protocol.ReadFile(pr.Mirror, pr.Build, SessionFile, ParseSession).Value
	pr.Retries = protocol.ReadFile(pr.Mirror, pr.Build, StateDir+"/retry-state.json", parseRetries).Value
}

func (pr *Project) problem(at model.Pos, s model.Severity, text, fix string) {
	pr.Build.Problems = append(pr.Build.Problems, model.Problem{Pos: at, Severity: s, Text: text, Fix: fix})
}

// List lists a directory, and notes what is wrong with it.
func (pr *Project) List(dir string) []mirror.Entry {
	entries, ok := protocol.ListDir(pr.Mirror, pr.Build, dir)
	if !ok && (dir == PhasesDir || path.Dir(dir) == PhasesDir) {
		pr.Unlisted = dir
	}
	return entries
}

// ListPhases finds the phases and plans that have files, by their names alone.
func (pr *Project) ListPhases() {
	for _, e := range pr.List(PhasesDir) {
		p := &Phase{ModTime: e.ModTime, ID: "phase/" + e.Name}
		var ok bool
		if p.Phase, _, ok = rules.NewPhase(e.Name, nil); !ok || e.Regular {
			continue // what is neither is a link that leads nowhere or out of the project, and a phase all the same
		}
		p.Title = strings.ReplaceAll(p.Slug, "-", " ")
		p.Files = pr.List(p.Path())
		names := make([]string, 0, len(p.Files))
		for _, f := range p.Files {
			if !f.Dir {
				names = append(names, f.Name)
			}
		}
		p.Phase, p.Orphans, _ = rules.NewPhase(e.Name, names)
		pr.Phases = append(pr.Phases, p)
	}
	pr.Plans = map[string]*Plan{}
	for _, p := range pr.Phases {
		for _, one := range p.Phase.Plans {
			s := &Plan{Plan: one, Phase: p, Key: PlanKey(one.ID), Node: "plan/" + p.Dir + "/" + one.ID, File: path.Join(p.Path(), one.ID+"-PLAN.md")}
			p.Plans = append(p.Plans, s)
			if pr.Plans[s.Key] == nil {
				pr.Plans[s.Key] = s
			}
		}
	}
}

// collectPhases unites the directories with the roadmap by number. Directories that share a number are shown as they are.
func (pr *Project) collectPhases() {
	pr.ListPhases()
	if pr.Mirror.Reads() < len(pr.Plans) { // nothing much is known yet
		var work []func(*Project)
		for _, p := range pr.Phases {
			for _, s := range p.Plans {
				work = append(work, func(own *Project) { own.ReadPlan(&Plan{Plan: s.Plan, File: s.File}) })
			}
		}
		pr.warm(work)
	}
	for _, p := range pr.Phases {
		for _, s := range p.Plans {
			pr.ReadPlan(s)
		}
	}
	pr.uniteRoadmap()
}

// uniteRoadmap gives the phases their names by the roadmap, and adds those that only the roadmap has.
func (pr *Project) uniteRoadmap() {
	for i := range pr.Roadmap {
		r := &pr.Roadmap[i]
		found := false
		for _, p := range pr.Phases {
			if rules.CompareNumbers(p.Number, r.Number) == 0 {
				found = true
				if p.Road = r; r.Name != "" {
					p.Title = r.Name
				}
			}
		}
		if !found {
			pr.Phases = append(pr.Phases, &Phase{
				Phase: rules.Phase{Number: padded(r.Number), Slug: r.Name}, ID: "phase/" + rules.TrimZeros(r.Number), Title: r.Name, Road: r,
			})
		}
	}
	slices.SortStableFunc(pr.Phases, func(a, b *Phase) int {
		return cmp.Or(rules.CompareNumbers(a.Number, b.Number), cmp.Compare(a.Slug, b.Slug))
	})
	// Two directories of one number are told apart by their own names.
	for i, p := range pr.Phases {
		for _, q := range []int{i - 1, i + 1} {
			if q >= 0 && q < len(pr.Phases) && rules.CompareNumbers(p.Number, pr.Phases[q].Number) == 0 {
				p.Title = strings.ReplaceAll(p.Slug, "-", " ")
			}
		}
	}
}

// padded returns a number with two digits before its dot, as directories are named.
func padded(number string) string {
	if whole, _, _ := strings.Cut(number, "."); len(whole) == 1 {
		return "0" + number
	}
	return number
}

// ReadPlan reads a plan and its summary.
func (pr *Project) ReadPlan(s *Plan) {
	r := protocol.ReadFile(pr.Mirror, pr.Build, s.File, ParsePlan)
	if s.Doc, s.Held, s.Changed = r.Value, r.Held, r.ModTime; s.Doc == nil {
		s.Doc = &PlanDoc{}
	}
	pr.ReadSummary(s)
}

// ReadSummary reads the summary of a plan, where it has one.
func (pr *Project) ReadSummary(s *Plan) {
	if !s.Done {
		return
	}
	// An empty one closes its plan, too: that it is there says it.
	sum := mirror.Read(pr.Mirror, strings.TrimSuffix(s.File, "-PLAN.md")+"-SUMMARY.md", ParseSummary)
	if s.Summary, s.Closed = sum.Value, sum.ModTime; s.Summary == nil {
		s.Summary = &SummaryDoc{}
	}
	if s.Closed.After(pr.Build.Freshness.Changed) {
		pr.Build.Freshness.Changed = s.Closed
	}
}

// warm does work on all processors, each with facts of its own over the same mirror: what is then asked for in
// order has been read already.
func (pr *Project) warm(work []func(*Project)) {
	queue := make(chan func(*Project), len(work))
	for _, w := range work {
		queue <- w
	}
	close(queue)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			// A fault of ours is met again in order, where it is reported.
			defer func() { _ = recover() }()
			own := &Project{Mirror: pr.Mirror, Build: &model.Build{}}
			for w := range queue {
				w(own)
			}
		})
	}
	wg.Wait()
}

// collectLogs reads the logs of all results, those in the archive too, and the summaries of days.
func (pr *Project) collectLogs() {
	files := pr.AllLogs()
	if pr.Mirror.Reads() < len(files) {
		work := make([]func(*Project), len(files))
		for i, file := range files {
			work[i] = func(own *Project) { mirror.Read(own.Mirror, file, ParseLog) }
		}
		pr.warm(work)
	}
	pr.Logs = pr.ReadLogs(files)
	pr.ReadDays()
}

// AllLogs returns the logs of all days, those in the archive first.
func (pr *Project) AllLogs() (files []string) {
	for _, dir := range executions {
		for _, d := range pr.List(dir) {
			if d.Dir && Date(d.Name) == d.Name {
				files = append(files, pr.LogsIn(path.Join(dir, d.Name))...)
			}
		}
	}
	return files
}

// LogsIn returns the logs of one day, by its directory.
func (pr *Project) LogsIn(dir string) (files []string) {
	for _, e := range pr.List(dir) {
		if !e.Dir && (strings.HasSuffix(e.Name, ".yaml") || strings.HasSuffix(e.Name, ".yml")) && e.Name[0] != '.' {
			files = append(files, path.Join(dir, e.Name))
		}
	}
	return files
}

// ReadLogs reads logs and returns those that are whole, the oldest first. What is torn, empty or no log at all is a problem of
// the build, and counts as nothing, and so does a copy of another of them.
func (pr *Project) ReadLogs(files []string) (logs []*Log) {
	first := make(map[[sha256.Size]byte]string, len(files))
	for _, file := range files {
		r := mirror.Read(pr.Mirror, file, ParseLog)
		if r.ModTime.After(pr.Build.Freshness.Changed) {
			pr.Build.Freshness.Changed = r.ModTime
		}
		if !r.Exists {
			continue
		}
		if l, why := wholeLog(file, r); why == nil {
			if of := first[l.Mark]; of != "" {
				pr.copied(file, of)
				continue
			}
			first[l.Mark] = file
			logs = append(logs, l)
			continue
		} else if !slices.Contains(pr.Build.Problems, *why) { // logs of a day are read for the day, too
			pr.Build.Problems = append(pr.Build.Problems, *why)
		}
		if plan, task, ok := SplitLogName(path.Base(file)); ok {
			if pr.torn == nil {
				pr.torn = map[TaskKey]string{}
			}
			pr.torn[TaskKey{Plan: plan, Task: task}] = file
		}
	}
	slices.SortStableFunc(logs, CompareLogs)
	return logs
}

// copied notes that two logs are the same and count once. It is told of the later one by its name, in whatever order they were met.
func (pr *Project) copied(file, of string) {
	_, n := logOrdinal(file)
	if _, m := logOrdinal(of); cmp.Or(cmp.Compare(n, m), cmp.Compare(file, of)) < 0 {
		file, of = of, file
	}
	p := model.Problem{Pos: model.Pos{File: file}, Severity: model.Warning, Rule: "ultraplan-log-twice", Text: "this is the same log as " + line.Clean(of) + ", and counted once", Fix: "take one of the two away"}
	if !slices.Contains(pr.Build.Problems, p) {
		pr.Build.Problems = append(pr.Build.Problems, p)
	}
}

// wholeLog returns the log that a file is, or what keeps it from being one.
func wholeLog(file string, r mirror.Result[*LogDoc]) (l *Log, why *model.Problem) {
	why = &model.Problem{Pos: model.Pos{File: file}, Severity: model.Error, Rule: "ultraplan-log", Fix: "it counts as no result; have its task executed and captured again, and take it away"}
	var fault *mirror.Fault
	if errors.As(r.Err, &fault) {
		why.Line, why.Col = fault.Line, fault.Col
	}
	if r.Err != nil || r.Value == nil {
		why.Text = "this is no whole log: " + line.Clean(fmt.Sprint(r.Err))
		return nil, why
	}
	l = &Log{LogDoc: r.Value, File: file}
	if unlike := l.unlike(path.Base(file)); l.Lacks == "" && unlike != "" {
		own := *l.LogDoc // what is parsed is kept, and never changed
		own.Lacks = unlike
		l.LogDoc = &own
	}
	if l.Lacks != "" {
		why.Text = "this is no whole log: " + line.Tidy(l.Lacks)
		return nil, why
	}
	return l, nil
}

// CompareLogs orders logs by their time. Those of one second are ordered by which result of the day they were; of logs that
// don't say it, which then come first, those of one task by attempt, and a second one of a day, "-2", behind the first.
func CompareLogs(a, b *Log) int {
	if d := cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(PlanKey(a.Plan), PlanKey(b.Plan)), cmp.Compare(a.Task, b.Task),
		cmp.Compare(a.Attempt, b.Attempt)); d != 0 {
		return d
	}
	stemA, noA := logOrdinal(a.File)
	stemB, noB := logOrdinal(b.File)
	return cmp.Or(cmp.Compare(stemA, stemB), cmp.Compare(noA, noB), cmp.Compare(a.File, b.File))
}
