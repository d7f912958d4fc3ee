package fctry

import (
	"slices"
	"testing"
	"time"

	"gatehouse/model"
)

// TestHistory: the chunks of a run are done when they say so, and how many there are was known when it began.
func TestHistory(t *testing.T) {
	now := time.Date(2026, 4, 18, 18, 0, 0, 0, time.UTC)
	run := func(total string) *model.History {
		p := newProject(t, map[string]string{stateFile: `{"buildRun": {"status": "running", "startedAt": "2026-04-18T16:00:00Z", "plan": {"totalChunks": ` + total + `}, "chunks": [
			{"id": 1, "name": "Store", "status": "completed", "startedAt": "2026-04-18T16:30:00Z", "completedAt": "2026-04-18T17:00:00Z"},
			{"id": 2, "name": "Feed", "status": "completed", "completedAt": "2026-04-18"},
			{"id": 3, "name": "Search", "status": "active", "startedAt": "2026-04-18T17:30:00Z"},
			{"id": 4, "name": "Share", "status": "planned"}]}}`})
		b := p.readAt(now)
		b.Reckon(now)
		return b.History
	}
	at := func(hour, minute int) time.Time { return time.Date(2026, 4, 18, hour, minute, 0, 0, time.UTC) }
	h := run("4")
	want := []model.Piece{
		{Node: "chunk/2", Done: true, Ended: at(0, 0), DayOnly: true},
		{Node: "chunk/1", Done: true, Began: at(16, 30), Ended: at(17, 0), Took: 1_800_000},
		{Node: "chunk/3", Began: at(17, 30)},
	}
	if h.Of != "chunks" || h.Count != (model.Count{Done: 2, Total: 4}) || !h.TotalSince.Equal(at(16, 0)) || !slices.Equal(h.Pieces, want) {
		t.Errorf("%+v\nwant %+v", h, want)
	}
	stretches := []model.Stretch{
		{Node: "chunk/1", From: at(16, 30), To: at(17, 0), Took: 1_800_000},
		{Node: "chunk/2", From: at(0, 0), To: at(18, 0)},
		{Node: "chunk/3", From: at(17, 30), To: at(18, 0), Open: true},
	}
	if !slices.Equal(h.Stretches, stretches) {
		t.Errorf("%+v\nwant %+v", h.Stretches, stretches)
	}
	if h := run("3"); !h.TotalSince.IsZero() {
		t.Errorf("the plan had others, and their number is called known since %s", h.TotalSince)
	}
	if b := state(t, `{"buildRun": {"status": "running", "chunks": [{"id": 1, "status": "planned"}]}}`); b.History != nil {
		t.Errorf("nothing has begun: %+v", b.History)
	}
}
