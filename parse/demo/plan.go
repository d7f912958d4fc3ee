package demo

// This file writes PLAN.md and SUMMARY.md.

import (
	"fmt"
	"slices"
	"strings"
)

// The words a summary's status may be.
const (
	complete = "complete"
	halted   = "halted"
)

func (b *Build) renderPlan(pl *plan) string {
	d := new(strings.Builder)
	line := func(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }
	line("---")
	line("phase: %s", pl.phase.Dir)
	line("plan: %s", pl.number())
	line("type: execute")
	line("wave: %d", pl.Wave)
	line("depends_on: [%s]", quoted(pl.Needs))
	line("files_modified:")
	for _, file := range pl.files() {
		line("  - %s", file)
	}
	line("autonomous: true")
	line("requirements: [%s]", strings.Join(pl.phase.Require, ", "))
	if pl.Gap {
		line("gap_closure: true")
	}
	if pl.superseded {
		line("status: superseded")
	}
	line("must_haves:")
	line("  truths:")
	for _, t := range pl.Tasks {
		line("    - %q", t.Done)
	}
	line("---\n")
	line("<objective>\n%s.\n", pl.Title)
	line("Purpose: %s\n</objective>\n", pl.Why)
	line("<context>\n@.planning/PROJECT.md\n@.planning/ROADMAP.md\n@.planning/STATE.md\n</context>\n")
	line("<tasks>\n")
	for i, t := range pl.Tasks {
		line("<task type=\"auto\">")
		line("  <name>Task %d: %s</name>", i+1, t.Name)
		line("  <files>%s</files>", strings.Join(t.Files, ", "))
		line("  <action>%s; write the test first.</action>", t.Name)
		line("  <verify>go test ./...</verify>")
		line("  <done>%s</done>", t.Done)
		line("</task>\n")
	}
	line("</tasks>\n")
	line("<verification>\ngo vet ./... && go test ./...\n</verification>")
	return d.String()
}

func (b *Build) renderSummary(pl *plan) string {
	d := new(strings.Builder)
	line := func(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }
	line("---")
	line("phase: %s", pl.phase.Dir)
	line("plan: %s", pl.number())
	line("status: %s", pl.summary)
	line("duration: %dmin", pl.Minutes)
	line("completed: %s", b.day())
	if pl.summary == complete {
		line("requirements-completed: [%s]", strings.Join(pl.phase.Require, ", "))
	}
	line("---\n")
	line("# Phase %s Plan %s: %s Summary\n", pl.phase.Number, pl.number(), pl.Title)
	line("**%s**\n", pl.Result)
	if pl.summary == complete {
		line("## Accomplishments\n")
		for _, t := range pl.Tasks {
			line("- %s: %s", t.Name, t.Done)
		}
		line("\n## Files Created/Modified\n")
		for _, file := range pl.files() {
			line("- `%s`", file)
		}
	} else {
		line("## Why It Stopped\n")
		line("- Task 1 needs a decision that only a human can take.")
	}
	return d.String()
}

// files are those of all tasks, each once.
func (p *plan) files() (files []string) {
	for _, t := range p.Tasks {
		for _, file := range t.Files {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

func quoted(items []string) string {
	var q []string
	for _, item := range items {
		q = append(q, fmt.Sprintf("%q", item))
	}
	return strings.Join(q, ", ")
}
