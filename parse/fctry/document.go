// A JSON file, read leniently: every value may be absent, null or of another type than the protocol has it, and each knows
// where it stands.

package fctry

import (
	"encoding/json"
	"errors"
	"sort"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/text/scan"
)

// document is a JSON file. The zero value is an empty object.
type document struct {
	text  string // the file, without a byte order mark
	skip  int    // bytes of the mark
	top   object
	lines []int32 // where each line but the first begins
}

const byteOrderMark = "\uFEFF"

// parseDocument checks that a text is JSON.
func parseDocument(text string) (*document, error) {
	d := &document{text: strings.TrimPrefix(text, byteOrderMark)}
	d.skip = len(text) - len(d.text)
	d.lines = make([]int32, 0, strings.Count(d.text, "\n"))
	for i := range len(d.text) {
		if d.text[i] == '\n' {
			d.lines = append(d.lines, int32(i+1)) // a file is read up to 8 MiB
		}
	}
	if scan.JSONFields(d.text, nil) {
		return d, nil
	}
	var whole json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal([]byte(d.text), &whole); errors.As(err, &syntax) {
		fault := &mirror.Fault{Text: "this is no JSON: " + syntax.Error()}
		fault.Line, fault.Col = d.place(int(syntax.Offset) - 1)
		return nil, fault
	}
	return nil, &mirror.Fault{Text: "the values are nested too deeply to be read"}
}

// parseObject is parseDocument for a file that holds an object.
func parseObject(text string) (*document, error) {
	d, err := parseDocument(text)
	if err != nil {
		return nil, err
	}
	if whole, _ := scan.JSONValue(d.text); whole[0] != '{' {
		return nil, &mirror.Fault{Line: 1, Text: "this is no JSON object"}
	}
	d.top = value(d.text).object()
	return d, nil
}

// place returns the line and the column, in bytes from 1, of an offset in the text.
func (d *document) place(offset int) (line, col int) {
	offset = max(0, offset)
	n := sort.Search(len(d.lines), func(i int) bool { return int(d.lines[i]) > offset }) // of those that begin there or before
	if n == 0 {
		return 1, offset + 1 + d.skip
	}
	return n + 1, offset - int(d.lines[n-1]) + 1
}

// pos returns where a value stands, the whole file for one that is absent.
func (d *document) pos(file string, v value) model.Pos {
	p := model.Pos{File: file}
	if offset := scan.Offset(d.text, string(v)); offset >= 0 {
		p.Line, p.Col = d.place(offset)
	}
	return p
}

// version returns one of the versions that config.json keeps.
func (d *document) version(kind string) string {
	return d.top.get("versions").object().get(kind).object().get("current").text()
}

// value is the bytes of a value in the text it was read from, "" for one that is absent or null.
type value string

// object returns the members of an object, none of other values.
func (v value) object() object {
	o := object{}
	for m := (scan.JSONMembers{Rest: string(v)}); len(o.members) < membersLimit; {
		key, raw, ok := m.Next()
		if !ok {
			break
		}
		name, _ := scan.JSONText(key)
		o.members = append(o.members, member{name, value(raw)})
	}
	return o
}

// membersLimit is how many members of an object and elements of a list are read.
const membersLimit = 10_000

// list returns the elements of an array, none of other values.
func (v value) list() []value {
	var all []value
	for a := (scan.JSONArray{Rest: string(v)}); len(all) < membersLimit; {
		raw, ok := a.Next()
		if !ok {
			break
		}
		all = append(all, value(raw))
	}
	return all
}

// text returns a scalar as a text, cleaned and trimmed; "" for what is none.
func (v value) text() string { return clean(scan.JSONScalar(string(v))) }

// texts returns the scalars of an array as texts; a scalar by itself counts as an array of one.
func (v value) texts() []string {
	if v.kind() != kindArray {
		if s := v.text(); s != "" {
			return []string{s}
		}
		return nil
	}
	var all []string
	for _, e := range v.list() {
		if s := e.text(); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// count returns a number of things, see [scan.JSONCount].
func (v value) count() (n int, ok bool) { return scan.JSONCount(string(v)) }

// time returns a time in one of the forms that are found, the zero time for what is none.
func (v value) time() time.Time {
	s, _ := scan.JSONText(string(v))
	return parseTime(s)
}

// parseTime reads a time: with or without fractions of a second, or a bare date.
func parseTime(s string) time.Time {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return time.Time{}
	}
	for _, layout := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// The kinds of values.
const (
	kindNone = iota
	kindObject
	kindArray
	kindText
	kindNumber
	kindBool
)

// kind returns what a value is; null is nothing.
func (v value) kind() int {
	if v == "" || v == "null" {
		return kindNone
	}
	switch v[0] {
	case '{':
		return kindObject
	case '[':
		return kindArray
	case '"':
		return kindText
	case 't', 'f':
		return kindBool
	}
	return kindNumber
}

// object is an object's members in the order of the file.
type object struct{ members []member }

type member struct {
	key   string
	value value
}

// get returns the value at a key, "" where there is none or it is null. Of several the last one counts.
func (o object) get(key string) value {
	for i := len(o.members) - 1; i >= 0; i-- {
		if o.members[i].key == key {
			if v := o.members[i].value; v != "null" {
				return v
			}
			return ""
		}
	}
	return ""
}

// first returns the first value there is at one of several keys.
func (o object) first(keys ...string) value {
	for _, key := range keys {
		if v := o.get(key); v != "" {
			return v
		}
	}
	return ""
}

// clean returns a text from a file as the model keeps it.
func clean(s string) string { return line.Tidy(s) }
