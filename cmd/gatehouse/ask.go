package main

// gatehouse ask: ask a human and wait for the answer. For agents, scripts and jobs.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
)

// askFlags are the flags of ask.
type askFlags struct {
	options []string
	multi   bool
	own     bool // free text is an answer even without options
	noOwn   bool // only options are answers
	detach  bool
	id      string
	timeout time.Duration
	dir     string
	quiet   bool
}

// answerJSON is the document of "gatehouse ask --json".
type answerJSON struct {
	Schema int       `json:"schema"`
	ID     string    `json:"id"` // of the ask
	State  ask.State `json:"state"`
	End    *endJSON  `json:"end,omitempty"`
}

func newAskCommand(s *env) *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Ask a human and wait for the answer",
		Long: `Ask a human and wait for the answer. Print the option that was picked or the human's
own words; --no-text allows only the options. Without options the question is one of yes
or no. The exit code is the answer:

` + exitList("gatehouse ask") + `
If your shell stops commands after some minutes, use --detach: it prints an ID at once.
Wait for the answer with --id ID, more than once if need be. With --timeout 0 that only
checks, and exits 124 if there is no answer yet.`,
		Example:           "  gatehouse ask 'Which layout?' --option Grid --option List\n  gatehouse ask 'Deploy now?' --timeout 30m && deploy\n  id=$(gatehouse ask 'Which name?' --text --detach); gatehouse ask --id \"$id\"",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			timed := cmd.Flags().Changed("timeout")
			if wrong := f.usageProblem(args, timed); wrong != "" {
				return usageError{errors.New(wrong)}
			}
			// If the reader is gone, the store must record that the answer was not delivered before this process ends.
			signal.Ignore(syscall.SIGPIPE)
			if f.id != "" {
				return f.awaitEarlier(cmd.Context(), s, timed)
			}
			a, err := f.newAsk(s, args[0])
			if err != nil {
				return err
			}
			return f.askAndWait(cmd.Context(), s, a)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.options, "option", "o", nil, "offer an answer, as `label`; repeat it for each")
	fl.BoolVar(&f.multi, "multi", false, "several options may be picked")
	fl.BoolVar(&f.own, "text", false, "ask for own words, even without options")
	fl.BoolVar(&f.noOwn, "no-text", false, "allow only the options, no own words")
	fl.BoolVar(&f.detach, "detach", false, "print an ID and do not wait; --id fetches the answer")
	fl.StringVar(&f.id, "id", "", "wait for the answer to an earlier question, by its `ID`")
	fl.DurationVar(&f.timeout, "timeout", 0, "give up after this `time`, like 90s or 30m; by default never")
	fl.StringVar(&f.dir, "dir", ".", "the question is about the project in this `directory`")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "do not print what is asked")
	s.jsonFlag(cmd, "print the answer as JSON")
	completeFlag(cmd, "dir", completeDirs)
	completeFlag(cmd, "id", s.completeAsks)
	return cmd
}

// usageProblem returns the problem of the command line, "" for none.
func (f *askFlags) usageProblem(args []string, timed bool) string {
	switch {
	case f.id != "" && (len(args) > 0 || f.detach):
		return "--id: the question was asked already; leave out the question and --detach"
	case f.id == "" && (len(args) == 0 || strings.TrimSpace(args[0]) == ""):
		return "the question is missing; gatehouse ask 'Which layout?' --option Grid --option List"
	case len(args) > 1:
		return fmt.Sprintf("%q: one question at a time; put it in quotes", args[1])
	case f.timeout < 0, timed && f.timeout == 0 && f.id == "":
		return "--timeout: write a time like 90s or 30m; to fetch the answer later use --detach"
	}
	return ""
}

// newAsk returns the question that the flags describe.
func (f *askFlags) newAsk(s *env, question string) (ask.Ask, error) {
	dir, err := workingDir(f.dir)
	if err != nil {
		return ask.Ask{}, err
	}
	q := ask.Queried{Text: question, Multi: f.multi, Own: !f.noOwn}
	a := ask.Ask{Ask: model.Ask{Kind: ask.Question, Text: question, Dir: dir, Project: s.projectOf(dir), Agent: "script"}, Kept: f.detach, Window: s.ownPane()}
	if by := s.recognizeCaller(); by.IsAgent() {
		a.Agent, a.Session, a.Marks, a.Owner = by.Client, by.Session, by.Marks, by.Process
	}
	if f.timeout > 0 {
		a.Until = s.now().Add(f.timeout)
	}
	if f.own && f.noOwn || f.multi && len(f.options) == 0 {
		return a, usageError{errors.New("--text and --no-text exclude each other, and --multi needs --option")}
	}
	labels := f.options
	if len(labels) == 0 && !f.own {
		labels = []string{model.OptionYes, model.OptionNo}
	}
	for i, label := range labels {
		if strings.TrimSpace(label) == "" || slices.Contains(labels[:i], label) {
			return a, usageError{fmt.Errorf("--option %q: it is empty or given twice", label)}
		}
		q.Options = append(q.Options, ask.Option{Label: label})
	}
	a.Questions = []ask.Queried{q}
	return a, nil
}

