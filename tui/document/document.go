// Package document lays out the text of a file for reading: as written, as Markdown, or as the difference to the version that the user
// last looked at. It finds words in the layout, and draws its rows.
//
//   - A text is laid out line by line, in one pass: each row knows its line in the file, so that the place of a status,
//     a search and the editor mean the same in every layout, and nesting, however deep, costs no more than its bytes.
//   - The number of rows and the bytes of a line are bounded. Beyond them an editor is one key away.
//   - Texts are cleaned on input ([draw.Look.MeasureExactly]). The address of a link is shown after its text.
package document

// Rows: their parts, the layout of a text as written, and the drawing of a row.

import (
	"iter"
	"path"
	"strings"

	"gatehouse/tui/draw"
)

// The bounds of a layout.
const (
	rowsLimit = 20_000 // rows
	lineLimit = 2_000  // bytes of one line
)

const leftOut = "… the rest is left out; open it in an editor"

// Role is the meaning of a part of a row, which determines its style.
type Role uint8

const (
	Plain Role = iota
	Quiet
	Strong
	Emphasis
	Code
	Heading
	Link
	Done
)

// style returns the style of a role.
func (r Role) style(l *draw.Look) draw.Style {
	switch r {
	case Quiet:
		return l.Theme.Dim
	case Strong:
		return l.Theme.Strong
	case Emphasis:
		return l.Theme.Emphasis
	case Code:
		return l.Theme.Run
	case Link:
		return l.Theme.Link
	case Heading:
		return l.Theme.Accent + l.Theme.Strong
	case Done:
		return l.Theme.OK
	}
	return ""
}

// Span is a part of a row in one style: a clean text.
type Span struct {
	Text string
	Role Role
}

// Row is one line on the screen.
type Row struct {
	Line  int // of the file, counted from 1; 0 for the continuation of a line
	Spans []Span
}

// Text returns the text of the row.
func (r Row) Text() string {
	if len(r.Spans) == 1 {
		return r.Spans[0].Text
	}
	var b strings.Builder
	for _, s := range r.Spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// IsMarkdown reports whether a file is Markdown by its name.
func IsMarkdown(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// Raw lays out the text of a file as written, each line at its beginning.
func Raw(l *draw.Look, text string, width int) []Row {
	var rows []Row
	number := 0
	for s := range splitLines(text) {
		number++
		for i, part := range l.WrapExactly(cleanText(l, s), max(width, 1)) {
			row := Row{Line: number, Spans: []Span{{Text: part}}}
			if i > 0 {
				row.Line = 0
			}
			rows = append(rows, row)
		}
		if len(rows) >= rowsLimit {
			return append(rows, Row{Spans: []Span{{Text: leftOut, Role: Quiet}}})
		}
	}
	return rows
}

// splitLines returns the lines of a text without their line ends, each of a bounded length and without tabs.
func splitLines(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "\ufeff"), "\n")
		for s := range strings.SplitSeq(text, "\n") {
			s = strings.TrimSuffix(s, "\r")
			if len(s) > lineLimit {
				s = s[:lineLimit] + "…"
			}
			if !yield(strings.ReplaceAll(s, "\t", "    ")) {
				return
			}
		}
	}
}

// RowOf returns the row of the beginning of a line of the file, or of the paragraph that contains the line; lines count from 1.
func RowOf(rows []Row, line int) int {
	at := 0
	for i, r := range rows {
		switch {
		case r.Line > line:
			return at
		case r.Line > 0:
			at = i
		}
	}
	return at
}

// LineAt returns the line of the file that a row belongs to, 0 if there is none.
func LineAt(rows []Row, i int) int {
	for i = min(i, len(rows)-1); i >= 0; i-- {
		if rows[i].Line > 0 {
			return rows[i].Line
		}
	}
	return 0
}

// Draw writes the row.
func (r Row) Draw(to *draw.Ribbon) {
	for _, s := range r.Spans {
		to.Exactly(s.Role.style(to.Look), s.Text)
	}
}
