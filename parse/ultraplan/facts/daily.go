// The summary of a day, as its file has it.

package facts

import (
	"fmt"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
)

// Daily is the document of logs/summary/daily-YYYY-MM-DD.json. The fields from TasksWithDuration on are not in the protocol's:
// without them the average can't be told from the file alone, nor whether a result has been counted.
type Daily struct {
	Date              string               `json:"date"`
	TasksExecuted     int                  `json:"tasks_executed"` // results, not tasks
	TasksSucceeded    int                  `json:"tasks_succeeded"`
	TasksFailed       int                  `json:"tasks_failed"`
	TasksBlocked      int                  `json:"tasks_blocked"`
	TotalRetries      int                  `json:"total_retries"` // results of a second or later attempt
	SuccessRate       Rate                 `json:"success_rate"`
	TotalDurationMS   model.Millis         `json:"total_duration_ms"`
	AverageDurationMS model.Millis         `json:"average_duration_ms"` // over the results that have one, halves rounded up
	ByPlan            map[string]DailyPlan `json:"by_plan"`
	FilesModified     int                  `json:"files_modified_count"`
	TasksWithDuration int                  `json:"tasks_with_duration"`

	Logs   []string `json:"logs,omitempty"`   // the logs that are counted, by the names of their files
	Newest string   `json:"newest,omitempty"` // the newest of them
	// Before is how much longer STATE.md said phases had taken than was logged, when the first of their results was counted, in
	// milliseconds by the number of the phase; "" is the whole project.
	Before map[string]model.Millis `json:"before_ms,omitempty"`
	// Earlier is the same of all later results, and of plans.
	Earlier map[string]Earlier `json:"earlier,omitempty"`

	fault string // the first value that could not be read
	below string // the first number that is below 0
	rated bool   // it has a success rate
}

// DailyPlan is what a day has done for one plan.
type DailyPlan struct {
	Tasks      int          `json:"tasks"`
	Succeeded  int          `json:"succeeded"`
	Failed     int          `json:"failed"`
	Blocked    int          `json:"blocked"`
	DurationMS model.Millis `json:"duration_ms"`
}

// Rate is a share in ten thousandths.
type Rate int

// MarshalJSON writes the share as a number between 0 and 1 with four decimals at most.
func (r Rate) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(r)/10_000, 'f', -1, 64), nil
}

// UnmarshalJSON reads any number as a share; one that is none or beyond belief is taken as 0.
func (r *Rate) UnmarshalJSON(text []byte) error {
	share, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(share >= 0 && share <= 1) {
		share = 0
	}
	*r = Rate(math.Round(share * 10_000))
	return nil
}

// SummaryOf returns the file of the summary of a day.
func SummaryOf(date string) string { return path.Join(SummaryDir, "daily-"+date+".json") }

// wholeNumber is a whole number that is written with a fraction of nothing, as some writers of JSON do: 2.0.
var wholeNumber = regexp.MustCompile(`(:\s*\d+)\.0+(\s*[,}\]])`)

// ParseDaily reads the summary of a day. All of its fields are optional.
func ParseDaily(text string) (*Daily, error) {
	d := &Daily{}
	err := decode(text, d)
	if err != nil {
		if whole := wholeNumber.ReplaceAllString(text, "$1$2"); whole != text {
			d = &Daily{}
			err = decode(whole, d)
		}
	}
	if err != nil {
		d.fault = err.Error()
	}
	d.below = d.belowZero()
	d.rated = strings.Contains(text, `"success_rate"`)
	return d, err
}

// Doubt says why a summary counts nothing for a day, "" where it is believed: a count that can't be read, or can't be, leaves nobody
// knowing what was added to it, and one of another day is a copy of that day's. Its logs are counted in its place.
func (d *Daily) Doubt(date string) string {
	switch {
	case d.fault != "":
		return d.fault
	case d.Date != "" && d.Date != date:
		return "its date is “" + Shorten(d.Date) + "”, and its name says " + date
	case d.below != "":
		return d.below + " is below 0"
	}
	return ""
}

// WrongRate reports whether the success rate is another than succeeded of executed, to the two digits of the document.
func (d *Daily) WrongRate() bool {
	return d.rated && d.TasksExecuted > 0 && max(int(d.SuccessRate)*d.TasksExecuted-d.TasksSucceeded*10_000, d.TasksSucceeded*10_000-int(d.SuccessRate)*d.TasksExecuted) > 51*d.TasksExecuted
}

