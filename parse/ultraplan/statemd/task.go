// The block current_task: the gate of the current task.

package statemd

import (
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// TaskValue is a key of the block with its value as YAML.
type TaskValue struct{ Key, Value string }

// Quote writes a text as YAML in double quotation marks.
func Quote(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD")) }

// SetTask returns the edits that set keys of the block. Each edit changes one value; a missing key is added after the last one.
func SetTask(text string, values []TaskValue) (spans []model.Span, err error) {
	blocks := core.FindYAML(text, core.GateKey)
	if len(blocks) == 0 {
		return nil, &model.Refusal{Code: protocol.NoGate, Text: "STATE.md has no current_task any more", Fix: "look at the build again"}
	}
	block := blocks[0].Value
	for _, p := range blocks[0].Problems {
		return nil, &model.Refusal{Text: "current_task: " + p.Text, Fix: "fix STATE.md first"}
	}
	var last doc.Value
	for v := range block.Members() {
		last = v
	}
	if !last.Exists() {
		return nil, &model.Refusal{Text: "current_task can't be read", Fix: "fix STATE.md first"}
	}
	isFlow := text[block.Offset()] == '{'
	for _, v := range values {
		old := block.Get(v.Key)
		span := model.Span{At: old.Offset(), New: v.Value, Label: core.GateKey + "." + v.Key}
		switch {
		case !old.Exists() && isFlow:
			span.At, span.New = last.End(), ", "+v.Key+": "+v.Value
		case !old.Exists():
			head := text[:last.KeyOffset()]
			indent := head[strings.LastIndexByte(head, '\n')+1:]
			span = insertLine(text, max(last.KeyOffset(), last.End()-1), strings.Repeat(" ", len(indent))+v.Key+": "+v.Value)[0]
			span.Label = core.GateKey + "." + v.Key
		case old.Is(doc.Unsupported) || old.Is(doc.Map) || old.Is(doc.List):
			return nil, &model.Refusal{Text: "“" + v.Key + "” of current_task is no plain value", Fix: "fix STATE.md first"}
		default:
			span.Old = strings.TrimRight(text[old.Offset():max(old.Offset(), old.End())], "\r\n")
			if before := text[old.Offset()-1]; before == ':' || strings.HasPrefix(text[old.Offset():], "#") {
				span.New = " " + span.New
			}
		}
		if span.Old != span.New {
			spans = append(spans, span)
		}
	}
	return spans, nil
}

// ReplaceTask returns the edit that writes the block of another task. A new block goes before the section of the session.
func ReplaceTask(text string, values []TaskValue) []model.Span {
	eol := lineEndOf(text)
	var b strings.Builder
	b.WriteString(core.GateKey + ":" + eol)
	for _, v := range values {
		b.WriteString("  " + v.Key + ": " + v.Value + eol)
	}
	span := model.Span{New: b.String(), Label: core.GateKey}
	if blocks := core.FindYAML(text, core.GateKey); len(blocks) > 0 {
		span.At, span.Old = blocks[0].At, text[blocks[0].At:blocks[0].End]
		if rest := strings.TrimRight(span.Old, "\r\n"); !strings.HasSuffix(span.Old, "\n") || strings.HasSuffix(span.Old, "\n"+eol) { // blank lines below stay
			span.Old = rest
			span.New = strings.TrimRight(span.New, "\r\n")
		}
		return []model.Span{span}
	}
	span.New = "## Current Task" + eol + eol + "```yaml" + eol + span.New + "```" + eol + eol
	span.At = len(text)
	for _, l := range core.ContentLines(text) {
		if l.Level > 0 && core.HasPrefixFold(l.Title, core.ContinuityTitle) {
			span.At = l.At
			break
		}
	}
	if head := text[:span.At]; head != "" && !strings.HasSuffix(head, "\n") {
		span.New = eol + eol + span.New
	}
	return []model.Span{span}
}
