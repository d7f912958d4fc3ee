// The log of a result: its text and its name.

package record

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"gatehouse/parse/ultraplan/yamldoc"
)

// loggedResult is what a log says beside the result itself.
type loggedResult struct {
	LoggedAt time.Time
	Plan     string // "03-01"
	Task     string // number of the task in its plan, "2"
	Session  string
	// Capture tells this capture from all others, so that one that was broken off finds its own log; "" leaves it out.
	Capture string
	// Sequence is which result of its day it is, from 1; 0 leaves it out.
	Sequence int
	Warnings []string // for people
	// Plain is the result in plain YAML, which is logged if a log of the received text can't be read. "" refuses such a result.
	Plain      string
	IsReadable func(log string) bool
}

// LogText returns the text of an execution log: a head, and the result as it was received, indented by two blanks and not
// written anew. A result that YAML would not read the same below the head, by its indentation or a mark of its own, is an
// error.
func (e *loggedResult) LogText(result string) (string, error) {
	body := strings.TrimRight(bare(result), "\r\n \t")
	var b strings.Builder
	fmt.Fprintf(&b, "logged_at: %s\nplan_id: %s\ntask_index: %s\nsession_id: %s\n",
		yamldoc.Quote(e.LoggedAt.UTC().Format(time.RFC3339)), yamldoc.Quote(e.Plan), index(e.Task), yamldoc.Quote(e.Session))
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
	alone, err := yamldoc.Parse(body)
	if err != nil {
		return "", fmt.Errorf("the result can't be logged: %w", err)
	}
	head := b.String() + "\nresult:\n"
	text := head + indent(body)
	whole, err := yamldoc.Parse(text)
	if err == nil && whole.Doc("result").Equal(alone) && (e.IsReadable == nil || e.IsReadable(text)) {
		return text, nil
	}
	if e.Plain == "" {
		return "", errors.New("the result can't be logged as it is: below the head of the log it would say something else; indent it plainly")
	}
	return head + indent(e.Plain) + "\n# as it was received\nreceived: " + yamldoc.Quote(result) + "\n", nil
}

// indent indents a text by two blanks.
func indent(body string) string {
	var b strings.Builder
	for l := range strings.Lines(body) {
		if strings.TrimSpace(l) != "" {
			b.WriteString("  ")
		}
		b.WriteString(l)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// plainText returns a result in plain YAML: for a spelling that is valid, and that a log can't be read in.
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

// bare takes off what a document of its own may begin and end with: a fence, a byte order mark, directives, the marks of
// YAML.
func bare(result string) string {
	result = strings.TrimPrefix(result, "\uFEFF")
	result, _ = unfence(result)
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

// index writes the number of a task as a whole number where it is one, else as a text.
func index(task string) string {
	if n, err := strconv.Atoi(task); err == nil && n >= 0 {
		return strconv.Itoa(n)
	}
	return yamldoc.Quote(task)
}

// LogName returns the name of a log below logs/executions, "2026-01-26/03-01-task-02-success.yaml", which no file has yet: a
// second one of a day gets "-2". The date is that of the moment in its own location. taken says whether a file is there; it
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
