package main

// The commands that decide about a gate or a build, here or on another machine: the table of verbs, how they work, and what they print.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/caller"
	client "gatehouse/parse/agents/record"
	"gatehouse/parse/ultraplan"
	"gatehouse/parse/ultraplan/record"
)

// verb is a deciding command.
type verb struct {
	is          model.Verb
	short, long string
	flags       func(d *decideFlags, cmd *cobra.Command) // nil if it has no flags of its own
	// do performs it, if that is more than [decideFlags.performOnTarget].
	do func(d *decideFlags, ctx context.Context, s *env, v model.Verb, args []string) error
	// about is the kind of the arguments.
	about subject
}

// subject is the kind of thing that a command decides about.
type subject int

const (
	aboutGate    subject = iota // a gate for which the verb is possible now
	aboutDecided                // something that the journal knows; not completed
	aboutPhase
	aboutBuild
)

// verbTable has the rows, in no particular order.
func verbTable() []verb {
	return []verb{{
		is: model.VerbApprove, short: "Approve a gate",
		long: `Approve a gate: the state file records it, and the agents may go on. They advance
the phases.

A gate that the work has not reached is refused, unless --ahead is given. With a
deliverable missing it is refused. --record-failed writes the failed check into
the state file then, and exits 1.`,
		flags: func(d *decideFlags, cmd *cobra.Command) {
			wordsFlag(cmd, &d.text, "note", "`words` that go with it, for the journal and for an agent that waits")
			cmd.Flags().BoolVar(&d.ahead, "ahead", false, "approve a gate that the work has not reached")
			cmd.Flags().BoolVar(&d.recordFailed, "record-failed", false, "with deliverables missing, write the gate failed")
		},
	}, {
		is: model.VerbSkip, short: "Skip a gate, for a reason",
		long: `Skip a gate. The reason is written into the state file; it needs more than ten
characters.`,
		flags: func(d *decideFlags, cmd *cobra.Command) {
			wordsFlag(cmd, &d.text, "reason", "why it is skipped, in `words`")
		},
	}, {
		is: model.VerbChanges, short: "Ask for changes before a gate passes",
		long: `Ask for changes before a gate passes. A loop's state file has no place for the
text: it is in the journal, and "gatehouse wait" prints it.`,
		flags: func(d *decideFlags, cmd *cobra.Command) { wordsFlag(cmd, &d.text, "", "what to change, in `words`") },
	}, {
		is: model.VerbRetry, short: "Retry a failed gate",
		long: `Retry a failed gate. A loop's gate becomes pending and can be approved; the gate
of an ultraplan task starts over with its first step. For a blocked gate it asks
for a word on the terminal; scripts say --yes.`,
	}, {
		is: model.VerbUndo, about: aboutDecided, short: "Undo the last decision on a gate",
		long: `Undo the last decision on a gate, while nobody has acted on it: it is refused once
the gate has another status, a "gatehouse wait" has passed the decision on, or the
next phase has begun. What others wrote elsewhere in the file stays. A decision on
an inbox item or a run is undone by its ID.`,
		do: (*decideFlags).undoDecision,
	}, {
		is: model.VerbPause, about: aboutBuild, short: "Pause a loop",
		long: "Write the loop paused. Agents that follow its protocol stop then; gates can be\ndecided again when it is resumed.",
	}, {
		is: model.VerbAbort, about: aboutBuild, short: "Abort a loop",
		long: "Write the loop failed. It asks for the word \"abort\" on the terminal; scripts say\n--yes.",
	}, {
		is: model.VerbComplete, about: aboutBuild, short: "Complete a loop",
		long: "Write the loop complete, once its phases are over and its required gates decided.",
	}, {
		is: model.VerbSkipPhase, about: aboutPhase, short: "Skip a phase of a loop",
		long: "Skip a phase of a loop that has not begun and is not required. PHASE is named as\n\"gatehouse status\" prints it.",
	}, {
		is: model.VerbRestart, about: aboutBuild, short: "Start a loop over",
		long: `Start a complete or failed loop over: its state is kept beside it, as
NAME-state-20260301T120000Z.json, and a new one is made from its loop.json. It
asks for the word "restart" on the terminal; scripts say --yes.`,
	}, {
		is: model.VerbFresh, about: aboutBuild, short: "Clear a fctry run, to start fresh",
		long: `Clear the run that a fctry build has begun, so that the next one is planned from
scratch. Finished work of its chunks stays. It asks for the word "fresh" on the terminal;
scripts say --yes. "gatehouse undo RUN" puts it back while nothing else has
changed the file.`,
	}, {
		is: model.VerbSync, about: aboutBuild, short: "Bring STATE.md in line with the tree",
		long: `Bring STATE.md of an ultraplan project in line with the tree: its progress, the
plans it counts, a status and a number of phases that the tree denies. Nothing
else in it changes. What would change is shown first; it asks on the terminal,
and scripts say --yes.`,
	}, resumeVerb()}
}

