package main

// How the commands that decide something do it. verbs.go lists them.

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

// What the journal says decisions are made by.
const (
	byCommand   = "command"
	byDashboard = "dashboard"
)

// deciding are the flags of the commands that decide something.
type deciding struct {
	place
	dryRun bool
	asJSON bool
	yes    bool          // the word to confirm it need not be typed
	fleet  string        // on whose machines it may be, "" for here alone
	watch  time.Duration // how long it is watched afterwards

	recordFailed bool
	ahead        bool   // approve a gate that the work has not reached
	text         string // a reason, or what is to be changed
	ifSeen       string // the hash of what was seen, "" without one
}

// decidingJSON says what the JSON of these commands is.
const decidingJSON = `With --json: {"schema", "result", "note", "gate", "build", "effect", "file",
"edits": [{"label", "at", "old", "new"}], "releases", "missing", "warnings",
"decision"}; the result is done, already, dry-run or overwritten.`

// addTo gives a command the flags.
func (d *deciding) addTo(s *surroundings, cmd *cobra.Command) {
	d.place.addTo(s, cmd)
	s.decidingFlags(cmd)
	cmd.Flags().BoolVarP(&d.dryRun, "dry-run", "n", false, "print what would be written, and write nothing")
	yesFlag(cmd, &d.yes)
	cmd.Flags().BoolVar(&d.asJSON, "json", false, "print what was done as JSON")
	cmd.Flags().StringVar(&d.ifSeen, "if-seen", "", "do it only while what gates or status --json printed as if_seen is this `hash`; repeating it is harmless")
	cmd.Flags().DurationVar(&d.watch, "watch", 0, "keep watching for this `time`, like 10s; exit 1 if another program overwrites the decision")
}

// wordsFlag gives a command --text for words, which - reads from standard input. The flag's former name still works.
func wordsFlag(cmd *cobra.Command, words *string, former, usage string) {
	fl := cmd.Flags()
	fl.StringVarP(words, "text", "m", "", usage+"; - reads standard input")
	if former != "" {
		fl.StringVar(words, former, "", "the same as --text")
		fl.Lookup(former).Hidden = true
	}
}

// yesFlag gives a command --yes, which every command that decides accepts, also those that never ask.
func yesFlag(cmd *cobra.Command, yes *bool) {
	cmd.Flags().BoolVarP(yes, "yes", "y", false, "do not ask for confirmation")
}

// doGate does something to the gate that the one argument names.
func (d *deciding) doGate(ctx context.Context, s *surroundings, verb model.Verb, args []string) error {
	if d.fleet != "" {
		return d.onFleet(ctx, s, verb, func(all *fleetPlace) (model.Action, string, error) { return all.gate(d, verb, args[0]) })
	}
	p, g, err := d.gate(s, args[0])
	if err != nil {
		return err
	}
	a := model.Action{Verb: verb, Project: p.Root(), Build: g.Build.ID, Node: g.Node.ID, Text: d.text, RecordFailed: d.recordFailed, Ahead: d.ahead}
	return d.do(ctx, s, p, a, g.Name)
}

// doPhase does something to the phase that the one argument names.
func (d *deciding) doPhase(ctx context.Context, s *surroundings, verb model.Verb, args []string) error {
	if d.fleet != "" {
		return d.onFleet(ctx, s, verb, func(all *fleetPlace) (model.Action, string, error) { return all.phase(d, verb, args[0]) })
	}
	p, b, n, err := d.phase(s, args[0])
	if err != nil {
		return err
	}
	return d.do(ctx, s, p, model.Action{Verb: verb, Project: p.Root(), Build: b.ID, Node: n.ID}, n.Title)
}

// doBuild does something to the build that is meant.
func (d *deciding) doBuild(ctx context.Context, s *surroundings, verb model.Verb, _ []string) error {
	if d.fleet != "" {
		return d.onFleet(ctx, s, verb, func(all *fleetPlace) (model.Action, string, error) { return all.build(d, verb) })
	}
	p, b, err := d.one(s, verb)
	if err != nil {
		return err
	}
	return d.do(ctx, s, p, model.Action{Verb: verb, Project: p.Root(), Build: b.ID}, b.ID)
}

// do does an action here, or says what it would do. The name is how the user called the target.
func (d *deciding) do(ctx context.Context, s *surroundings, p *parse.Project, a model.Action, name string) error {
	who, err := d.decider(s)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return d.doBy(ctx, s, signing{parse.NewActions([]*parse.Project{p}, byCommand, s.now).WithCaller(who), s, s.stderr}, a, name)
}

