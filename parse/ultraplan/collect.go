// Collecting what the files say, before anything is concluded from it.

package ultraplan

import (
	"cmp"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/reader"
	"gatehouse/parse/ultraplan/rules"
)

// collector gathers the build.
type collector struct {
	m   *mirror.Mirror
	now time.Time
	b   *model.Build

	state   *state
	stateIs bool // there is a STATE.md
	roadmap []rules.RoadmapPhase
	phases  []*phase // in order: those with a directory, and those that only the roadmap has
	plans   map[string]*planState
	tasks   map[key]*taskState
	// unlisted is a directory of phases or plans that could not be listed in full, "" for none: the tree has more then.
	unlisted string

	session  *parsedSession
	retries  *retries
	resume   *resume
	resumeAt time.Time
	logs     []*logEntry // the oldest first
	days     []*daily    // the summaries of days
	events   []eventFile

	facts line.Ultraplan
}

// phase is a phase of the tree, or one that only the roadmap has.
type phase struct {
	rules.Phase
	id      string // of its node
	title   string
	road    *rules.RoadmapPhase
	files   []mirror.Entry
	modTime time.Time
	plans   []*planState
	orphans []string // summaries without a plan

	status    model.Status
	word, why string
}

// dir returns the directory of the phase, "" for one that only the roadmap has.
func (p *phase) dir() string {
	if p.Dir == "" {
		return ""
	}
	return path.Join(phasesDir, p.Dir)
}

const (
	phasesDir   = Planning + "/phases"
	roadmapFile = Planning + "/ROADMAP.md"

	stateDir      = Home + "/state"
	resumeFile    = stateDir + "/continue.md"
	logsDir       = Home + "/logs"
	sessionFile   = logsDir + "/current-session.json"
	executionsDir = logsDir + "/executions"
	summaryDir    = logsDir + "/summary"
)

// planState is a plan with what its files say.
type planState struct {
	rules.Plan
	node    string // its ID
	key     string // see planKey
	file    string
	phase   *phase
	plan    *plan
	summary *summary
	held    bool
	changed time.Time
	closed  time.Time // when its summary was last written; zero without one
	tasks   []*taskState

	status    model.Status
	word, why string
}

// logEntry is the log of a result with its place.
type logEntry struct {
	*logged
	file string
}

type eventFile struct {
	file   string
	family model.Family
	list   []event
}

func (c *collector) collect() {
	c.collectState()
	c.roadmap = reader.File(c.m, c.b, roadmapFile, func(text string) ([]rules.RoadmapPhase, error) {
		return rules.RoadmapPhases(strings.TrimPrefix(text, "\uFEFF")), nil
	}).Value
	c.collectSession()
	if r := reader.File(c.m, c.b, resumeFile, parseResume); r.Exists {
		if c.resume, c.resumeAt = r.Value, r.ModTime; c.resume == nil {
			c.resume = &resume{} // its presence says enough
		}
	}
	for _, e := range []eventFile{{file: stateDir + "/events.jsonl", family: model.FamilySession}, {file: logsDir + "/retry.jsonl", family: model.FamilyRetries}} {
		if r := reader.File(c.m, c.b, e.file, parseEvents); r.Value != nil {
			e.list = r.Value.list
			c.events = append(c.events, e)
		}
	}
	c.collectPhases()
	c.collectLogs()
}

// collectState reads STATE.md, wherever it is.
func (c *collector) collectState() {
	s := reader.File(c.m, c.b, c.b.File, parseState)
	if beside := (mirror.Result[*state]{}); !s.Exists {
		// ultraplan's templates put STATE.md into the project's own directory, too.
		if beside = reader.File(c.m, c.b, "STATE.md", parseState); beside.Exists {
			s, c.b.File = beside, "STATE.md"
		}
	}
	c.stateIs, c.state = s.Exists, s.Value
	if c.state == nil {
		c.state = &state{}
	}
	if !s.Exists {
		c.problem(model.Pos{File: c.b.File}, model.Warning, "there is no STATE.md", "what is shown comes from the tree alone")
	}
}

