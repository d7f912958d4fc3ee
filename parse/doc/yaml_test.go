package doc

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"gatehouse/parse/respelltest"
)

// sketchYAML describes the value of a text, and each problem by its line, column and text.
func sketchYAML(text string) (value, problems string) {
	tree := ParseYAML(text, 0, len(text))
	var all []string
	for _, p := range tree.Problems {
		line, col := IndexLines(text).Position(p.At)
		all = append(all, fmt.Sprintf("%d:%d %s", line, col, p.Text))
	}
	return describe(tree.Root()), strings.Join(all, "; ")
}

func TestParseYAML(t *testing.T) {
	for text, want := range map[string]string{
		"": "nothing", "\n# a\n": "nothing", "---\n": "nothing", "a": `"a"`, "---\na: b\n": `{"a":"b"}`, "# a\n--- \n{a: b}": `{"a":"b"}`, "--- {a: b}\n": "", "a: b\n...\n": "",

		// One value in many spellings.
		"status: human_needed":                 `{"status":"human_needed"}`,
		"\"status\": human_needed":             `{"status":"human_needed"}`,
		"'status' : \"human_needed\"":          `{"status":"human_needed"}`,
		"status:\thuman_needed\t# c":           `{"status":"human_needed"}`,
		"\ufeffstatus :\r\n  human_needed\r\n": `{"status":"human_needed"}`,
		"status: >-\n  human_needed\n":         `{"status":"human_needed"}`,
		"status: |- # c\n    human_needed":     `{"status":"human_needed"}`,
		"status: \"\\x68um\\\n  an_needed\"":   `{"status":"human_needed"}`,
		"{status: human_needed}":               `{"status":"human_needed"}`,
		"{\n  status: human_needed\n}":         "", "{\"status\":human_needed,}": `{"status":"human_needed"}`,
		"  status: # c\n\n    # d\n    'human_needed'\n": `{"status":"human_needed"}`,

		// Lists and maps.
		"a:\n- b\n- c: d\n  e: f\n-\n  - g\n- - h\n  - i\nj: k": `{"a":["b",{"c":"d","e":"f"},["g"],["h","i"]],"j":"k"}`,
		"a:\n    b:\n     c: d\n    e: f\n":                     `{"a":{"b":{"c":"d"},"e":"f"}}`,
		"a: [b, \"c\", [d], {e: f, g: , 'h':i}, ]":              `{"a":["b","c",["d"],{"e":"f","g":null,"h":"i"}]}`,
		"a: [\n  b\n]\n":            "",
		"a: []\nb: {}\nc:\nd: ''\n": `{"a":[],"b":{},"c":null,"d":""}`,
		"- a:\n  - b\n-\n- c\n":     `[{"a":["b"]},null,"c"]`,

		// Scalars.
		"[~, null, Null, nil, true, False, yes, 1, 01, -1.5e+3, 0x1F, 0o17, .5, 1., .inf, -.INF, .nan]": `[null,null,null,"nil",true,False,"yes",1,01,-1.5e+3,"0x1F","0o17",.5,1.,".inf","-.INF",".nan"]`,
		"[0o8, 1e, e1, 1_000, 0b1, -0x1, ., +, 2026-01-26, 12:30, 1.2.3]":                               `["0o8","1e","e1","1_000","0b1","-0x1",".","+","2026-01-26","12:30","1.2.3"]`,
		"a: b\n c\n\n\n  d # e": `{"a":"b c\n\nd"}`,
		"a: b - c: #d":          "",
		"a: b:c#d -e ?f":        `{"a":"b:c#d -e ?f"}`,
		"a: 'b''c\n\n  d'":      `{"a":"b'c\nd"}`,
		`a: "\0\a\b\t\n\v\f\r\e\"\/\\\N\_\L\P\x41\u00e9\U0001F600"`: `{"a":"\x00\a\b\t\n\v\f\r\x1b\"/\\\u0085\u00a0\u2028\u2029Aé😀"}`,
		"a: \"b \\t \n  c\\\n   \\ d\"":                             `{"a":"b \t c d"}`,
		"a: |\n  b\n   c\n\n  d\n\n\ne: f":                          `{"a":"b\n c\n\nd\n","e":"f"}`,
		"a: |2\n   b":                                               "",
		"a: |+\n   b\n\n":                                           `{"a":"b\n\n"}`,
		"a: >\n  b\n  c\n\n  d\n   e\n  f\n":                        `{"a":"b c\nd\n e\nf\n"}`,
		"- |\n a\n-  >-\n b\n":                                      `["a\n","b"]`,
		"a: |\nb: |+\n\nc: >-\n  x\n":                               `{"a":"","b":"\n","c":"x"}`,
	} {
		got, problems := sketchYAML(text)
		if want == "" {
			if problems == "" {
				t.Errorf("%q: %s, want a problem", text, got)
			}
		} else if got != want || problems != "" {
			t.Errorf("%q: %s (%s), want %s", text, got, problems, want)
		}
	}
}

