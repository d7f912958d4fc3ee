package view

import (
	"context"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// still is a feed with one snapshot.
type still struct{ *model.Snapshot }

func (s still) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	if after > 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Snapshot, nil
}

// TestWhatIsHereIsShownOnce: what this very account has joined is not shown a second time, neither its projects nor its agents.
func TestWhatIsHereIsShownOnce(t *testing.T) {
	s := newStage(t, "hub")
	s.opts.Machine = "m"
	src := s.sources[0]
	src.Listed(s.now, nil)
	for host, machine := range map[string]string{"build-7": "m", "build-8": "n"} {
		p := &process{boot: 1}
		head := func(kind string) wire.Head {
			h := p.head(kind, s.now)
			h.Host = host
			return h
		}
		project := &wire.Project{Head: head(wire.KindProject), Root: "/a", Name: "a", Sessions: []model.Session{{ID: host, Project: "/a"}}}
		key := wire.ProjectKey(host, "/a", "a")
		p.digest.Add(key, p.seq)
		src.Said(link.Message{Key: key, Data: wire.Encode(project)})
		here := &wire.Presence{Head: head(wire.KindPresence), Machine: machine, Ready: true, Entries: 1, Digest: p.digest.String()}
		src.Said(link.Message{Key: wire.HostKey(host), Data: wire.Encode(here)})
	}
	here := &model.Snapshot{Version: 1, At: s.now, Projects: []*model.Project{{Root: "/a", Builds: []*model.Build{{}}}}, Sessions: []model.Session{{ID: "build-7", Project: "/a"}}}
	snap, err := NewUnion(t.Context(), still{here}, nil, nil, s.Fleet).Next(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(snap.Projects) != 2 || snap.Projects[0].Root != "/a" || snap.Projects[1].Root != "build-8:/a" {
		t.Errorf("%+v", snap.Projects)
	}
	if len(snap.Sessions) != 2 || snap.Sessions[0].ID != "build-7" || snap.Sessions[1].ID != "build-8" {
		t.Errorf("%+v", snap.Sessions)
	}
}
