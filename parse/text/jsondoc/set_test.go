package jsondoc_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/jsondoc"
)

// set returns content with values set: path and value in turn, a path's keys separated by ".".
func set(t *testing.T, content string, pairs ...string) (string, []model.Span, error) {
	t.Helper()
	var values []jsondoc.Assignment
	for pair := range slices.Chunk(pairs, 2) {
		values = append(values, jsondoc.Text(pair[1], strings.Split(pair[0], ".")...))
	}
	spans, err := jsondoc.Set(content, values)
	if err != nil {
		return content, nil, err
	}
	after, err := protocol.Apply(content, spans)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := protocol.Apply(after, protocol.Invert(spans)); err != nil || back != content {
		t.Errorf("taken back, %q is %q (%v)", content, back, err)
	}
	return after, spans, nil
}

func TestSet(t *testing.T) {
	for name, c := range map[string]struct {
		before, path, after string
	}{
		"a string":                   {`{"a": "1"}`, "a", `{"a": "X"}`},
		"null":                       {`{"a":null}`, "a", `{"a":"X"}`},
		"a number":                   {`{"a":-1.0e3 ,"b":1.0}`, "a", `{"a":"X" ,"b":1.0}`},
		"an object":                  {`{"a":{"b":1}}`, "a", `{"a":"X"}`},
		"an array":                   {`{"a":[1, {"a": 2}]}`, "a", `{"a":"X"}`},
		"a repeated member":          {`{"a":1,"a":2}`, "a", `{"a":1,"a":"X"}`},
		"a repeated parent":          {`{"a":{"b":1},"a":{"b":2}}`, "a.b", `{"a":{"b":1},"a":{"b":"X"}}`},
		"a parent repeated without":  {`{"a":{"b":1},"a":{"c":2}}`, "a.b", `{"a":{"b":1},"a":{"c":2,"b":"X"}}`},
		"an escaped key":             {`{"\u0061":{"\"\/":1}}`, `a."/`, `{"\u0061":{"\"\/":"X"}}`},
		"a key that is a path":       {`{"a.b":1,"a":{"b":2}}`, "a.b", `{"a.b":1,"a":{"b":"X"}}`},
		"a byte order mark":          {"\ufeff{\"a\":1}", "a", "\ufeff{\"a\":\"X\"}"},
		"a byte order mark, added":   {"\ufeff{\"b\":1}", "a", "\ufeff{\"b\":1,\"a\":\"X\"}"},
		"bytes that are not UTF-8":   {"{\"l\":\"\xe9\",\"a\":1}", "a", "{\"l\":\"\xe9\",\"a\":\"X\"}"},
		"added, indented":            {"{\n  \"b\": 1\n}\n", "a", "{\n  \"b\": 1,\n  \"a\": \"X\"\n}\n"},
		"added, CRLF":                {"{\r\n\t\"b\": 1,\r\n\t\"c\": 2\r\n}", "a", "{\r\n\t\"b\": 1,\r\n\t\"c\": 2,\r\n\t\"a\": \"X\"\r\n}"},
		"added, minified":            {`{"b":1,"c":2}`, "a", `{"b":1,"c":2,"a":"X"}`},
		"added, one line":            {`{"b": 1, "c": 2}`, "a", `{"b": 1, "c": 2, "a": "X"}`},
		"added, one member":          {`{"b": 1}`, "a", `{"b": 1, "a": "X"}`},
		"added, one member, minimal": {`{"b":1}`, "a", `{"b":1,"a":"X"}`},
		"added, one member, padded":  {`{ "b": 1 }`, "a", `{ "b": 1, "a": "X" }`},
		"added, commas in front":     {"{ \"b\" : 1\n, \"c\" : 2\n}", "a", "{ \"b\" : 1\n, \"c\" : 2\n, \"a\" : \"X\"\n}"},
		"added, nested before":       {`{"b": {"c": 1,"d": 2}, "e": 3}`, "a", `{"b": {"c": 1,"d": 2}, "e": 3, "a": "X"}`},
		"added to nothing":           {`{}`, "a", `{"a": "X"}`},
		"added to nothing, minified": {`{"b":{}}`, "b.a", `{"b":{"a":"X"}}`},
		"added to nothing, spread":   {"{\"b\": {\n}}", "b.a", "{\"b\": {\"a\": \"X\"\n}}"},
	} {
		t.Run(name, func(t *testing.T) {
			after, spans, err := set(t, c.before, c.path, "X")
			if err != nil || after != c.after {
				t.Errorf("%q becomes %q (%v), want %q", c.before, after, err, c.after)
			}
			if len(spans) != 1 || spans[0].Label != c.path {
				t.Errorf("spans: %+v", spans)
			}
		})
	}
}

