// The result that an executor returns: reading it, and every rule that it has to keep (README.md, "A result is captured").

package record

import (
	"errors"
	"path"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/yamldoc"
)

// The outcomes of validating a result.
const (
	Valid             = "VALID"
	validWithWarnings = "VALID_WITH_WARNINGS"
	Invalid           = "INVALID"
)

// Result is the report of an executor about a task.
type Result struct {
	Status   string // one of the outcomes of package model
	TaskName string
	Files    []string
	Command  string // of the verification, with its exit code and what it put out
	ExitCode int64
	Output   string
	Done     bool // the criteria are met
	Evidence string
	Error    string // "" if it is null
	// Of metadata, 0 and "" without a usable value; Timed is true with a duration.
	Took     model.Millis
	Timed    bool
	Attempt  int
	Executor string
	// Text is the result as it was received, without a fence around it and a byte order mark.
	Text string
}

// Verdict is the outcome of validating a result.
type Verdict struct {
	Outcome  string
	Errors   []string // what makes it invalid, in the order of the rules
	Warnings []string // what is to be known
	Result   Result   // what could be read
	Task     int      // which of the plan's tasks it is about, -1 for none
	Reasoned []Reason // the errors, then the warnings, in words
}

// against is the context that a result is checked in.
type against struct {
	tasks []core.TaskDoc
	plan  string // the plan's ID
	// exists says whether a file is there by its path relative to the project, clean and "/"-separated; it is never asked about one
	// outside.
	exists func(file string) bool
	// elsewhere returns another plan that has a task of a name, "" for none. It is asked if a task is found by its number alone.
	elsewhere func(name string) (plan string)
	strict    bool // a task that is only found by its number is an error
}

// validateResult holds a result against the rules and the tasks of its plan.
func validateResult(text string, of against) *Verdict {
	v := &validator{Verdict: Verdict{Task: -1}, of: of}
	text = strings.TrimPrefix(text, "\uFEFF")
	shift := 0
	if inner, fenced := cutFence(text); fenced {
		v.addWarning("fenced")
		shift = strings.Count(text[:strings.Index(text, inner)], "\n")
		text = inner
	}
	v.Result.Text = text
	d, err := yamldoc.Parse(text)
	switch {
	case errors.Is(err, yamldoc.ErrNotOneMapping):
		v.addError("not-one-mapping")
	case err != nil:
		v.addError("yaml-error")
	default:
		v.doc = d
		v.checkFields()
		v.statusRules()
		v.checkTask()
		v.checkFiles()
		v.checkMetadata()
		v.checkUnknown()
	}
	v.explainReasons(err, shift)
	switch {
	case len(v.Errors) > 0:
		v.Outcome = Invalid
	case len(v.Warnings) > 0:
		v.Outcome = validWithWarnings
	default:
		v.Outcome = Valid
	}
	return &v.Verdict
}

// cutFence takes off the fence that a whole text stands in.
func cutFence(text string) (inner string, fenced bool) {
	t := strings.TrimSpace(text)
	mark := ""
	for _, m := range []string{"```", "~~~"} {
		if strings.HasPrefix(t, m) {
			mark = m
		}
	}
	_, body, more := strings.Cut(t, "\n")
	if mark == "" || !more {
		return text, false
	}
	body, closed := strings.CutSuffix(body, mark)
	return body, closed && (body == "" || strings.HasSuffix(body, "\n"))
}

type validator struct {
	Verdict
	doc     yamldoc.Doc
	typed   map[string]bool // the fields that are there and of their type
	blocked bool
	of      against
}

func (v *validator) addError(reason string)   { v.Errors = append(v.Errors, reason) }
func (v *validator) addWarning(reason string) { v.Warnings = append(v.Warnings, reason) }

// Reasons returns the errors, else the warnings.
func (v *Verdict) Reasons() []string {
	if len(v.Errors) > 0 {
		return v.Errors
	}
	return v.Warnings
}

// checkField checks a required field of a mapping: that it is there, and of one of the kinds.
func (v *validator) checkField(in yamldoc.Doc, key, name string, kinds ...yamldoc.Kind) {
	switch kind := in.Kind(key); {
	case slices.Contains(kinds, kind):
		v.typed[name] = kind != yamldoc.Absent
	case kind == yamldoc.Absent:
		v.addError("missing-" + name)
	default:
		v.addError("type-" + name)
	}
}

