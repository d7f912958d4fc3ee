package scan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestJSONValue(t *testing.T) {
	for _, c := range []struct {
		doc, path, want string
		ok              bool
	}{
		{`{"a": 1}`, "a", "1", true}, {`{"a": {"b": "x"}}`, "a b", `"x"`, true}, {`{"a.b": 1, "a": {"b": 2}}`, "a.b", "1", true},
		{`{"a": 1, "a": [2, {"b": 3}]}`, "a", `[2, {"b": 3}]`, true}, {`{"a": {"b": 1}, "a": {}}`, "a b", "", false},
		{`{"\u0061": true}`, "a", "true", true}, {` [1] `, "", "[1]", true}, {`[{"a": 1}]`, "a", "", false}, {`"a"`, "a", "", false},
		{`{"a": {"b": 1}}`, "b", "", false}, {`{"c": {"a": 1}}`, "a", "", false}, {`{"a": 1}`, "a b", "", false},
		{`{"a": 1,}`, "a", "", false}, {`{"a": 1} x`, "a", "", false}, {"\ufeff{\"a\": 1}", "a", "", false}, {`{a: 1}`, "a", "", false},
		{`{"a": 01}`, "a", "", false}, {`{"a": 1.}`, "a", "", false}, {`{"a": -}`, "a", "", false}, {`{"a": 1e}`, "a", "", false},
		{`{"a": -0.5E+7}`, "a", "-0.5E+7", true}, {`{"a": "\x"}`, "a", "", false}, {`{"a": "\u12G4"}`, "a", "", false},
		{"{\"a\": \"\n\"}", "a", "", false}, {`{"a": "`, "a", "", false}, {`{"a"`, "a", "", false}, {`{`, "a", "", false}, {``, "", "", false},
		{`{"a": tru}`, "a", "", false}, {"{\"a\": \"\xff\"}", "a", "\"\xff\"", true}, {`{}`, "", "{}", true}, {`{"a": }`, "a", "", false},
		{strings.Repeat("[", 600) + strings.Repeat("]", 600), "", "", false},
		{strings.Repeat("[", 500) + strings.Repeat("]", 500), "", strings.Repeat("[", 500) + strings.Repeat("]", 500), true},
		{strings.Repeat(`{"a":`, 1<<20), "a", "", false},
	} {
		path := strings.Fields(c.path)
		if got, ok := JSONValue(c.doc, path...); got != c.want || ok != c.ok {
			t.Errorf("JSONValue(%.80q, %q) = %.80q, %v, want %.80q, %v", c.doc, path, got, ok, c.want, c.ok)
		}
	}
}

// TestPlacesOfValues finds out where values stand, for who changes them.
func TestPlacesOfValues(t *testing.T) {
	const doc = `{"a": 1 , "b" : {"c": "}"},"a":[2 ]}`
	got := ""
	for m := (JSONMembers{Rest: doc}); ; {
		key, value, ok := m.Next()
		if !ok {
			break
		}
		got += key + "=" + value + "@" + fmt.Sprint(len(doc)-len(m.Rest)-len(value)) + " "
	}
	if want := `"a"=1@6 "b"={"c": "}"}@16 "a"=[2 ]@31 `; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	field := []JSONField{{Path: []string{"b", "c"}}, {Path: []string{"x"}}}
	if JSONFields(doc, field); field[0].At() != 22 || field[1].At() != 0 {
		t.Errorf("at %d and %d", field[0].At(), field[1].At())
	}
}

func TestJSONDoesNotAllocate(t *testing.T) {
	doc := `{"x": [1, {"y": null}], "statusline": {"state_format": "comp\u0061ct"}}`
	n := testing.AllocsPerRun(100, func() {
		value, _ := JSONValue(doc, "statusline", "state_format")
		if !JSONStringIs(value, "compact") {
			t.Error(value)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a": {"b": "compact"}}`, `[1, -0.5e3, "\ud83d\ude00\ud83d"]`, `{"a": 1, "a": 2}`, `"\u0061"`, `{"a":`, "\"\xff\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		value, ok := JSONValue(doc)
		if want := json.Valid([]byte(doc)); ok != want && strings.Count(doc, "[")+strings.Count(doc, "{") < jsonDepth {
			t.Fatalf("valid %v, want %v", ok, want)
		}
		var text string
		if ok && value[0] == '"' && json.Unmarshal([]byte(value), &text) == nil && strings.ToValidUTF8(doc, "") == doc && !JSONStringIs(value, text) {
			t.Fatalf("%s is not %q", value, text)
		}
		var object map[string]json.RawMessage
		if ok && value[0] == '{' && json.Unmarshal([]byte(value), &object) == nil {
			last := map[string]string{}
			for members := (JSONMembers{Rest: value}); ; {
				key, value, ok := members.Next()
				if !ok {
					break
				}
				text, _ := JSONText(key)
				last[text] = value
			}
			if strings.ToValidUTF8(doc, "") == doc && len(last) != len(object) {
				t.Fatalf("members %q, want %q", last, object)
			}
			for key, want := range object {
				if strings.ToValidUTF8(doc, "") == doc && last[key] != string(want) {
					t.Fatalf("the last %q is %q, want %q", key, last[key], want)
				}
				if got, ok := JSONValue(doc, key); strings.ToValidUTF8(doc, "") == doc && (!ok || got != string(want)) {
					t.Fatalf("%q is %q, want %q", key, got, want)
				}
			}
		}
	})
}
