package hook

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/danger"
)

// permission returns the ask about a call.
func permission(tool string, input json.RawMessage, dir string) *ask.Ask {
	call := describe(tool, input, dir)
	text := tool
	if l := headline(call.head); l != "" {
		text += ": " + l
	}
	return &ask.Ask{Kind: ask.Permission, Text: text, Use: useOf(tool, input), Call: &call.Call}
}

// described is a call with the line that names it.
type described struct {
	ask.Call
	head string
}

// describe returns a call as people read it: whole, with what deserves a look.
func describe(tool string, input json.RawMessage, dir string) described {
	d := described{Call: ask.Call{Tool: tool}}
	var known struct {
		Command      any    `json:"command"`
		Description  string `json:"description"`
		File         string `json:"file_path"`
		Notebook     string `json:"notebook_path"`
		URL          string `json:"url"`
		Pattern      string `json:"pattern"`
		Query        string `json:"query"`
		Instructions string `json:"instructions"`
	}
	json.Unmarshal(input, &known) // what does not fit stays empty, and stands in the input all the same
	command, _ := known.Command.(string)
	file := known.File + known.Notebook
	var parts []danger.Part
	switch {
	case command != "":
		d.head, d.Input, d.Reason = command, command, known.Description
		parts = danger.InCommand(command, dir)
		if rest := without(input, "command", "description"); rest != "" {
			d.Input += "\n\n" + rest
		}
	default:
		d.head, d.Input = file+known.URL+known.Pattern+known.Query, members(input)
		if file != "" && !reading[tool] {
			parts = danger.InPath(file, dir)
		}
		if known.URL != "" {
			parts = append(parts, danger.InAddress(known.URL)...)
		}
	}
	for _, p := range parts {
		d.Dangers = append(d.Dangers, ask.Danger{Part: p.Text, Why: p.Why})
	}
	return d
}

// reading are the tools that change no file they are given.
var reading = map[string]bool{"Read": true, "Grep": true, "Glob": true, "LS": true}

// member is a member of an object, in the order of the text.
type member struct {
	key   string
	value json.RawMessage
}

// object returns the members of a JSON object in their order; nil for something else.
func object(text json.RawMessage) (all []member) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		name, _ := key.(string)
		all = append(all, member{name, value})
	}
	return all
}

// members returns an input for people: a member a line, texts of several lines below their names.
func members(input json.RawMessage) string { return without(input) }

// without returns an input for people, but for some members.
func without(input json.RawMessage, names ...string) string {
	var b strings.Builder
	all := object(input)
	if all == nil && len(names) == 0 {
		return string(input)
	}
	for _, m := range all {
		if slices.Contains(names, m.key) {
			continue
		}
		var text string
		if json.Unmarshal(m.value, &text) != nil {
			text = string(m.value)
		}
		if strings.Contains(text, "\n") {
			text = "\n  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
		} else {
			text = " " + text
		}
		if strings.ContainsFunc(m.key, unicode.IsControl) || strings.Contains(m.key, ":") { // it could pass for other members
			quoted, _ := json.Marshal(m.key)
			m.key = string(quoted)
		}
		b.WriteString(m.key + ":" + text + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
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
func toolLine(tool string, input json.RawMessage, dir string) string {
	if l := headline(describe(tool, input, dir).head); l != "" {
		return tool + ": " + l
	}
	return tool
}
