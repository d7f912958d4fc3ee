package main

// The glyphs that must meet their neighbors, and the signs that differ too much between fonts, as shapes: without seams, the same everywhere.

import "fmt"

// A cell in pixels. Whole numbers keep edges sharp, and 9 is the advance of the fonts named at 15 pixels.
const (
	cellWidth  = 9
	cellHeight = 19
	fontSize   = 15
	baseline   = 14 // of the text below the cell's top
)

// shape is a path that begins at the top left corner of its cell, and the pen that draws it.
type shape struct {
	path string
	pen  string // attributes; without the width of a stroke the path is filled
}

const (
	thin    = ` stroke-width="1"`
	heavy   = ` stroke-width="3"`
	rounded = ` stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"`
	shaded  = ` fill-opacity="0.22"`
)

var shapes = map[string]shape{
	"─": {"m0 9.5h9", thin}, "│": {"m4.5 0v19", thin}, "━": {"m0 9.5h9", heavy}, "╸": {"m0 9.5h6", heavy}, "┃": {"m4.5 0v19", heavy},
	"╭": {"m4.5 19q0-9.5 4.5-9.5", thin}, "╮": {"m4.5 19q0-9.5-4.5-9.5", thin}, "╰": {"m4.5 0q0 9.5 4.5 9.5", thin}, "╯": {"m4.5 0q0 9.5-4.5 9.5", thin},
	"├": {"m4.5 0v19m0-9.5h4.5", thin}, "┤": {"m4.5 0v19m0-9.5h-4.5", thin}, "┬": {"m0 9.5h9m-4.5 0v9.5", thin}, "┴": {"m0 9.5h9m-4.5 0v-9.5", thin},
	"┼": {"m0 9.5h9m-4.5-9.5v19", thin},
	"▏": block(1, 8), "▎": block(2, 8), "▌": block(4, 8), "█": block(8, 8),
	"▁": block(8, 1), "▂": block(8, 2), "▃": block(8, 3), "▄": block(8, 4), "▅": block(8, 5), "▆": block(8, 6), "▇": block(8, 7),
	"░": {block(8, 8).path, shaded},
	"●": {"m4.5 5.5a4 4 0 1 1 0 8a4 4 0 1 1 0-8z", ""},
	"○": {"m4.5 6.2a3.3 3.3 0 1 1 0 6.6a3.3 3.3 0 1 1 0-6.6z", rounded},
	"◆": {"m4.5 4.5l4.5 5l-4.5 5l-4.5-5z", ""},
	"◇": {"m4.5 5.4l3.7 4.1l-3.7 4.1l-3.7-4.1z", rounded},
	"▷": {"m1.5 5.6l6.2 3.9l-6.2 3.9z", rounded},
	"▸": {"m2 5.5l5.5 4l-5.5 4z", ""},
	"▾": {"m0.5 7l4 5.5l4-5.5z", ""},
	"▲": {"m4.5 5l4.5 8.5h-9z", ""},
	"✓": {"m1 10l2.6 3.2l4.6-7.4", rounded},
	"✗": {"m1.2 6.2l6.6 7m0-7l-6.6 7", rounded},
	"╳": {"m0.5 5l8 9m0-9l-8 9", rounded},
}

// block returns a block of some eighths of a cell, from its left and its bottom. Blocks are as high as a line of text, so that those of
// neighboring rows stay apart, as they do if lines have some space between them.
func block(wide, high float64) shape {
	const bottom, height = 17, 15
	w, h := wide*cellWidth/8, high*height/8
	return shape{path: fmt.Sprintf("m0 %gh%gv-%gh-%gz", float64(bottom), w, h, w)}
}
