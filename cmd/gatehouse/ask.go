package main

// gatehouse ask: ask a human, and wait for the answer. For agents, scripts and jobs.

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/hook"
	"gatehouse/parse/disk/process"
)

// asking are the flags of ask.
type asking struct {
	options []string
	multi   bool
	own     bool
	detach  bool
	id      string
	timeout time.Duration
	dir     string
	quiet   bool
	asJSON  bool
}

// answerJSON is what "gatehouse ask --json" prints.
type answerJSON struct {
	Schema int       `json:"schema"`
	ID     string    `json:"id"` // of the ask
	State  ask.State `json:"state"`
	End    *endJSON  `json:"end,omitempty"`
}

func newAsk(s *surroundings) *cobra.Command {
	var f asking
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Ask a human, and wait for the answer",
		Long: `Ask a human, and wait for the answer: it is given with gatehouse
answer. With options one of them is picked, and printed; without any it is
a matter of yes or no. The exit code says which:

  0    answered, or allowed
  3    denied, or to be changed; why is printed
  6    withdrawn; why is printed
  124  not answered in time
  128+n  ended by the signal n, which withdraws it

An agent whose shell gives up after some minutes says --detach, which prints an ID at
once, and then --id ID, again and again if need be. With --timeout 0 that only looks:
it exits 124 while nobody has answered.

With --json: {"schema", "id", "state", "end": {"at", "who", "by", "answer", "said",
"reason"}}; the answer is answered, allowed or denied, said are the labels picked and
words of one's own.`,
		Example: "  gatehouse ask 'Which layout?' --option Grid --option List\n  gatehouse ask 'Deploy now?' --timeout 30m && deploy\n  id=$(gatehouse ask 'Which name?' --text --detach); gatehouse ask --id \"$id\"",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case f.id != "" && len(args) > 0:
				return usageError{errors.New("--id: the question was asked already; write no other")}
			case f.id == "" && (len(args) == 0 || strings.TrimSpace(args[0]) == ""):
				return usageError{errors.New("what is asked? gatehouse ask 'Which layout?' --option Grid --option List")}
			case len(args) > 1:
				return usageError{fmt.Errorf("%q: one question at a time; put it in quotes", args[1])}
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			timed := cmd.Flags().Changed("timeout")
			switch {
			case f.timeout < 0:
				return usageError{errors.New("--timeout: write a time like 90s or 30m")}
			case timed && f.timeout == 0 && f.id == "":
				return usageError{errors.New("--timeout 0: nobody answers in no time; to come back for the answer say --detach")}
			case f.id != "" && f.detach:
				return usageError{errors.New("--detach: this one was asked already; --id waits for it")}
			}
			// A reader that is gone must not end this before it is known that nobody heard the answer.
			signal.Ignore(syscall.SIGPIPE)
			if f.id != "" {
				return f.await(cmd.Context(), s, timed)
			}
			a, err := f.ask(s, args[0])
			if err != nil {
				return err
			}
			return f.askAndWait(cmd.Context(), s, a)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.options, "option", "o", nil, "an answer to choose, as `label`; say it once for each")
	fl.BoolVar(&f.multi, "multi", false, "several options may be picked")
	fl.BoolVar(&f.own, "text", false, "words of one's own are an answer, too")
	fl.BoolVar(&f.detach, "detach", false, "print an ID and do not wait; it is asked for with --id")
	fl.StringVar(&f.id, "id", "", "wait for the answer to what was asked before, by its `ID`")
	fl.DurationVar(&f.timeout, "timeout", 0, "give up after this `time`, like 90s or 30m; by default never")
	fl.StringVar(&f.dir, "dir", ".", "the `directory` whose project it is about")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "do not say what is asked")
	fl.BoolVar(&f.asJSON, "json", false, "print the answer as JSON")
	complete(cmd, "dir", completeDirs)
	complete(cmd, "id", s.completeAsks)
	return cmd
}

// ask returns what is to be asked.
func (f *asking) ask(s *surroundings, question string) (ask.Ask, error) {
	dir, err := workingDir(f.dir)
	if err != nil {
		return ask.Ask{}, err
	}
	a := ask.Ask{Kind: ask.Permission, Text: question, Dir: dir, Project: s.projectOf(dir), Kept: f.detach, Agent: "script", Pane: s.pane()}
	if by, ok := hook.Called(s.processes, s.variable); ok {
		a.Agent, a.Session, a.Marks, a.Owner = by.Agent, by.Session, by.Marks, by.Process
	}
	if f.timeout > 0 {
		a.Until = s.now().Add(f.timeout)
	}
	switch {
	case len(f.options) == 0 && !f.own && f.multi:
		return a, usageError{errors.New("--multi: there is nothing to pick; name options with --option")}
	case len(f.options) > 0 || f.own:
		q := ask.Queried{Text: question, Multi: f.multi, Own: f.own}
		for i, label := range f.options {
			if strings.TrimSpace(label) == "" {
				return a, usageError{errors.New("--option: a label is empty")}
			}
			for _, other := range f.options[:i] {
				if other == label {
					return a, usageError{fmt.Errorf("--option %s: it is named twice", label)}
				}
			}
			q.Options = append(q.Options, ask.Option{Label: label})
		}
		a.Kind, a.Questions = ask.Question, []ask.Queried{q}
	}
	return a, nil
}

