package demo

// This file writes PLAN.md and SUMMARY.md.

import (
	"fmt"
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
	line("phase: %s", pl.phase.dir)
	line("plan: %s", pl.number())
	line("type: execute")
	line("wave: %d", pl.wave)
	line("depends_on: [%s]", quoted(pl.needs))
	line("files_modified:")
	for _, file := range pl.files() {
		line("  - %s", file)
	}
	line("autonomous: true")
	line("requirements: [%s]", strings.Join(pl.phase.require, ", "))
	if pl.gap {
		line("gap_closure: true")
	}
	if pl.superseded {
		line("status: superseded")
	}
	line("must_haves:")
	line("  truths:")
	for _, t := range pl.tasks {
		line("    - %q", t.done)
	}
	line("---\n")
	line("<objective>\n%s.\n", pl.title)
	line("Purpose: %s\n</objective>\n", pl.why)
	line("<context>\n@.planning/PROJECT.md\n@.planning/ROADMAP.md\n@.planning/STATE.md\n</context>\n")
	line("<tasks>\n")
	for i, t := range pl.tasks {
		line("<task type=\"auto\">")
		line("  <name>Task %d: %s</name>", i+1, t.name)
		line("  <files>%s</files>", t.files)
		line("  <action>%s; write the test first.</action>", t.name)
		line("  <verify>go test ./...</verify>")
		line("  <done>%s</done>", t.done)
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
	line("phase: %s", pl.phase.dir)
	line("plan: %s", pl.number())
	line("status: %s", pl.summary)
	line("duration: %dmin", pl.minutes)
	line("completed: %s", b.day())
	if pl.summary == complete {
		line("requirements-completed: [%s]", strings.Join(pl.phase.require, ", "))
	}
	line("---\n")
	line("# Phase %s Plan %s: %s Summary\n", pl.phase.number, pl.number(), pl.title)
	line("**%s**\n", pl.result)
	if pl.summary == complete {
		line("## Accomplishments\n")
		for _, t := range pl.tasks {
			line("- %s: %s", t.name, t.done)
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
func (p *plan) files() []string {
	var files []string
	seen := make(map[string]bool)
	for _, t := range p.tasks {
		for file := range strings.SplitSeq(t.files, ", ") {
			if !seen[file] {
				seen[file] = true
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
