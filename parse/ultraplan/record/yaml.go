// The YAML library reads results: an executor may use all of YAML. State files and settings are parsed by package doc.

package record

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"gatehouse/parse/doc"
)

// maxNodes limits the values of a result, with its aliases expanded.
const maxNodes = 100_000

// plainYAML rewrites a text in plain YAML, without aliases, tags and other spellings that package doc does not support. The text has to be
// one mapping without duplicate keys at any depth; otherwise fault describes the problem. isOdd reports that package doc reads a number
// of the text differently, such as "0x10".
func plainYAML(text string) (plain string, isOdd bool, fault *Reason) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var root, more yaml.Node
	err := d.Decode(&root)
	if err == nil {
		err = d.Decode(&more)
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		fault := &Reason{Code: "yaml-error", Text: "the result is not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
		if m := lineInError.FindStringSubmatch(fault.Text); m != nil {
			fault.Line, _ = strconv.Atoi(m[1])
			fault.Text = strings.Replace(fault.Text, m[0], "", 1)
		}
		return "", false, fault
	case err == nil, len(root.Content) == 0, root.Content[0].Kind != yaml.MappingNode:
		return "", false, &Reason{Code: "not-one-mapping", Text: "the result has to be one mapping, with status, task_name, files_modified, verification, done_criteria_met, evidence and error"}
	}
	if key := findTwice(root.Content[0]); key != nil {
		return "", false, &Reason{Code: "yaml-error", Line: key.Line, Text: "the result is not YAML: the key " + key.Value + " is there twice"}
	}
	p := plainer{left: maxNodes}
	out, err := yaml.Marshal(p.makePlain(root.Content[0]))
	if tree := doc.ParseYAML(string(out), 0, len(out)); err != nil || p.left < 0 || len(tree.Problems) > 0 {
		return "", false, &Reason{Code: "yaml-error", Text: "the result can't be written in plain YAML; leave out anchors, tags and merge keys"}
	}
	return string(out), p.isOdd, nil
}

var lineInError = regexp.MustCompile(`line (\d+): `)

// findTwice returns the first duplicate key of a mapping below a node, nil without one.
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

// plainer converts nodes to plain ones.
type plainer struct {
	left  int // how many more nodes are allowed
	isOdd bool
}

// makePlain returns a node without style, comments, anchors and tags of its own. An alias becomes what it stands for, a whole number decimal, and a
// key that is no scalar "". Text of several lines is quoted: package doc reads no indicators of indentation.
func (p *plainer) makePlain(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	plain := &yaml.Node{Kind: n.Kind, Value: n.Value}
	if n.Kind == yaml.ScalarNode {
		plain.Tag = "!!str"
		if slices.Contains(plainTags, n.Tag) {
			plain.Tag = n.Tag
		}
	}
	if plain.Tag == "!!str" && strings.Contains(n.Value, "\n") {
		plain.Style = yaml.DoubleQuotedStyle
	}
	var number int64
	if n.Tag == "!!int" && !decimal.MatchString(n.Value) && n.Decode(&number) == nil {
		plain.Value, p.isOdd = strconv.FormatInt(number, 10), true
	}
	for i, c := range n.Content {
		if p.left--; p.left < 0 {
			break
		}
		child := p.makePlain(c)
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind != yaml.ScalarNode {
			child = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str"}
		}
		plain.Content = append(plain.Content, child)
	}
	return plain
}

// plainTags are the tags of scalars other than text; a scalar with another one is text.
var plainTags = []string{"!!null", "!!bool", "!!int", "!!float", "!!timestamp"}

var decimal = regexp.MustCompile(`^-?[0-9]+$`)
