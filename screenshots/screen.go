package main

// This file reads a frame: lines of text with SGR sequences, as a terminal
// would be sent them, into a grid of cells. Anything else is an error, since a
// frame holds nothing else.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatehouse/model/line"
)

// colour is a colour as SGR names it. The zero value is the terminal's own.
type colour struct {
	kind    colourKind
	index   uint8 // of the palette
	r, g, b uint8
}

type colourKind uint8

const (
	colourDefault colourKind = iota
	colourIndexed            // one of 256
	colourDirect             // red, green, blue
)

// look is how a cell is drawn.
type look struct {
	fg, bg                                  colour
	bold, faint, italic, underline, reverse bool
}

type cell struct {
	text string // one glyph, with its combining marks; "" is a blank
	look look
}

// screen is a grid of cells, row by row.
type screen struct {
	width, height int
	cells         []cell
}

func (s *screen) row(y int) []cell { return s.cells[y*s.width : (y+1)*s.width] }

// parseFrame reads a frame of exactly height lines, each of exactly width
// cells. The look is carried from line to line, as a terminal does.
func parseFrame(frame string, width, height int) (*screen, error) {
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		return nil, fmt.Errorf("frame has %d lines, want %d", len(lines), height)
	}
	s := &screen{width: width, height: height}
	var now look
	for y, text := range lines {
		cells, err := now.parseLine(text)
		if err == nil && len(cells) != width {
			err = fmt.Errorf("%d cells, want %d", len(cells), width)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", y+1, err)
		}
		s.cells = append(s.cells, cells...)
	}
	return s, nil
}

// parseLine reads a line of text, beginning with the look so far.
func (l *look) parseLine(text string) ([]cell, error) {
	var cells []cell
	for text != "" {
		if text[0] == '\x1b' {
			n, err := l.apply(text)
			if err != nil {
				return nil, fmt.Errorf("column %d: %w", len(cells)+1, err)
			}
			text = text[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		glyph := text[:n]
		text = text[n:]
		switch width := line.Width(glyph); {
		case r < ' ' || r == utf8.RuneError || width > 1:
			return nil, fmt.Errorf("column %d: %q does not fit one cell", len(cells)+1, glyph)
		case width == 0 && len(cells) > 0:
			cells[len(cells)-1].text += glyph
		case glyph == " ":
			cells = append(cells, cell{look: *l})
		default:
			cells = append(cells, cell{text: glyph, look: *l})
		}
	}
	return cells, nil
}

// apply takes in the SGR sequence that text begins with and returns its length
// in bytes.
func (l *look) apply(text string) (n int, err error) {
	end := strings.IndexByte(text, 'm')
	if !strings.HasPrefix(text, "\x1b[") || end < 0 || strings.Trim(text[2:end], "0123456789;:") != "" {
		return 0, fmt.Errorf("%.12q is not an SGR sequence", text)
	}
	var args []int
	for arg := range strings.FieldsFuncSeq(text[2:end], func(r rune) bool { return r == ';' || r == ':' }) {
		v, err := strconv.Atoi(arg)
		if err != nil {
			return 0, err
		}
		args = append(args, v)
	}
	if len(args) == 0 {
		args = []int{0}
	}
	for len(args) > 0 {
		used, err := l.set(args)
		if err != nil {
			return 0, fmt.Errorf("%q: %w", text[:end+1], err)
		}
		args = args[used:]
	}
	return end + 1, nil
}

// set takes in one attribute and returns how many arguments it had.
func (l *look) set(args []int) (used int, err error) {
	switch a := args[0]; {
	case a == 0:
		*l = look{}
	case a == 1:
		l.bold = true
	case a == 2:
		l.faint = true
	case a == 3:
		l.italic = true
	case a == 4:
		l.underline = true
	case a == 7:
		l.reverse = true
	case a == 22:
		l.bold, l.faint = false, false
	case a == 23:
		l.italic = false
	case a == 24:
		l.underline = false
	case a == 27:
		l.reverse = false
	case a >= 30 && a <= 37:
		l.fg = colour{kind: colourIndexed, index: uint8(a - 30)}
	case a >= 90 && a <= 97:
		l.fg = colour{kind: colourIndexed, index: uint8(a - 90 + 8)}
	case a == 39:
		l.fg = colour{}
	case a >= 40 && a <= 47:
		l.bg = colour{kind: colourIndexed, index: uint8(a - 40)}
	case a >= 100 && a <= 107:
		l.bg = colour{kind: colourIndexed, index: uint8(a - 100 + 8)}
	case a == 49:
		l.bg = colour{}
	case a == 38:
		l.fg, used, err = extended(args)
		return used, err
	case a == 48:
		l.bg, used, err = extended(args)
		return used, err
	default:
		return 0, fmt.Errorf("attribute %d is not known", a)
	}
	return 1, nil
}

// extended reads 38;5;n and 38;2;r;g;b.
func extended(args []int) (c colour, used int, err error) {
	if len(args) >= 3 && args[1] == 5 {
		return colour{kind: colourIndexed, index: uint8(args[2])}, 3, nil
	}
	if len(args) >= 5 && args[1] == 2 {
		return colour{kind: colourDirect, r: uint8(args[2]), g: uint8(args[3]), b: uint8(args[4])}, 5, nil
	}
	return c, 0, fmt.Errorf("colour of an unknown form")
}
