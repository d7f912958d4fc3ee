package main

// gatehouse wait: block until a gate is decided; how an agent or a script learns of it.

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
	"gatehouse/parse"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/waiting"
)

// The exit codes of wait, besides 0 for a gate that has passed.
const (
	exitWaiting  = 3 // of gates --exit-code
	exitChanges  = 3
	exitSkipped  = 4
	exitFailed   = 5
	exitOver     = 6
	exitRetried  = 7
	exitUnsigned = 8
	exitTimeout  = 124 // as timeout(1) has it
)

// verdictCode is the error of a command whose exit code is its answer.
type verdictCode int

func (verdictCode) Error() string { return "decided" }

var answerCodes = map[parse.Answer]verdictCode{
	parse.Passed: exitDone, parse.Changes: exitChanges, parse.Skipped: exitSkipped, parse.Failed: exitFailed, parse.Over: exitOver, parse.Retried: exitRetried,
	parse.Paused: exitDone, parse.Resumed: exitDone,
}

// errTimeout is the cause of a wait's end when its time is up.
var errTimeout = errors.New("the time is up")

// verdictJSON is what "gatehouse wait --json" prints.
type verdictJSON struct {
	Schema   int             `json:"schema"`
	Answer   string          `json:"answer"` // passed, changes, skipped, failed, over, retried, unsigned, timeout; paused or resumed with --until
	Text     string          `json:"text"`   // the note, the reason, or what is to be changed
	Gate     string          `json:"gate"`   // ID of its node; "" with --until
	Build    string          `json:"build"`  // ID
	Decision *model.Decision `json:"decision,omitempty"`
	// NotByYou says that the file calls the gate of a human passed or skipped, and that no decision of the journal made it so.
	NotByYou bool `json:"not_by_you,omitempty"`
}

func newWait(s *surroundings) *cobra.Command {
	var pl place
	var timeout time.Duration
	var quiet, asJSON, decided, signed bool
	var after string
	var v verifying
	var until string
	cmd := &cobra.Command{
		Use:   "wait [GATE]",
		Short: "Wait until a gate is decided, or a loop goes on",
		Long: `Wait until a gate is decided, for an agent or a script that must not go on before.
The exit code is the answer:

` + exitList("gatehouse wait") + `
An earlier decision is answered at once. A request for changes is passed on once, and
so is a failed check: the next wait blocks until the gate is retried and decided. A
decision that was passed on can't be undone.

Without GATE it waits for the next decision on any gate of the project, names the gate
on standard error and exits with the code of that decision. A loop of such calls misses
none with --after ID, the "id" of the "decision" before.

What a live agent asks is waited for by its ID, as gatehouse ask --id does: 0 it was
answered or allowed, 3 denied, 6 withdrawn, and the answer is printed. Whoever asked is
told all the same.

A gate of a human that the file calls passed or skipped, and that no decision of the
journal made so, is answered, and named on standard error: "passed, not by you". With
--decided it is waited for as if nothing stood there.

With --until paused or --until resumed it waits for a loop, and takes no gate:
exit code 0 once it is paused or at work, 6 when it has ended or is gone.

With --json: {"schema", "answer", "text", "gate", "build", "decision"}; the answer is
passed, changes, skipped, failed, over, retried, unsigned or timeout; paused or resumed with --until.`,
		Example: "  gatehouse wait frame-gate --timeout 30m && next-step",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("until"):
				return cobra.NoArgs(cmd, args)
			case len(args) > 1:
				return oneGate(cmd, args)
			case len(args) == 0 && (decided || signed):
				return usageError{errors.New("--decided and --signed: name the gate")}
			case len(args) == 1 && after != "":
				return usageError{errors.New("--after: it is for a wait without GATE")}
			}
			return nil
		},
		ValidArgsFunction: pl.completeGates(s, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if timeout < 0 {
				return usageError{errors.New("--timeout: write a time like 90s or 30m")}
			}
			// A reader that is gone must not end this before the journal knows that nobody was told.
			signal.Ignore(syscall.SIGPIPE)
			if cmd.Flags().Changed("until") {
				return s.waitFor(cmd.Context(), &pl, parse.Answer(until), timeout, quiet, asJSON)
			}
			if len(args) == 0 {
				return s.waitNext(cmd.Context(), &pl, after, timeout, quiet, asJSON)
			}
			if item := s.askWaited(args[0]); item != nil {
				if !quiet {
					s.complain("waiting for the answer to %s: %s", item.ID, item.Text)
				}
				f := asking{id: item.ID, timeout: timeout, asJSON: asJSON}
				return f.await(cmd.Context(), s, false)
			}
			p, g, err := pl.gate(s, args[0])
			if err != nil {
				return err
			}
			wait := parse.NewWait(p, g.Build.ID, g.Node.ID)
			wait.Decided, wait.Told = decided, s.toldFailure(p, g)
			if _, err := v.signers(s); signed && err != nil {
				return err
			}
			if !quiet {
				s.complain("waiting for %s (%s, %s)", g.Name, shortPath(p.Root(), s.user.Home), g.Build.ID)
			}
			return s.within(cmd.Context(), timeout, func(ctx context.Context) error {
				verdict, err := wait.Verdict(ctx, s.now)
				if signed && err == nil && (verdict.Answer == parse.Passed || verdict.Answer == parse.Skipped) {
					if why := v.checkAgain(ctx, s, p, g); why != nil {
						return s.unsigned(verdict, why, wait, g, asJSON)
					}
				}
				err = s.answer(verdict, err, ctx, wait, g, asJSON)
				if err == verdictCode(exitFailed) {
					s.tellFailure(p, g, verdict.Failure)
				}
				return err
			})
		},
	}
	pl.addTo(s, cmd)
	cmd.Flags().StringVar(&until, "until", "", "wait for the loop instead, until it is `paused|resumed`")
	complete(cmd, "until", cobra.FixedCompletions([]string{string(parse.Paused), string(parse.Resumed)}, cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().StringVar(&after, "after", "", "without GATE: wait for the first decision after the one with this `ID`")
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "give up after this `time`, like 90s or 30m; by default never")
	cmd.Flags().BoolVar(&decided, "decided", false, "wait for a decision of the journal: what a state file alone says is no answer")
	cmd.Flags().BoolVar(&signed, "signed", false, "check as gatehouse verify does that a key of the allowed-signers file signed the decision; exits 8 if not")
	v.addTo(cmd)
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "do not say what it waits for")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the answer as JSON")
	return cmd
}

