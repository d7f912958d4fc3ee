package demo

// This file writes what a phase is judged by: its VERIFICATION.md and UAT.md.

import (
	"fmt"
	"slices"
	"strings"
)

// The words a verification's status may be.
const (
	passed      = "passed"
	humanNeeded = "human_needed"
	gapsFound   = "gaps_found"
)

// verification is the outcome of checking a phase.
type verification struct {
	Phase  string
	Status string
	Open   int    // the truth that is not verified, from 1; 0 when all are
	Test   string // what a human must try
	Expect string // what they should find
	Why    string // why no machine can tell, or why it failed
}

func (b *Build) renderVerification(v *verification) string {
	ph := b.w.phase(v.Phase)
	verified := len(ph.Truths)
	if v.Open > 0 {
		verified--
	}
	d := new(strings.Builder)
	line := func(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }
	line("---")
	line("phase: %s", ph.Dir)
	line("verified: %s", b.stamp())
	line("status: %s", v.Status)
	line("score: %d/%d must-haves verified", verified, len(ph.Truths))
	switch v.Status {
	case humanNeeded:
		line("human_verification:")
		line("  - test: %q", v.Test)
		line("    expected: %q", v.Expect)
		line("    why_human: %q", v.Why)
	case gapsFound:
		line("gaps:")
		line("  - truth: %q", ph.Truths[v.Open-1])
		line("    status: failed")
		line("    reason: %q", v.Why)
	}
	line("---\n")
	line("# Phase %s: %s Verification Report\n", ph.Number, ph.Name)
	line("**Phase Goal:** %s", ph.Goal)
	line("**Status:** %s\n", v.Status)
	line("## Goal Achievement\n")
	line("### Observable Truths\n")
	line("| # | Truth | Status |")
	line("|---|-------|--------|")
	for i, truth := range ph.Truths {
		word := "VERIFIED"
		if i+1 == v.Open {
			word = map[string]string{humanNeeded: "? (human)", gapsFound: "FAILED"}[v.Status]
		}
		line("| %d | %s | %s |", i+1, truth, word)
	}
	line("\n**Score:** %d/%d truths verified", verified, len(ph.Truths))
	return d.String()
}

// acceptance is a phase's user acceptance test. The last test is the one that only the user can judge; those before it
// have passed.
type acceptance struct {
	verification `yaml:",inline"`
	ID           string
	Passed       []uatTest

	started string
}

type uatTest struct{ Name, Expected string }

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

func (b *Build) renderUAT(a *acceptance, stage uatStage, said answer) string {
	ph := b.w.phase(a.Phase)
	tests := append(slices.Clone(a.Passed), uatTest{a.Test, a.Expect})
	status := [...]string{"testing", "diagnosed", "complete"}[stage]
	if said.result == "" {
		said.result = [...]string{"[pending]", "issue", "pass"}[stage]
	}

	d := new(strings.Builder)
	line := func(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }
	line("---")
	line("status: %s", status)
	line("phase: %s", ph.Dir)
	line("source: [%s]", strings.Join(ph.summaries(), ", "))
	line("started: %s", a.started)
	line("updated: %s", b.stamp())
	line("---\n")
	line("## Current Test\n")
	if stage == uatOpen {
		line("number: %d", len(tests))
		line("name: %s", a.Test)
		line("expected: |\n  %s", a.Expect)
		line("awaiting: user response\n")
	} else {
		line("[testing complete]\n")
	}
	line("## Tests\n")
	for i, t := range tests {
		line("### %d. %s", i+1, t.Name)
		line("expected: %s", t.Expected)
		switch {
		case i < len(a.Passed):
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
	line("passed: %d", len(a.Passed)+count(stage == uatComplete && !skipped))
	line("issues: %d", count(stage == uatGap))
	line("pending: %d", count(stage == uatOpen))
	line("skipped: %d\n", count(skipped))
	line("## Gaps\n")
	if stage == uatGap {
		line("- truth: %q", a.Expect)
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
	for _, pl := range p.Plans {
		if pl.counts() && pl.summary != "" {
			names = append(names, pl.ID+"-SUMMARY.md")
		}
	}
	return names
}
