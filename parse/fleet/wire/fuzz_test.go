package wire

import (
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// FuzzMessage looks for messages that bring the reader down, or that get through it with what no model may have.
func FuzzMessage(f *testing.F) {
	key := ProjectKey("build-7", "/src/shop", "shop", "gsd")
	f.Add(Encode(&Build{Head: head(KindBuild), Root: "/src/shop", Name: "shop", Build: &Body{Build: &model.Build{ID: "gsd"}, Left: map[string]int{"waits": 3}}}))
	f.Add(Encode(&Project{Head: head(KindProject), Root: "/src/shop", Name: "shop", Builds: []string{"gsd"}}))
	f.Add(Encode(&Presence{Head: head(KindPresence)}))
	f.Add([]byte(`{"v":1,"kind":"build","build":{"nodes":[null,{"id":"a","children":[{}]}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, key := range []string{key, HostKey("build-7"), ProjectKey("build-7", "/src/shop", "shop")} {
			m, err := ParseMessage(key, data)
			if err != nil {
				clean(t, err.Error())
				continue
			}
			switch m := m.(type) {
			case *Build:
				if b, err := m.Decode(data, time.Hour); err == nil {
					sound(t, b)
				}
			case *Project:
				if p, _, err := m.Decode(time.Hour); err == nil {
					clean(t, p.Name)
				}
			}
		}
	})
}

func FuzzTree(f *testing.F) {
	f.Add([]byte(`{"id":"gsd","nodes":[{"id":"a","kind":"gate","status":"waiting","gate":{"asks":"b","can":["approve"],"request":{"id":"c"}},` +
		`"facts":[{"label":"d","value":"e"}],"children":[{"id":"f","updated":"2026-01-01T00:00:00Z"}]}],"waits":[{"node":"a","text":"g","evidence":"gate"}]}`))
	f.Add([]byte(`{"id":"gsd","line":{"full":[{"part":true,"rank":5,"text":[{"role":1,"text":"["}]}],"compact":[]},"claimed":null,"measured":{"days":[{"date":"2026-01-26"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := DecodeWhole(data, -time.Hour)
		if err != nil {
			clean(t, err.Error())
			return
		}
		sound(t, b)
		if again, err := Whole(b); err != nil || len(again) == 0 { // what was taken can be passed on
			t.Error(err)
		}
	})
}

func FuzzRequest(f *testing.F) {
	f.Add(Encode(&Request{V: 1, Request: AskDecide, ID: NewID(time.Unix(1e9, 0)), Action: &model.Action{Verb: "approve", Project: "/x", Text: "\x00"}}))
	f.Add([]byte(`{"v":1,"request":"list"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseRequest(data)
		if err != nil {
			clean(t, err.Error())
		} else if r.Action == nil && (r.Request == AskDecide || r.Request == AskPropose) {
			t.Error("a decision about nothing")
		}
	})
}

func FuzzReply(f *testing.F) {
	p := &model.Proposal{Name: "frame-gate", Edits: []model.Edit{{Label: "a", Old: "b"}}, Wants: "reason", Since: time.Unix(1e9, 0)}
	f.Add(EncodeReply(&Reply{Reply: AskDecide, Proposal: EncodeProposal(p), Error: EncodeError(&model.Changed{Now: p})}, []byte("part")))
	f.Add(EncodeReply(&Reply{Reply: AskDecide, Outcome: EncodeOutcome(&model.Outcome{Decision: model.Decision{ID: "x"}})}, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, _, err := ParseReply(AskDecide, data)
		if err != nil {
			clean(t, err.Error())
			return
		}
		if r.Clean(0) != nil {
			return
		}
		if p := r.Proposal; p != nil {
			clean(t, p.Effect+p.Asks+p.Name)
		}
		if o := r.Outcome; o != nil {
			clean(t, o.Note+o.Decision.Who)
		}
		if err := r.Error.Err(); err != nil {
			clean(t, err.Error())
		}
	})
}

func FuzzList(f *testing.F) {
	f.Add(EncodeList(map[string][]byte{"gh.a": []byte(`{"v":1}`)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		messages, err := ParseList(data)
		if err != nil {
			clean(t, err.Error())
		}
		for key, m := range messages {
			ParseMessage(key, m)
		}
	})
}

func clean(t *testing.T, s string) {
	t.Helper()
	if s != line.Clean(s) {
		t.Errorf("%q may act on a terminal", s)
	}
}

func sound(t *testing.T, b *model.Build) {
	t.Helper()
	seen := map[string]bool{}
	for _, n := range model.Walk(b.Nodes) {
		if n.ID == "" || seen[n.ID] {
			t.Errorf("two nodes %q", n.ID)
		}
		seen[n.ID] = true
		clean(t, n.Title+n.Raw+n.Why)
	}
	clean(t, b.Title+b.Why+b.Raw)
	if b.Header != nil {
		clean(t, string(b.Header.AppendFull(nil)))
	}
	for _, w := range b.Waits {
		clean(t, w.Text)
	}
}
