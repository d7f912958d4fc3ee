package input

import (
	"strings"
	"testing"
)

func TestTypedIsOneLineOfText(t *testing.T) {
	text := ""
	for _, k := range []Stroke{{"a", "a"}, {"ctrl+w", ""}, {"b", "b"}, {"space", " "}, {"", "c\nd\x1b[2J\x07"}, {"left", ""}, {"backspace", ""}} {
		text, _ = Typed(text, k)
	}
	if want := "b c d[2"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	if text, _ = Typed("one two ", Stroke{Name: "ctrl+w"}); text != "one " {
		t.Errorf("a word back: %q", text)
	}
	if text, _ = Typed("ä", Stroke{Name: "backspace"}); text != "" {
		t.Errorf("a character back: %q", text)
	}
	if text, _ = Typed("", Stroke{Text: strings.Repeat("x", 5000)}); len(text) != inputLimit {
		t.Errorf("%d characters", len(text))
	}
}