// flags returns which flags answer what is asked.
func (f *asking) flags() string {
	switch {
	case len(f.options) > 0 && f.own:
		return "--pick LABEL, or --text WORDS"
	case len(f.options) > 0:
		return "--pick LABEL"
	case f.own:
		return "--text WORDS"
	}
	return "--allow, or --deny WHY"
}

// askAndWait asks, and waits where it is not to be left alone.
func (f *asking) askAndWait(ctx context.Context, s *surroundings, a ask.Ask) error {
	store := s.store()
	asked, err := store.Ask(a)
	if err != nil {
		return err
	}
	defer asked.Close()
	if f.detach {
		if f.asJSON {
			return s.out.json(answerJSON{Schema: statusSchema, ID: asked.Ask.ID, State: ask.Waiting})
		}
		s.out.printf("%s\n", asked.Ask.ID)
		return nil
	}
	if !f.quiet {
		s.complain("asked %s: %s; answer it with: gatehouse answer %s %s", asked.Ask.ID, asked.Ask.Text, asked.Ask.ID, exact(f.flags()))
	}
	return s.untilSignal(ctx, func(ctx context.Context) error {
		end, err := asked.Await(ctx, f.gone(s, &asked.Ask))
		if err != nil || end.State == ask.Withdrawn && ctx.Err() != nil { // by the signal, whose code says it
			return err
		}
		return f.tell(s, &asked.Ask, end)
	})
}

// gone returns what says that the agent is gone that asked: its shell may live on without it.
func (f *asking) gone(s *surroundings, a *ask.Ask) func() string {
	if a.Owner == (process.ID{}) {
		return nil
	}
	return func() string {
		if process.LifeOf(s.processes, a.Owner) == process.Gone {
			return a.Agent + " is gone"
		}
		return ""
	}
}

// await waits for the answer to what was asked before.
func (f *asking) await(ctx context.Context, s *surroundings, timed bool) error {
	item, err := s.askOf(f.id)
	if err != nil {
		return err
	}
	if item.State != ask.Waiting {
		return f.tell(s, &item.Ask, item.End)
	}
	if timed && f.timeout == 0 {
		return f.tell(s, &item.Ask, nil)
	}
	return s.untilSignal(ctx, func(ctx context.Context) error {
		if f.timeout > 0 {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeoutCause(ctx, f.timeout, errTimeout)
			defer stop()
		}
		end, err := s.store().AwaitKept(ctx, &item.Ask)
		if errors.Is(err, errTimeout) {
			end, err = nil, nil
		}
		if err != nil {
			return err
		}
		return f.tell(s, &item.Ask, end)
	})
}

// tell prints how an ask has ended, and returns its exit code. Without an end nobody has answered yet.
func (f *asking) tell(s *surroundings, a *ask.Ask, end *ask.End) error {
	item := &ask.Item{Ask: *a, State: ask.Waiting, End: end}
	code := verdictCode(exitTimeout)
	text := ""
	switch {
	case end == nil:
		text = string(ask.Waiting)
	case end.State == ask.Withdrawn:
		code, text = exitOver, end.Reason
	case end.State == ask.Expired:
		s.complain("%s: not answered in time", a.ID)
	default:
		text = strings.Join(a.Said(end.Answer), "\n")
		if code = exitDone; !end.Answer.Allow {
			code = exitChanges
		}
	}
	if end != nil {
		item.State = end.State
	}
	var err error
	if f.asJSON {
		err = s.out.json(answerJSON{statusSchema, a.ID, item.State, toJSON(item).End})
	} else if text != "" {
		err = s.printText(text)
	}
	if err == nil {
		err = s.out.Flush()
	}
	if mine := f.id == "" || a.Kept; err == nil && item.State == ask.Answered && mine { // else whoever asked it is still to be told
		err = s.store().Delivered(a.ID)
	}
	switch {
	case err != nil:
		return err
	case code == exitDone:
		return nil
	}
	return code
}

// completeAsks makes shells complete asks that wait.
func (s *surroundings) completeAsks(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, p := range s.fleetOf(cmd).Projects {
		for _, b := range p.Builds {
			for _, a := range b.Asks() {
				if len(args) == 0 && a.State == model.AskWaiting {
					ids = append(ids, cobra.CompletionWithDesc(a.ID, a.Text))
				}
			}
		}
	}
	if items, err := s.store().List(false); err == nil && len(args) == 0 {
		for _, item := range items {
			ids = append(ids, cobra.CompletionWithDesc(item.ID, item.Text))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
