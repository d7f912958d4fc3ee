package demo

// This file writes the state a round begins with: a milestone shipped weeks ago, and what the start of the story says.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	day         = 24 * time.Hour
	archivedAgo = 19 * day
)

// draft is a file of the starting state.
type draft struct {
	file
	ago time.Duration
}

// begin writes the starting state and removes what else a round has left.
func (b *Build) begin() error {
	b.w, b.open = newWorld(), nil
	defer func() { b.ago = 0 }()
	drafts := b.drafts()
	keep := make(map[string]bool)
	for _, d := range drafts {
		b.ago = d.ago
		if err := b.write(d.name, d.text); err != nil {
			return err
		}
		keep[planning+"/"+d.name] = true
	}
	b.ago = 0
	if err := b.removeOthers(keep); err != nil {
		return err
	}
	if b.loop.over() {
		if err := b.loop.begin(); err != nil {
			return err
		}
	}
	if b.opts.plays(feederDir) && b.feed.over() {
		if err := b.feed.begin(); err != nil {
			return err
		}
	}
	if b.opts.plays(nestDir) && b.nest.over() {
		return b.nest.begin()
	}
	return nil
}

// drafts are the files as the last row of the start leaves them, the oldest first: a folder then looks as old as its
// youngest file.
func (b *Build) drafts() []draft {
	all := make(map[string]draft)
	put := func(ago time.Duration, render func() []file) {
		b.ago = ago
		for _, f := range render() {
			all[f.name] = draft{f, ago}
		}
	}
	put(archivedAgo+day, b.archivedPlans)
	put(archivedAgo, func() []file { return []file{{"milestones/v1.0-ROADMAP.md", b.renderArchive()}} })
	put(archivedAgo-day, func() []file { return []file{{"REQUIREMENTS.md", b.renderRequirements()}} })
	for i := range b.w.Start {
		put(b.w.Start[i].Ago, func() []file { return b.w.Start[i].files(b) })
	}
	var drafts []draft
	for _, d := range all {
		drafts = append(drafts, d)
	}
	slices.SortFunc(drafts, func(a, b draft) int {
		return cmp.Or(cmp.Compare(b.ago, a.ago), strings.Compare(a.name, b.name))
	})
	return drafts
}

// archivedPlans are the plans of the milestone that is over.
func (b *Build) archivedPlans() (all []file) {
	for _, ph := range b.w.Shipped {
		for _, pl := range ph.Plans {
			pl.summary = complete
			all = append(all, file{"milestones/v1.0-" + pl.file("PLAN"), b.renderPlan(pl)}, file{"milestones/v1.0-" + pl.file("SUMMARY"), b.renderSummary(pl)})
		}
	}
	return all
}

func (b *Build) renderArchive() string {
	text := "# Milestone v1.0: First Light\n\n**Status:** ✅ SHIPPED " + b.day() + "\n"
	for _, ph := range b.w.Shipped {
		text += fmt.Sprintf("\n### Phase %s: %s\n\n**Goal**: %s\n", ph.Number, ph.Name, ph.Goal)
	}
	return text
}

func (b *Build) renderRequirements() string {
	text := "# Requirements: " + b.w.Product + "\n\n## v1.1 Requirements\n\n"
	for _, ph := range b.w.Phases {
		for i, id := range ph.Require {
			text += fmt.Sprintf("- [ ] **%s**: %s\n", id, ph.Truths[i])
		}
	}
	return text
}

// renderNote writes what is noted before a phase is planned.
func (b *Build) renderNote(ph *phase, name string) string {
	title := strings.TrimSuffix(name, ".md")
	title = title[:1] + strings.ToLower(title[1:])
	return fmt.Sprintf("# Phase %s: %s - %s\n\n**Gathered:** %s\n\n## Phase Boundary\n\n%s\n", ph.Number, ph.Name, title, b.day(), ph.Goal)
}

func (b *Build) renderTodo(t *todo) string {
	return fmt.Sprintf("---\ncreated: %s\ntitle: %q\narea: %s\n---\n\n## Problem\n\n%s.\n", b.stamp(), t.Title, t.Area, t.Title)
}

func (b *Build) renderQuick(q *quickTask) string {
	return fmt.Sprintf("---\nstatus: complete\ncompleted: %s\n---\n\n# Quick Task: %s\n", b.day(), q.Title)
}
