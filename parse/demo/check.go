package demo

// This file writes what stops a build: WAITING.json and HANDOFF.json, and a
// phase's VERIFICATION.md and UAT.md.

import (
	"encoding/json"
	"fmt"
	"strings"
)

const (
	signalFile  = "WAITING.json"
	handoffFile = "HANDOFF.json"
)

// signal is WAITING.json: the agent has stopped and asks.
type signal struct {
	Status   string   `json:"status"`
	Type     string   `json:"type"`
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Since    string   `json:"since"`
	Phase    string   `json:"phase"`
}

// handoff is HANDOFF.json: work is laid down on purpose.
type handoff struct {
	Version   string   `json:"version"`
	Timestamp string   `json:"timestamp"`
	Phase     string   `json:"phase"`
	PhaseName string   `json:"phase_name"`
	Plan      int      `json:"plan"`
	Status    string   `json:"status"`
	Remaining []string `json:"remaining_tasks"`
	Blockers  []string `json:"blockers"`
	Human     []string `json:"human_actions_pending"`
	Next      string   `json:"next_action"`
	Notes     string   `json:"context_notes"`
}

func (b *Build) writeJSON(name string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return b.write(name, string(data)+"\n")
}

// The words a verification's status may be.
const (
	passed      = "passed"
	humanNeeded = "human_needed"
	gapsFound   = "gaps_found"
)

// verification is the outcome of checking a phase.
type verification struct {
	phase  string
	status string
	open   int    // the truth that is not verified, from 1; 0 when all are
	test   string // what a human must try
	expect string // what they should find
	why    string // why no machine can tell, or why it failed
}

func (b *Build) renderVerification(v verification) string {
	ph := b.w.phase(v.phase)
	verified := len(ph.truths)
	if v.open > 0 {
		verified--
	}
	d := new(strings.Builder)
	line := func(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }
	line("---")
	line("phase: %s", ph.dir)
	line("verified: %s", b.stamp())
	line("status: %s", v.status)
	line("score: %d/%d must-haves verified", verified, len(ph.truths))
	switch v.status {
	case humanNeeded:
		line("human_verification:")
		line("  - test: %q", v.test)
		line("    expected: %q", v.expect)
		line("    why_human: %q", v.why)
	case gapsFound:
		line("gaps:")
		line("  - truth: %q", ph.truths[v.open-1])
		line("    status: failed")
		line("    reason: %q", v.why)
	}
	line("---\n")
	line("# Phase %s: %s Verification Report\n", ph.number, ph.name)
	line("**Phase Goal:** %s", ph.goal)
	line("**Status:** %s\n", v.status)
	line("## Goal Achievement\n")
	line("### Observable Truths\n")
	line("| # | Truth | Status |")
	line("|---|-------|--------|")
	for i, truth := range ph.truths {
		word := "VERIFIED"
		if i+1 == v.open {
			word = map[string]string{humanNeeded: "? (human)", gapsFound: "FAILED"}[v.status]
		}
		line("| %d | %s | %s |", i+1, truth, word)
	}
	line("\n**Score:** %d/%d truths verified", verified, len(ph.truths))
	return d.String()
}

// uat is a phase's user acceptance test. The last test is the one that only
// the user can judge; those before it have passed.
type uat struct {
	phase   string
	passed  []uatTest
	last    uatTest
	started string
}

type uatTest struct{ name, expected string }

// uatStage says how far a test has come.
type uatStage int

const (
	uatOpen     uatStage = iota // the last test waits for the user
	uatGap                      // the user was not content
	uatComplete                 // all tests pass, or are skipped
)

// uatSkipped is the result of a test that a human has chosen not to run.
const uatSkipped = "skipped"

// answer is what a human says of a test: the result and, where there is one,
// the line with their words beside it.
type answer struct{ result, words string }

func (b *Build) renderUAT(u uat, stage uatStage, said answer) string {
	ph := b.w.phase(u.phase)
	tests := append(u.passed[:len(u.passed):len(u.passed)], u.last)
	status := [...]string{"testing", "diagnosed", "complete"}[stage]
	if said.result == "" {
		said.result = [...]string{"[pending]", "issue", "pass"}[stage]
	}

	d := new(strings.Builder)
	line := func(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }
	line("---")
	line("status: %s", status)
	line("phase: %s", ph.dir)
	line("source: [%s]", strings.Join(ph.summaries(), ", "))
	line("started: %s", u.started)
	line("updated: %s", b.stamp())
	line("---\n")
	line("## Current Test\n")
	if stage == uatOpen {
		line("number: %d", len(tests))
		line("name: %s", u.last.name)
		line("expected: |\n  %s", u.last.expected)
		line("awaiting: user response\n")
	} else {
		line("[testing complete]\n")
	}
	line("## Tests\n")
	for i, t := range tests {
		line("### %d. %s", i+1, t.name)
		line("expected: %s", t.expected)
		switch {
		case i < len(u.passed):
			line("result: pass")
		case said.words == "":
			line("result: %s", said.result)
		default:
			line("result: %s\n%s", said.result, said.words)
		}
		line("")
	}
	count := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	skipped := said.result == uatSkipped
	line("## Summary\n")
	line("total: %d", len(tests))
	line("passed: %d", len(u.passed)+count(stage == uatComplete && !skipped))
	line("issues: %d", count(stage == uatGap))
	line("pending: %d", count(stage == uatOpen))
	line("skipped: %d\n", count(skipped))
	line("## Gaps\n")
	if stage == uatGap {
		line("- truth: %q", u.last.expected)
		line("  status: failed")
		line("  test: %d", len(tests))
	} else {
		line("[none]")
	}
	return d.String()
}

// summaries are the names of the phase's SUMMARY files.
func (p *phase) summaries() []string {
	var names []string
	for _, pl := range p.plans {
		if pl.counts() && pl.summary != "" {
			names = append(names, pl.id+"-SUMMARY.md")
		}
	}
	return names
}
