package demo

// This file writes STATE.md as an agent keeps it: the digest, not the truth.

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const stateFile = "STATE.md"

// stampForm is how GSD writes a moment.
const stampForm = "2006-01-02T15:04:05.000Z"

func (b *Build) stamp() string { return b.when().UTC().Format(stampForm) }
func (b *Build) day() string   { return b.when().UTC().Format(time.DateOnly) }

func (b *Build) renderState() string {
	s, d := &b.w.state, new(strings.Builder)
	line := func(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

	line("---")
	line("gsd_state_version: '1.0'")
	line("milestone: v1.1")
	line("milestone_name: %s", b.w.Milestone)
	line("status: %s", s.status)
	line("active_phase: %s", quoteOrNull(s.active))
	line("next_action: %s", orNull(s.next))
	if s.nextOf == "" {
		line("next_phases: null")
	} else {
		line("next_phases: [%q]", s.nextOf)
	}
	line("progress:")
	line("  total_phases: %d", s.counted.phases)
	line("  completed_phases: %d", s.counted.phasesDone)
	line("  total_plans: %d", s.counted.plans)
	line("  completed_plans: %d", s.counted.plansDone)
	line("  percent: %d", s.counted.percent())
	line("current_phase: %q", s.phase.Number)
	line("current_phase_name: %s", s.phase.Name)
	if s.plan != nil {
		line("current_plan: %q", strings.TrimLeft(s.plan.number(), "0"))
	}
	line("last_updated: %q", b.stamp())
	line("last_activity: %q", b.day())
	line("stopped_at: %q", s.stopped)
	line("paused_at: %s", quoteOrNull(s.paused))
	line("---\n")

	line("# Project State\n")
	line("## Project Reference\n")
	line("See: .planning/PROJECT.md (updated %s)\n", b.day())
	line("**Core value:** %s", b.w.Value)
	line("**Current focus:** Phase %s — %s\n", s.phase.Number, s.phase.Name)

	line("## Current Position\n")
	line("Phase: %s of 8 (%s)", s.phase.Number, s.phase.Name)
	plans, _ := s.phase.count()
	switch {
	case s.plan != nil:
		line("Plan: %s of %d in current phase", strings.TrimLeft(s.plan.number(), "0"), plans)
	case plans > 0:
		line("Plan: %d of %d in current phase", plans, plans)
	default:
		line("Plan: Not started")
	}
	line("Status: %s", s.note)
	line("Last activity: %s — %s\n", b.day(), s.stopped)
	line("Progress: %s\n", bar(s.counted.percent()))

	b.metrics(line)

	line("## Accumulated Context\n")
	line("### Decisions\n")
	list(line, "None yet.", s.decisions)
	line("### Pending Todos\n")
	line("%d pending — see .planning/todos/pending/\n", b.w.todos)
	line("### Blockers/Concerns\n")
	list(line, "None yet.", s.blockers)

	line("## Session Continuity\n")
	line("Last session: %s", b.stamp())
	line("Stopped at: %s", s.stopped)
	resume := "None"
	if s.paused != "" {
		resume = ".planning/" + "HANDOFF.json"
	}
	line("Resume file: %s", resume)
	return d.String()
}

// metrics writes the section on velocity from the plans that have ended.
func (b *Build) metrics(line func(string, ...any)) {
	var rows []string
	plans, minutes := 0, 0
	for _, ph := range b.w.Phases {
		n, sum := 0, 0
		for _, pl := range ph.Plans {
			if pl.counts() && pl.summary == complete {
				n, sum = n+1, sum+pl.Minutes
			}
		}
		if n > 0 {
			rows = append(rows, fmt.Sprintf("| %s. %s | %d | %d min | %d min |", ph.Number, ph.Name, n, sum, sum/n))
			plans, minutes = plans+n, minutes+sum
		}
	}
	line("## Performance Metrics\n")
	line("**Velocity:**\n")
	line("- Total plans completed: %d", plans)
	line("- Average duration: %d min\n", minutes/max(1, plans))
	line("**By Phase:**\n")
	line("| Phase | Plans | Total | Avg/Plan |")
	line("|-------|-------|-------|----------|")
	for _, row := range rows {
		line("%s", row)
	}
	line("\n**Recent Trend:** Stable\n")
}

func list(line func(string, ...any), none string, items []string) {
	if len(items) == 0 {
		line("%s\n", none)
		return
	}
	for _, item := range items {
		line("- %s", item)
	}
	line("")
}

// bar is the progress of the body: ten cells, rounded to the nearest.
func bar(percent int) string {
	full := (percent + 5) / 10
	return "[" + strings.Repeat("█", full) + strings.Repeat("░", 10-full) + "] " + strconv.Itoa(percent) + "%"
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return s
}

func quoteOrNull(s string) string {
	if s == "" {
		return "null"
	}
	return strconv.Quote(s)
}
