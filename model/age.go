package model

import (
	"strconv"
	"time"
)

// Age returns a duration, short enough for a column:
// "now" below a minute, then whole minutes, hours and days, "14m", "5h", "2d",
// and above 99 days whole weeks, "15w". A negative duration is "now".
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 24*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	case d < 100*24*time.Hour:
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	default:
		return strconv.Itoa(int(d/(7*24*time.Hour))) + "w"
	}
}

// Ago is Age in words: "14m ago", "just now".
func Ago(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return Age(d) + " ago"
}