func TestSetSeveral(t *testing.T) {
	for _, c := range []struct {
		before string
		pairs  []string
		after  string
	}{
		{`{"g":{"s":"a"},"u":"t"}`, []string{"u", "T", "g.s", "A", "g.p", "P", "g.r", "R"}, `{"g":{"s":"A","p":"P","r":"R"},"u":"T"}`},
		{`{"g": {}}`, []string{"g.p", "P", "g.r", "R"}, `{"g": {"p": "P", "r": "R"}}`},
		{`{"g":{}}`, []string{"g.p", "P", "g.r", "R", "x", "Y"}, `{"g":{"p":"P","r":"R"},"x":"Y"}`},
		{`{"a":"\u0041","b":1}`, []string{"a", "A", "b", "B"}, `{"a":"\u0041","b":"B"}`}, // a says it already
		{`{"a":"A"}`, []string{"a", "A"}, `{"a":"A"}`},
		{`{"a":1}`, nil, `{"a":1}`},
		{`{"a":1}`, []string{"a", "\"\\\n\r\t\x01\x7f\u0085<&>é\u2028\xff"}, `{"a":"\"\\\n\r\t\u0001\u007f\u0085<&>é` + "\u2028\ufffd\"}"},
	} {
		after, _, err := set(t, c.before, c.pairs...)
		if err != nil || after != c.after {
			t.Errorf("%s becomes %s (%v), want %s", c.before, after, err, c.after)
		}
	}

	// More values than the scanner finds in one walk.
	before, want, pairs := "{\n", "{\n", []string(nil)
	for i := range 100 {
		key := "k" + strings.Repeat("x", i)
		before, want = before+`"`+key+"\": {\"a\": 1},\n", want+`"`+key+"\": {\"a\": \"X\"},\n"
		pairs = append(pairs, key+".a", "X")
	}
	if after, _, err := set(t, before+`"z": 0}`, pairs...); err != nil || after != want+`"z": 0}` {
		t.Errorf("%v: %s", err, after)
	}
}

func TestSetRefuses(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600)
	for name, c := range map[string]struct {
		content, path string
		is            error
		says          string
	}{
		"nothing":                {"", "a", jsondoc.ErrParse, "line 1, column 1: the text ends too early"},
		"half":                   {"{\n  \"a\": \"x", "a", jsondoc.ErrParse, "line 2, column 9: the text ends too early"},
		"a trailing comma":       {"{\r\n  \"a\": 1,\r\n}", "a", jsondoc.ErrParse, "line 3, column 1: unexpected text"},
		"a comment":              {"{\n  // a\n}", "a", jsondoc.ErrParse, "line 2, column 3: unexpected text"},
		"a conflict":             {"{\n  \"é\": 1,\n<<<<<<< HEAD\n  \"a\": 1\n}", "a", jsondoc.ErrParse, "line 3, column 1: a merge conflict"},
		"garbage behind":         {`{"a":1} x`, "a", jsondoc.ErrParse, "column 9: more text behind"},
		"garbage behind a mark":  {"\ufeff{\"a\":1} x", "a", jsondoc.ErrParse, "line 1, column 9: more text behind"},
		"two documents":          {"{\"a\":1}\n{\"a\":2}", "a", jsondoc.ErrParse, "line 2, column 1"},
		"NUL":                    {"{\"a\":1,\x00}", "a", jsondoc.ErrParse, "column 8: a NUL byte"},
		"NUL in a string":        {"{\"a\":\"\x00\"}", "a", jsondoc.ErrParse, "column 7: a NUL byte"},
		"a line break in a text": {"{\"a\":\"x\n\"}", "a", jsondoc.ErrParse, "line 1, column 8: an unexpected control character or end of line"},
		"UTF-16, little end":     {"\xff\xfe{\x00}\x00", "a", jsondoc.ErrParse, "UTF-16"},
		"UTF-16, big end":        {"\xfe\xff\x00{\x00}", "a", jsondoc.ErrParse, "UTF-16"},
		"UTF-16 without a mark":  {"{\x00}\x00", "a", jsondoc.ErrParse, "a NUL byte"},
		"a bad number":           {`{"a": 01}`, "a", jsondoc.ErrParse, "column 9"},
		"a bad escape":           {`{"a": "\x"}`, "a", jsondoc.ErrParse, "column 9: unexpected text"},
		"too deep":               {deep, "a", jsondoc.ErrParse, "nested deeper"},
		"a missing parent":       {`{"b":{}}`, "a.b", jsondoc.ErrNoParent, "a.b: no such parent as a"},
		"a missing grandparent":  {`{"a":{}}`, "a.b.c", jsondoc.ErrNoParent, "no such parent as a.b"},
		"a parent gone":          {`{"a":{"b":{}},"a":{}}`, "a.b.c", jsondoc.ErrNoParent, "no such parent as a.b"},
		"a parent that is null":  {`{"a":null}`, "a.b", jsondoc.ErrNotObject, "a.b: a is not an object"},
		"a parent that is text":  {`{"a":{"b":1},"a":"{}"}`, "a.b", jsondoc.ErrNotObject, "a is not an object"},
		"an array":               {`[{"a":1}]`, "a", jsondoc.ErrNotObject, "the document is not an object"},
		"null":                   {`null`, "a", jsondoc.ErrNotObject, "the document is not an object"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := set(t, c.content, c.path, "X")
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.is.Error()) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
	if _, _, err := set(t, "{}", "\x1b]0;owned\a.b", "X"); err == nil || strings.ContainsAny(err.Error(), "\x1b\a") {
		t.Errorf("%q", err)
	}
	if _, err := jsondoc.Set("{}", []jsondoc.Assignment{{}}); !errors.Is(err, jsondoc.ErrNoParent) {
		t.Errorf("the document itself: %v", err)
	}
	for _, pairs := range [][]string{{"a", "1", "a", "2"}, {"a", "1", "a.b", "2"}, {"a.b", "1", "c", "3", "a", "2"}} {
		if _, _, err := set(t, `{"a":{}}`, pairs...); err == nil {
			t.Errorf("%q is accepted", pairs)
		}
	}
}
