// Package input has pressed keys, and texts typed with them.
package input

// Pressed keys, and one line of typed text.

import (
	"strings"
	"unicode/utf8"
)

// Stroke is a pressed key: its name as the framework spells it, and its text, if any.
type Stroke struct{ Name, Text string }

// StrokeOf returns the stroke of a key by its name in the key table.
func StrokeOf(name string) Stroke {
	switch {
	case name == "space":
		return Stroke{name, " "}
	case utf8.RuneCountInString(name) == 1:
		return Stroke{name, name}
	}
	return Stroke{Name: name}
}

// inputLimit is the maximum length of a typed line, in runes. Longer ones come from an accidental paste.
const inputLimit = 200

// Typed returns a line of text after a key; ok is false if the key does not edit text.
func Typed(text string, k Stroke) (after string, ok bool) {
	switch {
	case k.Name == "backspace" || k.Name == "ctrl+h":
		_, n := utf8.DecodeLastRuneInString(text)
		return text[:len(text)-n], true
	case k.Name == "ctrl+u":
		return "", true
	case k.Name == "ctrl+w":
		text = strings.TrimRight(text, " ")
		return text[:strings.LastIndexByte(text, ' ')+1], true
	case k.Text == "":
		return text, false
	}
	return clipText(text + oneLine(k.Text)), true
}

// oneLine makes a pasted text a line that could be typed: without line ends and control characters.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, text)
}

func clipText(text string) string {
	if utf8.RuneCountInString(text) > inputLimit {
		return string([]rune(text)[:inputLimit])
	}
	return text
}
