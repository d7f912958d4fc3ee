package yamldoc

import (
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ErrNotOneMapping is the error of a text that is YAML and not exactly one list of keys and values.
var ErrNotOneMapping = errors.New("this is not one list of keys and values")

// Strict reads a text that has to be one mapping without a key written twice, at any depth. Its error is ErrNotOneMapping
// for an empty text, a list, a scalar or several documents, else an *[Error].
func Strict(text string) (Doc, error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var root, more yaml.Node
	if err := d.Decode(&root); errors.Is(err, io.EOF) {
		return Doc{}, ErrNotOneMapping
	} else if err != nil {
		return Doc{}, explain(err, 1)
	}
	switch err := d.Decode(&more); {
	case err == nil:
		return Doc{}, ErrNotOneMapping
	case !errors.Is(err, io.EOF):
		return Doc{}, explain(err, 1)
	}
	if len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return Doc{}, ErrNotOneMapping
	}
	if key := twice(root.Content[0]); key != nil {
		return Doc{}, &Error{Line: key.Line, Text: "the key " + key.Value + " is there twice"}
	}
	return mapping(root.Content[0], 0), nil
}

// twice returns the first key below a node that its mapping has before already, nil where there is none.
func twice(n *yaml.Node) *yaml.Node {
	seen := map[string]bool{}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && c.Kind == yaml.ScalarNode {
			if seen[c.Value] {
				return c
			}
			seen[c.Value] = true
		}
		if key := twice(c); key != nil {
			return key
		}
	}
	return nil
}

// Kind is what a key holds.
type Kind uint8

// The kinds. Text is what YAML 1.2 takes for text, so "yes" and a date are.
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

// Kind returns what a key holds.
func (d Doc) Kind(key string) Kind { return kind(d.values[key]) }

func kind(n *yaml.Node) Kind {
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

// Texts returns the items of a list; ok is false when the key holds no list, or an item is no text.
func (d Doc) Texts(key string) (texts []string, ok bool) {
	if d.Kind(key) != List {
		return nil, false
	}
	for _, c := range d.values[key].Content {
		if c.Kind == yaml.AliasNode {
			c = c.Alias
		}
		if kind(c) != Text {
			return nil, false
		}
		texts = append(texts, c.Value)
	}
	return texts, true
}

// Int64 returns a whole number in any of YAML's spellings, 0x10 too, and whether there is one that fits.
func (d Doc) Int64(key string) (n int64, ok bool) {
	if d.Kind(key) != Whole {
		return 0, false
	}
	return n, d.values[key].Decode(&n) == nil
}

// Bool returns whether a key holds true, and whether it holds a truth value at all.
func (d Doc) Bool(key string) (is, ok bool) {
	if d.Kind(key) != Truth {
		return false, false
	}
	err := d.values[key].Decode(&is)
	return is, err == nil
}

// Others returns the keys that are none of those known, in the order of their lines.
func (d Doc) Others(known ...string) []string {
	return slices.DeleteFunc(d.Keys(), func(key string) bool { return slices.Contains(known, key) })
}

// Equal reports whether two documents say the same: the same keys with the same values of the same kinds, wherever they
// stand and however they are spelled.
func (d Doc) Equal(other Doc) bool {
	if len(d.values) != len(other.values) {
		return false
	}
	for key, n := range d.values {
		if !equal(n, other.values[key]) {
			return false
		}
	}
	return true
}

func equal(a, b *yaml.Node) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Kind != b.Kind || a.Tag != b.Tag || a.Value != b.Value || len(a.Content) != len(b.Content):
		return false
	}
	for i := range a.Content {
		if !equal(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
