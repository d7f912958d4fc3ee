package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// Text returns a scalar in JavaScript's notation: 1.0 is "1". Null, false, zero and values that are not scalars are "".
func Text(v doc.Value) string {
	switch v.Kind() {
	case doc.Number:
		if text := Number(v); text != "0" {
			return text
		}
		return ""
	case doc.Bool:
		if is, _ := v.Bool(); !is {
			return ""
		}
	}
	return v.Scalar()
}

// Number returns a number in JavaScript's notation, if it is exact; else as spelled.
func Number(v doc.Value) string {
	n, ok := v.Number()
	sign := ""
	if n < 0 {
		n, sign = -n, "-"
	}
	if text := line.Amount(n).Text(); ok && n < maxAmount {
		if back, _ := doc.ParseNumber(text); back == n {
			return sign + text
		}
	}
	return v.Raw()
}

// Status returns the word of a status. A list or an object is a word that no protocol knows.
func Status(v doc.Value) string {
	if v.Is(doc.List) || v.Is(doc.Map) {
		return v.Kind().String()
	}
	return Text(v)
}

// maxAmount is the largest number of things that is believed: no state file counts as many of anything.
const maxAmount = 1_000_000_000

// Amount returns a number of things: a number, or a string that is one. A negative number counts as 0.
func Amount(v doc.Value) (n line.Amount, ok bool) {
	number, ok := v.Number()
	if v.Is(doc.String) {
		number, ok = doc.ParseNumber(v.Text())
	}
	if !ok {
		return 0, false
	}
	return line.Amount(min(maxAmount, max(0, number))), true
}

// Count is [Amount] for things that have no parts.
func Count(v doc.Value) (n int, ok bool) {
	amount, ok := Amount(v)
	return int(amount), ok
}

// IsTruthy reports whether JavaScript takes a value for something: objects and lists are.
func IsTruthy(v doc.Value) bool { return v.Is(doc.List) || v.Is(doc.Map) || Text(v) != "" }

// hasContent reports whether a value says anything: a text that is not blank, a number, true, or a list or object with any of them.
func hasContent(v doc.Value) bool {
	switch {
	case v.IsEmpty():
		return false
	case v.Is(doc.String):
		return doc.Trim(v.Text()) != ""
	case v.Is(doc.Bool):
		is, _ := v.Bool()
		return is
	case v.Is(doc.Number):
		return true
	}
	for inner := range v.Children() {
		if hasContent(inner) {
			return true
		}
	}
	return false
}

// firstIn sets a place that is not set yet.
func firstIn(place *int, i int) {
	if *place < 0 {
		*place = i
	}
}