// decider returns who decides; a dry run decides nothing.
func (d *deciding) decider(s *surroundings) (model.Caller, error) {
	who, err := s.decider(model.HowCommand)
	if d.dryRun {
		err = nil
	}
	return who, err
}

// doBy is do by an actor.
func (d *deciding) doBy(ctx context.Context, s *surroundings, actor actor, a model.Action, name string) error {
	a.IfSeen = d.ifSeen
	proposal, err := d.propose(ctx, actor, a)
	if err != nil {
		return d.refused(s, name, err)
	}
	a.File = proposal.Action.File
	if len(proposal.Missing) > 0 && !a.RecordFailed && a.Verb == model.VerbApprove {
		return fmt.Errorf("%s: %s; have the agents deliver what is missing, or record the failed check with --record-failed", name, proposal.Lacks)
	}
	if d.dryRun {
		return d.say(s, resultDryRun, &model.Outcome{Proposal: proposal})
	}
	if a.Verb == model.VerbSync {
		if err := d.agreed(s, proposal); err != nil {
			return err
		}
		a.Shown = proposal.Action.Shown // and nothing else than what was shown
	}
	if proposal.Confirm != "" && !d.yes {
		if err := s.confirm(proposal, name); err != nil {
			return err
		}
		a.Shown = proposal.Action.Shown
	}
	if d.fleet != "" { // its host does what was shown here, or nothing
		a.Seen, a.Shown = proposal.Action.Seen, proposal.Action.Shown
	}
	o, err := actor.Do(ctx, a)
	if o == nil {
		return d.refused(s, name, err)
	}
	if a.Verb == model.VerbChanges { // nor is it different for who hears it
		o.Proposal.Warnings = proposal.Warnings
	}
	result := resultDone
	var over *model.Overwritten
	if err == nil {
		if err = actor.Watch(ctx, o, d.watch); errors.As(err, &over) {
			result = resultOverwritten
		}
	}
	if said := d.say(s, result, o); said != nil {
		return said
	}
	switch {
	case over != nil:
		return fmt.Errorf("%s: another writer has overwritten %s; look at it and decide again", over.File, strings.Join(over.Lost, ", "))
	case err != nil:
		return err
	case len(proposal.Missing) > 0 && a.Verb == model.VerbApprove:
		return refusal{} // the failed check was recorded: nothing may go on
	}
	return nil
}

// actor does what a command decides: that of projects here, or of a fleet.
type actor interface {
	model.Actor
	Tidy(ctx context.Context, a model.Action)
	Watch(ctx context.Context, o *model.Outcome, d time.Duration) error
}

// propose says what an action would do. Where that is refused, nobody is going to write, so what a run of it that was killed
// has left behind is taken away here.
func (d *deciding) propose(ctx context.Context, actor actor, a model.Action) (*model.Proposal, error) {
	proposal, err := actor.Propose(ctx, a)
	if err != nil && !d.dryRun {
		actor.Tidy(ctx, a)
	}
	return proposal, err
}

// refused returns the error of an action that was not done, or nil where nothing had to be.
func (d *deciding) refused(s *surroundings, name string, err error) error {
	var refused *model.Refusal
	switch {
	case !errors.As(err, &refused):
		return err
	case refused.Already:
		return d.say(s, resultAlready, &model.Outcome{Note: refused.Error()})
	case strings.Contains(refused.Text, name):
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// confirm asks for the word that has to be typed, on the terminal.
func (s *surroundings) confirm(p *model.Proposal, name string) error {
	if s.keys == nil {
		return fmt.Errorf("%s: %s has to be confirmed on a terminal; in a script say --yes", name, p.Action.Verb)
	}
	for _, w := range p.Warnings {
		s.complain("%s", w)
	}
	typed, err := s.ask("%s: %s. Type %q to go on:", line.Name(name), p.Effect, p.Confirm)
	if err != nil {
		return err
	}
	if typed != p.Confirm {
		return fmt.Errorf("%s: not confirmed, nothing was written", name)
	}
	return nil
}

// ask asks something on the terminal, and returns what is typed.
func (s *surroundings) ask(format string, args ...any) (typed string, err error) {
	fmt.Fprint(s.stderr, folded(foreign(fmt.Sprintf(format, args...)), s.errWidth)+" ")
	typed, err = bufio.NewReader(io.LimitReader(s.keys, maxWord)).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimSpace(typed), err
}

// maxWord is how much is read of a line that is to hold one word.
const maxWord = 1000

// maxText is how many bytes a text may have that is read from standard input: more than anybody writes, and few enough for
// a journal.
const maxText = 64 << 10

// readText reads a text that somebody pipes in.
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
