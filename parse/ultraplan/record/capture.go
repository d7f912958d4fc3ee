// Package record writes down what the executors of an ultraplan project return, and puts old logs away (rotate.go).
//
// Capturing a result leads from the text that an executor returned to the task that comes next. It is made of functions from
// bytes to bytes (result.go, logtext.go, checkoff.go, daily.go, session.go; STATE.md by package statemd):
//
//	text ─► validate ─► the lock of the logs
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
package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
)

// Recorder writes the logs of an ultraplan project, and what follows from them. Its methods may be called from several
// goroutines, and several processes may record at once.
type Recorder struct {
	root  string
	now   func() time.Time
	store *statefile.Store
	step  func(name string) // called before each step, and behind the last; for tests
}

// New returns the recorder of the project at root, an absolute path, on a system; nil is that of the process. The
// clock dates what is written, and its zone says where a day begins.
func New(root string, system statefile.System, now func() time.Time) *Recorder {
	return &Recorder{root: root, now: now, store: statefile.NewStore(system), step: func(string) {}}
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
	// Strict refuses a result whose task is only found by its number.
	Strict bool
	// DryRun only says what would be written.
	DryRun bool
}

// Captured is what was done with a result.
type Captured struct {
	*Verdict
	Plan, Task, Name string       // the plan's ID, the task's number and name, as the plan has them
	Log              string       // relative to the project's root, "/"-separated, as all files are
	Rejected         string       // where a result that is invalid is kept
	Already          bool         // this capture was complete before, or had begun
	Files            []FileChange // what was written, or would be
	Box              string       // the outcome of checking off the box in PLAN.md
	Notes            []string     // what is to be known, and stopped nothing
	Next             Following

	tree      string // the plans as STATE.md was held against them
	conflicts []conflict
}

// FileChange is a file that a capture has written.
type FileChange struct {
	File  string       `json:"file"`  // relative to the project's root, "/"-separated
	Made  bool         `json:"made"`  // there was none before
	Edits []model.Edit `json:"edits"` // what changed in a file of people's; none for logs
}

// The kinds of [Following].
const (
	nextTaskIs = "next"    // a task can be executed
	planDone   = "done"    // every task is done: the plan wants its summary
	planStuck  = "blocked" // no task can be executed as things are
)

// Following is what comes after a result.
type Following struct {
	Kind string `json:"kind"`           // next: a task can be executed; done: every task is; blocked: none can be
	Plan string `json:"plan"`           // ID
	Task string `json:"task,omitempty"` // number
	Name string `json:"name,omitempty"` // of the task, as PLAN.md has it
}

// Capture validates a result and writes down all that follows from it. A result that is [Invalid] is returned with its
// reasons, and only kept among those that were rejected. With any error, what was written so far stays, and the same capture run again brings it
// to its end.
func (r *Recorder) Capture(ctx context.Context, rep Report) (*Captured, error) {
	c, err := r.open(rep)
	if err == nil && c.Outcome == Invalid {
		err = c.reject(ctx)
	}
	if err != nil || c.Outcome == Invalid {
		return c.Captured, err
	}
	for _, file := range []string{c.plan.File, c.Build.File, facts.StateDir + "/x", facts.LogsDir + "/x"} { // all or nothing
		if err := r.target(file).Inside(); err != nil {
			return nil, err
		}
	}
	if rep.DryRun {
		return c.Captured, c.run(ctx)
	}
	if err := r.store.MakeDir(r.target(facts.LogsDir)); err != nil {
		return nil, err
	}
	release, err := r.hold(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	c.Mirror.Touch() // the lock may have been waited for
	c.sweep()
	err = c.run(ctx)
	err = errors.Join(err, r.noteConflicts(ctx, c.conflicts))
	if err != nil {
		return nil, fmt.Errorf("%w; the capture is not complete: run it again", err)
	}
	return c.Captured, nil
}

// Settle waits until other writers have had time to write over what was captured (about 200 ms) and returns a
// [*model.Overwritten] where one has. The same capture run again puts it back. Other captures are no such writers, and neither
// is a plan that was finished meanwhile: what follows from it has not been written yet, and nobody has written over it.
func (r *Recorder) Settle(ctx context.Context, rep Report, done *Captured) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(settling):
	}
	release, err := r.hold(ctx) // no other capture is halfway through then
	if err != nil {
		return err
	}
	defer release()
	rep.DryRun = true
	c, err := r.Capture(ctx, rep)
	if err != nil {
		return err
	}
	for _, f := range c.Files {
		over := &model.Overwritten{File: f.File}
		for _, now := range f.Edits {
			if done.lost(f.File, now, c.tree == done.tree) && !slices.Contains(over.Lost, now.Label) {
				over.Lost = append(over.Lost, now.Label)
			}
		}
		if len(over.Lost) > 0 {
			return errors.Join(over, r.noteConflicts(ctx, []conflict{{At: protocol.FormatTime(r.now()), File: f.File, Plan: c.Plan, Task: c.Task, Log: c.Log, What: "overwritten: " + strings.Join(over.Lost, ", ")}}))
		}
	}
	return nil
}

