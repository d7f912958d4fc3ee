package gsd

import (
	"strings"
)

// firstLine returns the first line of a text that holds anything.
func firstLine(text string) string {
	for text != "" {
		l, rest, _ := strings.Cut(text, "\n")
		if l = strings.TrimSpace(l); l != "" {
			return l
		}
		text = rest
	}
	return ""
}
