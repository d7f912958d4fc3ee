package doc

// Number returns the number that a value spells, as JavaScript has it: a 64-bit floating point number. ok is false for other kinds, and
// for a number that is too large, which is infinite. Numbers of up to 15 digits without a large exponent are exact.
func (v Value) Number() (number float64, ok bool) {
	if !v.Is(Number) {
		return 0, false
	}
	return parseNumber(v.Raw())
}

// ParseNumber returns the number that a text is, see [Value.Number]. Blanks around it are ignored.
func ParseNumber(text string) (number float64, ok bool) {
	p := jsonParser{text: text}
	if c := p.peekByte(); c != '-' && !isDigit(c) {
		return 0, false
	}
	from := p.at
	p.skipNumber()
	end := p.at
	if p.peekByte(); p.err != nil || p.at < len(text) {
		return 0, false
	}
	return parseNumber(text[from:end])
}

// parseNumber returns the number that valid JSON spells.
func parseNumber(text string) (number float64, ok bool) {
	isNegative := text[0] == '-'
	fraction, exponent, inExponent, sign := false, 0, false, 1
	places := 0 // digits after the point
	for i := range len(text) {
		switch c := text[i]; {
		case c == '.':
			fraction = true
		case c|0x20 == 'e':
			inExponent = true
		case !isDigit(c):
			if inExponent && c == '-' {
				sign = -1
			}
		case inExponent:
			exponent = min(10*exponent+int(c-'0'), 10_000)
		default:
			number = 10*number + float64(c-'0')
			if fraction {
				places++
			}
		}
	}
	power, exponent := 1.0, sign*exponent-places
	for range max(exponent, -exponent) {
		power *= 10
	}
	if exponent < 0 {
		number /= power
	} else {
		number *= power
	}
	if isNegative {
		number = -number
	}
	return number, number-number == 0 // not so if it is infinite
}
