package draw

// A chart of columns, several rows high.

import "strings"

// Chart draws a column for each value; most has the full height. It returns rows of signs, the upper ones first. A positive value
// is never drawn as nothing.
func (g *glyphs) Chart(values []int, most, rows int) []string {
	steps := len(g.columns) - 1 // per cell
	lines := make([]string, rows)
	for row := range lines {
		var b strings.Builder
		below := (rows - 1 - row) * steps
		for _, v := range values {
			height := 0
			if v > 0 && most > 0 {
				height = max(1, min(v, most)*rows*steps/most)
			}
			if height <= below {
				b.WriteByte(' ')
				continue
			}
			b.WriteString(g.columns[min(height-below, steps)])
		}
		lines[row] = b.String()
	}
	return lines
}
