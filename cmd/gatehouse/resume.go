package main

// gatehouse resume: resumes a build, or prints its next step.

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse/ultraplan"
	"gatehouse/parse/ultraplan/record"
)

var errNothingToResume = errors.New("nothing to resume here; " + elsewhere)

// discardedJSON is the document of "gatehouse resume --discard --json".
type discardedJSON struct {
	Schema int    `json:"schema"`
	Result string `json:"result"` // discarded or dry-run
	File   string `json:"file"`   // that is put away, relative to the project's root, "/"-separated
	Kept   string `json:"kept"`   // its new path
}

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

In an ultraplan project whose work was interrupted, print what continue.md says
and what comes next. Nothing is written: the file becomes continue.md.done once
its task succeeds (gatehouse capture). To start fresh instead, --discard renames
it to continue.md.discarded.

With --retry-failed it resumes a failed loop. It asks for a word on the terminal;
scripts say --yes.

With --plan it writes nothing and prints what resuming would do: which phase,
gate or chunk, and why. With --plan --json: {"schema", "resumes": [{"project",
"build", "action", "phase", "gate", "older", "stale", "why", "chunk", "done",
"left", "changed", "blocked_on", "offers", "started", "chunks", "outdated",
"file", "text", "steps"}]}.`,
		flags: func(d *decideFlags, cmd *cobra.Command) {
			cmd.Flags().BoolVar(&plan, "plan", false, "print what resuming would do, and write nothing")
			cmd.Flags().BoolVar(&failed, "retry-failed", false, "resume a failed loop")
			cmd.Flags().BoolVar(&discard, "discard", false, "archive continue.md of an ultraplan project, to start fresh")
		},
		do: func(d *decideFlags, ctx context.Context, s *env, v model.Verb, args []string) error {
			switch {
			case d.remote != "" && (plan || discard):
				return usageError{errors.New("--plan and --discard: they are for projects on this machine")}
			case d.remote != "" && !failed:
				return d.doBuild(ctx, s, v, args)
			case plan && failed:
				return usageError{errors.New("--plan: it writes nothing, so there is nothing to retry")}
			case discard && (plan || failed):
				return usageError{errors.New("--discard: it puts work away, and takes up nothing")}
			case discard:
				return d.discardResume(ctx, s)
			case plan:
				return d.printResumes(s)
			case failed:
				return d.doBuild(ctx, s, model.VerbRetryFailed, args)
			}
			if offered, err := d.offerResume(s); offered || err != nil {
				return err
			}
			return d.doBuild(ctx, s, v, args)
		},
	}
}

// findResumes returns the effect of resuming the selected builds, and whether one of them is paused.
func (d *decideFlags) findResumes(s *env) (found []resumeJSON, paused bool, err error) {
	var builds []*model.Build
	p, err := d.findIn(s, func(mp *model.Project) (err error) {
		if builds, err = d.selectBuilds(mp.Builds); err == nil && len(builds) == 0 {
			err = errNothingToResume
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	found = []resumeJSON{}
	for _, r := range p.Resumes(s.now()) {
		if slices.ContainsFunc(builds, func(b *model.Build) bool { return b.ID == r.Build }) {
			found = append(found, resumeJSON{p.Root(), r})
		}
	}
	paused = slices.ContainsFunc(builds, func(b *model.Build) bool { return slices.Contains(b.Can, model.VerbResume) })
	return found, paused, nil
}

// offerResume prints where work was broken off, unless there is a loop to be resumed. Where neither is there it offers nothing.
func (d *decideFlags) offerResume(s *env) (offered bool, err error) {
	found, paused, err := d.findResumes(s)
	if paused || err != nil {
		if errors.Is(err, errNothingToResume) { // said by what comes next
			err = nil
		}
		return false, err
	}
	nothing := found
	found = slices.DeleteFunc(slices.Clone(found), func(r resumeJSON) bool { return r.File == "" })
	if len(found) == 0 {
		if len(nothing) == 0 || slices.ContainsFunc(nothing, func(r resumeJSON) bool { return r.Build != ultraplan.Protocol }) {
			return false, nil
		}
		found = nothing // of ultraplan only: it describes the position of the work
	}
	if s.asJSON {
		return true, s.out.printJSON(resumesJSON{statusSchema, found})
	}
	for _, r := range found {
		if r.File == "" {
			s.out.printf("%s: %s\n", r.Build, r.Why)
			continue
		}
		s.out.printf("%s: %s (%s)\n", r.Build, r.Why, r.File)
		for _, l := range r.Text {
			s.out.printf("  │ %s\n", l)
		}
		for i, step := range r.Steps {
			s.out.printf("  next %d: %s\n", i+1, step)
		}
		s.out.printf("  It is archived once its task succeeds (gatehouse capture); to start fresh: gatehouse resume --discard\n")
	}
	return true, nil
}

// discardResume puts away what work was broken off at.
func (d *decideFlags) discardResume(ctx context.Context, s *env) error {
	found, _, err := d.findResumes(s)
	if err != nil {
		return err
	}
	for _, r := range found {
		if r.File == "" || r.Build != ultraplan.Protocol {
			continue
		}
		if _, err := d.checkDecider(s); err != nil {
			return err
		}
		kept, err := record.New(r.Project, s.user.System, s.now).Discard(ctx, d.dryRun)
		if err != nil {
			return err
		}
		result, said := "discarded", "archived: %s is now %s\n"
		if d.dryRun {
			result, said = resultDryRun, "would archive: %s would become %s\n"
		}
		if s.asJSON {
			return s.out.printJSON(discardedJSON{statusSchema, result, r.File, kept})
		}
		s.out.printf(said, r.File, kept)
		return nil
	}
	return errors.New("no work was interrupted, so there is nothing to discard")
}

// printResumes prints what resuming would come to.
func (d *decideFlags) printResumes(s *env) error {
	found, _, err := d.findResumes(s)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return errNothingToResume
	}
	if s.asJSON {
		return s.out.printJSON(resumesJSON{statusSchema, found})
	}
	for _, r := range found {
		s.out.printf("%s: %s\n  %s\n", r.Build, r.Action, r.Why)
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
			s.out.printf("  "+l[:len(l)-len(text)]+"%s\n", text) // blanks within what is printed are made one
		}
	}
	return nil
}

// longestList is how many chunks are printed.
const longestList = 200
