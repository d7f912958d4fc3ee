package ultraplan

import (
	"slices"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/fixture"
)

// TestHistory checks when plans were finished: when their summaries say so, else when the last of their logs does.
func TestHistory(t *testing.T) {
	const dir = ".ultraplan/logs/executions/"
	b := readerOf(t, fixture.Project(t, fixture.Lamp(map[string]string{
		dir + "2026-01-25/02-01-task-01-success.yaml": fixture.Log("02-01", 1, "success", "2026-01-25T10:00:00Z", "  metadata:\n    duration_ms: 60000\n"),
		dir + "2026-01-26/03-01-task-01-failure.yaml": fixture.Log("03-01", 1, "failure", "2026-01-26T10:00:00Z", "  metadata:\n    duration_ms: 120000\n"),
		dir + "2026-01-26/03-01-task-01-success.yaml": fixture.Log("03-01", 1, "success", "2026-01-26T11:00:00Z", "  metadata:\n    duration_ms: 60000\n"),
	}))).Read(fixture.Now)
	b.Reckon(fixture.Now)
	h := b.History
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 1, day, hour, minute, 0, 0, time.UTC) }
	want := []model.Piece{
		{Node: "plan/02-quay/02-01", Phase: "phase/02-quay", Done: true, Began: at(25, 9, 59), Ended: at(25, 10, 0), Took: 223_000},
		{Node: "plan/03-lamp/03-01", Phase: "phase/03-lamp", Done: true, Began: at(26, 9, 58), Ended: at(26, 11, 0), Took: 180_000},
	}
	if h == nil || h.Of != "plans" || h.Count != (model.Count{Done: 2, Total: 3}) || h.Unplanned != 1 || !slices.Equal(h.Pieces, want) {
		t.Fatalf("%+v\nwant %+v", h, want)
	}

	// Without logs the summaries have the days; an empty summary has none.
	b = readerOf(t, fixture.Project(t, fixture.Lamp(nil))).Read(fixture.Now)
	b.Reckon(fixture.Now)
	if h := b.History; h.Dated != 1 || h.Pieces[0].Node != "plan/03-lamp/03-01" || !h.Pieces[1].DayOnly || !h.Pieces[1].Ended.Equal(time.Date(2026, 1, 25, 0, 0, 0, 0, fixture.Now.Location())) {
		t.Errorf("%+v", h.Pieces)
	}
}
