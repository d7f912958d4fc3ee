// The last command of an agent's session, from the end of its transcript.

package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

const (
	// transcriptTail is how many bytes at the end of a transcript are searched.
	transcriptTail = 256 << 10
	// commandLimit is how long a command's name may be, in UTF-16 units.
	commandLimit = 80
)

// findLastCommand returns the name of the last slash command at the end of the transcript at path, without its slash,
// "" if there is none or it does not look like a name.
func findLastCommand(path string) string {
	if path == "" {
		return ""
	}
	text, err := peek.ReadTail(path, make([]byte, transcriptTail))
	if err != nil {
		return ""
	}
	return parseCommand(text)
}

// parseCommand returns the name between the last closing tag of text and the last opening one before it.
func parseCommand(text string) string {
	const opening, closing = "<command-name>", "</command-name>"
	end := doc.LastIndex(text, closing)
	if end < 0 {
		return ""
	}
	start := doc.LastIndex(text[:end], opening)
	if start < 0 {
		return ""
	}
	name := doc.TrimPrefix(line.TrimSpace(text[start+len(opening):end]), "/")
	units := 0
	for _, r := range name {
		if units++; r > 0xFFFF {
			units++
		}
		if r == '\\' || r == '"' || r == '<' || r == '>' || line.IsSpace(r) || units > commandLimit {
			return ""
		}
	}
	return name
}
