package ultraplan

import (
	"gatehouse/model"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// difference is a field of STATE.md that the tree and the logs deny.
type difference = statemd.Difference

// spansOf returns the edits that correct fields.
func spansOf(all []difference) []model.Span { return statemd.Spans(all) }

// compareState compares the text of STATE.md with the tree and the logs.
func (c *builder) compareState(text string) []difference {
	var last *core.Log
	if n := len(c.Logs); n > 0 {
		last = c.Logs[n-1]
	}
	is := statemd.NewFigures(c.Project, last, false)
	is.Exists = func(file string) bool { _, exists := c.src.m.Stat(file); return exists }
	return statemd.Differences(text, is)
}
