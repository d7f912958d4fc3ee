package main

// gatehouse check and format: broken rules in state files, and formats that users define.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/doc"
	"gatehouse/parse/formats/core"
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
		RunE: func(cmd *cobra.Command, args []string) error {
			projects, _, err := s.openProjects(cmd.Context(), args)
			if err != nil {
				return err
			}
			found, unchecked := s.checkProjects(projects)
			if s.asJSON {
				err = s.out.printJSON(checkedJSON{remote.Schema, found})
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
			unchecked = errors.Join(unchecked, fmt.Errorf("%s: no build here to check; name the directory of a project", s.shortPath(p.Root())))
		}
	}
	return found, unchecked
}

func (s *env) printChecked(found []checkJSON, several bool) {
	last, counts := "", map[model.Severity]int{}
	for _, x := range found {
		if several && x.Project != last {
			last = x.Project
			s.out.printf("%s\n", s.shortPath(last))
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

func newFormat(s *env) *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "format",
		Short: "Check formats of your own",
		Long: `A format of your own describes in YAML where the phases and tasks of a project are. It
is read from .gatehouse/format.yaml in a project and from gatehouse/formats/*.yaml
in your configuration directory. docs/formats.md walks through an example.`,
	}, newFormatCheck(s))
}

// formatCheckedJSON is the document of "gatehouse format check --json".
type formatCheckedJSON struct {
	Schema   int              `json:"schema"`
	Name     string           `json:"name"`     // of the format
	Files    []string         `json:"files"`    // patterns of the files that it reads
	Problems []model.Problem  `json:"problems"` // in its file; a format with errors can't be used
	Builds   []explainedBuild `json:"builds"`   // what it finds
}

// explainedBuild is a build that a format finds.
type explainedBuild struct {
	File     string          `json:"file"`           // path in the directory
	Title    string          `json:"title"`          // "" if the file has none
	Count    model.Count     `json:"count"`          // of its tasks
	Waits    []string        `json:"waits"`          // what waits for somebody
	Problems []model.Problem `json:"problems"`       // of its files, without lines
	Next     string          `json:"next,omitempty"` // the next step
}

func newFormatCheck(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "check FILE [DIR]",
		Short: "Explain what a format finds in a directory, and why",
		Long: `Check the file of a format, and explain what it finds in a directory: which files,
phases and tasks, and where each status comes from. Exits 1 if the format can't be
used. It runs nothing.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := readRegular(args[0])
			if err != nil {
				return err
			}
			dir, err := workingDir(append(args, thisDir)[1])
			if err != nil {
				return err
			}
			e := parse.ExplainFormat(args[0], text, dir)
			out := formatCheckedJSON{remote.Schema, e.Name, nonNil(e.Globs), describeProblems(e.Problems), []explainedBuild{}}
			lines := doc.IndexLines(text)
			for i, p := range e.Problems {
				out.Problems[i].Line, out.Problems[i].Col = lines.Position(p.At)
			}
			for _, b := range e.Builds {
				x := explainedBuild{b.File, b.Title, model.Count(b.Count), []string{}, describeProblems(b.Problems), b.Next}
				for _, w := range b.Waits {
					x.Waits = append(x.Waits, w.Text)
				}
				out.Builds = append(out.Builds, x)
			}
			if s.asJSON {
				err = s.out.printJSON(out)
			} else {
				s.printExplained(out, e)
			}
			if err == nil && !e.IsUsable() {
				err = refusal{}
			}
			return err
		},
	}, "print it as JSON")
}

// describeProblems returns problems as they are printed, without their lines.
func describeProblems(problems []core.Problem) []model.Problem {
	all := []model.Problem{}
	for _, p := range problems {
		severity := model.Warning
		if p.IsError {
			severity = model.Error
		}
		all = append(all, model.Problem{Pos: model.Pos{File: p.File}, Severity: severity, Text: line.Tidy(p.Text), Fix: line.Tidy(p.Fix)})
	}
	return all
}

// printExplained prints what a format finds in a directory, or why it can't be used.
func (s *env) printExplained(out formatCheckedJSON, e parse.Explained) {
	for _, p := range out.Problems {
		s.out.printf("%s\n", p)
	}
	if !e.IsUsable() {
		return
	}
	s.out.printf("format %s reads %s\n", out.Name, strings.Join(out.Files, ", "))
	if len(e.Builds) == 0 {
		s.out.printf("  no file matches\n")
	}
	for i, b := range e.Builds {
		s.out.printf("%s: %s, %d of %d tasks done\n", b.File, cmp.Or(b.Title, "the project"), b.Count.Done, b.Count.Total)
		for _, p := range b.Phases {
			s.out.printf("  phase %s: %d of %d\n", p.Name(), p.Count.Done, p.Count.Total)
			for _, t := range p.Items {
				s.out.printf("    %-8s %s (%s)\n", core.StatusName(t.Status), t.Name(), cmp.Or(t.Why, "its word is “"+t.Raw+"”"))
			}
		}
		for _, w := range b.Waits {
			s.out.printf("  waits: %s\n", w.Text)
		}
		for _, p := range out.Builds[i].Problems {
			s.out.printf("  %s\n", p)
		}
		if b.Next != "" {
			s.out.printf("  next: %s (%s)\n", b.Next, b.NextWhy)
		}
	}
}
