// The lists of decisions about the gates of tasks.

package statemd

import (
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// AppendDecision returns the edit that adds an item to a list, and adds the list if there is none. A list in brackets is rewritten with one
// line for each item. An edit that could not be read back is refused.
func AppendDecision(text, key string, item [][2]string) (span model.Span, err error) {
	eol := lineEndOf(text)
	span.Label = key
	indent, end := "  ", ""
	var b strings.Builder
	if blocks := core.FindYAML(text, key); len(blocks) == 0 {
		span.At = len(strings.TrimRight(text, " \t\r\n"))
		b.WriteString(eol + eol + "## Gate Decisions" + eol + eol + "```yaml" + eol + key + ":")
		end = eol + "```"
	} else if list := blocks[len(blocks)-1]; list.Value.Is(doc.List) && strings.HasPrefix(text[list.Value.Offset():], "[") {
		span.At = len(strings.TrimRight(text[:list.Value.Offset()], " "))
		span.Old = text[span.At:list.Value.End()]
		for v := range list.Value.Elements() {
			b.WriteString(eol + indent + "- " + text[v.Offset():v.End()])
		}
	} else {
		span.At = list.At + len(strings.TrimRight(text[list.At:list.End], " \t\r\n"))
		for v := range list.Value.Elements() {
			dash := max(0, strings.LastIndexByte(text[:v.Offset()], '-'))
			indent = text[strings.LastIndexByte(text[:dash], '\n')+1 : dash]
		}
	}
	lead := "- "
	for _, field := range item {
		b.WriteString(eol + indent + lead + field[0] + ": " + field[1])
		lead = "  "
	}
	span.New = b.String() + end
	after, err := protocol.Apply(text, []model.Span{span})
	if was, is := core.ParseState(text), core.ParseState(after); err != nil || len(is.Decisions) != len(was.Decisions)+1 || len(is.Problems) > len(was.Problems) {
		return span, &model.Refusal{Text: "the decision would not be read in " + key + " of STATE.md", Fix: "write " + key + " as a list, an item a line, and close what is left open (a fence, a comment) above it"}
	}
	return span, nil
}