// newCommand returns the command of a row.
func (v verb) newCommand(s *env) *cobra.Command {
	var d decideFlags
	cmd := &cobra.Command{
		Use:   string(v.is),
		Short: v.short,
		Long:  v.long,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.readWords(&d.text); err != nil {
				return err
			}
			if v.do != nil {
				return v.do(&d, cmd.Context(), s, v.is, args)
			}
			return d.performOnTarget(cmd.Context(), s, v.is, v.about, args)
		},
	}
	switch offered := v.is; v.about {
	case aboutDecided:
		offered = ""
		fallthrough
	case aboutGate:
		cmd.Use += " GATE"
		cmd.Long = v.long + "\n\nThe gate is named as \"gatehouse gates\" prints it: frame-gate, 02-UAT/3."
		cmd.Args, cmd.ValidArgsFunction = oneGate, d.completeGates(s, offered)
	}
	if v.about == aboutPhase {
		cmd.Use += " PHASE"
		cmd.Args = oneArg("phase", "which phase? gatehouse status lists them")
	}
	d.addTo(s, cmd)
	s.remoteBuildsFlag(cmd, &d.remote)
	if v.flags != nil {
		v.flags(&d, cmd)
	}
	return cmd
}

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

// performOnTarget performs a verb on the gate or phase that the argument names, or on the selected build.
func (d *decideFlags) performOnTarget(ctx context.Context, s *env, verb model.Verb, about subject, args []string) error {
	return d.performOn(ctx, s, func(in *selection) (a model.Action, name string, err error) {
		var b *model.Build
		a = model.Action{Verb: verb}
		switch about {
		case aboutGate, aboutDecided:
			var g namedGate
			if g, err = d.selectGate(in, args[0]); err == nil {
				b, name, a.Node, a.Text, a.RecordFailed, a.Ahead = g.Build, g.Name, g.Node.ID, d.text, d.recordFailed, d.ahead
			}
		case aboutPhase:
			var n *model.Node
			if b, n, err = d.selectPhase(in, args[0]); err == nil {
				name, a.Node = n.Title, n.ID
			}
		case aboutBuild:
			if b, err = d.selectBuild(in, verb); err == nil {
				name = b.ID
			}
		}
		if err == nil {
			a.Project, a.Build = in.rootOf(b), b.ID
		}
		return a, name, err
	})
}

