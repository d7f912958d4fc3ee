// The documents of a loop, read leniently: texts that stand where another form has objects, and what can't be read at all.

package loop

import (
	"errors"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/text/jsondoc"
)

var kindWords = map[jsondoc.Kind]string{
	jsondoc.String: "text", jsondoc.Number: "a number", jsondoc.Bool: "true or false", jsondoc.Null: "null", jsondoc.Array: "a list", jsondoc.Object: "an object",
}

// parse reads a document. Its error is a [mirror.Fault] with the place.
func parse(text string) (*jsondoc.Document, error) {
	doc, err := jsondoc.Parse(text)
	var broken *jsondoc.Fault
	if !errors.As(err, &broken) {
		return doc, err
	}
	fault := &mirror.Fault{Line: broken.Line, Col: broken.Col, Text: "this is no JSON: " + broken.Why}
	if broken.Truncated {
		fault.Text = "the JSON breaks off here"
	}
	return nil, fault
}

// texts returns the texts of a list, those of the objects in it by one of the keys. whole is false where the value is no
// list, or something in it is neither.
func texts(v *jsondoc.Value, keys ...string) (all []string, whole bool) {
	whole = v.Is(jsondoc.Array)
	for _, e := range v.Elements() {
		if text, ok := named(e, keys...); ok {
			all = append(all, text)
		} else {
			whole = false
		}
	}
	return all, whole
}

// demanded returns the names in a value that should be a list of deliverables, whatever it is: what a gate asks for is not lost because
// somebody wrote it in another way. What is no name at all is demanded by its JSON, so that nobody finds it.
func demanded(v *jsondoc.Value) (all []string) {
	switch text, ok := named(v, "file", "path", "name"); {
	case v == nil || v.Is(jsondoc.Null):
	case ok && text == "":
		all = append(all, nameless+`""`)
	case ok:
		all = append(all, text)
	case v.Is(jsondoc.Array):
		for _, e := range v.Elements() {
			if e.Is(jsondoc.Null) {
				all = append(all, nameless+"null")
			}
			all = append(all, demanded(e)...)
		}
	case v.Is(jsondoc.Object):
		for m := range v.Members() {
			all = append(all, demanded(&m.Value)...)
		}
	default:
		all = append(all, nameless+v.Raw)
	}
	return all
}

// nameless stands before the JSON of a deliverable that has no name; it makes it the name of a file that there is not.
const nameless = "./no name: "

// named returns what a text says, or an object at the first of the keys that leads to a text.
func named(v *jsondoc.Value, keys ...string) (string, bool) {
	if v.Is(jsondoc.String) {
		return v.Text(), true
	}
	for _, key := range keys {
		if m := v.Get(key); m.Is(jsondoc.String) {
			return m.Text(), true
		}
	}
	return "", false
}
