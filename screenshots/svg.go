package main

// Screens as an SVG: a window, a rectangle for each run with the same background, paths for the glyphs that are shapes, and text in runs of one
// style. Several screens are shown one after the other, with CSS only. If the user prefers no motion, only the first one is shown.

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

const (
	margin   = 12 // around the cells
	titleBar = 34
	fonts    = "'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"
)

// window is the frame around the screens.
type window struct {
	title string
	alt   string // what the picture shows, for those who cannot see it
}

// still is a screen of a moving picture.
type still struct {
	screen *screen
	key    string        // pressed just before, "" for none
	shown  time.Duration // the duration of the screen
}

// drawSVG returns a picture. The same screens, all of one size, give the same bytes.
func drawSVG(win window, reel ...still) string {
	var d strings.Builder
	first := reel[0].screen
	width, height := first.width*cellWidth+2*margin, len(first.rows)*cellHeight+2*margin+titleBar
	fmt.Fprintf(&d, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="%s">
<title>%s</title>
<rect x="0.5" y="0.5" width="%d" height="%d" rx="9" fill="%s" stroke="%s"/>
<path d="M1 %dV10a9 9 0 0 1 9-9H%da9 9 0 0 1 9 9V%dz" fill="%s"/>
`, width, height, width, height, escapeXML(win.alt), escapeXML(win.alt), width-1, height-1, dark.bg, dark.edge, titleBar-6, width-10, titleBar-6, dark.bar)
	for i, c := range [...]string{"#ec6a5e", "#f4bf4f", "#61c554"} {
		fmt.Fprintf(&d, `<circle cx="%d" cy="14.5" r="5.5" fill="%s"/>`+"\n", 19+i*19, c)
	}
	fmt.Fprintf(&d, `<text x="%d" y="19" text-anchor="middle" font-family="%s" font-size="13" fill="%s">%s</text>
<g font-family="%s" font-size="%d" xml:space="preserve">
`, width/2, fonts, dark.title, escapeXML(win.title), fonts, fontSize)
	if len(reel) > 1 {
		d.WriteString(styleSheet(reel))
	}
	for y := range first.rows {
		drawStills(&d, reel, func(s still) string { return drawRow(s.screen.rows[y], titleBar+margin/2+y*cellHeight) })
	}
	drawStills(&d, reel, func(s still) string { return drawKey(width, s.key) })
	d.WriteString("</g>\n</svg>\n")
	return d.String()
}

// drawStills draws a part of each screen: once if it is the same on all, else for the time of each.
func drawStills(d *strings.Builder, reel []still, draw func(still) string) {
	drawn, same := make([]string, len(reel)), true
	for i, s := range reel {
		drawn[i] = draw(s)
		same = same && drawn[i] == drawn[0]
	}
	if same {
		d.WriteString(drawn[0])
		return
	}
	for i, svg := range drawn {
		if svg != "" {
			fmt.Fprintf(d, "<g class=\"s%d\">\n%s</g>\n", i, svg)
		}
	}
}

// styleSheet shows the class of each screen at its time, in an endless loop.
func styleSheet(reel []still) string {
	var total, from time.Duration
	for _, s := range reel {
		total += s.shown
	}
	var d strings.Builder
	percent := func(at time.Duration) float64 { return 100 * at.Seconds() / total.Seconds() }
	for i, s := range reel {
		still := "hidden"
		if i == 0 {
			still = "visible"
		}
		fmt.Fprintf(&d, "@keyframes s%d{0%%{visibility:hidden}%.4g%%{visibility:visible}%.4g%%{visibility:hidden}}\n.s%d{visibility:%s;animation:s%d %gs step-end infinite}\n",
			i, percent(from), percent(from+s.shown), i, still, i, total.Seconds())
		from += s.shown
	}
	return "<style>\n" + d.String() + "@media (prefers-reduced-motion: reduce) { g { animation: none !important } }\n</style>\n"
}

// drawKey draws a pressed key, in the window's title bar.
func drawKey(width int, key string) string {
	if key == "" {
		return ""
	}
	const w = 24
	left := width - w - 10
	return fmt.Sprintf(`<rect x="%d.5" y="4.5" width="%d" height="20" rx="4" fill="%s" stroke="%s"/>`+"\n"+
		`<text x="%d" y="19" text-anchor="middle" font-weight="bold" fill="%s">%s</text>`+"\n", left, w, dark.bg, dark.title, left+w/2, dark.fg, escapeXML(key))
}

// drawRow draws a row of a screen whose top is at y: its backgrounds, then its glyphs in runs of one style. ASCII of one style becomes one text
// with a given length, so that a font that is too wide or too narrow shifts nothing; every other glyph is centered in its own
// cell.
func drawRow(row uv.Line, y int) string {
	var d strings.Builder
	eachRun(row, func(c uv.Cell) string { _, bg := dark.cellColors(c.Style); return bg }, func(from, to int, bg string) {
		if bg != dark.bg {
			fmt.Fprintf(&d, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", margin+from*cellWidth, y, (to-from)*cellWidth, cellHeight, bg)
		}
	})
	eachRun(row, lookOf, func(from, to int, l look) {
		left, cells := margin+from*cellWidth, row[from:to]
		text := ""
		for i, c := range cells {
			switch x := left + i*cellWidth; l.kind {
			case asShape:
				text += fmt.Sprintf("M%d %d%s", x, y, shapes[c.Content].path)
			case asText:
				text += c.Content
			default:
				fmt.Fprintf(&d, `<text x="%d.5" y="%d" text-anchor="middle"%s>%s</text>`+"\n", x+cellWidth/2, y+baseline, l.pen, escapeXML(c.Content))
			}
		}
		if l.kind == asShape {
			fmt.Fprintf(&d, `<path d="%s"%s/>`+"\n", text, l.pen)
			return
		}
		trimmed := strings.TrimLeft(text, " ")
		left += (len(text) - len(trimmed)) * cellWidth
		if trimmed = strings.TrimRight(trimmed, " "); trimmed != "" {
			fmt.Fprintf(&d, `<text x="%d" y="%d" textLength="%d"%s>%s</text>`+"\n", left, y+baseline, len(trimmed)*cellWidth, l.pen, escapeXML(trimmed))
		}
	})
	return d.String()
}

// eachRun calls do for each run of cells with the same key.
func eachRun[K comparable](row uv.Line, key func(uv.Cell) K, do func(from, to int, key K)) {
	for from := 0; from < len(row); {
		k, to := key(row[from]), from+1
		for to < len(row) && key(row[to]) == k {
			to++
		}
		do(from, to, k)
		from = to
	}
}

// look is the style of a cell.
type look struct {
	kind kind
	pen  string // attributes
}

type kind int

const (
	asGlyph kind = iota
	asShape
	asText
)

func lookOf(c uv.Cell) look {
	fg, _ := dark.cellColors(c.Style)
	l, attrs := look{pen: fmt.Sprintf(` fill="%s"`, fg)}, c.Style.Attrs
	add := func(when bool, attribute string) {
		if when {
			l.pen += attribute
		}
	}
	if s, ok := shapes[c.Content]; ok {
		l.kind = asShape
		if strings.HasPrefix(s.pen, " stroke") {
			l.pen = fmt.Sprintf(` fill="none" stroke="%s"`, fg)
		}
		l.pen += s.pen
	} else {
		if len(c.Content) == 1 && c.Content[0] < 0x80 {
			l.kind = asText
		}
		add(attrs&uv.AttrBold != 0, ` font-weight="bold"`)
		add(attrs&uv.AttrItalic != 0, ` font-style="italic"`)
		add(c.Style.Underline != uv.UnderlineNone, ` text-decoration="underline"`)
	}
	add(attrs&uv.AttrFaint != 0, ` opacity="0.58"`)
	return l
}

func escapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	return b.String()
}
