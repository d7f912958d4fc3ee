package gsd

import (
	"testing"

	"gatehouse/model"
	"gatehouse/model/modeltest"
)

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

// Todos are notes for later: that some are done is no work under way.
func TestTodosDoNotRun(t *testing.T) {
	b := readOne(t, tree(t, map[string]string{"STATE.md": "---\nstatus: executing\n---\n", "todos/pending/oil-it.md": "# Oil it\n", "todos/done/paint-it.md": "# Paint it\n"}))
	if todos := modeltest.Node(t, b, "group/todos"); todos.Status != model.Pending || todos.Count != (model.Count{Done: 1, Total: 2}) {
		t.Errorf("%s, %v", todos.Status, todos.Count)
	}
}

// TestAnEmptyTodoIsNoProblem: its name says what it is.
func TestAnEmptyTodoIsNoProblem(t *testing.T) {
	dir := tree(t, map[string]string{"STATE.md": "---\ngsd_state_version: 1.0\nstatus: executing\n---\n", "todos/done/oil-it.md": "", "todos/pending/paint-it.md": ""})
	if problems := readers(t, dir)[0].Check(now); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	if n := modeltest.Node(t, readOne(t, dir), "todo/paint-it.md"); n.Title != "paint-it" {
		t.Errorf("%+v", n)
	}
}
