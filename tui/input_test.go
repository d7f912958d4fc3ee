package tui

import (
	"strings"
	"testing"
)

func TestTypedIsOneLineOfText(t *testing.T) {
	text := ""
	for _, k := range []stroke{{"a", "a"}, {"ctrl+w", ""}, {"b", "b"}, {"space", " "}, {"", "c\nd\x1b[2J\x07"}, {"left", ""}, {"backspace", ""}} {
		text, _ = typed(text, k)
	}
	if want := "b c d[2"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	if text, _ = typed("one two ", stroke{name: "ctrl+w"}); text != "one " {
		t.Errorf("a word back: %q", text)
	}
	if text, _ = typed("ä", stroke{name: "backspace"}); text != "" {
		t.Errorf("a character back: %q", text)
	}
	if text, _ = typed("", stroke{text: strings.Repeat("x", 5000)}); len(text) != inputLimit {
		t.Errorf("%d characters", len(text))
	}
}
