package main

import (
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
)

func TestPaletteHasAColorForEveryNotation(t *testing.T) {
	for sgr, want := range map[string]string{
		"":                       dark.fg,
		"\x1b[31m":               dark.ansi[1],
		"\x1b[91m":               dark.ansi[9],
		"\x1b[38;5;7m":           dark.ansi[7],
		"\x1b[38:5:7m":           dark.ansi[7],
		"\x1b[38;5;200m":         "#ff00d7",
		"\x1b[38;5;244m":         "#808080",
		"\x1b[1;38;2;1;2;3m":     "#010203",
		"\x1b[7;41m":             dark.ansi[1],
		"\x1b[31;41m\x1b[39;49m": dark.fg,
	} {
		s, err := parseFrame(sgr+"x", 1, 1)
		if err != nil {
			t.Errorf("%q: %v", sgr, err)
			continue
		}
		if got, _ := dark.cellColors(s.rows[0][0].Style); got != want {
			t.Errorf("%q: %v, want %v", sgr, got, want)
		}
	}
}

func TestParseFrameKeepsTheStyleAcrossLines(t *testing.T) {
	s, err := parseFrame("\x1b[1ma \n◆e\u0301", 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"a", " ", "◆", "e\u0301"} {
		if c := s.rows[i/2][i%2]; c.Content != want || c.Style.Attrs != uv.AttrBold {
			t.Errorf("cell %d: %+v, want a bold %q", i, c, want)
		}
	}
}

func TestParseFrameRefusesOtherInput(t *testing.T) {
	for frame, want := range map[string]string{
		"ab":          "1 lines, want 2",
		"ab\nabc":     "line 2: 3 cells, want at most 2",
		"a\nab":       "line 1: 1 cells, want 2",
		"ab\n\x1b[2J": "no SGR sequence",
		"ab\n\x1b]0;": "no SGR sequence",
		"ab\na\t":     "does not fit one cell",
		"ab\n鳥":       "does not fit one cell",
		"ab\na\xff":   "does not fit one cell",
	} {
		if _, err := parseFrame(frame, 2, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", frame, err, want)
		}
	}
}
