// The gate of the task at work held against the logs of its results: the files are the source of truth, and STATE.md may be behind.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// Since is what the logs of a gate's task say of it.
type Since struct {
	Last     string // how its last result ended that came after the gate's last step, "" where none did
	Failures int    // since then, and since its last success
	All      int    // since its last success, whenever that was
}

// Overtaken reports whether a gate that waits, or will be tried again, has been overtaken by a success of its task.
func (t *Task) Overtaken(by Since) bool {
	return (t.Gate == TaskFailed || t.Gate == TaskBlocked) && by.Last == "success"
}

// FailedSince reports whether a task that its gate has at work, or to be tried again, has failed as often as it may by its logs, and how
// often. Each failure counts the attempt of the gate up; where a gate names more attempts than were logged, the logs count.
func (t *Task) FailedSince(by Since) (times int, spent bool) {
	switch t.Gate {
	case TaskPending, TaskExecuting, TaskVerifying, TaskReviewing:
	case TaskFailed:
		if t.Spent() { // which says so itself
			return 0, false
		}
	default:
		return 0, false
	}
	if t.Endless || by.Last != "failure" {
		return 0, false
	}
	times = min(max(count(t.Attempt), 1)-1+by.Failures, by.All)
	return times, CompareNumbers(line.Decimal(times), t.Limit()) >= 0
}

// After reports whether a time of the logs, in seconds since 1970, is after the gate's last step. Where that names none, every time is.
func (t *Task) After(seconds int64) bool {
	last, ok := Instant(t.Last)
	return !ok || seconds > last
}

// Instant returns the seconds since 1970 of a time like 2026-06-01T12:34:56Z, with a zone or without, as UTC then; ok is false for
// other texts.
func Instant(text string) (seconds int64, ok bool) {
	var n [6]int64 // year, month, day, hour, minute, second
	at := 0
	for i, sign := range [...]byte{'-', '-', 'T', ':', ':', 0} {
		digits, end := scan.Digits(text, at)
		if len(digits) != 2 && (i > 0 || len(digits) != 4) {
			return 0, false
		}
		for _, d := range []byte(digits) {
			n[i] = n[i]*10 + int64(d-'0')
		}
		at = end
		if i >= 2 && at == len(text) || sign == 0 || i == 4 && (text[at] == 'Z' || text[at] == '+' || text[at] == '-') {
			break
		}
		if at >= len(text) || text[at] != sign && !(sign == 'T' && (text[at] == ' ' || text[at] == 't')) {
			return 0, false
		}
		at++
	}
	if n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31 || n[3] > 23 || n[4] > 59 || n[5] > 59 {
		return 0, false
	}
	if at < len(text) && text[at] == '.' {
		_, at = scan.Digits(text, at+1)
	}
	zone, ok := offset(text[at:])
	// The days of a civil date, with years that begin in March.
	year, month := n[0], n[1]
	if month <= 2 {
		year, month = year-1, month+12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + n[2] - 1 - 719468
	return days*86400 + n[3]*3600 + n[4]*60 + n[5] - zone, ok
}

// offset returns the seconds that a zone is ahead of UTC: "Z", "+02:00", "-0130", or none.
func offset(zone string) (seconds int64, ok bool) {
	if zone == "" || zone == "Z" || zone == "z" {
		return 0, true
	}
	hours, at := scan.Digits(zone, 1)
	minutes := ""
	switch {
	case at < len(zone) && zone[at] == ':':
		minutes, at = scan.Digits(zone, at+1)
	case len(hours) == 4:
		hours, minutes = hours[:2], hours[2:]
	}
	if zone[0] != '+' && zone[0] != '-' || len(hours) != 2 || len(minutes) != 2 || at < len(zone) {
		return 0, false
	}
	seconds = int64(count(hours))*3600 + int64(count(minutes))*60
	if zone[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}
