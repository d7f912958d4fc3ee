// What the values of a JSON document say: texts, numbers, the elements of an array, the members of an object.

package scan

import "unicode/utf8"

// JSONText returns the text of value, as JSONFields returned it. ok is false when value is no string. A text without
// escapes is part of value itself; only one with escapes is put together on the heap. A lone surrogate becomes U+FFFD.
func JSONText(value string) (text string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	value = value[1 : len(value)-1]
	plain := 0
	for plain < len(value) && value[plain] != '\\' {
		plain++
	}
	if plain == len(value) {
		return value, true
	}
	out := append(make([]byte, 0, len(value)), value[:plain]...)
	for value = value[plain:]; value != ""; {
		var buf [utf8.UTFMax]byte
		char, size := jsonChar(value, &buf)
		out, value = append(out, char...), value[size:]
	}
	return string(out), true
}

// JSONArray iterates over the elements of an array, as JSONFields returned it. The zero value over one is ready:
// JSONArray{Rest: value}. A value that is no array has no elements.
type JSONArray struct {
	Rest string // what is left of the array
	open bool   // its "[" has been read
}

// Next returns the bytes of the next element; ok is false at the end of the array.
func (a *JSONArray) Next() (element string, ok bool) {
	j := jsonScan{doc: a.Rest}
	if c := j.peek(); !a.open && c != '[' || a.open && c != ',' {
		return "", false
	}
	j.pos++
	if j.peek() == ']' {
		return "", false
	}
	start := j.pos
	j.value(0, 0)
	if j.bad {
		return "", false
	}
	a.Rest, a.open = a.Rest[j.pos:], true
	return j.doc[start:j.pos], true
}

// JSONMembers iterates over the members of an object, as JSONFields returned it, in their order. The zero value over one is
// ready: JSONMembers{Rest: value}. A value that is no object has no members. A repeated key comes as often as it stands
// there; the last one counts.
type JSONMembers struct {
	Rest string // what is left of the object, from right behind the value that Next returned last
	open bool   // its "{" has been read
}

// Next returns the next member: its key, a string to be read by JSONText or JSONStringIs, and the bytes of its value. ok is
// false at the end of the object.
func (m *JSONMembers) Next() (key, value string, ok bool) {
	j := jsonScan{doc: m.Rest}
	if c := j.peek(); !m.open && c != '{' || m.open && c != ',' {
		return "", "", false
	}
	j.pos++
	if j.peek() != '"' {
		return "", "", false
	}
	start := j.pos
	j.string()
	key = j.doc[start:j.pos]
	if j.bad || j.peek() != ':' {
		return "", "", false
	}
	j.pos++
	j.skip()
	start = j.pos
	j.value(0, 0)
	if j.bad {
		return "", "", false
	}
	m.Rest, m.open = m.Rest[j.pos:], true
	return key, j.doc[start:j.pos], true
}

// JSONNumber returns the number that value, as JSONFields returned it, spells, as JavaScript has it: a 64-bit floating
// point number, infinite where it is too large. ok is false when value is no number. What has at most 15 digits and no
// extreme exponent is exact; beyond, the last bits may be wrong.
func JSONNumber(value string) (number float64, ok bool) {
	negative := value != "" && value[0] == '-'
	if negative {
		value = value[1:]
	}
	if value == "" || value[0] < '0' || value[0] > '9' {
		return 0, false
	}
	var mantissa uint64
	exponent, point := 0, 0
	i := 0
	for ; i < len(value); i++ {
		c := value[i]
		if c == '.' {
			point = 1
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		if mantissa < 1e18 {
			mantissa = mantissa*10 + uint64(c-'0')
			exponent -= point
		} else {
			exponent += 1 - point // the digits that no longer fit count as zeros
		}
	}
	if i < len(value) { // "e"
		exponent += decimal(value[i+1:])
	}
	number = scale(mantissa, exponent)
	if negative {
		number = -number
	}
	return number, true
}

// LeadingInt returns the number that text begins with as JavaScript's parseInt(text, 10) reads it: white space, a sign,
// digits, then anything. ok is false without digits.
func LeadingInt(text string) (number float64, ok bool) {
	text = text[SkipSpace(text, 0):]
	negative := text != "" && text[0] == '-'
	if negative || text != "" && text[0] == '+' {
		text = text[1:]
	}
	digits, _ := Digits(text, 0)
	number, ok = JSONNumber(digits)
	if negative {
		number = -number
	}
	return number, ok
}

// decimal returns the number that the sign and digits s spell, kept so small that exponents can be added to it.
func decimal(s string) int {
	const limit = 1 << 30
	n, sign := 0, 1
	for i := range len(s) {
		switch c := s[i]; {
		case c == '-':
			sign = -1
		case c != '+' && n < limit/16:
			n = n*10 + int(c-'0')
		}
	}
	return sign * n
}

// powers are the powers of ten that a floating point number holds exactly.
var powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// scale returns mantissa × 10^exponent. One multiplication or division of exact numbers rounds once and is right; more of
// them are not always.
func scale(mantissa uint64, exponent int) float64 {
	const last = len(powers) - 1
	number := float64(mantissa)
	if mantissa == 0 {
		return 0
	}
	// Beyond this any number is 0 or infinite.
	exponent = max(-400, min(400, exponent))
	for ; exponent > last; exponent -= last {
		number *= powers[last]
	}
	for ; exponent < -last; exponent += last {
		number /= powers[last]
	}
	if exponent < 0 {
		return number / powers[-exponent]
	}
	return number * powers[exponent]
}

// JSONTextAt returns the text at a key of the JSON object doc, "" when there is none.
func JSONTextAt(doc, key string) string {
	value, _ := JSONValue(doc, key)
	text, _ := JSONText(value)
	return text
}
