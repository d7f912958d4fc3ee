package jsondoc_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"gatehouse/parse/text/jsondoc"
	"gatehouse/parse/text/scan"
)

// FuzzParse holds that a document says what encoding/json reads in it, and that every value knows where it stands.
func FuzzParse(f *testing.F) {
	for _, doc := range []string{
		`{"a":{"b":1,"b":2},"a":{"c":[]}}`, "\ufeff{\n\t\"a\" :\r\n null\n}", `{"\u0061":1,"a":{}}`, `[1 , "x\"]",true,[ ],{ }]`, `"a"`, `-1.50e3`,
		`{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9,"9":10,"1":0,"11":1}`, `{"a":1,}`, "{\"a\x00\":1}",
	} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := jsondoc.Parse(text)
		var want any
		decoder := json.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
		decoder.UseNumber()
		if err != nil {
			var fault *jsondoc.Fault
			if !errors.As(err, &fault) || !errors.Is(err, jsondoc.ErrParse) || fault.Line < 1 || fault.Col < 1 || fault.Why == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if err := decoder.Decode(&want); err != nil {
			t.Fatalf("%q is read, and is no JSON: %v", text, err)
		}
		if got := plain(t, text, d.Root); utf8.ValidString(text) && !reflect.DeepEqual(got, want) {
			t.Errorf("%q says %v, want %v", text, got, want)
		}
	})
}

// plain returns a value as encoding/json has it.
func plain(t *testing.T, text string, v *jsondoc.Value) any {
	t.Helper()
	if text[v.At:v.At+len(v.Raw)] != v.Raw {
		t.Fatalf("%q: %q does not stand at %d", text, v.Raw, v.At)
	}
	switch v.Kind() {
	case jsondoc.Object:
		all := map[string]any{}
		for m := range v.Members() {
			if key, _ := scan.JSONText(text[m.KeyAt : strings.LastIndexByte(text[:m.Value.At], '"')+1]); key != m.Key || v.Get(m.Key) != &m.Value {
				t.Fatalf("%q: %q does not stand at %d", text, m.Key, m.KeyAt)
			}
			all[m.Key] = plain(t, text, &m.Value)
		}
		return all
	case jsondoc.Array:
		all := []any{}
		for _, e := range v.Elements() {
			all = append(all, plain(t, text, e))
		}
		return all
	case jsondoc.String:
		return v.Text()
	case jsondoc.Number:
		return json.Number(v.Raw)
	case jsondoc.Bool:
		said, _ := v.Bool()
		return said
	}
	return nil
}

func TestTwice(t *testing.T) {
	d, err := jsondoc.Parse("\ufeff{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2},\n \"a\": 3}")
	if err != nil {
		t.Fatal(err)
	}
	var keys, places []string
	for m := range d.Root.Members() {
		keys = append(keys, m.Key+"="+m.Value.Raw)
	}
	for _, twice := range d.Twice {
		line, col := d.Place(twice.KeyAt)
		places = append(places, strings.Repeat("\n", line-1)+strings.Repeat(" ", col-1)+twice.Key)
	}
	if got := strings.Join(keys, " "); got != `a=3 b={"c": 1, "c": 2}` {
		t.Error(got)
	}
	if want := []string{"\n               c", "\n\n a"}; !reflect.DeepEqual(places, want) || d.Twice[0].Object != d.Root.Get("b").At {
		t.Errorf("%q", places)
	}
	if line, col := d.Place(d.Root.At); line != 1 || col != 1 {
		t.Errorf("behind the mark is %d:%d", line, col)
	}
}

func TestValuesThatAreNotThere(t *testing.T) {
	d, err := jsondoc.Parse(`{"a": null, "l": [1], "s": "true"}`)
	if err != nil {
		t.Fatal(err)
	}
	none := d.Root.Get("a", "b")
	if none != nil || none.Kind() != jsondoc.None || none.Text() != "" || none.Len() != 0 || none.Get("x") != nil || none.Place(7) != 7 || none.Member("x") != nil {
		t.Error("a value that is not there says something")
	}
	if !d.Root.Get("a").Is(jsondoc.Null) || d.Root.Get("l").Member("") != nil || d.Root.Get("l").Len() != 1 {
		t.Error("null is there; a list has no members")
	}
	if _, ok := d.Root.Get("s").Bool(); ok {
		t.Error("a text is no boolean")
	}
}

func TestTooManyValues(t *testing.T) {
	_, err := jsondoc.Parse("[" + strings.Repeat("[],", jsondoc.MaxValues) + "1]")
	if err == nil || !strings.Contains(err.Error(), "more than 400000 values") {
		t.Error(err)
	}
	if _, err := jsondoc.Parse("[" + strings.Repeat("0,", jsondoc.MaxValues-2) + "0]"); err != nil {
		t.Error(err)
	}
}
