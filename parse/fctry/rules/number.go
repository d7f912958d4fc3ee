// Numbers as JavaScript writes them: 1.0 and 1e0 are 1.

package rules

import "gatehouse/parse/text/scan"

// Scalar is [scan.JSONScalar] with a number as JavaScript writes it.
func Scalar(value string) string {
	text := scan.JSONScalar(value)
	if text != "" && value[0] != '"' {
		return Number(text)
	}
	return text
}

// numberDigits is how many digits of a number are kept for certain where it is read as a floating-point number: what has more is
// left as it is spelled.
const numberDigits = 15

// Number returns a number of JSON as JavaScript writes it, without a fraction of zeros or an exponent; what is no number, and one
// with more digits than are read exactly, is returned as it is.
func Number(value string) string {
	rest, sign := value, ""
	if rest != "" && rest[0] == '-' {
		rest, sign = rest[1:], "-"
	}
	digits, end := scan.Digits(rest, 0)
	if digits == "" || end == len(rest) && sign == "" && (digits == "0" || digits[0] != '0') {
		return value // nearly always
	}
	point := len(digits)
	if end < len(rest) && rest[end] == '.' {
		fraction, last := scan.Digits(rest, end+1)
		digits, end = digits+fraction, last
	}
	if end < len(rest) && (rest[end] == 'e' || rest[end] == 'E') {
		exponent, negative := rest[end+1:], false
		if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
			exponent, negative = exponent[1:], exponent[0] == '-'
		}
		n := 0
		for i := 0; i < len(exponent); i++ {
			if exponent[i] < '0' || exponent[i] > '9' || n > 99 {
				return value
			}
			n = 10*n + int(exponent[i]-'0')
		}
		if end = len(rest); negative {
			n = -n
		}
		point += n
	}
	for digits != "" && digits[0] == '0' {
		digits, point = digits[1:], point-1
	}
	for digits != "" && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	switch {
	case end != len(rest) || len(digits) > numberDigits || digits != "" && (point > 21 || point < -5):
		return value
	case digits == "":
		return "0"
	case point <= 0:
		return sign + "0." + zeros(-point) + digits
	case point >= len(digits):
		return sign + digits + zeros(point-len(digits))
	}
	return sign + digits[:point] + "." + digits[point:]
}

func zeros(n int) string { return "000000000000000000000"[:n] }
