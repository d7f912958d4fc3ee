package main

// The colors of the pictures: a terminal's user chooses them, and a program does not know them.

import (
	"fmt"
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// palette is the colors of one terminal.
type palette struct {
	fg, bg    string
	bar, edge string // the window's title bar and outline
	title     string
	ansi      [16]string
}

var dark = palette{
	fg: "#d8dbe2", bg: "#15171c", bar: "#22252c", edge: "#343842", title: "#8b909c",
	ansi: [...]string{
		"#2b2f38", "#f0717b", "#8cc98f", "#e6c07b", "#7aa7f0", "#c59af2", "#66c7cf", "#c9cdd6",
		"#6b7180", "#ff8f97", "#a8dfa9", "#f5d693", "#9dc0ff", "#d9b8ff", "#8ce0e6", "#ffffff",
	},
}

// colorOf returns a color of this palette; own is the terminal's color if none is named.
func (p palette) colorOf(c color.Color, own string) string {
	switch c := c.(type) {
	case nil:
		return own
	case ansi.BasicColor:
		return p.ansi[c]
	case ansi.IndexedColor:
		if int(c) < len(p.ansi) {
			return p.ansi[c]
		}
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// cellColors returns the colors of a cell's text and background.
func (p palette) cellColors(l uv.Style) (fg, bg string) {
	fg, bg = p.colorOf(l.Fg, p.fg), p.colorOf(l.Bg, p.bg)
	if l.Attrs&uv.AttrReverse != 0 {
		return bg, fg
	}
	return fg, bg
}
