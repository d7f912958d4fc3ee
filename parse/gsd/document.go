// A Markdown state file split into frontmatter and body, more forgiving than
// the prompt's reading: a byte order mark is no part of the text here.

package gsd

import (
	"errors"
	"strings"

	"gatehouse/parse/mirror"
	"gatehouse/parse/scan"
	"gatehouse/parse/yamldoc"
)

// errUnclosed is the error of frontmatter without its closing fence: a file
// that is being written, or was cut off.
var errUnclosed = &mirror.Fault{Line: 1, Text: "the frontmatter has no closing ---"}

// document is a state file in its two parts.
type document struct {
	front    string // between the fences, "" where there is none; its first line is line 2
	body     string
	bodyLine int // number of the body's first line
}

// frontLine is the number of the first line behind the opening fence.
const frontLine = 2

// read takes a document apart and reads some keys of its frontmatter. With
// errUnclosed all of it is the body. A value that is no YAML is a minor fault.
func read(text string, keys ...string) (document, yamldoc.Doc, error) {
	doc, err := split(text)
	if err != nil {
		return doc, yamldoc.Doc{}, err
	}
	front, err := yamldoc.Parse(doc.front, frontLine, keys...)
	var e *yamldoc.Error
	if errors.As(err, &e) {
		err = &mirror.Fault{Line: e.Line, Text: "the frontmatter is not YAML: " + e.Text, Minor: true}
	}
	return doc, front, err
}

// split takes a document apart.
func split(text string) (document, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	front, rest, ok := scan.Frontmatter(text)
	if !ok {
		d := document{body: text, bodyLine: 1}
		for _, empty := range []string{"---\n---\n", "---\r\n---\r\n"} {
			if body, found := strings.CutPrefix(text, empty); found {
				return document{body: body, bodyLine: 3}, nil
			}
		}
		if strings.HasPrefix(text, "---\n") || strings.HasPrefix(text, "---\r\n") {
			return d, errUnclosed
		}
		return d, nil
	}
	_, body, _ := strings.Cut(rest, "\n")
	head := text[:len(text)-len(body)]
	return document{front: front, body: body, bodyLine: 1 + strings.Count(head, "\n")}, nil
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
