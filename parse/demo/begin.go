package demo

// This file writes the state a round begins with: a milestone shipped weeks
// ago, two phases that are verified, one in the middle of its work, one
// planned, and two that are only names.

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	day         = 24 * time.Hour
	archivedAgo = 19 * day
)

// draft is a file of the starting state. Its text is made when the build's
// clock stands where the file is from.
type draft struct {
	ago  time.Duration
	name string
	text func() string
}

// begin writes the starting state and removes what else a round has left.
func (b *Build) begin() error {
	b.w, b.open = newWorld(), nil
	drafts := slices.Concat(b.archived(), b.planned(), b.kept())
	names := make(map[string]bool)
	defer func() { b.ago = 0 }()
	for _, d := range drafts {
		b.ago = d.ago
		if err := b.write(d.name, d.text()); err != nil {
			return err
		}
		names[planning+"/"+d.name] = true
	}
	b.ago = 0
	if err := b.removeOthers(names); err != nil {
		return err
	}
	if b.loop.over() {
		if err := b.loop.begin(); err != nil {
			return err
		}
	}
	if b.feed.over() {
		return b.feed.begin()
	}
	return nil
}

// archived are the files of the milestone that is over.
func (b *Build) archived() []draft {
	drafts := []draft{
		{archivedAgo, "milestones/v1.0-ROADMAP.md", b.renderArchive},
		{archivedAgo, "MILESTONES.md", func() string {
			return "# Milestones: " + product + "\n\n## v1.0 First Light (Shipped: " + b.day() + ")\n\n" +
				"**Delivered:** A list of names at breakfast.\n\n**Phases completed:** 1-3 (4 plans total)\n"
		}},
	}
	for _, ph := range archive() {
		for _, pl := range ph.plans {
			pl.phase, pl.summary = ph, complete
			drafts = append(drafts,
				draft{archivedAgo + day, "milestones/v1.0-" + pl.file("PLAN"), func() string { return b.renderPlan(pl) }},
				draft{archivedAgo + day, "milestones/v1.0-" + pl.file("SUMMARY"), func() string { return b.renderSummary(pl) }})
		}
	}
	return drafts
}

func (b *Build) renderArchive() string {
	text := "# Milestone v1.0: First Light\n\n**Status:** ✅ SHIPPED " + b.day() + "\n"
	for _, ph := range archive() {
		text += fmt.Sprintf("\n### Phase %s: %s\n\n**Goal**: %s\n", ph.number, ph.name, ph.goal)
	}
	return text
}

// planned are the files of the milestone's phases. Ages fall towards now, so
// that a verification is younger than the summaries it is about.
func (b *Build) planned() []draft {
	var drafts []draft
	plan := func(id string, ago time.Duration) {
		pl := b.w.plan(id)
		pl.written = true
		drafts = append(drafts, draft{ago, pl.file("PLAN"), func() string { return b.renderPlan(pl) }})
	}
	summary := func(id string, ago time.Duration) {
		pl := b.w.plan(id)
		pl.summary = complete
		drafts = append(drafts, draft{ago, pl.file("SUMMARY"), func() string { return b.renderSummary(pl) }})
	}
	verify := func(number string, ago time.Duration) {
		ph := b.w.phase(number)
		ph.completed = b.opts.Now().Add(-ago)
		drafts = append(drafts, draft{ago, ph.file("VERIFICATION.md"), func() string {
			return b.renderVerification(verification{phase: number, status: passed})
		}})
	}
	note := func(number, name string, ago time.Duration) {
		drafts = append(drafts, draft{ago, b.w.phase(number).file(name), func() string { return b.renderNote(number, name) }})
	}

	note("4", contextNote, 9*day)
	plan("04-01", 8*day)
	plan("04-02", 8*day)
	summary("04-01", 8*day-3*time.Hour)
	summary("04-02", 7*day)
	verify("4", 7*day-time.Hour)

	note("5", contextNote, 4*day)
	note("5", researchNote, 4*day)
	plan("05-01", 3*day)
	plan("05-02", 3*day)
	plan("05-03", 3*day)
	summary("05-01", 2*day+5*time.Hour)
	summary("05-02", 2*day+3*time.Hour)
	summary("05-03", 2*day)
	verify("5", 2*day-time.Hour)

	plan("05.5-01", 5*time.Hour)
	plan("05.5-02", 5*time.Hour)
	summary("05.5-01", 40*time.Minute)

	note("6", contextNote, 3*time.Hour)
	note("6", researchNote, 2*time.Hour)
	for _, id := range []string{"06-01", "06-02", "06-03", "06-04"} {
		plan(id, time.Hour)
	}

	note("7", contextNote, 30*time.Minute)
	return drafts
}

