package main

// gatehouse format: formats that users define.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/doc"
	"gatehouse/parse/formats/core"
)

// allowedCommands is the name under which the commands are kept that the user has allowed, by project.
const allowedCommands = "format-commands"

func newFormat(s *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "format",
		Short: "Check formats of your own, and allow their commands",
		Long: `A format of your own describes in YAML where the phases and tasks of a project are. It
is read from .gatehouse/format.yaml in a project and from gatehouse/formats/*.yaml
in your configuration directory. docs/formats.md walks through an example.`,
	}
	cmd.AddCommand(newFormatCheck(s), newFormatAllow(s))
	return cmd
}

func newFormatCheck(s *env) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE [DIR]",
		Short: "Explain what a format finds in a directory, and why",
		Long: `Check the file of a format, and explain what it finds in a directory: which files,
phases and tasks, and where each status comes from. Exits 1 if the format can't be
used. It runs nothing.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 2 {
				dir = args[1]
			}
			return s.explainFormat(args[0], dir)
		},
	}
}

// explainFormat prints the problems of a format, or what it finds.
func (s *env) explainFormat(file, dir string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	e := parse.ExplainFormat(file, string(text), dir)
	for _, p := range e.Problems {
		at := model.Pos{File: p.File}
		at.Line, at.Col = doc.IndexLines(string(text)).Position(p.At)
		s.out.printf("%s\n", line.Tidy(model.Problem{Pos: at, Text: p.Text, Fix: p.Fix}.String()))
	}
	if !e.IsUsable() {
		return refusal{}
	}
	s.out.printf("format %s reads %s\n", e.Name, strings.Join(e.Globs, ", "))
	if len(e.Answer) > 0 {
		s.out.printf("  what waits is answered by: %s\n", line.Tidy(strings.Join(e.Answer, " ")))
	}
	if len(e.Builds) == 0 {
		s.out.printf("  no file in %s matches\n", dir)
	}
	for _, b := range e.Builds {
		s.explainBuild(b)
	}
	return nil
}

func (s *env) explainBuild(b *core.Build) {
	s.out.printf("%s: %s, %d of %d tasks done\n", line.Tidy(b.File), line.Tidy(b.Name("the project")), b.Count.Done, b.Count.Total)
	for _, p := range b.Phases {
		s.out.printf("  phase %s: %d of %d\n", line.Tidy(p.Name()), p.Count.Done, p.Count.Total)
		for _, t := range p.Items {
			why := fmt.Sprintf("its word is “%s”", t.Raw)
			if t.Why != "" {
				why = t.Why
			}
			s.out.printf("    %-8s %s (%s)\n", core.StatusName(t.Status), line.Tidy(t.Name()), line.Tidy(why))
		}
	}
	for _, w := range b.Waits {
		s.out.printf("  waits: %s\n", line.Tidy(w.Text))
	}
	for _, p := range b.Problems {
		s.out.printf("  %s: %s; %s\n", line.Tidy(p.File), line.Tidy(p.Text), line.Tidy(p.Fix))
	}
	if b.Next != "" {
		s.out.printf("  next: %s (%s)\n", line.Tidy(b.Next), line.Tidy(b.NextWhy))
	}
}

func newFormatAllow(s *env) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "allow [DIR]",
		Short: "Allow the command of a format to answer what waits",
		Long: `Show the commands of the formats that are read in a project, and allow them there.
A command runs only after you have allowed exactly this text in this project, and
only when you approve something that waits. It asks on the terminal; scripts say --yes.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := s.recognizeDecider(model.HowCommand); err != nil {
				return err
			}
			projects, err := openDirs(s, args)
			if err != nil {
				return err
			}
			return s.allowCommands(cmd, projects, yes)
		},
	}
	yesFlag(cmd, &yes)
	return cmd
}

func (s *env) allowCommands(cmd *cobra.Command, projects []*parse.Project, yes bool) error {
	found := false
	for _, p := range projects {
		for _, words := range p.Commands() {
			found = true
			text := strings.Join(words, " ")
			if !yes {
				if s.keys == nil {
					return errors.New("a command has to be allowed on a terminal; in a script say --yes")
				}
				typed, err := s.promptUser("In %s, may this answer what waits?  %s  Type \"allow\":", p.Root(), text)
				if err != nil {
					return err
				}
				if typed != "allow" {
					return errors.New("not allowed, nothing was kept")
				}
			}
			if err := s.keepAllowed(cmd, p.Root(), words); err != nil {
				return err
			}
			s.out.printf("allowed in %s: %s\n", p.Root(), line.Tidy(text))
		}
	}
	if !found {
		return errors.New("no format that is read here has a command")
	}
	return nil
}

// keepAllowed remembers that a command is allowed in a project.
func (s *env) keepAllowed(cmd *cobra.Command, root string, words []string) error {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	allowed := map[string][][]string{}
	return s.keptStore().Change(cmd.Context(), allowedCommands, &allowed, func() any {
		isSame := func(other []string) bool { return slices.Equal(other, words) }
		if !slices.ContainsFunc(allowed[root], isSame) {
			allowed[root] = append(allowed[root], words)
		}
		return allowed
	})
}

// isAllowed reports whether the user has allowed a command in a project.
func (s *env) isAllowed(root string, words []string) bool {
	allowed := map[string][][]string{}
	if s.keptStore().Load(allowedCommands, &allowed) != nil {
		return false
	}
	return slices.ContainsFunc(allowed[root], func(other []string) bool { return slices.Equal(other, words) })
}
