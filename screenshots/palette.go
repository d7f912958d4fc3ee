package main

// This file holds the colors of the pictures: what a terminal's user has
// chosen for themselves, and a program does not know.

import (
	"fmt"
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// rgb is a color as a picture needs it.
type rgb struct{ r, g, b uint8 }

func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

// mixWith returns the color that lies a share of the way from c to other.
func (c rgb) mixWith(other rgb, share float64) rgb {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*share + 0.5) }
	return rgb{part(c.r, other.r), part(c.g, other.g), part(c.b, other.b)}
}

func hexColor(v uint32) rgb { return rgb{uint8(v >> 16), uint8(v >> 8), uint8(v)} }

// palette is the colors of one terminal.
type palette struct {
	fg, bg    rgb
	bar, edge rgb // the window's title bar and outline
	title     rgb
	ansi      [16]rgb
}

var dark = palette{
	fg: hexColor(0xd8dbe2), bg: hexColor(0x15171c), bar: hexColor(0x22252c), edge: hexColor(0x343842), title: hexColor(0x8b909c),
	ansi: [16]rgb{
		hexColor(0x2b2f38), hexColor(0xf0717b), hexColor(0x8cc98f), hexColor(0xe6c07b), hexColor(0x7aa7f0), hexColor(0xc59af2), hexColor(0x66c7cf), hexColor(0xc9cdd6),
		hexColor(0x6b7180), hexColor(0xff8f97), hexColor(0xa8dfa9), hexColor(0xf5d693), hexColor(0x9dc0ff), hexColor(0xd9b8ff), hexColor(0x8ce0e6), hexColor(0xffffff),
	},
}

var light = palette{
	fg: hexColor(0x24292f), bg: hexColor(0xfdfdfb), bar: hexColor(0xececea), edge: hexColor(0xd0d0cd), title: hexColor(0x6a6e76),
	ansi: [16]rgb{
		hexColor(0x24292f), hexColor(0xc4293a), hexColor(0x1f7a3d), hexColor(0x946000), hexColor(0x2159c4), hexColor(0x8338b5), hexColor(0x137580), hexColor(0xb9bcc2),
		hexColor(0x71767f), hexColor(0xdb3b4b), hexColor(0x2a9650), hexColor(0xb07700), hexColor(0x3a73e0), hexColor(0x9d55cf), hexColor(0x1b929e), hexColor(0xe7e8ea),
	},
}

// colorOf returns a color of this palette; own is the color that the
// terminal uses when none is named.
func (p *palette) colorOf(c color.Color, own rgb) rgb {
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
	return rgb{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
}

// faintShare is how far faint text lies towards its background.
const faintShare = 0.42

// cellColors returns the colors of a cell's text and background.
func (p *palette) cellColors(l uv.Style) (fg, bg rgb) {
	fg, bg = p.colorOf(l.Fg, p.fg), p.colorOf(l.Bg, p.bg)
	if l.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	if l.Attrs&uv.AttrFaint != 0 {
		fg = fg.mixWith(bg, faintShare)
	}
	return fg, bg
}
