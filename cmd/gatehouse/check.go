package main

// gatehouse check: report every broken rule in the state files, for people and scripts.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse"
)

// checkedJSON is the document of "gatehouse check --json".
type checkedJSON struct {
	Schema   int         `json:"schema"`
	Problems []checkJSON `json:"problems"` // none where no rule is broken
}

// checkJSON is one entry of it.
type checkJSON struct {
	Project string `json:"project"` // its directory
	model.Problem
}

func newCheck(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "check [DIR...]",
		Short: "Check the state files against every rule of their protocol",
		Long: `Check the state files strictly and print every broken rule, with file, line, column
and a fix. Exits 1 if there is any, or if there is no build to check. Gates that a file
calls passed without a decision in the journal are printed, too, without exit code 1.`,
		ValidArgsFunction: completeDirs,
		RunE: func(cmd *cobra.Command, args []string) error {
			projects, _, err := s.openProjects(cmd.Context(), args)
			if err != nil {
				return err
			}
			found, unchecked := s.checkProjects(projects)
			if s.asJSON {
				err = s.out.printJSON(checkedJSON{statusSchema, found})
			} else if unchecked == nil || len(found) > 0 {
				s.printChecked(found, len(projects) > 1)
			}
			if unchecked == nil && slices.ContainsFunc(found, func(x checkJSON) bool { return x.Rule != ruleNotByYou }) {
				unchecked = refusal{}
			}
			return cmp.Or(err, unchecked)
		},
	}, "print them as JSON")
}

// ruleNotByYou names gates that no decision of the journal has closed. It causes no exit code 1: others may decide, or the journal may be
// on another machine.
const ruleNotByYou = "not-by-you"

// checkProjects returns the problems of the projects. The error names projects without a build, so that a script in the wrong
// place does not pass.
func (s *env) checkProjects(projects []*parse.Project) (found []checkJSON, unchecked error) {
	found = []checkJSON{}
	for _, p := range projects {
		read := s.readSettled(p)
		for _, problem := range slices.Concat(read.Problems, p.Check(s.now())) {
			found = append(found, checkJSON{p.Root(), problem})
		}
		for _, g := range notByYou([]*model.Project{read}) {
			found = append(found, checkJSON{p.Root(), model.Problem{Pos: g.Source, Severity: model.Warning, Rule: ruleNotByYou, Text: g.Name + ": " + g.Text,
				Fix: "look at what it was passed by; the journal has no decision that did it"}})
		}
		if len(read.Builds) == 0 {
			unchecked = errors.Join(unchecked, fmt.Errorf("%s: no build here to check; name the directory of a project", shortPath(p.Root(), s.user.Home)))
		}
	}
	return found, unchecked
}

func (s *env) printChecked(found []checkJSON, several bool) {
	last, counts := "", map[model.Severity]int{}
	for _, x := range found {
		if several && x.Project != last {
			last = x.Project
			s.out.printf("%s\n", shortPath(last, s.user.Home))
		}
		s.out.printf("%s: %s: %s [%s]\n", x.Pos, x.Severity, x.Text, x.Rule)
		if x.Fix != "" {
			s.out.printf("    %s\n", x.Fix)
		}
		counts[x.Severity]++
	}
	s.out.printf("%s, %s\n", countOf(counts[model.Error], "error"), countOf(len(found)-counts[model.Error], "warning"))
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
