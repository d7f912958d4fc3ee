package main

// gatehouse format: formats that users define.

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/doc"
	"gatehouse/parse/formats/core"
)

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
	File     string           `json:"file"`               // path in the directory
	Title    string           `json:"title"`              // "" if the file has none
	Count    model.Count      `json:"count"`              // of its tasks
	Phases   []explainedPhase `json:"phases"`             // with their tasks
	Waits    []string         `json:"waits"`              // what waits for somebody
	Problems []model.Problem  `json:"problems"`           // of its files, without lines
	Next     string           `json:"next,omitempty"`     // the next step
	NextWhy  string           `json:"next_why,omitempty"` // why it is the next one
}

// explainedPhase is a phase that a format finds.
type explainedPhase struct {
	Name  string          `json:"name"`  // number and title
	Count model.Count     `json:"count"` // of its tasks
	Tasks []explainedTask `json:"tasks"` // in the order of the file
}

// explainedTask is a task that a format finds.
type explainedTask struct {
	Name   string `json:"name"`   // number and title
	Status string `json:"status"` // unknown, pending, active, waiting, blocked, failed, done or skipped
	Why    string `json:"why"`    // where the status comes from
}

func newFormatCheck(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "check FILE [DIR]",
		Short: "Explain what a format finds in a directory, and why",
		Long: `Check the file of a format, and explain what it finds in a directory: which files,
phases and tasks, and where each status comes from. Exits 1 if the format can't be
used. It runs nothing.

With --json: {"schema", "name", "files", "problems", "builds": [{"file", "title",
"count", "phases": [{"name", "count", "tasks": [{"name", "status", "why"}]}], "waits",
"problems", "next", "next_why"}]}.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 2 {
				dir = args[1]
			}
			return s.explainFormat(args[0], dir)
		},
	}, "print it as JSON")
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
	out := formatCheckedJSON{statusSchema, e.Name, nonNil(e.Globs), describeProblems(e.Problems), []explainedBuild{}}
	lines := doc.IndexLines(string(text))
	for i, p := range e.Problems {
		out.Problems[i].Line, out.Problems[i].Col = lines.Position(p.At)
	}
	for _, b := range e.Builds {
		out.Builds = append(out.Builds, describeExplained(b))
	}
	if s.asJSON {
		err = s.out.printJSON(out)
	} else {
		s.printExplained(out, e.IsUsable(), dir)
	}
	if err == nil && !e.IsUsable() {
		err = refusal{}
	}
	return err
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

// describeExplained returns a build as it is printed.
func describeExplained(b *core.Build) explainedBuild {
	out := explainedBuild{File: b.File, Title: line.Tidy(b.Title), Count: model.Count(b.Count), Phases: []explainedPhase{}, Waits: []string{},
		Problems: describeProblems(b.Problems), Next: line.Tidy(b.Next), NextWhy: line.Tidy(b.NextWhy)}
	for _, p := range b.Phases {
		phase := explainedPhase{line.Tidy(p.Name()), model.Count(p.Count), []explainedTask{}}
		for _, t := range p.Items {
			why := cmp.Or(t.Why, fmt.Sprintf("its word is “%s”", t.Raw))
			phase.Tasks = append(phase.Tasks, explainedTask{line.Tidy(t.Name()), core.StatusName(t.Status), line.Tidy(why)})
		}
		out.Phases = append(out.Phases, phase)
	}
	for _, w := range b.Waits {
		out.Waits = append(out.Waits, line.Tidy(w.Text))
	}
	return out
}

// printExplained prints what a format finds in a directory, or why it can't be used.
func (s *env) printExplained(out formatCheckedJSON, isUsable bool, dir string) {
	for _, p := range out.Problems {
		s.out.printf("%s\n", line.Tidy(p.String()))
	}
	if !isUsable {
		return
	}
	s.out.printf("format %s reads %s\n", out.Name, strings.Join(out.Files, ", "))
	if len(out.Builds) == 0 {
		s.out.printf("  no file in %s matches\n", dir)
	}
	for _, b := range out.Builds {
		s.out.printf("%s: %s, %d of %d tasks done\n", line.Tidy(b.File), cmp.Or(b.Title, "the project"), b.Count.Done, b.Count.Total)
		for _, p := range b.Phases {
			s.out.printf("  phase %s: %d of %d\n", p.Name, p.Count.Done, p.Count.Total)
			for _, t := range p.Tasks {
				s.out.printf("    %-8s %s (%s)\n", t.Status, t.Name, t.Why)
			}
		}
		for _, text := range b.Waits {
			s.out.printf("  waits: %s\n", text)
		}
		for _, p := range b.Problems {
			s.out.printf("  %s: %s; %s\n", line.Tidy(p.File), p.Text, p.Fix)
		}
		if b.Next != "" {
			s.out.printf("  next: %s (%s)\n", b.Next, b.NextWhy)
		}
	}
}
