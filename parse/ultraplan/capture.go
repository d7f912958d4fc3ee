// Capturing a result: the whole of ultraplan-results.md, from the text that an executor returned to the task that comes next.
//
//	text ─► Validate ─► the lock of the logs
//	                      │ its log: found again, or written          executions/DAY/PLAN-task-N-STATUS.yaml
//	                      │ the box of the task                       PLAN.md
//	                      │ the task in the session                   current-session.json
//	                      │ the summary of the day                    summary/daily-DAY.json
//	                      │ continue.md, once its task has reported   continue.md.done
//	                      ▼ what a result says of the position        STATE.md
//	                    the next task
//
// The log comes first, because everything else follows from the logs and the tree: each step computes what its file has to
// say and writes only what is missing. A capture that was killed anywhere is run again, finds its own log by the capture's
// identity, takes the time and the session from it, and ends in the same files. What several captures write into one file is
// as the newest log has it, in whatever order they come.

package ultraplan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/brief"
	"gatehouse/parse/edit"
	"gatehouse/parse/mirror"
	"gatehouse/parse/statefile"
)

// Recorder writes the logs of an ultraplan project, and what follows from them. Its methods may be called from several
// goroutines, and several processes may record at once.
type Recorder struct {
	root  string
	now   func() time.Time
	store *statefile.Store
	step  func(name string) // called before and after each change of a file; for tests
}

// NewRecorder returns the recorder of the project at root, an absolute path. The clock dates what is written, and its zone
// says where a day begins.
func NewRecorder(root string, now func() time.Time) *Recorder {
	return &Recorder{root: root, now: now, store: statefile.NewStore(), step: func(string) {}}
}

// Report is a result that an executor has returned.
type Report struct {
	Text string // as it was received
	Plan string // the plan it is about: "03-01", "3-1", or "03-lamp/03-01" where two directories have one
	// Task is the number of the task it has to be about, "2"; "" takes the result's own word for it.
	Task string
	// Session is the session that the task was executed in; another than the current one begins. "" is the current one.
	Session string
	// Again tells results that are the same to the byte apart: 1 (or 0) is the first, 2 the second, …. A capture that is run
	// again because it was broken off keeps its number.
	Again int
	// DryRun only says what would be written.
	DryRun bool
}

// Captured is what was done with a result.
type Captured struct {
	*Verdict
	Plan, Task, Name string       // the plan's ID, the task's number and name, as the plan has them
	Log              string       // relative to the project's root, "/"-separated, as all files are
	Already          bool         // this capture was complete before, or had begun
	Files            []FileChange // what was written, or would be
	Box              string       // the outcome of checking off the box in PLAN.md
	Notes            []string     // what is to be known, and stopped nothing
	Next             Following
}

// FileChange is a file that a capture has written.
type FileChange struct {
	File  string       `json:"file"`
	Made  bool         `json:"made"`  // there was none before
	Edits []model.Edit `json:"edits"` // what changed in a file of people's; none for logs
}

// The kinds of [Following].
const (
	NextTaskIs = "next"    // a task can be executed
	PlanDone   = "done"    // every task is done: the plan wants its summary
	PlanStuck  = "blocked" // no task can be executed as things are
)

// Following is what comes after a result.
type Following struct {
	Kind string `json:"kind"`
	Plan string `json:"plan"`
	Task string `json:"task,omitempty"` // number
	Name string `json:"name,omitempty"` // of the task, as PLAN.md has it
}

// Capture validates a result and writes down all that follows from it (ultraplan-results.md). A result that is [Invalid] is
// returned with its reasons, and nothing is written. With any error, what was written so far stays, and the same capture run
// again brings it to its end.
func (r *Recorder) Capture(ctx context.Context, rep Report) (*Captured, error) {
	c, err := r.open(rep)
	if err != nil || c.Outcome == Invalid {
		return c.Captured, err
	}
	if rep.DryRun {
		return c.Captured, c.run(ctx)
	}
	if err := r.store.MakeDir(r.target(logsDir)); err != nil {
		return nil, err
	}
	release, err := r.hold(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	c.m.Touch() // the lock may have been waited for
	if err := c.run(ctx); err != nil {
		return nil, fmt.Errorf("%w; the capture is not complete: run it again", err)
	}
	return c.Captured, nil
}

// Settle waits until other writers have had time to write over what was captured (about 200 ms) and returns a
// [*model.Overwritten] where one has. The same capture run again puts it back.
func (r *Recorder) Settle(ctx context.Context, rep Report) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(settling):
	}
	rep.DryRun = true
	c, err := r.Capture(ctx, rep)
	if err != nil {
		return err
	}
	for _, f := range c.Files {
		if len(f.Edits) == 0 {
			continue
		}
		over := &model.Overwritten{File: f.File}
		for _, e := range f.Edits {
			over.Lost = append(over.Lost, e.Label)
		}
		return over
	}
	return nil
}

