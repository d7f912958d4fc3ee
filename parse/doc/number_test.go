package doc

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"
)

func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "-0": 0, "1": 1, "-1.50": -1.5, "1e0": 1, "25e-1": 2.5, "1.5E+3": 1500, "12345678901234": 12345678901234, "1e-400": 0, " 7\n": 7} {
		if got, ok := ParseNumber(text); got != want || !ok {
			t.Errorf("%q: %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "x", "1e400", "01", "1.", "+1", "1 2", "0x1", "-", "1e", "NaN", "true"} {
		if got, ok := ParseNumber(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		text := strconv.FormatFloat(float64(rng.IntN(1e9))/1000, 'f', -1, 64)
		if got, _ := ParseNumber(text); strconv.FormatFloat(got, 'f', -1, 64) != text {
			t.Errorf("%s is %v", text, got)
		}
	}
}

func TestParseSeconds(t *testing.T) {
	for text, layout := range map[string]string{
		"1970-01-01": time.DateOnly, "2024-02-29": time.DateOnly, "0000-01-01": time.DateOnly, "2026-03-01T12:00:00Z": time.RFC3339, "2026-03-01T12:00:00.123Z": time.RFC3339,
		"2026-03-01T12:00:00+01:30": time.RFC3339, "2026-03-01T12:00:00-0130": "2006-01-02T15:04:05Z0700", "2026-03-01 12:00": "2006-01-02 15:04", " 2026-12-31T23:59 ": " 2006-01-02T15:04 ",
	} {
		want, err := time.Parse(layout, text)
		if got, ok := ParseSeconds(text); err != nil || !ok || got != want.Unix() {
			t.Errorf("%q: %d, %v; want %d, %v", text, got, ok, want.Unix(), err)
		}
	}
	for day := range 366 * 8 {
		at := time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, day)
		if got, _ := ParseSeconds(at.Format(time.DateOnly)); got != at.Unix() {
			t.Fatalf("%s: %d", at, got)
		}
	}
	for _, text := range []string{"", "soon", "2026-02-29", "2026-13-01", "2026-01-00", "2026-1-1", "2026-01-01T24:00", "2026-01-01T12", "2026-01-01T12:00:60Z", "2026-01-01T12:00:00.Z", "2026-01-01T12:00z", "2026-01-01T12:00+1", "20260101"} {
		if got, ok := ParseSeconds(text); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}
