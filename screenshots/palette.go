package main

// This file holds the colours of the pictures: what a terminal's user has
// chosen for themselves, and a program does not know.

import (
	"fmt"
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// rgb is a colour as a picture needs it.
type rgb struct{ r, g, b uint8 }

func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

// mix returns the colour that lies a share of the way from c to other.
func (c rgb) mix(other rgb, share float64) rgb {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*share + 0.5) }
	return rgb{part(c.r, other.r), part(c.g, other.g), part(c.b, other.b)}
}

func hex(v uint32) rgb { return rgb{uint8(v >> 16), uint8(v >> 8), uint8(v)} }

// palette is the colours of one terminal.
type palette struct {
	fg, bg    rgb
	bar, edge rgb // the window's title bar and outline
	title     rgb
	ansi      [16]rgb
}

var dark = palette{
	fg: hex(0xd8dbe2), bg: hex(0x15171c), bar: hex(0x22252c), edge: hex(0x343842), title: hex(0x8b909c),
	ansi: [16]rgb{
		hex(0x2b2f38), hex(0xf0717b), hex(0x8cc98f), hex(0xe6c07b), hex(0x7aa7f0), hex(0xc59af2), hex(0x66c7cf), hex(0xc9cdd6),
		hex(0x6b7180), hex(0xff8f97), hex(0xa8dfa9), hex(0xf5d693), hex(0x9dc0ff), hex(0xd9b8ff), hex(0x8ce0e6), hex(0xffffff),
	},
}

var light = palette{
	fg: hex(0x24292f), bg: hex(0xfdfdfb), bar: hex(0xececea), edge: hex(0xd0d0cd), title: hex(0x6a6e76),
	ansi: [16]rgb{
		hex(0x24292f), hex(0xc4293a), hex(0x1f7a3d), hex(0x946000), hex(0x2159c4), hex(0x8338b5), hex(0x137580), hex(0xb9bcc2),
		hex(0x71767f), hex(0xdb3b4b), hex(0x2a9650), hex(0xb07700), hex(0x3a73e0), hex(0x9d55cf), hex(0x1b929e), hex(0xe7e8ea),
	},
}

// of returns a colour of this palette; own is the colour that the
// terminal uses when none is named.
func (p *palette) of(c color.Color, own rgb) rgb {
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

// colours returns the colours of a cell's text and background.
func (p *palette) colours(l uv.Style) (fg, bg rgb) {
	fg, bg = p.of(l.Fg, p.fg), p.of(l.Bg, p.bg)
	if l.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	if l.Attrs&uv.AttrFaint != 0 {
		fg = fg.mix(bg, faintShare)
	}
	return fg, bg
}
