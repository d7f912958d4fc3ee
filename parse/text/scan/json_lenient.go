// What a lenient reader takes the values of a JSON document for, and where they stand in it.

package scan

import "unsafe"

// JSONScalar returns value, as JSONFields returned it, as a text, the way JavaScript writes it into one: a string is what it
// says, a number and true are spelled as they stand. What JavaScript takes for nothing is "" (null, false, zero), and so are
// objects and arrays, which have no text that means anything.
func JSONScalar(value string) string {
	if value == "" {
		return ""
	}
	switch c := value[0]; {
	case c == '"':
		text, _ := JSONText(value)
		return text
	case c == 't':
		return value
	case c == '-' || c >= '0' && c <= '9':
		if n, _ := JSONNumber(value); n != 0 {
			return value
		}
	}
	return ""
}

// countLimit is the largest count that is believed: no state file counts as many of anything.
const countLimit = 1_000_000_000

// JSONCount returns the number of things that value says, as [JSONAmount] has it; a fraction counts as the whole number below it.
func JSONCount(value string) (n int, ok bool) {
	number, ok := JSONAmount(value)
	return int(number), ok
}

// JSONAmount returns the number of things that value says, as JSONFields returned it: a number, or a string that is one. ok is
// false for everything else, and for what is infinite. A negative number counts as 0, and what is beyond a billion as a billion.
func JSONAmount(value string) (number float64, ok bool) {
	if value != "" && value[0] == '"' {
		text, _ := JSONText(value)
		text = TrimSpace(text)
		var field [1]JSONField
		if !JSONFields(text, field[:]) {
			return 0, false
		}
		value = text
	}
	number, ok = JSONNumber(value)
	if !ok || number-number != 0 {
		return 0, false
	}
	return min(countLimit, max(0, number)), true
}

// Offset returns at which byte of doc part stands, a piece that was cut out of it; -1 for a text that was not, or is empty.
func Offset(doc, part string) int {
	if part == "" || doc == "" {
		return -1
	}
	at := uintptr(unsafe.Pointer(unsafe.StringData(part))) - uintptr(unsafe.Pointer(unsafe.StringData(doc)))
	if at >= uintptr(len(doc)) || at+uintptr(len(part)) > uintptr(len(doc)) {
		return -1
	}
	return int(at)
}
