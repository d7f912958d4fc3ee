// Package record writes what the executors of an ultraplan project return, and archives old logs (rotate.go).
//
// A capture leads from the text of a result to the next task:
//
//	text ─► validate ─► lock of the logs
//	                      │ log of the result, found again or written   executions/DAY/PLAN-task-N-STATUS.yaml
//	                      │ box of the task                             PLAN.md
//	                      │ task of the session                         current-session.json
//	                      │ summary of the day                          summary/daily-DAY.json
//	                      │ continue.md, once its task has succeeded    continue.md.done
//	                      ▼ position, velocity and blockers             STATE.md
//	                    next task
//
// The log comes first, because everything else follows from the logs and the tree: each step computes the content of its file and writes
// what is missing. A killed capture that is run again finds its log by the capture's identity, and ends with the same files. If several
// captures write one file, the newest log decides, whatever their order.
package record

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// Recorder writes the logs of an ultraplan project and the files that follow from them. Its methods may be called from several goroutines,
// and several processes may record at once.
type Recorder struct {
	root  string
	now   func() time.Time
	store *statefile.Store
	step  func(name string) // called before each step and after the last; for tests
}

// New returns the recorder of the project at root, an absolute path, on a system; nil is the system of the process. The clock sets the
// times that are written, and its zone decides when a day begins.
func New(root string, system *statefile.System, now func() time.Time) *Recorder {
	return &Recorder{root: root, now: now, store: statefile.NewStore(system), step: func(string) {}}
}

// Report is a result that an executor has returned.
type Report struct {
	Text string // as it was received
	Plan string // its plan: "03-01" or "3-1"
	// Task is the number of the task that the result has to be about, "2"; "" accepts the task that the result names.
	Task string
	// Session is the session of the task; if it is not the current one, it begins. "" is the current one.
	Session string
	// Again distinguishes results with the same bytes: 1 (or 0) is the first, 2 the second. A capture that is run again keeps its number.
	Again int
	// DryRun only lists what would be written.
	DryRun bool
}

// Captured is the result of a capture.
type Captured struct {
	*Verdict
	Plan, Task, Name string       // ID of the plan, and number and name of the task in the plan
	Log              string       // relative to the project's root, "/"-separated, like all files
	Already          bool         // this capture was complete before, or had begun
	Files            []FileChange // written, or to be written
	Box              string       // the outcome of checking off the box in PLAN.md
	Notes            []string     // remarks that did not stop the capture
	Next             Following

	conflicts []conflict
}

// FileChange is a file that was written.
type FileChange struct {
	File  string       `json:"file"`  // relative to the project's root, "/"-separated
	Made  bool         `json:"made"`  // it is new
	Edits []model.Edit `json:"edits"` // what changed in a file of people; empty for logs
}

// Capture validates a result and writes all that follows from it. An [Invalid] result writes nothing. After an error, running the same
// capture again completes it.
func (r *Recorder) Capture(ctx context.Context, rep Report) (*Captured, error) {
	c, err := r.openReport(rep)
	if err != nil || c.Outcome == Invalid {
		return c.Captured, err
	}
	isFirst := false // the first capture of its day
	err = c.lockLogs(ctx, func() error {
		_, hadSummary := c.m.Stat(statemd.DailyFile(c.now.Format(time.DateOnly)))
		isFirst = !hadSummary
		return c.runSteps(ctx)
	})
	switch {
	case rep.DryRun:
		return c.Captured, err
	case err != nil:
		return nil, fmt.Errorf("%w; the capture is not complete: run it again", err)
	}
	if isFirst {
		if rot, err := r.Rotate(ctx, false); err == nil && len(rot.Moved) > 0 {
			c.addNote("%s archived", protocol.Count(len(rot.Moved), "old log"))
		}
	}
	return c.Captured, nil
}

// capture is a result while it is captured, or another operation on the project.
type capture struct {
	*Captured
	*core.Project
	m    *mirror.Mirror
	now  time.Time
	r    *Recorder
	rep  Report
	plan *core.Plan
	task *core.Task
	id   string // its identity

	at      time.Time // of its log
	own     *core.Log // its log
	isTaken bool      // continue.md was renamed
}

// openProject opens the project for an operation.
func (r *Recorder) openProject(rep Report) (*capture, error) {
	m := mirror.New(r.root, core.Planning, core.Home)
	c := &capture{Captured: &Captured{}, r: r, rep: rep, now: r.now(), m: m}
	if !ultraplan.IsOwner(m) { // logs would turn it into an ultraplan project
		return c, &NoPlan{Text: fmt.Sprintf("%s is no ultraplan project; name another directory with --dir", r.root)}
	}
	c.refreshProject()
	return c, nil
}

// refreshProject reads the project again, because other programs may have written since.
func (c *capture) refreshProject() {
	c.m.Touch()
	c.Project = core.Open(ultraplan.NewSource(c.m, &model.Build{}))
	c.ReadAll()
	if c.plan == nil {
		return
	}
	if plan := c.PlanWith(c.plan.Key); plan != nil {
		c.plan = plan
	}
	if c.task == nil {
		return
	}
	for _, t := range slices.Backward(c.plan.Tasks) { // of tasks with one number, the first has the logs
		if t.Number == c.task.Number {
			c.task = t
		}
	}
	if c.own != nil && !slices.ContainsFunc(c.Logs, func(l *core.Log) bool { return l.File == c.own.File }) { // a dry run
		c.Logs, c.task.Logs = append(c.Logs, c.own), append(c.task.Logs, c.own)
		slices.SortStableFunc(c.Logs, core.CompareLogs)
		slices.SortStableFunc(c.task.Logs, core.CompareLogs)
	}
}

