package main

// What agents of an ultraplan project record: results of tasks, and the steps of their gates.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/record"
)

// The results of a capture, in addition to remote.ResultAlready and remote.ResultDryRun.
const (
	resultInvalid  = "invalid"
	resultCaptured = "captured"
)

// captureJSON is the document of "gatehouse capture --json".
type captureJSON struct {
	Schema   int                 `json:"schema"`
	Result   string              `json:"result"`              // captured, already, dry-run or invalid
	Outcome  string              `json:"outcome"`             // the verdict: VALID, VALID_WITH_WARNINGS or INVALID
	Errors   []string            `json:"errors"`              // codes of what makes it invalid
	Warnings []string            `json:"warnings"`            // codes of what is odd about it
	Reasons  []record.Reason     `json:"reasons"`             // errors and warnings in words
	Plan     string              `json:"plan"`                // ID of the plan
	Task     string              `json:"task,omitempty"`      // number of the task
	Name     string              `json:"name,omitempty"`      // of the task, as PLAN.md has it
	Status   string              `json:"status,omitempty"`    // that the result gives: success, failure or blocked
	Log      string              `json:"log,omitempty"`       // path of the log, relative to the project's root
	CheckBox string              `json:"check_box,omitempty"` // what became of the check box in PLAN.md
	Files    []record.FileChange `json:"files"`               // that were written, or would be
	Notes    []string            `json:"notes"`               // what is to be known, and stopped nothing
	Next     *record.Following   `json:"next,omitempty"`
}

// recording writes the records of a command; with dryRun it writes nothing.
type recording func(ctx context.Context, r *record.Recorder, args []string, dryRun bool) error

// recordCommand completes a command that writes into an ultraplan project.
func (s *env) recordCommand(cmd *cobra.Command, do recording) *cobra.Command {
	var dir string
	var dryRun bool
	cmd.Flags().StringVar(&dir, "dir", thisDir, "the project's `directory`")
	cmd.Flags().BoolVarP(&dryRun, "dry-run", "n", false, "print what would be written, and write nothing")
	s.jsonFlag(cmd, "print what was done as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, _, err := s.openProject(dir, commandSearch)
		if err != nil {
			return err
		}
		err = do(cmd.Context(), record.New(p.Root(), s.user.System, s.now), args, dryRun)
		if errors.As(err, new(*record.NoPlan)) {
			return usageError{err}
		}
		return err
	}
	return cmd
}

func newCapture(s *env) *cobra.Command {
	var rep record.Report
	cmd := s.recordCommand(&cobra.Command{
		Use:   "capture RESULT.yaml --plan ID",
		Short: "Record an ultraplan result",
		Long: `Record a result by ultraplan's result capture protocol. It is checked against the
rules and its plan. Then its log, the check box in PLAN.md, current-session.json, the
summary of the day and STATE.md are written. RESULT.yaml may be - for standard input.
An INVALID result writes nothing: the reasons are printed. A task found by its number
alone is a warning in the log. A result of another plan's task is INVALID.

One line is printed: what comes next, "next 03-01 Task 3: Write tests", "done
03-01: write 03-01-SUMMARY.md" once every task is done ("done 03-01" once the
summary is there, too), or "blocked 03-01". Warnings and notes go to standard
error. The first capture of a day archives old logs.

Repeat a capture that was interrupted: the same text about the same task counts
once. --again 2 marks a second, identical result.`,
		Example: "  gatehouse capture result.yaml --plan 03-01\n  run-task | gatehouse capture - --plan 03-01 --task 2",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case rep.Plan == "":
				return usageError{errors.New("--plan: say which plan the result is about, like 03-01")}
			case rep.Again < 1:
				return usageError{errors.New("--again: write which it is: 2 for the second of the same text")}
			}
			return oneArg("result", "which result? name its file, or - for standard input")(cmd, args)
		},
		ValidArgsFunction: cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt),
	}, func(ctx context.Context, r *record.Recorder, args []string, dryRun bool) (err error) {
		if rep.Text, err = readResult(s.stdin, args[0]); err != nil {
			return err
		}
		rep.DryRun = dryRun
		return s.captureResult(ctx, r, rep)
	})
	cmd.Flags().StringVar(&rep.Plan, "plan", "", "the `ID` of the plan, like 03-01")
	cmd.Flags().StringVar(&rep.Task, "task", "", "refuse a result that is not about the task of this `number`")
	cmd.Flags().StringVar(&rep.Session, "session", "", "the `ID` of the session; a new ID begins a session")
	cmd.Flags().IntVar(&rep.Again, "again", 1, "tell identical results apart: this is the `Nth` one")
	return cmd
}

