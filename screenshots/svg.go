package main

// This file draws a screen as an SVG: a window, a rectangle for each run of
// one background, and text in runs of one look.

import (
	"encoding/xml"
	"fmt"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

const (
	margin   = 12 // around the cells
	titleBar = 34
	fonts    = "'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"
)

// window is the frame around a screen.
type window struct {
	title string
	alt   string // what the picture shows, for those who cannot see it
}

// drawSVG returns a picture. The same screen gives the same bytes.
func drawSVG(s *screen, p *palette, win window) string {
	var d strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&d, format+"\n", args...) }
	openSVG(line, s, p, win)
	for y := range s.rows {
		d.WriteString(drawRow(s, y, p))
	}
	closeSVG(line)
	return d.String()
}

// openSVG draws the window, up to the rows of a screen.
func openSVG(line func(string, ...any), s *screen, p *palette, win window) {
	width, height := s.width*cellWidth+2*margin, len(s.rows)*cellHeight+2*margin+titleBar
	line(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="%s">`,
		width, height, width, height, escapeXML(win.alt))
	line(`<title>%s</title>`, escapeXML(win.alt))
	line(`<rect x="0.5" y="0.5" width="%d" height="%d" rx="9" fill="%s" stroke="%s"/>`, width-1, height-1, p.bg, p.edge)
	line(`<path d="M1 %dV10a9 9 0 0 1 9-9H%da9 9 0 0 1 9 9V%dz" fill="%s"/>`, titleBar-6, width-10, titleBar-6, p.bar)
	for i, c := range []rgb{hexColor(0xec6a5e), hexColor(0xf4bf4f), hexColor(0x61c554)} {
		line(`<circle cx="%d" cy="14.5" r="5.5" fill="%s"/>`, 19+i*19, c)
	}
	line(`<text x="%d" y="19" text-anchor="middle" font-family="%s" font-size="13" fill="%s">%s</text>`, width/2, fonts, p.title, escapeXML(win.title))
	line(`<g font-family="%s" font-size="%d" xml:space="preserve">`, fonts, fontSize)
}

func closeSVG(line func(string, ...any)) {
	line(`</g>`)
	line(`</svg>`)
}

// drawRow draws a row of a screen.
func drawRow(s *screen, y int, p *palette) string {
	var d strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&d, format+"\n", args...) }
	top := titleBar + margin/2 + y*cellHeight
	drawBackground(line, s.rows[y], top, p)
	drawText(line, s.rows[y], top, p)
	return d.String()
}

// drawBackground draws a rectangle for each run of one color that is not the
// window's own.
func drawBackground(line func(string, ...any), row uv.Line, top int, p *palette) {
	for x := 0; x < len(row); {
		_, bg := p.cellColors(row[x].Style)
		end := x + 1
		for end < len(row) {
			if _, next := p.cellColors(row[end].Style); next != bg {
				break
			}
			end++
		}
		if bg != p.bg {
			line(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, margin+x*cellWidth, top, (end-x)*cellWidth, cellHeight, bg)
		}
		x = end
	}
}

// drawText draws a row's glyphs. ASCII of one look becomes one text whose
// length is given, so that a font that is too wide or too narrow shifts
// nothing; every other glyph stands in the middle of its own cell.
func drawText(line func(string, ...any), row uv.Line, top int, p *palette) {
	for x := 0; x < len(row); {
		c, left := row[x], margin+x*cellWidth
		fg, _ := p.cellColors(c.Style)
		if c.Content == " " {
			x++
			continue
		}
		run := 1
		for canStretch(c.Content) && x+run < len(row) && row[x+run] == c {
			run++
		}
		if svg, ok := drawShape(c.Content, run, left, top, fg, c.Style.Attrs&uv.AttrBold != 0); ok {
			line("%s", svg)
			x += run
			continue
		}
		if !isASCII(c.Content) {
			line(`<text x="%d.5" y="%d" text-anchor="middle"%s>%s</text>`, left+cellWidth/2, top+baseline, textAttributes(c.Style, fg), escapeXML(c.Content))
			x++
			continue
		}
		end, text := runOfText(row, x)
		line(`<text x="%d" y="%d" textLength="%d"%s>%s</text>`, left, top+baseline, len(text)*cellWidth, textAttributes(c.Style, fg), escapeXML(text))
		x = end
	}
}

// runOfText returns the ASCII text of one look that begins at x, blanks within
// it included, and its end.
func runOfText(row uv.Line, x int) (end int, text string) {
	var b strings.Builder
	for end = x; end < len(row) && row[end].Style == row[x].Style; end++ {
		switch glyph := row[end].Content; {
		case isASCII(glyph):
			b.WriteString(glyph)
		default:
			return end, strings.TrimRight(b.String(), " ")
		}
	}
	return end, strings.TrimRight(b.String(), " ")
}

func textAttributes(l uv.Style, fg rgb) string {
	a := fmt.Sprintf(` fill="%s"`, fg)
	if l.Attrs&uv.AttrBold != 0 {
		a += ` font-weight="bold"`
	}
	if l.Attrs&uv.AttrItalic != 0 {
		a += ` font-style="italic"`
	}
	if l.Underline != uv.UnderlineNone {
		a += ` text-decoration="underline"`
	}
	return a
}

func isASCII(s string) bool { return len(s) == 1 && s[0] < 0x80 }

func escapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder takes everything
	return b.String()
}