// settling is how long an agent that had read a file before may take to write its own copy over ours.
const settling = 200 * time.Millisecond

// holdPatience is how long the other captures that stand in line are waited for.
const holdPatience = time.Minute

// hold takes the lock of the logs.
func (r *Recorder) hold(ctx context.Context) (release func(), err error) {
	for end := time.Now().Add(holdPatience); ; {
		release, err = r.store.Hold(ctx, r.target(logsDir+"/.capture"))
		if !errors.Is(err, statefile.ErrBusy) || time.Now().After(end) {
			return release, err
		}
	}
}

// target returns where a file of the project is, and where it has to be.
func (r *Recorder) target(file string) statefile.Target {
	at := func(name string) string { return filepath.Join(r.root, filepath.FromSlash(name)) }
	return statefile.Target{Path: at(file), Within: []string{r.root, at(Planning), at(Home)}}
}

// capture is one result being captured.
type capture struct {
	*Captured
	*collector
	r    *Recorder
	rep  Report
	plan *planState
	task *task
	id   string // its identity

	at   time.Time // of its log
	own  *logEntry // its log
	days []string  // the directories of logs, the oldest first

	taken bool // continue.md was put away
}

// open finds the plan, and validates the result.
func (r *Recorder) open(rep Report) (*capture, error) {
	m := mirror.New(r.root, Planning, Home)
	c := &capture{Captured: &Captured{}, r: r, rep: rep, collector: &collector{m: m, now: r.now(), b: &model.Build{File: path.Join(Planning, "STATE.md")}}}
	c.listPhases()
	var err error
	if c.plan, err = c.findPlan(rep.Plan); err != nil {
		return c, err
	}
	c.collectPlan(c.plan)
	if len(c.b.Problems) > 0 && c.plan.held || len(c.plan.plan.tasks) == 0 {
		return c, fmt.Errorf("%s: no task can be read in it; nothing is captured without the plan", c.plan.file)
	}
	c.Plan = c.plan.ID
	dir, err := os.OpenRoot(r.root)
	if err != nil {
		return c, err
	}
	defer dir.Close()
	c.Verdict = Validate(rep.Text, c.plan.plan.planTasks(), func(file string) bool {
		_, err := dir.Stat(filepath.FromSlash(file))
		return err == nil
	})
	if c.Verdict.Task >= 0 {
		c.task = &c.plan.plan.tasks[c.Verdict.Task]
		c.Captured.Task, c.Name = c.task.number, c.task.name
	}
	if c.Outcome == Invalid {
		return c, nil
	}
	if rep.Task != "" && brief.TrimZeros(rep.Task) != c.task.number {
		return c, fmt.Errorf("the result is about task %s of %s (“%s”) and not about task %s; name the right one", c.task.number, c.Plan, c.Name, rep.Task)
	}
	c.id = identity(&rep, c.Plan, c.task.number)
	return c, nil
}

