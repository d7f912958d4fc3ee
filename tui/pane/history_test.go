package pane

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// TestTicks: whatever the span of an axis, also across daylight saving changes, its labels are apart, in order and within it.
func TestTicks(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	for _, from := range []time.Time{
		time.Date(2026, 3, 28, 22, 10, 0, 0, berlin), time.Date(2026, 10, 24, 23, 59, 59, 0, berlin), time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2025, 12, 31, 23, 0, 0, 0, time.UTC),
	} {
		for _, span := range []time.Duration{time.Millisecond, time.Second, time.Minute, 40 * time.Minute, 5 * time.Hour, 30 * time.Hour, 9 * tuitest.Day, 70 * tuitest.Day, 800 * tuitest.Day, 9000 * tuitest.Day} {
			for _, columns := range []int{44, 90, 213} {
				a := axis{from: from, to: from.Add(span), in: berlin, columns: columns}
				ticks, end := a.ticks(), -1
				if len(ticks) == 0 {
					t.Errorf("%s from %s: no label", span, from)
				}
				for _, x := range ticks {
					if x.column <= end || x.column+len(x.label) > columns {
						t.Errorf("%s from %s in %d columns: %+v", span, from, columns, ticks)
						break
					}
					end = x.column + len(x.label)
				}
				if first, last := a.columnOf(a.from), a.columnOf(a.to); first != 0 || last != columns-1 {
					t.Errorf("it reaches from %d to %d of %d", first, last, columns)
				}
			}
		}
	}
}

// TestLabelsOfDays: the days of an axis begin at midnight in the user's time zone.
func TestLabelsOfDays(t *testing.T) {
	tokyo := time.FixedZone("JST", 9*60*60)
	a := axis{from: time.Date(2026, 3, 6, 14, 0, 0, 0, time.UTC), to: time.Date(2026, 3, 9, 15, 0, 0, 0, time.UTC), in: tokyo, columns: 73}
	var labels []string
	for _, x := range a.ticks() {
		labels = append(labels, fmt.Sprint(x.label, " ", x.column))
	}
	if want := []string{"Mar 07 1", "Mar 08 25", "Mar 09 49"}; !slices.Equal(labels, want) {
		t.Errorf("%q, want %q", labels, want)
	}
}

// TestChart: days with nothing are visible, and a day with something is never drawn as nothing.
func TestChart(t *testing.T) {
	for _, c := range []struct {
		values     []int
		most, rows int
		want       string
	}{
		{[]int{0, 1, 4, 8}, 8, 2, "   █| ▂██"},
		{[]int{0, 1, 16}, 1000, 1, " ▁▁"},
		{[]int{9, 9}, 4, 2, "██|██"}, // more than the maximum
		{[]int{1, 2}, 0, 2, "  |  "},
	} {
		if got := strings.Join(draw.NewGlyphs(false).Chart(c.values, c.most, c.rows), "|"); got != c.want {
			t.Errorf("%v of %d: %q, want %q", c.values, c.most, got, c.want)
		}
	}
}

// TestHistoriesFit: even with a hostile history no row is wider than its page.
func TestHistoriesFit(t *testing.T) {
	far := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	for name, pieces := range map[string][]model.Piece{
		"one moment": {{Node: "a", Done: true, Ended: tuitest.Noon}, {Node: "b", Done: true, Ended: tuitest.Noon}},
		"no time":    {{Node: "a", Done: true}, {Node: "b", Done: true}},
		"far away":   {{Node: "a", Done: true, Ended: far}, {Node: "b", Done: true, Ended: far.AddDate(-9998, 0, 0)}, {Node: "c", Began: far}},
		"backwards":  {{Node: "a", Done: true, Began: tuitest.Noon, Ended: tuitest.Ago(tuitest.Day)}, {Node: "b", Done: true, Ended: tuitest.Ago(2 * tuitest.Day), Took: -1}},
		"centuries":  {{Node: "a", Done: true, Ended: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), Took: 1 << 62}, {Node: "b", Done: true, Ended: tuitest.Noon, Took: 1 << 62}},
		"too many":   slices.Repeat([]model.Piece{{Node: "a", Phase: "p", Done: true, Ended: tuitest.Noon}}, 50),
	} {
		for _, count := range []model.Count{{}, {Done: 2, Total: 3}, {Done: 1 << 40, Total: 1 << 62}, {Done: 9, Total: 2}, {Done: -1, Total: -1}} {
			snap := tuitest.Shop()
			b := snap.Projects[0].Builds[0]
			b.Status, b.Waits = model.Active, nil
			b.Progress = model.Progress{Known: true, Plans: count}
			b.History = &model.History{Pieces: slices.Clone(pieces), Unplanned: 1 << 40}
			b.Reckon(tuitest.Noon)
			for _, width := range []int{1, 20, 40, 80, 200} {
				p := metricsPage(plainLook(width == 80), index.New(snap, nil).Sites[0], width, 6)
				for _, row := range p.Lines {
					if n := ansi.StringWidth(row); n != width {
						t.Fatalf("%s, %+v, %d columns: %q has %d", name, count, width, row, n)
					}
				}
			}
		}
	}
}

// TestRemoteHistories: another machine may send anything as its history.
func TestRemoteHistories(t *testing.T) {
	back := model.Stretch{Node: "a", From: tuitest.Noon, To: tuitest.Ago(tuitest.Day)}
	for _, h := range []*model.History{
		{}, {Dated: 99, Unplanned: -1}, {Of: "x", Dated: -1, Stretches: []model.Stretch{back, back}},
		{Stretches: []model.Stretch{back, {Node: "b", From: tuitest.Ago(time.Hour), To: tuitest.Noon}}, Forecast: &model.Forecast{Left: -4, Days: &model.Range{From: 9, To: -9}, Work: &model.Range{From: 1 << 62, To: -1}}},
		{Count: model.Count{Done: 1 << 62, Total: 1 << 62}, PieceTime: &model.Durations{}, Pieces: []model.Piece{{Done: true, Ended: tuitest.Noon}, {}, {Done: true, Ended: tuitest.Ago(time.Hour)}}},
	} {
		snap := tuitest.Shop()
		snap.Projects[0].Builds[0].History = h
		for _, width := range []int{1, 40, 120} {
			for _, row := range metricsPage(plainLook(false), index.New(snap, nil).Sites[0], width, 6).Lines {
				if n := ansi.StringWidth(row); n != width {
					t.Fatalf("%+v, %d columns: %q has %d", h, width, row, n)
				}
			}
		}
	}
}

// TestRangesAreRounded: a range whose ends look the same is shown as "about" that value.
func TestRangesAreRounded(t *testing.T) {
	for _, c := range [][3]string{{"2", "5 days", "2 to 5 days"}, {"3", "3 days", "about 3 days"}, {"3h", "3h", "about 3h"}, {"3h", "4h", "3h to 4h"}} {
		if got := rangeOf(c[0], c[1]); got != c[2] {
			t.Errorf("%q, want %q", got, c[2])
		}
	}
}
