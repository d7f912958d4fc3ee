// Package doc understands the bytes of state files: JSON, block YAML with its frontmatter, and Markdown. It is the only
// place that does, for the prompt, the dashboard, the checker and the editors alike.
//
//	bytes ── ParseJSON, ParseYAML ──► Tree of Values, each with its offset ──► typed value of a protocol
//	      └─ Lines, ParseTasks ─────► lines, headings, fields, check boxes, tables, <task> blocks
//	Tree ── SetJSON, InsertJSON, RemoveJSON ──► Spans ── Apply ──► bytes
//
// A [Tree] keeps the text that it was parsed from. Offsets are bytes of that text; [IndexLines] turns them into lines and
// columns. What a parser does not support is a [Problem] with its offset and a fix, never a silent absence.
//
// The package opens no file. The prompt links it and pays for every import, so it does without packages strings and fmt; it
// may allocate. Its parsers never panic, and their time and memory are linear in the length of the text.
package doc

// Problem is something in a text that was not read as it stands.
type Problem struct {
	At   int    // offset
	Text string // what is wrong, in lower case and without its place
	Fix  string // what to write instead
}

// SyntaxError says where a text stops being a document of its format, and why.
type SyntaxError struct {
	At        int // offset; of a truncated text that of its last byte
	Reason    string
	Truncated bool // the text ends too early, as a file does that is being written
}

// Error returns the reason.
func (e *SyntaxError) Error() string { return e.Reason }

// LineIndex finds the line of an offset. The zero value is that of an empty text.
type LineIndex struct {
	starts []int32 // where each line but the first begins
	mark   bool    // the text begins with a byte order mark, which counts in no column
}

// IndexLines returns the index of a text.
func IndexLines(text string) LineIndex {
	n := 0
	for i := range len(text) {
		if text[i] == '\n' {
			n++
		}
	}
	x := LineIndex{starts: make([]int32, 0, n), mark: HasPrefix(text, ByteOrderMark)}
	for i := range len(text) {
		if text[i] == '\n' {
			x.starts = append(x.starts, int32(i+1))
		}
	}
	return x
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
	if from > 0 {
		return from + 1, at - int(x.starts[from-1]) + 1
	}
	if col = at + 1; x.mark {
		col = max(1, col-len(ByteOrderMark))
	}
	return 1, col
}
