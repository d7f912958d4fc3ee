package core

import (
	"cmp"
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// The outcomes of a result.
const (
	Success = "success"
	Failure = "failure"
	Blocked = "blocked"
)

// IsOutcome reports whether a word is the outcome of a result.
func IsOutcome(word string) bool { return word == Success || word == Failure || word == Blocked }

// Log is the log of a result.
type Log struct {
	File     string
	At       int64  // seconds since 1970
	AtText   string // the time as it is written
	Plan     string // "03-01"
	Task     string // number, "2"
	Name     string
	Status   string
	Error    string
	Output   string
	Files    int
	TookMS   int64 // with Timed
	Timed    bool
	Attempt  int
	Session  string
	Capture  string // the capture that wrote it, "" for logs of other writers
	Sequence int    // number among the results of its day, from 1; it orders the logs of one second. 0 for logs of other writers
	Warnings []string
	Lacks    string // why it is not whole and does not count; "" if it is whole
	Line     int    // line of that problem, 0 if unknown
	IsOdd    bool   // it is not whole only because of its spelling: all fields exist
}

// Key returns the key of the log's task.
func (l *Log) Key() TaskKey { return TaskKey{PlanKey(l.Plan), l.Task} }

// Day returns the day for which the log counts: that of its directory, else of its time.
func (l *Log) Day() string {
	if day := ParseDate(BaseName(dirName(l.File))); day != "" {
		return day
	}
	return ParseDate(l.AtText)
}

// required are the fields of every result, in the order of the protocol.
var required = [...]string{"status", "task_name", "files_modified", "verification", "done_criteria_met", "evidence", "error"}

// ParseLog parses the log of a result. It counts only if [Log.Lacks] is "".
func ParseLog(text string) *Log {
	tree := doc.ParseYAML(text, 0, len(text))
	root := tree.Root()
	r := root.Get("result")
	l := ParseResult(r)
	l.AtText, l.Plan, l.Task = root.Get("logged_at").Scalar(), root.Get("plan_id").Scalar(), TrimZeros(root.Get("task_index").Scalar())
	l.Session, l.Capture = root.Get("session_id").Scalar(), root.Get("capture_id").Scalar()
	l.Sequence = ParseCount(root.Get("sequence").Scalar())
	at, isTime := doc.ParseSeconds(trimQuotes(l.AtText))
	l.At = at
	for v := range root.Get("warnings").Elements() {
		l.Warnings = append(l.Warnings, ShortenText(v.Scalar()))
	}
	l.Lacks = l.findLack(r, isTime)
	if len(tree.Problems) > 0 {
		p := tree.Problems[0]
		lines := doc.LineCounter{Text: text}
		l.Lacks, l.Line, l.IsOdd = p.Text, lines.Line(p.At), hasFields(root, r)
	}
	return &l
}

// hasFields reports whether a log has all fields, whatever their values are.
func hasFields(root, result doc.Value) bool {
	for _, field := range [...]string{"logged_at", "plan_id", "task_index"} {
		if !root.Get(field).Exists() {
			return false
		}
	}
	for _, field := range required {
		if !result.Get(field).Exists() {
			return result.Is(doc.Unsupported)
		}
	}
	return true
}

// ParseResult parses a result in the form that executors return and logs contain.
func ParseResult(r doc.Value) (l Log) {
	l.Name, l.Status, l.Error = r.Get("task_name").Scalar(), r.Get("status").Scalar(), ShortenText(r.Get("error").Scalar())
	l.Output = ShortenText(r.Get("verification", "output_summary").Scalar())
	l.Files = r.Get("files_modified").Len()
	took := r.Get("metadata", "duration_ms").Scalar()
	if n := doc.CountDigits(took); n > 0 && n == len(took) && n < 16 {
		for i := range n {
			l.TookMS = 10*l.TookMS + int64(took[i]-'0')
		}
		l.Timed = true
	}
	l.Attempt = ParseCount(r.Get("metadata", "attempt").Scalar())
	return l
}

// IsZero reports whether a value is the whole number 0.
func IsZero(v doc.Value) bool {
	number, ok := v.Number()
	return ok && number == 0 && !doc.Contains(v.Raw(), ".") && !doc.Contains(v.Raw(), "e")
}

// findLack returns why a log is not whole: what its head or its result lacks, or what contradicts its success. A log without a head was
// not captured.
func (l *Log) findLack(r doc.Value, isTime bool) string {
	switch {
	case !isTime:
		return "its logged_at is missing or no time"
	case l.Plan == "":
		return "it has no plan_id"
	case l.Task == "":
		return "it has no task_index"
	}
	for _, field := range required {
		if !r.Get(field).Exists() {
			return "its result has no " + field
		}
	}
	done, _ := r.Get("done_criteria_met").Bool()
	switch {
	case l.Name == "":
		return "its result has no task_name"
	case !IsOutcome(l.Status):
		return "its status is “" + ShortenText(l.Status) + "”; it must be success, failure or blocked"
	case l.Status != Success:
	case !IsZero(r.Get("verification", "exit_code")):
		return "it is called a success, and its exit_code is not the number 0"
	case !done:
		return "it is called a success, and done_criteria_met is not true"
	case l.Error != "":
		return "it is called a success, and has an error"
	}
	return ""
}

// findDenial returns how a log contradicts itself or its file name, "" if it does not. After a contradiction its task is unknown.
func (l *Log) findDenial(name string) string {
	if number, _, ok := doc.ParseTaskNumber(l.Name); ok && number != l.Task {
		return "it is of task " + l.Task + ", and its task_name is “" + ShortenText(l.Name) + "”"
	}
	n, ok := ParseLogName(name)
	switch {
	case !ok:
	case n.Plan != PlanKey(l.Plan) || n.Task != l.Task:
		return "it is of task " + l.Task + " of " + ShortenText(l.Plan) + ", and its name says another"
	case IsOutcome(n.Status) && n.Status != l.Status:
		return "its status is “" + ShortenText(l.Status) + "”, and its name says " + n.Status
	}
	return ""
}

// InFile returns the log with its file, after checking it against the name of the file.
func (l *Log) InFile(file string) *Log {
	own := *l
	if own.File = file; own.Lacks == "" {
		own.Lacks = own.findDenial(BaseName(file))
	}
	return &own
}

// CompareLogs orders logs by time, within a second by [Log.Sequence], then by task and attempt. A second log of a day, "-2", follows the
// first.
func CompareLogs(a, b *Log) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(PlanKey(a.Plan), PlanKey(b.Plan)),
		cmp.Compare(a.Task, b.Task), cmp.Compare(a.Attempt, b.Attempt), cmp.Compare(len(a.File), len(b.File)), cmp.Compare(a.File, b.File))
}

// SortLogs splits logs into whole ones, oldest first, and broken ones.
func SortLogs(all []*Log) (whole, broken []*Log) {
	for _, l := range all {
		if l.Lacks != "" {
			broken = append(broken, l)
		} else {
			whole = append(whole, l)
		}
	}
	slices.SortStableFunc(whole, CompareLogs)
	return whole, broken
}

// resultOf describes the log of a task's last result.
func resultOf(l *Log) string { return line.Clean(BaseName(l.File)) + " is the log of its last result" }
