package doc

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// describe writes a value of this package in one line: kinds, keys and the spelling of scalars.
func describe(v Value) string {
	switch v.Kind() {
	case Map, List:
		var items []string
		for c := range v.Children() {
			item := describe(c)
			if v.Is(Map) {
				item = fmt.Sprintf("%q:%s", c.Key(), item)
			}
			items = append(items, item)
		}
		if v.Is(Map) {
			return "{" + strings.Join(items, ",") + "}"
		}
		return "[" + strings.Join(items, ",") + "]"
	case String:
		return fmt.Sprintf("%q", v.Text())
	case Number, Bool:
		return v.Scalar()
	}
	return v.Kind().String()
}

var (
	yaml11Number = regexp.MustCompile(`^[-+._]*[0-9][-+._0-9a-fA-FoOxX]*$|^[-+]?\.(inf|Inf|INF|nan|NaN|NAN)$`)
	bigNumber    = regexp.MustCompile(`[eE]|^.{200}`)
)

// describeLibrary writes a node of the library in the same way. Dates and numbers of YAML 1.1 are text; so are
// hexadecimal, octal, infinite and undefined numbers.
func describeLibrary(n *yaml.Node) string {
	var items []string
	switch n.Kind {
	case yaml.MappingNode:
		at := map[string]int{}
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i].Value
			item := fmt.Sprintf("%q:%s", key, describeLibrary(n.Content[i+1]))
			if first, twice := at[key]; twice {
				items[first] = item
				continue
			}
			at[key] = len(items)
			items = append(items, item)
		}
		return "{" + strings.Join(items, ",") + "}"
	case yaml.SequenceNode:
		for _, c := range n.Content {
			items = append(items, describeLibrary(c))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	if n.Style == 0 && !strings.Contains(n.Value, "\n") {
		kind := resolvePlain(n.Value)
		switch {
		case n.Tag == "!!null":
			return Null.String()
		case n.Tag == "!!bool", (n.Tag == "!!int" || n.Tag == "!!float") && kind == Number:
			return n.Value
		case (n.Tag == "!!int" || n.Tag == "!!float") && !yaml11Number.MatchString(n.Value):
			return "unexpected " + n.Tag + " " + n.Value
		case kind == Number && bigNumber.MatchString(n.Value):
			return n.Value
		}
	}
	return fmt.Sprintf("%q", n.Value)
}

// readLibrary reads one document with the library.
func readLibrary(text string) (root *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err != nil {
		return nil, err
	}
	if len(n.Content) == 0 {
		return nil, nil
	}
	return n.Content[0], nil
}

// compareLibrary returns how the parser's reading of a text differs from the library's, "" if it does not. Texts with problems are not
// compared.
func compareLibrary(text string) string {
	tree := ParseYAML(text, 0, len(text))
	if len(tree.Problems) > 0 || strings.ContainsAny(text, "\u0085\u2028\u2029") {
		return "" // the library ends lines at these characters, as YAML 1.1 did
	}
	got, want := describe(tree.Root()), "nothing"
	root, err := readLibrary(text)
	switch {
	case err != nil && !tree.Root().Exists():
		return "" // a "..." without a document
	case err != nil && relax(text) != text:
		return compareLibrary(relax(text))
	case err != nil:
		return fmt.Sprintf("read as %s, and the library refuses it: %v", got, err)
	case root != nil && (root.Tag != "!!null" || tree.Root().Exists()):
		want = describeLibrary(root)
	}
	if got != want {
		return fmt.Sprintf("read as\n     %s\nwant %s", got, want)
	}
	return ""
}

var (
	trailingBlanks = regexp.MustCompile(`(?m)[ \t]+(#.*)?\r?$`)
	tabBeforeText  = regexp.MustCompile(`(?m)^( +)\t`)
	tabBeforeEnd   = regexp.MustCompile(`(?m)^\t+([\]},])`)
	tabAfterDash   = regexp.MustCompile(`-[ \t]*\t`)
)

