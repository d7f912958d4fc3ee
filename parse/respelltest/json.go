// Package respelltest writes the same value in other ways, for tests that hold a parser to one answer for all of them.
package respelltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// BOM is the byte order mark.
const BOM = "\ufeff"

// Variation is a text in another spelling.
type Variation struct {
	Name string // unique within the variations of one text, usable as the name of a subtest
	Text string
}

// JSON returns variations of a JSON document. Each decodes to the same value. The members of the objects at the paths
// in ordered keep their order. A path is the keys that lead to an object, joined by dots, "" for the document itself; the
// elements of a list are at "*": "phases", "definitions.*.gates". JSON returns nil if the text is not JSON.
func JSON(text string, ordered ...string) []Variation {
	layouts := []struct {
		name   string
		layout jsonLayout
	}{
		{"one line", jsonLayout{}},
		{"one line with blanks", jsonLayout{comma: " ", afterColon: " "}},
		{"two blanks", jsonLayout{newline: "\n", indent: "  ", afterColon: " "}},
		{"tabs", jsonLayout{newline: "\n", indent: "\t", afterColon: " "}},
		{"tabs for blanks", jsonLayout{comma: "\t", beforeColon: "\t", afterColon: "\t"}},
		{"each token on its own line", jsonLayout{newline: "\n", comma: "\n", beforeColon: "\n", afterColon: "\n"}},
		{"blanks around colons", jsonLayout{newline: "\n", indent: "  ", beforeColon: " ", afterColon: "  "}},
		{"escaped keys", jsonLayout{newline: "\n", indent: "  ", afterColon: " ", key: escapeAll}},
		{"escaped values", jsonLayout{newline: "\n", indent: "  ", afterColon: " ", value: escapeAll}},
		{"one escaped letter", jsonLayout{newline: "\n", indent: "  ", afterColon: " ", key: escapeFirst, value: escapeFirst}},
		{"reversed keys", jsonLayout{newline: "\n", indent: "  ", afterColon: " ", order: slices.Reverse[[]jsonMember], ordered: ordered}},
		{"sorted keys", jsonLayout{newline: "\n", indent: "  ", afterColon: " ", order: sortMembers, ordered: ordered}},
		{"CRLF", jsonLayout{newline: "\r\n", indent: "  ", afterColon: " "}},
	}
	root, err := parseJSON(strings.TrimPrefix(text, BOM))
	if err != nil {
		return nil
	}
	var all []Variation
	for _, l := range layouts {
		all = append(all, Variation{l.name, l.layout.render(root)})
	}
	plain := strings.TrimPrefix(text, BOM)
	return append(all, Variation{"BOM", BOM + plain}, Variation{"blank lines around", "\n\n" + plain + "\n \t\n"})
}

// jsonValue is a value whose scalars keep their spelling.
type jsonValue struct {
	open     byte // '{', '[', or 0 for a scalar
	scalar   string
	members  []jsonMember // of an object, or elements of a list, which have no key
	repeated bool         // two members have the same key
}

type jsonMember struct {
	key   string // as written, with its quotes
	value *jsonValue
}

// name returns the decoded key.
func (m jsonMember) name() (name string) {
	_ = json.Unmarshal([]byte(m.key), &name) // the key is valid: the whole document is
	return name
}

func sortMembers(members []jsonMember) {
	slices.SortStableFunc(members, func(a, b jsonMember) int { return strings.Compare(a.name(), b.name()) })
}

// parseJSON parses a document and keeps the spelling of its keys and scalars.
func parseJSON(text string) (*jsonValue, error) {
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("not JSON: %.40q", text)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil {
		return nil, err
	}
	value, _ := parseCompact(compact.String())
	return value, nil
}

// parseCompact parses the value at the start of valid JSON without blanks, and returns the rest.
func parseCompact(text string) (*jsonValue, string) {
	if text[0] != '{' && text[0] != '[' {
		end := 1
		if text[0] == '"' {
			end = stringEnd(text)
		} else {
			for end < len(text) && !strings.ContainsRune(",]}", rune(text[end])) {
				end++
			}
		}
		return &jsonValue{scalar: text[:end]}, text[end:]
	}
	v := &jsonValue{open: text[0]}
	seen := map[string]bool{}
	for text = text[1:]; text[0] != '}' && text[0] != ']'; {
		text = strings.TrimPrefix(text, ",")
		var m jsonMember
		if v.open == '{' {
			end := stringEnd(text)
			m.key, text = text[:end], text[end+1:]
			v.repeated = v.repeated || seen[m.name()]
			seen[m.name()] = true
		}
		m.value, text = parseCompact(text)
		v.members = append(v.members, m)
	}
	return v, text[1:]
}

// stringEnd returns the length of the string literal at the start of a text.
func stringEnd(text string) int {
	for i := 1; ; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// jsonLayout says how to write a value.
type jsonLayout struct {
	newline, indent                string // around members; both empty: none
	comma, beforeColon, afterColon string // blanks
	key, value                     func(literal string) string
	order                          func([]jsonMember)
	ordered                        []string // paths of objects that order leaves alone
}

func (l *jsonLayout) render(v *jsonValue) string {
	var b strings.Builder
	l.write(&b, v, "", "")
	if l.newline != "" {
		b.WriteString(l.newline)
	}
	return b.String()
}

func (l *jsonLayout) write(b *strings.Builder, v *jsonValue, path, margin string) {
	if v.open == 0 {
		if l.value != nil && v.scalar[0] == '"' {
			b.WriteString(l.value(v.scalar))
			return
		}
		b.WriteString(v.scalar)
		return
	}
	members := v.members
	if l.order != nil && v.open == '{' && !v.repeated && !slices.Contains(l.ordered, path) {
		members = slices.Clone(members)
		l.order(members)
	}
	b.WriteByte(v.open)
	inner := margin + l.indent
	for i, m := range members {
		if i > 0 {
			b.WriteString("," + l.comma)
		}
		if l.newline != "" && l.newline != l.comma || i == 0 {
			b.WriteString(l.newline + inner)
		}
		step := "*"
		if v.open == '{' {
			step = m.name()
			key := m.key
			if l.key != nil {
				key = l.key(key)
			}
			b.WriteString(key + l.beforeColon + ":" + l.afterColon)
		}
		if path != "" {
			step = path + "." + step
		}
		l.write(b, m.value, step, inner)
	}
	if len(members) > 0 {
		b.WriteString(l.newline + margin)
	}
	b.WriteByte(v.open + 2) // '}' follows '{' by two, ']' follows '[' by two
}

// escapeAll writes every character of a string literal as a \u escape. Escapes stay as they are.
func escapeAll(literal string) string { return escape(literal, len(literal)) }

// escapeFirst writes the first character of a string literal as a \u escape.
func escapeFirst(literal string) string { return escape(literal, 1) }

// escape writes at most n characters of a string literal as \u escapes.
func escape(literal string, n int) string {
	var b strings.Builder
	for i := 0; i < len(literal); {
		r, size := utf8.DecodeRuneInString(literal[i:])
		switch {
		case r == '\\':
			if size = 2; literal[i+1] == 'u' {
				size = 6
			}
			b.WriteString(literal[i : i+size])
		case r == '"', r == utf8.RuneError && size == 1, n == 0:
			b.WriteString(literal[i : i+size])
		default:
			n--
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
		i += size
	}
	return b.String()
}
