package doc

// powers are the powers of ten that a floating point number holds exactly.
var powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// ParseNumber returns the number that text spells in JSON, infinite if it is too large. ok is false if text is no number. A
// number of at most 15 digits without an extreme exponent is exact; the last bits of others may be wrong.
func ParseNumber(text string) (number float64, ok bool) {
	negative := HasPrefix(text, "-")
	if negative {
		text = text[1:]
	}
	if CountDigits(text) == 0 {
		return 0, false
	}
	mantissa, exponent, fraction, i := uint64(0), 0, 0, 0
	for ; i < len(text) && text[i] != 'e' && text[i] != 'E'; i++ {
		switch c := text[i]; {
		case c == '.':
			fraction = 1
		case !isDigit(c):
			return 0, false
		case mantissa < 1e18:
			mantissa = mantissa*10 + uint64(c-'0')
			exponent -= fraction
		default:
			exponent += 1 - fraction // the digits that no longer fit count as zeros
		}
	}
	if i < len(text) {
		digits, sign, scale := text[i+1:], 1, 0
		if HasPrefix(digits, "-") {
			sign = -1
		}
		if digits != "" && !isDigit(digits[0]) {
			digits = digits[1:]
		}
		for _, c := range []byte(digits) {
			scale = min(scale*10+int(c-'0'), 1e8)
		}
		exponent += sign * scale
	}
	// One multiplication or division of exact numbers rounds once and is right. Beyond 10^400 any number is 0 or infinite.
	const last = len(powers) - 1
	number = float64(mantissa)
	for exponent = max(-400, min(400, exponent)); exponent != 0 && number != 0; {
		step := max(-last, min(last, exponent))
		if exponent -= step; step > 0 {
			number *= powers[step]
		} else {
			number /= powers[-step]
		}
	}
	if negative {
		number = -number
	}
	return number, true
}

// Number returns the value of a number; ok is false for any other kind.
func (v Value) Number() (number float64, ok bool) {
	if !v.Is(Number) {
		return 0, false
	}
	return ParseNumber(v.Raw())
}
