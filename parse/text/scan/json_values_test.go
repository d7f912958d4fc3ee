package scan

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestJSONFields(t *testing.T) {
	fields := []JSONField{{Path: []string{"a", "b"}}, {Path: []string{"a"}}, {Path: []string{"a.b"}}, {}, {Path: []string{"a", "b", "c"}}, {Path: []string{"a", "b"}}}
	for _, c := range []struct {
		doc  string
		ok   bool
		want [6]string
	}{
		{`{"a": {"b": {"c": 1}}, "a.b": 2}`, true, [6]string{`{"c": 1}`, `{"b": {"c": 1}}`, "2", `{"a": {"b": {"c": 1}}, "a.b": 2}`, "1", `{"c": 1}`}},
		{` {"a": {"b": 1}, "a": {}} `, true, [6]string{"", "{}", "", `{"a": {"b": 1}, "a": {}}`, "", ""}},
		{`{"a": {"b": {"c": 1}, "b": 3}}`, true, [6]string{"3", `{"b": {"c": 1}, "b": 3}`, "", `{"a": {"b": {"c": 1}, "b": 3}}`, "", "3"}},
		{`{"a": [{"b": 1}]}`, true, [6]string{"", `[{"b": 1}]`, "", `{"a": [{"b": 1}]}`, "", ""}},
		{`[{"a": 1}]`, true, [6]string{"", "", "", `[{"a": 1}]`, "", ""}},
		{`{"x": {"a": {"b": 1}}}`, true, [6]string{"", "", "", `{"x": {"a": {"b": 1}}}`, "", ""}},
		{`{"a": {"b": 1}`, false, [6]string{}}, {`{"a": 1}}`, false, [6]string{}}, {"", false, [6]string{}},
	} {
		if ok := JSONFields(c.doc, fields); ok != c.ok {
			t.Errorf("%s: %v", c.doc, ok)
		}
		for i, want := range c.want {
			if fields[i].Value != want {
				t.Errorf("%s: field %d is %q, want %q", c.doc, i, fields[i].Value, want)
			}
		}
	}
	if JSONFields("{}", make([]JSONField, 33)) {
		t.Error("more fields than one walk can look for")
	}
}

func TestJSONText(t *testing.T) {
	for value, want := range map[string]string{
		`""`: "", `"a b"`: "a b", `"\u00e9\n\\\"\/"`: "é\n\\\"/", `"x\ud83d\ude00\ud83d"`: "x😀\ufffd", `"\udc00\ud800\u0041"`: "\ufffd\ufffdA",
	} {
		if got, ok := JSONText(value); got != want || !ok {
			t.Errorf("%s: %q, %v", value, got, ok)
		}
	}
	for _, value := range []string{"", "1", "null", "[]", "{}", `"`} {
		if got, ok := JSONText(value); ok {
			t.Errorf("%s: %q", value, got)
		}
	}
}

