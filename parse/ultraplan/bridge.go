package ultraplan

import (
	"gatehouse/model"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/statemd"
)

// difference is a field of STATE.md that says otherwise than the tree and the logs.
type difference = statemd.Difference

// spansOf returns the spans that bring fields in line.
func spansOf(all []difference) []model.Span { return statemd.Spans(all) }

// compareState compares the text of STATE.md with the tree and the logs.
func (c *builder) compareState(text string) []difference {
	pr := &facts.Project{Mirror: c.src.m, Build: &model.Build{File: c.Build.File}}
	pr.Read()
	var last *facts.Log
	if n := len(pr.Logs); n > 0 {
		last = pr.Logs[n-1]
	}
	return statemd.Differences(text, pr.Standing(last, false))
}
