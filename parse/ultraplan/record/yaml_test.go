package record

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/ultraplan/core"
)

func TestSpellingsOfResults(t *testing.T) {
	whole := resultText1 + "metadata:\n  duration_ms: 32000\n  attempt: 2\n  executor_id: x\n"
	e := loggedResult{LoggedAt: time.Date(2026, 1, 26, 10, 0, 0, 0, time.UTC), Plan: "03-01", Task: "2"}
	for _, c := range []struct {
		name, old, new string
		reasons        []string
		took           int64
		output         string
	}{
		{"as it is", "", "", nil, 32000, "ok"},
		{"empty line above a block", "|\n  one", "|\n\n  one", nil, 32000, "ok"},
		{"indicator of an indentation", "output_summary: ok", "output_summary: |2-\n      indented\n    less", nil, 32000, "  indented\nless"},
		{"text that begins with a line end", "output_summary: ok", `output_summary: "\n- a\n- b"`, nil, 32000, "\n- a\n- b"},
		{"tag of its own", "output_summary: ok", "output_summary: !foo ok", nil, 32000, "ok"},
		{"sign of a number", "duration_ms: 32000", "duration_ms: +32000", nil, 32000, "ok"},
		{"merge key", "error: null", "error: null\nmore: {<<: {a: 1}}", []string{"unknown-field:more"}, 32000, "ok"},
		{"template as a command", "command: x", "command: {{x}}", []string{"type-verification.command"}, 32000, "ok"},
		{"number in quotation marks", "duration_ms: 32000", `duration_ms: "32000"`, []string{"bad-metadata:duration_ms"}, 0, "ok"},
		{"anchor and a number in quotation marks", "duration_ms: 32000", `duration_ms: &d "32000"`, []string{"bad-metadata:duration_ms"}, 0, "ok"},
	} {
		text := strings.Replace(whole, c.old, c.new, 1)
		v := validateResult(text, against{tasks: []core.TaskDoc{{Name: "Task 2: Add: it", Files: []string{"a"}}}, exists: func(string) bool { return true }})
		if !slices.Equal(v.Reasons(), c.reasons) || v.Result.TookMS != c.took || v.Result.Attempt != 2 || v.Result.Output != core.ShortenText(c.output) {
			t.Errorf("%s: %q %+v", c.name, v.Reasons(), v.Result)
		}
		if logged := e.formatLog(v, text); v.Outcome != Invalid && !v.isLoggedBy(core.ParseLog(logged)) {
			t.Errorf("%s: %+v is logged as\n%s", c.name, v.Result, logged)
		}
	}
}
