// Changing the current_task block of a STATE.md: single lines of it, and never more.

package statemd

import (
	"strings"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
)

// TaskValue is a key of the current_task block with its new value, as YAML.
type TaskValue struct{ Key, Value string }

// SetTask returns the spans that give keys of the current_task block other values: each is one line, and one that is not
// there is added behind the last.
func SetTask(text string, values []TaskValue) (spans []model.Span, err error) {
	at, ok := rules.TaskBlock(text)
	if !ok {
		return nil, &model.Refusal{Code: protocol.NoGate, Text: "STATE.md has no current_task any more", Fix: "look at the build again"}
	}
	at += strings.IndexByte(text[at:], '\n') + 1
	body := facts.IndentedLines("\n" + text[at:])
	indent, last := "", at // of its keys; the last line of the block
	found := map[string]int{}
	for l := range strings.Lines(body) {
		t := strings.TrimRight(l, "\r\n \t")
		lead := t[:len(t)-len(strings.TrimLeft(t, " \t"))]
		if t != "" && indent == "" {
			indent = lead
		}
		key, value, isKey := strings.Cut(strings.TrimLeft(t, " \t"), ":")
		for i, v := range values {
			if !isKey || key != v.Key || lead != indent {
				continue
			}
			if _, twice := found[key]; twice {
				return nil, &model.Refusal{Text: "current_task has “" + key + "” twice", Fix: "mend STATE.md first"}
			}
			found[key] = i
			span, err := scalarSpan(at+len(lead)+len(key)+1, value, v)
			if err != nil {
				return nil, err
			}
			if span.Old != span.New {
				spans = append(spans, span)
			}
		}
		if t != "" {
			last = at
		}
		at += len(l)
	}
	var missing []TaskValue
	for _, v := range values {
		if _, there := found[v.Key]; !there {
			missing = append(missing, v)
		}
	}
	return append(spans, addLines(text, last, indent, missing)...), nil
}

// scalarSpan returns the span of a value that stands on the line of its key, behind the colon at an offset. A comment behind
// it stays. A value over several lines is not touched.
func scalarSpan(at int, rest string, v TaskValue) (model.Span, error) {
	value := strings.TrimLeft(rest, " \t")
	at += len(rest) - len(value)
	end := len(value)
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		if i := strings.IndexByte(value[1:], value[0]); i >= 0 && !strings.Contains(value[:i+1], `\`) {
			end = i + 2
		}
	} else if i := strings.Index(" "+value, " #"); i >= 0 {
		end = len(strings.TrimRight(value[:i], " \t"))
	}
	if value != "" && strings.ContainsRune("|>&*![{", rune(value[0])) {
		return model.Span{}, &model.Refusal{Text: "“" + v.Key + "” of current_task is no plain value", Fix: "mend STATE.md first"}
	}
	span := model.Span{At: at, Old: value[:end], New: v.Value, Label: "current_task." + v.Key}
	if rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		span.New = " " + span.New
	}
	if end == 0 && value != "" { // a comment follows at once
		span.New += " "
	}
	return span, nil
}

// addLines returns the spans that add keys behind the line at an offset.
func addLines(text string, last int, indent string, values []TaskValue) (spans []model.Span) {
	for _, v := range values {
		s := insertLine(text, last, indent+v.Key+": "+v.Value)[0]
		s.Label = "current_task." + v.Key
		spans = append(spans, s)
	}
	return spans
}
