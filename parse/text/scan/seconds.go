// Times in files, read without package time.

package scan

// Seconds returns the seconds since 1970 of a time as agents write it: RFC 3339, with or without seconds or a zone, or a date with
// or without a time. What has no zone counts as UTC, and fractions of a second are left out. ok is false for what is none.
func Seconds(text string) (seconds int64, ok bool) {
	text = TrimSpace(text)
	year, i, ok := fixed(text, 0, 4, '-')
	if !ok {
		return 0, false
	}
	month, i, ok := fixed(text, i, 2, '-')
	if !ok || month < 1 || month > 12 {
		return 0, false
	}
	day, i, ok := fixed(text, i, 2, 0)
	if !ok || day < 1 || day > daysOf(year, month) {
		return 0, false
	}
	seconds = daysSince1970(year, month, day) * 24 * 60 * 60
	if i == len(text) {
		return seconds, true
	}
	if c := text[i]; c != 'T' && c != ' ' {
		return 0, false
	}
	hour, i, ok := fixed(text, i+1, 2, ':')
	if !ok || hour > 23 {
		return 0, false
	}
	minute, i, ok := fixed(text, i, 2, 0)
	if !ok || minute > 59 {
		return 0, false
	}
	seconds += int64(hour*60+minute) * 60
	if i < len(text) && text[i] == ':' {
		second, end, ok := fixed(text, i+1, 2, 0)
		if !ok || second > 59 {
			return 0, false
		}
		seconds, i = seconds+int64(second), end
		if i < len(text) && (text[i] == '.' || text[i] == ',') {
			digits, end := Digits(text, i+1)
			if digits == "" {
				return 0, false
			}
			i = end
		}
	}
	offset, ok := zone(text[i:])
	return seconds - offset, ok
}

// fixed reads so many digits at offset i of text, and behind them a sign, 0 for none.
func fixed(text string, i, digits int, sign byte) (n, end int, ok bool) {
	for ; digits > 0; digits-- {
		if i >= len(text) || text[i] < '0' || text[i] > '9' {
			return 0, i, false
		}
		n, i = n*10+int(text[i]-'0'), i+1
	}
	if sign == 0 {
		return n, i, true
	}
	return n, i + 1, i < len(text) && text[i] == sign
}

// zone returns how many seconds a zone, such as "Z", "+01:00" or "+0100", is ahead of UTC.
func zone(text string) (seconds int64, ok bool) {
	if text == "" || text == "Z" {
		return 0, true
	}
	hour, i, ok := fixed(text, 1, 2, 0)
	if !ok || hour > 24 || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	if i < len(text) && text[i] == ':' {
		i++
	}
	minute, i, ok := fixed(text, i, 2, 0)
	if !ok || minute > 60 || i != len(text) {
		return 0, false
	}
	seconds = int64(hour*60+minute) * 60
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

func daysOf(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// daysSince1970 counts in years that begin in March, so that a leap day is the last of its year.
func daysSince1970(year, month, day int) int64 {
	if month <= 2 {
		year, month = year-1, month+12
	}
	days := 365*year + floor(year, 4) - floor(year, 100) + floor(year, 400) + (153*(month-3)+2)/5 + day - 1
	const until1970 = 719468
	return int64(days - until1970)
}

func floor(n, by int) int {
	if n < 0 {
		return -((by - 1 - n) / by)
	}
	return n / by
}