// openReport finds the plan and validates the result.
func (r *Recorder) openReport(rep Report) (*capture, error) {
	c, err := r.openProject(rep)
	if err == nil {
		err = c.findPlan(rep.Plan)
	}
	if err != nil {
		return c, err
	}
	dir, err := os.OpenRoot(r.root)
	if err != nil {
		return c, err
	}
	defer dir.Close()
	c.Verdict = validateResult(rep.Text, against{tasks: c.plan.Doc.Tasks, plan: c.Plan, exists: func(file string) bool {
		_, err := dir.Stat(filepath.FromSlash(file))
		return err == nil
	}, elsewhere: c.planWithTask})
	if c.Verdict.Task >= 0 {
		c.setTask(c.plan.Tasks[c.Verdict.Task])
	}
	if c.Outcome == Invalid {
		return c, nil
	}
	if rep.Task != "" && core.TrimZeros(rep.Task) != c.task.Number {
		return c, fmt.Errorf("the result is about task %s of %s (“%s”), not about task %s; name the right one", c.task.Number, c.Plan, c.Name, rep.Task)
	}
	c.id = captureID(&rep, c.Plan, c.task.Number)
	return c, nil
}

func (c *capture) setTask(t *core.Task) {
	c.task, c.Captured.Task, c.Name = t, t.Number, t.Name
}

// planWithTask returns another plan that has a task with a name, preferably an open one; "" for none.
func (c *capture) planWithTask(name string) (plan string) {
	for _, ph := range c.Phases {
		for _, p := range ph.Plans {
			if p == c.plan || plan != "" && p.Done {
				continue
			}
			if !slices.ContainsFunc(p.Tasks, func(t *core.Task) bool { return sameName(t.Name, name) }) {
				continue
			}
			if plan = p.ID; !p.Done {
				return plan
			}
		}
	}
	return plan
}

// findPlan finds a plan by its ID.
func (c *capture) findPlan(name string) error {
	key := core.PlanKey(strings.TrimSuffix(name, "-PLAN.md"))
	if c.plan = c.PlanWith(key); c.plan == nil {
		return &NoPlan{Text: fmt.Sprintf("%q: no such plan in %s; name one by its number, like 03-01", name, core.PhasesDir)}
	}
	if slices.ContainsFunc(c.Twice, func(p *core.Plan) bool { return p.Key == key }) {
		return &NoPlan{Text: fmt.Sprintf("%q is ambiguous: two plans have this number; give one of them another", name)}
	}
	c.Plan = c.plan.ID
	if len(c.plan.Doc.Tasks) == 0 {
		return fmt.Errorf("%s: no task can be read in it; nothing is captured without the plan", c.plan.File)
	}
	return nil
}

// NoPlan is the error for a plan that does not exist or is ambiguous.
type NoPlan struct{ Text string }

// Error implements error.
func (e *NoPlan) Error() string { return line.Clean(e.Text) }

// runSteps runs all steps. Each may be repeated.
func (c *capture) runSteps(ctx context.Context) error {
	c.refreshProject()
	if err := c.writeLog(ctx); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"plan", c.checkOff}, {"session", c.recordSession}, {"daily", c.summarizeDays}, {"continue", c.putResumeAway}, {"state", c.updateState},
	} {
		c.r.step(s.name)
		if err := s.do(ctx); err != nil {
			return err
		}
	}
	c.r.step("end")
	c.Next = c.findFollowing()
	return nil
}

func (c *capture) addNote(format string, args ...any) {
	if n := line.Clean(fmt.Sprintf(format, args...)); !slices.Contains(c.Notes, n) { // a step may be repeated
		c.Notes = append(c.Notes, n)
	}
}

// The outcomes of [syncPlan], in addition to the reasons for finding no box.
const (
	syncChecked    = "checked"         // the box was open
	syncAlready    = "already-checked" // its first date stays
	syncNoSection  = "no-section"
	syncNotSuccess = "not-success" // only a success checks a box off
)

// checkOff checks off the box of the task in PLAN.md. Most plans have none.
func (c *capture) checkOff(ctx context.Context) error {
	err := c.writeFile(ctx, c.plan.File, false, inPlace(func(content string) (spans []model.Span, err error) {
		spans, c.Box = syncPlan(content, c.Result.Status, c.Result.Name, c.at.Format(time.DateOnly))
		boxes, _ := core.ParseCriteria(content)
		if c.Already && slices.ContainsFunc(boxes, func(b core.Box) bool { return b.Checked && core.SameName(b.Name, c.Result.Name) }) {
			spans, c.Box = nil, syncAlready // another open box with the name belongs to another result
		}
		return spans, nil
	}))
	switch c.Box {
	case core.BoxNotFound, core.BoxAmbiguous, syncNoSection:
		c.addNote("%s", c.unmatchedBox(c.Box))
	}
	return err
}

// unmatchedBox says that no box belongs to the task.
func (c *capture) unmatchedBox(outcome string) string {
	return "box-" + outcome + ": no box of " + c.plan.File + " was checked off for “" + line.Tidy(c.Result.Name) + "”"
}

// syncPlan returns the edit that checks off and dates the box of a task with a status in the text of a PLAN.md.
func syncPlan(text, status, task, date string) (spans []model.Span, outcome string) {
	if status != core.Success {
		return nil, syncNotSuccess
	}
	boxes, ok := core.ParseCriteria(text)
	if !ok {
		return nil, syncNoSection
	}
	i, outcome := core.FindBox(boxes, task)
	switch {
	case outcome != "":
		return nil, outcome
	case boxes[i].Checked:
		return nil, syncAlready
	}
	b := &boxes[i]
	old := text[b.Mark:b.End]
	return []model.Span{{At: b.Mark, Old: old, New: "x" + old[1:] + " (completed " + date + ")", Label: task}}, syncChecked
}
