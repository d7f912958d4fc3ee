package main

// gatehouse capture: record the result of an ultraplan executor.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/ultraplan/record"
)

// The results of a capture, in addition to resultAlready and resultDryRun.
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
error. The first capture of a day archives old logs (gatehouse logs rotate).

Repeat a capture that was interrupted: the same text about the same task counts
once. --again 2 marks a second, identical result.

With --json: {"schema", "result", "outcome", "errors", "warnings",
"reasons": [{"code", "field", "line", "text"}], "plan", "task",
"name", "status", "log", "check_box", "files": [{"file", "made", "edits"}],
"notes", "next": {"kind", "plan", "task", "name", "summary"}}; the result is
captured, already, dry-run or invalid, the kind next, done or blocked.`,
		Example: "  gatehouse capture result.yaml --plan 03-01\n  run-task | gatehouse capture - --plan 03-01 --task 2",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usageError{errors.New("which result? name its file, or - for standard input")}
			case len(args) > 1:
				return usageError{fmt.Errorf("%q: %s takes one result", args[1], cmd.CommandPath())}
			case rep.Plan == "":
				return usageError{errors.New("--plan: say which plan the result is about, like 03-01")}
			case rep.Again < 1:
				return usageError{errors.New("--again: write which it is: 2 for the second of the same text")}
			}
			return nil
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

// readResult reads a result from a file or standard input.
func readResult(from io.Reader, name string) (string, error) {
	if name != "-" {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return "", usageError{fmt.Errorf("%s: there is no such result; name its file, or - for standard input", name)}
		case !info.Mode().IsRegular():
			return "", usageError{fmt.Errorf("%s: this is no file; name a result, or - for standard input", name)}
		}
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		from = f
	}
	text, err := io.ReadAll(io.LimitReader(from, statefile.SizeLimit))
	if err == nil && len(text) == statefile.SizeLimit {
		err = errors.New("the result is 8 MiB or more, which none is; name another file")
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(text), nil
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
		result = resultDryRun
	case c.Already && len(c.Files) == 0:
		result = resultAlready
	}
	if s.asJSON {
		if err := s.out.printJSON(captureToJSON(result, c)); err != nil {
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

func captureToJSON(result string, c *record.Captured) captureJSON {
	j := captureJSON{
		Schema: statusSchema, Result: result, Outcome: c.Outcome, Errors: nonNil(c.Errors), Warnings: nonNil(c.Warnings), Reasons: nonNil(c.Reasoned), Plan: c.Plan, Task: c.Task,
		Name: line.Tidy(c.Name), Status: c.Result.Status, Log: c.Log, CheckBox: c.Box, Files: nonNil(c.Files), Notes: nonNil(c.Notes),
	}
	if c.Next.Kind != "" {
		j.Next = &c.Next
	}
	return j
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
	case resultAlready:
		s.complain("%s: this result was captured already; nothing was written", c.Log)
	case resultDryRun:
		for _, f := range c.Files {
			verb := "change"
			if f.Made {
				verb = "make"
			}
			s.out.printf("would %s %s\n", verb, f.File)
			s.printEdits(f.Edits)
		}
	}
	if c.Next.Summary != "" {
		s.out.printf("%s %s: write %s\n", c.Next.Kind, c.Next.Plan, path.Base(c.Next.Summary))
		return
	}
	s.out.printf("%s\n", strings.TrimRight(fmt.Sprintf("%s %s %s", c.Next.Kind, c.Next.Plan, taskName(&c.Next)), " "))
}

// taskName returns the name of a task with its number, which most names already begin with.
func taskName(f *record.Following) string {
	if f.Task == "" || strings.HasPrefix(f.Name, "Task ") {
		return f.Name
	}
	return "Task " + f.Task + ": " + f.Name
}
