package main

// This file parses a frame: lines of text with SGR sequences, as sent to a
// terminal, into rows of cells. Anything else is an error, since a
// frame holds nothing else.

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"

	"gatehouse/model/line"
)

// screen is a grid of cells, row by row.
type screen struct {
	width int
	rows  []uv.Line
}

// parseFrame reads a frame of exactly height lines, each of exactly width
// cells. The style carries over from line to line, as in a terminal.
func parseFrame(frame string, width, height int) (*screen, error) {
	s, err := parseRows(frame, width)
	if err != nil {
		return nil, err
	}
	if len(s.rows) != height {
		return nil, fmt.Errorf("frame has %d lines, want %d", len(s.rows), height)
	}
	for y, text := range strings.Split(sgr.ReplaceAllString(frame, ""), "\n") {
		if n := line.Width(text); n != width {
			return nil, fmt.Errorf("line %d: %d cells, want %d", y+1, n, width)
		}
	}
	return s, nil
}

// sgr matches the only escape sequences of a frame.
var sgr = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// parseRows reads lines of at most width cells, and fills them up with blanks.
func parseRows(text string, width int) (*screen, error) {
	lines := strings.Split(sgr.ReplaceAllString(text, ""), "\n")
	for y, row := range lines {
		if i := strings.IndexFunc(row, func(r rune) bool { return r < ' ' || r == utf8.RuneError || line.Width(string(r)) > 1 }); i >= 0 {
			return nil, fmt.Errorf("line %d: %.12q does not fit one cell, or is no SGR sequence", y+1, row[i:])
		}
		if n := line.Width(row); n > width {
			return nil, fmt.Errorf("line %d: %d cells, want at most %d", y+1, n, width)
		}
	}
	cells := uv.NewScreenBuffer(width, len(lines))
	uv.NewStyledString(text).Draw(cells, cells.Bounds())
	return &screen{width, cells.Lines}, nil
}
