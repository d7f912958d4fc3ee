package document

// JSON and YAML: keys, texts and all other values each in a color of their own.

import (
	"path"
	"regexp"
	"strings"
)

// painterFor returns the function that splits a line of data into spans, nil for a file without data.
func painterFor(file string) func(line string) []Span {
	switch strings.ToLower(path.Ext(file)) {
	case ".json", ".jsonl", ".jsonc":
		return paintJSON
	case ".yaml", ".yml":
		return paintYAML
	}
	return nil
}

// jsonTokens matches the texts of a line of JSON (the last one may be cut off), its punctuation, and its other values.
var jsonTokens = regexp.MustCompile(`"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}\[\],: ]+|[^{}\[\],: "]+`)

func paintJSON(line string) (spans []Span) {
	for _, at := range jsonTokens.FindAllStringIndex(line, -1) {
		token, role := line[at[0]:at[1]], Literal
		switch {
		case token[0] == '"' && strings.HasPrefix(strings.TrimLeft(line[at[1]:], " "), ":"):
			role = Key
		case token[0] == '"':
			role = Text
		case strings.ContainsAny(token[:1], "{}[],: "):
			role = Plain
		}
		spans = append(spans, Span{Text: token, Role: role})
	}
	return spans
}

// paintYAML paints a line of block YAML. Any other line is a text.
func paintYAML(line string) (spans []Span) {
	add := func(text string, r Role) {
		if text != "" {
			spans = append(spans, Span{Text: text, Role: r})
		}
	}
	body := strings.TrimLeft(line, " -")
	add(line[:len(line)-len(body)], Plain)
	if strings.HasPrefix(body, "#") {
		add(body, Quiet)
		return spans
	}
	if i := strings.Index(body+" ", ": "); i > 0 && !strings.ContainsAny(body[:i], `"'{[`) {
		add(body[:i], Key)
		add(":", Plain)
		body = body[i+1:]
	}
	role, value := Text, strings.TrimSpace(body)
	if value == "true" || value == "false" || value == "null" || value != "" && strings.Trim(value, "0123456789.-+:TZ") == "" {
		role = Literal
	}
	add(body, role)
	return spans
}
