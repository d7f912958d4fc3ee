// The text and the name of a result's log.

package record

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// loggedResult is the head of a log.
type loggedResult struct {
	LoggedAt time.Time
	Plan     string // "03-01"
	Task     string // number of the task in its plan, "2"
	Session  string
	// Capture identifies the capture, so that a repeated one finds its log; "" leaves it out.
	Capture string
	// Sequence is the number of the result among those of its day, from 1; 0 leaves it out.
	Sequence int
	Warnings []string // for users
}

// formatLog returns the text of a log: a head, and the received result, indented by two blanks. If its YAML spelling would not be read as
// the same result, the result is written in plain YAML, followed by the received text.
func (e *loggedResult) formatLog(v *Verdict, received string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "logged_at: %s\nplan_id: %s\ntask_index: %s\nsession_id: %s\n",
		statemd.Quote(e.LoggedAt.UTC().Format(time.RFC3339)), statemd.Quote(e.Plan), taskIndex(e.Task), statemd.Quote(e.Session))
	if e.Capture != "" {
		fmt.Fprintf(&b, "capture_id: %s\n", statemd.Quote(e.Capture))
	}
	if e.Sequence > 0 {
		fmt.Fprintf(&b, "sequence: %d\n", e.Sequence)
	}
	if len(e.Warnings) > 0 {
		b.WriteString("warnings:\n")
		for _, w := range e.Warnings {
			fmt.Fprintf(&b, "  - %s\n", statemd.Quote(w))
		}
	}
	head := b.String() + "\nresult:\n"
	if text := head + indentText(v.text); v.isLoggedBy(core.ParseLog(text)) {
		return text
	}
	return head + indentText(v.plain) + "\n# as it was received\nreceived: " + statemd.Quote(received) + "\n"
}

// isLoggedBy reports whether reading a log returns the result.
func (v *Verdict) isLoggedBy(l *core.Log) bool {
	r := &v.Result
	return l.Lacks == "" && l.Status == r.Status && strings.TrimSpace(l.Name) == r.Name && l.Error == r.Error && l.Output == r.Output &&
		l.Files == r.Files && l.Timed == r.Timed && l.TookMS == r.TookMS && l.Attempt == r.Attempt
}

// indentText indents a text by two blanks.
func indentText(body string) string {
	var b strings.Builder
	for l := range strings.Lines(body) {
		if strings.TrimSpace(l) != "" {
			b.WriteString("  ")
		}
		b.WriteString(l)
	}
	return strings.TrimRight(b.String(), "\r\n \t") + "\n"
}

// taskIndex formats the number of a task, as a string if it is no whole number.
func taskIndex(task string) string {
	if n, err := strconv.Atoi(task); err == nil && n >= 0 {
		return strconv.Itoa(n)
	}
	return statemd.Quote(task)
}

// LogName returns a name for a log below logs/executions, "2026-01-26/03-01-task-02-success.yaml"; the nth one of a day ends with "-n". The
// date is in the location of LoggedAt.
func (e *loggedResult) LogName(status string, n int) string {
	task := e.Task
	if whole, _, _ := strings.Cut(task, "."); len(whole) == 1 {
		task = "0" + task
	}
	name := e.LoggedAt.Format(time.DateOnly) + "/" + plainName(path.Base(e.Plan)) + "-task-" + plainName(task) + "-" + plainName(status)
	if n > 1 {
		name += "-" + strconv.Itoa(n)
	}
	return name + ".yaml"
}

// plainName removes everything from a part of a file name that could lead to another directory or hide the file.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '_'
	}, strings.TrimLeft(s, "."))
}