func TestJSONArray(t *testing.T) {
	for value, want := range map[string]string{
		"[]": "", "[ ]": "", "[1]": "1", `[ 1 , {"a": [2, 3]},"]" , [] ]`: `1|{"a": [2, 3]}|"]"|[]`, "{}": "", "": "", "1": "", "[1": "1", "[1 2]": "1", "[,]": "", "[x]": "",
	} {
		var all []string
		for a := (JSONArray{Rest: value}); ; {
			element, ok := a.Next()
			if !ok {
				break
			}
			all = append(all, element)
		}
		if got := strings.Join(all, "|"); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}

func TestJSONMembers(t *testing.T) {
	for value, want := range map[string]string{
		"{}": "", "{ }": "", `{"a":1}`: `"a"=1`, `{ "b" : {"c": [2, 3]} ,"\u0061":"}" , "b": null }`: `"b"={"c": [2, 3]}|"\u0061"="}"|"b"=null`,
		"[]": "", "": "", "1": "", `{"a":1`: `"a"=1`, `{"a":1 "b":2}`: `"a"=1`, "{,}": "", `{"a"}`: "", `{"a":}`: "", `{"a":1,}`: `"a"=1`, `{a:1}`: "", `{"a`: "",
	} {
		var all []string
		for m := (JSONMembers{Rest: value}); ; {
			key, member, ok := m.Next()
			if !ok {
				break
			}
			all = append(all, key+"="+member)
		}
		if got := strings.Join(all, "|"); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}

func TestJSONNumber(t *testing.T) {
	for _, value := range []string{
		"0", "-0", "1", "-1", "45", "33.5", "99.99999999999999", "0.1", "16.5", "1e3", "1E+3", "1.5e-3", "123456789012345", "9007199254740993", "0.000001",
		"1e22", "1e-22", "4.35", "1e999", "-1e999", "1e-999", "0e999", "1" + strings.Repeat("0", 400), "0." + strings.Repeat("0", 400) + "1", "1e99999999999999999999",
		"1e-99999999999999999999", "12345678901234567890123", "0.30000000000000004",
	} {
		want, _ := strconv.ParseFloat(value, 64)
		got, ok := JSONNumber(value)
		if !ok || got != want && math.Abs(got/want-1) > 1e-15 {
			t.Errorf("%s: %v, %v, want %v", value, got, ok, want)
		}
	}
	for _, value := range []string{"", "-", "null", `"1"`, "[]", "{}", "true"} {
		if got, ok := JSONNumber(value); ok {
			t.Errorf("%s: %v", value, got)
		}
	}
}

func TestJSONValuesDoNotAllocate(t *testing.T) {
	doc := `{"a": {"b": [1, 2]}, "c": "text", "d": 45.5}`
	fields := []JSONField{{Path: []string{"a", "b"}}, {Path: []string{"c"}}, {Path: []string{"d"}}}
	n := testing.AllocsPerRun(100, func() {
		JSONFields(doc, fields)
		for a := (JSONArray{Rest: fields[0].Value}); ; {
			if _, ok := a.Next(); !ok {
				break
			}
		}
		for m := (JSONMembers{Rest: doc}); ; {
			if _, _, ok := m.Next(); !ok {
				break
			}
		}
		JSONText(fields[1].Value)
		JSONNumber(fields[2].Value)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzJSONMembers(f *testing.F) {
	for _, seed := range []string{`{"a": {"b": [1]}, "c": "d"}`, `{"a": 1, "a": 2}`, `{"\u0061" : -0.5e3 , "b":{}}`, `{"a":`, "{}", `{"a": 1,}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		var want map[string]json.RawMessage
		valid := json.Unmarshal([]byte(doc), &want) == nil && want != nil && strings.ToValidUTF8(doc, "") == doc
		got := make(map[string]string)
		for m := (JSONMembers{Rest: doc}); ; {
			key, value, ok := m.Next()
			if !ok {
				break
			}
			text, ok := JSONText(key)
			if !ok {
				t.Fatalf("%s: the key %s is no string", doc, key)
			}
			got[text] = value
		}
		if !valid {
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d members, want %d", doc, len(got), len(want))
		}
		for key, value := range want {
			if got[key] != string(value) {
				t.Fatalf("%s: %q is %s, want %s", doc, key, got[key], value)
			}
		}
	})
}

func FuzzJSONValues(f *testing.F) {
	for _, seed := range []string{`[1, -0.5e3, "\ud83d\ude00\ud83d"]`, `["a\u0000b", 1e22, 99.5]`, `[123456789012345678901234567890, 1e-320]`, `["\""`, "[[],{}]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		var want []any
		valid := json.Unmarshal([]byte(doc), &want) == nil && want != nil && strings.ToValidUTF8(doc, "") == doc
		n := 0
		for a := (JSONArray{Rest: doc}); ; n++ {
			element, ok := a.Next()
			if !ok {
				break
			}
			text, isText := JSONText(element)
			number, isNumber := JSONNumber(element)
			if !valid {
				continue
			}
			wantText, ok := want[n].(string)
			if ok != isText || text != wantText {
				t.Fatalf("%s: %q, %v, want %q, %v", element, text, isText, wantText, ok)
			}
			wantNumber, ok := want[n].(float64)
			if ok != isNumber || math.Abs(number-wantNumber) > math.Abs(wantNumber)*1e-14 && math.Abs(wantNumber) > 1e-300 {
				t.Fatalf("%s: %v, %v, want %v, %v", element, number, isNumber, wantNumber, ok)
			}
		}
		if valid && n != len(want) {
			t.Fatalf("%s: %d elements, want %d", doc, n, len(want))
		}
	})
}
