package scan

import "testing"

func TestJSONScalar(t *testing.T) {
	for value, want := range map[string]string{
		`"a"`: "a", `"é\n"`: "é\n", `""`: "", "5": "5", "-1.5e3": "-1.5e3", "0": "", "-0.0": "", "true": "true", "false": "", "null": "", "{}": "", "[1]": "", "": "",
	} {
		if got := JSONScalar(value); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}

func TestJSONCount(t *testing.T) {
	for value, want := range map[string]int{
		"5": 5, "5.9": 5, "-3": 0, `"8"`: 8, `" 8 "`: 8, "1e3": 1000, "1e12": countLimit, "0": 0,
		`"x"`: -1, `""`: -1, "1e400": -1, "true": -1, "null": -1, "[5]": -1, "{}": -1, "": -1, `"1 2"`: -1,
	} {
		if got, ok := JSONCount(value); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %d, %v, want %d", value, got, ok, want)
		}
	}
}

func TestOffset(t *testing.T) {
	doc := `{"a": [1, {"b": "c"}]}`
	value, _ := JSONValue(doc, "a")
	if got := Offset(doc, value); got != 6 {
		t.Errorf("%d", got)
	}
	if Offset(doc, doc) != 0 || Offset(doc, "") != -1 || Offset("", doc) != -1 || Offset(doc, string([]byte(value))) != -1 || Offset(value, doc) != -1 {
		t.Error("a text of elsewhere has no place")
	}
}
