package model

import (
	"math/rand/v2"
	"testing"
	"time"
)

var historyNow = time.Date(2026, 3, 12, 18, 0, 0, 0, time.UTC)

// runningWith returns an active build with some pieces and a number of plans still to do.
func runningWith(left int, pieces ...Piece) *Build {
	b := &Build{Status: Active, History: &History{Pieces: pieces}}
	done := 0
	for _, p := range pieces {
		if p.Done {
			done++
		}
	}
	b.Progress = Progress{Known: true, Plans: Count{done, done + left}}
	return b
}

// TestDaysAreDays: a day of 23 or 25 hours is one day, and a day that a file names is a day in the user's time zone.
func TestDaysAreDays(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	for _, change := range []time.Time{time.Date(2026, 3, 29, 0, 0, 0, 0, berlin), time.Date(2026, 10, 25, 0, 0, 0, 0, berlin)} {
		first := DayNumber(change.AddDate(0, 0, -1), berlin)
		for i := range 4 {
			at := change.AddDate(0, 0, i-1).Add(90 * time.Minute)
			if n := DayNumber(at, berlin); n != first+i {
				t.Errorf("%s is day %d, want %d", at, n, first+i)
			}
		}
		b := runningWith(1, Piece{Node: "a", Done: true, DayOnly: true, Ended: time.Date(change.Year(), change.Month(), change.Day(), 0, 0, 0, 0, time.UTC)})
		b.Reckon(change.AddDate(0, 0, 10))
		if p := b.History.Pieces[0]; !p.Ended.Equal(change) {
			t.Errorf("%+v, want that day", p)
		}
	}
}

// TestForecastHolds: a forecast is right in most cases, however many are done in a day and however many are left.
func TestForecastHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for name, draw := range map[string]func() int{
		"even": func() int { return 2 + r.IntN(3) }, "uneven": func() int { return 1 + int(4*r.ExpFloat64()) }, "now or then": func() int { return 1 + 9*r.IntN(2) },
	} {
		for _, left := range []int{4, 10, 50} {
			held := 0
			const tries = 500
			for range tries {
				var pieces []Piece
				for day := range 12 {
					for range draw() {
						pieces = append(pieces, Piece{Done: true, Ended: historyNow.AddDate(0, 0, day-12)})
					}
				}
				b := runningWith(left, pieces...)
				b.Reckon(historyNow)
				took := int64(0)
				for done := 0; done < left; took++ {
					done += draw()
				}
				if f := b.History.Forecast.Days; f.From <= took && took <= f.To {
					held++
				}
			}
			if percent := held * 100 / tries; percent < 60 {
				t.Errorf("%s, %d left: it held %d times in 100", name, left, percent)
			}
		}
	}
}