// undoDecision undoes the last decision about a gate, or about something else that the journal names.
func (d *decideFlags) undoDecision(ctx context.Context, s *env, verb model.Verb, args []string) error {
	if d.remote == "" {
		if p, last, err := d.lastDecision(s, args[0]); err == nil && last != nil {
			return d.perform(ctx, s, p, model.Action{Verb: verb, Project: p.Root(), Build: last.Build, Node: last.Node}, args[0])
		}
	}
	return d.performOnTarget(ctx, s, verb, aboutDecided, args)
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
	proposal, err := actor.Propose(ctx, a)
	if err != nil && !d.dryRun { // nothing will be written, so the temporary files of a killed run can go
		actor.Tidy(ctx, a)
	}
	if err != nil {
		return d.refusalError(s, name, err)
	}
	a.File = proposal.Action.File
	if len(proposal.Missing) > 0 && !a.RecordFailed && a.Verb == model.VerbApprove {
		return fmt.Errorf("%s: %s; have the agents deliver what is missing, or record the failed check with --record-failed", name, proposal.Lacks)
	}
	if d.dryRun {
		return d.printOutcome(s, remote.ResultDryRun, &model.Outcome{Proposal: proposal})
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
	result := remote.ResultDone
	var over *model.Overwritten
	if err == nil {
		if err = actor.Watch(ctx, o, d.watch); errors.As(err, &over) {
			result = remote.ResultOverwritten
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

// refusalError returns the error of an action that was not done, or nil if there was nothing to do.
func (d *decideFlags) refusalError(s *env, name string, err error) error {
	var refused *model.Refusal
	switch {
	case !errors.As(err, &refused):
		return err
	case refused.Already:
		return d.printOutcome(s, remote.ResultAlready, &model.Outcome{Note: refused.Error()})
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
	fmt.Fprint(s.stderr, foldRow(line.Foreign(fmt.Sprintf(format, args...)), s.errWidth)+" ")
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
func (s *env) readWords(words *string) error {
	if *words != "-" {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(s.stdin, maxText+1))
	switch {
	case err != nil:
		return fmt.Errorf("standard input: %w", err)
	case len(data) > maxText:
		return fmt.Errorf("standard input: the text is longer than %d bytes; write the rest into a file and name it", maxText)
	case !utf8.Valid(data):
		return errors.New("standard input: this is no UTF-8 text; convert it first")
	}
	*words = strings.TrimSpace(string(data))
	return nil
}

// performRemotely performs an action on a machine of the remote, or here. find returns the target of the command.
func (d *decideFlags) performRemotely(ctx context.Context, s *env, find findAction) error {
	if d.watch > 0 {
		return usageError{errors.New("--watch: it is for files on this machine; a host looks again by itself")}
	}
	var dirs []string
	if d.dir != thisDir && !isRemoteDir(d.dir) {
		dirs = []string{d.dir}
	}
	local, err := s.localProjects(dirs)
	if err != nil {
		return err
	}
	return s.seeRemote(ctx, d.remote, func(ctx context.Context, f *remote.View, snap *model.Snapshot) error {
		a, name, err := d.findRemotely(f, s.readSnapshot(local).Projects, snap, find)
		switch {
		case err != nil && snap.Watch != "": // without a connection, the rest is unknown
			return s.remoteTrouble(snap.Watch)
		case err != nil:
			return err
		case !f.Has(a.Project):
			i := slices.IndexFunc(local, func(p *parse.Project) bool { return p.Root() == a.Project })
			if i < 0 { // the host removed it in between
				return fmt.Errorf("%s: it is not there any more; look again", name)
			}
			d.remote = ""
			return d.perform(ctx, s, local[i], a, name)
		}
		if _, err = d.checkDecider(s); err == nil {
			err = s.checkSignable(a.Project, a.Node)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return d.performBy(ctx, s, remoteActor{f}, a, name)
	})
}

// findRemotely finds the action among the projects here and on other machines. A project that is both here and there counts once.
func (d *decideFlags) findRemotely(f *remote.View, here []*model.Project, snap *model.Snapshot, find findAction) (a model.Action, name string, err error) {
	if !isRemoteDir(d.dir) {
		return find(&selection{f.Join(&model.Snapshot{Projects: here}, snap).Projects, "these machines"})
	}
	if d.dir, err = findRemoteRoot(snap, d.dir); err != nil {
		return a, "", err
	}
	return find(&selection{slices.DeleteFunc(slices.Clone(snap.Projects), func(p *model.Project) bool { return p.Root != d.dir }), d.dir})
}

// isRemoteDir reports whether --dir names a project of another machine: build-7:/src/shop, or build-7:shop if no directory here has this name.
func isRemoteDir(dir string) bool {
	if remote.IsRoot(dir) {
		return true
	}
	if _, err := os.Lstat(dir); err == nil {
		return false
	}
	host, name, ok := strings.Cut(dir, ":")
	return ok && host != "" && name != "" && !strings.ContainsAny(host, `/\`)
}

// findRemoteRoot returns the root of the project named build-7:shop, or build-7:/src/shop.
func findRemoteRoot(snap *model.Snapshot, dir string) (string, error) {
	var joined, hosts, found []string
	host, name, _ := strings.Cut(dir, ":")
	for _, p := range snap.Projects {
		if p.Host.Name != host {
			continue
		}
		joined = append(joined, p.Name)
		if p.Root == dir || p.Name == name {
			found = append(found, p.Root)
		}
	}
	for _, h := range snap.Hosts {
		hosts = append(hosts, h.Name)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", usageError{fmt.Errorf("--dir %s: several are called so: %s", dir, model.Listed(found))}
	case !slices.Contains(hosts, host):
		return "", usageError{fmt.Errorf("--dir %s: there is no host %s; there is %s", dir, host, model.Listed(hosts))}
	}
	return "", usageError{fmt.Errorf("--dir %s: %s has not joined %s; it has joined %s", dir, host, name, model.Listed(joined))}
}

// remoteActor is a remote as an actor for commands. Its hosts do the further work on files.
type remoteActor struct{ *remote.View }

// Tidy implements [actor].
func (remoteActor) Tidy(context.Context, model.Action) {}

// Watch implements [actor].
func (r remoteActor) Watch(ctx context.Context, o *model.Outcome, _ time.Duration) error {
	return r.Settle(ctx, o)
}

// printOutcome prints the outcome.
func (d *decideFlags) printOutcome(s *env, result string, o *model.Outcome) error {
	p := o.Proposal
	if p == nil {
		p = &model.Proposal{}
	}
	if s.asJSON {
		printed := remote.NewOutcome(result, o)
		if o.Decision.ID != "" {
			printed.Decision = cleanDecision(&o.Decision)
		}
		return s.out.printJSON(printed)
	}
	words := p.Action.Verb.Words()
	if p.Action.Verb == model.VerbApprove && len(p.Missing) > 0 { // approving such a gate records the failed check
		words.Would, words.Did = "record the failed check of", "recorded the failed check of"
	}
	switch result {
	case remote.ResultAlready:
		s.out.printf("%s; nothing was written\n", o.Note)
		return nil
	case remote.ResultOverwritten: // the reason is printed as an error
		s.out.printf("not %s %s: %s was written, and written over\n", p.Action.Verb.Words().Did, line.Name(p.Name), formatChange(p.Effect))
		return nil
	case remote.ResultDryRun:
		s.out.printf("would %s %s: %s (%s)\n", words.Would, line.Name(p.Name), formatChange(p.Effect), p.File)
		for _, e := range p.Edits {
			s.out.printf("  %s  %s: %s → %s\n", e.Pos, e.Label, shortenValue(e.Old), shortenValue(e.New))
		}
	default:
		s.out.printf("%s %s: %s (%s)\n", words.Did, line.Name(p.Name), formatChange(p.Effect), p.File)
	}
	for _, w := range p.Warnings {
		s.out.printf("  mind: %s\n", w)
	}
	if len(p.Missing) > 0 {
		s.out.printf("  %s\n", p.Lacks)
	} else if len(p.Releases) > 0 {
		s.out.printf("  may begin: %s\n", strings.Join(p.Releases, ", "))
	}
	return nil
}

// maxValue bounds a printed value for people, in characters; --json prints it completely.
const maxValue = 300

// shortenValue shortens a value for people.
func shortenValue(value string) string {
	if value == "" {
		return "nothing"
	}
	value = strings.Join(strings.Fields(value), " ") // values of several lines are meant for a file
	if runes := []rune(value); len(runes) > maxValue {
		return string(runes[:maxValue]) + "…"
	}
	return value
}

// decidingFlags adds the flags of all commands that decide: --as-agent for automation, and --sign.
func (s *env) decidingFlags(cmd *cobra.Command) {
	cmd.Flags().Func("as-agent", "decide as automation with this `name`, which the journal records", func(name string) error {
		if s.automation = name; strings.TrimSpace(name) == "" {
			return errors.New("the name is empty; write that of your automation, like --as-agent release-bot")
		}
		return nil
	})
	completeFlag(cmd, "as-agent", cobra.NoFileCompletions)
	cmd.Flags().BoolVar(&s.signs, "sign", false, "sign the decision with the key of the setting sign_key")
}

// recognizeCaller returns who runs this command.
func (s *env) recognizeCaller() caller.Caller {
	signs := caller.Signs{Env: s.getenv, Table: s.processes}
	signs.Recorded = func(pid int) (string, string) {
		if session, _ := client.ClaudeState(s.user.Home, s.getenv, pid); session != "" {
			return "claude", session
		}
		return "", ""
	}
	if s.agents != "" {
		signs.Sessions, _ = s.openAsks().Sessions() // if sessions can't be read, other evidence still counts
	}
	return caller.Recognize(signs)
}

// recognizeDecider returns who decides by this command or dashboard, for the journal. The error refuses an agent.
func (s *env) recognizeDecider(how string) (model.Caller, error) {
	c := s.recognizeCaller()
	c.How = how
	switch {
	case s.automation != "":
		c.Actor, c.Client = model.Automation, s.automation
	case c.IsAgent():
		return c.Caller, fmt.Errorf("%s runs this (%s), and agents do not decide; leave it to your user", c.Client, c.Sign)
	}
	return c.Caller, nil
}

// decidingStore returns the store of asks for a command that answers.
func (s *env) decidingStore() (*ask.Store, error) {
	c, err := s.recognizeDecider(model.HowCommand)
	if err != nil {
		return nil, err
	}
	return s.openAsks().By(c, s.signAnswer(s.stderr)), nil
}

// checkAnswerer returns why this process may not answer an ask.
func (s *env) checkAnswerer(item *ask.Item) error {
	return s.openAsks().Refuses(&item.Ask, s.processes.Self().PID, s.environ)
}

var errNothingToResume = errors.New("nothing to resume here; " + elsewhere)

// resumesJSON is the document of "gatehouse resume --plan --json".
type resumesJSON struct {
	Schema  int          `json:"schema"`
	Resumes []resumeJSON `json:"resumes"` // one for each build that is meant
}

// resumeJSON is one entry of it.
type resumeJSON struct {
	Project string `json:"project"` // its directory
	model.Resume
}

// resumeVerb is the row of the table of verbs.
func resumeVerb() verb {
	var plan, failed, discard bool
	return verb{
		is: model.VerbResume, about: aboutBuild, short: "Resume a paused loop, or print where work stopped",
		long: `Write a paused loop active again.

In an ultraplan project it writes nothing, and prints where work stopped, what
continue.md says of it, and what comes next. To start fresh, --discard renames the file
to continue.md.discarded.

With --retry-failed it resumes a failed loop. It asks for a word on the terminal;
scripts say --yes.

With --plan it writes nothing and prints what resuming would do: which phase,
gate or chunk, and why.`,
		flags: func(d *decideFlags, cmd *cobra.Command) {
			cmd.Flags().BoolVar(&plan, "plan", false, "print what resuming would do, and write nothing")
			cmd.Flags().BoolVar(&discard, "discard", false, "archive continue.md of an ultraplan project, to start fresh")
			cmd.Flags().BoolVar(&failed, "retry-failed", false, "resume a failed loop")
		},
		do: func(d *decideFlags, ctx context.Context, s *env, v model.Verb, args []string) error {
			if failed {
				v = model.VerbRetryFailed
			}
			switch {
			case plan && failed, discard && (plan || failed):
				return usageError{errors.New("use one of --plan, --retry-failed and --discard")}
			case (plan || discard) && d.remote != "":
				return usageError{errors.New("--plan and --discard: they are for projects on this machine")}
			case discard:
				return d.discardResume(ctx, s)
			case failed || d.remote != "":
				return d.performOnTarget(ctx, s, v, aboutBuild, args)
			}
			found, paused, err := d.findResumes(s)
			switch isUltraplan := len(found) > 0 && found[0].Build == ultraplan.Protocol; {
			case plan && err != nil:
				return err
			case plan && len(found) == 0:
				return errNothingToResume
			case plan || isUltraplan && !paused:
				return s.printResumes(found)
			}
			return d.performOnTarget(ctx, s, v, aboutBuild, args)
		},
	}
}

// discardedJSON is the document of "gatehouse resume --discard --json".
type discardedJSON struct {
	Schema int    `json:"schema"`
	Result string `json:"result"` // discarded or dry-run
	File   string `json:"file"`   // that is put away, relative to the project's root, "/"-separated
	Kept   string `json:"kept"`   // its new path
}

// discardResume archives the file about interrupted work.
func (d *decideFlags) discardResume(ctx context.Context, s *env) error {
	found, _, err := d.findResumes(s)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(found, func(r resumeJSON) bool { return r.File != "" && r.Build == ultraplan.Protocol })
	if i < 0 {
		return errors.New("no work was interrupted, so there is nothing to discard")
	}
	if _, err := d.checkDecider(s); err != nil {
		return err
	}
	kept, err := record.New(found[i].Project, s.user.System, s.now).Discard(ctx, d.dryRun)
	if err != nil {
		return err
	}
	result, format := "discarded", "archived: %s is now %s\n"
	if d.dryRun {
		result, format = remote.ResultDryRun, "would archive: %s would become %s\n"
	}
	if s.asJSON {
		return s.out.printJSON(discardedJSON{remote.Schema, result, found[i].File, kept})
	}
	s.out.printf(format, found[i].File, kept)
	return nil
}

// findResumes returns the effect of resuming the selected builds, and whether one of them is paused.
func (d *decideFlags) findResumes(s *env) (found []resumeJSON, paused bool, err error) {
	var builds []*model.Build
	p, err := d.find(s, func(in *selection) (err error) {
		if builds, err = d.selectBuilds(in); err == nil && len(builds) == 0 {
			err = errNothingToResume
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	for _, r := range p.Resumes(s.now()) {
		if slices.ContainsFunc(builds, func(b *model.Build) bool { return b.ID == r.Build }) {
			found = append(found, resumeJSON{p.Root(), r})
		}
	}
	paused = slices.ContainsFunc(builds, func(b *model.Build) bool { return slices.Contains(b.Can, model.VerbResume) })
	return found, paused, nil
}

// longestList bounds the printed chunks.
const longestList = 200

// printResumes prints the effect of resuming.
func (s *env) printResumes(found []resumeJSON) error {
	if s.asJSON {
		return s.out.printJSON(resumesJSON{remote.Schema, found})
	}
	for _, r := range found {
		s.out.printf("%s: %s\n  %s\n", r.Build, r.Action, r.Why)
		for _, l := range r.Text {
			s.out.printf("  │ %s\n", l)
		}
		for i, step := range r.Steps {
			s.out.printf("  next %d: %s\n", i+1, step)
		}
		if len(r.Older) > 0 {
			s.out.printf("  still undecided further back: %s\n", strings.Join(r.Older, ", "))
		}
		if r.Stale != "" {
			s.out.printf("  the file calls %s the current phase, its phases say otherwise\n", r.Stale)
		}
		for _, l := range r.Lines(s.now(), longestList) {
			text := strings.TrimLeft(l, " ")
			s.out.printf("  "+l[:len(l)-len(text)]+"%s\n", text) // printing folds the blanks within a text
		}
	}
	return nil
}
