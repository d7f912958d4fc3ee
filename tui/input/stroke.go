// Package input has keys that were pressed, and texts that are typed with them.
package input

// Keys that were pressed, and one line of text that is typed with them.

import (
	"strings"
	"unicode/utf8"
)

// Stroke is a key that was pressed: its name as the framework spells it, and the text it stands for, if any.
type Stroke struct{ Name, Text string }

// StrokeOf returns the stroke of a key by its name, as the key table has it.
func StrokeOf(name string) Stroke {
	switch {
	case name == "space":
		return Stroke{name, " "}
	case utf8.RuneCountInString(name) == 1:
		return Stroke{name, name}
	}
	return Stroke{Name: name}
}

// inputLimit is how long a text may get that is typed, in runes. Longer ones come from a paste that went wrong.
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

// oneLine makes a pasted text one that can be typed: without line ends and control characters.
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
