// Checking off the box of a task among the success criteria of its PLAN.md.

package record

import (
	"gatehouse/model"
	"gatehouse/parse/ultraplan/facts"
)

// The outcomes of [syncPlan], besides those of a box that is not found.
const (
	syncChecked    = "checked"         // the box was open
	syncAlready    = "already-checked" // its first date stays
	syncNoSection  = "no-section"
	syncNotSuccess = "not-success" // only a success checks anything off
)

// syncPlan says what changes in the text of a PLAN.md when a task has ended with a status: the box of the task is checked
// off and dated, "2026-01-26". There is one span at most, in the line of the box.
func syncPlan(text, status, task, date string) (spans []model.Span, outcome string) {
	if status != model.OutcomeSuccess {
		return nil, syncNotSuccess
	}
	boxes, ok := facts.Criteria(text)
	if !ok {
		return nil, syncNoSection
	}
	i, outcome := facts.FindBox(boxes, task)
	switch {
	case outcome != "":
		return nil, outcome
	case boxes[i].Checked:
		return nil, syncAlready
	}
	b := &boxes[i]
	old := text[b.Mark:b.End]
	return []model.Span{{At: b.Mark, Old: old, New: "x" + old[1:] + " (completed " + date + ")", Label: task}}, syncChecked
}
