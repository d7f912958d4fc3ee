// Durations in the forms of STATE.md.

package statemd

import (
	"fmt"
	"regexp"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/core"
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

// formatWords formats a duration as "28 minutes", "1 minute", "45 seconds" or "1h 5m", with tenths of a minute if the old text has them, "3.7 min".
func formatWords(old string, d model.Millis) string {
	n, unit := int64(d)/60_000, "minute"
	switch m := inTenths.FindStringSubmatch(old); {
	case m != nil && d >= minute:
		return fmt.Sprintf("%d.%d%s", n, int64(d)/6_000%10, m[1])
	case d >= 60*minute:
		return formatMinutes(d)
	case d < minute:
		n, unit = int64(d)/1000, "second"
	}
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

var (
	inHours  = regexp.MustCompile(`^[\d.]+ hours?$`)
	inTenths = regexp.MustCompile(`^\d+\.\d( ?m[a-z]*)$`)
	lastUnit = regexp.MustCompile(`(?i)\d(?:\.(\d+))?\s*(ms|mil|[hms])[a-z]*\W*$`)
)

// formatTotal formats a total like the old one: "0.5 hours" stays in hours, as in the template.
func formatTotal(old string, d model.Millis) string {
	tenths := (int64(d) + 180_000) / 360_000
	switch {
	case !inHours.MatchString(old) || tenths == 0:
		return formatMinutes(d)
	case tenths == 10:
		return "1 hour"
	case tenths%10 == 0:
		return fmt.Sprintf("%d hours", tenths/10)
	}
	return fmt.Sprintf("%d.%d hours", tenths/10, tenths%10)
}

// precisionOf returns the unit that a duration is rounded to: a minute in "2h 10m" and "2h", a tenth of an hour in "0.5 hours".
func precisionOf(text string) model.Millis {
	m := lastUnit.FindStringSubmatch(text)
	if m == nil {
		return 1
	}
	unit := map[string]model.Millis{"h": 60 * minute, "m": minute, "s": 1000}[strings.ToLower(m[2])]
	switch {
	case m[1] != "" || unit < 60*minute:
	case inHours.MatchString(text):
		return unit / 10
	default:
		return minute
	}
	for range m[1] {
		unit /= 10
	}
	return max(1, unit)
}

// isSameTime reports whether a text is a duration in the text's precision, rounded down or to the nearest; "~" allows for a minute. With
// isStrict only the rounding of a newly written text counts, so that one tree has one text.
func isSameTime(text string, took model.Millis, isStrict bool) bool {
	said, ok := parseDuration(text)
	if !ok {
		return false
	}
	if strings.HasPrefix(strings.TrimSpace(text), "~") {
		return said > took-minute && said < took+minute
	}
	unit := precisionOf(text)
	isDown, isNearest := said == took/unit*unit && (said > 0 || took < 1000), said > 0 && said == (took+unit/2)/unit*unit
	if inHours.MatchString(text) {
		return isNearest || isDown && !isStrict
	}
	return isDown || isNearest && !isStrict
}

// parseDuration reads "28 minutes", "5h 36m" or "~15 minutes"; ok is false for other texts.
func parseDuration(text string) (d model.Millis, ok bool) {
	ms, ok := core.ParseDuration(text)
	return model.Millis(ms), ok
}
