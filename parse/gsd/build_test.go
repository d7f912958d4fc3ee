package gsd

import (
	"path/filepath"
	"runtime"
	"testing"

	"gatehouse/model/modeltest"
)

// tree writes a .planning directory and returns the project's directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, Planning, name), text)
	}
	return dir
}

// TestInvisibleNames checks that names made of invisible characters are displayed as something identifiable.
func TestInvisibleNames(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{
		"phases/01-a/01-01-PLAN.md":      "---\nuser_setup: [\"\\u200b\"]\n---\n<task type=\"checkpoint:\u200b\">\n<name>x</name>\n</task>",
		"phases/02-b/02-01-PLAN.md":      "x",
		"phases/02-b/02-01-SUMMARY.md":   "x",
		"phases/02-b/02-VERIFICATION.md": "---\nstatus: human_needed\nhuman_verification:\n- test: \"\\u200b\"\n  name: \"\\u200e\"\n---\n## Human Verification\n### 1. \u200b\n- \u200d\n",
	}))
	if n := modeltest.Node(t, b, "gate/02/02-VERIFICATION.md"); n.Title != "verify by hand (02-VERIFICATION.md does not say what)" {
		t.Errorf("a verification is %q", n.Title)
	}
	modeltest.CheckShown(t, b)
}

func TestHostileNamesAreShownClean(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows refuses such file names")
	}
	const evil = "\x1b[2J\u202e\u0007"
	dir := tree(t, map[string]string{
		"STATE.md": "---\nstatus: paused" + evil + "\nstopped_at: x" + evil + "\nnext_action: do" + evil + "\nnext_phases: [1]\n---\n## Blockers\n- no" + evil + "\n",
		"phases/01-a" + evil + "/01-01-x" + evil + "-PLAN.md": "---\ntype: " + evil + "\n---\n<task type=\"checkpoint:x" + evil + "\">\n<name>n" + evil + "</name>\n</task>",
		"phases/01-a" + evil + "/01-02" + evil + "-PLAN.md":   "---\nuser_setup: [{service: s" + evil + "}]\n---\n",
		"phases/01-a" + evil + "/01-03-PLAN.md":               "x",
		"phases/01-a" + evil + "/01-03-SUMMARY.md":            "---\nstatus: halted\n---\n",
		"phases/01-a" + evil + "/01-" + evil + "-UAT.md":      "## Tests\n### 1. t" + evil + "\nexpected: e" + evil + "\nresult: pending\n",
		"phases/02-b/02-01-PLAN.md":                           "x",
		"phases/02-b/02-01-SUMMARY.md":                        "x",
		"phases/02-b/02-" + evil + "-VERIFICATION.md":         "---\nstatus: human_needed\n---\n",
		"todos/pending/t" + evil + ".md":                      "x",
	})
	b := readOne(t, dir)
	if len(b.Waits) == 0 || len(b.Blockers) == 0 || b.Pause == nil || b.Next == nil {
		t.Fatalf("%d waits, %d blockers, pause %v, next %v: the test shows too little", len(b.Waits), len(b.Blockers), b.Pause, b.Next)
	}
	modeltest.CheckShown(t, b)
}

const uatText = `---
status: testing
phase: 03-crane
started: 2026-02-01T10:00:00Z
updated: 2026-02-02T10:00:00Z
---

## Current Test

number: 2
name: Brake
expected: |
  It stops
awaiting: user response

## Tests

### 1. Boom
expected: It swings
result: pass

### 2. Brake
expected: It stops
result: [pending]

### 3. Hook
expected: It holds
result: issue
reported: "it does not"
severity: major

### 4. Rope
result: skipped
reason: no rope

### 5. Winch
result: [blocked]
blocked_by: 03-04

## Summary

total: 5

## Gaps

- truth: "The hook holds"
  status: failed
  severity: major
- truth: "The boom is red"
  status: resolved
`
