// What the values of a JSON document say: texts, numbers, the elements of an array, the members of an object.

package scan

import (
	"unicode/utf8"

	"gatehouse/parse/doc"
)

// JSONText returns the text of value, as JSONFields returned it. ok is false when value is no string. A text without
// escapes is part of value itself; only one with escapes is put together on the heap. A lone surrogate becomes U+FFFD.
func JSONText(value string) (text string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	value = value[1 : len(value)-1]
	plain := 0
	for plain < len(value) && value[plain] != '\\' {
		plain++
	}
	if plain == len(value) {
		return value, true
	}
	out := append(make([]byte, 0, len(value)), value[:plain]...)
	for value = value[plain:]; value != ""; {
		var buf [utf8.UTFMax]byte
		char, size := jsonChar(value, &buf)
		out, value = append(out, char...), value[size:]
	}
	return string(out), true
}

// JSONArray iterates over the elements of an array, as JSONFields returned it. The zero value over one is ready:
// JSONArray{Rest: value}. A value that is no array has no elements.
type JSONArray struct {
	Rest string // what is left of the array
	open bool   // its "[" has been read
}

// Next returns the bytes of the next element; ok is false at the end of the array.
func (a *JSONArray) Next() (element string, ok bool) {
	j := jsonScan{doc: a.Rest}
	if c := j.peek(); !a.open && c != '[' || a.open && c != ',' {
		return "", false
	}
	j.pos++
	if j.peek() == ']' {
		return "", false
	}
	start := j.pos
	j.value(0, 0)
	if j.bad {
		return "", false
	}
	a.Rest, a.open = a.Rest[j.pos:], true
	return j.doc[start:j.pos], true
}

// JSONMembers iterates over the members of an object, as JSONFields returned it, in their order. The zero value over one is
// ready: JSONMembers{Rest: value}. A value that is no object has no members. A repeated key comes as often as it stands
// there; the last one counts.
type JSONMembers struct {
	Rest string // what is left of the object, from right behind the value that Next returned last
	open bool   // its "{" has been read
}

// Next returns the next member: its key, a string to be read by JSONText or JSONStringIs, and the bytes of its value. ok is
// false at the end of the object.
func (m *JSONMembers) Next() (key, value string, ok bool) {
	j := jsonScan{doc: m.Rest}
	if c := j.peek(); !m.open && c != '{' || m.open && c != ',' {
		return "", "", false
	}
	j.pos++
	if j.peek() != '"' {
		return "", "", false
	}
	start := j.pos
	j.string()
	key = j.doc[start:j.pos]
	if j.bad || j.peek() != ':' {
		return "", "", false
	}
	j.pos++
	j.skip()
	start = j.pos
	j.value(0, 0)
	if j.bad {
		return "", "", false
	}
	m.Rest, m.open = m.Rest[j.pos:], true
	return key, j.doc[start:j.pos], true
}

// JSONNumber returns the number that value, as JSONFields returned it, spells. ok is false if value is no number.
func JSONNumber(value string) (number float64, ok bool) { return doc.ParseNumber(value) }

// JSONTextAt returns the text at a key of the JSON object doc, "" when there is none.
func JSONTextAt(doc, key string) string {
	value, _ := JSONValue(doc, key)
	text, _ := JSONText(value)
	return text
}
