package yamldoc

import (
	"iter"
	"strings"

	"gatehouse/parse/doc"
)

// Document is a Markdown state file in its two parts.
type Document struct {
	Front    string // between the fences, "" where there is none; its first line is FrontLine
	Body     string
	BodyLine int // number of the body's first line
}

// Lines iterates over the lines of the body. They are numbered in the whole document, their offsets are those in the body.
func (d Document) Lines() iter.Seq[doc.Line] {
	return func(yield func(doc.Line) bool) {
		for l := range doc.Lines(d.Body, 0, len(d.Body)) {
			if l.Number += d.BodyLine - 1; !yield(l) {
				return
			}
		}
	}
}

// Tasks returns the <task> blocks of the body, with lines and offsets as [Document.Lines] has them.
func (d Document) Tasks() []doc.Task {
	tasks := doc.ParseTasks(d.Body, 0, len(d.Body))
	for i := range tasks {
		tasks[i].Line += d.BodyLine - 1
	}
	return tasks
}

// FrontLine is the number of the first line behind the opening fence.
const FrontLine = 2

// ErrUnclosed is the error of frontmatter without its closing fence: a file that is being written, or was cut off.
var ErrUnclosed = &Error{Line: 1, Text: "the frontmatter has no closing ---"}

// Split takes a document apart, more forgiving than the prompt's reading: a byte order mark is no part of the text here.
// With ErrUnclosed, the only error, all of it is the body.
func Split(text string) (Document, error) {
	text = strings.TrimPrefix(text, doc.ByteOrderMark)
	f := doc.SplitFrontmatter(text)
	if f.Unclosed {
		return Document{Body: text, BodyLine: 1}, ErrUnclosed
	}
	return Document{Front: text[f.Block:f.BlockEnd], Body: text[f.Body:], BodyLine: 1 + strings.Count(text[:f.Body], "\n")}, nil
}

// Read takes a document apart and reads some keys of its frontmatter, all without any. Its error is an *[Error]; with one
// other than ErrUnclosed, what could be read all the same is there.
func Read(text string, keys ...string) (Document, Doc, error) {
	d, err := Split(text)
	if err != nil {
		return d, Doc{}, err
	}
	front, err := Parse(d.Front, FrontLine, keys...)
	return d, front, err
}
