package scan

import (
	"strings"
	"testing"
	"time"
)

func TestSeconds(t *testing.T) {
	for text, want := range map[string]string{
		"2026-02-12T15:23:45Z": "2026-02-12T15:23:45Z", "2026-02-12T15:23:45.123Z": "2026-02-12T15:23:45Z", "2026-02-12T15:23:45+01:30": "2026-02-12T13:53:45Z",
		"2026-02-12T15:23:45-08:00": "2026-02-12T23:23:45Z", "2026-02-12T15:23:45+0130": "2026-02-12T13:53:45Z", "2026-02-12T15:23:45": "2026-02-12T15:23:45Z", "2026-02-12 15:23:45": "2026-02-12T15:23:45Z", " 2026-02-12 ": "2026-02-12T00:00:00Z",
		"2026-02-12T15:23Z": "2026-02-12T15:23:00Z", "2026-02-12 15:23": "2026-02-12T15:23:00Z", "2024-02-29": "2024-02-29T00:00:00Z", "0000-01-01": "0000-01-01T00:00:00Z", "9999-12-31": "9999-12-31T00:00:00Z",
		"": "", "soon": "", "2026": "", "2026-13-01": "", "2026-02-30": "", "2025-02-29": "", "2026-02-12T25:00:00Z": "", "2026-02-12T15:60:00Z": "", "2026-02-12T15:00:60Z": "",
		"2026-02-12T": "", "2026-02-12T15:23:45.Z": "", "2026-02-12T15:23:45Zx": "", "2026-02-12x": "", "2026-02-12T15:23:45+1:30": "", "2026-02-12T15:23:45+01:30x": "",
	} {
		got := ""
		if seconds, ok := Seconds(text); ok {
			got = time.Unix(seconds, 0).UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// FuzzSeconds holds that a time which package time reads is read alike.
func FuzzSeconds(f *testing.F) {
	for _, text := range strings.Fields("2026-02-12T15:23:45Z 1970-01-01T00:00:00.5Z 2000-03-01T00:00:00+24:00 1899-12-31T23:59:59-23:59") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := Seconds(text)
		if at, err := time.Parse(time.RFC3339, text); err == nil && (!ok || got != at.Unix()) {
			t.Errorf("%q: %d, %v, want %d", text, got, ok, at.Unix())
		}
	})
}
