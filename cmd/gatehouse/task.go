package main

// gatehouse task: the steps of an ultraplan task's gate. gatehouse session: the end of a session.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/record"
)

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

// taskSteps are the subcommands of task, with the words that they take.
var taskSteps = []struct {
	name, short string
	events      [][2]string // word and event; an empty word for a step without one
}{
	{"start", "Start a task: its gate is EXECUTING", [][2]string{{"", record.EventStart}}},
	{"executed", "Report the end of an execution", [][2]string{{"success", record.EventExecutorSuccess}, {"failure", record.EventExecutorFailure}, {"blocked", record.EventExecutorBlocked}}},
	{"verified", "Report the result of the verify command", [][2]string{{"passed", record.EventVerifyPassed}, {"failed", record.EventVerifyFailed}}},
	{"reviewed", "Report the architect's verdict", [][2]string{{"approved", record.EventArchitectApproved}, {"rejected", record.EventArchitectRejected}}},
}

func newTask(s *env) *cobra.Command {
	cmd := &cobra.Command{
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
		cmd.AddCommand(newTaskStep(s, step.name, step.short, step.events))
	}
	return cmd
}

func newTaskStep(s *env, name, short string, events [][2]string) *cobra.Command {
	var r recordFlags
	var m record.GateMove
	var words []string
	for _, e := range events {
		words = append(words, e[0])
	}
	use := name + " PLAN/TASK"
	if words[0] != "" {
		use += " " + strings.Join(words, "|")
	}
	cmd := &cobra.Command{
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
		RunE: func(cmd *cobra.Command, args []string) error {
			recorder, err := r.newRecorder(s)
			if err != nil {
				return err
			}
			key := core.ParseTaskKey(args[0])
			m.Plan, m.Task, m.Event = key.Plan, key.Task, events[0][1]
			if len(args) == 2 {
				m.Event = events[slices.Index(words, args[1])][1]
			}
			m.DryRun = r.dryRun
			return s.moveGate(cmd.Context(), recorder, m, &r)
		},
	}
	r.addTo(s, cmd)
	return cmd
}

func (s *env) moveGate(ctx context.Context, recorder *record.Recorder, m record.GateMove, r *recordFlags) error {
	done, err := recorder.MoveGate(ctx, m)
	if err != nil {
		return noPlanIsUsage(err)
	}
	result, _ := r.resultWords(done.Already)
	if s.asJSON {
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
	if m.DryRun {
		s.printFiles("would change", done.Files)
	}
	return nil
}

// sessionEndedJSON is the document of "gatehouse session end --json".
type sessionEndedJSON struct {
	Schema  int                 `json:"schema"`
	Result  string              `json:"result"`            // written, already or dry-run
	Session string              `json:"session,omitempty"` // ID of the session that ended
	Files   []record.FileChange `json:"files"`             // that were written, or would be
}

func newSession(s *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session",
		Short: "End the session of an ultraplan project",
		Long:  "End the session of an ultraplan project: gatehouse session end.",
	}
	cmd.AddCommand(newSessionEnd(s))
	return cmd
}

func newSessionEnd(s *env) *cobra.Command {
	var r recordFlags
	var stopped string
	cmd := &cobra.Command{
		Use:   "end",
		Short: "End the current session",
		Long: `End the current session: current-session.json moves to .ultraplan/logs/sessions,
and STATE.md says when the last session was and where the work stopped. A session
that has been idle for a day ends by itself with the next capture.

With --json: {"schema", "result", "session", "files": [{"file", "made", "edits"}]};
the result is written, already or dry-run.`,
		Example: "  gatehouse session end --text 'Task 2 of 03-01 is half done'",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if stopped == "-" {
				if stopped, err = readText(s.stdin); err != nil {
					return err
				}
			}
			recorder, err := r.newRecorder(s)
			if err != nil {
				return err
			}
			done, err := recorder.EndSession(cmd.Context(), stopped, r.dryRun)
			if err != nil {
				return err
			}
			result, said := r.resultWords(len(done.Files) == 0)
			if s.asJSON {
				return s.out.printJSON(sessionEndedJSON{statusSchema, result, done.Session, nonNil(done.Files)})
			}
			if len(done.Files) == 0 {
				s.out.printf("no session is open; nothing was written\n")
			}
			s.printFiles(said, done.Files)
			return nil
		},
	}
	r.addTo(s, cmd)
	wordsFlag(cmd, &stopped, "", "where the work stopped, in `words`; by default the last activity")
	return cmd
}
