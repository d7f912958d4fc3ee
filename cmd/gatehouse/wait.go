package main

// gatehouse wait: block until a gate is decided. Agents and scripts use it to learn of decisions.

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents/waiting"
)

// The exit codes of wait, in addition to 0 for a gate that has passed.
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

// verdictJSON is the document of "gatehouse wait --json".
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

// waitFlags are the flags of wait.
type waitFlags struct {
	target
	verifyFlags
	timeout                time.Duration
	quiet, decided, signed bool
	after, until           string
}

func newWait(s *env) *cobra.Command {
	var w waitFlags
	cmd := &cobra.Command{
		Use:   "wait [GATE]",
		Short: "Wait until a gate is decided, or a loop goes on",
		Long: `Wait until a gate is decided, for an agent or a script that needs the decision.
The exit code is the answer:

` + exitList("gatehouse wait") + `
A gate that is already decided is answered at once. A request for changes is delivered
once, and so is a failed check: the next wait blocks until the gate is retried and
decided. A delivered decision cannot be undone.

Without GATE it waits for the next decision on any gate of the project, names the gate
on standard error and exits with the code of that decision. To miss none between two
calls, pass the "id" of the last "decision" with --after.

With the ID of an ask, wait for its answer, as gatehouse ask --id does: exit code 0 if it
was answered or allowed, 3 denied, 6 withdrawn. The asker gets the answer, too.

A gate that the file calls passed or skipped without a decision in the journal is an
answer, too, with "passed, not by you" on standard error. --decided ignores it.

With --until paused or --until resumed it waits for a loop, and takes no gate:
exit code 0 once it is paused or at work, 6 when it has ended or is gone.`,
		Example: "  gatehouse wait frame-gate --timeout 30m && next-step",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("until"):
				return cobra.NoArgs(cmd, args)
			case len(args) > 1:
				return oneGate(cmd, args)
			case len(args) == 0 && (w.decided || w.signed):
				return usageError{errors.New("--decided and --signed: name the gate")}
			case len(args) == 1 && w.after != "":
				return usageError{errors.New("--after: it is for a wait without GATE")}
			}
			return nil
		},
		ValidArgsFunction: w.completeGates(s, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if w.timeout < 0 {
				return usageError{errors.New("--timeout: write a time like 90s or 30m")}
			}
			// If the reader is gone, the journal must record that the answer was not passed on before this process ends.
			signal.Ignore(syscall.SIGPIPE)
			switch {
			case cmd.Flags().Changed("until"):
				return s.waitFor(cmd.Context(), &w)
			case len(args) == 0:
				return s.waitNext(cmd.Context(), &w)
			}
			if waiting.ValidID(args[0]) && s.user.Asks != nil {
				if item, err := s.user.Asks.Get(args[0]); err == nil {
					w.announce(s, "the answer to %s: %s", item.ID, item.Text)
					f := askFlags{id: item.ID, timeout: w.timeout}
					return f.awaitEarlier(cmd.Context(), s, false)
				}
			}
			return s.waitGate(cmd.Context(), &w, args[0])
		},
	}
	w.target.addTo(s, cmd)
	w.verifyFlags.addTo(cmd)
	cmd.Flags().StringVar(&w.until, "until", "", "wait for the loop instead, until it is `paused|resumed`")
	completeWords(cmd, "until", string(parse.Paused), string(parse.Resumed))
	cmd.Flags().StringVar(&w.after, "after", "", "without GATE: wait for the first decision after the one with this `ID`")
	cmd.Flags().DurationVar(&w.timeout, "timeout", 0, "give up after this `time`, like 90s or 30m; by default never")
	cmd.Flags().BoolVar(&w.decided, "decided", false, "wait for a decision in the journal; ignore what only the state file says")
	cmd.Flags().BoolVar(&w.signed, "signed", false, "require a signature by an allowed key, as gatehouse verify does; exit 8 without one")
	cmd.Flags().BoolVarP(&w.quiet, "quiet", "q", false, "do not say what it waits for")
	s.jsonFlag(cmd, "print the answer as JSON")
	return cmd
}

