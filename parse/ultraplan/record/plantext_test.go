package record

import (
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/core"
)

// Tasks returns the tasks of a plan by the text of its PLAN.md.
func Tasks(text string) []planTask {
	return planTasks(core.ParsePlan(text))
}

// Number returns the number of the task that a result is about, "" without one.
func (r *Result) Number() string {
	number, _, _ := doc.ParseTaskNumber(r.TaskName)
	return number
}