// kept are the files that an agent keeps up to date, and the small ones beside
// the phases.
func (b *Build) kept() []draft {
	b.w.state = state{
		status: "executing", active: "5.5", phase: b.w.phase("5.5"), plan: b.w.plan("05.5-02"),
		note: "Executing Phase 5.5", stopped: "Finished 05.5-01", counted: b.w.count(),
		decisions: []string{
			"[Phase 4]: Sunrise is computed, never looked up — the recorder has no network",
			"[Phase 5]: One model for the region instead of one for the world",
		},
	}
	b.w.todos = 2
	fixed := func(text string) func() string { return func() string { return text } }
	return []draft{
		{archivedAgo - day, "PROJECT.md", fixed("# " + product + "\n\n## What This Is\n\n" + pitch + "\n\n## Core Value\n\n" + coreValue + "\n")},
		{archivedAgo - day, "REQUIREMENTS.md", b.renderRequirements},
		{archivedAgo - day, "config.json", fixed("{\n  \"mode\": \"interactive\",\n  \"parallelization\": true,\n  \"workflow\": {\n    \"research\": true,\n    \"verifier\": true\n  }\n}\n")},
		{26 * time.Hour, "todos/pending/owls-after-midnight.md", func() string {
			return b.renderTodo("Owls after midnight are filed under the wrong day", "diary")
		}},
		{50 * time.Hour, "todos/pending/battery-word.md", func() string { return b.renderTodo("Say \"two nights left\" instead of a voltage", "recorder") }},
		{4 * day, "todos/completed/gull-colony.md", func() string { return b.renderTodo("One gull colony must not fill the page", "ears") }},
		{3 * day, b.quick(3*day, "wider-margins", "SUMMARY"), func() string { return b.renderQuick("Wider margins on narrow screens") }},
		{20 * time.Hour, b.quick(20*time.Hour, "spell-chiffchaff", "SUMMARY"), func() string { return b.renderQuick("Spell chiffchaff with three f's, as everybody does") }},
		{40 * time.Minute, roadmapFile, b.renderRoadmap},
		{4 * time.Minute, stateFile, b.renderState},
	}
}

func (b *Build) renderRequirements() string {
	text := "# Requirements: " + product + "\n\n## v1.1 Requirements\n\n"
	for _, ph := range b.w.phases {
		for i, id := range ph.require {
			text += fmt.Sprintf("- [ ] **%s**: %s\n", id, ph.truths[i])
		}
	}
	return text
}

// The notes that are taken before a phase is planned.
const (
	contextNote  = "CONTEXT.md"
	researchNote = "RESEARCH.md"
)

func (b *Build) renderNote(number, name string) string {
	ph := b.w.phase(number)
	title := strings.TrimSuffix(name, ".md")
	title = title[:1] + strings.ToLower(title[1:])
	return fmt.Sprintf("# Phase %s: %s - %s\n\n**Gathered:** %s\n\n## Phase Boundary\n\n%s\n", number, ph.name, title, b.day(), ph.goal)
}

func (b *Build) renderTodo(title, area string) string {
	return fmt.Sprintf("---\ncreated: %s\ntitle: %q\narea: %s\n---\n\n## Problem\n\n%s.\n", b.stamp(), title, area, title)
}

// quick is the path of a quick task's file, named after the day it is from.
func (b *Build) quick(ago time.Duration, slug, what string) string {
	id := b.opts.Now().Add(-ago).UTC().Format("060102") + "-" + slug[:3]
	return "quick/" + id + "-" + slug + "/" + id + "-" + what + ".md"
}

func (b *Build) renderQuick(title string) string {
	return fmt.Sprintf("---\nstatus: complete\ncompleted: %s\n---\n\n# Quick Task: %s\n", b.day(), title)
}
