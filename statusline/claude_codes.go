package statusline

// The sequences of the layout, as GSD's hook writes them.
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	red   = "\x1b[31m"
	green = "\x1b[32m"
	amber = "\x1b[33m"
	reset = "\x1b[0m"
)

// appendCode appends a sequence, nothing without colours.
func appendCode(dst []byte, code string, colored bool) []byte {
	if !colored {
		return dst
	}
	return append(dst, code...)
}

// appendNumber appends the decimal digits of n.
func appendNumber(dst []byte, n uint64) []byte {
	if n < 10 {
		return append(dst, byte('0'+n))
	}
	return append(appendNumber(dst, n/10), byte('0'+n%10))
}
