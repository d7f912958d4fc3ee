package tuitest

import (
	"fmt"
	"strconv"
	"time"

	"gatehouse/model"
)

// Plans returns an active build of n plans, ten in a phase. Two thirds are done: some with a time, some with a day, some without
// either.
func Plans(n int) *model.Snapshot {
	b := &model.Build{ID: "gsd", Protocol: "gsd", Title: "v2.0 Harbour", Status: model.Active, File: ".planning/STATE.md",
		Freshness: model.Freshness{Changed: Ago(time.Minute)}, History: &model.History{Unplanned: 1}}
	done := n * 2 / 3
	begun := Noon.Add(-time.Duration(done) * 5 * time.Hour)
	for i := range n {
		if i%10 == 0 {
			b.Nodes = append(b.Nodes, Phase(fmt.Sprintf("%02d", i/10+1), "Quay "+strconv.Itoa(i/10+1), model.Done, "", 0, 0, Day))
		}
		phase := b.Nodes[i/10]
		x := plan(fmt.Sprintf("%s-%02d", phase.Number, i%10+1), "Stone "+strconv.Itoa(i+1), model.Done, "", Day)
		phase.Children, phase.Count.Total = append(phase.Children, x), phase.Count.Total+1
		if i >= done {
			x.Status, phase.Status = model.Pending, model.Pending
			if phase.Count.Done > 0 {
				phase.Status = model.Active
			}
			continue
		}
		phase.Count.Done++
		p := model.Piece{Node: x.ID, Phase: phase.ID, Done: true, Took: model.Millis(240_000 + 60_000*(i*7%11))}
		p.Ended = begun.Add(time.Duration(i) * 5 * time.Hour)
		p.Began = p.Ended.Add(-p.Took.Duration())
		switch i % 7 {
		case 3:
			p.DayOnly = true
		case 5:
			x.Since = time.Time{} // without a time
			p = model.Piece{Node: x.ID, Phase: phase.ID, Done: true}
		}
		b.History.Pieces = append(b.History.Pieces, p)
	}
	b.Progress = model.Progress{Known: true, Percent: done * 100 / max(n, 1), Plans: model.Count{Done: done, Total: n}}
	b.Reckon(Noon)
	return &model.Snapshot{Version: 1, At: Noon, Projects: []*model.Project{{Root: "/src/harbour", Name: "harbour", Builds: []*model.Build{b}}}}
}

// Phases returns a waiting loop with four of six phases finished.
func Phases() *model.Snapshot {
	b := &model.Build{ID: "loop", Protocol: "loop", Title: "kite-loop", Status: model.Waiting, File: "kite-state.json",
		Freshness: model.Freshness{Changed: Ago(time.Minute)}, History: &model.History{TotalSince: Ago(26 * time.Hour)}}
	at := b.History.TotalSince
	for i, name := range []string{"SKETCH", "CUT", "SEW", "TIE", "FLY", "LAND"} {
		n := &model.Node{ID: "phase/" + name, Kind: model.KindPhase, Title: name, Status: model.Done}
		b.Nodes = append(b.Nodes, n)
		if i >= 4 {
			n.Status = model.Pending
			continue
		}
		p := model.Piece{Node: n.ID, Done: true, Began: at, Ended: at.Add(time.Duration(2+3*(i%2)) * time.Hour)}
		p.Took = model.Millis(p.Ended.Sub(p.Began).Milliseconds())
		at = p.Ended.Add(time.Hour)
		b.History.Pieces = append(b.History.Pieces, p)
	}
	b.Progress = model.Progress{Known: true, Percent: 66, Phases: model.Count{Done: 4, Total: 6}, Closed: model.Count{Done: 4, Total: 6}}
	b.Reckon(Noon)
	return &model.Snapshot{Version: 1, At: Noon, Projects: []*model.Project{{Root: "/src/kite", Name: "kite", Builds: []*model.Build{b}}}}
}

// Chunks returns the reader with the times at which its chunks were built.
func Chunks() *model.Snapshot {
	snap := Reader()
	b := snap.Projects[0].Builds[0]
	b.History = &model.History{TotalSince: Ago(5 * time.Hour)}
	at := b.History.TotalSince
	for i, n := range b.OfKind(model.KindChunk) {
		if n.Status != model.Done && n.Status != model.Active {
			continue
		}
		p := model.Piece{Node: n.ID, Done: n.Status == model.Done, Began: at}
		if p.Done {
			p.Took = model.Millis((10 + 7*i) * 60_000)
			p.Ended = at.Add(p.Took.Duration())
			at = p.Ended.Add(5 * time.Minute)
		}
		b.History.Pieces = append(b.History.Pieces, p)
	}
	b.Reckon(Noon)
	return snap
}