// collectSession reads what is known of the tasks at work beside STATE.md.
func (c *collector) collectSession() {
	c.session = reader.File(c.m, c.b, sessionFile, parseSession).Value
	c.retries = reader.File(c.m, c.b, stateDir+"/retry-state.json", parseRetries).Value
}

func (c *collector) problem(at model.Pos, s model.Severity, text, fix string) {
	c.b.Problems = append(c.b.Problems, model.Problem{Pos: at, Severity: s, Text: text, Fix: fix})
}

// list lists a directory, and notes what is wrong with it.
func (c *collector) list(dir string) []mirror.Entry {
	entries, ok := reader.List(c.m, c.b, dir)
	if !ok && (dir == phasesDir || path.Dir(dir) == phasesDir) {
		c.unlisted = dir
	}
	return entries
}

// listPhases finds the phases and plans that have files, by their names alone.
func (c *collector) listPhases() {
	for _, e := range c.list(phasesDir) {
		p := &phase{modTime: e.ModTime, id: "phase/" + e.Name}
		var ok bool
		if p.Phase, _, ok = rules.NewPhase(e.Name, nil); !ok || e.Regular {
			continue // what is neither is a link that leads nowhere or out of the project, and a phase all the same
		}
		p.title = strings.ReplaceAll(p.Slug, "-", " ")
		p.files = c.list(p.dir())
		names := make([]string, 0, len(p.files))
		for _, f := range p.files {
			if !f.Dir {
				names = append(names, f.Name)
			}
		}
		p.Phase, p.orphans, _ = rules.NewPhase(e.Name, names)
		c.phases = append(c.phases, p)
	}
	c.plans = map[string]*planState{}
	for _, p := range c.phases {
		for _, one := range p.Plans {
			s := &planState{Plan: one, phase: p, key: planKey(one.ID), node: "plan/" + p.Dir + "/" + one.ID, file: path.Join(p.dir(), one.ID+"-PLAN.md")}
			p.plans = append(p.plans, s)
			if c.plans[s.key] == nil {
				c.plans[s.key] = s
			}
		}
	}
}

// collectPhases unites the directories with the roadmap by number. Directories that share a number are shown as they are.
func (c *collector) collectPhases() {
	c.listPhases()
	if c.m.Reads() < len(c.plans) { // nothing much is known yet
		var work []func(*collector)
		for _, p := range c.phases {
			for _, s := range p.plans {
				work = append(work, func(own *collector) { own.collectPlan(&planState{Plan: s.Plan, file: s.file}) })
			}
		}
		c.warm(work)
	}
	for _, p := range c.phases {
		for _, s := range p.plans {
			c.collectPlan(s)
		}
	}
	c.uniteRoadmap()
}

