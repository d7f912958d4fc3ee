package main

import (
	"strings"
	"testing"
)

func TestParseFrameReadsLooks(t *testing.T) {
	red := colour{kind: colourIndexed, index: 1}
	for _, tc := range []struct {
		sgr  string
		want look
	}{
		{"", look{}},
		{"\x1b[1m", look{bold: true}},
		{"\x1b[2;3;4m", look{faint: true, italic: true, underline: true}},
		{"\x1b[7m", look{reverse: true}},
		{"\x1b[1;2m\x1b[22m", look{}},
		{"\x1b[3;4;7m\x1b[23;24;27m", look{}},
		{"\x1b[31m", look{fg: red}},
		{"\x1b[91m", look{fg: colour{kind: colourIndexed, index: 9}}},
		{"\x1b[41m", look{bg: red}},
		{"\x1b[101m", look{bg: colour{kind: colourIndexed, index: 9}}},
		{"\x1b[31;41m\x1b[39;49m", look{}},
		{"\x1b[38;5;200m", look{fg: colour{kind: colourIndexed, index: 200}}},
		{"\x1b[1;38;2;1;2;3;48;2;4;5;6m", look{bold: true, fg: colour{kind: colourDirect, r: 1, g: 2, b: 3}, bg: colour{kind: colourDirect, r: 4, g: 5, b: 6}}},
		{"\x1b[38:5:7m", look{fg: colour{kind: colourIndexed, index: 7}}},
		{"\x1b[1;31m\x1b[m", look{}},
	} {
		s, err := parseFrame(tc.sgr+"x", 1, 1)
		if err != nil {
			t.Errorf("%q: %v", tc.sgr, err)
			continue
		}
		if got := s.cells[0]; got != (cell{"x", tc.want}) {
			t.Errorf("%q: %+v, want %+v", tc.sgr, got, tc.want)
		}
	}
}

func TestParseFrameCarriesTheLookOver(t *testing.T) {
	s, err := parseFrame("\x1b[1ma \n◆e\u0301", 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []cell{{"a", look{bold: true}}, {"", look{bold: true}}, {"◆", look{bold: true}}, {"e\u0301", look{bold: true}}}
	for i, c := range s.cells {
		if c != want[i] {
			t.Errorf("cell %d: %+v, want %+v", i, c, want[i])
		}
	}
}

func TestParseFrameRefusesWhatIsNoFrame(t *testing.T) {
	for frame, want := range map[string]string{
		"ab":             "1 lines, want 2",
		"ab\nabc":        "line 2: 3 cells, want 2",
		"a\nab":          "line 1: 1 cells, want 2",
		"ab\n\x1b[2J":    "not an SGR sequence",
		"ab\n\x1b]0;":    "not an SGR sequence",
		"ab\n\x1b[5m":    "attribute 5 is not known",
		"ab\n\x1b[38;9m": "colour of an unknown form",
		"ab\na\t":        "does not fit one cell",
		"ab\n鳥":          "does not fit one cell",
		"ab\na\xff":      "does not fit one cell",
	} {
		if _, err := parseFrame(frame, 2, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", frame, err, want)
		}
	}
}
