package protocol

import (
	"regexp"
	"strings"
	"time"

	"gatehouse/model"
)

var timeLayouts = [...]string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02 15:04", time.DateOnly,
	"20060102T150405Z0700", "20060102T1504Z0700", "2006-01-02T15:04:05Z0700",
}

// ParseTime parses a time in one of the forms that agents write: RFC 3339, with or without seconds or a zone, the basic form of ISO
// 8601, or a date with or without a time, quoted or not. Without a zone it is UTC. Anything else is the zero time.
func ParseTime(s string) time.Time {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	if s == "" || s[0] < '0' || s[0] > '9' {
		return time.Time{}
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// FormatTime formats a time as ISO 8601 in UTC and whole seconds, which every protocol accepts.
func FormatTime(t time.Time) string {
	return t.UTC().Truncate(time.Second).Format("2006-01-02T15:04:05Z")
}

// durationUnit matches the unit of a duration as people write it, with what separates it from the next number.
var durationUnit = regexp.MustCompile(`\s*(?:(h)(?:(?:ou)?rs?)?|(m)(?:in(?:ute)?s?)?|(s)(?:ec(?:ond)?s?)?)\b[\s,]*`)

// ParseDuration parses how long something took: "28 minutes", "5h 36m", "~15 minutes", "212s". ok is false for other texts, such as a range.
func ParseDuration(text string) (took model.Millis, ok bool) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.Trim(strings.ToLower(strings.TrimSpace(text)), `"'`), "~"))
	d, err := time.ParseDuration(durationUnit.ReplaceAllString(text, "$1$2$3"))
	if err != nil || text[0] < '.' || text == "0" {
		return 0, false
	}
	return model.Millis(d.Round(time.Millisecond).Milliseconds()), true
}

// Stamp is the newest of several times, with its source.
type Stamp struct {
	At       time.Time
	FromFile bool // it is only the modification time of a file
}

// Add takes a time into account, unless it is after now.
func (s *Stamp) Add(t, now time.Time, fromFile bool) {
	if t.After(s.At) && !t.After(now) {
		s.At, s.FromFile = t, fromFile
	}
}
