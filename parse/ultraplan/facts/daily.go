// The summary of a day, as its file has it.

package facts

import (
	"math"
	"path"
	"strconv"

	"gatehouse/model"
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

// ParseDaily reads the summary of a day. All of its fields are optional.
func ParseDaily(text string) (*Daily, error) {
	d := &Daily{}
	err := decode(text, d)
	return d, err
}
