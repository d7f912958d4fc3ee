// JSON as the files have it: in their order, with the place of each value. A decoder into Go values keeps neither.

package loop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sort"
	"strings"

	"gatehouse/parse/disk/mirror"
)

const (
	// maxDepth is how deeply objects and lists may be nested, the same as for the prompt's scanner.
	maxDepth = 512
	// maxValues is how many values one document may hold. A loop of 2,000 phases has 40,000; what has more is no loop, and
	// would cost a hundred times its size in memory.
	maxValues = 100_000
)

// kind is what a JSON value is.
type kind byte

const (
	isText   kind = 's'
	isNumber kind = 'n'
	isBool   kind = 'b'
	isNull   kind = '0'
	isList   kind = '['
	isObject kind = '{'
)

var kindWords = map[kind]string{isText: "text", isNumber: "a number", isBool: "true or false", isNull: "null", isList: "a list", isObject: "an object"}

// value is one value of a document. The methods of a nil value are those of one that is not there.
type value struct {
	kind    kind
	at      int    // where it begins: bytes from the start of the document
	text    string // of a text, what it says; of a number, true and false, how it is written
	list    []value
	members []member // of an object, in the order of the file; of equal keys the last value, where the first stood
	index   map[string]int
}

type member struct {
	key   string
	at    int // where the key begins
	value value
}

// is reports whether the value is of a kind.
func (v *value) is(k kind) bool { return v != nil && v.kind == k }

// get returns the value at a key, nil where there is none.
func (v *value) get(keys ...string) *value {
	for _, key := range keys {
		if !v.is(isObject) {
			return nil
		}
		i, ok := v.index[key]
		if !ok {
			return nil
		}
		v = &v.members[i].value
	}
	return v
}

// str returns what a text says, "" of anything else.
func (v *value) str() string {
	if v.is(isText) {
		return v.text
	}
	return ""
}

// items yields the values of a list, none of anything else.
func (v *value) items() iter.Seq2[int, *value] {
	return func(yield func(int, *value) bool) {
		if !v.is(isList) {
			return
		}
		for i := range v.list {
			if !yield(i, &v.list[i]) {
				return
			}
		}
	}
}

// place returns where the value begins, other where there is none.
func (v *value) place(other int) int {
	if v == nil {
		return other
	}
	return v.at
}

// document is a JSON text that was read.
type document struct {
	root  value
	lines []int32 // where each line begins
	twice []member
}

// pos returns the line and the column, both from 1, of a place in the document.
func (d *document) pos(at int) (line, col int) {
	line = sort.Search(len(d.lines), func(i int) bool { return int(d.lines[i]) > at })
	return line, at - int(d.lines[line-1]) + 1
}

// mark is the byte order mark.
const mark = "\uFEFF"

// parseJSON reads a text. A byte order mark before it is passed over. Its error is a [mirror.Fault] with the place.
func parseJSON(text string) (*document, error) {
	d := &document{lines: make([]int32, 1, 1+strings.Count(text, "\n"))}
	for i := range len(text) {
		if text[i] == '\n' {
			d.lines = append(d.lines, int32(i+1)) // a file is read up to 8 MiB
		}
	}
	body := strings.TrimPrefix(text, mark)
	p := &jsonParser{d: d, text: text, base: len(text) - len(body), dec: json.NewDecoder(strings.NewReader(body))}
	p.dec.UseNumber()
	err := p.value(&d.root, 0)
	if err == nil {
		if _, err = p.dec.Token(); err == io.EOF {
			return d, nil
		}
		err = p.fault(p.next(), "the document ends here, and more follows")
	}
	return nil, err
}

type jsonParser struct {
	d      *document
	text   string
	base   int // length of the byte order mark
	dec    *json.Decoder
	values int
}

// next returns where the next token begins.
func (p *jsonParser) next() int {
	at := p.base + int(p.dec.InputOffset())
	for at < len(p.text) && strings.IndexByte(" \t\r\n,:", p.text[at]) >= 0 {
		at++
	}
	return at
}

func (p *jsonParser) fault(at int, text string) error {
	line, col := p.d.pos(min(at, len(p.text)))
	return &mirror.Fault{Line: line, Col: col, Text: text}
}

// broken turns an error of the decoder into one with a place.
func (p *jsonParser) broken(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return p.fault(len(p.text), "the JSON breaks off here")
	case errors.As(err, &syntax):
		at := max(p.next(), p.base+int(syntax.Offset)-1)
		return p.fault(at, "this is no JSON: "+strings.TrimPrefix(syntax.Error(), "json: "))
	}
	return p.fault(p.next(), "this is no JSON: "+err.Error())
}

func (p *jsonParser) value(v *value, depth int) error {
	v.at = p.next()
	if p.values++; p.values > maxValues {
		return p.fault(v.at, fmt.Sprintf("there are more than %d values", maxValues))
	}
	token, err := p.dec.Token()
	if err != nil {
		return p.broken(err)
	}
	switch t := token.(type) {
	case json.Delim:
		if depth == maxDepth {
			return p.fault(v.at, fmt.Sprintf("it is nested deeper than %d", maxDepth))
		}
		if t == '{' {
			return p.object(v, depth+1)
		}
		return p.array(v, depth+1)
	case string:
		v.kind, v.text = isText, t
	case json.Number:
		v.kind, v.text = isNumber, t.String()
	case bool:
		v.kind, v.text = isBool, fmt.Sprint(t)
	default:
		v.kind = isNull
	}
	return nil
}

func (p *jsonParser) object(v *value, depth int) error {
	v.kind, v.index = isObject, map[string]int{}
	for p.dec.More() {
		m := member{at: p.next()}
		token, err := p.dec.Token()
		if err != nil {
			return p.broken(err)
		}
		m.key, _ = token.(string)
		if err := p.value(&m.value, depth); err != nil {
			return err
		}
		if i, ok := v.index[m.key]; ok {
			p.d.twice = append(p.d.twice, m)
			v.members[i] = m
			continue
		}
		v.index[m.key] = len(v.members)
		v.members = append(v.members, m)
	}
	return p.end()
}

func (p *jsonParser) array(v *value, depth int) error {
	v.kind = isList
	for p.dec.More() {
		var e value
		if err := p.value(&e, depth); err != nil {
			return err
		}
		v.list = append(v.list, e)
	}
	v.list = slices.Clip(v.list)
	return p.end()
}

// end steps over the bracket that closes an object or a list.
func (p *jsonParser) end() error {
	if _, err := p.dec.Token(); err != nil {
		return p.broken(err)
	}
	return nil
}

// texts returns the texts of a list, those of the objects in it by one of the keys. whole is false where the value is no
// list, or something in it is neither.
func (v *value) texts(keys ...string) (all []string, whole bool) {
	if !v.is(isList) {
		return nil, false
	}
	whole = true
	for _, e := range v.items() {
		if text, ok := e.named(keys...); ok {
			all = append(all, text)
		} else {
			whole = false
		}
	}
	return all, whole
}

// named returns what a text says, or an object at the first of the keys that leads to a text.
func (v *value) named(keys ...string) (string, bool) {
	if v.is(isText) {
		return v.text, true
	}
	for _, key := range keys {
		if m := v.get(key); m.is(isText) {
			return m.text, true
		}
	}
	return "", false
}
