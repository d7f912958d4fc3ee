package fctry

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// textOf returns a scalar as text for the screen.
func textOf(v doc.Value) string { return line.Tidy(core.Text(v)) }

// firstText returns the first text at one of several keys.
func firstText(v doc.Value, keys ...string) string { return textOf(core.First(v, keys...)) }

// textsOf returns the scalars of a list; a scalar by itself counts as a list of one.
func textsOf(v doc.Value) (all []string) {
	if !v.Is(doc.List) {
		if text := textOf(v); text != "" {
			return []string{text}
		}
	}
	for element := range core.Elements(v) {
		if text := textOf(element); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// timeOf returns a time, the zero time for what is none.
func timeOf(v doc.Value) time.Time { return protocol.ParseTime(v.Text()) }

// flatten returns a value as one text: its scalars, those of an object behind their keys. Values nested deeper than lists in objects
// are left out.
func flatten(v doc.Value) string {
	if v.Is(doc.Number) || v.Is(doc.Bool) {
		return line.Tidy(numberOr(v))
	}
	if !v.Is(doc.Map) {
		return strings.Join(textsOf(v), ", ")
	}
	var all []string
	for member := range v.Children() {
		if text := strings.Join(textsOf(member), ", "); text != "" {
			all = append(all, line.Tidy(member.Key())+" "+text)
		}
	}
	return strings.Join(all, "; ")
}

func numberOr(v doc.Value) string {
	if v.Is(doc.Number) {
		return core.Number(v)
	}
	return v.Raw()
}

const (
	maxFact  = 600 // characters of a value that are kept
	maxFacts = 24  // members without a place of their own that are shown
)

// facts are lines of detail.
type facts []model.Fact

// add adds a fact, unless it is empty.
func (f *facts) add(label, text string) {
	if text != "" {
		*f = append(*f, model.Fact{Label: clip(label, maxFact), Value: clip(text, maxFact)})
	}
}

func (f *facts) addTime(label string, t time.Time) {
	if !t.IsZero() {
		f.add(label, t.UTC().Format(time.DateTime))
	}
}

// addRest adds a fact for each member of an object except those named: unknown fields are shown as they are.
func (f *facts) addRest(prefix string, object doc.Value, except ...string) {
	end := len(*f) + maxFacts
	for member := range core.Members(object) {
		if !slices.Contains(except, member.Key()) && len(*f) < end {
			f.add(prefix+line.Tidy(member.Key()), flatten(member))
		}
	}
}

// clip returns the beginning of a text.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for i := range text {
		if limit == 0 {
			return text[:i] + "…"
		}
		limit--
	}
	return text
}

// maxListed is how many names of a list are shown.
const maxListed = 8

// listNames joins names, and says how many more there are.
func listNames(all []string) string {
	if n := len(all); n > maxListed {
		return strings.Join(all[:maxListed], ", ") + " and " + protocol.Count(n-maxListed, "other")
	}
	return strings.Join(all, ", ")
}