// askWaited returns the ask of an ID, nil where there is none.
func (s *surroundings) askWaited(id string) *ask.Item {
	if s.user.Asks == nil || !waiting.ValidID(id) {
		return nil
	}
	item, err := s.user.Asks.Get(id)
	if err != nil {
		return nil
	}
	return item
}

// within runs f until a signal ends it, or until a time is up if one is given: then the cause of its context's end is [errTimeout].
func (s *surroundings) within(ctx context.Context, timeout time.Duration, f func(context.Context) error) error {
	return s.untilSignal(ctx, func(ctx context.Context) error {
		if timeout > 0 {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeoutCause(ctx, timeout, errTimeout)
			defer stop()
		}
		return f(ctx)
	})
}

// failureName names the file that keeps which failure of a gate a wait has told.
func failureName(p *parse.Project, g namedGate) string {
	return "failed-" + hashName(strings.Join([]string{realPath(p.Root()), g.Build.ID, g.Node.ID}, "\x00"))
}

// toldFailure returns the failure of a gate that a wait has told, "" for none.
func (s *surroundings) toldFailure(p *parse.Project, g namedGate) (failure string) {
	_ = s.keeps().Load(failureName(p, g), &failure) // at worst it is told again
	return failure
}

// tellFailure remembers that a failure was told.
func (s *surroundings) tellFailure(p *parse.Project, g namedGate, failure string) {
	ctx, stop := context.WithTimeout(context.Background(), saveWithin)
	defer stop()
	if err := s.keeps().Save(ctx, failureName(p, g), failure); err != nil {
		s.complain("%v; the next wait says once more that the check has failed", err)
	}
}

// nextAnswers are the answers of a wait without a gate.
var nextAnswers = map[model.Verb]parse.Answer{
	model.VerbApprove: parse.Passed, model.VerbSkip: parse.Skipped, model.VerbChanges: parse.Changes, model.VerbRetry: parse.Retried,
}

// waitNext waits for the next decision on a gate of a project.
func (s *surroundings) waitNext(ctx context.Context, pl *place, after string, timeout time.Duration, quiet, asJSON bool) error {
	p, _, err := pl.read(s)
	if err != nil {
		return err
	}
	if !quiet {
		s.complain("waiting for the next decision (%s)", shortPath(p.Root(), s.user.Home))
	}
	return s.within(ctx, timeout, func(ctx context.Context) error {
		d, err := parse.WaitNext(ctx, p, pl.build, after, s.now)
		out, code := verdictJSON{Schema: statusSchema, Answer: "timeout"}, verdictCode(exitTimeout)
		switch {
		case err == nil:
			answer := nextAnswers[d.Verb]
			if d.Verb == model.VerbApprove && d.Is == "failed" { // by --record-failed
				answer = parse.Failed
			}
			out, code = verdictJSON{statusSchema, string(answer), cleanLines(d.Text), d.Node, d.Build, cleanDecision(d), false}, answerCodes[answer]
			if !quiet {
				s.complain("%s: %s", d.Name, answer)
			}
		case errors.Is(context.Cause(ctx), errTimeout):
			s.complain("no decision in time; wait again")
		default:
			return err
		}
		if err = nil; asJSON {
			err = s.out.json(out)
		} else if out.Text != "" {
			err = s.printText(out.Text)
		}
		if err != nil || code == exitDone {
			return err
		}
		return code
	})
}

