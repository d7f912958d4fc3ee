package main

// This file draws the glyphs that must meet their neighbours, and the signs
// that fonts draw too differently, as shapes: no seams, the same everywhere.

import (
	"fmt"
	"strings"
)

// A cell in pixels. Whole numbers keep edges sharp, and 9 is the advance of
// the fonts named at 15 pixels.
const (
	cellWidth  = 9
	cellHeight = 19
	fontSize   = 15
	baseline   = 14 // of the text below the cell's top
)

// The centre line of a cell, one pixel wide.
const (
	midX = cellWidth / 2
	midY = cellHeight / 2
)

// Blocks are drawn as high as a line of text, so that the bars of neighbouring
// rows stay apart as they do where lines have some space between them.
const (
	blockTop    = 2
	blockHeight = 15
)

// block is a part of that: from the left and top, width, height, in eighths.
type block struct{ x, y, w, h int }

var blocks = map[string]block{
	"█": {0, 0, 8, 8}, "▀": {0, 0, 8, 4}, "▐": {4, 0, 4, 8}, "▔": {0, 0, 8, 1}, "▕": {7, 0, 1, 8},
	"▁": {0, 7, 8, 1}, "▂": {0, 6, 8, 2}, "▃": {0, 5, 8, 3}, "▄": {0, 4, 8, 4}, "▅": {0, 3, 8, 5}, "▆": {0, 2, 8, 6}, "▇": {0, 1, 8, 7},
	"▏": {0, 0, 1, 8}, "▎": {0, 0, 2, 8}, "▍": {0, 0, 3, 8}, "▌": {0, 0, 4, 8}, "▋": {0, 0, 5, 8}, "▊": {0, 0, 6, 8}, "▉": {0, 0, 7, 8},
}

var shades = map[string]float64{"░": 0.22, "▒": 0.45, "▓": 0.7}

// arms are the directions of a box-drawing glyph's lines.
type arms struct{ up, right, down, left, heavy, round bool }

var boxes = map[string]arms{
	"─": {right: true, left: true}, "│": {up: true, down: true},
	"━": {right: true, left: true, heavy: true}, "┃": {up: true, down: true, heavy: true},
	"┌": {right: true, down: true}, "┐": {down: true, left: true}, "└": {up: true, right: true}, "┘": {up: true, left: true},
	"├": {up: true, right: true, down: true}, "┤": {up: true, down: true, left: true},
	"┬": {right: true, down: true, left: true}, "┴": {up: true, right: true, left: true},
	"┼": {up: true, right: true, down: true, left: true},
	"╭": {right: true, down: true, round: true}, "╮": {down: true, left: true, round: true},
	"╰": {up: true, right: true, round: true}, "╯": {up: true, left: true, round: true},
	"╸": {left: true, heavy: true}, "╵": {up: true}, "╶": {right: true}, "╷": {down: true}, "╴": {left: true},
}

// signs are paths within a cell; paths of strokes are open.
var signs = map[string]struct {
	path    string
	strokes bool
}{
	"●": {path: "M4.5 5.5a4 4 0 1 1 0 8a4 4 0 1 1 0-8z"},
	"○": {path: "M4.5 6.2a3.3 3.3 0 1 1 0 6.6a3.3 3.3 0 1 1 0-6.6z", strokes: true},
	"◆": {path: "M4.5 4.5l4.5 5l-4.5 5l-4.5-5z"},
	"◇": {path: "M4.5 5.4l3.7 4.1l-3.7 4.1l-3.7-4.1z", strokes: true},
	"▷": {path: "M1.5 5.6l6.2 3.9l-6.2 3.9z", strokes: true},
	"▸": {path: "M2 5.5l5.5 4l-5.5 4z"},
	"▾": {path: "M0.5 7l4 5.5l4-5.5z"},
	"▲": {path: "M4.5 5l4.5 8.5h-9z"},
	"✓": {path: "M1 10l2.6 3.2l4.6-7.4", strokes: true},
	"✗": {path: "M1.2 6.2l6.6 7M7.8 6.2l-6.6 7", strokes: true},
	"╳": {path: "M0.5 5l8 9M8.5 5l-8 9", strokes: true},
	"✎": {path: "M1.5 13.5l0.8-2.8l4.6-5l2 1.8l-4.6 5z", strokes: true},
}

// canStretch reports whether a run of a glyph can be drawn as one shape.
func canStretch(glyph string) bool {
	_, shade := shades[glyph]
	return shade || blocks[glyph].w == 8 || glyph == "─" || glyph == "━"
}

// drawShape draws a run of one glyph, of more than one cell only when it
// stretches, whose left top corner is x, y. ok is false for a glyph that is
// text.
func drawShape(glyph string, run, x, y int, fill rgb, bold bool) (svg string, ok bool) {
	if b, ok := blocks[glyph]; ok {
		left, top := b.x*cellWidth, 8*blockTop+b.y*blockHeight
		return fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`,
			formatEighths(8*x+left), formatEighths(8*y+top), formatEighths(run*b.w*cellWidth), formatEighths(b.h*blockHeight), fill), true
	}
	if share, ok := shades[glyph]; ok {
		return fmt.Sprintf(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s" fill-opacity="%g"/>`,
			x, y+blockTop, run*cellWidth, blockHeight, fill, share), true
	}
	if a, ok := boxes[glyph]; ok {
		return a.drawArms(run, x, y, fill), true
	}
	if s, ok := signs[glyph]; ok {
		if !s.strokes {
			return fmt.Sprintf(`<path transform="translate(%d %d)" d="%s" fill="%s"/>`, x, y, s.path, fill), true
		}
		width := 1.4
		if bold {
			width = 1.9
		}
		return fmt.Sprintf(`<path transform="translate(%d %d)" d="%s" fill="none" stroke="%s" stroke-width="%g" stroke-linecap="round" stroke-linejoin="round"/>`,
			x, y, s.path, fill, width), true
	}
	return "", false
}

// drawArms draws the arms from the middle of the cell to its edges.
func (a arms) drawArms(run, x, y int, fill rgb) string {
	if a.round {
		endX, endY := x, y
		if a.right {
			endX += cellWidth
		}
		if a.down {
			endY += cellHeight
		}
		return fmt.Sprintf(`<path d="M%d.5 %dQ%d.5 %d.5 %d %d.5" fill="none" stroke="%s"/>`,
			x+midX, endY, x+midX, y+midY, endX, y+midY, fill)
	}
	thick := 1
	if a.heavy {
		thick = 3
	}
	over := thick / 2
	var d strings.Builder
	bar := func(x, y, w, h int) {
		fmt.Fprintf(&d, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, x, y, w, h, fill)
	}
	if a.left || a.right {
		from, to := midX-over, midX+over+1
		if a.left {
			from = 0
		}
		if a.right {
			to = run * cellWidth
		}
		bar(x+from, y+midY-over, to-from, thick)
	}
	if a.up || a.down {
		from, to := midY-over, midY+over+1
		if a.up {
			from = 0
		}
		if a.down {
			to = cellHeight
		}
		bar(x+midX-over, y+from, thick, to-from)
	}
	return d.String()
}

// formatEighths writes a number of eighths of a pixel.
func formatEighths(n int) string { return fmt.Sprintf("%g", float64(n)/8) }
