package respelltest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const jsonSample = "{\n  \"loop\": \"kite-loop\",\n  \"empty\": {}, \"none\": [],\n  \"phases\": {\"B\": {\"status\": \"a \\\"b\\\" \\u00e9 \\\\\"}, \"A 😀\": null},\n" +
	"  \"list\": [1.0, true, [\"x\", {\"k\": -1e5, \"j\": \"é/\\/\"}]],\n  \"twice\": {\"a\": 1, \"b\": 2, \"a\": 3}\n}\n"

func TestJSONKeepsTheValue(t *testing.T) {
	for _, text := range []string{jsonSample, BOM + jsonSample, `"x"`, `[]`, ` 5 `, `{"a":{}}`} {
		want := decodeJSON(t, text)
		names, texts := map[string]bool{}, map[string]bool{}
		for _, v := range JSON(text) {
			if got := decodeJSON(t, v.Text); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %v, want %v\n%s", v.Name, got, want, v.Text)
			}
			if names[v.Name] {
				t.Errorf("two variations are named %q", v.Name)
			}
			names[v.Name], texts[v.Text] = true, true
		}
		if text == jsonSample && len(texts) != len(names) {
			t.Errorf("%d variations, %d texts", len(names), len(texts))
		}
	}
}

func decodeJSON(t *testing.T, text string) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(strings.TrimPrefix(text, BOM)), &value); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return value
}

func TestJSONKeepsOrderWhereAsked(t *testing.T) {
	for _, v := range JSON(jsonSample, "phases", "list.*.*") {
		if strings.Contains(v.Name, "escaped") {
			continue
		}
		if strings.Index(v.Text, `"B"`) > strings.Index(v.Text, `"A 😀"`) {
			t.Errorf("%s: the phases changed places\n%s", v.Name, v.Text)
		}
		if strings.Index(v.Text, `"k"`) > strings.Index(v.Text, `"j"`) {
			t.Errorf("%s: the members in the list changed places\n%s", v.Name, v.Text)
		}
		if v.Name == "reversed keys" && strings.Index(v.Text, `"list"`) > strings.Index(v.Text, `"loop"`) {
			t.Errorf("%s: the keys did not change places\n%s", v.Name, v.Text)
		}
	}
}

func TestJSONRefusesBrokenText(t *testing.T) {
	for _, text := range []string{"", "{", `{"a": 1} 2`, "not JSON"} {
		if got := JSON(text); got != nil {
			t.Errorf("%q: got %d variations", text, len(got))
		}
	}
}
