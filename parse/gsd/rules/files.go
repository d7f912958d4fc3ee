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
	if Over(scan.JSONTextAt(text, "status")) {
		return ""
	}
	for _, key := range [...]string{"question", "type"} {
		if what = scan.TrimSpace(scan.JSONTextAt(text, key)); what != "" {
			return what
		}
	}
	return "an answer"
}

// Over reports whether a status says that something asked of a human is over. Any other word leaves it waiting: one that nobody
// knows must not hide a question.
func Over(status string) bool {
	said := Word(status)
	for _, word := range [...]string{
		"answered", "resolved", "done", "complete", "completed", "closed", "cancelled", "canceled", "resumed", "idle", "none", "not_waiting", "dismissed", "expired", "received", "inactive", "cleared",
	} {
		if said == word {
			return true
		}
	}
	return false
}

// About returns which phase the text of a WAITING.json asks about, and since when, both as written; "" for what it does not
// say.
func About(text string) (phase, since string) {
	text = scan.WithoutMark(text)
	value, _ := scan.JSONValue(text, "phase")
	return scan.TrimSpace(scan.JSONScalar(value)), scan.JSONTextAt(text, "since")
}

// Outrun reports whether STATE.md was written after a question was asked, by the times in both, or nobody knows.
func Outrun(since, lastUpdated string) bool {
	asked, known := scan.Seconds(since)
	written, ok := scan.Seconds(lastUpdated)
	return !known || !ok || asked < written
}

// Verifies reports whether a project verifies its phases by the text of its config.json: workflow.verifier is not false.
func Verifies(text string) bool {
	value, _ := scan.JSONValue(scan.WithoutMark(text), "workflow", "verifier")
	return value != "false"
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
