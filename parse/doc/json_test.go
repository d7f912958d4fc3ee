package doc

import (
	"encoding/json"
	"fmt"
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

// TestDuplicateLargeMaps checks that members of a large map are found if the map replaces, or is replaced by, another value of its key.
func TestDuplicateLargeMaps(t *testing.T) {
	large := func(name string) string {
		text := ""
		for i := range 2 * indexedFrom {
			text += fmt.Sprintf(`"%s%d": %d, `, name, i, i)
		}
		return "{" + text + `"end": 0}`
	}
	text := `{"x": 0, "a": ` + large("m") + `, "a": ` + large("n") + `, "b": 1, "b": ` + large("m") + `, "c": ` + large("m") + `, "c": {"k": 2}}`
	json, err := ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range []Value{json.Root(), ParseYAML(text, 0, len(text)).Root()} {
		for path, want := range map[[2]string]string{{"a", "n40"}: "40", {"a", "m40"}: "", {"b", "m63"}: "63", {"c", "k"}: "2", {"c", "m1"}: ""} {
			if got := root.Get(path[0], path[1]).Scalar(); got != want {
				t.Errorf("%v is %q, want %q", path, got, want)
			}
		}
	}
}
