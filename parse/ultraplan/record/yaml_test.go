package record

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/conformance"
	"gatehouse/parse/ultraplan/core"
)

func TestSpellingsOfResults(t *testing.T) {
	whole := resultText1 + "metadata:\n  duration_ms: 32000\n  attempt: 2\n  executor_id: x\n"
	e := loggedResult{LoggedAt: time.Date(2026, 1, 26, 10, 0, 0, 0, time.UTC), Plan: "03-01", Task: "2"}
	conformance.OwnRows(t, "spellingsofresults.jsonl", func(t *testing.T, c struct {
		ID, Old, New string
		Reasons      []string
		Took         int64
		Output       string
	}) {
		text := strings.Replace(whole, c.Old, c.New, 1)
		v := validateResult(text, against{tasks: []core.TaskDoc{{Name: "Task 2: Add: it", Files: []string{"a"}}}, exists: func(string) bool { return true }})
		if !slices.Equal(v.Reasons(), c.Reasons) || v.Result.TookMS != c.Took || v.Result.Attempt != 2 || v.Result.Output != core.ShortenText(c.Output) {
			t.Errorf("%s: %q %+v", c.ID, v.Reasons(), v.Result)
		}
		if logged := e.formatLog(v, text); v.Outcome != Invalid && !v.isLoggedBy(core.ParseLog(logged)) {
			t.Errorf("%s: %+v is logged as\n%s", c.ID, v.Result, logged)
		}
	})
}
