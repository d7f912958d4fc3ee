// A JSON file, read leniently: every value may be absent, null or of another type than the protocol has it, and each knows
// where it stands.

package fctry

import (
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/rules"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/scan"
)

// document is a JSON file. The zero value is an empty one.
type document struct {
	text  string
	top   value
	lines doc.LineIndex
	twice []doc.Problem // keys that an object has twice
}

// parseDocument reads a file that holds a value of a kind, called what for people.
func parseDocument(text string, kind doc.Kind, what string) (*document, error) {
	tree, syntax := doc.ParseJSON(text)
	switch {
	case syntax != nil:
		return nil, protocol.SyntaxFault(text, syntax)
	case !tree.Root().Is(kind):
		return nil, &mirror.Fault{Line: 1, Text: "this is not a JSON " + what}
	}
	return &document{text: text, top: value{tree.Root()}, lines: doc.IndexLines(text), twice: tree.Problems}, nil
}

func parseObject(text string) (*document, error) {
	return parseDocument(text, doc.Map, "object")
}

// pos returns where a value stands, the whole file for one that is absent.
func (d *document) pos(file string, v value) model.Pos {
	p := model.Pos{File: file}
	if !v.none() {
		p.Line, p.Col = d.lines.Position(v.Offset())
	}
	return p
}

// version returns one of the versions that config.json keeps.
func (d *document) version(kind string) string {
	return d.top.get("versions").get(kind).get("current").text()
}

// value is a value as fctry's files are read: a null at a key is nothing, and texts are cleaned.
type value struct{ doc.Value }

// none reports whether there is no such value.
func (v value) none() bool { return !v.Exists() }

// get returns the value at a key, none where there is none or it is null.
func (v value) get(key string) value {
	if at := v.Get(key); !at.Is(doc.Null) {
		return value{at}
	}
	return value{}
}

// first returns the first value there is at one of several keys.
func (v value) first(keys ...string) value {
	for _, key := range keys {
		if at := v.get(key); !at.none() {
			return at
		}
	}
	return value{}
}

// insideLimit is how many members of an object and elements of a list are read.
const insideLimit = 10_000

// member is a member of an object.
type member struct {
	key   string
	value value
}

// members returns the members of an object, none of other values.
func (v value) members() (all []member) {
	if !v.Is(doc.Map) {
		return nil
	}
	for m := range v.Children() {
		if len(all) == insideLimit {
			break
		}
		all = append(all, member{m.Key(), value{m}})
	}
	return all
}

// list returns the elements of an array, none of other values.
func (v value) list() (all []value) {
	if !v.Is(doc.List) {
		return nil
	}
	for e := range v.Children() {
		if len(all) == insideLimit {
			break
		}
		all = append(all, value{e})
	}
	return all
}

// raw returns the bytes of the value, "" for none.
func (v value) raw() string { return v.Raw() }

// text returns a scalar as a text, cleaned and trimmed; "" for what is none.
func (v value) text() string { return line.Tidy(rules.Scalar(v.raw())) }

// texts returns the scalars of an array as texts; a scalar by itself counts as an array of one.
func (v value) texts() (all []string) {
	list := v.list()
	if !v.Is(doc.List) {
		list = []value{v}
	}
	for _, e := range list {
		if s := e.text(); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// count returns a number of things, see [scan.JSONCount].
func (v value) count() (n int, ok bool) { return scan.JSONCount(v.raw()) }

// amount is count for what may be a fraction.
func (v value) amount() (n line.Amount, ok bool) {
	number, ok := scan.JSONAmount(v.raw())
	return line.Amount(number), ok
}

// time returns a time in one of the forms that are found, the zero time for what is none.
func (v value) time() time.Time { return protocol.ParseTime(v.Text()) }

// kind returns what a value is; null is nothing.
func (v value) kind() doc.Kind {
	if k := v.Kind(); k != doc.Null {
		return k
	}
	return doc.Absent
}
