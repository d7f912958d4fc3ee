package main

// How deciding commands work. verbs.go lists them.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
)

// The journal's names for the ways to decide.
const (
	byCommand   = "command"
	byDashboard = "dashboard"
)

// decideFlags are the flags of the commands that decide something.
type decideFlags struct {
	target
	dryRun bool
	yes    bool          // skip the typed confirmation
	remote string        // the remote that may have the target, "" for this machine only
	watch  time.Duration // how long to check for overwrites afterwards

	recordFailed bool
	ahead        bool   // approve a gate that the work has not reached yet
	text         string // the reason, note or requested changes
	ifSeen       string // the hash that was seen, "" without one
}

// addTo gives a command the flags.
func (d *decideFlags) addTo(s *env, cmd *cobra.Command) {
	d.target.addTo(s, cmd)
	s.decidingFlags(cmd)
	cmd.Flags().BoolVarP(&d.dryRun, "dry-run", "n", false, "print what would be written, and write nothing")
	yesFlag(cmd, &d.yes)
	s.jsonFlag(cmd, "print what was done as JSON")
	cmd.Flags().StringVar(&d.ifSeen, "if-seen", "", "decide only if the if_seen of gates or status --json is still this `hash`; repeating it is harmless")
	cmd.Flags().DurationVar(&d.watch, "watch", 0, "keep watching for this `time`, like 10s; exit 1 if another program overwrites the decision")
}

// wordsFlag adds --text, whose value - stands for standard input. The flag's former name still works.
func wordsFlag(cmd *cobra.Command, words *string, former, usage string) {
	fl := cmd.Flags()
	fl.StringVarP(words, "text", "m", "", usage+"; - reads standard input")
	if former != "" {
		fl.StringVar(words, former, "", "the same as --text")
		fl.Lookup(former).Hidden = true
	}
}

// yesFlag adds --yes, which every deciding command accepts, including those that never ask.
func yesFlag(cmd *cobra.Command, yes *bool) {
	cmd.Flags().BoolVarP(yes, "yes", "y", false, "do not ask for confirmation")
}

// doGate performs a verb on the gate that the argument names.
func (d *decideFlags) doGate(ctx context.Context, s *env, verb model.Verb, args []string) error {
	return d.performOn(ctx, s, func(in *selection) (model.Action, string, error) {
		g, err := d.selectGate(in, args[0])
		if err != nil {
			return model.Action{}, "", err
		}
		return model.Action{Verb: verb, Project: in.rootOf(g.Build), Build: g.Build.ID, Node: g.Node.ID, Text: d.text, RecordFailed: d.recordFailed, Ahead: d.ahead}, g.Name, nil
	})
}

// doPhase performs a verb on the phase that the argument names.
func (d *decideFlags) doPhase(ctx context.Context, s *env, verb model.Verb, args []string) error {
	return d.performOn(ctx, s, func(in *selection) (model.Action, string, error) {
		b, n, err := d.selectPhase(in, args[0])
		if err != nil {
			return model.Action{}, "", err
		}
		return model.Action{Verb: verb, Project: in.rootOf(b), Build: b.ID, Node: n.ID}, n.Title, nil
	})
}

// undoDecision undoes the last decision about a gate, or about something else that the journal names.
func (d *decideFlags) undoDecision(ctx context.Context, s *env, verb model.Verb, args []string) error {
	if d.remote != "" {
		return d.doGate(ctx, s, verb, args)
	}
	p, last, err := d.lastDecision(s, args[0])
	if err != nil || last == nil {
		return d.doGate(ctx, s, verb, args)
	}
	return d.perform(ctx, s, p, model.Action{Verb: verb, Project: p.Root(), Build: last.Build, Node: last.Node}, args[0])
}

// lastDecision returns the last decision about something other than a gate with this name; undone ones only if there
// is no other; nil without one. Only the journal names items that were removed from a file.
func (d *decideFlags) lastDecision(s *env, name string) (p *parse.Project, last *model.Decision, err error) {
	p, mp, err := d.readProject(s)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range mp.Decisions {
		switch x.Verb {
		case model.VerbAdd, model.VerbDismiss, model.VerbFresh:
			if d.isNamed(&x, name) && !x.Interrupted && (last == nil || last.Undone && !x.Undone) {
				last = &x
			}
		}
	}
	return p, last, nil
}