// uniteRoadmap gives the phases their names by the roadmap, and adds those that only the roadmap has.
func (c *collector) uniteRoadmap() {
	for i := range c.roadmap {
		r := &c.roadmap[i]
		found := false
		for _, p := range c.phases {
			if rules.CompareNumbers(p.Number, r.Number) == 0 {
				found = true
				if p.road = r; r.Name != "" {
					p.title = r.Name
				}
			}
		}
		if !found {
			c.phases = append(c.phases, &phase{
				Phase: rules.Phase{Number: padded(r.Number), Slug: r.Name}, id: "phase/" + rules.TrimZeros(r.Number), title: r.Name, road: r,
			})
		}
	}
	slices.SortStableFunc(c.phases, func(a, b *phase) int {
		return cmp.Or(rules.CompareNumbers(a.Number, b.Number), cmp.Compare(a.Slug, b.Slug))
	})
	// Two directories of one number are told apart by their own names.
	for i, p := range c.phases {
		for _, q := range []int{i - 1, i + 1} {
			if q >= 0 && q < len(c.phases) && rules.CompareNumbers(p.Number, c.phases[q].Number) == 0 {
				p.title = strings.ReplaceAll(p.Slug, "-", " ")
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

// collectPlan reads a plan and its summary.
func (c *collector) collectPlan(s *planState) {
	r := reader.File(c.m, c.b, s.file, parsePlan)
	if s.plan, s.held, s.changed = r.Value, r.Held, r.ModTime; s.plan == nil {
		s.plan = &plan{}
	}
	if !s.Done {
		return
	}
	// An empty one closes its plan, too: that it is there says it.
	sum := mirror.Read(c.m, strings.TrimSuffix(s.file, "-PLAN.md")+"-SUMMARY.md", parseSummary)
	if s.summary, s.closed = sum.Value, sum.ModTime; s.summary == nil {
		s.summary = &summary{}
	}
	if s.closed.After(c.b.Freshness.Changed) {
		c.b.Freshness.Changed = s.closed
	}
}

// warm does work on all processors, each with a collector of its own over the same mirror: what is then asked for in
// order has been read already.
func (c *collector) warm(work []func(*collector)) {
	queue := make(chan func(*collector), len(work))
	for _, w := range work {
		queue <- w
	}
	close(queue)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			// A fault of ours is met again in order, where it is reported.
			defer func() { _ = recover() }()
			own := &collector{m: c.m, b: &model.Build{}}
			for w := range queue {
				w(own)
			}
		})
	}
	wg.Wait()
}

// collectLogs reads the logs of all results and the summaries of days.
func (c *collector) collectLogs() {
	files := c.logFiles(executionsDir)
	if c.m.Reads() < len(files) {
		work := make([]func(*collector), len(files))
		for i, file := range files {
			work[i] = func(own *collector) { mirror.Read(own.m, file, parseLog) }
		}
		c.warm(work)
	}
	c.logs = c.readLogs(files)
	for _, e := range c.list(summaryDir) {
		if strings.HasPrefix(e.Name, "daily-") && strings.HasSuffix(e.Name, ".json") && !e.Dir {
			if d := reader.File(c.m, c.b, path.Join(summaryDir, e.Name), parseDaily).Value; d != nil {
				own := *d
				own.Date = cmp.Or(day(strings.TrimPrefix(e.Name, "daily-")), day(d.Date))
				c.days = append(c.days, &own)
			}
		}
	}
}

// logFiles returns the logs below a directory of days.
func (c *collector) logFiles(dir string) (files []string) {
	for _, d := range c.list(dir) {
		if d.Dir && day(d.Name) != "" {
			files = append(files, c.logsIn(path.Join(dir, d.Name))...)
		}
	}
	return files
}

// logsIn returns the logs of one day, by its directory.
func (c *collector) logsIn(dir string) (files []string) {
	for _, e := range c.list(dir) {
		if !e.Dir && (strings.HasSuffix(e.Name, ".yaml") || strings.HasSuffix(e.Name, ".yml")) && e.Name[0] != '.' {
			files = append(files, path.Join(dir, e.Name))
		}
	}
	return files
}

// readLogs reads logs and returns those that can be read, the oldest first.
func (c *collector) readLogs(files []string) (logs []*logEntry) {
	for _, file := range files {
		if r := reader.File(c.m, c.b, file, parseLog); r.Value != nil {
			e := &logEntry{logged: r.Value, file: file}
			if e.plan == "" || e.task == "" || e.status == "" {
				own := *e.logged // what is parsed is kept, and never changed
				own.named(path.Base(file))
				e.logged = &own
			}
			logs = append(logs, e)
		}
	}
	slices.SortStableFunc(logs, compareLogs)
	return logs
}

// compareLogs orders logs by their time, of equal times by attempt, then by name: a second one of a day, "-2", behind the
// first.
func compareLogs(a, b *logEntry) int {
	if d := cmp.Or(a.at.Compare(b.at), cmp.Compare(a.attempt, b.attempt)); d != 0 {
		return d
	}
	stemA, noA := logOrdinal(a.file)
	stemB, noB := logOrdinal(b.file)
	return cmp.Or(cmp.Compare(stemA, stemB), cmp.Compare(noA, noB), cmp.Compare(a.file, b.file))
}
