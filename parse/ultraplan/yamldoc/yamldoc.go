// Package yamldoc reads the results of executors: YAML texts that have to be one mapping. It is the only package that imports the YAML
// library; state files and settings are parsed by package doc.
package yamldoc

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ErrNotOneMapping is the error of a text that is YAML and not exactly one list of keys and values.
var ErrNotOneMapping = errors.New("this is not one list of keys and values")

// Error is why a text can't be read.
type Error struct {
	Line int // from 1, 0 if it is unknown
	Text string
}

// Error returns the text with its line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return "line " + strconv.Itoa(e.Line) + ": " + e.Text
}

// Doc is a mapping. The zero Doc is empty.
type Doc struct{ content []*yaml.Node } // keys and values in turns

// Parse parses a text that has to be one mapping without a key written twice, at any depth. Its error is [ErrNotOneMapping] for an empty
// text, a list, a scalar or several documents, else an [*Error].
func Parse(text string) (Doc, error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var root, more yaml.Node
	err := d.Decode(&root)
	if err == nil {
		if err = d.Decode(&more); err == nil {
			return Doc{}, ErrNotOneMapping
		}
	}
	switch {
	case !errors.Is(err, io.EOF):
		return Doc{}, explain(err)
	case len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode:
		return Doc{}, ErrNotOneMapping
	}
	if key := findTwice(root.Content[0]); key != nil {
		return Doc{}, &Error{Line: key.Line, Text: "the key " + key.Value + " is there twice"}
	}
	return Doc{root.Content[0].Content}, nil
}

var lineInError = regexp.MustCompile(`line (\d+): `)

// explain turns an error of the library into an [*Error].
func explain(err error) error {
	e := &Error{Text: strings.TrimPrefix(err.Error(), "yaml: ")}
	if m := lineInError.FindStringSubmatch(e.Text); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Text = strings.Replace(e.Text, m[0], "", 1)
	}
	return e
}

// findTwice returns the first key below a node that its mapping has before already, nil without one.
func findTwice(n *yaml.Node) *yaml.Node {
	seen := map[string]bool{}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && c.Kind == yaml.ScalarNode {
			if seen[c.Value] {
				return c
			}
			seen[c.Value] = true
		}
		if key := findTwice(c); key != nil {
			return key
		}
	}
	return nil
}

// get returns the value of a key, nil without the key.
func (d Doc) get(key string) *yaml.Node {
	for i := len(d.content) - 2; i >= 0; i -= 2 {
		if d.content[i].Value == key {
			return resolve(d.content[i+1])
		}
	}
	return nil
}

// resolve returns the node that an alias stands for.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// Has reports whether a key is there, with whatever value.
func (d Doc) Has(key string) bool { return d.get(key) != nil }

// Line returns the line of a key's value, 0 without the key.
func (d Doc) Line(key string) int {
	if n := d.get(key); n != nil {
		return n.Line
	}
	return 0
}

// Doc returns the mapping that a key holds, an empty one if it holds none.
func (d Doc) Doc(key string) Doc {
	if d.Kind(key) == Mapping {
		return Doc{d.get(key).Content}
	}
	return Doc{}
}

// Kind is the kind of a value.
type Kind uint8

// The kinds. Text is text in YAML 1.2, such as "yes" and a date.
const (
	Absent Kind = iota
	Null
	Text
	Whole // a number without a fraction
	Fraction
	Truth // true or false
	List
	Mapping
)

// Kind returns the kind of a key's value.
func (d Doc) Kind(key string) Kind { return kindOf(d.get(key)) }

func kindOf(n *yaml.Node) Kind {
	switch {
	case n == nil:
		return Absent
	case n.Kind == yaml.SequenceNode:
		return List
	case n.Kind == yaml.MappingNode:
		return Mapping
	}
	switch n.Tag {
	case "!!null":
		return Null
	case "!!int":
		return Whole
	case "!!float":
		return Fraction
	case "!!bool":
		return Truth
	}
	return Text
}

// String returns a scalar as it is written, "01" of 01, and "" for null, lists, mappings and absent keys.
func (d Doc) String(key string) string {
	if kind := d.Kind(key); kind > Null && kind < List {
		return d.get(key).Value
	}
	return ""
}

// Texts returns the texts of a list; ok is false if the key holds no list, or another value is in it.
func (d Doc) Texts(key string) (texts []string, ok bool) {
	if d.Kind(key) != List {
		return nil, false
	}
	for _, c := range d.get(key).Content {
		if c = resolve(c); kindOf(c) != Text {
			return nil, false
		}
		texts = append(texts, c.Value)
	}
	return texts, true
}

// Int64 returns a whole number in any of YAML's spellings, 0x10 too; ok is false for other values and numbers that do not fit.
func (d Doc) Int64(key string) (n int64, ok bool) {
	if d.Kind(key) != Whole {
		return 0, false
	}
	return n, d.get(key).Decode(&n) == nil
}

// Bool returns a truth value; ok is false for other values.
func (d Doc) Bool(key string) (is, ok bool) {
	if d.Kind(key) != Truth {
		return false, false
	}
	return is, d.get(key).Decode(&is) == nil
}

// Others returns the unknown keys in their order.
func (d Doc) Others(known ...string) (keys []string) {
	for i := 0; i+1 < len(d.content); i += 2 {
		if key := d.content[i].Value; !slices.Contains(known, key) && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Quote writes a text as YAML in double quotation marks.
func Quote(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD")) }