// maxResult bounds a result and the definition of a loop.
const maxResult = statefile.SizeLimit

// readResult reads a result from a file or standard input.
func readResult(stdin io.Reader, name string) (string, error) {
	if name != "-" {
		return readRegular(name)
	}
	text, err := io.ReadAll(io.LimitReader(stdin, maxResult))
	if err == nil && len(text) == maxResult {
		err = errTooLarge
	}
	if err != nil {
		return "", fmt.Errorf("standard input: %w", err)
	}
	return string(text), nil
}

var errTooLarge = errors.New("it has 8 MiB or more, which is too much; name another file")

// readRegular reads a file that was named on the command line.
func readRegular(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", usageError{fmt.Errorf("%s: there is no such file", name)}
	case !info.Mode().IsRegular():
		return "", usageError{fmt.Errorf("%s: this is not a regular file", name)}
	case info.Size() >= maxResult:
		return "", fmt.Errorf("%s: %w", name, errTooLarge)
	}
	text, err := os.ReadFile(name)
	return string(text), err
}

// captureResult captures a result, and reports the outcome.
func (s *env) captureResult(ctx context.Context, r *record.Recorder, rep record.Report) error {
	c, err := r.Capture(ctx, rep)
	if err != nil {
		return err
	}
	result := resultCaptured
	switch {
	case c.Outcome == record.Invalid:
		result = resultInvalid
	case rep.DryRun:
		result = remote.ResultDryRun
	case c.Already && len(c.Files) == 0:
		result = remote.ResultAlready
	}
	if s.asJSON {
		j := captureJSON{
			Schema: remote.Schema, Result: result, Outcome: c.Outcome, Errors: nonNil(c.Errors), Warnings: nonNil(c.Warnings), Reasons: nonNil(c.Reasoned), Plan: c.Plan, Task: c.Task,
			Name: line.Tidy(c.Name), Status: c.Result.Status, Log: c.Log, CheckBox: c.Box, Files: nonNil(c.Files), Notes: nonNil(c.Notes),
		}
		if c.Next.Kind != "" {
			j.Next = &c.Next
		}
		if err := s.out.printJSON(j); err != nil {
			return err
		}
	} else {
		s.sayCaptured(result, c)
	}
	if result == resultInvalid {
		return refusal{}
	}
	return nil
}

// sayCaptured prints the outcome of a capture for people, and only the next task on standard output.
func (s *env) sayCaptured(result string, c *record.Captured) {
	for i := range c.Reasoned {
		word := "warning"
		if i < len(c.Errors) {
			word = "invalid"
		}
		s.complain("%s: %s", word, c.Reasoned[i].String())
	}
	for _, note := range c.Notes {
		s.complain("%s", note)
	}
	switch result {
	case resultInvalid:
		s.complain("the result is INVALID and counts nowhere; have the task executed again")
		return
	case remote.ResultAlready:
		s.complain("%s: this result was captured already; nothing was written", c.Log)
	case remote.ResultDryRun:
		s.printFiles(c.Files)
	}
	if c.Next.Summary != "" {
		s.out.printf("%s %s: write %s\n", c.Next.Kind, c.Next.Plan, path.Base(c.Next.Summary))
		return
	}
	name := c.Next.Name
	if c.Next.Task != "" && !strings.HasPrefix(name, "Task ") { // most names begin with their number
		name = "Task " + c.Next.Task + ": " + name
	}
	s.out.printf("%s\n", strings.TrimRight(fmt.Sprintf("%s %s %s", c.Next.Kind, c.Next.Plan, name), " "))
}

// printFiles prints the files that would be written.
func (s *env) printFiles(files []record.FileChange) {
	for _, f := range files {
		s.out.printf("would write %s\n", f.File)
		s.printEdits(f.Edits)
	}
}

// printEdits prints the changes in a file, as a diff.
func (s *env) printEdits(edits []model.Edit) {
	for _, e := range edits {
		s.out.printf("  %s  %s\n", e.Pos, e.Label)
		if e.Old != "" {
			s.out.printf("  - %s\n", e.Old)
		}
		if e.New != "" {
			s.out.printf("  + %s\n", e.New)
		}
	}
}

