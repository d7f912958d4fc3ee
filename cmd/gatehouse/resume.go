package main

// gatehouse resume: resume a build, or print its next step.

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
		result, format = resultDryRun, "would archive: %s would become %s\n"
	}
	if s.asJSON {
		return s.out.printJSON(discardedJSON{statusSchema, result, found[i].File, kept})
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
		return s.out.printJSON(resumesJSON{statusSchema, found})
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
