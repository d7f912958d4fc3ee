package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

func on(day, hour int) time.Time { return time.Date(2026, 3, day, hour, 0, 0, 0, time.UTC) }

// TestHistory: pieces are ordered by the time they were done, those without a time first and active ones last.
func TestHistory(t *testing.T) {
	b := runningWith(3,
		Piece{Node: "plan/1", Phase: "phase/1", Done: true, Began: on(9, 10), Ended: on(9, 11), Took: 3_600_000},
		Piece{Node: "plan/2", Phase: "phase/1", Done: true, Ended: on(8, 0), DayOnly: true, Took: 60_000},
		Piece{Node: "plan/3", Phase: "phase/2", Done: true},
		Piece{Node: "plan/4", Phase: "phase/2", Began: on(12, 9), Ended: on(12, 10)},
	)
	b.Nodes = []*Node{{ID: "phase/1", Status: Done, Since: on(10, 9)}, {ID: "phase/2", Status: Active}}
	b.Reckon(historyNow)
	h := b.History
	var order []string
	for _, p := range h.Pieces {
		order = append(order, p.Node)
	}
	if want := []string{"plan/3", "plan/2", "plan/1", "plan/4"}; !slices.Equal(order, want) {
		t.Errorf("%q, want %q", order, want)
	}
	if h.Of != "plans" || h.Count != (Count{3, 6}) || h.Dated != 2 || !h.Pieces[3].Ended.IsZero() {
		t.Errorf("%+v", h)
	}
	if d := h.PieceTime; d == nil || *d != (Durations{Known: 2, Median: 1_830_000, Longest: 3_600_000, Node: "plan/1"}) {
		t.Errorf("%+v", d)
	}
	b.Progress.Plans.Total++
	if b.Reckon(historyNow); h.Count.Total != 6 {
		t.Error("what was handed out has changed")
	}
}

// TestImpossibleTimes: times in the future or in the distant past are dropped, and so is a beginning after the end.
func TestImpossibleTimes(t *testing.T) {
	b := runningWith(1,
		Piece{Node: "a", Done: true, Ended: on(13, 0)},
		Piece{Node: "b", Done: true, Ended: time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), Began: time.Date(-40, 1, 1, 0, 0, 0, 0, time.UTC)},
		Piece{Node: "c", Done: true, Ended: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), Took: -5},
		Piece{Node: "d", Done: true, Began: on(11, 5), Ended: on(11, 4), Took: math.MaxInt64},
		Piece{Node: "e", Done: true, Ended: historyNow.Add(time.Minute)}, // a clock that is slightly ahead
		Piece{Node: "f", Began: on(14, 0)},
	)
	b.Reckon(historyNow)
	h := b.History
	if h.Dated != 2 {
		t.Errorf("%d dated, %+v", h.Dated, h.Pieces)
	}
}