// gateMovedJSON is the document of "gatehouse task … --json".
type gateMovedJSON struct {
	Schema  int                 `json:"schema"`
	Result  string              `json:"result"`        // written, already or dry-run
	Plan    string              `json:"plan"`          // ID of the plan
	Task    string              `json:"task"`          // number of the task
	Name    string              `json:"name"`          // of the task, as PLAN.md has it
	Was     string              `json:"was,omitempty"` // status of the gate before; none for a new gate
	Is      string              `json:"is"`            // status of the gate
	Step    int                 `json:"step"`          // 1 to 3
	Attempt int                 `json:"attempt"`       // that is at work, or comes next after a failure
	Files   []record.FileChange `json:"files"`         // that were written, or would be
}

// taskSteps are the subcommands of task. events are the words that may follow the task, "" for none, and their events.
var taskSteps = []struct {
	name, short string
	events      map[string]string
}{
	{"start", "Start a task: its gate is EXECUTING", map[string]string{"": record.EventStart}},
	{"executed", "Report the end of an execution", map[string]string{
		"success": record.EventExecutorSuccess, "failure": record.EventExecutorFailure, "blocked": record.EventExecutorBlocked}},
	{"verified", "Report the result of the verify command", map[string]string{
		"passed": record.EventVerifyPassed, "failed": record.EventVerifyFailed}},
	{"reviewed", "Report the architect's verdict", map[string]string{
		"approved": record.EventArchitectApproved, "rejected": record.EventArchitectRejected}},
}

func newTask(s *env) *cobra.Command {
	task := &cobra.Command{
		Use:   "task",
		Short: "Move the gate of an ultraplan task",
		Long: `Move the gate of an ultraplan task, for agents: the block current_task of STATE.md
changes by the protocol, so that agents need not edit its YAML.

  start     →  EXECUTING, step 1; STATE.md moves to the plan of the task
  executed  success → VERIFYING, step 2 · failure → FAILED · blocked → BLOCKED
  verified  passed → REVIEWING, step 3 · failed → FAILED
  reviewed  approved → APPROVED · rejected → FAILED

A gate that fails counts the attempt up; start tries the task again while
attempts are left. Then a human decides: gatehouse retry, gatehouse skip.
Repeating a step changes nothing. Other steps are refused.`,
	}
	for _, step := range taskSteps {
		words := slices.Sorted(maps.Keys(step.events))
		use := strings.TrimSpace(step.name + " PLAN/TASK " + strings.Join(words, "|"))
		task.AddCommand(s.recordCommand(&cobra.Command{
			Use: use, Short: step.short, Long: step.short + ".",
			Example: strings.TrimRight("  gatehouse task "+step.name+" 01-01/2 "+words[0], " "),
			Args: func(_ *cobra.Command, args []string) error {
				args = append(args, "", "")
				if key := core.ParseTaskKey(args[0]); key.Plan == "" || key.Task == "" {
					return usageError{fmt.Errorf("%q: name a task by its plan and number, like 01-01/2", args[0])}
				}
				if step.events[args[1]] == "" || args[2] != "" {
					return usageError{fmt.Errorf("write gatehouse task %s", use)}
				}
				return nil
			},
		}, func(ctx context.Context, r *record.Recorder, args []string, dryRun bool) error {
			key := core.ParseTaskKey(args[0])
			event := step.events[append(args, "")[1]]
			return s.moveGate(ctx, r, record.GateMove{Plan: key.Plan, Task: key.Task, Event: event, DryRun: dryRun})
		}))
	}
	return task
}

// moveGate moves the gate of a task, and reports it.
func (s *env) moveGate(ctx context.Context, r *record.Recorder, m record.GateMove) error {
	done, err := r.MoveGate(ctx, m)
	if err != nil {
		return err
	}
	result := resultOfWriting(done.Already, m.DryRun)
	switch {
	case s.asJSON:
		return s.out.printJSON(gateMovedJSON{remote.Schema, result, done.Plan, done.Task, done.Name, done.Was, done.Is, done.Step, done.Attempt,
			nonNil(done.Files)})
	case done.Already:
		s.out.printf("%s is %s already; nothing was written\n", done.Name, done.Is)
	case done.Was == "":
		s.out.printf("%s: %s\n", done.Name, done.Is)
	default:
		s.out.printf("%s: %s → %s\n", done.Name, done.Was, done.Is)
	}
	if m.DryRun {
		s.printFiles(done.Files)
	}
	return nil
}

