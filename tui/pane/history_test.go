package pane

import (
	"slices"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

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
	for _, h := range []*model.History{
		{}, {Dated: 99, Unplanned: -1}, {Of: "x", Dated: -1},
		{Forecast: &model.Forecast{Left: -4, Days: &model.Range{From: 9, To: -9}}},
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