// runWithin runs f until a signal, or until the time is up if one is given: then the cause of its context's end is [errTimeout].
func (s *env) runWithin(ctx context.Context, timeout time.Duration, f func(context.Context) error) error {
	return s.untilSignal(ctx, func(ctx context.Context) error {
		if timeout > 0 {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeoutCause(ctx, timeout, errTimeout)
			defer stop()
		}
		return f(ctx)
	})
}

// failureName returns the name under which the reported failure of a gate is stored.
func failureName(p *parse.Project, g namedGate) string {
	return "failed-" + hashName(strings.Join([]string{realPath(p.Root()), g.Build.ID, g.Node.ID}, "\x00"))
}

// nextAnswers are the answers of a wait without a gate.
var nextAnswers = map[model.Verb]parse.Answer{
	model.VerbApprove: parse.Passed, model.VerbSkip: parse.Skipped, model.VerbChanges: parse.Changes, model.VerbRetry: parse.Retried,
}

// waitNext waits for the next decision on a gate of a project.
func (s *env) waitNext(ctx context.Context, w *waitFlags) error {
	p, _, err := w.readProject(s)
	if err != nil {
		return err
	}
	w.announce(s, "the next decision (%s)", s.shortPath(p.Root()))
	return s.runWithin(ctx, w.timeout, func(ctx context.Context) error {
		d, err := parse.WaitNext(ctx, p, w.build, w.after, s.now)
		if err != nil {
			return w.printTimeout(ctx, s, err, verdictJSON{}, "no decision in time")
		}
		answer := nextAnswers[d.Verb]
		if d.Verb == model.VerbApprove && d.Is == "failed" { // with --record-failed
			answer = parse.Failed
		}
		if !w.quiet {
			s.complain("%s: %s", d.Name, answer)
		}
		return w.print(s, verdictJSON{Answer: string(answer), Text: d.Text, Gate: d.Node, Build: d.Build, Decision: d}, answerCodes[answer])
	})
}

// untilVerbs are the values of --until, and the verbs after which they hold.
var untilVerbs = map[string]model.Verb{string(parse.Paused): model.VerbPause, string(parse.Resumed): model.VerbResume}

// waitFor waits until a build is paused or resumed.
func (s *env) waitFor(ctx context.Context, w *waitFlags) error {
	if untilVerbs[w.until] == "" {
		return usageError{fmt.Errorf("--until %s: write paused or resumed", w.until)}
	}
	var b *model.Build
	p, err := w.find(s, func(in *selection) (err error) {
		b, err = w.selectBuild(in, untilVerbs[w.until])
		return err
	})
	if err != nil {
		return err
	}
	w.announce(s, "%s to be %s (%s)", b.ID, w.until, s.shortPath(p.Root()))
	return s.runWithin(ctx, w.timeout, func(ctx context.Context) error {
		v, err := parse.WaitFor(ctx, p, b.ID, parse.Answer(w.until), s.now)
		if err != nil {
			return w.printTimeout(ctx, s, err, verdictJSON{Build: b.ID}, fmt.Sprintf("%s: still not %s", b.ID, w.until))
		}
		return w.print(s, verdictJSON{Answer: string(v.Answer), Text: v.Text, Build: b.ID}, answerCodes[v.Answer])
	})
}

