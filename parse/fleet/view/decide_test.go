package view

import (
	"context"
	"errors"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// deaf is a link to a host that gets what is sent, and of which no answer comes while it is silent.
type deaf struct {
	lost   func() // when the answer to a decision is lost
	silent bool
	ids    map[string][]string // of the requests, by their kinds
}

func (*deaf) Name() string                       { return "hub" }
func (*deaf) Only() string                       { return "" }
func (*deaf) Run(context.Context, link.Listener) {}

func (l *deaf) Ask(_ context.Context, _ string, _ uint64, kind string, data []byte) ([]byte, error) {
	r, err := wire.ParseRequest(data)
	if err != nil {
		return nil, err
	}
	l.ids[kind] = append(l.ids[kind], r.ID)
	if kind == wire.AskDecide {
		l.lost()
	}
	if l.silent {
		return nil, link.ErrNoAnswer
	}
	o := &model.Outcome{Proposal: &model.Proposal{Effect: "pending → passed"}, Decision: model.Decision{Request: r.ID, Project: "/src"}}
	return wire.EncodeReply(&wire.Reply{Reply: kind, At: time.Now(), Outcome: o}, nil), nil
}

// TestAsksForTheOutcome: of what may have been done the outcome is asked for, by the ID of the one request, until somebody knows it.
func TestAsksForTheOutcome(t *testing.T) {
	l := &deaf{silent: true, ids: map[string][]string{}}
	f := Open(t.Context(), Options{Fleet: "work", Links: []link.Viewer{l}, Now: time.Now, SilentAfter: time.Minute})
	h := &host{source: f.sources[0], name: "build-7", presence: &wire.Presence{Machine: "m"}, entries: map[string]*entry{}}
	h.projects = map[string]*project{"/src": {host: h, root: "/src"}}
	f.mu.Lock()
	f.sources[0].hosts["build-7"] = h
	f.mu.Unlock()

	ctx, cancel := context.WithCancel(t.Context())
	l.lost = cancel
	_, err := f.Do(ctx, model.Action{Verb: model.VerbChanges, Project: "build-7:/src", Text: "less"})
	var u model.Unanswered
	if !errors.As(err, &u) {
		t.Fatal(err)
	}
	if _, err := u.Outcome(t.Context()); !errors.As(err, &u) {
		t.Fatal(err)
	}
	id := l.ids[wire.AskDecide][0]
	if want := "gatehouse fleet outcome build-7 " + id + " --fleet work"; u.Command() != want {
		t.Errorf("%q, want %q", u.Command(), want)
	}
	l.silent = false
	f.mu.Lock()
	h.presence = &wire.Presence{Machine: "another"} // which knows nothing of it
	f.mu.Unlock()
	if _, err := u.Outcome(t.Context()); !errors.As(err, &u) {
		t.Error(err)
	}
	f.mu.Lock()
	h.presence = &wire.Presence{Machine: "m"}
	f.mu.Unlock()
	o, err := u.Outcome(t.Context())
	if err != nil || o.Decision.Request != id || o.Decision.Project != "build-7:/src" || o.Proposal.Action.Text != "less" {
		t.Errorf("%+v %v", o, err)
	}
	if n := len(l.ids[wire.AskDecide]); n != 1 {
		t.Errorf("it was sent %d times", n)
	}
	for _, asked := range l.ids[wire.AskOutcome] {
		if asked != id {
			t.Errorf("%s is asked for, and %s was sent", asked, id)
		}
	}
}
