package gsd

import (
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"12min": 12 * time.Minute, "~9 minutes (includes checkpoint review)": 9 * time.Minute, "1h 5m": 65 * time.Minute, "2.5min": 150 * time.Second,
		"9m 30s": 9*time.Minute + 30*time.Second, "45 s": 45 * time.Second, "1 hour and 2 minutes": 62 * time.Minute,
		"": 0, "pre-committed (1-2-3)": 0, "5": 0, "3 days": 0, "10min or so": 0, "99999999999h": 0,
	} {
		if got, ok := parseDuration(text); got != want || ok != (want > 0) {
			t.Errorf("%q took %s, %v, want %s", text, got, ok, want)
		}
	}
}
