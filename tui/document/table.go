package document

// Tables of Markdown: columns side by side. Cells that are too wide are broken into several rows.

import (
	"strings"

	"gatehouse/parse/doc"
	"gatehouse/tui/draw"
)

const (
	tableLines   = 1_000 // lines that are laid out as one table
	tableColumns = 16
	leastColumn  = 4 // the minimum width of a table's column
)

// isTable reports whether a table begins here.
func (m *markdown) isTable() bool {
	return len(m.lines) > 1 && doc.SplitCells(m.lines[0]) != nil && doc.IsTableRule(doc.SplitCells(m.lines[1]))
}

// addTable draws a table.
func (m *markdown) addTable(number int) (used int) {
	var rows [][][]Span
	for used < len(m.lines) && used < tableLines {
		cells := doc.SplitCells(m.lines[used])
		if cells == nil {
			break
		}
		if used != 1 {
			rows = append(rows, m.parseCells(cells, used == 0))
		}
		used++
	}
	widths := m.columnWidths(rows)
	for i, row := range rows {
		line := number + i
		if i > 0 {
			line++ // of the separator
		}
		m.addTableRow(line, row, widths)
		if i == 0 {
			m.addSeparator(number+1, widths)
		}
	}
	return used
}

// parseCells returns the spans of cells. Excess cells are put into the last column.
func (m *markdown) parseCells(cells []string, isHead bool) (all [][]Span) {
	if len(cells) > tableColumns {
		cells = append(cells[:tableColumns-1:tableColumns-1], strings.Join(cells[tableColumns-1:], " | "))
	}
	for _, cell := range cells {
		spans := parseInline(m.look, cell)
		for i := range spans {
			if isHead && spans[i].Role == Plain {
				spans[i].Role = Strong
			}
		}
		all = append(all, spans)
	}
	return all
}

// columnWidths divides the width among the columns: each gets its own width, and the widest lose the excess.
func (m *markdown) columnWidths(cells [][][]Span) []int {
	var widths []int
	for _, row := range cells {
		for i, spans := range row {
			if i == len(widths) {
				widths = append(widths, 1)
			}
			w := 0
			for _, s := range spans {
				w += m.look.Width(s.Text)
			}
			widths[i] = max(widths[i], w)
		}
	}
	over := (len(widths) - 1) * 3
	for _, w := range widths {
		over += w
	}
	for over -= m.width; over > 0; {
		widest, second := 0, leastColumn
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		for i, w := range widths {
			if i != widest && w < widths[widest] {
				second = max(second, w)
			}
		}
		if widths[widest] <= leastColumn {
			break // the rest is cut
		}
		less := min(over, max(widths[widest]-second, 1))
		widths[widest] -= less
		over -= less
	}
	return widths
}

// barSpan separates two columns.
func (m *markdown) barSpan() Span { return Span{Text: " " + m.look.Glyphs.GoesOn + " ", Role: Quiet} }

func (m *markdown) addTableRow(number int, cells [][]Span, widths []int) {
	parts := make([][][]Span, len(cells))
	height := 1
	for i, spans := range cells {
		parts[i] = breakSpans(m.look, spans, widths[i])
		height = max(height, len(parts[i]))
	}
	for y := range height {
		row := Row{Line: number}
		if y > 0 {
			row.Line = 0
		}
		for i, w := range widths {
			if i > 0 {
				row.Spans = append(row.Spans, m.barSpan())
			}
			used := 0
			if i < len(parts) && y < len(parts[i]) {
				for _, s := range parts[i][y] {
					used += m.look.Width(s.Text)
				}
				row.Spans = append(row.Spans, parts[i][y]...)
			}
			if pad := w - used; pad > 0 && i < len(widths)-1 {
				row.Spans = append(row.Spans, Span{Text: strings.Repeat(" ", pad)})
			}
		}
		m.rows = append(m.rows, row)
	}
}

func (m *markdown) addSeparator(number int, widths []int) {
	var b strings.Builder
	for i, w := range widths {
		if i > 0 {
			b.WriteString(strings.Repeat(m.look.Glyphs.Horizontal, 3))
		}
		b.WriteString(strings.Repeat(m.look.Glyphs.Horizontal, w))
	}
	m.rows = append(m.rows, Row{Line: number, Spans: []Span{{Text: b.String(), Role: Quiet}}})
}

// cleanText returns a text in displayable form.
func cleanText(l *draw.Look, text string) string {
	text, _ = l.MeasureExactly(text)
	return text
}
