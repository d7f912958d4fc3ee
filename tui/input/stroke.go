// Package input has pressed keys, and texts typed with them.
package input

import "unicode/utf8"

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

// Typed returns a line of text after a key at its end.
func Typed(text string, k Stroke) string {
	e := Editor{text: text, cursor: len(text)}
	e.Press(k)
	return e.text
}