// writtenJSON is the document of "gatehouse decision --json".
type writtenJSON struct {
	Schema int                 `json:"schema"`
	Result string              `json:"result"` // written, already or dry-run
	Files  []record.FileChange `json:"files"`  // that were written, or would be
	Notes  []string            `json:"notes"`  // what is to be known of it
}

func newDecision(s *env) *cobra.Command {
	var d record.Decision
	cmd := s.recordCommand(&cobra.Command{
		Use:   "decision TEXT",
		Short: "Record a decision in an ultraplan project",
		Long: `Record a decision in an ultraplan project: in the list “Decisions” of STATE.md, with
the phase that it is about, and in the table “Key Decisions” of PROJECT.md if there
is one. An existing decision is not written twice.`,
		Example: "  gatehouse decision 'Oil, not gas' --text 'the harbor has no pipe'",
		Args:    cobra.MinimumNArgs(1),
	}, func(ctx context.Context, r *record.Recorder, args []string, dryRun bool) error {
		if err := s.readWords(&d.Why); err != nil {
			return err
		}
		d.Text, d.DryRun = strings.Join(args, " "), dryRun
		done, err := r.Decide(ctx, d)
		if err != nil {
			return err
		}
		if s.asJSON {
			return s.out.printJSON(writtenJSON{remote.Schema, resultOfWriting(done.Already, dryRun), nonNil(done.Files), nonNil(done.Notes)})
		}
		if done.Already {
			s.out.printf("the decision is there already; nothing was written\n")
		} else if !dryRun {
			s.out.printf("the decision is written\n")
		} else {
			s.printFiles(done.Files)
		}
		for _, note := range done.Notes {
			s.complain("%s", note)
		}
		return nil
	})
	wordsFlag(cmd, &d.Why, "why", "the reason in `words`, for PROJECT.md")
	yesFlag(cmd, new(bool))
	cmd.Flags().StringVar(&d.Phase, "phase", "", "the `number` of the phase that it is about; by default that of STATE.md")
	return cmd
}

// sessionEndedJSON is the document of "gatehouse session end --json".
type sessionEndedJSON struct {
	Schema  int                 `json:"schema"`
	Result  string              `json:"result"`            // written, already or dry-run
	Session string              `json:"session,omitempty"` // ID of the session that ended
	Files   []record.FileChange `json:"files"`             // that were written, or would be
}

func newSession(s *env) *cobra.Command {
	var stopped string
	end := s.recordCommand(&cobra.Command{
		Use:   "end",
		Short: "End the current session",
		Long: `End the current session: current-session.json moves to .ultraplan/logs/sessions,
and STATE.md says when the last session was and where the work stopped. A session
that has been idle for a day ends by itself with the next capture.`,
		Example: "  gatehouse session end --text 'Task 2 of 03-01 is half done'",
	}, func(ctx context.Context, r *record.Recorder, _ []string, dryRun bool) error {
		if err := s.readWords(&stopped); err != nil {
			return err
		}
		done, err := r.EndSession(ctx, stopped, dryRun)
		if err != nil {
			return err
		}
		isOver := len(done.Files) == 0
		switch {
		case s.asJSON:
			return s.out.printJSON(sessionEndedJSON{remote.Schema, resultOfWriting(isOver, dryRun), done.Session, nonNil(done.Files)})
		case isOver:
			s.out.printf("no session is open; nothing was written\n")
		case dryRun:
			s.printFiles(done.Files)
		default:
			s.out.printf("the session is over\n")
		}
		return nil
	})
	wordsFlag(end, &stopped, "", "where the work stopped, in `words`; by default the last activity")
	return withCommands(&cobra.Command{
		Use:   "session",
		Short: "End the session of an ultraplan project",
		Long:  "End the session of an ultraplan project: gatehouse session end.",
	}, end)
}

// resultOfWriting returns the result word of a recording.
func resultOfWriting(already, dryRun bool) string {
	switch {
	case already:
		return remote.ResultAlready
	case dryRun:
		return remote.ResultDryRun
	}
	return "written"
}
