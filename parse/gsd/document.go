package gsd

import (
	"errors"
	"strings"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/text/yamldoc"
)

// read takes a document apart and reads some keys of its frontmatter. A value that is no YAML is a minor fault, and
// frontmatter that never ends is one of the whole file.
func read(text string, keys ...string) (yamldoc.Document, yamldoc.Doc, error) {
	doc, front, err := yamldoc.Read(text, keys...)
	var e *yamldoc.Error
	switch {
	case err == yamldoc.ErrUnclosed:
		err = &mirror.Fault{Line: yamldoc.ErrUnclosed.Line, Text: yamldoc.ErrUnclosed.Text}
	case errors.As(err, &e):
		err = &mirror.Fault{Line: e.Line, Text: "the frontmatter is not YAML: " + e.Text, Minor: true}
	}
	return doc, front, err
}

// firstLine returns the first line of a text that holds anything.
func firstLine(text string) string {
	for text != "" {
		l, rest, _ := strings.Cut(text, "\n")
		if l = strings.TrimSpace(l); l != "" {
			return l
		}
		text = rest
	}
	return ""
}
