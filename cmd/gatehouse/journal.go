package main

// gatehouse journal: print decisions, with who made them and when.

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
)

// usualEntries is the number of printed decisions without -n.
const usualEntries = 20

// decisionsJSON is the document of "gatehouse journal --json".
type decisionsJSON struct {
	Schema    int              `json:"schema"`
	Decisions []model.Decision `json:"decisions"` // the newest first
}

func newJournal(s *env) *cobra.Command {
	var all bool
	var n int
	cmd := &cobra.Command{
		Use:   "journal [DIR...]",
		Short: "Print what was decided",
		Long: `Print the decisions about the projects, the newest first: when, who, what, from
which status to which, and the words. With --all those of every project.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case n < 1:
				return usageError{errors.New("-n: write how many, 1 or more")}
			case all && len(args) > 0:
				return usageError{errors.New("--all: it prints those of every project; name no directory")}
			}
			found, err := s.readDecisions(cmd.Context(), all, args)
			if errors.As(err, new(usageError)) {
				return err
			}
			found = found[:min(n, len(found))]
			switch {
			case s.asJSON:
				if err := s.out.printJSON(decisionsJSON{remote.Schema, nonNil(found)}); err != nil {
					return err
				}
			case len(found) == 0 && err == nil:
				s.out.printf("nothing was decided here yet\n")
			default:
				for i := range found {
					s.printDecision(&found[i], all || hasSeveralProjects(found))
				}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "print the decisions about every project")
	cmd.Flags().IntVarP(&n, "number", "n", usualEntries, "print at most `N` decisions")
	s.jsonFlag(cmd, "print them as JSON")
	return cmd
}

// readDecisions returns the decisions of some or all projects, the newest first. It may return decisions with an error.
func (s *env) readDecisions(ctx context.Context, all bool, dirs []string) ([]model.Decision, error) {
	if all {
		return parse.AllDecisions(s.user)
	}
	projects, _, err := s.openProjects(ctx, dirs)
	if err != nil {
		return nil, err
	}
	return parse.Decisions(projects, s.now())
}

// hasSeveralProjects reports whether decisions are about more than one project.
func hasSeveralProjects(all []model.Decision) bool {
	return slices.ContainsFunc(all, func(d model.Decision) bool { return d.Project != all[0].Project })
}

// printDecision prints one decision for people.
func (s *env) printDecision(d *model.Decision, several bool) {
	where := ""
	if several {
		where = s.shortPath(d.Project) + ": "
	}
	s.out.printf("%s  %s (%s)  %s%s %s: %s → %s%s\n", d.At.In(s.now().Location()).Format(time.DateTime), d.Who, describeMeans(d), where, d.Verb, line.Name(d.Name), line.Foreign(d.Was), line.Foreign(d.Is), describeFate(d))
	for l := range strings.Lines(d.Text) {
		s.out.printf("    │ %s\n", strings.TrimRight(l, "\r\n"))
	}
}

// describeMeans returns by what means a decision was made.
func describeMeans(d *model.Decision) string {
	means := d.By
	if d.Actor == model.Automation {
		means += ", automation " + line.Foreign(d.Client)
	}
	if d.Signature != nil {
		means += ", signed"
	}
	return means
}

// describeFate returns what happened to a decision later.
func describeFate(d *model.Decision) string {
	var fates []string
	if d.Interrupted {
		fates = append(fates, "interrupted: look at the file")
	}
	if d.Undone {
		fates = append(fates, "undone since")
	}
	if d.Overwritten {
		fates = append(fates, "overwritten: the file no longer says so")
	}
	if d.Reported {
		fates = append(fates, "the agent knows")
	}
	if len(fates) == 0 {
		return ""
	}
	return " (" + strings.Join(fates, ", ") + ")"
}
