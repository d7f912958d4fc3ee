// The summary of a day. It is computed from all results of the day and never counted up, so that a capture that is done
// twice ends in the same file.

package ultraplan

import (
	"encoding/json"
	"math"
	"strconv"

	"gatehouse/model"
)

// dailyResult is what the summary of a day needs of one result.
type dailyResult struct {
	Plan    string // "03-01"
	Outcome string
	Took    model.Millis
	Timed   bool
	Attempt int
	Files   int
}

// daily is the document of logs/summary/daily-YYYY-MM-DD.json. TasksWithDuration is not in the protocol's: without it the
// average can't be told from the file alone.
type daily struct {
	Date              string               `json:"date"`
	TasksExecuted     int                  `json:"tasks_executed"` // results, not tasks
	TasksSucceeded    int                  `json:"tasks_succeeded"`
	TasksFailed       int                  `json:"tasks_failed"`
	TasksBlocked      int                  `json:"tasks_blocked"`
	TotalRetries      int                  `json:"total_retries"` // results of a second or later attempt
	SuccessRate       Rate                 `json:"success_rate"`
	TotalDurationMS   model.Millis         `json:"total_duration_ms"`
	AverageDurationMS model.Millis         `json:"average_duration_ms"` // over the results that have one, halves rounded up
	ByPlan            map[string]dailyPlan `json:"by_plan"`
	FilesModified     int                  `json:"files_modified_count"`
	TasksWithDuration int                  `json:"tasks_with_duration"`
}

// dailyPlan is what a day has done for one plan.
type dailyPlan struct {
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

// newDaily returns the summary of a day, "2026-01-26", from all its results.
func newDaily(date string, results []dailyResult) *daily {
	var all model.Tally
	plans := map[string]*model.Tally{}
	for _, r := range results {
		a := model.Attempt{Outcome: r.Outcome, Number: r.Attempt, Took: r.Took, Timed: r.Timed, Files: r.Files}
		all.Add(&a)
		if plans[r.Plan] == nil {
			plans[r.Plan] = &model.Tally{}
		}
		plans[r.Plan].Add(&a)
	}
	d := &daily{
		Date: date, TasksExecuted: all.Executed, TasksSucceeded: all.Succeeded, TasksFailed: all.Failed, TasksBlocked: all.Blocked,
		TotalRetries: all.Retries, TotalDurationMS: all.Time.Total, AverageDurationMS: all.Time.Average(),
		ByPlan: map[string]dailyPlan{}, FilesModified: all.Files, TasksWithDuration: all.Time.Known,
	}
	if all.Executed > 0 {
		d.SuccessRate = Rate((all.Succeeded*20_000 + all.Executed) / (2 * all.Executed))
	}
	for plan, t := range plans {
		d.ByPlan[plan] = dailyPlan{Tasks: t.Executed, Succeeded: t.Succeeded, Failed: t.Failed, Blocked: t.Blocked, DurationMS: t.Time.Total}
	}
	return d
}

// Text returns the file: two blanks of indentation, plans in the order of their numbers as texts, a line end at its end.
func (d *daily) Text() string {
	text, _ := json.MarshalIndent(d, "", "  ") // numbers, texts and a map of them: it can't fail
	return string(text) + "\n"
}
