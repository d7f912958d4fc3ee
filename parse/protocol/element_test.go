package protocol_test

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
)

func TestAddElementKeepsTheLayout(t *testing.T) {
	for before, want := range map[string]string{
		`{}`:                                "{\n  \"a\": {\n    \"b\": [\n      {\n        \"x\": 1\n      }\n    ]\n  }\n}",
		"\ufeff{\r\n}\r\n":                  "\ufeff{\r\n  \"a\": {\r\n    \"b\": [\r\n      {\r\n        \"x\": 1\r\n      }\r\n    ]\r\n  }\r\n}\r\n",
		`{"c":1}`:                           `{"c":1,"a":{"b":[{"x":1}]}}`,
		`{"c": 1}`:                          `{"c": 1, "a": {"b":[{"x":1}]}}`,
		"{\n\t\"c\": 1\n}":                  "{\n\t\"c\": 1,\n\t\"a\": {\n\t\t\"b\": [\n\t\t\t{\n\t\t\t\t\"x\": 1\n\t\t\t}\n\t\t]\n\t}\n}",
		"{\n \"a\": {}\n}":                  "{\n \"a\": {\n  \"b\": [\n   {\n    \"x\": 1\n   }\n  ]\n }\n}",
		"{\n \"a\": {\n  \"b\": []\n }\n}":  "{\n \"a\": {\n  \"b\": [\n   {\n    \"x\": 1\n   }\n  ]\n }\n}",
		"{\n \"a\": {\"b\": [7, 8]}\n}":     "{\n \"a\": {\"b\": [7, 8, {\"x\":1}]}\n}",
		"{\n \"a\": {\"b\": null}\n}":       "{\n \"a\": {\"b\": [{\"x\":1}]}\n}",
		"{\n \"a\": {\"b\": [\n   7\n]}\n}": "{\n \"a\": {\"b\": [\n   7,\n   {\n    \"x\": 1\n   }\n]}\n}",
		`[]`:                                "error: the document: not an object",
		`{"a":[]}`:                          "error: a: not an object",
		`{"a":[7]}`:                         "error: a: not an object",
		`{"a":{"b":"x"}}`:                   "error: a.b: not a list",
		`{"a":{"b":{"c":1}}}`:               "error: a.b: not a list",
	} {
		tree, syntax := doc.ParseJSON(before)
		if syntax != nil {
			t.Fatal(syntax)
		}
		span, err := protocol.AddElement(tree, []string{"a", "b"}, `{"x":1}`)
		if err != nil {
			if err.Error() != strings.TrimPrefix(want, "error: ") {
				t.Errorf("%q: %v, want %s", before, err, want)
			}
			continue
		}
		if after, err := protocol.Apply(before, []model.Span{span}); err != nil || after != want {
			t.Errorf("%q becomes\n%q, want\n%q", before, after, want)
		}
	}
}
