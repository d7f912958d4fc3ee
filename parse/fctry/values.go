package fctry

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// textOf returns a scalar as text for the screen.
func textOf(v doc.Value) string { return line.Tidy(core.Text(v)) }

// firstText returns the first text at one of several keys.
func firstText(v doc.Value, keys ...string) string { return textOf(v.First(keys...)) }

// textsOf returns the scalars of a list; a scalar by itself counts as a list of one.
func textsOf(v doc.Value) (all []string) {
	if !v.Is(doc.List) {
		if text := textOf(v); text != "" {
			return []string{text}
		}
	}
	for element := range v.Elements() {
		if text := textOf(element); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// maxElements limits the elements of a list that become rows. Real lists have fewer than a hundred.
const maxElements = 10_000

// elementsOf iterates over the first elements of a list.
func elementsOf(v doc.Value) func(yield func(doc.Value) bool) {
	return func(yield func(doc.Value) bool) {
		n := 0
		for element := range v.Elements() {
			if n++; n > maxElements || !yield(element) {
				return
			}
		}
	}
}

// timeOf returns a time, the zero time if it is invalid.
func timeOf(v doc.Value) time.Time { return protocol.ParseTime(v.Text()) }

// flattenValue returns a value as one text: its scalars, with keys before the scalars of an object. Values nested deeper
// than lists in objects are omitted.
func flattenValue(v doc.Value) string {
	switch v.Kind() {
	case doc.Number:
		return line.Tidy(core.Number(v))
	case doc.Bool:
		return v.Raw()
	case doc.Map:
	default:
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

// maxFacts limits the members without a place of their own that are shown.
const maxFacts = 24

// addRest adds a fact for each member of an object except those named: unknown fields are shown as they are.
func addRest(f *protocol.Facts, prefix string, object doc.Value, except ...string) {
	end := len(*f) + maxFacts
	for member := range object.Members() {
		if !slices.Contains(except, member.Key()) && len(*f) < end {
			f.Add(prefix+line.Tidy(member.Key()), flattenValue(member))
		}
	}
}
