// Package yamldoc reads the YAML frontmatter of a document. It is the only
// place that imports the YAML library.
//
// Agents and people write frontmatter that is not always YAML. So a [Doc]
// reads the keys that are asked for and leaves the rest of the block alone: a
// value that YAML refuses costs that value, not the document.
package yamldoc

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Error is what the YAML library says about a document.
type Error struct {
	Line int // in the document, from 1; 0 when it is not known
	Text string
}

// Error returns the text with the line before it.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return "line " + strconv.Itoa(e.Line) + ": " + e.Text
}

// Doc is a mapping with string keys. The zero Doc is empty. Of a key written
// twice the last value counts.
type Doc struct {
	values map[string]*yaml.Node
	twice  map[string]int // lines, in the block, of keys that were there before
	shift  int            // what to add to a node's line for the line in the document
}

// Parse reads the block of a document's frontmatter: the text between the two
// fences, whose first line is line first of the document. With keys, only those
// keys at the top level are read, which is cheaper by the length of the rest
// and survives errors in it. The error, if any, is an *[Error]; the Doc then
// holds what the keys say when read line by line.
func Parse(block string, first int, keys ...string) (Doc, error) {
	text := block
	if len(keys) > 0 {
		text = only(block, keys)
		if text == "" {
			return Doc{}, nil
		}
		if len(text) > decodeLimit {
			return scalars(text, first), tooLong(first)
		}
		if d, ok := plain(text, first); ok {
			return d, nil
		}
	}
	d, err := decode(text, first)
	if err != nil && len(keys) > 0 && strings.ContainsAny(text, "*&") {
		// An alias may stand for something outside the keys asked for.
		if whole, wholeErr := decode(block, first); wholeErr == nil {
			return whole, nil
		}
	}
	if err != nil {
		return scalars(text, first), err
	}
	return d, nil
}

// decodeLimit is how long a text may be of which lists and mappings are read,
// in bytes: frontmatter has some KiB, and each byte may cost two hundred in
// memory.
const decodeLimit = 512 << 10

func tooLong(first int) error {
	return &Error{Line: first, Text: "this is more than 512 KiB of YAML"}
}

func decode(text string, first int) (Doc, error) {
	if len(text) > decodeLimit {
		return Doc{}, tooLong(first)
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		return Doc{}, explain(err, first)
	}
	if len(root.Content) == 0 {
		return Doc{}, nil
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode {
		return Doc{}, &Error{Line: first + top.Line - 1, Text: "this is not a list of keys and values"}
	}
	return mapping(top, first-1), nil
}

func mapping(n *yaml.Node, shift int) Doc {
	d := Doc{values: make(map[string]*yaml.Node, len(n.Content)/2), shift: shift}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if d.values[key.Value] != nil {
			if d.twice == nil {
				d.twice = map[string]int{}
			}
			d.twice[key.Value] = key.Line
		}
		if d.values[key.Value] = n.Content[i+1]; d.values[key.Value].Kind == yaml.AliasNode {
			d.values[key.Value] = n.Content[i+1].Alias
		}
	}
	return d
}

// Twice returns the keys that are written more than once, each with the line
// of its last place.
func (d Doc) Twice() map[string]int {
	lines := map[string]int{}
	for key, no := range d.twice {
		lines[key] = no + d.shift
	}
	return lines
}

// only returns the block with every line emptied that does not belong to one
// of the keys, so that lines keep their numbers; "" when no line is left.
func only(block string, keys []string) string {
	var kept strings.Builder
	keep, any, blank := false, false, 0
	for rest := block; rest != ""; {
		line, more, _ := strings.Cut(rest, "\n")
		rest = more
		if key, ok := topKey(line); ok {
			keep = slices.Contains(keys, key)
		}
		if !keep {
			blank++
			continue
		}
		any = true
		for ; blank > 0; blank-- {
			kept.WriteByte('\n')
		}
		kept.WriteString(line)
		kept.WriteByte('\n')
	}
	if !any {
		return ""
	}
	return kept.String()
}

// topKey returns the key of a line "key: …" at column 0.
func topKey(line string) (string, bool) {
	if line == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '#' || line[0] == '-' {
		return "", false
	}
	key, rest, ok := strings.Cut(line, ":")
	if !ok || (rest != "" && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\r') {
		return "", false
	}
	key = strings.TrimSpace(key)
	if strings.ContainsAny(key, " \t[]{},") {
		return "", false
	}
	return strings.Trim(key, `"'`), true
}