// askAndWait asks, and waits unless the question is detached.
func (f *askFlags) askAndWait(ctx context.Context, s *env, a ask.Ask) error {
	asked, err := s.openAsks().Ask(a)
	if err != nil {
		return err
	}
	defer asked.Close()
	if f.detach {
		if s.asJSON {
			return s.out.printJSON(answerJSON{Schema: statusSchema, ID: asked.Ask.ID, State: ask.Waiting})
		}
		s.out.printf("%s\n", asked.Ask.ID)
		return nil
	}
	if !f.quiet {
		deadline := ""
		if f.timeout > 0 {
			deadline = fmt.Sprintf(" (%s left, then it expires)", f.timeout)
		}
		s.complain("asked %s: %s%s; answer it with: gatehouse answer %s", asked.Ask.ID, asked.Ask.Text, deadline, asked.Ask.ID)
	}
	return s.untilSignal(ctx, func(ctx context.Context) error {
		end, err := asked.Await(ctx, f.ownerGone(s, &asked.Ask))
		if err != nil || end.State == ask.Withdrawn && ctx.Err() != nil { // on a signal, the exit code names it
			return err
		}
		return f.reportEnd(s, &asked.Ask, end)
	})
}

// ownerGone returns a function that describes why the asking agent is gone, "" while it runs: its shell may outlive it.
func (f *askFlags) ownerGone(s *env, a *ask.Ask) func() string {
	return func() string {
		if a.Owner != (process.ID{}) && process.LifeOf(s.processes, a.Owner) == process.Gone {
			return a.Agent + " is gone"
		}
		return ""
	}
}

// awaitEarlier waits for the answer to an earlier question.
func (f *askFlags) awaitEarlier(ctx context.Context, s *env, timed bool) error {
	item, err := s.askOf(f.id)
	switch {
	case err != nil:
		return err
	case item.Kind == model.AskTurn:
		return usageError{fmt.Errorf("%s: a finished turn asks nothing; gatehouse asks %s prints it", item.ID, item.ID)}
	case item.State != ask.Waiting:
		return f.reportEnd(s, &item.Ask, item.End)
	case timed && f.timeout == 0:
		return f.reportEnd(s, &item.Ask, nil)
	}
	return s.runWithin(ctx, f.timeout, func(ctx context.Context) error {
		end, err := s.openAsks().AwaitKept(ctx, &item.Ask)
		if errors.Is(err, errTimeout) {
			end, err = nil, nil
		}
		if err != nil {
			return err
		}
		return f.reportEnd(s, &item.Ask, end)
	})
}

// reportEnd prints how an ask has ended and returns its exit code. A nil end means that it still waits.
func (f *askFlags) reportEnd(s *env, a *ask.Ask, end *ask.End) error {
	state, text, code := ask.Waiting, string(ask.Waiting), verdictCode(exitTimeout)
	if end != nil {
		state, text = end.State, ""
	}
	switch state {
	case ask.Withdrawn:
		text, code = end.Reason, exitOver
	case ask.Expired:
		s.complain("%s: not answered in time", a.ID)
	case ask.Answered:
		text, code = strings.Join(a.Said(end.Answer), "\n"), exitChanges
		if r := end.Answer.Replies; end.Answer.Allow && (!model.IsYesNo(a.Questions) || len(r) == 1 && slices.Equal(r[0].Picks, []int{0})) {
			code = exitDone
		}
	}
	if s.openAsks().IsUnrecorded(&ask.Item{Ask: *a, End: end}) {
		s.complain("≠ %s: answered, not by you: no journal has the answer", a.ID)
	}
	var err error
	if s.asJSON {
		err = s.out.printJSON(answerJSON{statusSchema, a.ID, state, endToJSON(a.Kind, a.Questions, end)})
	} else if text != "" {
		err = s.printText(text)
	}
	err = cmp.Or(err, s.out.Flush())
	if err == nil && state == ask.Answered && (f.id == "" || a.Kept) { // otherwise the asker still waits for the answer
		err = s.openAsks().Delivered(a.ID)
	}
	return cmp.Or(err, codeError(code))
}

// completeAsks completes the IDs of open asks.
func (s *env) completeAsks(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	if items, err := s.openAsks().List(false); err == nil && len(args) == 0 {
		for _, item := range items {
			ids = append(ids, cobra.CompletionWithDesc(item.ID, item.Text))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
