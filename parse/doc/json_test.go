package doc

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzJSON compares the parser with the standard library, except for its limits and its UTF-8.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a": [1, -0.5e+3, true, null, "b\u00e9\ud83d\ude00\ud800\n"], "a": {}}`, "[", `{"a":}`, "[01]", `"\x"`, "\ufeff 1 ", "[1,]", "tru", `"\u12`, "[1", `{"a": 1`, `{"a"`, `["`, "1.", "-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := ParseJSON(text)
		plain := strings.TrimPrefix(text, ByteOrderMark)
		var want any
		if libraryErr := json.Unmarshal([]byte(plain), &want); (err == nil) != (libraryErr == nil) {
			if _, outOfRange := libraryErr.(*json.UnmarshalTypeError); !outOfRange && len(text) < maxDepth {
				t.Fatalf("%q: %v, and the library: %v", text, err, libraryErr)
			}
		}
		if err != nil {
			if err.At < 0 || err.At > len(text) || err.Reason == "" {
				t.Fatalf("%q: %+v", text, err)
			}
			return
		}
		checkTree(t, tree)
		checkJSON(t, tree.Root(), want)
	})
}

// checkJSON fails unless a value equals the one that the library decoded.
func checkJSON(t *testing.T, v Value, want any) {
	t.Helper()
	ok := true
	switch want := want.(type) {
	case map[string]any:
		ok = v.Is(Map)
		for key, member := range want {
			if strings.ToValidUTF8(v.tree.Text, "") == v.tree.Text {
				checkJSON(t, v.Get(key), member)
			}
		}
	case []any:
		ok = v.Is(List) && v.Len() == len(want)
		i := 0
		for c := range v.Children() {
			checkJSON(t, c, want[i])
			i++
		}
	case string:
		ok = v.Is(String) && strings.ToValidUTF8(v.Text(), "\uFFFD") == strings.ToValidUTF8(want, "\uFFFD")
		if strings.ToValidUTF8(v.Raw(), "") != v.Raw() {
			ok = v.Is(String)
		}
	case float64:
		ok = v.Is(Number)
	case bool:
		b, isBool := v.Bool()
		ok = isBool && b == want
	}
	if !ok {
		t.Fatalf("%q is %s, want %v", v.Raw(), describe(v), want)
	}
}

func TestSetJSON(t *testing.T) {
	for _, c := range []struct{ before, path, want string }{
		{`{"a": "1"}`, "a", `{"a": "X"}`},
		{`{"a":[1, {"a": 2}]}`, "a", `{"a":"X"}`},
		{`{"a":1,"a":2}`, "a", `{"a":1,"a":"X"}`},
		{`{"a":{"b":1},"a":{"c":2}}`, "a.b", `{"a":{"b":1},"a":{"c":2,"b":"X"}}`},
		{`{"\u0061":{"\"\/":1}}`, `a."/`, `{"\u0061":{"\"\/":"X"}}`},
		{"\ufeff{\"b\":1}", "a", "\ufeff{\"b\":1,\"a\":\"X\"}"},
		{"{\n  \"b\": 1\n}\n", "a", "{\n  \"b\": 1,\n  \"a\": \"X\"\n}\n"},
		{"{\r\n\t\"b\": 1,\r\n\t\"c\": 2\r\n}", "a", "{\r\n\t\"b\": 1,\r\n\t\"c\": 2,\r\n\t\"a\": \"X\"\r\n}"},
		{`{ "b": 1 }`, "a", `{ "b": 1, "a": "X" }`},
		{"{ \"b\" : 1\n, \"c\" : 2\n}", "a", "{ \"b\" : 1\n, \"c\" : 2\n, \"a\" : \"X\"\n}"},
		{`{}`, "a", `{"a": "X"}`},
		{`{"b":{}}`, "b.a", `{"b":{"a":"X"}}`},
		{`{"g": {}}`, "g.p g.r", `{"g": {"p": "X", "r": "X"}}`},
		{`{"a":"\u0058"}`, "a", `{"a":"\u0058"}`},
		{`[1]`, "a", "the document: not an object"},
		{`{"a":null}`, "a.b", "a: not an object"},
		{`{"a":{}}`, "a.b.c", "a.b.c: no such parent"},
		{`{"a":{}}`, "a.b a", "a.b: it is set twice, or inside a value that is set"},
		{`{"a":1,}`, "a", "unexpected text"},
	} {
		var assignments []Assignment
		for _, path := range strings.Fields(c.path) {
			assignments = append(assignments, AssignText("X", strings.Split(path, ".")...))
		}
		spans, err := SetJSON(c.before, assignments)
		got, ok := Apply(c.before, spans)
		if back, undone := Apply(got, Invert(spans)); !ok || !undone || back != c.before {
			t.Errorf("%s: taken back it is %s", c.before, back)
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.before, got, c.want)
		}
	}
}

func TestListEdits(t *testing.T) {
	for _, c := range []struct{ before, inserted, removed string }{
		{"[]", "[\n  {\n    \"k\": \"v\"\n  }\n]", "no element at this place"},
		{"[\n]\n", "[\n  {\n    \"k\": \"v\"\n  }\n]\n", "no element at this place"},
		{`[{"id":"a","n":1}]`, `[{"k":"v"},{"id":"a","n":1}]`, "[]"},
		{`[{"id": "a"}]`, `[{"k": "v"}, {"id": "a"}]`, "[]"},
		{`[{"id":"a"} , {"id":"b"}]`, `[{"k":"v"} , {"id":"a"} , {"id":"b"}]`, `[{"id":"b"}]`},
		{"[\n\t{\n\t\t\"id\": \"a\"\n\t}\n]", "[\n\t{\n\t\t\"k\": \"v\"\n\t},\n\t{\n\t\t\"id\": \"a\"\n\t}\n]", "[]"},
		{`[7, 8]`, `[{"k": "v"}, 7, 8]`, `[8]`},
		{"{}", "the document: not a list", "the document: not a list"},
	} {
		at := 0
		if tree, err := ParseJSON(c.before); err == nil {
			for e := range tree.Root().Children() {
				at = e.Offset()
				break
			}
		}
		inserted, err := InsertObject(c.before, []Field{{"k", "v"}})
		checkEdit(t, c.before, inserted, err, c.inserted)
		removed, err := RemoveElement(c.before, at)
		checkEdit(t, c.before, removed, err, c.removed)
	}
}

func checkEdit(t *testing.T, before string, span Span, err error, want string) {
	t.Helper()
	got, ok := Apply(before, []Span{span})
	if err != nil {
		got = err.Error()
	}
	if got != want || !ok {
		t.Errorf("%s: %s, want %s", before, got, want)
	}
}
