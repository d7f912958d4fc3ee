// Package shell writes words for command lines to copy, or to run on another machine.
package shell

import (
	"regexp"
	"strings"
)

// plain is a word that no shell takes for more than it is.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$`)

// Word writes a text as one word of any shell: in quotes where that is needed, without a backslash in them, which is one thing to fish and another
// to all others.
func Word(text string) string {
	if plain.MatchString(text) {
		return text
	}
	return "'" + strings.NewReplacer(`'`, `'\''`, `\`, `'\\'`).Replace(text) + "'"
}

// Line writes the words of a command as a line that a user can type.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Word(word)
	}
	return strings.Join(quoted, " ")
}
