// Bringing STATE.md in line with the tree: what the file counts, and nothing that only people can know.

package ultraplan

import (
	"fmt"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/statemd"
)

// syncSpans returns what STATE.md has to say otherwise, by the tree and the logs that were read.
func (c *builder) syncSpans(content string) []model.Span {
	return statemd.Spans(statemd.Differences(content, c.figures()))
}

// figures counts the project.
func (c *builder) figures() *statemd.Figures {
	var last *facts.Log
	if n := len(c.Logs); n > 0 {
		last = c.Logs[n-1]
	}
	return statemd.NewFigures(c.Project, last, false)
}

// wholeState is STATE.md as it stands, for the mirror to keep beside what is read from it.
type wholeState string

// verbs returns what can be done to the build as a whole: sync, where STATE.md claims what the tree denies and something can
// be mended.
func (c *builder) verbs() []model.Verb {
	if len(statemd.Spans(c.differences)) > 0 {
		return []model.Verb{model.VerbSync}
	}
	return nil
}

// syncEffect says in words what a sync comes to: of the progress what it was and is, else which fields change.
func syncEffect(spans []model.Span) (was, is, effect string) {
	var fields []string
	for _, s := range spans {
		if s.Label == "Progress" {
			was, is = shortly(s.Old), shortly(s.New)
		}
		if !slices.Contains(fields, s.Label) {
			fields = append(fields, s.Label)
		}
	}
	count := protocol.Count(len(spans), "value")
	if is != "" {
		return was, is, fmt.Sprintf("%s, %s → %s", count, was, is)
	}
	return "out of line", "in line", count + ": " + strings.Join(fields, ", ")
}

// shortly returns the percent of a progress, else the value itself.
func shortly(value string) string {
	if p := facts.PercentIn(value); p != "" {
		return p
	}
	return line.Tidy(strings.TrimSpace(value))
}
