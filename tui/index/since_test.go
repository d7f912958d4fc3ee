package index

import (
	"testing"
	"time"
)

// TestSince: a time in a search text means the most recent such time.
func TestSince(t *testing.T) {
	now := time.Date(2026, 3, 14, 14, 30, 0, 0, time.UTC) // a Saturday
	visit := now.Add(-20 * time.Hour)
	for text, want := range map[string]string{
		"since lunch": "2026-03-14 12:00", "since 15:00": "2026-03-13 15:00", "since 9:05": "2026-03-14 09:05", "since 2h": "2026-03-14 12:30",
		"since 3d": "2026-03-11 14:30", "since today": "2026-03-14 00:00", "since yesterday": "2026-03-13 00:00", "since mon": "2026-03-09 00:00",
		"since saturday": "2026-03-14 00:00", "cart since visit": "2026-03-13 18:30", "Since Noon": "2026-03-14 12:00",
	} {
		var f Filter
		f.SearchSince(text, now, visit)
		if got := time.UnixMilli(f.after).UTC().Format("2006-01-02 15:04"); got != want || f.Text != text {
			t.Errorf("%q: since %s, want %s", text, got, want)
		}
	}
	for text, words := range map[string]int{"since": 1, "since 2": 2, "since h": 2, "since 99:99": 2, "since mo": 2, "lunch": 1, "a since 2h b": 2, "": 0} {
		var f Filter
		f.SearchSince(text, now, time.Time{})
		if len(f.words) != words || (f.after != 0) != (text == "a since 2h b") {
			t.Errorf("%q: %q after %d", text, f.words, f.after)
		}
	}
	var f Filter
	f.SearchSince("since visit", now, time.Time{})
	if f.after != 0 {
		t.Error("there was no visit")
	}
}
