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

	mark [2]uint64 // equal for files of the same bytes
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

// IsCopyOf reports whether two logs are files of the same bytes.
func (l *Log) IsCopyOf(other *Log) bool { return l.mark == other.mark }

// required are the fields of every result, in the order of the protocol.
var required = [...]string{"status", "task_name", "files_modified", "verification", "done_criteria_met", "evidence", "error"}

// ParseLog parses the log of a result. It counts only if [Log.Lacks] is "".
func ParseLog(text string) *Log {
	tree := doc.ParseYAML(text, 0, len(text))
	root := tree.Root()
	r := root.Get("result")
	l := ParseResult(r)
	l.AtText, l.Plan, l.Task = root.Get("logged_at").Scalar(), root.Get("plan_id").Scalar(), TrimZeros(root.Get("task_index").Scalar())
	l.Session, l.Capture, l.Sequence, l.mark = root.Get("session_id").Scalar(), root.Get("capture_id").Scalar(), ParseCount(root.Get("sequence").Scalar()), markOf(text)
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

// markOf returns two checksums of a text.
func markOf(text string) [2]uint64 {
	a, b := uint64(14695981039346656037), uint64(len(text))
	for i := range len(text) {
		a = (a ^ uint64(text[i])) * 1099511628211
		b = b*6364136223846793005 + uint64(text[i]) + 1442695040888963407
	}
	return [2]uint64{a, b}
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
	case n.Plan != withoutDir(PlanKey(l.Plan)) || n.Task != l.Task:
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
	if c := cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(PlanKey(a.Plan), PlanKey(b.Plan)), cmp.Compare(a.Task, b.Task), cmp.Compare(a.Attempt, b.Attempt)); c != 0 {
		return c
	}
	x, _ := ParseLogName(BaseName(a.File))
	y, _ := ParseLogName(BaseName(b.File))
	return cmp.Or(cmp.Compare(x.Status, y.Status), cmp.Compare(x.Ordinal, y.Ordinal), cmp.Compare(a.File, b.File))
}

// Copy is a log that equals another one and is not counted.
type Copy struct{ File, Of string }

// SortLogs splits logs into whole ones, oldest first, broken ones, and copies of other logs.
func SortLogs(all []*Log) (whole, broken []*Log, copies []Copy) {
	for _, l := range all {
		if l.Lacks != "" {
			broken = append(broken, l)
		} else {
			whole = append(whole, l)
		}
	}
	slices.SortStableFunc(whole, CompareLogs)
	kept := whole[:0]
	for _, l := range whole {
		isCopy := false
		for i := len(kept) - 1; i >= 0 && kept[i].At == l.At && !isCopy; i-- {
			if isCopy = l.IsCopyOf(kept[i]); isCopy {
				copies = append(copies, Copy{l.File, kept[i].File})
			}
		}
		if !isCopy {
			kept = append(kept, l)
		}
	}
	return kept, broken, copies
}

