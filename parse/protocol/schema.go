package protocol

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// Form is the allowed type of an object's member.
type Form uint8

// The forms. Null counts as absent, except in lists.
const (
	FormText    Form = iota
	FormWord         // one of some words
	FormTime         // an ISO 8601 time
	FormCount        // a whole number from 0 on
	FormFlag         // true or false
	FormTexts        // a list of texts
	FormObject       // an object
	FormObjects      // a list of objects
	FormList         // any list
)

var formKinds = [...]doc.Kind{doc.String, doc.String, doc.String, doc.Number, doc.Bool, doc.List, doc.Map, doc.List, doc.List}

// Member is a member that an object should have, with the rules for its value.
type Member struct {
	Key   string
	Form  Form
	Words []string // of a [FormWord], or of the elements of [FormTexts]; nil for any
	// Required, if it is not "", is the fix for objects that lack the member; then it is an error if IsVital, else a warning.
	Required string
	IsVital  bool
	Members  []Member // of an object, or of the objects of a list
	Shape    *regexp.Regexp
	Example  string // of a text with a shape
}

// Schema checks values. Report gets each broken rule: "type", "field", "word", "time", "number" or "id".
type Schema struct {
	Report func(at doc.Value, s model.Severity, rule, text, fix string)
}

// CheckObject checks the members of an object. name is the object's, "" for the document.
func (c Schema) CheckObject(object doc.Value, name string, members []Member) {
	for i := range members {
		m := &members[i]
		v, path := object.Get(m.Key), JoinName(name, m.Key)
		if m.Required != "" && (v.IsEmpty() || v.Is(doc.String) && line.Tidy(v.Text()) == "") {
			severity := model.Warning
			if m.IsVital {
				severity = model.Error
			}
			c.Report(object, severity, "field", name+" has no "+m.Key, m.Required)
		}
		if c.CheckKind(v, formKinds[m.Form], path) {
			c.CheckValue(v, path, m)
		}
	}
}

// CheckKind checks the kind of a value, and reports whether it is right.
func (c Schema) CheckKind(v doc.Value, kind doc.Kind, name string) bool {
	if !v.IsEmpty() && !v.Is(kind) {
		c.Report(v, model.Error, "type", name+" is "+v.Kind().String(), "it should be "+kind.String())
	}
	return v.Is(kind)
}

// CheckElement is CheckKind for an element of a list, which can't be null.
func (c Schema) CheckElement(v doc.Value, kind doc.Kind, name string) bool {
	if v.Is(doc.Null) {
		c.Report(v, model.Error, "type", name+" is null", "it should be "+kind.String())
	}
	return c.CheckKind(v, kind, name)
}

// CheckValue checks a value of the right kind.
func (c Schema) CheckValue(v doc.Value, name string, m *Member) {
	switch text := line.Tidy(v.Text()); m.Form {
	case FormText:
		if m.Shape != nil && text != "" && !m.Shape.MatchString(text) {
			c.Report(v, model.Warning, "id", name+" is "+strconv.Quote(text), "write one like "+m.Example)
		}
	case FormWord:
		c.checkWord(v, name, m.Words)
	case FormTime:
		if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
			c.Report(v, model.Error, "time", name+" is "+strconv.Quote(text)+", which is not an ISO 8601 time", "write it like 2026-02-12T15:23:45Z")
		}
	case FormCount:
		if n, ok := v.Number(); !ok || n < 0 || n >= 1<<31 || n != float64(int(n)) {
			c.Report(v, model.Error, "number", name+" is "+v.Raw(), "write a whole number from 0 on")
		}
	case FormObject:
		c.CheckObject(v, name, m.Members)
	case FormTexts, FormObjects:
		i := 0
		for element := range v.Children() {
			path := fmt.Sprintf("%s[%d]", name, i)
			switch i++; {
			case m.Form == FormObjects && c.CheckElement(element, doc.Map, path):
				c.CheckObject(element, path, m.Members)
			case m.Form == FormTexts && c.CheckElement(element, doc.String, path) && m.Words != nil:
				c.checkWord(element, path, m.Words)
			}
		}
	}
}

func (c Schema) checkWord(v doc.Value, name string, words []string) {
	if !slices.Contains(words, v.Text()) {
		c.Report(v, model.Error, "word", name+" is "+strconv.Quote(line.Clean(v.Text())), "the specification has "+strings.Join(words, ", "))
	}
}

// JoinName joins the name of an object with a key: "plan.total", and for a name with a blank "chunk 3: id".
func JoinName(name, key string) string {
	if strings.Contains(name, " ") {
		return name + ": " + key
	}
	return Join(name, key)
}