// waitGate waits until a gate is decided.
func (s *env) waitGate(ctx context.Context, w *waitFlags, word string) error {
	p, g, err := w.findGate(s, word)
	if err != nil {
		return err
	}
	wait := parse.NewWait(p, g.Build.ID, g.Node.ID)
	wait.Decided = w.decided
	_ = s.keptStore().Load(failureName(p, g), &wait.Told) // on an error a failure is reported again
	if _, err := w.signersFile(s); w.signed && err != nil {
		return err
	}
	w.announce(s, "%s (%s, %s)", g.Name, s.shortPath(p.Root()), g.Build.ID)
	return s.runWithin(ctx, w.timeout, func(ctx context.Context) error {
		v, err := wait.Verdict(ctx, s.now)
		if err != nil {
			return w.printTimeout(ctx, s, err, verdictJSON{Gate: g.Node.ID, Build: g.Build.ID}, g.Name+": still not decided")
		}
		out := verdictJSON{Answer: string(v.Answer), Text: v.Text, Gate: g.Node.ID, Build: g.Build.ID, Decision: v.Decision, NotByYou: v.Unattributed}
		if w.signed && (v.Answer == parse.Passed || v.Answer == parse.Skipped) {
			if why := w.recheckSignature(ctx, s, p, g); why != nil { // the decision is not passed on
				if out.Text = fmt.Sprintf("%s, not signed: %v", out.Answer, why); !s.asJSON {
					s.complain("%s: %s", g.Name, out.Text)
					return verdictCode(exitUnsigned)
				}
				out.Answer = "unsigned"
				return w.print(s, out, exitUnsigned)
			}
		}
		if v.Unattributed {
			s.complain("≠ %s: %s, not by you: the state file says so, and the journal has no decision; --decided waits for one", g.Name, v.Answer)
		}
		if d := v.Decision; d != nil && d.Actor == model.Automation {
			s.complain("%s: decided by automation, %s", g.Name, d.Client)
		}
		err = w.print(s, out, exitDone)
		if err == nil {
			err = s.out.Flush()
		}
		if err != nil { // an answer that could not be printed was not passed on
			return err
		}
		if err := wait.Heard(v); errors.Is(err, parse.ErrTakenBack) {
			return fmt.Errorf("%s: %w", g.Name, err)
		} else if err != nil {
			s.complain("%v; the decision can still be undone, and may be passed on again", err)
		}
		if v.Answer == parse.Failed {
			ctx, stop := context.WithTimeout(context.Background(), saveWithin)
			defer stop()
			if err := s.keptStore().Save(ctx, failureName(p, g), v.Failure); err != nil {
				s.complain("%v; the next wait says once more that the check has failed", err)
			}
		}
		return codeError(answerCodes[v.Answer])
	})
}

// announce prints the target of the wait, unless --quiet is given.
func (w *waitFlags) announce(s *env, format string, args ...any) {
	if !w.quiet {
		s.complain("waiting for "+format, args...)
	}
}

// print prints a verdict, and returns its exit code as an error.
func (w *waitFlags) print(s *env, out verdictJSON, code verdictCode) (err error) {
	if s.asJSON {
		out.Schema, out.Text, out.Decision = remote.Schema, cleanLines(out.Text), cleanDecision(out.Decision)
		err = s.out.printJSON(out)
	} else if out.Text != "" {
		err = s.printText(out.Text)
	}
	if err != nil {
		return err
	}
	return codeError(code)
}

// printTimeout prints that the time was up, and returns any other error of a wait.
func (w *waitFlags) printTimeout(ctx context.Context, s *env, err error, out verdictJSON, text string) error {
	if !errors.Is(context.Cause(ctx), errTimeout) {
		return err
	}
	s.complain("%s; wait again", text)
	out.Answer = "timeout"
	return w.print(s, out, exitTimeout)
}

// codeError returns an exit code as an error, nil for 0.
func codeError(code verdictCode) error {
	if code == exitDone {
		return nil
	}
	return code
}

// printText prints a human's text with its lines: unchanged into a pipe, as foreign text on a terminal.
func (s *env) printText(text string) error {
	for l := range strings.SplitSeq(strings.TrimSuffix(cleanLines(text), "\n"), "\n") {
		if s.terminal {
			s.out.printf("│ %s\n", l)
		} else if _, err := fmt.Fprintln(s.out, l); err != nil {
			return err
		}
	}
	return nil
}
