// What the small files beside STATE.md say to the line.

package rules

import "gatehouse/parse/text/scan"

// UnreadableWait is what an agent waits for whose WAITING.json can't be read: it is written only to ask.
const UnreadableWait = "an agent asks something, but WAITING.json can't be read"

// Waits returns what an agent waits for by the text of its WAITING.json, "" where that says that it waits for nothing.
func Waits(text string) (what string) {
	text = scan.WithoutMark(text)
	if value, ok := scan.JSONValue(text); !ok || value[0] != '{' {
		return UnreadableWait
	}
	if status := scan.JSONTextAt(text, "status"); status != "" && status != "waiting" {
		return ""
	}
	for _, key := range [...]string{"question", "type"} {
		if what = scan.TrimSpace(scan.JSONTextAt(text, key)); what != "" {
			return what
		}
	}
	return "an answer"
}

// Compact reports whether the text of a config.json asks for the compact form of the line: statusline.state_format is
// "compact". The flat key "statusline.state_format" goes before the nested one.
func Compact(text string) bool {
	value, ok := scan.JSONValue(text, "statusline.state_format")
	if !ok {
		value, _ = scan.JSONValue(text, "statusline", "state_format")
	}
	return scan.JSONStringIs(value, "compact")
}