// relax rewrites what YAML 1.2 allows and the library refuses: tabs in empty lines, before comments, brackets and literal text and
// after dashes, question marks in flow collections, and the escape \/.
func relax(text string) string {
	text = tabBeforeText.ReplaceAllString(trailingBlanks.ReplaceAllString(text, ""), "${1}q")
	text = tabAfterDash.ReplaceAllString(tabBeforeEnd.ReplaceAllString(text, " $1"), "- ")
	return strings.NewReplacer("?", "q", `\/`, "/").Replace(text)
}

// FuzzYAML compares the parser with the library.
func FuzzYAML(f *testing.F) {
	for _, seed := range yamlSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkTree(t, ParseYAML(text, 0, len(text)))
		if difference := compareLibrary(text); difference != "" {
			t.Fatalf("%q: %s", text, difference)
		}
	})
}

// checkTree fails unless values are within the text and in order, and problems are complete.
func checkTree(t *testing.T, tree *Tree) {
	t.Helper()
	last := 0
	for _, p := range tree.Problems {
		if p.At < last || p.At > len(tree.Text) || p.Text == "" || p.Fix == "" {
			t.Fatalf("%q: problem %+v", tree.Text, p)
		}
		last = p.At
	}
	var check func(v Value, from int)
	check = func(v Value, from int) {
		if v.Offset() < from || v.End() < v.Offset() || v.End() > len(tree.Text) {
			t.Fatalf("%q: the value %q at %d, end %d, is before %d", tree.Text, v.Key(), v.Offset(), v.End(), from)
		}
		if v.Is(Unsupported) && len(tree.Problems) == 0 {
			t.Fatalf("%q: unsupported, without a problem", tree.Text)
		}
		for c := range v.Children() {
			if len(tree.Problems) > 0 {
				from = 0
			}
			check(c, from)
			from = c.End()
		}
		if v.Is(Map) || v.Is(List) {
			if from > v.End() && len(tree.Problems) == 0 {
				t.Fatalf("%q: %q ends at %d, a child at %d", tree.Text, v.Key(), v.End(), from)
			}
		}
	}
	check(tree.Root(), 0)
}

var yamlSeeds = []string{
	"status: done\nlist:\n- a\n- b: c\n  d: e\n", "a: &x 1\nb: *x\n", "\t: :\n- [\n", "a: 'it''s'\nb: \"\\x68\\u00e9\\\n  x\"\n",
	"a: |2-\n   x\n\n  y\nb: >+\n  x\n  y\n\n   z\n\n", "a:\n  b:\n    - c\n    -\n    - - d\n      - e\n", "{a: 1, \"b\":[x, 'y'], c: {d: }}\n",
	"---\na: b\n  c\n\n  d # e\n", "a: b: c\n", "? a\n: b\n", "!!str a: b\n", "%YAML 1.2\n---\na\n...\n", "\ufeffa: 1\r\nb: 0x1F\r\n", "a: [x,\n  y,\n]\n",
	"- 1\n- 01\n- 1.5e3\n- .inf\n- ~\n- True\n- 0o7\n", "'a' : b\n\"c\": |\n\n  d\n", "a: 1\na: 2\n", "<<: {a: b}\n", "a: @b\n", "a: -\n", "a: ---\n", "a\n", " a: 1\nb: 2\n",
	"a: >\n\n  x\n   y\n\n  z", "a: [b, c]d\n", "a: 'b\n c'\n", "a: \"b \\\n  c\"\n", "a: #b\n", "a:\n# c\n  b\n", "a: b#c\n", "- a\n b\n", "a: {b: c, d}\n",
	// Found by fuzzing.
	"0b+0", "0_X0", "\"\\/\"", "0:\r\n\t\r\n#", ">-\t#|+\n  - \r\n  ", "- \t|-", "key: |\n  \t,", "\ta", "  ---", "f: [a\n\t]", "\xef", "...", "a: b\n \t\n  c",
}
