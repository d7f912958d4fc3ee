package main

// The commands that record something in an ultraplan project: capture, task, session, decision and logs.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/record"
)

// recording writes the records of a command; with dryRun it writes nothing.
type recording func(ctx context.Context, r *record.Recorder, args []string, dryRun bool) error

// recordCommand completes a command that writes into an ultraplan project.
func (s *env) recordCommand(cmd *cobra.Command, do recording) *cobra.Command {
	var dir string
	var dryRun bool
	cmd.Flags().StringVar(&dir, "dir", thisDir, "the project's `directory`")
	cmd.Flags().BoolVarP(&dryRun, "dry-run", "n", false, "print what would be written, and write nothing")
	s.jsonFlag(cmd, "print what was done as JSON")
	completeFlag(cmd, "dir", completeDirs)
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

// resultOfWriting returns the result word of a recording.
func resultOfWriting(already, dryRun bool) string {
	switch {
	case already:
		return resultAlready
	case dryRun:
		return resultDryRun
	}
	return "written"
}

// printFiles prints the files that were or would be written.
func (s *env) printFiles(dryRun bool, files []record.FileChange) {
	verb := "wrote"
	if dryRun {
		verb = "would write"
	}
	for _, f := range files {
		s.out.printf("%s %s\n", verb, f.File)
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
is one. An existing decision is not written twice.

With --json: {"schema", "result", "files": [{"file", "made", "edits"}], "notes"};
the result is written, already or dry-run.`,
		Example: "  gatehouse decision 'Oil, not gas' --text 'the harbor has no pipe'",
		Args: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, " ")) == "" {
				return usageError{errors.New("which decision? write it after the command")}
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
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
			return s.out.printJSON(writtenJSON{statusSchema, resultOfWriting(done.Already, dryRun), nonNil(done.Files), nonNil(done.Notes)})
		}
		if done.Already {
			s.out.printf("the decision is there already; nothing was written\n")
		}
		s.printFiles(dryRun, done.Files)
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

// taskSteps are the subcommands of task, with their words.
var taskSteps = []struct {
	name, short string
	events      [][2]string // word and event; the word is empty for a step without one
}{
	{"start", "Start a task: its gate is EXECUTING", [][2]string{{"", record.EventStart}}},
	{"executed", "Report the end of an execution", [][2]string{{"success", record.EventExecutorSuccess}, {"failure", record.EventExecutorFailure}, {"blocked", record.EventExecutorBlocked}}},
	{"verified", "Report the result of the verify command", [][2]string{{"passed", record.EventVerifyPassed}, {"failed", record.EventVerifyFailed}}},
	{"reviewed", "Report the architect's verdict", [][2]string{{"approved", record.EventArchitectApproved}, {"rejected", record.EventArchitectRejected}}},
}

func newTask(s *env) *cobra.Command {
	var steps []*cobra.Command
	for _, step := range taskSteps {
		steps = append(steps, newTaskStep(s, step.name, step.short, step.events))
	}
	return withCommands(&cobra.Command{
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
	}, steps...)
}

func newTaskStep(s *env, name, short string, events [][2]string) *cobra.Command {
	var words []string
	for _, e := range events {
		words = append(words, e[0])
	}
	use := name + " PLAN/TASK"
	if words[0] != "" {
		use += " " + strings.Join(words, "|")
	}
	return s.recordCommand(&cobra.Command{
		Use:   use,
		Short: short,
		Long: short + `.

With --json: {"schema", "result", "plan", "task", "name", "was", "is", "step",
"attempt", "files": [{"file", "made", "edits"}]}; the result is written, already
or dry-run.`,
		Example: "  gatehouse task " + strings.TrimSpace(name+" 01-01/2 "+words[0]),
		Args: func(cmd *cobra.Command, args []string) error {
			want := 1
			if words[0] != "" {
				want = 2
			}
			if len(args) != want {
				return usageError{fmt.Errorf("write gatehouse task %s", use)}
			}
			if key := core.ParseTaskKey(args[0]); key.Plan == "" || key.Task == "" {
				return usageError{fmt.Errorf("%q: name a task by its plan and number, like 01-01/2", args[0])}
			}
			if want == 2 && !slices.Contains(words, args[1]) {
				return usageError{fmt.Errorf("%q: write one of %s", args[1], strings.Join(words, ", "))}
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 1 && words[0] != "" {
				return words, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
	}, func(ctx context.Context, r *record.Recorder, args []string, dryRun bool) error {
		key := core.ParseTaskKey(args[0])
		m := record.GateMove{Plan: key.Plan, Task: key.Task, Event: events[0][1], DryRun: dryRun}
		if len(args) == 2 {
			m.Event = events[slices.Index(words, args[1])][1]
		}
		done, err := r.MoveGate(ctx, m)
		if err != nil {
			return err
		}
		if s.asJSON {
			result := resultOfWriting(done.Already, dryRun)
			return s.out.printJSON(gateMovedJSON{statusSchema, result, done.Plan, done.Task, done.Name, done.Was, done.Is, done.Step, done.Attempt, nonNil(done.Files)})
		}
		switch {
		case done.Already:
			s.out.printf("%s is %s already; nothing was written\n", done.Name, done.Is)
		case done.Was == "":
			s.out.printf("%s: %s\n", done.Name, done.Is)
		default:
			s.out.printf("%s: %s → %s\n", done.Name, done.Was, done.Is)
		}
		if dryRun {
			s.printFiles(true, done.Files)
		}
		return nil
	})
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
that has been idle for a day ends by itself with the next capture.

With --json: {"schema", "result", "session", "files": [{"file", "made", "edits"}]};
the result is written, already or dry-run.`,
		Example: "  gatehouse session end --text 'Task 2 of 03-01 is half done'",
	}, func(ctx context.Context, r *record.Recorder, _ []string, dryRun bool) error {
		if err := s.readWords(&stopped); err != nil {
			return err
		}
		done, err := r.EndSession(ctx, stopped, dryRun)
		if err != nil {
			return err
		}
		if s.asJSON {
			return s.out.printJSON(sessionEndedJSON{statusSchema, resultOfWriting(len(done.Files) == 0, dryRun), done.Session, nonNil(done.Files)})
		}
		if len(done.Files) == 0 {
			s.out.printf("no session is open; nothing was written\n")
		}
		s.printFiles(dryRun, done.Files)
		return nil
	})
	wordsFlag(end, &stopped, "", "where the work stopped, in `words`; by default the last activity")
	return withCommands(&cobra.Command{
		Use:   "session",
		Short: "End the session of an ultraplan project",
		Long:  "End the session of an ultraplan project: gatehouse session end.",
	}, end)
}

