// Numbers of things that some files give in fractions.

package line

// Amount is a nonnegative number of things. It is whole in nearly all files, and otherwise shown verbatim: "2.5".
type Amount float64

// amountParts is the precision of a fraction: six digits.
const amountParts = 1_000_000

// Text returns the number in decimal digits, without zeros at the end of its fraction.
func (a Amount) Text() string { return string(a.append(nil)) }

func (a Amount) append(dst []byte) []byte {
	whole := int(a)
	part := int((a-Amount(whole))*amountParts + 0.5)
	if part == amountParts {
		whole, part = whole+1, 0
	}
	dst = appendNumber(dst, whole)
	for digit := amountParts / 10; part > 0; digit /= 10 {
		if digit == amountParts/10 {
			dst = append(dst, '.')
		}
		dst = append(dst, byte('0'+part/digit))
		part %= digit
	}
	return dst
}
