package parse

import (
	"testing"
	"time"

	"gatehouse/model"
)

// TestShownHasNoTimes checks that a proposal displayed again a second later has the same Shown hash: within the second of the last
// write, the time may not need to be written.
func TestShownHasNoTimes(t *testing.T) {
	status := model.Edit{Label: "gates.frame.status", Old: `"pending"`, New: `"passed"`}
	at := model.Edit{Label: "last_updated", Old: `"2026-03-01T12:00:00Z"`, New: `"2026-03-01T12:00:01Z"`}
	added := model.Edit{Label: "gates.frame.passedAt", New: `"passedAt": "2026-03-01T12:00:01Z"`}
	same := shownOf(&model.Proposal{Effect: "pending → passed", Edits: []model.Edit{status}})
	for _, p := range []*model.Proposal{
		{Effect: "pending → passed", Edits: []model.Edit{status, at}, Since: time.Unix(1, 0)},
		{Effect: "pending → passed", Edits: []model.Edit{added, status, at}},
	} {
		if shownOf(p) != same {
			t.Errorf("%+v is shown as something else", p.Edits)
		}
	}
	status.New = `"failed"`
	if shownOf(&model.Proposal{Effect: "pending → passed", Edits: []model.Edit{status}}) == same {
		t.Error("another value is shown as the same")
	}
}
