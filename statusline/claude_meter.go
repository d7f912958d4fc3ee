// The context meter: how much of the window that the agent can use before it compacts is used, as GSD shows it. The
// arithmetic follows JavaScript step by step: 64-bit floating point, rounded half up.

package statusline

import (
	"unsafe"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

const (
	// usualWindow is how many tokens a window has when the agent does not say.
	usualWindow = 1_000_000
	// usualBuffer is the default percentage of the window that an agent keeps free for compacting.
	usualBuffer = 16.5
)

// The colors of the meter from 65 and 80 percent on. Below it is green, and amber from 50 on.
const (
	meterHot     = "\x1b[38;5;208m"
	meterBurning = "\x1b[5;31m"
	skull        = "💀 "
)

// usedPercent returns how many percent of the usable part of the window are used, 0 to 100. window is the value of
// CLAUDE_CODE_AUTO_COMPACT_WINDOW: the tokens at which the agent compacts. ok is false if the agent does not say how
// much remains, or if the numbers make no sense together.
func (c *contextWindow) usedPercent(window string) (percent int, ok bool) {
	if !c.hasRemaining {
		return 0, false
	}
	total := c.total
	if total == 0 {
		total = usualWindow
	}
	buffer := float64(usualBuffer)
	window = doc.Trim(window)
	if limit, _ := doc.ParseNumber(window[:doc.CountDigits(window)]); limit > 0 {
		buffer = min(100, max(0, float64(float64(1-limit/total)*100)))
	}
	// The conversions keep the compiler from joining two operations into one that rounds once only.
	return roundPercent(float64(100) - max(0, float64((c.remaining-buffer)/(100-buffer))*100))
}

// percentOf returns how much of a share of the window, in percent of the window, is used by the agent's own count. ok is
// false if the agent does not say.
func (c *contextWindow) percentOf(share float64) (percent int, ok bool) {
	percent, ok = roundPercent(float64(c.used/share) * 100)
	return percent, ok && c.hasUsed
}

// roundPercent rounds half up to a whole number from 0 to 100. ok is false for NaN.
func roundPercent(used float64) (percent int, ok bool) {
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

// composeMeter returns the meter for a percentage: a bar of ten cells without a frame, the number, and the tokens if wanted.
func (c *contextWindow) composeMeter(percent int, tokens, colored bool) string {
	color, text := meterBurning, skull
	switch {
	case percent < 50:
		color, text = green, ""
	case percent < 65:
		color, text = amber, ""
	case percent < 80:
		color, text = meterHot, ""
	}
	for cell := 1; cell <= 10; cell++ {
		if percent >= cell*10 {
			text += "█"
		} else {
			text += "░"
		}
	}
	text += " " + line.Decimal(percent) + "%"
	if tokens {
		text += formatTokens(c.tokens)
	}
	return paintText(color, text, colored)
}

// formatTokens returns a number of tokens in parentheses after a space: unchanged below a thousand, in thousands (k),
// from 999,500 on in millions (M) with one decimal. It is "" for none, and for an absurd number.
func formatTokens(tokens float64) string {
	const limit = 1e18
	if !(tokens > 0 && tokens < limit) {
		return ""
	}
	thousands, tenths := int(roundProduct(tokens/1000, 1)), 0
	switch {
	case tokens >= 1e6 || thousands >= 1000:
		tenths = int(roundProduct(tokens/1e6, 10))
		return " (" + line.Decimal(tenths/10) + "." + line.Decimal(tenths%10) + "M)"
	case tokens >= 1000:
		return " (" + line.Decimal(thousands) + "k)"
	}
	return " (" + line.Decimal(int(tokens)) + ")"
}

// roundProduct returns factor × x, rounded half up to a whole number. The result is exact, like JavaScript's toFixed: a
// product in floating point could be rounded up to a half that it does not reach. x is positive, at most 10^18 with a
// factor of 10 and 10^9 with one of 100.
func roundProduct(x float64, factor uint64) uint64 {
	const fraction = 52 // bits of a floating point number after the leading one
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