// waitFor waits until a build is paused, or goes on.
func (s *surroundings) waitFor(ctx context.Context, pl *place, until parse.Answer, timeout time.Duration, quiet, asJSON bool) error {
	verb := model.VerbPause
	switch until {
	case parse.Paused:
	case parse.Resumed:
		verb = model.VerbResume
	default:
		return usageError{fmt.Errorf("--until %s: write paused or resumed", until)}
	}
	p, b, err := pl.one(s, verb)
	if err != nil {
		return err
	}
	if !quiet {
		s.complain("waiting until %s is %s (%s)", b.ID, until, shortPath(p.Root(), s.user.Home))
	}
	return s.within(ctx, timeout, func(ctx context.Context) error {
		v, err := parse.WaitFor(ctx, p, b.ID, until, s.now)
		code := verdictCode(exitTimeout)
		switch {
		case err == nil:
			code = answerCodes[v.Answer]
		case errors.Is(context.Cause(ctx), errTimeout):
			v = &parse.Verdict{Answer: "timeout"}
			s.complain("%s: still not %s; wait again", b.ID, until)
		default:
			return err
		}
		if asJSON {
			err = s.out.json(verdictJSON{statusSchema, string(v.Answer), cleanLines(v.Text), "", b.ID, nil, false})
		} else if err = nil; v.Text != "" {
			err = s.printText(v.Text)
		}
		if err != nil || code == exitDone {
			return err
		}
		return code
	})
}

// answer prints what a wait has ended with, and returns its exit code.
func (s *surroundings) answer(v *parse.Verdict, err error, ctx context.Context, wait *parse.Wait, g namedGate, asJSON bool) error {
	code := verdictCode(exitTimeout)
	switch {
	case err == nil:
		code = answerCodes[v.Answer]
	case errors.Is(context.Cause(ctx), errTimeout):
		v, err = &parse.Verdict{Answer: "timeout"}, nil
		s.complain("%s: still not decided; wait again", g.Name)
	default:
		return err
	}
	if v.Unattributed {
		s.complain("≠ %s: %s, not by you: the state file says so, and the journal has no decision; --decided waits for one", g.Name, v.Answer)
	}
	if d := v.Decision; d != nil && d.Actor == model.Automation {
		s.complain("%s: decided by automation, %s", g.Name, d.Client)
	}
	if asJSON {
		err = s.out.json(verdictJSON{statusSchema, string(v.Answer), cleanLines(v.Text), g.Node.ID, g.Build.ID, cleanDecision(v.Decision), v.Unattributed})
	} else if v.Text != "" {
		err = s.printText(v.Text)
	}
	if err == nil {
		err = s.out.Flush()
	}
	if err != nil { // what nobody could read was not passed on
		return errors.Join(err, wait.Lost(v))
	}
	if err := wait.Heard(v); err != nil {
		s.complain("%v; the decision can still be undone, and may be passed on again", err)
	}
	if code == exitDone {
		return nil
	}
	return code
}

// unsigned prints that a gate was closed without a signature that counts. The decision is not passed on.
func (s *surroundings) unsigned(v *parse.Verdict, why error, wait *parse.Wait, g namedGate, asJSON bool) error {
	err := wait.Lost(v)
	if asJSON {
		text := fmt.Sprintf("%s, not signed: %v", v.Answer, why)
		err = errors.Join(err, s.out.json(verdictJSON{statusSchema, "unsigned", text, g.Node.ID, g.Build.ID, cleanDecision(v.Decision), v.Unattributed}))
	} else {
		s.complain("%s: %s, not signed: %v", g.Name, v.Answer, why)
	}
	if err != nil {
		return err
	}
	return verdictCode(exitUnsigned)
}

// printText prints a text of a human with its lines: as it is for whoever reads the output, as foreign text on a terminal.
func (s *surroundings) printText(text string) error {
	for l := range strings.SplitSeq(strings.TrimSuffix(cleanLines(text), "\n"), "\n") {
		if s.terminal {
			s.out.printf("│ %s\n", l)
		} else if _, err := fmt.Fprintln(s.out, l); err != nil {
			return err
		}
	}
	return nil
}
