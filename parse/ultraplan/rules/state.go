// Package rules holds what ultraplan's files say and what it means: whose a .planning is, which plans are done, where the work
// is, and how the gate of a task moves. Prompt, dashboard, writer and recorder share it, so none of them can read a file in
// another way. It opens no file, and imports only what the prompt can afford.
//
// This file reads STATE.md: its position and the gate of the task at work. Its bar is never read: it is drawn by hand.
// ../README.md says what the files are and how they are read.
package rules

import (
	"cmp"

	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// State is what a STATE.md says of where the work is. The values are parts of the text, "" where it says nothing.
type State struct {
	Phase, PhaseTotal, PhaseName string // "Phase: 7 of 8 (CLI Commands)"
	Plan                         string // "2" of "Plan: 2 of 4", or "16-02"
	Status                       string // as it is written
	Task                         Task
}

// Task is what the current_task block says that the line needs: the task, its plan, and its gate.
type Task struct {
	Name, Phase, Plan string
	Gate              string // one of the Task… statuses, in upper case, REJECTED as FAILED; "" for other words
	Attempt, Max      string // digits
	Endless           bool   // it may be tried as often as it likes: max_attempts is below 0
	Last              string // when its gate moved last, as it is written
	Unclear           bool   // one of them is there, and is no number of attempts
}

// The words for where the work is.
const (
	StatusReadyToPlan = "Ready to plan"
	StatusPlanning    = "Planning"
	StatusInProgress  = "In progress"
	StatusVerifying   = "Verifying"
	StatusComplete    = "Complete"
)

// Status returns the protocol's word that a status means, and the status itself where it means none: agents write
// "in_progress", "COMPLETE", "Complete - text". "Ready for execution" is neither planning nor progress.
func Status(status string) string {
	has := func(part string) bool { return line.ContainsFold(status, part) }
	switch {
	case has("incomplet") || has("not complet") || has("not done"):
		return status
	case has("verif"):
		return StatusVerifying
	case has("complet") || has("done"):
		return StatusComplete
	case has("ready"):
		if has("plan") {
			return StatusReadyToPlan
		}
		return status
	case has("in progress") || has("in_progress") || has("execut"):
		return StatusInProgress
	case has("planning"):
		return StatusPlanning
	}
	return status
}

// ParseState returns what the text of a STATE.md says, whatever the text is.
func ParseState(text string) State {
	var s State
	at, end := section(text, "current position")
	var a aside
	for at < end {
		var l string
		l, at = nextText(text, at)
		if a.holds(l, text[at:]) {
			continue
		}
		key, value := field(l)
		switch {
		case foldEqual(key, "phase") && s.Phase == "":
			s.Phase, s.PhaseTotal, s.PhaseName = position(value)
		case foldEqual(key, "plan") && s.Plan == "":
			s.Plan = planNumber(value)
		case foldEqual(key, "status") && s.Status == "":
			s.Status = value
		}
	}
	if block, ok := TaskBlock(text); ok {
		s.Task = parseTask(text[block:])
	}
	return s
}

// TaskBlock returns where the current_task block of a STATE.md begins, fenced or bare: the offset of its first
// line. ok is false when there is none.
func TaskBlock(text string) (at int, ok bool) {
	const key = "current_task:"
	for at = scan.FindAtLineStart(text, key, 0); at >= 0; at = scan.FindAtLineStart(text, key, at+len(key)) {
		rest, next := nextText(text, at+len(key))
		if rest = scan.TrimSpace(rest); rest != "" && rest[0] != '#' {
			continue
		}
		for next < len(text) { // its first line has to belong to it
			var l string
			l, next = nextText(text, next)
			if scan.TrimSpace(l) != "" {
				if (l[0] == ' ' || l[0] == '\t') && !commented(text, at) {
					return at, true
				}
				break
			}
		}
	}
	return 0, false
}

// commented reports whether the line that begins at an offset stands in a comment.
func commented(text string, at int) bool {
	if scan.Index(text[:at], "<!--") < 0 {
		return false
	}
	var a aside
	for i := 0; i < at; {
		var l string
		l, i = nextText(text, i)
		a.holds(l, text[i:])
	}
	return a.comment
}

// parseTask reads the block that begins at the start of text: the indented lines that follow.
func parseTask(text string) Task {
	var t Task
	_, at := nextText(text, 0)
	named := true // the name stands on its own line
	count := -1   // the indentation of the count of attempts on the line before, where its value is not on that line
	for at < len(text) {
		var l string
		l, at = nextText(text, at)
		if l != "" && l[0] != ' ' && l[0] != '\t' && l[0] != '\r' {
			break
		}
		if scan.TrimSpace(l) != "" {
			t.Unclear = t.Unclear || count >= 0 && scan.SkipSpace(l, 0) > count
			count = -1
		}
		if !named && scan.TrimSpace(l) != "" {
			t.Name, named = scan.TrimSpace(l), true
			continue
		}
		key, value := field(l)
		key, value = scan.Unquote(key), scalar(value)
		if value == "" && (key == "attempt" || key == "max_attempts") {
			count = scan.SkipSpace(l, 0)
		}
		switch key {
		case "name":
			t.Name, named = value, value == "" || value[0] != '>' && value[0] != '|' // a block, folded or not, begins on the next line
		case "phase":
			t.Phase, _ = dotted(value, 0) // of "03-auth"
		case "plan":
			t.Plan = value
		case "gate_status":
			t.Gate = GateStatus(value)
		case "last_step_at":
			t.Last = value
		case "attempt":
			t.Attempt, _ = scan.Digits(value, 0)
			t.Unclear = t.Unclear || noNumber(value) || value != "" && value[0] == '-'
		case "max_attempts":
			t.Max, _ = scan.Digits(value, 0)
			t.Unclear = t.Unclear || noNumber(value)
			t.Endless = value != "" && value[0] == '-'
		}
	}
	return t
}

// scalar takes a comment and quotation marks off a value of YAML.
func scalar(value string) string {
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		for i := 1; i < len(value); i++ {
			if value[i] == value[0] {
				return value[1:i]
			}
		}
	}
	const tag = "!!str " // a word is one without it, too
	if scan.HasPrefixAt(value, tag, 0) {
		return scalar(scan.TrimSpace(value[len(tag):]))
	}
	for i := 1; i < len(value); i++ {
		if value[i] == '#' && (value[i-1] == ' ' || value[i-1] == '\t') {
			value = value[:i-1]
		}
	}
	return scan.Unquote(scan.TrimSpace(value))
}

