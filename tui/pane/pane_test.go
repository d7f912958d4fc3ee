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

func TestDurationWords(t *testing.T) {
	for d, want := range map[model.Millis]string{0: "0ms", 999: "999ms", 1000: "1s", 59_400: "59s", 125_000: "2m 5s", 120_000: "2m", 600_000: "10m", 3_599_000: "59m", 3_600_000: "1h", 4_800_000: "1h 20m", 100 * 3_600_000: "4d 4h"} {
		if got := durationWords(d); got != want {
			t.Errorf("%d ms: %q, want %q", d, got, want)
		}
	}
}

func TestFoldsAreBounded(t *testing.T) {
	var tr Tree
	var ix *index.Index
	at := func(i int) index.Place {
		return index.Place{Project: "/p", Build: "gsd", Node: fmt.Sprint("phase/", i)}
	}
	for i := range 2 * foldLimit {
		b := &model.Build{ID: "gsd", Status: model.Active, Nodes: []*model.Node{{ID: at(i).Node, Status: model.Active,
			Children: []*model.Node{{ID: fmt.Sprint("plan/", i), Status: model.Active}}}}}
		ix = index.New(&model.Snapshot{Version: uint64(i + 1), Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}, ix)
		tr.Load(ix)
		tr.GoTo(at(i))
		tr.Toggle()
	}
	if n := len(tr.folded); n > foldLimit || !tr.folded[at(2*foldLimit-1)] {
		t.Errorf("%d folds are remembered", n)
	}
}

// plainLook draws without colors, always at the same time of day.
func plainLook(ascii bool) *draw.Look {
	return &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(ascii), Now: tuitest.Noon}
}

// TestTimelineClock: times are shown in the local time zone; an entry with only a day gets no time and keeps its day.
func TestTimelineClock(t *testing.T) {
	boston := time.FixedZone("EST", -5*60*60)
	l := plainLook(false)
	l.Now = tuitest.Noon.In(boston) // 07:00
	for at, want := range map[time.Time]string{
		time.Date(2026, 3, 14, 11, 30, 0, 0, time.UTC):                "06:30",
		time.Date(2026, 3, 14, 3, 0, 5, 0, time.UTC):                  "Mar 13",
		time.Date(2026, 3, 14, 9, 0, 0, 0, time.FixedZone("", 60*60)): "03:00",
		time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC):                  "Mar 14",
		time.Date(2026, 3, 12, 0, 0, 0, 0, time.UTC):                  "Mar 12",
		time.Date(2026, 3, 12, 0, 0, 0, 0, boston):                    "Mar 12",
		{}: "",
	} {
		r := l.Ribbon(60)
		drawTime(&r, at)
		if got := strings.TrimSpace(ansi.Strip(r.Line())); got != want {
			t.Errorf("%v: %q, want %q", at, got, want)
		}
	}
}

// TestForgedPages checks the beginnings of rows on each page: of a text from a file only the first row may lack the sign of a
// continued row.
func TestForgedPages(t *testing.T) {
	for name, snap := range tuitest.ForgedSnapshots() {
		for _, ascii := range []bool{false, true} {
			for _, width := range []int{36, 88} {
				if ascii && width == 88 {
					continue
				}
				l, ix := plainLook(ascii), index.New(snap, nil)
				scene := &Scene{Look: l, Index: ix, Row: index.Row{Site: ix.Sites[0]}}
				pages := map[string]page{
					"waits": waitsPage(&textPane{opened: true}, scene, width), "blockers": blockersPage(nil, scene, width),
					"decisions": decisionsPage(nil, scene, width), "inbox": inboxPage(&textPane{}, scene, width),
				}
				for _, s := range ix.Sites {
					pages["overview"] = overviewPage(l, ix, s, width, panesInView{}, nil)
					pages["metrics"] = metricsPage(l, s, width, 4)
					for _, n := range model.Walk(s.Build.Nodes) {
						pages["details of "+n.ID] = detailPage(l, ix, s, n, width, panesInView{}, nil)
					}
				}
				for what, p := range pages {
					where := fmt.Sprintf("%s, %s, %d columns, ascii %v", name, what, width, ascii)
					tuitest.NotForgedPage(t, where, p.Lines, ascii)
				}
				if t.Failed() {
					t.FailNow()
				}
			}
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