// Sums returns what the numbers of a summary deny each other, or the logs that it names: logs are nil where not all of these were
// found, and else all that it has counted.
func (d *Daily) Sums(logs []*Log) (wrong []string) {
	say := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	if d.TasksExecuted > 0 {
		sum := d.TasksSucceeded + d.TasksFailed + d.TasksBlocked
		say(sum == d.TasksExecuted, "%d tasks were executed, and %d succeeded, failed or were blocked", d.TasksExecuted, sum)
	}
	say(!d.WrongRate(), "the success rate is not that of %d of %d tasks", d.TasksSucceeded, d.TasksExecuted)
	if n := d.TasksWithDuration; n > 0 {
		average := (&model.Spread{Known: n, Total: d.TotalDurationMS}).Average()
		say(d.AverageDurationMS == average || d.AverageDurationMS == d.TotalDurationMS/model.Millis(n), "the average is %d ms, and that of %d ms by %d is %d", d.AverageDurationMS, d.TotalDurationMS, n, average)
	} else if d.AverageDurationMS > 0 {
		say(d.AverageDurationMS <= d.TotalDurationMS && (d.AverageDurationMS+1)*model.Millis(max(1, d.TasksExecuted)) >= d.TotalDurationMS, "the average of %d tasks in %d ms can't be %d ms", d.TasksExecuted, d.TotalDurationMS, d.AverageDurationMS)
	}
	all := DailyPlan{}
	for _, name := range slices.Sorted(maps.Keys(d.ByPlan)) {
		p := d.ByPlan[name]
		sum := p.Succeeded + p.Failed + p.Blocked
		say(sum == p.Tasks, "by_plan has %d tasks of %s, and %d succeeded, failed or were blocked", p.Tasks, Shorten(name), sum)
		all.Tasks, all.DurationMS = all.Tasks+p.Tasks, all.DurationMS+p.DurationMS
	}
	if len(d.ByPlan) > 0 {
		// One that names logs may have been begun without plans by another writer: then these are some of the plans.
		some := d.Logs != nil
		say(all.Tasks == d.TasksExecuted || some && all.Tasks < d.TasksExecuted, "by_plan has %d tasks in all, and tasks_executed is %d", all.Tasks, d.TasksExecuted)
		say(all.DurationMS == d.TotalDurationMS || some && all.DurationMS < d.TotalDurationMS, "by_plan has %d ms in all, and total_duration_ms is %d", all.DurationMS, d.TotalDurationMS)
	}
	if logs == nil || len(logs) != d.TasksExecuted {
		return wrong
	}
	counted := &Daily{}
	for _, l := range logs {
		counted.Add(l.LogDoc)
	}
	for _, n := range []struct {
		name      string
		said, has int64
	}{
		{"tasks_succeeded", int64(d.TasksSucceeded), int64(counted.TasksSucceeded)}, {"tasks_failed", int64(d.TasksFailed), int64(counted.TasksFailed)}, {"total_retries", int64(d.TotalRetries), int64(counted.TotalRetries)},
		{"files_modified_count", int64(d.FilesModified), int64(counted.FilesModified)}, {"total_duration_ms", int64(d.TotalDurationMS), int64(counted.TotalDurationMS)},
	} {
		say(n.said == n.has, "%s is %d, and the logs that it names have %d", n.name, n.said, n.has)
	}
	for name, p := range d.ByPlan {
		for other, its := range counted.ByPlan {
			say(PlanKey(name) != PlanKey(other) || p == its, "by_plan has of %s what the logs that it names deny", Shorten(name))
		}
	}
	return wrong
}

// belowZero returns the first number that is below 0, "" for none.
func (d *Daily) belowZero() string {
	for _, n := range []struct {
		name string
		n    int64
	}{
		{"tasks_executed", int64(d.TasksExecuted)}, {"tasks_succeeded", int64(d.TasksSucceeded)}, {"tasks_failed", int64(d.TasksFailed)}, {"tasks_blocked", int64(d.TasksBlocked)},
		{"total_retries", int64(d.TotalRetries)}, {"files_modified_count", int64(d.FilesModified)}, {"tasks_with_duration", int64(d.TasksWithDuration)},
		{"total_duration_ms", int64(d.TotalDurationMS)}, {"average_duration_ms", int64(d.AverageDurationMS)},
	} {
		if n.n < 0 {
			return n.name
		}
	}
	for _, plan := range slices.Sorted(maps.Keys(d.ByPlan)) {
		if p := d.ByPlan[plan]; min(p.Tasks, p.Succeeded, p.Failed, p.Blocked) < 0 || p.DurationMS < 0 {
			return "a number of " + Shorten(plan) + " in by_plan"
		}
	}
	return ""
}

// Summary returns the summary of a day, nil where there is none or it is not believed.
func (pr *Project) Summary(date string) *Daily {
	if d := mirror.Read(pr.Mirror, SummaryOf(date), ParseDaily).Value; d != nil && d.Doubt(date) == "" {
		return d
	}
	return nil
}