// Daily is the summary of a day, logs/summary/daily-2026-01-26.json.
type Daily struct {
	Date                                  string
	Executed, Succeeded, Failed, BlockedN int
	Retries, Files, WithDuration          int
	TotalMS, AverageMS                    int64
	Rate                                  float64
	HasRate                               bool
	Plans                                 []DailyPlan
	Logs                                  []string // the counted logs, oldest first; nil if it names none
	Newest                                string
	Earlier                               []Earlier // plans and times that only STATE.md had
	Fault                                 string    // why it does not count, "" if it does
	Problems                              []Problem
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
	if !root.Is(doc.Map) {
		d.Fault = "the document is " + root.Kind().String() + ", not an object"
		return d, nil
	}
	if v := root.Get("date"); !v.IsEmpty() && !v.Is(doc.String) {
		d.Fault = "date is " + v.Kind().String() + ", which it can't be"
	} else if said := v.Text(); said != "" && said != date {
		d.Fault = "its date is “" + ShortenText(said) + "”, and its name says " + date
	}
	d.Executed, d.Succeeded, d.Failed, d.BlockedN = d.readCount(root, "tasks_executed"), d.readCount(root, "tasks_succeeded"), d.readCount(root, "tasks_failed"), d.readCount(root, "tasks_blocked")
	d.Retries, d.Files, d.WithDuration = d.readCount(root, "total_retries"), d.readCount(root, "files_modified_count"), d.readCount(root, "tasks_with_duration")
	d.TotalMS, d.AverageMS = d.readNumber(root, "total_duration_ms"), d.readNumber(root, "average_duration_ms")
	if rate := root.Get("success_rate"); !rate.IsEmpty() {
		d.HasRate = true
		if d.Rate, _ = rate.Number(); !rate.Is(doc.Number) {
			d.Rate = -1
		}
	}
	plans := root.Get("by_plan")
	if !plans.IsEmpty() && !plans.Is(doc.Map) {
		d.addFault("by_plan is " + plans.Kind().String())
	}
	for v := range plans.Members() {
		d.Plans = append(d.Plans, DailyPlan{v.Key(), d.readCount(v, "tasks"), d.readCount(v, "succeeded"), d.readCount(v, "failed"), d.readCount(v, "blocked"), d.readNumber(v, "duration_ms")})
	}
	if logs := root.Get("logs"); logs.Is(doc.List) {
		d.Logs = []string{}
		for v := range logs.Elements() {
			d.Logs = append(d.Logs, v.Text())
		}
	}
	d.Newest = root.Get("newest").Text()
	for v := range root.Get("earlier").Members() {
		d.Earlier = append(d.Earlier, Earlier{v.Key(), d.readCount(v, "plans"), d.readNumber(v, "ms"), d.readCount(v, "untimed")})
	}
	return d, nil
}

func (d *Daily) addFault(why string) {
	if d.Fault == "" {
		d.Fault = why
	}
}

func (d *Daily) readCount(object doc.Value, key string) int {
	return int(min(d.readNumber(object, key), MaxCount))
}

// readNumber returns a whole number.
func (d *Daily) readNumber(object doc.Value, key string) int64 {
	v := object.Get(key)
	n, ok := v.Number()
	where := key
	if object.Key() != "" {
		where = "a number of " + ShortenText(object.Key()) + " in by_plan"
	}
	switch {
	case v.IsEmpty():
	case !ok || n != float64(int64(n)):
		d.addFault(where + " is " + v.Kind().String() + ", which it can't be")
	case n < 0:
		d.addFault(where + " is below 0")
	default:
		return int64(n)
	}
	return 0
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
		all.Newest = BaseName(l.File)
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
				day.Logs, day.Newest = append(day.Logs, BaseName(l.File)), "" // see Logs
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

// Rejected is a refused result, which is kept and does not count.
type Rejected struct {
	File     string
	Plan     string
	Task     string // "" if it is unknown
	At       int64
	Behind   int // number of results of its day that had been logged before
	Reasons  []string
	Answered bool // its task has reported since
}

// ParseRejected parses a refused result.
func ParseRejected(text string) *Rejected {
	root := doc.ParseYAML(text, 0, len(text)).Root()
	r := &Rejected{Plan: root.Get("plan_id").Scalar(), Task: TrimZeros(root.Get("task_index").Scalar()), Behind: ParseCount(root.Get("behind").Scalar())}
	r.At, _ = doc.ParseSeconds(trimQuotes(root.Get("rejected_at").Scalar()))
	for v := range root.Get("reasons").Elements() {
		r.Reasons = append(r.Reasons, ShortenText(v.Scalar()))
	}
	if len(r.Reasons) == 0 {
		r.Reasons = []string{"what is kept of it can't be read"}
	}
	return r
}

// resultOf describes the log of a task's last result.
func resultOf(l *Log) string { return line.Clean(BaseName(l.File)) + " is the log of its last result" }
