package doc

import (
	"fmt"
	"testing"
)

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
