// Package jsondoc is a JSON document that keeps its offsets: one reading of a file for whoever shows what it says, checks it,
// or changes it by replacing bytes. It opens no file.
//
// What is JSON is decided by package scan, and so alike for the prompt: RFC 8259 behind an optional byte order mark. Of a key
// that an object has twice the last value counts, at every level, as in JavaScript and for the agents' own libraries;
// [Document.Twice] tells of the others. Readers are lenient: the methods of a nil value are those of one that is not there, and
// a value of another kind than the one asked for has no text, no members and no elements.
package jsondoc

import (
	"errors"
	"fmt"
	"iter"
	"sort"
	"strings"

	"gatehouse/parse/text/scan"
)

// MaxValues is how many values one document may hold. A loop of 2,000 phases has 40,000; what has more than this is the state
// of nothing, and would cost a hundred times its size in memory.
const MaxValues = 400_000

// SideLimit is the largest file beside a state that is read, in bytes: 1 MiB. Real ones have some KiB, and each byte may cost fifty in memory.
const SideLimit = 1 << 20

// ErrParse is what every [*Fault] wraps.
var ErrParse = errors.New("parse error")

// Fault says where a document stops being JSON that is read, and why.
type Fault struct {
	Line, Col int    // from 1; Col counts bytes, a byte order mark not included
	Why       string // what is wrong there, without the bytes that stand there
	Truncated bool   // the text ends too early: the place is its last byte
}

// Error returns place and reason, and what to do.
func (f *Fault) Error() string {
	return fmt.Sprintf("%v in line %d, column %d: %s; mend the file, or wait until it is written", ErrParse, f.Line, f.Col, f.Why)
}

// Unwrap returns ErrParse.
func (f *Fault) Unwrap() error { return ErrParse }

// Kind is what a value is.
type Kind byte

// The kinds of values. None is the kind of one that is not there.
const (
	None Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// Document is a JSON text that was read.
type Document struct {
	Root *Value
	// Twice are the members whose key their object had already, in the order of the file.
	Twice []Repeat

	text  string
	lines []int32 // where each line begins
}

// Repeat is a member whose key its object had already.
type Repeat struct {
	Object int // the offset of the object
	Key    string
	KeyAt  int // the offset of the key
	At     int // the offset of the value
}

// Value is one value of a document.
type Value struct {
	// Raw are the bytes of the value as they stand in the document, a part of it.
	Raw string
	// At is the offset of the value in the document, a byte order mark counted.
	At     int
	inside []Member       // the members of an object, the elements of an array without keys
	index  map[string]int // where a member is, for an object of many
	kind   Kind
}

// Member is a member of an object.
type Member struct {
	Key   string
	KeyAt int
	Value Value
}

// manyMembers is from how many members on an object is searched by an index.
const manyMembers = 9

// mark is the byte order mark of UTF-8.
const mark = "\ufeff"

// Parse reads a document, which may begin with a byte order mark. Its error is a [*Fault].
func Parse(text string) (*Document, error) {
	d := &Document{text: text, lines: make([]int32, 1, 1+strings.Count(text, "\n"))}
	for i := range len(text) {
		if text[i] == '\n' {
			d.lines = append(d.lines, int32(i+1)) // a file is read up to 8 MiB
		}
	}
	bare := strings.TrimPrefix(text, mark)
	p := parser{document: d, text: text, at: len(text) - len(bare)}
	if at, why := scan.JSONFault(bare); why != "" {
		return nil, d.fault(p.at+at, why)
	}
	p.next()
	root := p.value()
	if p.values > MaxValues {
		return nil, d.fault(p.at, fmt.Sprintf("there are more than %d values", MaxValues))
	}
	d.Root = &root
	return d, nil
}

// fault returns what is wrong at an offset.
func (d *Document) fault(at int, why string) *Fault {
	f := &Fault{Why: why}
	if f.Truncated = at >= len(d.text); f.Truncated {
		at = max(0, len(d.text)-1)
	}
	f.Line, f.Col = d.Place(at)
	broken := d.text[d.lines[f.Line-1]:] // the line, and what follows
	switch {
	case strings.HasPrefix(d.text, "\xff\xfe"), strings.HasPrefix(d.text, "\xfe\xff"):
		f.Why = "the text is UTF-16 and not UTF-8"
	case strings.HasPrefix(broken, "<<<<<<<"), strings.HasPrefix(broken, "======="), strings.HasPrefix(broken, ">>>>>>>"):
		f.Why = "a merge conflict that nobody has resolved"
	}
	return f
}

// Place returns the line and the column of an offset, both from 1. The column counts bytes, a byte order mark not included.
func (d *Document) Place(at int) (line, col int) {
	line = sort.Search(len(d.lines), func(i int) bool { return int(d.lines[i]) > at })
	col = at - int(d.lines[line-1]) + 1
	if line == 1 && strings.HasPrefix(d.text, mark) {
		col = max(1, col-len(mark))
	}
	return line, col
}

// parser goes through a text that is known to be valid.
type parser struct {
	document *Document
	text     string
	at       int
	values   int
}

// next steps over white space, commas and colons, and returns the byte that is there then, 0 at the end.
func (p *parser) next() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return c
		}
	}
	return 0
}

