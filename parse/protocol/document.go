package protocol

import (
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
)

// Document is a parsed JSON file.
type Document struct {
	Source
	Root     doc.Value
	Problems []doc.Problem // such as keys that an object has twice
}

// ParseDocument parses a file that holds a value of a kind.
func ParseDocument(file, text string, kind doc.Kind) (*Document, error) {
	tree, syntax := doc.ParseJSON(text)
	switch {
	case syntax != nil:
		return nil, SyntaxFault(text, syntax)
	case !tree.Root().Is(kind):
		_, noun, _ := strings.Cut(kind.String(), " ")
		return nil, &mirror.Fault{Line: 1, Text: "this is not a JSON " + noun}
	}
	return &Document{Source{file, doc.IndexLines(text)}, tree.Root(), tree.Problems}, nil
}

// At returns the place of a value, the whole file for one that is absent or null.
func (d *Document) At(v doc.Value) model.Pos {
	if v.IsEmpty() {
		return model.Pos{File: d.File}
	}
	return d.Pos(v.Offset())
}
