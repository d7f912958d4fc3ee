package doc

// ParseSeconds returns the seconds since 1970 of a time as agents write it: RFC 3339, with or without seconds or a zone, or a date with
// or without a time. Without a zone it is UTC; fractions of a second are ignored. It replaces package time, which the prompt can't
// afford.
func ParseSeconds(text string) (seconds int64, ok bool) {
	const perDay = 24 * 60 * 60
	text = Trim(text)
	if len(text) < len("2006-01-02") || text[4] != '-' || text[7] != '-' {
		return 0, false
	}
	year, month, day := parseDigits(text[:4]), parseDigits(text[5:7]), parseDigits(text[8:10])
	if year < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return 0, false
	}
	seconds = int64(daysSince1970(year, month, day)) * perDay
	if text = text[10:]; text == "" {
		return seconds, true
	}
	if len(text) < len("T15:04") || text[0] != 'T' && text[0] != ' ' || text[3] != ':' {
		return 0, false
	}
	hour, minute, second := parseDigits(text[1:3]), parseDigits(text[4:6]), 0
	if text = text[6:]; len(text) >= 3 && text[0] == ':' {
		second, text = parseDigits(text[1:3]), text[3:]
		if text != "" && (text[0] == '.' || text[0] == ',') && CountDigits(text[1:]) > 0 {
			text = text[1+CountDigits(text[1:]):]
		}
	}
	offset, ok := parseZone(text)
	if !ok || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return 0, false
	}
	return seconds + int64(hour*60*60+minute*60+second-offset), true
}

// parseZone returns the seconds that a zone is ahead of UTC: "Z", "+01:00" or "+0100".
func parseZone(text string) (seconds int, ok bool) {
	if text == "" || text == "Z" {
		return 0, true
	}
	if len(text) == len("+01:00") && text[3] == ':' {
		text = text[:3] + text[4:]
	}
	if len(text) != len("+0100") || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	hour, minute := parseDigits(text[1:3]), parseDigits(text[3:])
	if seconds = (hour*60 + minute) * 60; text[0] == '-' {
		seconds = -seconds
	}
	return seconds, hour >= 0 && hour <= 24 && minute >= 0 && minute <= 60
}

// parseDigits returns the number that a text of digits is, -1 for another text.
func parseDigits(text string) (n int) {
	if CountDigits(text) < len(text) {
		return -1
	}
	for i := range len(text) {
		n = 10*n + int(text[i]-'0')
	}
	return n
}

func daysIn(year, month int) int {
	if month == 2 && (year%4 != 0 || year%100 == 0 && year%400 != 0) {
		return 28
	}
	return [...]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
}

// daysSince1970 counts in years that begin in March, so that a leap day is the last of its year.
func daysSince1970(year, month, day int) int {
	if month <= 2 {
		year, month = year-1, month+12
	}
	years := 365*year + (year+400)/4 - (year+400)/100 + (year+400)/400 - 97 // of the year -1 too, without division of negative numbers
	return years + (153*(month-3)+2)/5 + day - 1 - 719468
}
