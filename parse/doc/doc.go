// Package doc parses and edits the text of state files for the prompt, the dashboard, the checker and the editors alike: JSON,
// block YAML with its frontmatter, and Markdown.
//
//	text ── ParseJSON, ParseYAML ──► Tree of Values, each with its offset ──► typed value of a protocol
//	     └─ Lines, ParseTasks ─────► lines, headings, fields, check boxes, tables, <task> blocks
//	text ── SetJSON, InsertObject, Remove ──► Spans ── Apply ──► text
//
// Offsets are bytes of the parsed text; [IndexLines] turns them into lines and columns. Unsupported syntax is a [Problem] with
// a fix, never a silent absence. The parsers never panic, and their time and memory are linear in the length of the text.
//
// The package opens no file. The prompt links it and pays for every import, so it uses neither strings nor fmt.
package doc

// Problem is a part of a text that a parser skipped or did not understand.
type Problem struct {
	At   int    // offset
	Text string // the problem, in lower case and without its position
	Fix  string // the correct form
}

// SyntaxError is the place and the reason of the first syntax error.
type SyntaxError struct {
	At        int // offset; the last byte of a truncated text
	Reason    string
	Truncated bool // the text ends too early, as a file does that is being written
}

// Error returns the reason.
func (e *SyntaxError) Error() string { return e.Reason }

// LineIndex finds the line of an offset. The zero value is the index of an empty text.
type LineIndex struct {
	starts []int32 // offset of each line but the first
	mark   bool    // the text begins with a byte order mark, which counts in no column
}

// IndexLines returns the index of a text.
func IndexLines(text string) LineIndex {
	x := LineIndex{starts: make([]int32, 0, countParts(text, "\n")), mark: HasPrefix(text, ByteOrderMark)}
	for at := lineEnd(text, 0); at < len(text); at = lineEnd(text, at+1) {
		x.starts = append(x.starts, int32(at+1))
	}
	return x
}

// LineCounter finds the lines of offsets that mostly ascend: it counts on from the last one.
type LineCounter struct {
	Text     string
	at, line int
}

// Line returns the line of an offset, from 1.
func (c *LineCounter) Line(at int) int {
	at = min(at, len(c.Text))
	if at < c.at {
		c.at, c.line = 0, 0
	}
	c.line += countParts(c.Text[c.at:at], "\n")
	c.at = at
	return c.line + 1
}

// Position returns line and column of an offset, both from 1. Columns count bytes.
func (x LineIndex) Position(at int) (line, col int) {
	from, to := 0, len(x.starts)
	for from < to {
		if middle := (from + to) / 2; int(x.starts[middle]) <= at {
			from = middle + 1
		} else {
			to = middle
		}
	}
	switch {
	case from > 0:
		col = at - int(x.starts[from-1])
	case x.mark:
		col = max(0, at-len(ByteOrderMark))
	default:
		col = at
	}
	return from + 1, col + 1
}
