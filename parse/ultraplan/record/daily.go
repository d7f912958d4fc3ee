// The summary of a day. It is computed from all results of the day and never counted up, so that a capture that is done
// twice ends in the same file.

package record

import (
	"encoding/json"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/facts"
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

// newDaily returns the summary of a day, "2026-01-26", from all its results.
func newDaily(date string, results []dailyResult) *facts.Daily {
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
	d := &facts.Daily{
		Date: date, TasksExecuted: all.Executed, TasksSucceeded: all.Succeeded, TasksFailed: all.Failed, TasksBlocked: all.Blocked,
		TotalRetries: all.Retries, TotalDurationMS: all.Time.Total, AverageDurationMS: all.Time.Average(),
		ByPlan: map[string]facts.DailyPlan{}, FilesModified: all.Files, TasksWithDuration: all.Time.Known,
	}
	if all.Executed > 0 {
		d.SuccessRate = facts.Rate((all.Succeeded*20_000 + all.Executed) / (2 * all.Executed))
	}
	for plan, t := range plans {
		d.ByPlan[plan] = facts.DailyPlan{Tasks: t.Executed, Succeeded: t.Succeeded, Failed: t.Failed, Blocked: t.Blocked, DurationMS: t.Time.Total}
	}
	return d
}

// dailyText returns the file: two blanks of indentation, plans in the order of their numbers as texts, a line end at its end.
func dailyText(d *facts.Daily) string {
	text, _ := json.MarshalIndent(d, "", "  ") // numbers, texts and a map of them: it can't fail
	return string(text) + "\n"
}