// identity returns what tells a capture from all others: the text that was received, what it is about, and how often the
// same has come.
func identity(rep *Report, plan, task string) string {
	h := sha256.New()
	for _, part := range []string{plan, task, fmt.Sprint(max(1, rep.Again)), rep.Text} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// findPlan finds a plan by its ID, or by its directory and ID.
func (c *collector) findPlan(name string) (*planState, error) {
	dir, id := path.Split(strings.TrimSuffix(name, "-PLAN.md"))
	dir = path.Base(strings.TrimSuffix(dir, "/"))
	var found []*planState
	for _, p := range c.phases {
		for _, s := range p.plans {
			if key := planKey(id); key != "" && s.key == key && (dir == "." || dir == p.Dir) {
				found = append(found, s)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, &NoPlan{Text: fmt.Sprintf("%q: there is no such plan in %s; name one by its file, like 03-01", name, phasesDir)}
	}
	var files []string
	for _, s := range found {
		files = append(files, s.phase.Dir+"/"+s.ID)
	}
	return nil, &NoPlan{Text: fmt.Sprintf("%q: several plans are called so; name one of %s", name, strings.Join(files, ", "))}
}

// NoPlan says that a plan that was named is not there, or that there are several.
type NoPlan struct{ Text string }

// Error says so, and what to name.
func (e *NoPlan) Error() string { return line.Clean(e.Text) }

// run does all steps. Each may be done again.
func (c *capture) run(ctx context.Context) error {
	c.collectState()
	if err := c.writeLog(ctx); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"plan", c.checkOff}, {"session", c.recordSession}, {"daily", c.summarize}, {"continue", c.takeUp}, {"state", c.updateState},
	} {
		c.r.step(s.name)
		if err := s.do(ctx); err != nil {
			return err
		}
	}
	c.r.step("end")
	c.Next = c.following()
	return nil
}

func (c *capture) note(format string, args ...any) {
	c.Notes = append(c.Notes, line.Clean(fmt.Sprintf(format, args...)))
}

// rewriting says what a file is to become: the whole text, for files that are logs, or spans of it, for those of people.
type rewriting func(content string) (after string, spans []model.Span, err error)

// inPlace makes a rewriting of spans.
func inPlace(change func(content string) []model.Span) rewriting {
	return func(content string) (string, []model.Span, error) {
		spans := change(content)
		after, err := edit.Apply(content, spans)
		return after, spans, err
	}
}

// write changes a file, or only says what would change. The change is judged anew where others write meanwhile. A file that
// need not exist is made.
func (c *capture) write(ctx context.Context, file string, mayMake bool, change rewriting) error {
	f := FileChange{File: file}
	judged := func(content string) (string, error) {
		after, spans, err := change(content)
		if err == nil && after == content {
			err = statefile.ErrNothing
		}
		f.Made, f.Edits = content == "", edit.List(file, content, spans)
		return after, err
	}
	var err error
	switch t := c.r.target(file); {
	case c.rep.DryRun:
		var content string
		if content, err = c.r.store.Read(t); err == nil || mayMake && errors.Is(err, fs.ErrNotExist) {
			_, err = judged(content)
		}
	case mayMake:
		_, err = c.r.store.Put(ctx, t, judged)
	default:
		_, err = c.r.store.Replace(ctx, t, judged)
	}
	if err == nil {
		c.Files = append(c.Files, f)
	} else if errors.Is(err, statefile.ErrNothing) {
		err = nil
	}
	return err
}

// writeLog finds the log of this capture, or writes it.
func (c *capture) writeLog(ctx context.Context) error {
	c.r.step("log")
	for _, d := range c.list(executionsDir) {
		if d.Dir && day(d.Name) != "" {
			c.days = append(c.days, d.Name)
		}
	}
	if c.own = c.ownLog(); c.own != nil {
		c.Already, c.Log = true, c.own.file
		c.at = c.own.at.In(c.now.Location())
		return nil
	}
	c.at = c.now.Truncate(time.Second)
	e := LogEntry{LoggedAt: c.at, Plan: c.Plan, Task: c.task.number, Session: c.sessionID(), Capture: c.id}
	text, err := e.LogText(c.rep.Text)
	if err != nil {
		return err
	}
	written, err := parseLog(text)
	if err != nil {
		return fmt.Errorf("the log would not be read again: %w", err)
	}
	taken := map[string]bool{}
	for {
		name := e.LogName(c.Result.Status, func(name string) bool {
			_, there := c.m.Stat(path.Join(executionsDir, name))
			return there || taken[name]
		})
		c.Log = path.Join(executionsDir, name)
		if !c.rep.DryRun {
			if err := c.r.store.MakeDir(c.r.target(path.Dir(c.Log))); err != nil {
				return err
			}
			_, err = c.r.store.Create(ctx, c.r.target(c.Log), text)
			if errors.Is(err, fs.ErrExist) { // somebody else writes logs, too
				taken[name] = true
				continue
			}
			if err != nil {
				return err
			}
		}
		break
	}
	if d := path.Base(path.Dir(c.Log)); len(c.days) == 0 || c.days[len(c.days)-1] < d {
		c.days = append(c.days, d)
	}
	c.own = &logEntry{logged: written, file: c.Log}
	c.Files = append(c.Files, FileChange{File: c.Log, Made: true, Edits: []model.Edit{}})
	c.m.Touch()
	return c.verify()
}

// verify reads the log that was written once more: it has to be there, and to say what was received.
func (c *capture) verify() error {
	if c.rep.DryRun {
		return nil
	}
	if r := mirror.Read(c.m, c.Log, parseLog); r.Err != nil || r.Value == nil || r.Value.capture != c.id {
		return fmt.Errorf("%s: the log is not there as it was written", c.Log)
	}
	return nil
}

// ownLog returns the log of this capture, nil where it has not been written.
func (c *capture) ownLog() *logEntry {
	for _, dir := range []string{executionsDir, archiveDir + "/executions"} {
		for _, l := range c.logsOf(dir, func(plan, task string) bool { return plan == c.plan.key && task == c.task.number }) {
			if l.capture == c.id {
				return l
			}
		}
	}
	return nil
}

// logsOf returns the logs below a directory of days whose names say that they are of some plans and tasks, the oldest first.
// What a name does not say the log itself does.
func (c *capture) logsOf(dir string, of func(plan, task string) bool) (logs []*logEntry) {
	var files []string
	for _, file := range c.logFiles(dir) {
		if m := logName.FindStringSubmatch(path.Base(file)); m == nil || of(planKey(m[1]), brief.TrimZeros(m[2])) {
			files = append(files, file)
		}
	}
	for _, l := range c.withOwn(c.readLogs(files)) {
		if of(planKey(l.plan), l.task) {
			logs = append(logs, l)
		}
	}
	return logs
}

// checkOff checks off the box of the task in PLAN.md. That there is none is usual, and no fault.
func (c *capture) checkOff(ctx context.Context) error {
	return c.write(ctx, c.plan.file, false, inPlace(func(content string) (spans []model.Span) {
		spans, c.Box = SyncPlan(content, c.Result.Status, c.Result.TaskName, c.at.Format(time.DateOnly))
		return spans
	}))
}

// summarize writes the summary of the day from all of its logs.
func (c *capture) summarize(ctx context.Context) error {
	date := path.Base(path.Dir(c.Log))
	if strings.HasPrefix(c.Log, archiveDir) {
		return nil // the day is over, and its summary is kept
	}
	if err := c.makeDir(summaryDir); err != nil {
		return err
	}
	return c.write(ctx, path.Join(summaryDir, "daily-"+date+".json"), true, func(string) (string, []model.Span, error) {
		c.m.Touch()
		var results []DailyResult
		for _, l := range c.withOwn(c.readLogs(c.logsIn(path.Join(executionsDir, date)))) {
			results = append(results, DailyResult{Plan: l.plan, Outcome: l.status, Took: l.took, Timed: l.timed, Attempt: l.attempt, Files: l.files})
		}
		return NewDaily(date, results).Text(), nil, nil
	})
}

func (c *capture) makeDir(dir string) error {
	if c.rep.DryRun {
		return nil
	}
	return c.r.store.MakeDir(c.r.target(dir))
}

// withOwn adds the log of this capture to others, where it is not among them yet.
func (c *capture) withOwn(logs []*logEntry) []*logEntry {
	if c.own == nil {
		return logs
	}
	at := 0
	for i, l := range logs {
		if l.file == c.own.file {
			return logs
		}
		if compareLogs(l, c.own) <= 0 {
			at = i + 1
		}
	}
	return append(logs[:at:at], append([]*logEntry{c.own}, logs[at:]...)...)
}

// ofTask returns the logs of the task, the oldest first.
func (c *capture) ofTask() []*logEntry {
	return c.logsOf(executionsDir, func(plan, task string) bool { return plan == c.plan.key && task == c.task.number })
}
