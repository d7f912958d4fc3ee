// Times in files, read and written.

package reader

import (
	"strings"
	"time"
)

var layouts = [...]string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02 15:04", time.DateOnly,
	"20060102T150405Z0700", "20060102T1504Z0700", "2006-01-02T15:04:05Z0700",
}

// Time reads a time in one of the forms that agents write: RFC 3339, with or without seconds or a zone, ISO 8601 in its basic form, or a date with or
// without a time, in quotation marks or not. What has no zone counts as UTC; what can't be read is the zero time.
func Time(s string) time.Time {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	if s == "" || s[0] < '0' || s[0] > '9' {
		return time.Time{}
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Stamp is how a time is written where the protocol says no more than ISO 8601: UTC, whole seconds, "Z".
func Stamp(t time.Time) string { return t.UTC().Truncate(time.Second).Format("2006-01-02T15:04:05Z") }
