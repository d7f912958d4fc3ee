package demo

// This file writes ROADMAP.md from the phases and plans as they stand.

import (
	"fmt"
	"strings"
	"time"
)

const roadmapFile = "ROADMAP.md"

func (b *Build) renderRoadmap() string {
	d := new(strings.Builder)
	line := func(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }
	shipped := b.opts.Now().Add(-archivedAgo).UTC().Format(time.DateOnly)

	line("# Roadmap: %s\n", b.w.Product)
	line("## Milestones\n")
	line("- ✅ **v1.0 First Light** — Phases 1-3 (shipped %s)", shipped)
	line("- 🚧 **v1.1 %s** — Phases 4-8 (in progress)", b.w.Milestone)
	line("- 📋 **v1.2 Night Flight** — owls, bats and passing geese (planned)\n")
	line("## Phases\n")
	line("<details>")
	line("<summary>✅ v1.0 First Light (Phases 1-3) — SHIPPED %s</summary>\n", shipped)
	for _, ph := range b.w.Shipped {
		line("- [x] **Phase %s: %s** - %s", ph.Number, ph.Name, ph.Goal)
	}
	line("\nFull details: [milestones/v1.0-ROADMAP.md](milestones/v1.0-ROADMAP.md)\n")
	line("</details>\n")

	line("### 🚧 v1.1 %s (In Progress)\n", b.w.Milestone)
	line("**Milestone Goal:** From a list of names to a diary one likes to read.\n")
	for _, ph := range b.w.Phases {
		line("- %s **Phase %s: %s**%s - %s", box(!ph.completed.IsZero()), ph.Number, ph.Name, ph.tag(), ph.Goal)
	}
	line("")
	for _, ph := range b.w.Phases {
		b.detail(line, ph)
	}

	line("## Progress\n")
	line("| Phase | Milestone | Plans Complete | Status | Completed |")
	line("|-------|-----------|----------------|--------|-----------|")
	for _, ph := range b.w.Shipped {
		line("| %s. %s | v1.0 | %d/%d | Complete | %s |", ph.Number, ph.Name, len(ph.Plans), len(ph.Plans), shipped)
	}
	for _, ph := range b.w.Phases {
		plans, done := ph.count()
		status, on := "Not started", "-"
		switch {
		case !ph.completed.IsZero():
			status, on = "Complete", ph.completed.UTC().Format(time.DateOnly)
		case done > 0:
			status = "In progress"
		case plans > 0:
			status = "Planned"
		}
		line("| %s. %s | v1.1 | %d/%d | %s | %s |", ph.Number, ph.Name, done, plans, status, on)
	}
	return d.String()
}

// detail writes a phase's own section.
func (b *Build) detail(line func(string, ...any), ph *phase) {
	line("#### Phase %s: %s%s", ph.Number, ph.Name, ph.tag())
	line("**Goal**: %s", ph.Goal)
	line("**Depends on**: %s", ph.Needs)
	line("**Requirements**: %s", strings.Join(ph.Require, ", "))
	line("**Success Criteria** (what must be TRUE):")
	for i, truth := range ph.Truths {
		line("  %d. %s", i+1, truth)
	}
	line("\nPlans:")
	planned := false
	for _, pl := range ph.Plans {
		if pl.counts() {
			planned = true
			line("- %s %s: %s", box(pl.summary == complete), pl.ID, pl.Title)
		}
	}
	if !planned {
		line("TBD")
	}
	line("")
}

func (p *phase) tag() string {
	if p.Inserted {
		return " (INSERTED)"
	}
	return ""
}

func box(ticked bool) string {
	if ticked {
		return "[x]"
	}
	return "[ ]"
}