// isNamed reports whether a decision was about something with this name.
func (d *decideFlags) isNamed(x *model.Decision, name string) bool {
	return (x.Name == name || x.Node == name) && (d.build == "" || d.build == x.Build)
}

// doBuild performs a verb on the selected build.
func (d *decideFlags) doBuild(ctx context.Context, s *env, verb model.Verb, _ []string) error {
	return d.performOn(ctx, s, func(in *selection) (model.Action, string, error) {
		b, err := d.selectBuild(in, verb)
		if err != nil {
			return model.Action{}, "", err
		}
		return model.Action{Verb: verb, Project: in.rootOf(b), Build: b.ID}, b.ID, nil
	})
}

// findAction returns the action of a command, and the user's name for its target.
type findAction func(*selection) (a model.Action, name string, err error)

// performOn performs an action here, or on a machine of a remote.
func (d *decideFlags) performOn(ctx context.Context, s *env, find findAction) error {
	if d.remote != "" {
		return d.performRemotely(ctx, s, find)
	}
	var a model.Action
	var name string
	p, err := d.find(s, func(in *selection) (err error) {
		a, name, err = find(in)
		return err
	})
	if err != nil {
		return err
	}
	return d.perform(ctx, s, p, a, name)
}

// perform performs an action here, or prints what it would do. The name is the user's name for the target.
func (d *decideFlags) perform(ctx context.Context, s *env, p *parse.Project, a model.Action, name string) error {
	who, err := d.checkDecider(s)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return d.performBy(ctx, s, signingActor{parse.NewActions([]*parse.Project{p}, byCommand, s.now).WithCaller(who), s, s.stderr}, a, name)
}

// checkDecider returns who decides; a dry run decides nothing.
func (d *decideFlags) checkDecider(s *env) (model.Caller, error) {
	who, err := s.recognizeDecider(model.HowCommand)
	if d.dryRun {
		err = nil
	}
	return who, err
}

// performBy is perform by an actor.
func (d *decideFlags) performBy(ctx context.Context, s *env, actor actor, a model.Action, name string) error {
	a.IfSeen = d.ifSeen
	proposal, err := d.proposeOrTidy(ctx, actor, a)
	if err != nil {
		return d.refusalError(s, name, err)
	}
	a.File = proposal.Action.File
	if len(proposal.Missing) > 0 && !a.RecordFailed && a.Verb == model.VerbApprove {
		return fmt.Errorf("%s: %s; have the agents deliver what is missing, or record the failed check with --record-failed", name, proposal.Lacks)
	}
	if d.dryRun {
		return d.printOutcome(s, resultDryRun, &model.Outcome{Proposal: proposal})
	}
	if a.Verb == model.VerbSync {
		if err := d.confirmEdits(s, proposal); err != nil {
			return err
		}
		a.Shown = proposal.Action.Shown // only what was shown
	}
	if proposal.Confirm != "" && !d.yes {
		if err := s.confirmWord(proposal, name); err != nil {
			return err
		}
		a.Shown = proposal.Action.Shown
	}
	if d.remote != "" { // its host does exactly what was shown here, or nothing
		a.Seen, a.Shown = proposal.Action.Seen, proposal.Action.Shown
	}
	o, err := actor.Do(ctx, a)
	if o == nil {
		return d.refusalError(s, name, err)
	}
	if a.Verb == model.VerbChanges { // the warnings are about waiting agents, which have received the answer by now
		o.Proposal.Warnings = proposal.Warnings
	}
	result := resultDone
	var over *model.Overwritten
	if err == nil {
		if err = actor.Watch(ctx, o, d.watch); errors.As(err, &over) {
			result = resultOverwritten
		}
	}
	if printErr := d.printOutcome(s, result, o); printErr != nil {
		return printErr
	}
	switch {
	case over != nil:
		return fmt.Errorf("%s: another writer has overwritten %s; look at it and decide again", over.File, strings.Join(over.Lost, ", "))
	case err != nil:
		return err
	case len(proposal.Missing) > 0 && a.Verb == model.VerbApprove:
		return refusal{} // the failed check was recorded, so work must not continue
	}
	return nil
}

