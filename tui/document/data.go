package document

// JSON and YAML: keys, texts and all other values each in a color of their own.

import (
	"path"
	"strings"
)

// painter tells the parts of a line of data apart, one row of it after the other; nil does not.
type painter func(row string, goesOn bool) []Span

// painterFor returns the painter for a file by its name, nil for one that holds no data.
func painterFor(file string) painter {
	switch strings.ToLower(path.Ext(file)) {
	case ".json", ".jsonl", ".jsonc":
		return paintJSON()
	case ".yaml", ".yml":
		return paintYAML
	}
	return nil
}

// paintJSON returns a painter that knows, from row to row of a line, whether it is in a text.
func paintJSON() painter {
	open, role := false, Text
	return func(row string, goesOn bool) (spans []Span) {
		open = open && goesOn
		add := func(text string, r Role) {
			if text != "" {
				spans = append(spans, Span{Text: text, Role: r})
			}
		}
		for row != "" {
			if !open {
				i := strings.IndexByte(row, '"')
				if i < 0 {
					i = len(row)
				}
				spans = append(spans, literals(row[:i])...)
				if row = row[i:]; row == "" {
					break
				}
				role = Text
			}
			end := endOfText(row, !open)
			if end < 0 {
				add(row, role)
				open = true
				break
			}
			if strings.HasPrefix(strings.TrimLeft(row[end:], " "), ":") {
				role = Key
			}
			add(row[:end], role)
			row, open = row[end:], false
		}
		return spans
	}
}

// endOfText returns where a quoted text ends, -1 if not in this row.
func endOfText(row string, quoted bool) int {
	from := 0
	if quoted {
		from = 1
	}
	for i := from; i < len(row); i++ {
		switch row[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// literals splits what is between texts into values and punctuation.
func literals(row string) (spans []Span) {
	const marks = "{}[],: "
	for row != "" {
		n, role := strings.IndexAny(row, marks), Literal
		if n == 0 {
			n, role = len(row)-len(strings.TrimLeft(row, marks)), Plain
		}
		if n < 0 {
			n = len(row)
		}
		spans = append(spans, Span{Text: row[:n], Role: role})
		row = row[n:]
	}
	return spans
}

// paintYAML paints a row of block YAML. What is not written so is a text.
func paintYAML(row string, goesOn bool) (spans []Span) {
	add := func(text string, r Role) {
		if text != "" {
			spans = append(spans, Span{Text: text, Role: r})
		}
	}
	body := strings.TrimLeft(row, " -")
	add(row[:len(row)-len(body)], Plain)
	if strings.HasPrefix(body, "#") {
		add(body, Quiet)
		return spans
	}
	if i := strings.Index(body+" ", ": "); !goesOn && i > 0 && !strings.ContainsAny(body[:i], `"'{[`) {
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