// TestImpossibleDurations: no piece took longer than from its beginning to its end, and without both any duration is possible. Less than
// an hour too much is rounding, and if only the days are known, both count in full.
func TestImpossibleDurations(t *testing.T) {
	const hour = Millis(60 * 60 * 1000)
	for _, c := range []struct {
		name  string
		piece Piece
		want  Millis
	}{
		{"longer than it lasted", Piece{Done: true, Began: on(11, 8), Ended: on(11, 9), Took: 99999 * hour}, 0},
		{"rounded", Piece{Done: true, Began: on(11, 8), Ended: on(11, 9), Took: 3 * hour / 2}, 3 * hour / 2},
		{"no beginning", Piece{Done: true, Ended: on(12, 9), Took: 40 * hour}, 40 * hour},
		{"days", Piece{Done: true, DayOnly: true, Began: on(11, 0), Ended: on(12, 0), Took: 47 * hour}, 47 * hour},
		{"more than these days", Piece{Done: true, DayOnly: true, Began: on(11, 0), Ended: on(12, 0), Took: 49 * hour}, 0},
		{"not done", Piece{Began: on(11, 8), Ended: on(11, 9), Took: hour}, 0},
	} {
		c.piece.Node = c.name
		b := runningWith(1, Piece{Node: "first", Done: true, Began: on(11, 4), Ended: on(11, 5)}, c.piece)
		b.Reckon(historyNow)
		i := slices.IndexFunc(b.History.Pieces, func(p Piece) bool { return p.Node == c.name })
		if got := b.History.Pieces[i].Took; got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestResetToPending: a pending node has not begun, whatever times it still has.
func TestResetToPending(t *testing.T) {
	b := runningWith(2, Piece{Node: "1", Done: true, Began: on(10, 8), Ended: on(10, 9)}, Piece{Node: "2", Began: on(11, 8), Ended: on(11, 9), Took: 3_600_000})
	b.Nodes = []*Node{{ID: "1", Status: Done}, {ID: "2", Status: Pending}}
	b.Reckon(historyNow)
	if h := b.History; len(h.Pieces) != 1 || h.Pieces[0].Node != "1" {
		t.Errorf("%+v", h.Pieces)
	}
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

// TestSeenToBeDone: a piece without a time was done when it was seen to be done; the time of its file does not count.
func TestSeenToBeDone(t *testing.T) {
	b := runningWith(0, Piece{Node: "seen", Done: true}, Piece{Node: "file", Done: true})
	b.Nodes = []*Node{{ID: "seen", Status: Done, Since: on(12, 9)}, {ID: "file", Status: Done, Since: on(12, 9), SinceFile: true}}
	b.Reckon(historyNow)
	if h := b.History; h.Dated != 1 || h.Pieces[0].Node != "file" || !h.Pieces[1].Ended.Equal(on(12, 9)) {
		t.Errorf("%+v", h.Pieces)
	}
}

// TestNoForecast: without enough finished pieces, or if nothing moves, there is no forecast, and the reason is given.
func TestNoForecast(t *testing.T) {
	some := func(n int) (all []Piece) {
		for i := range n {
			all = append(all, Piece{Node: fmt.Sprint(i), Done: true, Ended: on(5+i%6, i%24), Took: Millis(1000 * (i + 1))})
		}
		return all
	}
	for _, c := range []struct {
		name, want string
		left       int
		change     func(*Build)
	}{
		{"enough", "", 3, func(b *Build) {}},
		{"too few", "it takes 5 plans that are done", 3, func(b *Build) { b.History.Pieces = some(4); b.Progress.Plans.Done = 4 }},
		{"waiting", "it waits for you", 3, func(b *Build) { b.Status = Waiting }},
		{"blocked", "it is blocked", 3, func(b *Build) { b.Status = Blocked }},
		{"failed", "it has failed", 3, func(b *Build) { b.Status = Failed }},
		{"paused", "it is paused", 3, func(b *Build) { b.Pause = &Pause{} }},
		{"stale", "it is stale", 3, func(b *Build) { b.StaleSince = on(12, 9) }},
		{"unknown", "nobody knows how much is left", 3, func(b *Build) { b.Progress.Known = false }},
		{"nothing left", "no plan is left", 0, func(b *Build) { b.Status = Executed }},
		{"unplanned", "what is left is not planned yet", 0, func(b *Build) { b.History.Unplanned = 2 }},
		{"forgotten", "no plan was finished for 30d", 3, func(b *Build) {
			for i := range b.History.Pieces {
				b.History.Pieces[i].Ended = b.History.Pieces[i].Ended.AddDate(0, 0, -28)
			}
		}},
		{"idle", "nothing has changed for 4d", 3, func(b *Build) { b.Freshness.Changed = on(8, 1) }},
		{"no times", "too few have a date", 3, func(b *Build) {
			for i := range b.History.Pieces {
				b.History.Pieces[i] = Piece{Node: fmt.Sprint(i), Done: true}
			}
		}},
	} {
		b := runningWith(c.left, some(8)...)
		c.change(b)
		b.Reckon(historyNow)
		f := b.History.Forecast
		if f == nil || f.None != c.want || (f.Days != nil) != (c.want == "") {
			t.Errorf("%s: %+v, want %q", c.name, f, c.want)
		}
	}
	b := runningWith(0, some(8)...)
	if b.Status = Done; true {
		b.Reckon(historyNow)
	}
	if b.History.Forecast != nil {
		t.Errorf("done: %+v", b.History.Forecast)
	}
}

// TestForecastLeavesTodayOut: today's count does not matter before the day is over.
func TestForecastLeavesTodayOut(t *testing.T) {
	var pieces []Piece
	for day := 8; day <= 11; day++ {
		for hour := range 4 {
			pieces = append(pieces, Piece{Done: true, Ended: on(day, 8+hour)})
		}
	}
	pieces = append(pieces, Piece{Done: true, Ended: on(12, 8)})
	b := runningWith(8, pieces...)
	b.Reckon(historyNow)
	if f := b.History.Forecast; f.Days == nil || *f.Days != (Range{2, 2, 4}) {
		t.Errorf("%+v %+v", f, f.Days)
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
