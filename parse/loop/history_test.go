package loop

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
)

// TestHistory checks the times of phases: each phase has its own end, and the first one began with the loop.
func TestHistory(t *testing.T) {
	text := stateText("active", [3]string{"complete", "active", "pending"}, [3]string{"passed", "passed", "pending"})
	text = strings.Replace(text, `"skills": ["cut"], "deliverables": [], "startedAt": null`, `"skills": ["cut"], "deliverables": [], "startedAt": "2026-03-01T11:00:00Z"`, 1)
	b := kite(t, text, nil).Read(noon)
	b.Reckon(noon)
	h := b.History
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	want := []model.Piece{
		{Node: "phase/SKETCH", Done: true, Began: at(9), Ended: at(10), Took: 3_600_000},
		{Node: "phase/Sew It", Began: at(11)},
	}
	if h == nil || h.Of != "phases" || h.Count != (model.Count{Done: 1, Total: 3}) || !h.TotalSince.Equal(at(9)) || !slices.Equal(h.Pieces, want) {
		t.Fatalf("%+v\nwant %+v", h, want)
	}
	if f := h.Forecast; f == nil || f.Left != 2 || f.None != "it takes 5 phases that are done" {
		t.Errorf("%+v", f)
	}
}
