package main

// The commands that decide about a gate or a build, one row each. How they work is in decide.go, what they
// print in outcome.go.

import (
	"context"

	"github.com/spf13/cobra"

	"gatehouse/model"
)

// verb is a deciding command.
type verb struct {
	is          model.Verb
	short, long string
	flags       func(d *decideFlags, cmd *cobra.Command) // nil if it has no flags of its own
	// do performs it, on the gate or the item that the arguments name, or else on the build; nil for [decideFlags.doGate].
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
		do:   (*decideFlags).doBuild,
	}, {
		is: model.VerbAbort, about: aboutBuild, short: "Abort a loop",
		long: "Write the loop failed. It asks for the word \"abort\" on the terminal; scripts say\n--yes.",
		do:   (*decideFlags).doBuild,
	}, {
		is: model.VerbComplete, about: aboutBuild, short: "Complete a loop",
		long: "Write the loop complete, once its phases are over and its required gates decided.",
		do:   (*decideFlags).doBuild,
	}, {
		is: model.VerbSkipPhase, about: aboutPhase, short: "Skip a phase of a loop",
		long: "Skip a phase of a loop that has not begun and is not required. PHASE is named as\n\"gatehouse status\" prints it.",
		do:   (*decideFlags).doPhase,
	}, {
		is: model.VerbRestart, about: aboutBuild, short: "Start a loop over",
		long: `Start a complete or failed loop over: its state is kept beside it, as
NAME-state-20260301T120000Z.json, and a new one is made from its loop.json. It
asks for the word "restart" on the terminal; scripts say --yes.`,
		do: (*decideFlags).doBuild,
	}, {
		is: model.VerbFresh, about: aboutBuild, short: "Clear a fctry run, to start fresh",
		long: `Clear the run that a fctry build has begun, so that the next one is planned from
scratch. Finished work of its chunks stays. It asks for the word "fresh" on the terminal;
scripts say --yes. "gatehouse undo RUN" puts it back while nothing else has
changed the file.`,
		do: (*decideFlags).doBuild,
	}, {
		is: model.VerbSync, about: aboutBuild, short: "Bring STATE.md in line with the tree",
		long: `Bring STATE.md of an ultraplan project in line with the tree: its progress, the
plans it counts, a status and a number of phases that the tree denies. Nothing
else in it changes. What would change is shown first; it asks on the terminal,
and scripts say --yes.`,
		do: (*decideFlags).doBuild,
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
			return v.do(&d, cmd.Context(), s, v.is, args)
		},
	}
	if v.do == nil {
		v.do = (*decideFlags).doGate
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
		cmd.Args, cmd.ValidArgsFunction = oneArg("phase", "which phase? gatehouse status lists them"), cobra.NoFileCompletions
	}
	d.addTo(s, cmd)
	s.remoteBuildsFlag(cmd, &d.remote)
	if v.flags != nil {
		v.flags(&d, cmd)
	}
	return cmd
}
