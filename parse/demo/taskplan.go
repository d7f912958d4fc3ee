package demo

// This file writes what the build by tasks is planned by, and what its executors return, in the forms of ultraplan.

import (
	"fmt"
	"path"
	"strings"
	"time"

	"gatehouse/model"
)

const (
	// nestDir is the project that is built by tasks, below the first.
	nestDir   = "nestcam"
	nestState = nestDir + "/.planning/STATE.md"
)

// file is the path of the plan's PLAN.md or SUMMARY.md.
func (p *nestPlan) file(what string) string {
	return path.Join(nestDir, ".planning/phases", p.phase.Dir, p.ID+"-"+what+".md")
}

// nestFiles are the files that the build begins with.
func (b *Build) nestFiles(s *taskStory) []file {
	project := "# " + s.Project + "\n\n## Key Decisions\n\n| Decision | Rationale | Outcome |\n|----------|-----------|---------|\n"
	roadmap := "# Roadmap: " + s.Project + "\n\n## Phases\n\n"
	var plans []file
	for _, ph := range s.Phases {
		roadmap += fmt.Sprintf("- [ ] **Phase %s: %s** - %s\n", ph.Number, ph.Name, ph.Goal)
		for _, pl := range ph.Plans {
			plans = append(plans, file{pl.file("PLAN"), renderNestPlan(pl)})
		}
	}
	return append(plans, file{path.Join(nestDir, "PROJECT.md"), project}, file{path.Join(nestDir, ".planning/ROADMAP.md"), roadmap},
		file{path.Join(nestDir, ".ultraplan/README.md"), "# ultraplan\n\nLogs of what executors returned.\n"}, file{nestState, strings.ReplaceAll(s.State, "$day", b.day())})
}

func renderNestPlan(p *nestPlan) string {
	d := new(strings.Builder)
	line := func(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }
	var files, needs []string
	truths := ""
	for _, t := range p.Tasks {
		files = append(files, t.File)
		truths += fmt.Sprintf("\n    - %q", t.Done)
	}
	for _, id := range p.Needs {
		needs = append(needs, fmt.Sprintf("%q", id))
	}
	line("---\nphase: %s\nplan: %s\ntype: execute\nwave: %d\ndepends_on: [%s]\nfiles_modified: [%s]\nautonomous: true\nmust_haves:\n  truths:%s\n---\n", p.phase.Dir, p.ID[strings.IndexByte(p.ID, '-')+1:], p.Wave, strings.Join(needs, ", "), strings.Join(files, ", "), truths)
	line("<objective>\n%s.\n</objective>\n\n<tasks>", p.Title)
	for _, t := range p.Tasks {
		line("<task type=\"auto\">\n  <name>%s</name>\n  <files>%s</files>\n  <action>Make it so that it holds: %s.</action>\n  <verify>%s</verify>\n  <done>%s</done>\n</task>", t.Name, t.File, t.Done, t.Verify, t.Done)
	}
	line("</tasks>\n\n<success_criteria>")
	for _, t := range p.Tasks {
		line("- [ ] %s", t.Name)
	}
	line("</success_criteria>")
	return d.String()
}

func (b *Build) renderNestSummary(p *nestPlan) string {
	text := fmt.Sprintf("---\nphase: %s\nplan: %s\ncompleted: %s\n---\n\n# %s\n\n", p.phase.Dir, p.ID[strings.IndexByte(p.ID, '-')+1:], b.day(), p.Title)
	for _, t := range p.Tasks {
		text += "- " + t.Done + "\n"
	}
	return text
}

// renderResult is what an executor returns of an attempt; why is its error, "" for a success. One that fails takes half the time.
func renderResult(t *nestTask, attempt int, why string) string {
	status, exit, output, evidence, reason := model.OutcomeSuccess, 0, t.Output, t.Done, "null"
	took := time.Duration(t.Minutes) * time.Minute
	if why != "" {
		status, exit, output, evidence, reason = model.OutcomeFailure, 1, why, "The verify command does not pass", fmt.Sprintf("%q", why)
		took /= 2
	}
	return fmt.Sprintf("status: %s\ntask_name: %q\nfiles_modified:\n  - %s\nverification:\n  command: %q\n  exit_code: %d\n  output_summary: %q\ndone_criteria_met: %v\nevidence: %q\nerror: %s\nmetadata:\n  duration_ms: %d\n  attempt: %d\n  executor_id: \"nest-%s-%d\"\n",
		status, t.Name, t.File, t.Verify, exit, output, why == "", evidence, reason, took.Milliseconds(), attempt, t.plan.ID, attempt)
}
