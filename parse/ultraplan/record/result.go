// The result that an executor returns: how it is read, and the rules for it (README.md, "A result is captured").

package record

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/core"
)

// The outcomes of validating a result.
const (
	Valid             = "VALID"
	validWithWarnings = "VALID_WITH_WARNINGS"
	Invalid           = "INVALID"
)

// Verdict is the outcome of validating a result.
type Verdict struct {
	Outcome  string
	Errors   []string // codes of the errors, in the order of the rules
	Warnings []string // codes of the warnings
	Reasoned []Reason // the errors, then the warnings, in words
	Result   core.Log // the fields that could be read, without the head of a log
	Task     int      // index of its task in the plan, -1 for none

	text  string // the received text, without a fence around it and without a byte order mark
	plain string // the same text in plain YAML
}

// Reason is an error or a warning in words.
type Reason struct {
	Code  string `json:"code"`            // the word of [Verdict.Errors] or [Verdict.Warnings]
	Field string `json:"field,omitempty"` // of the result
	Line  int    `json:"line,omitempty"`  // in the result as it was received, from 1; 0 if it is unknown
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

// against is the context that a result is checked in.
type against struct {
	tasks []core.TaskDoc
	plan  string // the plan's ID
	// exists reports whether a file exists, by its path relative to the project, clean and "/"-separated. It is never called with a path
	// outside the project.
	exists func(file string) bool
	// elsewhere returns another plan that has a task with a name, "" for none. It is called if a task is found by its number alone.
	elsewhere func(name string) (plan string)
}

// fields are the required fields of a result with their types, in the order of the protocol.
var fields = []struct {
	name string
	kind doc.Kind
	is   string
}{
	{"status", doc.String, "success, failure or blocked"},
	{"task_name", doc.String, "a text, the name of the task as PLAN.md has it"},
	{"files_modified", doc.List, "a list of paths, [] for none"},
	{"verification", doc.Map, "a mapping with command, exit_code and output_summary"},
	{"verification.command", doc.String, "a text, null for a task that is blocked"},
	{"verification.exit_code", doc.Number, "a whole number"},
	{"verification.output_summary", doc.String, "a text"},
	{"done_criteria_met", doc.Bool, "true or false"},
	{"evidence", doc.String, "a text"},
	{"error", doc.String, "a text, or null for a success"},
}

// metadata are the optional fields of a result.
var metadata = []struct {
	name string
	kind doc.Kind
	is   string
}{
	{"duration_ms", doc.Number, "a whole number of milliseconds"}, {"attempt", doc.Number, "a whole number from 1"}, {"executor_id", doc.String, "a text"},
}

// contradictions are the requirements of a status for other fields. Each is a REQUIRE of the protocol, so a violation is an error.
var contradictions = []struct {
	status, field string
	isBroken      func(v doc.Value) bool
	code, text    string
}{
	{core.Success, "verification.exit_code", func(v doc.Value) bool { return !core.IsZero(v) }, "success-exit-nonzero", "a success has 0; else write failure, with the error"},
	{core.Success, "done_criteria_met", func(v doc.Value) bool { return !isTrue(v) }, "success-not-done", "a success has true"},
	{core.Success, "error", func(v doc.Value) bool { return !v.IsEmpty() }, "success-with-error", "a success has null"},
	{core.Failure, "error", doc.Value.IsEmpty, "failure-error-null", "a failure says what went wrong"},
	{core.Failure, "done_criteria_met", isTrue, "failure-done-true", "a failure has false"},
	{core.Blocked, "error", doc.Value.IsEmpty, "blocked-error-null", "a blocked task says what blocks it"},
	{core.Blocked, "files_modified", func(v doc.Value) bool { return v.Len() > 0 }, "blocked-files-not-empty", "a blocked task has touched nothing: []"},
	{core.Blocked, "verification.command", func(v doc.Value) bool { return !v.IsEmpty() }, "blocked-command-not-null", "of a blocked task nothing was run: null"},
}

func isTrue(v doc.Value) bool {
	is, _ := v.Bool()
	return is
}

// validateResult checks a result against the rules and the tasks of its plan.
func validateResult(text string, of against) *Verdict {
	v := &validator{Verdict: Verdict{Task: -1}, of: of}
	text = strings.TrimPrefix(text, "\uFEFF")
	if inner, fenced := cutFence(text); fenced {
		v.addWarning("fenced", "", "the result stood in a fence, which was taken off")
		v.shift = strings.Count(text[:strings.Index(text, inner)], "\n")
		text = inner
	}
	v.text = text
	if v.parse() {
		v.checkFields()
		v.checkTask()
		v.checkFiles()
		v.checkMetadata()
		v.checkUnknown()
	}
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

// cutFence removes a fence around a whole text.
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
	of    against
	root  doc.Value
	lines *doc.LineCounter // nil if the lines of the fields are unknown
	shift int              // number of lines above the text
	typed map[string]bool  // the existing fields with the right type
}

// parse parses the YAML of the result, which has to be one mapping. Spellings that only the library can read are converted to plain YAML.
func (v *validator) parse() bool {
	plain, isOdd, fault := plainYAML(v.text)
	if fault != nil {
		if fault.Line > 0 {
			fault.Line += v.shift
		}
		fault.Text = line.Tidy(fault.Text)
		v.Reasoned, v.Errors = slices.Insert(v.Reasoned, 0, *fault), append(v.Errors, fault.Code)
		return false
	}
	v.plain = plain
	tree := doc.ParseYAML(v.text, 0, len(v.text))
	v.lines = &doc.LineCounter{Text: v.text}
	if len(tree.Problems) > 0 || isOdd {
		tree, v.lines = doc.ParseYAML(plain, 0, len(plain)), nil
	}
	v.root = tree.Root()
	v.readResult(v.root)
	return true
}

func (v *validator) readResult(root doc.Value) {
	v.Result = core.ParseResult(root)
	v.Result.Name = strings.TrimSpace(v.Result.Name)
}

// at returns the value of a field, "verification.command".
func (v *validator) at(field string) doc.Value { return v.root.Get(strings.Split(field, ".")...) }

// newReason returns a reason with the line of its field, or of the field's parent if that is missing.
func (v *validator) newReason(code, field, text string) Reason {
	r := Reason{Code: code, Field: field, Text: text}
	if v.lines != nil && field != "" {
		head, _, _ := strings.Cut(field, ".")
		for _, name := range []string{field, head} {
			if value := v.at(name); value.Exists() && r.Line == 0 {
				r.Line = v.lines.Line(value.Offset()) + v.shift
			}
		}
	}
	if field != "" && !strings.HasPrefix(text, field) {
		r.Text = field + ": " + text
	}
	r.Text = line.Tidy(r.Text)
	return r
}

func (v *validator) addError(code, field, text string) {
	v.Reasoned = slices.Insert(v.Reasoned, len(v.Errors), v.newReason(code, field, text))
	v.Errors = append(v.Errors, code)
}

func (v *validator) addWarning(code, field, text string) {
	v.Reasoned = append(v.Reasoned, v.newReason(code, field, text))
	v.Warnings = append(v.Warnings, code)
}

// Reasons returns the codes of the errors or, without errors, of the warnings.
func (v *Verdict) Reasons() []string {
	if len(v.Errors) > 0 {
		return v.Errors
	}
	return v.Warnings
}

// checkFields checks that the required fields exist and have the right type, and what the status requires of them. The verification of a
// blocked task may be empty, because nothing was run.
func (v *validator) checkFields() {
	v.typed = map[string]bool{}
	for _, f := range fields {
		value, inside := v.at(f.name), strings.HasPrefix(f.name, "verification.")
		isSilent := value.IsEmpty() && inside && v.Result.Status == core.Blocked
		switch {
		case inside && !v.typed["verification"]:
		case isSilent, f.name == "error" && value.Is(doc.Null), isOf(value, f.kind):
			v.typed[f.name] = value.Exists()
		case !value.Exists():
			v.addError("missing-"+f.name, f.name, "it is missing; write "+f.is)
		default:
			v.addError("type-"+f.name, f.name, "it has to be "+f.is)
		}
		if f.name == "status" && v.typed["status"] && !core.IsOutcome(v.Result.Status) {
			v.addError("bad-status", f.name, "it is “"+v.Result.Status+"”; write "+f.is)
		}
	}
	for _, c := range contradictions {
		if v.Result.Status == c.status && v.typed["status"] && v.typed[c.field] && c.isBroken(v.at(c.field)) {
			v.addError(c.code, c.field, c.text)
		}
	}
}

// isOf reports whether a value is of a kind. Numbers have to be whole, and lists have to consist of texts.
func isOf(v doc.Value, kind doc.Kind) bool {
	switch {
	case !v.Is(kind):
		return false
	case kind == doc.Number:
		return !strings.ContainsAny(v.Raw(), ".eE")
	case kind == doc.List:
		for element := range v.Elements() {
			if !element.Is(doc.String) {
				return false
			}
		}
	}
	return true
}

// checkTask finds the task of the plan: by its exact name, else, with a warning, by its number. A name that a task of another plan has is
// not matched by number, because the result was sent to the wrong plan.
func (v *validator) checkTask() {
	if !v.typed["task_name"] {
		return
	}
	name, elsewhere := v.Result.Name, ""
	i, fuzzy := findTask(v.of.tasks, name)
	if v.of.elsewhere != nil && (i < 0 || fuzzy) {
		if plan := v.of.elsewhere(name); plan != "" {
			elsewhere = "; plan " + plan + " has a task of this name"
		}
	}
	if i < 0 || fuzzy && elsewhere != "" {
		v.addError("task-not-in-plan", "task_name", "the plan has no “"+name+"”; it has "+listTasks(v.of.tasks)+elsewhere)
		return
	}
	v.Task = i
	if !fuzzy {
		return
	}
	its := strings.TrimSpace(v.of.tasks[i].Name)
	number, _, _ := doc.ParseTaskNumber(its)
	text := "“" + name + "” was taken for task " + number + " of plan " + v.of.plan + ", “" + its + "”, by its number alone"
	v.addWarning("fuzzy-task-match", "task_name", text)
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

// findTask returns the index of the plan's task that a name means, -1 for none: the task with that name, else with the same words, else
// the only one with the same "Task N:", which is a fuzzy match.
func findTask(tasks []core.TaskDoc, name string) (i int, fuzzy bool) {
	names := make([]string, len(tasks))
	for i := range tasks {
		names[i] = strings.TrimSpace(tasks[i].Name)
	}
	if i = slices.Index(names, strings.TrimSpace(name)); i >= 0 {
		return i, false
	}
	if i = slices.IndexFunc(names, func(n string) bool { return n != "" && sameName(n, name) }); i >= 0 {
		return i, false
	}
	i, _ = core.FindByNumber(names, name)
	return i, i >= 0
}

// entities are those of XML, in which a plan may write the names of its tasks.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&")

// sameName reports whether two names of tasks have the same words, written with entities or without.
func sameName(a, b string) bool { return core.SameName(entities.Replace(a), entities.Replace(b)) }

// checkFiles checks the paths. It never accesses one outside the project.
func (v *validator) checkFiles() {
	if !v.typed["files_modified"] {
		return
	}
	for element := range v.at("files_modified").Elements() {
		file := element.Text()
		clean := path.Clean(strings.ReplaceAll(file, `\`, "/"))
		outside := file == "" || path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") || len(clean) > 1 && clean[1] == ':'
		switch {
		case outside:
			v.addWarning("path-not-relative:"+file, "files_modified", "“"+file+"” is not relative to the project")
		case !v.of.exists(clean):
			v.addWarning("file-missing:"+file, "files_modified", "“"+file+"” is not there")
		}
		named := func(f string) bool { return path.Clean(strings.ReplaceAll(f, `\`, "/")) == clean }
		if v.Task >= 0 && !slices.ContainsFunc(v.of.tasks[v.Task].Files, named) {
			v.addWarning("file-not-in-task:"+file, "files_modified", "“"+file+"” is not among the task's <files>")
		}
	}
}

// checkMetadata checks the optional fields. A missing field or one of a wrong type causes a warning, and its value is ignored.
func (v *validator) checkMetadata() {
	switch all := v.at("metadata"); {
	case all.IsEmpty():
		v.addWarning("metadata-missing", "metadata", "it is missing: duration, attempt and executor are not known")
		return
	case !all.Is(doc.Map):
		v.addWarning("type-metadata", "metadata", "it has to be a mapping with duration_ms, attempt and executor_id")
		return
	}
	isUsable := map[string]bool{"duration_ms": v.Result.Timed, "attempt": v.Result.Attempt > 0, "executor_id": true}
	for _, f := range metadata {
		name := "metadata." + f.name
		switch value := v.at(name); {
		case value.IsEmpty():
			v.addWarning("metadata-missing:"+f.name, name, "it is missing; write "+f.is)
		case !isOf(value, f.kind) || !isUsable[f.name]:
			v.addWarning("bad-metadata:"+f.name, name, "it is left out; write "+f.is)
			v.leaveOut(f.name)
		}
	}
}

// leaveOut removes a text from the metadata: in a log, "32000" would be read as a number.
func (v *validator) leaveOut(field string) {
	tree := doc.ParseYAML(v.plain, 0, len(v.plain))
	value := tree.Root().Get("metadata", field)
	if !value.Is(doc.String) {
		return
	}
	v.plain = v.plain[:value.Offset()] + "null" + v.plain[value.End():]
	v.readResult(doc.ParseYAML(v.plain, 0, len(v.plain)).Root())
}

// checkUnknown lists the fields that the protocol does not have.
func (v *validator) checkUnknown() {
	known := []string{"metadata"}
	for _, f := range fields {
		known = append(known, f.name)
	}
	for _, f := range metadata {
		known = append(known, "metadata."+f.name)
	}
	for _, prefix := range []string{"", "verification.", "metadata."} {
		in := v.root
		if prefix != "" {
			in = v.at(strings.TrimSuffix(prefix, "."))
		}
		for member := range in.Members() {
			if name := prefix + member.Key(); !slices.Contains(known, name) || prefix == "" && strings.Contains(name, ".") {
				v.addWarning("unknown-field:"+name, name, "no result has such a field; it is kept in the log")
			}
		}
	}
}