var gateStatuses = [...]string{
	TaskPending, TaskExecuting, TaskVerifying, TaskReviewing, TaskApproved, TaskFailed, TaskBlocked, TaskSkipped,
}

// GateStatus returns the status of a task's gate that a word stands for, in any case; REJECTED is in the flow diagram alone
// and means FAILED. It is "" for any other word.
func GateStatus(word string) string {
	for _, s := range gateStatuses {
		if foldEqual(word, s) {
			return s
		}
	}
	if foldEqual(word, "rejected") {
		return TaskFailed
	}
	return ""
}

// Stuck says what the gate of the task at work waits for a human for: it is blocked, or has failed as often as it may.
func (t *Task) Stuck() string {
	name := t.Name
	if name == "" {
		name = "a task"
	}
	switch {
	case t.Gate == TaskBlocked:
		return name + " is blocked"
	case t.Gate == TaskFailed && t.Uncounted(): // it may have failed as often as it may
		return name + " failed, and how often can't be read"
	case t.Gate == TaskFailed && t.Spent():
		return name + " " + Failed(t.Limit())
	}
	return ""
}

// Failed says how often something has failed, by digits.
func Failed(times string) string {
	switch times = TrimZeros(times); times {
	case "0": // it may not be tried again, and was not counted
		return "failed"
	case "1":
		return "failed once"
	}
	return "failed " + times + " times"
}

// MaxAttempts is how often a task is tried where nothing else is said, by its gate, its logs or the session alike.
const (
	MaxAttempts = 3
	maxAttempts = "3"
)

// Limit returns how often the task may be tried, in digits.
func (t *Task) Limit() string {
	if t.Max == "" {
		return maxAttempts
	}
	return t.Max
}

// Spent reports whether no attempt is left, or nobody can tell. The attempt counts up when a gate fails, so that it names the next.
func (t *Task) Spent() bool {
	return t.Uncounted() || !t.Endless && CompareNumbers(t.Attempt, t.Limit()) > 0
}

// Uncounted reports whether nobody can tell how often the task has been tried, where that matters: attempts count from 1.
func (t *Task) Uncounted() bool {
	return t.Unclear || TrimZeros(cmp.Or(t.Attempt, "0")) == "0" && !t.Endless
}

// AskedFor returns what the gate of the task at work waits for a human for, "" where its plan is closed: the tree knows better.
func (s *State) AskedFor(phases []Phase) string {
	what := s.Task.Stuck()
	if what == "" {
		return ""
	}
	for i := range phases {
		for _, plan := range phases[i].Plans {
			if plan.Done && SamePlan(plan.ID, s.Task.Plan, s.Task.Phase) {
				return ""
			}
		}
	}
	return what
}

// noNumber reports whether something is said where a whole number has to be, and is none.
func noNumber(value string) bool {
	if value == "" || value == "~" || value == "null" {
		return false
	}
	if value[0] == '-' || value[0] == '+' {
		value = value[1:]
	}
	_, at := scan.Digits(value, 0)
	return at == 0 || at < len(value)
}

// position splits "7 of 8 (CLI Commands)", and "16 (name) — COMPLETE" or "4/7" too.
func position(value string) (number, total, name string) {
	number, i := dotted(value, 0)
	if number == "" {
		return "", "", ""
	}
	rest := scan.SkipSpace(value, i)
	switch {
	case scan.HasPrefixAt(value, "of ", rest):
		total, i = scan.Digits(value, scan.SkipSpace(value, rest+3))
	case scan.HasPrefixAt(value, "/", rest):
		total, i = scan.Digits(value, scan.SkipSpace(value, rest+1))
	}
	for ; i < len(value); i++ {
		if value[i] == '(' {
			for end := i + 1; end < len(value); end++ {
				if value[end] == ')' {
					return number, total, value[i+1 : end]
				}
			}
		}
	}
	return number, total, ""
}

// planNumber returns the number of a plan that a text begins with: "2" of "2 of 4", "16-02".
func planNumber(value string) string {
	number, i := dotted(value, 0)
	if number != "" && i < len(value) && value[i] == '-' {
		if _, end := dotted(value, i+1); end > i+1 {
			return value[:end]
		}
	}
	return number
}

// dotted returns the number that s has at offset i, digits with dots between them, and the offset behind it.
func dotted(s string, i int) (number string, end int) {
	digits, end := scan.Digits(s, i)
	if digits == "" {
		return "", i
	}
	for end < len(s) && s[end] == '.' {
		digits, next := scan.Digits(s, end+1)
		if digits == "" {
			break
		}
		end = next
	}
	return s[i:end], end
}
