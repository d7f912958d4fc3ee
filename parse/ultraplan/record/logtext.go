// The log of a result: its text and its name.

package record

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/yamldoc"
)

// loggedResult is the head of a log.
type loggedResult struct {
	LoggedAt time.Time
	Plan     string // "03-01"
	Task     string // number of the task in its plan, "2"
	Session  string
	// Capture identifies the capture, so that a repeated one finds its log; "" leaves it out.
	Capture string
	// Sequence is which result of its day it is, from 1; 0 leaves it out.
	Sequence int
	Warnings []string // for people
}

// formatLog returns the text of a log: a head, and the result as it was received, indented by two blanks. If the log would not be read
// as the same result, by its spelling, the result is in plain YAML, with the received text behind it.
func (e *loggedResult) formatLog(r *Result, received string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "logged_at: %s\nplan_id: %s\ntask_index: %s\nsession_id: %s\n",
		yamldoc.Quote(e.LoggedAt.UTC().Format(time.RFC3339)), yamldoc.Quote(e.Plan), taskIndex(e.Task), yamldoc.Quote(e.Session))
	if e.Capture != "" {
		fmt.Fprintf(&b, "capture_id: %s\n", yamldoc.Quote(e.Capture))
	}
	if e.Sequence > 0 {
		fmt.Fprintf(&b, "sequence: %d\n", e.Sequence)
	}
	if len(e.Warnings) > 0 {
		b.WriteString("warnings:\n")
		for _, w := range e.Warnings {
			fmt.Fprintf(&b, "  - %s\n", yamldoc.Quote(w))
		}
	}
	head := b.String() + "\nresult:\n"
	if text := head + indentText(strings.TrimRight(bareResult(received), "\r\n \t")); r.isLoggedBy(core.ParseLog(text)) {
		return text
	}
	return head + indentText(r.plainText()) + "\n# as it was received\nreceived: " + yamldoc.Quote(received) + "\n"
}

// isLoggedBy reports whether a log is read as the result.
func (r *Result) isLoggedBy(l *core.Log) bool {
	return l.Lacks == "" && l.Status == r.Status && strings.TrimSpace(l.Name) == r.TaskName && l.Error == core.ShortenText(r.Error) && l.Output == core.ShortenText(r.Output) &&
		l.Files == len(r.Files) && l.Timed == r.Timed && l.TookMS == int64(r.Took) && l.Attempt == r.Attempt
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
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// plainText returns a result in plain YAML.
func (r *Result) plainText() string {
	var b strings.Builder
	text := func(s string) string {
		if s == "" {
			return "null"
		}
		return yamldoc.Quote(s)
	}
	fmt.Fprintf(&b, "status: %s\ntask_name: %s\nfiles_modified:", r.Status, yamldoc.Quote(r.TaskName))
	if len(r.Files) == 0 {
		b.WriteString(" []")
	}
	for _, f := range r.Files {
		b.WriteString("\n  - " + yamldoc.Quote(f))
	}
	fmt.Fprintf(&b, "\nverification:\n  command: %s\n  exit_code: %d\n  output_summary: %s\ndone_criteria_met: %v\nevidence: %s\nerror: %s\n", text(r.Command), r.ExitCode, text(r.Output), r.Done, yamldoc.Quote(r.Evidence), text(r.Error))
	if r.Timed || r.Attempt > 0 || r.Executor != "" {
		b.WriteString("metadata:\n")
		if r.Timed {
			fmt.Fprintf(&b, "  duration_ms: %d\n", r.Took)
		}
		if r.Attempt > 0 {
			fmt.Fprintf(&b, "  attempt: %d\n", r.Attempt)
		}
		if r.Executor != "" {
			fmt.Fprintf(&b, "  executor_id: %s\n", yamldoc.Quote(r.Executor))
		}
	}
	return b.String()
}

// bareResult takes off what a document of its own may begin and end with: a fence, a byte order mark, directives, the marks of
// YAML.
func bareResult(result string) string {
	result = strings.TrimPrefix(result, "\uFEFF")
	result, _ = cutFence(result)
	result = strings.TrimPrefix(result, "\uFEFF")
	for rest := result; rest != ""; {
		l, after, _ := strings.Cut(rest, "\n")
		t := strings.TrimSpace(l)
		if t == "---" || strings.HasPrefix(l, "--- #") {
			result = after
			break
		}
		if t != "" && t[0] != '#' && t[0] != '%' {
			break
		}
		rest = after
	}
	trimmed := strings.TrimRight(result, "\r\n \t")
	if head, ended := strings.CutSuffix(trimmed, "\n..."); ended {
		return head + "\n"
	}
	return result
}

// taskIndex writes the number of a task, as a text if it is no whole number.
func taskIndex(task string) string {
	if n, err := strconv.Atoi(task); err == nil && n >= 0 {
		return strconv.Itoa(n)
	}
	return yamldoc.Quote(task)
}

// LogName returns the name of a log below logs/executions, "2026-01-26/03-01-task-02-success.yaml", which no file has yet: a
// second one of a day gets "-2". The date is in the location of LoggedAt. taken says whether a file is there; it
// is asked about ever higher numbers until there is none.
func (e *loggedResult) LogName(status string, taken func(name string) bool) string {
	task := e.Task
	if whole, _, _ := strings.Cut(task, "."); len(whole) == 1 {
		task = "0" + task
	}
	stem := e.LoggedAt.Format(time.DateOnly) + "/" + plainName(path.Base(e.Plan)) + "-task-" + plainName(task) + "-" + plainName(status)
	name := stem + ".yaml"
	for n := 2; taken(name); n++ {
		name = stem + "-" + strconv.Itoa(n) + ".yaml"
	}
	return name
}

// plainName keeps of a part of a file's name what can't lead elsewhere or hide it.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '_'
	}, strings.TrimLeft(s, "."))
}