// actor carries out decisions: about projects here, or on other machines.
type actor interface {
	model.Actor
	Tidy(ctx context.Context, a model.Action)
	Watch(ctx context.Context, o *model.Outcome, d time.Duration) error
}

// proposeOrTidy returns the effect of an action. If the action is refused, nothing will be written, so it removes the temporary files of
// a killed run.
func (d *decideFlags) proposeOrTidy(ctx context.Context, actor actor, a model.Action) (*model.Proposal, error) {
	proposal, err := actor.Propose(ctx, a)
	if err != nil && !d.dryRun {
		actor.Tidy(ctx, a)
	}
	return proposal, err
}

// refusalError returns the error of an action that was not done, or nil if there was nothing to do.
func (d *decideFlags) refusalError(s *env, name string, err error) error {
	var refused *model.Refusal
	switch {
	case !errors.As(err, &refused):
		return err
	case refused.Already:
		return d.printOutcome(s, resultAlready, &model.Outcome{Note: refused.Error()})
	case strings.Contains(refused.Text, name):
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// confirmEdits shows the edits of a file, and asks for confirmation.
func (d *decideFlags) confirmEdits(s *env, p *model.Proposal) error {
	if !s.asJSON {
		s.out.printf("%s\n", p.File)
		s.printEdits(p.Edits)
		if err := s.out.Flush(); err != nil { // before the question
			return err
		}
	}
	if d.yes {
		return nil
	}
	if s.keys == nil {
		return fmt.Errorf("%s: nothing was written: there is no terminal to ask on; in a script say --yes", p.File)
	}
	typed, err := s.promptUser("write %s? [y/N]", p.File)
	if err != nil {
		return err
	}
	if answer := strings.ToLower(typed); answer != "y" && answer != "yes" {
		return fmt.Errorf("%s: not agreed to, nothing was written", p.File)
	}
	return nil
}

// confirmWord asks for the confirmation word on the terminal.
func (s *env) confirmWord(p *model.Proposal, name string) error {
	if s.keys == nil {
		return fmt.Errorf("%s: %s has to be confirmed on a terminal; in a script say --yes", name, p.Action.Verb)
	}
	for _, w := range p.Warnings {
		s.complain("%s", w)
	}
	typed, err := s.promptUser("%s: %s. Type %q to go on:", line.Name(name), p.Effect, p.Confirm)
	if err != nil {
		return err
	}
	if typed != p.Confirm {
		return fmt.Errorf("%s: not confirmed, nothing was written", name)
	}
	return nil
}

// promptUser asks something on the terminal, and returns the typed line.
func (s *env) promptUser(format string, args ...any) (typed string, err error) {
	fmt.Fprint(s.stderr, foldRow(asForeign(fmt.Sprintf(format, args...)), s.errWidth)+" ")
	typed, err = bufio.NewReader(io.LimitReader(s.keys, maxWord)).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimSpace(typed), err
}

// maxWord bounds the line with a confirmation word.
const maxWord = 1000

// maxText bounds a text from standard input, in bytes: more than anyone writes, and small enough for
// a journal.
const maxText = 64 << 10

// readWords replaces "-" by the text from standard input.
func (s *env) readWords(words *string) (err error) {
	if *words == "-" {
		*words, err = readText(s.stdin)
	}
	return err
}

// readText reads a text from standard input.
func readText(r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("standard input: %w", err)
	case len(data) > maxText:
		return "", fmt.Errorf("standard input: the text is longer than %d bytes; write the rest into a file and name it", maxText)
	case !utf8.Valid(data):
		return "", errors.New("standard input: this is no UTF-8 text; convert it first")
	}
	return strings.TrimSpace(string(data)), nil
}
