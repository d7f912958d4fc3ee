package remote

import (
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// FuzzDocument looks for documents that crash the parser, or that are accepted although they contain what no model may have.
func FuzzDocument(f *testing.F) {
	b := &model.Build{ID: "gsd", Nodes: []*model.Node{{ID: "a", Kind: model.KindGate, Gate: &model.Gate{Asks: "b", Can: []model.Verb{model.VerbApprove}}}}}
	_, packed := newDocument(&model.Project{Root: "/src/shop", Name: "shop", Builds: []*model.Build{b}}, []model.Session{{ID: "s"}}, &Origin{"build-7", "s", 1})
	f.Add(packed)
	f.Add(wrapped(`{"id":"gsd","nodes":[null,{"id":"a","children":[{}]}]}`))
	f.Add(wrapped(`{"id":"gsd","header":{"full":[{"part":true,"rank":5,"text":[{"role":1,"text":"["}]}],"compact":[]},"claimed":"x","measured":{"days":[{"date":"2026-01-26"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, _, err := decodeDocument(data, -time.Hour)
		if err != nil {
			clean(t, err.Error())
			return
		}
		for _, p := range doc.Projects {
			clean(t, p.Name)
			for _, b := range p.Project.Builds {
				sound(t, b)
			}
			if _, again := newDocument(p.Project, nil, doc.Origin); len(again) == 0 { // an accepted document can be sent again
				t.Error("it can't be sent")
			}
		}
	})
}

// FuzzRequest looks for requests that crash the parser or get an error that may act on a terminal.
func FuzzRequest(f *testing.F) {
	f.Add(encodeJSON(&Request{Schema: 1, Action: model.Action{Verb: "approve", Project: "/x", Text: "\x00"}}))
	f.Add([]byte(`{"schema":1,"verb":"status"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := parseRequest(data); err != nil {
			clean(t, err.Error())
		}
	})
}

// FuzzReply looks for replies that crash the parser or keep text that may act on a terminal.
func FuzzReply(f *testing.F) {
	p := &model.Proposal{Name: "frame-gate", Edits: []model.Edit{{Label: "a", Old: "b"}}, Wants: "reason", Since: time.Unix(1e9, 0)}
	r := &Reply{Outcome: NewOutcome(ResultDryRun, &model.Outcome{Proposal: p}), Proposal: p}
	f.Add(encodeJSON(r))
	r.setError(&model.Changed{Now: p})
	f.Add(encodeJSON(r))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parseReply(data, 0)
		if err != nil {
			clean(t, err.Error())
			return
		}
		if p := r.Proposal; p != nil {
			clean(t, p.Effect+p.Asks+p.Name)
		}
		if d := r.Decision; d != nil {
			clean(t, r.Note+d.Who)
		}
		if err := r.err(); err != nil {
			clean(t, err.Error())
		}
	})
}

// clean fails if a text may act on a terminal.
func clean(t *testing.T, s string) {
	t.Helper()
	if s != line.Clean(s) {
		t.Errorf("%q may act on a terminal", s)
	}
}

// sound fails unless the IDs of a build are unique and its texts are clean.
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
		clean(t, line.Full(b.Header))
	}
	for _, w := range b.Waits {
		clean(t, w.Text)
	}
}