// scalars reads "key: value" lines without YAML.
func scalars(text string, first int) Doc {
	d := Doc{values: map[string]*yaml.Node{}, shift: first - 1}
	no := 0
	for rest := text; rest != ""; {
		line, more, _ := strings.Cut(rest, "\n")
		rest = more
		no++
		key, ok := topKey(line)
		if !ok {
			continue
		}
		_, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if i := strings.Index(value, " #"); i >= 0 && !strings.HasPrefix(value, `"`) && !strings.HasPrefix(value, "'") {
			value = strings.TrimSpace(value[:i])
		}
		if len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
			value = value[1 : len(value)-1]
		}
		d.values[key] = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: no}
	}
	return d
}

var lineInError = regexp.MustCompile(`line (\d+): `)

// explain turns the library's error into ours: its line numbers count from the
// start of the block, and its texts repeat the package's name.
func explain(err error, first int) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	var typeErr *yaml.TypeError
	if errors.As(err, &typeErr) && len(typeErr.Errors) > 0 {
		text = typeErr.Errors[0]
	}
	e := &Error{Text: text}
	if m := lineInError.FindStringSubmatchIndex(text); m != nil {
		if n, convErr := strconv.Atoi(text[m[2]:m[3]]); convErr == nil {
			e.Line = first + n - 1
			e.Text = text[:m[0]] + text[m[1]:]
		}
	}
	return e
}

// Has reports whether a key is there, with whatever value.
func (d Doc) Has(key string) bool { return d.values[key] != nil }

// Line returns the line of a key's value in the document, 0 without the key.
func (d Doc) Line(key string) int {
	if n := d.values[key]; n != nil {
		return n.Line + d.shift
	}
	return 0
}

// Col returns the column of a key's value in the document, in characters from
// 1, 0 without the key.
func (d Doc) Col(key string) int {
	if n := d.values[key]; n != nil {
		return n.Column
	}
	return 0
}

// String returns a scalar as the document writes it ("01" stays "01"), and ""
// for null, lists, mappings and keys that are not there.
func (d Doc) String(key string) string { return scalar(d.values[key]) }

// Int returns a whole number, and whether there is one.
func (d Doc) Int(key string) (int, bool) {
	n, err := strconv.Atoi(d.String(key))
	return n, err == nil
}

// False reports whether a key says no: false, no or off in any case.
func (d Doc) False(key string) bool {
	switch strings.ToLower(d.String(key)) {
	case "false", "no", "off":
		return true
	}
	return false
}

// True reports whether a key says yes: true, yes or on in any case.
func (d Doc) True(key string) bool {
	switch strings.ToLower(d.String(key)) {
	case "true", "yes", "on":
		return true
	}
	return false
}

// Strings returns the scalars of a list; a single scalar is a list of one, and
// what is neither is left out.
func (d Doc) Strings(key string) []string {
	n := d.values[key]
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		if s := scalar(n); s != "" {
			return []string{s}
		}
		return nil
	}
	var all []string
	for _, c := range n.Content {
		if s := scalar(c); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// Items returns how many items a list has, 0 where the key holds none.
func (d Doc) Items(key string) int {
	if d.Kind(key) != List {
		return 0
	}
	return len(d.values[key].Content)
}

// Docs returns the mappings of a list, each with the line it begins on. A
// scalar in the list becomes a mapping with the one key "".
func (d Doc) Docs(key string) []Doc {
	n := d.values[key]
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	var all []Doc
	for _, c := range n.Content {
		switch c.Kind {
		case yaml.MappingNode:
			all = append(all, mapping(c, d.shift))
		case yaml.ScalarNode:
			all = append(all, Doc{values: map[string]*yaml.Node{"": c}, shift: d.shift})
		}
	}
	return all
}

// Doc returns the mapping that a key holds, empty where it holds none.
func (d Doc) Doc(key string) Doc {
	n := d.values[key]
	if n == nil || n.Kind != yaml.MappingNode {
		return Doc{}
	}
	return mapping(n, d.shift)
}

// Len returns the number of keys.
func (d Doc) Len() int { return len(d.values) }

// Keys returns the keys in the order of their lines.
func (d Doc) Keys() []string {
	keys := make([]string, 0, len(d.values))
	for k := range d.values {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		na, nb := d.values[a], d.values[b]
		if na.Line != nb.Line {
			return na.Line - nb.Line
		}
		return na.Column - nb.Column
	})
	return keys
}

// Shape names what a key holds, for messages: "text", "a number", "a list".
func (d Doc) Shape(key string) string {
	n := d.values[key]
	if n == nil {
		return "nothing"
	}
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a block of keys"
	case yaml.ScalarNode:
		switch n.Tag {
		case "!!null":
			return "null"
		case "!!int", "!!float":
			return "a number"
		case "!!bool":
			return "true or false"
		}
		return "text"
	}
	return fmt.Sprintf("YAML kind %d", n.Kind)
}

func scalar(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}
