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
// "compact".
func Compact(text string) bool {
	return scan.JSONStringIs(setting(text, "statusline", "state_format"), "compact")
}

// FreshnessStamp returns the commit that STATE.md was written at, if the text of a config.json asks for the age of STATE.md
// and that commit can tell it, else "". stateHead is the frontmatter's state_head. In a workspace of several repositories no
// HEAD can tell the age.
func FreshnessStamp(config, stateHead string) string {
	stamp := scan.TrimSpace(stateHead)
	for i := range len(stamp) {
		if c := stamp[i]; (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return ""
		}
	}
	if len(stamp) < 4 || len(stamp) > 40 || setting(config, "statusline", "show_state_freshness") != "true" {
		return ""
	}
	repos := setting(config, "planning", "sub_repos")
	if repos == "" || repos == "null" {
		repos, _ = scan.JSONValue(config, "sub_repos")
	}
	list := scan.JSONArray{Rest: repos}
	if _, some := list.Next(); some {
		return ""
	}
	return stamp
}

// setting returns the JSON of a setting in the text of a config.json. The flat key "section.name" goes before the nested one.
func setting(text, section, name string) string {
	value, ok := scan.JSONValue(text, section+"."+name)
	if !ok {
		value, _ = scan.JSONValue(text, section, name)
	}
	return value
}
