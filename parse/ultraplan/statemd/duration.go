// Durations in the forms of STATE.md.

package statemd

import (
	"fmt"
	"regexp"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/protocol"
)

const minute = model.Millis(60_000)

// formatMinutes formats a duration as "2h 10m", "57m", or "28s" below a minute.
func formatMinutes(d model.Millis) string {
	switch s := int64(d) / 1000; {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm", s/60)
	default:
		return fmt.Sprintf("%dh %dm", s/3600, s/60%60)
	}
}

// formatWords formats a duration as "28 minutes", "1 minute", "45 seconds" or "1h 5m".
func formatWords(d model.Millis) string {
	n, unit := int64(d/minute), "minute"
	switch {
	case d >= 60*minute:
		return formatMinutes(d)
	case d < minute:
		n, unit = int64(d)/1000, "second"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

var inHours = regexp.MustCompile(`^[\d.]+ hours?$`)

// precisionOf returns the unit that a duration is rounded to: a minute, or a tenth of an hour in "0.5 hours".
func precisionOf(text string) model.Millis {
	if inHours.MatchString(text) {
		return 6 * minute
	}
	return minute
}

// isSameTime reports whether a text is a duration in the text's precision, rounded down or to the nearest; "~" allows for a minute. With
// isStrict it has to be rounded like a newly written text, so that one tree has one text.
func isSameTime(text string, took model.Millis, isStrict bool) bool {
	said, ok := protocol.ParseDuration(text)
	unit := precisionOf(text)
	switch {
	case strings.HasPrefix(strings.TrimSpace(text), "~"):
		return ok && said > took-minute && said < took+minute
	case isStrict && unit == minute:
		return ok && formatMinutes(said) == formatMinutes(took)
	}
	return ok && (said/unit == took/unit || said/unit == (took+unit/2)/unit) && (said > 0 || took < minute)
}
