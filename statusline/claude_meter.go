// The context meter: how much of the window that the agent can use before it compacts is used, as GSD shows it. The
// arithmetic is that of JavaScript, step by step: 64-bit floating point, rounded half up.

package statusline

import (
	"unsafe"

	"gatehouse/parse/text/scan"
)

const (
	// usualWindow is how many tokens a window has when the agent does not say.
	usualWindow = 1_000_000
	// usualBuffer is how many percent of the window an agent keeps free for compacting, unless it was told otherwise.
	usualBuffer = 16.5
)

// The colours of the meter, by how many percent are used: below 50, 65 and 80, and from there on.
const (
	meterCalm    = "\x1b[32m"
	meterWarm    = "\x1b[33m"
	meterHot     = "\x1b[38;5;208m"
	meterBurning = "\x1b[5;31m"
	skull        = "💀 "
)

// usedPercent returns how many percent of the usable part of the window are used, 0 to 100. window is the value of
// CLAUDE_CODE_AUTO_COMPACT_WINDOW: the tokens at which the agent compacts. ok is false when the agent does not say how
// much remains, or when the numbers make no sense together.
func (c *Context) usedPercent(window string) (percent int, ok bool) {
	if !c.Known {
		return 0, false
	}
	total := c.Total
	if total == 0 {
		total = usualWindow
	}
	buffer := float64(usualBuffer)
	if limit, _ := scan.LeadingInt(window); limit > 0 {
		buffer = min(100, max(0, float64(float64(1-limit/total)*100)))
	}
	// The conversions keep the compiler from joining two operations into one that rounds once only.
	usable := max(0, float64((c.Remaining-buffer)/(100-buffer))*100)
	used := float64(100) - float64(usable)
	if used != used {
		return 0, false
	}
	used = max(0, min(100, used))
	percent = int(used)
	if used-float64(percent) >= 0.5 {
		percent++
	}
	return percent, true
}

// appendMeter appends the meter for a percentage: its colour, where there are any, a bar of ten cells without a frame, the
// number, and the tokens where they are wanted.
func (c *Context) appendMeter(dst []byte, percent int, tokens, colored bool) []byte {
	color, mark := meterBurning, skull
	switch {
	case percent < 50:
		color, mark = meterCalm, ""
	case percent < 65:
		color, mark = meterWarm, ""
	case percent < 80:
		color, mark = meterHot, ""
	}
	dst = appendCode(dst, color, colored)
	dst = append(dst, mark...)
	for cell := 1; cell <= 10; cell++ {
		if percent >= cell*10 {
			dst = append(dst, "█"...)
		} else {
			dst = append(dst, "░"...)
		}
	}
	dst = append(dst, ' ')
	dst = appendNumber(dst, uint64(percent))
	dst = append(dst, '%')
	if tokens {
		dst = appendTokens(dst, c.Used)
	}
	return appendCode(dst, reset, colored)
}

// appendTokens appends a number of tokens in brackets behind a space: as it is below a thousand, in thousands (k), from
// 999,500 on in millions (M) with one decimal. Nothing is appended for none, or for a number beyond any sense.
func appendTokens(dst []byte, tokens float64) []byte {
	const limit = 1e18
	if !(tokens > 0 && tokens < limit) {
		return dst
	}
	thousands := roundProduct(tokens/1000, 1)
	dst = append(dst, " ("...)
	switch {
	case tokens >= 1e6 || thousands >= 1000:
		tenths := roundProduct(tokens/1e6, 10)
		dst = appendNumber(dst, tenths/10)
		dst = append(dst, '.', byte('0'+tenths%10), 'M')
	case tokens >= 1000:
		dst = append(appendNumber(dst, thousands), 'k')
	default:
		dst = appendNumber(dst, uint64(tokens))
	}
	return append(dst, ')')
}

// roundProduct returns factor × x, rounded half up to a whole number. The result is exact, like that of JavaScript's toFixed: a
// product in floating point could be rounded up to a half that it does not reach. x is positive, at most 10^18 with a factor of
// 10 and 10^9 with one of 100.
func roundProduct(x float64, factor uint64) uint64 {
	const fraction = 52 // bits of a floating point number behind the leading one
	raw := *(*uint64)(unsafe.Pointer(&x))
	product := (raw&(1<<fraction-1) | 1<<fraction) * factor
	shift := int(raw>>fraction) - 1023 - fraction
	switch {
	case shift >= 0:
		return product << shift
	case -shift > 60:
		return 0
	}
	whole := product >> -shift
	if product>>(-shift-1)&1 != 0 {
		whole++
	}
	return whole
}