// rotatedJSON is the document of "gatehouse logs rotate --json".
type rotatedJSON struct {
	Schema int            `json:"schema"`
	Moved  []record.Moved `json:"moved"` // what was moved, or would be
	Kept   []string       `json:"kept"`  // what could not be moved, and why
}

func newLogs(s *env) *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "logs",
		Short: "Archive old logs",
		Long:  "Archive old logs of an ultraplan project: gatehouse logs rotate.",
	}, s.recordCommand(&cobra.Command{
		Use:   "rotate",
		Short: "Move old logs into the archive",
		Long: `Move execution logs of more than 30 days ago, and all sessions that are over but
the last ten, from .ultraplan/logs into .ultraplan/logs/archive, where they keep
their paths. Summaries of days stay, and nothing is ever deleted or replaced.

With --json: {"schema", "moved": [{"from", "to"}], "kept"}; kept says what could
not be moved, and why.`,
	}, func(ctx context.Context, r *record.Recorder, _ []string, dryRun bool) error {
		rotation, err := r.Rotate(ctx, dryRun)
		if err != nil {
			return err
		}
		return s.printRotated(rotation, dryRun)
	}))
}

// printRotated prints the moved logs.
func (s *env) printRotated(rot *record.Rotation, dryRun bool) error {
	if s.asJSON {
		if err := s.out.printJSON(rotatedJSON{statusSchema, nonNil(rot.Moved), nonNil(rot.Kept)}); err != nil {
			return err
		}
	} else {
		verb := "moved"
		if dryRun {
			verb = "would move"
		}
		for _, m := range rot.Moved {
			s.out.printf("%s %s → %s\n", verb, m.From, m.To)
		}
		if len(rot.Moved)+len(rot.Kept) == 0 {
			s.out.printf("nothing is old enough to be moved\n")
		}
	}
	for _, why := range rot.Kept {
		s.complain("%s", why)
	}
	if len(rot.Kept) > 0 {
		return refusal{}
	}
	return nil
}