// lost reports whether a value that would have to be written now is one that was written, and was written over: it is not what was
// written, and where the tree has changed meanwhile it is what was there before.
func (c *Captured) lost(file string, now model.Edit, sameTree bool) (lost bool) {
	for _, f := range c.Files {
		for _, was := range f.Edits {
			if f.File != file || was.Label != now.Label {
				continue
			}
			if was.New != "" && was.New == now.Old {
				return false
			}
			lost = lost || sameTree || was.Old == now.Old
		}
	}
	return lost
}

// settling is how long an agent that had read a file before may take to write its own copy over ours.
const settling = 200 * time.Millisecond

// capture is one result being captured.
type capture struct {
	*Captured
	*facts.Project
	now  time.Time
	r    *Recorder
	rep  Report
	plan *facts.Plan
	task *facts.PlanTask
	id   string // its identity

	at  time.Time  // of its log
	own *facts.Log // its log

	planLogs []*facts.Log // the logs of its plan, nil before they were looked for

	taken bool // continue.md was put away
}

// open finds the plan, and validates the result.
func (r *Recorder) open(rep Report) (*capture, error) {
	m := mirror.New(r.root, facts.Planning, rules.Home)
	c := &capture{Captured: &Captured{}, r: r, rep: rep, now: r.now(), Project: &facts.Project{Mirror: m, Build: &model.Build{File: path.Join(facts.Planning, "STATE.md")}}}
	if !facts.Owns(m) { // its logs would make it one
		return c, &NoPlan{Text: fmt.Sprintf("%s is no ultraplan project; name another directory with --dir", r.root)}
	}
	c.ListPhases()
	var err error
	if c.plan, err = c.findPlan(rep.Plan); err != nil {
		return c, err
	}
	c.ReadPlan(c.plan)
	if len(c.plan.Doc.Tasks) == 0 {
		return c, fmt.Errorf("%s: no task can be read in it; nothing is captured without the plan", c.plan.File)
	}
	c.Plan = c.plan.ID
	dir, err := os.OpenRoot(r.root)
	if err != nil {
		return c, err
	}
	defer dir.Close()
	c.Verdict = validate(rep.Text, against{tasks: planTasks(c.plan.Doc), plan: c.Plan, exists: func(file string) bool {
		_, err := dir.Stat(filepath.FromSlash(file))
		return err == nil
	}, elsewhere: c.hasTask, strict: rep.Strict})
	if c.Verdict.Task >= 0 {
		c.task = &c.plan.Doc.Tasks[c.Verdict.Task]
		c.Captured.Task, c.Name = c.task.Number, c.task.Name
	}
	if c.Outcome == Invalid {
		return c, nil
	}
	if rep.Task != "" && rules.TrimZeros(rep.Task) != c.task.Number {
		return c, fmt.Errorf("the result is about task %s of %s (“%s”) and not about task %s; name the right one", c.task.Number, c.Plan, c.Name, rep.Task)
	}
	c.id = identity(&rep, c.Plan, c.task.Number)
	return c, nil
}

// hasTask returns another plan than the one at hand that has a task of a name, an open one before those that are done; "" for none.
func (c *capture) hasTask(name string) (plan string) {
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			if s == c.plan || plan != "" && s.Done {
				continue
			}
			doc := mirror.Read(c.Mirror, s.File, facts.ParsePlan).Value
			if doc == nil || !slices.ContainsFunc(doc.Tasks, func(t facts.PlanTask) bool { return facts.SameName(t.Name, name) }) {
				continue
			}
			if plan = s.ID; !s.Done {
				return plan
			}
		}
	}
	return plan
}

// findPlan finds a plan by its ID, or by its directory and ID.
func (c *capture) findPlan(name string) (*facts.Plan, error) {
	dir, id := path.Split(strings.TrimSuffix(name, "-PLAN.md"))
	dir = path.Base(strings.TrimSuffix(dir, "/"))
	var found []*facts.Plan
	for _, p := range c.Phases {
		for _, s := range p.Plans {
			if key := facts.PlanKey(id); key != "" && s.Key == key && (dir == "." || dir == p.Dir) {
				found = append(found, s)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, &NoPlan{Text: fmt.Sprintf("%q: there is no such plan in %s; name one by its file, like 03-01", name, facts.PhasesDir)}
	}
	var files []string
	for _, s := range found {
		files = append(files, s.Phase.Dir+"/"+s.ID)
	}
	return nil, &NoPlan{Text: fmt.Sprintf("%q: several plans are called so; name one of %s", name, strings.Join(files, ", "))}
}

// NoPlan says that a plan that was named is not there, or that there are several.
type NoPlan struct{ Text string }

// Error says so, and what to name.
func (e *NoPlan) Error() string { return line.Clean(e.Text) }

// run does all steps. Each may be done again.
func (c *capture) run(ctx context.Context) error {
	c.ReadState()
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
	if n := line.Clean(fmt.Sprintf(format, args...)); !slices.Contains(c.Notes, n) { // a step may be tried again
		c.Notes = append(c.Notes, n)
	}
}

// checkOff checks off the box of the task in PLAN.md. That there is none is usual, and no fault.
func (c *capture) checkOff(ctx context.Context) error {
	return c.write(ctx, c.plan.File, false, inPlace(func(content string) (spans []model.Span) {
		spans, c.Box = syncPlan(content, c.Result.Status, c.Result.TaskName, c.at.Format(time.DateOnly))
		return spans
	}))
}
