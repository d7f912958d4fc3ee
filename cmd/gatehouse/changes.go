package main

// gatehouse changes: ask for changes before a gate passes.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"gatehouse/model"
)

// maxText is how many bytes a text may have that is read from standard input: more than anybody writes, and few enough for
// a journal.
const maxText = 64 << 10

func newChanges(s *surroundings) *cobra.Command {
	var d deciding
	var text string
	cmd := d.gateCommand(s, model.VerbChanges, "Ask for changes before a gate passes",
		`Ask for changes before a gate passes. A loop's state file has no place for the
text: it is in the journal, and whoever runs "gatehouse wait" gets it.`,
		func() (a model.Action, err error) {
			a.Text = text
			if text == "-" {
				a.Text, err = readText(os.Stdin)
			}
			return a, err
		})
	cmd.Flags().StringVar(&text, "text", "", "what is to be changed, as `text`; - reads it from standard input")
	return cmd
}

// readText reads a text that somebody pipes in.
func readText(r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("standard input: %w", err)
	case len(data) > maxText:
		return "", fmt.Errorf("standard input: the text is longer than %d bytes; write the rest into a file and name it", maxText)
	case !utf8.Valid(data):
		return "", errors.New("standard input: this is no UTF-8 text; convert it first")
	}
	return strings.TrimSpace(string(data)), nil
}
