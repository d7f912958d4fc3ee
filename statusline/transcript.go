// The last command of an agent's session, from the end of its transcript.

package statusline

import (
	"unicode/utf8"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

const (
	// transcriptTail is how many bytes at the end of a transcript are searched.
	transcriptTail = 256 << 10
	// commandLimit is how long a command's name may be, in UTF-16 units.
	commandLimit = 80
)

// lastCommand returns the name of the slash command that stands last at the end of the transcript at path, without its
// slash, "" when there is none or it does not look like a name. The text points into buf.
func lastCommand(path string, buf []byte) string {
	if path == "" {
		return ""
	}
	text, err := peek.ReadTail(path, buf[:min(len(buf), transcriptTail)])
	if err != nil {
		return ""
	}
	return commandIn(text)
}

// commandIn returns the name between the last closing tag of text and the last opening one before it.
func commandIn(text string) string {
	const opening, closing = "<command-name>", "</command-name>"
	end := lastIndex(text, closing)
	if end < 0 {
		return ""
	}
	start := lastIndex(text[:end], opening)
	if start < 0 {
		return ""
	}
	name := scan.TrimSpace(text[start+len(opening) : end])
	if name != "" && name[0] == '/' {
		name = name[1:]
	}
	units := 0
	for i := 0; i < len(name); {
		if c := name[i]; c == '\\' || c == '"' || c == '<' || c == '>' || scan.SpaceLen(name[i:]) > 0 {
			return ""
		}
		r, size := utf8.DecodeRuneInString(name[i:])
		if units++; r > 0xFFFF {
			units++
		}
		if units > commandLimit {
			return ""
		}
		i += size
	}
	return name
}

// lastIndex returns where part stands last in text, -1 when it does not.
func lastIndex(text, part string) int {
	for i := len(text) - len(part); i >= 0; i-- {
		if text[i] == part[0] && text[i:i+len(part)] == part {
			return i
		}
	}
	return -1
}
