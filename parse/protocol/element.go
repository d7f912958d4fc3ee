package protocol

import (
	"bytes"
	"encoding/json"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
)

// AddElement returns the span that adds an element, compact JSON, to the end of the list at a path of a document. It
// creates missing parts of the path, in the layout of the document. Keys of the document must not appear twice.
func AddElement(tree *doc.Tree, path []string, element string) (model.Span, error) {
	at, depth := tree.Root(), 0 // at is the last value on the path that is not empty
	for depth < len(path) && at.Get(path[depth]).Len() > 0 {
		at, depth = at.Get(path[depth]), depth+1
	}
	label := strings.Join(path, ".")
	if depth == len(path) {
		if !at.Is(doc.List) {
			return model.Span{}, doc.EditError(label + ": not a list")
		}
		span := doc.AppendElement(at, layOut(tree, at, depth+1, element))
		span.Label = label
		return model.Span(span), nil
	}
	value := "[" + element + "]"
	for i := len(path) - 1; i > depth; i-- {
		value = "{" + doc.QuoteJSON(path[i]) + ":" + value + "}"
	}
	if depth == 0 && at.Is(doc.Map) && at.Len() == 0 {
		whole := layOut(tree, at, 0, "{"+doc.QuoteJSON(path[0])+":"+value+"}")
		return model.Span{At: at.Offset() + 1, Old: strings.Trim(at.Raw(), "{}"), New: whole[1 : len(whole)-1], Label: label}, nil
	}
	wanted := doc.Map
	if depth == len(path)-1 {
		wanted = doc.List
	}
	if old := at.Get(path[depth]); !old.IsEmpty() && !old.Is(wanted) {
		return model.Span{}, doc.EditError(strings.Join(path[:depth+1], ".") + ": not " + wanted.String())
	}
	spans, err := SetJSON(tree.Text, []doc.Assignment{{Path: path[:depth+1], JSON: layOut(tree, at, depth+1, value)}})
	if err != nil {
		return model.Span{}, err
	}
	return spans[0], nil
}

// layOut lays compact JSON out for a place inside a value at a depth of a document: on one line if the value has one line and is not
// empty, else with the indentation of the document.
func layOut(tree *doc.Tree, inside doc.Value, depth int, compact string) string {
	newline, indent := "\n", "  "
	for first := range tree.Root().Children() {
		before := tree.Text[tree.Root().Offset()+1 : first.KeyOffset()]
		line := strings.LastIndexByte(before, '\n')
		if line < 0 || !strings.Contains(inside.Raw(), "\n") {
			return compact
		}
		indent = before[line+1:]
		break
	}
	if strings.Contains(tree.Text, "\r\n") {
		newline = "\r\n"
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(compact), strings.Repeat(indent, depth), indent) != nil {
		return compact
	}
	return strings.ReplaceAll(b.String(), "\n", newline)
}
