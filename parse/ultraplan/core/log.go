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

// Daily is the summary of a day, logs/summary/daily-2026-01-26.json.
type Daily struct {
	Date                                  string
	Executed, Succeeded, Failed, BlockedN int
	Retries, Files, WithDuration          int
	TotalMS, AverageMS                    int64
	Plans                                 []DailyPlan
	Logs                                  []string  // the counted logs, oldest first; nil if it names none
	Earlier                               []Earlier // plans and times that only STATE.md had
	Fault                                 string    // why it does not count, "" if it does
}

// DailyPlan holds the results of a plan on a day.
type DailyPlan struct {
	Plan                               string
	Tasks, Succeeded, Failed, BlockedN int
	DurationMS                         int64
}

// Earlier holds plans and times of a phase, or of the project (""), that only STATE.md had when a result was captured. Later results are
// added to them.
type Earlier struct {
	Phase   string
	Plans   int   // of earlier milestones
	MS      int64 // time that neither a summary nor a log has
	Untimed int   // number of the tree's plans whose time is in MS
}

// SummaryFile returns the file of the summary of a day.
func SummaryFile(date string) string { return SummaryDir + "/daily-" + date + ".json" }

// ParseDaily parses the summary of the day in its name. A count that can't be read or is below 0, or the date of another day, makes the
// whole summary invalid. Its logs are counted instead.
func ParseDaily(text, date string) (*Daily, *doc.SyntaxError) {
	tree, err := doc.ParseJSON(text)
	d := &Daily{Date: date}
	if err != nil {
		d.Fault = err.Reason
		return d, err
	}
	root := tree.Root()
	said := root.Get("date")
	if !root.Is(doc.Map) || !said.IsEmpty() && said.Text() != date {
		d.Fault = "it is no summary of " + date
	}
	count := func(object doc.Value, key string) int64 {
		v := object.Get(key)
		n, ok := v.Number()
		switch {
		case v.IsEmpty():
		case !ok || n < 0 || n != float64(int64(n)):
			d.Fault = key + " is no count"
		default:
			return int64(n)
		}
		return 0
	}
	small := func(object doc.Value, key string) int { return int(min(count(object, key), MaxCount)) }
	d.Executed, d.Succeeded = small(root, "tasks_executed"), small(root, "tasks_succeeded")
	d.Failed, d.BlockedN = small(root, "tasks_failed"), small(root, "tasks_blocked")
	d.Retries, d.Files = small(root, "total_retries"), small(root, "files_modified_count")
	d.WithDuration = small(root, "tasks_with_duration")
	d.TotalMS, d.AverageMS = count(root, "total_duration_ms"), count(root, "average_duration_ms")
	plans := root.Get("by_plan")
	if !plans.IsEmpty() && !plans.Is(doc.Map) {
		d.Fault = "by_plan is no object"
	}
	for v := range plans.Members() {
		p := DailyPlan{Plan: v.Key(), Tasks: small(v, "tasks"), Succeeded: small(v, "succeeded")}
		p.Failed, p.BlockedN, p.DurationMS = small(v, "failed"), small(v, "blocked"), count(v, "duration_ms")
		d.Plans = append(d.Plans, p)
	}
	if logs := root.Get("logs"); logs.Is(doc.List) {
		d.Logs = []string{}
		for v := range logs.Elements() {
			d.Logs = append(d.Logs, v.Text())
		}
	}
	for v := range root.Get("earlier").Members() {
		d.Earlier = append(d.Earlier, Earlier{v.Key(), small(v, "plans"), count(v, "ms"), small(v, "untimed")})
	}
	return d, nil
}

// CountTimed returns how many of the results have a duration. For a summary with only the protocol's fields it is derived from the average.
func (d *Daily) CountTimed() int {
	switch {
	case d.WithDuration > 0 || d.TotalMS <= 0:
		return d.WithDuration
	case d.AverageMS > 0:
		return max(1, int((d.TotalMS+d.AverageMS/2)/d.AverageMS))
	}
	return d.Executed
}

// PlanWith returns the results of a plan, nil without any.
func (d *Daily) PlanWith(key string) *DailyPlan {
	for i := range d.Plans {
		if PlanKey(d.Plans[i].Plan) == key {
			return &d.Plans[i]
		}
	}
	return nil
}

// AddLog counts one more result.
func (d *Daily) AddLog(l *Log) {
	d.Executed++
	p := d.PlanWith(PlanKey(l.Plan))
	if p == nil {
		d.Plans = append(d.Plans, DailyPlan{Plan: l.Plan})
		p = &d.Plans[len(d.Plans)-1]
	}
	p.Tasks++
	switch l.Status {
	case Success:
		d.Succeeded, p.Succeeded = d.Succeeded+1, p.Succeeded+1
	case Failure:
		d.Failed, p.Failed = d.Failed+1, p.Failed+1
	case Blocked:
		d.BlockedN, p.BlockedN = d.BlockedN+1, p.BlockedN+1
	}
	if l.Attempt > 1 {
		d.Retries++
	}
	d.Files += l.Files
	if l.Timed {
		d.WithDuration, d.TotalMS, p.DurationMS = d.CountTimed()+1, d.TotalMS+l.TookMS, p.DurationMS+l.TookMS
		d.AverageMS = (d.TotalMS + int64(d.WithDuration)/2) / int64(d.WithDuration)
	}
}

// CountDay counts a day by its summary, which may be nil, and its logs, each once. If the summary names its logs, the other logs are added.
// If it names none, it counts if its counts are at least those of the logs.
func CountDay(date string, summary *Daily, logs []*Log) *Daily {
	all := &Daily{Date: date, Logs: []string{}}
	for _, l := range logs {
		all.AddLog(l)
		all.Logs = append(all.Logs, BaseName(l.File))
	}
	switch {
	case summary == nil || summary.Fault != "":
		return all
	case summary.Logs == nil && summary.Executed < all.Executed:
		all.Earlier = summary.Earlier
		return all
	}
	day := *summary
	day.Plans, day.Logs = slices.Clone(summary.Plans), slices.Clone(summary.Logs)
	if summary.Logs != nil {
		for _, l := range logs {
			if !slices.Contains(summary.Logs, BaseName(l.File)) {
				day.AddLog(l)
				day.Logs = append(day.Logs, BaseName(l.File))
			}
		}
		return &day
	}
	for _, p := range all.Plans { // a summary by the protocol need not name plans, nor be updated after each result
		if was := day.PlanWith(PlanKey(p.Plan)); was == nil {
			day.Plans = append(day.Plans, p)
		} else if was.Tasks < p.Tasks || was.Tasks == p.Tasks && was.DurationMS != p.DurationMS {
			p.Plan = was.Plan // in the spelling of the summary
			*was = p
		}
	}
	if all.TotalMS > day.TotalMS {
		day.TotalMS, day.AverageMS, day.WithDuration = all.TotalMS, all.AverageMS, all.WithDuration
	}
	day.Logs = all.Logs
	return &day
}

// resultOf describes the log of a task's last result.
func resultOf(l *Log) string { return line.Clean(BaseName(l.File)) + " is the log of its last result" }
