package index

// Times in everyday words: "since 14:30", "since 2h", "since lunch", "since visit".

import (
	"strconv"
	"strings"
	"time"
)

// sinceWord begins a time in a search.
const sinceWord = "since"

// SearchSince searches for a text that may contain a time such as "since 2h". visit is the end of the last visit, zero if there was
// none.
func (f *Filter) SearchSince(text string, now, visit time.Time) {
	f.Search(text)
	f.after = 0
	for i := 0; i+1 < len(f.words); i++ {
		if at, ok := sinceWhen(f.words[i+1], now, visit); f.words[i] == sinceWord && ok {
			f.after = at.UnixMilli()
			f.words = append(f.words[:i:i], f.words[i+2:]...)
			return
		}
	}
}

// units are the units of "2h"; each has one letter.
var units = map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// sinceWhen returns the time that a word means, the last one before now.
func sinceWhen(word string, now, visit time.Time) (at time.Time, ok bool) {
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	// clock returns the most recent time at which the clock showed a time of day.
	clock := func(hour, minute int) (time.Time, bool) {
		at := time.Date(y, m, d, hour, minute, 0, 0, now.Location())
		if at.After(now) {
			at = time.Date(y, m, d-1, hour, minute, 0, 0, now.Location())
		}
		return at, true
	}
	switch word {
	case "lunch", "noon":
		return clock(12, 0)
	case "today", "midnight":
		return today, true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	case "visit":
		return visit, !visit.IsZero()
	}
	for back := range 7 { // mon, monday
		day := today.AddDate(0, 0, -back)
		if name := strings.ToLower(day.Weekday().String()); len(word) >= 3 && strings.HasPrefix(name, word) {
			return day, true
		}
	}
	if at, err := time.Parse("15:04", word); err == nil {
		return clock(at.Hour(), at.Minute())
	}
	if unit := units[word[len(word)-1]]; unit > 0 {
		if n, err := strconv.ParseUint(word[:len(word)-1], 10, 16); err == nil {
			return now.Add(-time.Duration(n) * unit), true
		}
	}
	return time.Time{}, false
}
