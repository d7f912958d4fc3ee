// Why a result is refused, or what is to be known of it, in words: the field, its line, and what is allowed.

package record

import (
	"errors"
	"fmt"
	"strings"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/yamldoc"
)

// Reason is an error or a warning in words.
type Reason struct {
	Code  string `json:"code"`            // the word of [Verdict.Errors] or [Verdict.Warnings]
	Field string `json:"field,omitempty"` // of the result
	Line  int    `json:"line,omitempty"`  // in the result as it was received, from 1
	Text  string `json:"text"`            // what is wrong, and what is allowed
}

// String returns the reason as one line, its code first.
func (r *Reason) String() string {
	at := ""
	if r.Line > 0 {
		at = fmt.Sprintf(" line %d:", r.Line)
	}
	return r.Code + ":" + at + " " + r.Text
}

// kinds say what the fields have to be.
var kinds = map[string]string{
	"status": "success, failure or blocked", "task_name": "a text, the name of the task as PLAN.md has it", "files_modified": "a list of paths, [] for none",
	"verification": "a mapping with command, exit_code and output_summary", "verification.command": "a text, null for a task that is blocked",
	"verification.exit_code": "a whole number", "verification.output_summary": "a text", "done_criteria_met": "true or false", "evidence": "a text",
	"error": "a text, or null for a success", "metadata": "a mapping with duration_ms, attempt and executor_id", "duration_ms": "a whole number of milliseconds",
	"attempt": "a whole number from 1", "executor_id": "a text",
}

// contradictions say what a status requires.
var contradictions = map[string]struct{ field, text string }{
	"success-exit-nonzero": {"verification.exit_code", "a success has 0; else write failure, with the error"}, "success-not-done": {"done_criteria_met", "a success has true"},
	"success-with-error": {"error", "a success has null"}, "failure-error-null": {"error", "a failure says what went wrong"}, "failure-done-true": {"done_criteria_met", "a failure has false"},
	"blocked-error-null": {"error", "a blocked task says what blocks it"}, "blocked-files-not-empty": {"files_modified", "a blocked task has touched nothing: []"},
	"blocked-command-not-null": {"verification.command", "of a blocked task nothing was run: null"},
}

// explainReasons puts the errors and warnings of a verdict into words. parsed is why it could not be parsed.
func (v *validator) explainReasons(parsed error, shift int) {
	for _, code := range append(v.Errors[:len(v.Errors):len(v.Errors)], v.Warnings...) {
		r := Reason{Code: code}
		head, rest, _ := strings.Cut(code, ":")
		field, isMissing := strings.CutPrefix(head, "missing-")
		typed, isType := strings.CutPrefix(head, "type-")
		switch {
		case head == "yaml-error":
			r.Text = "the result is not YAML"
			var e *yamldoc.Error
			if errors.As(parsed, &e) {
				r.Line, r.Text = e.Line, r.Text+": "+e.Text
			}
		case head == "not-one-mapping":
			r.Text = "the result has to be one mapping, with status, task_name, files_modified, verification, done_criteria_met, evidence and error"
		case head == "bad-status":
			r.Field, r.Text = "status", "it is “"+v.Result.Status+"”; write "+kinds["status"]
		case isMissing && kinds[field] != "":
			r.Field, r.Text = field, "it is missing; write "+kinds[field]
		case isType && kinds[typed] != "":
			r.Field, r.Text = typed, "it has to be "+kinds[typed]
		case contradictions[head].field != "":
			r.Field, r.Text = contradictions[head].field, contradictions[head].text
		case head == "task-not-in-plan":
			r.Field, r.Text = "task_name", "the plan has no “"+v.Result.TaskName+"”; it has "+listTasks(v.of.tasks)+v.otherPlanText()
		case head == "fuzzy-task-match":
			r.Field, r.Text = "task_name", v.byNumber()
		case head == "fenced":
			r.Text = "the result stood in a fence, which was taken off"
		case head == "path-not-relative":
			r.Field, r.Text = "files_modified", "“"+rest+"” is not relative to the project"
		case head == "file-missing":
			r.Field, r.Text = "files_modified", "“"+rest+"” is not there"
		case head == "file-not-in-task":
			r.Field, r.Text = "files_modified", "“"+rest+"” is not among the task's <files>"
		case head == "metadata-missing" && rest == "":
			r.Field, r.Text = "metadata", "it is missing: duration, attempt and executor are not known"
		case head == "metadata-missing":
			r.Field, r.Text = "metadata."+rest, "it is missing; write "+kinds[rest]
		case head == "bad-metadata":
			r.Field, r.Text = "metadata."+rest, "it is left out; write "+kinds[rest]
		case head == "unknown-field":
			r.Field, r.Text = rest, "no result has such a field; it is kept in the log"
		default:
			r.Text = "see the result capture protocol"
		}
		if r.Line == 0 {
			r.Line = v.lineOf(r.Field)
		}
		if r.Line > 0 {
			r.Line += shift
		}
		if r.Field != "" && !strings.HasPrefix(r.Text, r.Field) {
			r.Text = r.Field + ": " + r.Text
		}
		r.Text = line.Tidy(r.Text)
		v.Reasoned = append(v.Reasoned, r)
	}
}

// byNumber says whose task was found by its number alone.
func (v *validator) byNumber() string {
	name := strings.TrimSpace(v.of.tasks[v.Task].Name)
	number, _, _ := doc.ParseTaskNumber(name)
	of := "task " + number
	if v.of.plan != "" {
		of += " of plan " + v.of.plan
	}
	return "“" + v.Result.TaskName + "” was taken for " + of + ", “" + name + "”, by its number alone" + v.otherPlanText()
}

// otherPlanText says that another plan has a task of the result's name.
func (v *validator) otherPlanText() string {
	if v.of.elsewhere != nil {
		if plan := v.of.elsewhere(v.Result.TaskName); plan != "" {
			return "; plan " + plan + " has a task of this name"
		}
	}
	return ""
}

// lineOf returns the line of a field, of its parent if it is missing, 0 if that is unknown.
func (v *validator) lineOf(field string) int {
	head, key, nested := strings.Cut(field, ".")
	if nested {
		if n := v.doc.Doc(head).Line(key); n > 0 {
			return n
		}
	}
	return v.doc.Line(head)
}

// listTasks lists the tasks of a plan.
func listTasks(tasks []core.TaskDoc) string {
	var names []string
	for _, t := range tasks {
		if name := strings.TrimSpace(t.Name); name != "" {
			names = append(names, "“"+name+"”")
		}
	}
	if len(names) == 0 {
		return "no task with a name"
	}
	return strings.Join(names, ", ")
}
