package yamldoc

import (
	"strings"

	"gatehouse/parse/text/scan"
)

// Document is a Markdown state file in its two parts.
type Document struct {
	Front    string // between the fences, "" where there is none; its first line is FrontLine
	Body     string
	BodyLine int // number of the body's first line
}

// FrontLine is the number of the first line behind the opening fence.
const FrontLine = 2

// ErrUnclosed is the error of frontmatter without its closing fence: a file that is being written, or was cut off.
var ErrUnclosed = &Error{Line: 1, Text: "the frontmatter has no closing ---"}

// Split takes a document apart, more forgiving than the prompt's reading: a byte order mark is no part of the text here.
// With ErrUnclosed, the only error, all of it is the body.
func Split(text string) (Document, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	front, rest, ok := scan.Frontmatter(text)
	if !ok {
		d := Document{Body: text, BodyLine: 1}
		for _, empty := range []string{"---\n---\n", "---\r\n---\r\n"} {
			if body, found := strings.CutPrefix(text, empty); found {
				return Document{Body: body, BodyLine: 3}, nil
			}
		}
		if strings.HasPrefix(text, "---\n") || strings.HasPrefix(text, "---\r\n") {
			return d, ErrUnclosed
		}
		return d, nil
	}
	_, body, _ := strings.Cut(rest, "\n")
	head := text[:len(text)-len(body)]
	return Document{Front: front, Body: body, BodyLine: 1 + strings.Count(head, "\n")}, nil
}

// Read takes a document apart and reads some keys of its frontmatter, all without any. Its error is an *[Error]; with one
// other than ErrUnclosed, what could be read all the same is there.
func Read(text string, keys ...string) (Document, Doc, error) {
	doc, err := Split(text)
	if err != nil {
		return doc, Doc{}, err
	}
	front, err := Parse(doc.Front, FrontLine, keys...)
	return doc, front, err
}