// checkFields checks the fields in the document's order. Of a blocked task nothing was run: its verification may be silent.
func (v *validator) checkFields() {
	r, d := &v.Result, v.doc
	v.typed = map[string]bool{}
	v.checkField(d, "status", "status", yamldoc.Text)
	r.Status = d.String("status")
	if v.typed["status"] && !slices.Contains([]string{core.Success, core.Failure, core.Blocked}, r.Status) {
		v.addError("bad-status")
		v.typed["status"] = false
	}
	v.blocked = r.Status == core.Blocked
	v.checkField(d, "task_name", "task_name", yamldoc.Text)
	r.TaskName = strings.TrimSpace(d.String("task_name"))
	files, ok := d.Texts("files_modified")
	switch {
	case ok:
		v.typed["files_modified"], r.Files = true, files
	case d.Has("files_modified"):
		v.addError("type-files_modified")
	default:
		v.addError("missing-files_modified")
	}
	v.checkVerification()
	v.checkField(d, "done_criteria_met", "done_criteria_met", yamldoc.Truth)
	r.Done, _ = d.Bool("done_criteria_met")
	v.checkField(d, "evidence", "evidence", yamldoc.Text)
	r.Evidence = d.String("evidence")
	v.checkField(d, "error", "error", yamldoc.Text, yamldoc.Null)
	r.Error = d.String("error")
}

func (v *validator) checkVerification() {
	v.checkField(v.doc, "verification", "verification", yamldoc.Mapping)
	if !v.typed["verification"] {
		return
	}
	r, d := &v.Result, v.doc.Doc("verification")
	allow := func(kind yamldoc.Kind) []yamldoc.Kind {
		if v.blocked {
			return []yamldoc.Kind{kind, yamldoc.Null, yamldoc.Absent}
		}
		return []yamldoc.Kind{kind}
	}
	v.checkField(d, "command", "verification.command", allow(yamldoc.Text)...)
	v.checkField(d, "exit_code", "verification.exit_code", allow(yamldoc.Whole)...)
	v.checkField(d, "output_summary", "verification.output_summary", allow(yamldoc.Text)...)
	r.Command, r.Output = d.String("command"), d.String("output_summary")
	r.ExitCode, _ = d.Int64("exit_code")
}

// statusRules checks the requirements of a status for the other fields, as far as these can be read. Each is a REQUIRE of the
// document, and none a warning.
func (v *validator) statusRules() {
	if !v.typed["status"] {
		return
	}
	r := &v.Result
	noError := v.doc.Kind("error") == yamldoc.Null
	require := func(field string, broken bool, reason string) {
		if v.typed[field] && broken {
			v.addError(reason)
		}
	}
	switch r.Status {
	case core.Success:
		require("verification.exit_code", !v.exitsZero(), "success-exit-nonzero")
		require("done_criteria_met", !r.Done, "success-not-done")
		require("error", !noError, "success-with-error")
	case core.Failure:
		require("error", noError, "failure-error-null")
		require("done_criteria_met", r.Done, "failure-done-true")
	case core.Blocked:
		require("error", noError, "blocked-error-null")
		require("files_modified", len(r.Files) > 0, "blocked-files-not-empty")
		require("verification.command", v.doc.Doc("verification").Kind("command") == yamldoc.Text, "blocked-command-not-null")
	}
}

func (v *validator) exitsZero() bool {
	n, ok := v.doc.Doc("verification").Int64("exit_code")
	return ok && n == 0
}

// checkTask finds the task of the plan: by its exact name, else, with a warning, by its number. A name of another plan's task is not matched by
// number: the result was sent to the wrong plan.
func (v *validator) checkTask() {
	if !v.typed["task_name"] {
		return
	}
	i, fuzzy := findTask(v.of.tasks, v.Result.TaskName)
	switch {
	case i < 0, fuzzy && v.otherPlanText() != "":
		v.addError("task-not-in-plan")
		return
	case fuzzy && v.of.strict && !sameTask(v.of.tasks[i].Name, v.Result.TaskName):
		v.addError("fuzzy-task-match")
	case fuzzy:
		v.addWarning("fuzzy-task-match")
	}
	v.Task = i
}

