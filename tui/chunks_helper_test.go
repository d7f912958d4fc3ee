package tui

import (
	"context"
	"strings"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

// readerActor carries out decisions on a build of chunks, in memory.
type readerActor struct {
	build *model.Build
	done  []model.Action
}

func newReaderActor() *readerActor {
	b := tuitest.ReaderBuild()
	b.Can = append(b.Can, model.VerbFresh)
	return &readerActor{build: b}
}

func (a *readerActor) snapshot(version uint64) *model.Snapshot {
	return &model.Snapshot{Version: version, At: tuitest.Noon, Projects: []*model.Project{{Root: "/src/reader", Name: "reader", Builds: []*model.Build{a.build}}}}
}

func (a *readerActor) Propose(_ context.Context, x model.Action) (*model.Proposal, error) {
	p := &model.Proposal{Action: x, Name: a.build.Title, File: ".fctry/state.json"}
	at := func(line int) model.Pos { return model.Pos{File: p.File, Line: line, Col: 3} }
	switch x.Verb {
	case model.VerbAdd:
		p.Name, p.File, p.Wants, p.Effect = "an item", ".fctry/inbox.json", "item", "5 → 6 items"
		kind := "evolve"
		if strings.HasPrefix(x.Text, "http") {
			kind = "reference"
		}
		if x.Text != "" {
			p.Edits = []model.Edit{{Label: "[0]", Pos: at(2), New: `{"type": "` + kind + `", "content": "` + x.Text + `", "status": "pending"}`}}
		}
	case model.VerbDismiss:
		p.Name, p.File, p.Asks = "Read aloud", ".fctry/inbox.json", "It stays in the file, as dismissed."
		p.Effect, p.Edits = "error → dismissed", []model.Edit{{Label: "[2].status", Pos: at(18), Old: `"error"`, New: `"dismissed"`}}
	case model.VerbSync:
		p.Asks, p.Effect = "The file says what the tree denies.", "5/14 → 4/14"
		p.Edits = []model.Edit{{Label: "buildRun.chunkProgress.completed", Pos: at(12), Old: "5", New: "4"}}
	case model.VerbFresh:
		p.Confirm, p.Effect, p.Warnings = "fresh", "running → null", []string{"4 chunks that are done will be forgotten"}
		p.Edits = []model.Edit{{Label: "buildRun", Pos: at(8), Old: "{ 4,211 bytes }", New: "null"}}
	default:
		return nil, &model.Refusal{Text: "this build has no gates"}
	}
	p.Action.Seen, p.Action.Shown = "1", p.Effect+x.Text
	return p, nil
}

func (a *readerActor) Do(ctx context.Context, x model.Action) (*model.Outcome, error) {
	a.done = append(a.done, x)
	p, err := a.Propose(ctx, x)
	if err != nil {
		return nil, err
	}
	return &model.Outcome{Proposal: p, Decision: model.Decision{Verb: x.Verb, Was: "1", Is: "2"}}, nil
}

func (a *readerActor) Settle(context.Context, *model.Outcome) error { return nil }
