package protocol

import (
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/doc"
)

// TestParseWorkTimes checks the forms in which summaries record when a plan was worked on, and for how long.
func TestParseWorkTimes(t *testing.T) {
	at := func(hour, minute int) time.Time { return time.Date(2026, 3, 6, hour, minute, 0, 0, time.UTC) }
	day := at(0, 0)
	for name, c := range map[string]struct {
		text string
		want Worked
	}{
		"nothing":                 {"# Summary\n", Worked{}},
		"a day":                   {"---\ncompleted: 2026-03-06\nduration: 14min\n---\n", Worked{Ended: day, DayOnly: true, Took: "14min"}},
		"a quoted day":            {"---\ncompleted: \"2026-03-06\"\n---\n", Worked{Ended: day, DayOnly: true}},
		"another key":             {"---\ncompleted_at: 2026-03-06\n---\n", Worked{Ended: day, DayOnly: true}},
		"below metrics":           {"---\nmetrics:\n  duration: \"3 minutes\"\n  completed_date: \"2026-03-06\"\n---\n", Worked{Ended: day, DayOnly: true, Took: "3 minutes"}},
		"a time":                  {"---\nstarted: 2026-03-06T10:00:00Z\ncompleted: 2026-03-06T10:30:00Z\n---\n", Worked{Began: at(10, 0), Ended: at(10, 30)}},
		"the day, and when":       {"---\ncompleted: 2026-03-06\n---\n## Performance\n\n- **Duration:** 30 min\n- **Started:** 2026-03-06T10:00:00Z\n- **Completed:** 2026-03-06T10:30:00Z\n", Worked{Began: at(10, 0), Ended: at(10, 30), Took: "30 min"}},
		"another day":             {"---\ncompleted: 2026-03-06\n---\n- **Started:** 2026-01-01T10:00:00Z\n- **Completed:** 2026-01-01T10:30:00Z\n", Worked{Began: time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC), Ended: day, DayOnly: true}},
		"a remark behind it":      {"- **Completed:** 2026-03-06T10:30:00Z (phase end)\n", Worked{Ended: at(10, 30)}},
		"the colon outside":       {"**Completed**: 2026-03-06\n", Worked{Ended: day, DayOnly: true}},
		"executed":                {"**Executed:** 2026-03-06\n", Worked{Ended: day, DayOnly: true}},
		"began on some day":       {"- **Started:** 2026-03-06\n- **Completed:** 2026-03-06T10:30:00Z\n", Worked{Ended: at(10, 30)}},
		"a field of another name": {"- **Completed tasks:** 2026-03-06\n**CompletedItem** - 2026-03-06\n", Worked{}},
		"an example":              {"```\n**Completed:** 2026-01-01\n```\n**Completed:** 2026-03-06\n", Worked{Ended: day, DayOnly: true}},
		"words":                   {"---\ncompleted: soon\nduration: pre-committed\n---\n- **Completed:** yes\n", Worked{Took: "pre-committed"}},
	} {
		f := doc.SplitFrontmatter(c.text)
		root := doc.ParseYAML(c.text, f.Block, f.BlockEnd).Root()
		field := func(keys ...string) string { return root.Get(keys...).Scalar() }
		if got := ParseWorkTimes(field, c.text[f.Body:]); !got.Began.Equal(c.want.Began) || !got.Ended.Equal(c.want.Ended) || got.DayOnly != c.want.DayOnly || got.Took != c.want.Took {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestDurationOfWork checks that a recorded duration outranks the difference of two times, and that this difference is not used for a
// plan that took more than a day.
func TestDurationOfWork(t *testing.T) {
	hour := model.Millis(3_600_000)
	if p := ParseWorked("2026-03-06T10:00:00Z", "2026-03-06T11:00:00Z").Plan("a", "b", 0); p.Took != hour || p.Node != "a" || p.Phase != "b" || !p.Done {
		t.Errorf("%+v", p)
	}
	if p := ParseWorked("2026-03-06T10:00:00Z", "2026-03-06T11:00:00Z").Plan("a", "b", 5); p.Took != 5 {
		t.Errorf("%+v", p)
	}
	if p := ParseWorked("2026-03-06T10:00:00Z", "2026-03-08T11:00:00Z").Plan("a", "b", 0); p.Took != 0 {
		t.Errorf("%+v", p)
	}
	if p := ParseWorked("2026-03-06T10:00:00Z", "2026-03-08T10:00:00Z").Phase("a", true); p.Took != 48*hour {
		t.Errorf("%+v", p)
	}
	if p := ParseWorked("2026-03-06", "2026-03-08").Phase("a", true); p.Took != 0 || !p.DayOnly || p.Began.IsZero() {
		t.Errorf("%+v", p)
	}
	if p := ParseWorked("2026-03-06T10:00:00Z", "").Phase("a", false); p.Took != 0 || p.DayOnly || p.Began.IsZero() || p.Done {
		t.Errorf("%+v", p)
	}
}
