package index

import (
	"testing"
	"time"
)

// TestSince: "since noon" means the most recent noon; anything else is text.
func TestSince(t *testing.T) {
	for _, c := range []struct {
		text, now, want string
		words           int
	}{
		{"since noon", "2026-03-14 14:30", "2026-03-14 12:00", 0}, {"Since Noon cart", "2026-03-14 09:00", "2026-03-13 12:00", 1},
		{"since", "2026-03-14 14:30", "", 1}, {"noon", "2026-03-14 14:30", "", 1}, {"since lunch", "2026-03-14 14:30", "", 2}, {"", "2026-03-14 14:30", "", 0},
	} {
		var f Filter
		now, _ := time.Parse("2006-01-02 15:04", c.now)
		f.SearchSince(c.text, now)
		got := ""
		if f.after != 0 {
			got = time.UnixMilli(f.after).UTC().Format("2006-01-02 15:04")
		}
		if got != c.want || f.Text != c.text || len(f.words) != c.words {
			t.Errorf("%q at %s: since %q, %q", c.text, c.now, got, f.words)
		}
	}
}