func TestYAMLProblems(t *testing.T) {
	const gone = "a value that is not supported"
	for text, want := range map[string]string{
		"a: &x b\nc: *x\nd: e":                        `{"a":` + gone + `,"c":` + gone + `,"d":"e"} 1:4 unexpected “&”; 2:4 unexpected “*”`,
		"a: !!str b\nc: d":                            `{"a":` + gone + `,"c":"d"} 1:4 unexpected “!”`,
		"!!str a: b\nc: d\n&x e: f":                   `{"a":` + gone + `,"c":"d","e":` + gone + `} 1:1 unexpected “!”; 3:1 unexpected “&”`,
		"a: b\n? c\n: d\ne: f":                        `{"a":"b","c":` + gone + `,"e":"f"} 2:1 a line that is neither a key with a value nor a list item; 3:1 a line that is neither a key with a value nor a list item`,
		"? a\n: b":                                    `{"a":` + gone + `} 1:1 a line that is neither a key with a value nor a list item; 2:1 a line that is neither a key with a value nor a list item`,
		"<<: {a: b}":                                  `{"<<":{"a":"b"}} 1:1 merge keys are not supported`,
		"a: [b, *c]\nd: [e: f]\ng: {h}":               `{"a":` + gone + `,"d":` + gone + `,"g":` + gone + `} 1:8 unexpected “*”; 2:6 a colon within a text; 3:5 a key without a colon and a blank`,
		"a: 1\n---\nb: 2":                             `{"a":1} 2:1 more than one document`,
		"%YAML 1.2\n---\na: b":                        gone + ` 1:1 unexpected “%”; 2:1 more than one document`,
		"a: 1\nb: 2\na: 3":                            `{"a":3,"b":2} 3:1 the key “a” appears twice`,
		"a: \"b\nc: d":                                `{"a":` + gone + `,"c":"d"} 1:4 a quotation mark that is not closed`,
		"a: \"\\q\"\nb: [c\nd: e":                     `{"a":` + gone + `,"b":` + gone + `,"d":"e"} 1:4 an unknown escape after a backslash; 2:6 a list or map that does not end on its line`,
		"a: b: c\nd: e\n  f: g\nh: 'i' j":             `{"a":` + gone + `,"d":` + gone + `,"h":` + gone + `} 1:5 a colon within a text; 3:4 a colon within a text; 4:8 more text after the value`,
		"a: @b\nc: %d\ne: - f":                        `{"a":` + gone + `,"c":` + gone + `,"e":` + gone + `} 1:4 unexpected “@”; 2:4 unexpected “%”; 3:4 a list on the line of its key`,
		"a:\n\tb: c\nd: e":                            `{"a":` + gone + `,"d":"e"} 2:1 a tab in the indentation`,
		"a: 1\njust text\n- item\nb: 2":               `{"a":1,"b":2} 2:1 a line that is neither a key with a value nor a list item; 3:1 a line that is neither a key with a value nor a list item`,
		"text\nb: 2":                                  `{"b":2} 1:1 a line that is neither a key with a value nor a list item`,
		"a:\n    b: 1\n  c: 2\nd: 3":                  `{"a":{"b":1,"c":2},"d":3} 3:3 a line that is indented unlike the lines above`,
		"<<<<<<< x\na: 1\n=======\na: 2\n>>>>>>> y\n": `{"a":2} 1:1 an unresolved merge conflict; 3:1 an unresolved merge conflict; 4:1 the key “a” appears twice; 5:1 an unresolved merge conflict`,
		"a: \x01\nb: \xff":                            `{"a":"\x01","b":"\xff"} 1:4 a control character, or bytes that are not UTF-8`,
		"a: |\n   \n b\nc: d":                         `{"a":` + gone + `,"c":"d"} 2:1 an empty line with spaces above the text`,
	} {
		value, problems := sketchYAML(text)
		if got := value + " " + problems; got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestYAMLOffsets checks that offsets are those of the whole text, and that values know their bytes.
func TestYAMLOffsets(t *testing.T) {
	const text = "---\nplan: 01\nlist: [a, 'b']\nmap:\n  key: |\n    text\n---\nbody: x\n"
	front := SplitFrontmatter(text)
	root := ParseYAML(text, front.Block, front.BlockEnd).Root()
	for want, v := range map[string]Value{"01": root.Get("plan"), "[a, 'b']": root.Get("list"), "|\n    text\n": root.Get("map", "key"), "key: |\n    text\n": root.Get("map")} {
		if v.Raw() != want || text[v.Offset():v.End()] != want {
			t.Errorf("%q, want %q", v.Raw(), want)
		}
	}
	if plan := root.Get("plan"); plan.Scalar() != "01" || plan.KeyOffset() != 4 || !plan.Is(Number) {
		t.Errorf("plan is %q, its key at %d", plan.Scalar(), plan.KeyOffset())
	}
	if root.Get("body").Exists() || root.Len() != 3 || root.Get("map", "key").Len() != 0 {
		t.Errorf("%s", describe(root))
	}
}

// TestRespelledYAML checks that each way to write a value gives the same reading, or a problem.
func TestRespelledYAML(t *testing.T) {
	const text = "---\nstatus: human_needed\nwave: 2\ndepends_on: [\"03-01\", 03-02]\nfiles:\n  - a.go\n  - b.go\ntruths:\n  - test: open it\n    expected: it opens\nmap:\n  key: true\n---\nbody\n"
	read := func(text string) (members map[string]string, tree *Tree) {
		front := SplitFrontmatter(text)
		tree, members = ParseYAML(text, front.Block, front.BlockEnd), map[string]string{}
		for v := range tree.Root().Children() {
			members[v.Key()] = describe(v)
		}
		return members, tree
	}
	want, _ := read(text)
	variations := respelltest.Frontmatter(text)
	for _, path := range respelltest.Paths(text[len("---\n"):strings.Index(text, "---\nbody")]) {
		variations = append(variations, respelltest.Frontmatter(text, path...)...)
	}
	if len(variations) < 100 {
		t.Errorf("%d variations", len(variations))
	}
	for _, v := range variations {
		if got, tree := read(v.Text); len(tree.Problems) == 0 && !maps.Equal(got, want) {
			t.Errorf("%s: %q:\n got %s\nwant %s", v.Name, v.Text, got, want)
		}
	}
}