// findTask returns which of a plan's tasks a name means, -1 for none: the one of that name, else the one of the same words, else the
// only one of the same "Task N:", which is fuzzy.
func findTask(tasks []core.TaskDoc, name string) (i int, fuzzy bool) {
	names := make([]string, len(tasks))
	for i := range tasks {
		names[i] = strings.TrimSpace(tasks[i].Name)
	}
	if i = slices.Index(names, strings.TrimSpace(name)); i >= 0 {
		return i, false
	}
	if i = slices.IndexFunc(names, func(n string) bool { return n != "" && core.SameName(n, name) }); i >= 0 {
		return i, false
	}
	i, _ = core.FindByNumber(names, name)
	return i, i >= 0
}

// sameTask reports whether two names of tasks differ in nothing but how their number is written: "Task 01: x" and "Task 1: x".
func sameTask(a, b string) bool {
	n, rest, ok := doc.ParseTaskNumber(strings.TrimSpace(a))
	m, other, also := doc.ParseTaskNumber(strings.TrimSpace(b))
	return ok && also && n == m && core.SameName(rest, other)
}

// checkFiles checks the paths. None outside the project is ever looked at.
func (v *validator) checkFiles() {
	for _, file := range v.Result.Files {
		clean := path.Clean(strings.ReplaceAll(file, `\`, "/"))
		outside := file == "" || path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") || len(clean) > 1 && clean[1] == ':'
		switch {
		case outside:
			v.addWarning("path-not-relative:" + file)
		case !v.of.exists(clean):
			v.addWarning("file-missing:" + file)
		}
		named := func(f string) bool { return path.Clean(strings.ReplaceAll(f, `\`, "/")) == clean }
		if v.Task >= 0 && !slices.ContainsFunc(v.of.tasks[v.Task].Files, named) {
			v.addWarning("file-not-in-task:" + file)
		}
	}
}

// checkMetadata checks what is optional: what is missing or of a wrong type costs a warning and its value.
func (v *validator) checkMetadata() {
	r, d := &v.Result, v.doc.Doc("metadata")
	switch v.doc.Kind("metadata") {
	case yamldoc.Absent, yamldoc.Null:
		v.addWarning("metadata-missing")
		return
	case yamldoc.Mapping:
	default:
		v.addWarning("type-metadata")
		return
	}
	took, isTook := d.Int64("duration_ms")
	attempt, isAttempt := d.Int64("attempt")
	for _, f := range []struct {
		key string
		ok  bool
	}{
		{"duration_ms", isTook && took >= 0},
		{"attempt", isAttempt && attempt >= 1 && attempt <= core.MaxCount},
		{"executor_id", d.Kind("executor_id") == yamldoc.Text},
	} {
		switch kind := d.Kind(f.key); {
		case f.ok:
		case kind == yamldoc.Absent || kind == yamldoc.Null:
			v.addWarning("metadata-missing:" + f.key)
		default:
			v.addWarning("bad-metadata:" + f.key)
		}
	}
	if isTook && took >= 0 {
		r.Took, r.Timed = model.Millis(took), true
	}
	if isAttempt && attempt >= 1 && attempt <= core.MaxCount {
		r.Attempt = int(attempt)
	}
	if d.Kind("executor_id") == yamldoc.Text {
		r.Executor = d.String("executor_id")
	}
}

// checkUnknown lists the fields that the document does not have.
func (v *validator) checkUnknown() {
	for _, name := range v.doc.Others("status", "task_name", "files_modified", "verification", "done_criteria_met", "evidence", "error", "metadata") {
		v.addWarning("unknown-field:" + name)
	}
	for _, name := range v.doc.Doc("verification").Others("command", "exit_code", "output_summary") {
		v.addWarning("unknown-field:verification." + name)
	}
	for _, name := range v.doc.Doc("metadata").Others("duration_ms", "attempt", "executor_id") {
		v.addWarning("unknown-field:metadata." + name)
	}
}
