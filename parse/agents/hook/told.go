package hook

import (
	"encoding/json"

	"gatehouse/parse/agents/ask"
)

// permission returns the ask about a call.
func permission(tool string, input json.RawMessage, dir string) *ask.Ask {
	call := describeCall(tool, input, dir)
	return &ask.Ask{Kind: ask.Permission, Text: toolLine(tool, input), Use: useOf(tool, input), Call: &call}
}

// useOf returns what tells one call of a session from another, from what is told before it and after it.
func useOf(tool string, input json.RawMessage) string {
	var value any
	if json.Unmarshal(input, &value) != nil {
		return tool
	}
	text, _ := json.Marshal(value) // with its members in the same order, however it was written
	return tool + " " + digest(text)
}

// toolLine returns a call in one line: "bash: go test ./...".
func toolLine(tool string, input json.RawMessage) string {
	if l := headline(callSubject(tool, object(input))); l != "" {
		return tool + ": " + l
	}
	return tool
}