// value reads the value that begins here. Beyond MaxValues it reads nothing more.
func (p *parser) value() Value {
	v := Value{At: p.at}
	if p.values++; p.values > MaxValues {
		return v
	}
	switch c := p.text[p.at]; c {
	case '{':
		v.kind = Object
		p.object(&v)
	case '[':
		v.kind = Array
		p.at++
		for p.next() != ']' && p.values <= MaxValues {
			v.inside = append(v.inside, Member{Value: p.value()})
		}
		p.at++
	case '"':
		v.kind = String
		p.string()
	default:
		switch c {
		case 't', 'f':
			v.kind = Bool
		case 'n':
			v.kind = Null
		default:
			v.kind = Number
		}
		for p.at < len(p.text) && strings.IndexByte(" \t\r\n,]}", p.text[p.at]) < 0 {
			p.at++
		}
	}
	v.Raw = p.text[v.At:min(p.at, len(p.text))]
	return v
}

// object reads the members of an object. A member whose key was there before takes the place of the first.
func (p *parser) object(v *Value) {
	p.at++
	for p.next() != '}' && p.values <= MaxValues {
		m := Member{KeyAt: p.at}
		p.string()
		m.Key, _ = scan.JSONText(p.text[m.KeyAt:p.at])
		p.next()
		m.Value = p.value()
		if i := v.find(m.Key); i >= 0 {
			p.document.Twice = append(p.document.Twice, Repeat{Object: v.At, Key: m.Key, KeyAt: m.KeyAt, At: m.Value.At})
			v.inside[i] = m
			continue
		}
		v.inside = append(v.inside, m)
		switch n := len(v.inside); {
		case n == manyMembers:
			v.index = make(map[string]int, 2*n)
			for i := range v.inside {
				v.index[v.inside[i].Key] = i
			}
		case n > manyMembers:
			v.index[m.Key] = n - 1
		}
	}
	p.at++
}

// string steps over the string that begins here.
func (p *parser) string() {
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
}

// find returns the place of the member with a key, -1 without one.
func (v *Value) find(key string) int {
	if v.index != nil {
		if i, ok := v.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range v.inside {
		if v.inside[i].Key == key {
			return i
		}
	}
	return -1
}

// Kind returns what the value is.
func (v *Value) Kind() Kind {
	if v == nil {
		return None
	}
	return v.kind
}

// Is reports whether the value is there and of a kind.
func (v *Value) Is(k Kind) bool { return v.Kind() == k }

// Get returns the value that keys lead to, nil where there is none. A null is there.
func (v *Value) Get(keys ...string) *Value {
	for _, key := range keys {
		m := v.Member(key)
		if m == nil {
			return nil
		}
		v = &m.Value
	}
	return v
}

// Member returns the member of an object with a key, nil where there is none.
func (v *Value) Member(key string) *Member {
	if v.Is(Object) {
		if i := v.find(key); i >= 0 {
			return &v.inside[i]
		}
	}
	return nil
}

// Members yields the members of an object in the order in which their keys come first, none of anything else.
func (v *Value) Members() iter.Seq[*Member] {
	return func(yield func(*Member) bool) {
		if !v.Is(Object) {
			return
		}
		for i := range v.inside {
			if !yield(&v.inside[i]) {
				return
			}
		}
	}
}

// Elements yields the elements of an array, none of anything else.
func (v *Value) Elements() iter.Seq2[int, *Value] {
	return func(yield func(int, *Value) bool) {
		if !v.Is(Array) {
			return
		}
		for i := range v.inside {
			if !yield(i, &v.inside[i].Value) {
				return
			}
		}
	}
}

// Len returns how many members or elements the value has.
func (v *Value) Len() int {
	if v == nil {
		return 0
	}
	return len(v.inside)
}

// Text returns what a string says, "" for anything else. A lone surrogate is U+FFFD; bytes that are no UTF-8 stay.
func (v *Value) Text() string {
	if !v.Is(String) {
		return ""
	}
	text, _ := scan.JSONText(v.Raw)
	return text
}

// Bool returns what true and false say; ok is false for anything else.
func (v *Value) Bool() (value, ok bool) { return v.Is(Bool) && v.Raw == "true", v.Is(Bool) }

// Place returns where the value begins, other for one that is not there.
func (v *Value) Place(other int) int {
	if v == nil {
		return other
	}
	return v.At
}
