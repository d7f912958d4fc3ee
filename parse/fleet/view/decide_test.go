package view

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// deaf is a link to a host that gets what is sent, and of which no answer comes while it is silent.
type deaf struct {
	lost   func() // when the answer to a decision is lost
	mu     sync.Mutex
	silent bool
	gone   bool                // it is not there
	reply  *wire.Reply         // to what is asked about a decision; nil: it was done
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
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids[kind] = append(l.ids[kind], r.ID)
	if kind == wire.AskDecide {
		l.lost()
	}
	switch {
	case l.silent:
		return nil, link.ErrNoAnswer
	case l.gone:
		return nil, link.ErrNobody
	case l.reply != nil && kind == wire.AskOutcome:
		reply := *l.reply
		reply.Reply, reply.At = kind, time.Now()
		return wire.EncodeReply(&reply, nil), nil
	}
	o := &model.Outcome{Proposal: &model.Proposal{Effect: "pending → passed"}, Decision: model.Decision{Request: r.ID, Project: "/src"}}
	return wire.EncodeReply(&wire.Reply{Reply: kind, At: time.Now(), Outcome: o}, nil), nil
}

// TestAsksForTheOutcome: of what may have been done the outcome is asked for, by the ID of the one request, until somebody knows it.
func TestAsksForTheOutcome(t *testing.T) {
	l := &deaf{silent: true, ids: map[string][]string{}}
	f := newLook(t, l, "")
	h := f.sources[0].hosts["build-7"]
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
	if got, want := (&Unknown{Fleet: "my work", Host: "$(x)", ID: "i"}).Command(), "gatehouse fleet outcome '$(x)' i --fleet 'my work'"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	l.silent = false
	f.mu.Lock()
	h.presence = &wire.Presence{Machine: "another"} // which knows nothing of it
	l.reply = &wire.Reply{Withdrawn: true}
	f.mu.Unlock()
	if _, err := u.Outcome(t.Context()); !errors.As(err, &u) {
		t.Error(err)
	}
	f.mu.Lock()
	h.presence = &wire.Presence{Machine: "m"}
	l.reply = nil
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

// TestOutcomeOfAnotherStart: what the ledger of a host has is believed also after the machine was started anew; that it has nothing, only where it
// is the ledger of the machine to which the decision was sent. A host that is not there can't say that nothing was done.
func TestOutcomeOfAnotherStart(t *testing.T) {
	done := &wire.Reply{Outcome: &model.Outcome{Proposal: &model.Proposal{}, Decision: model.Decision{Project: "/src"}}}
	refused := &wire.Reply{Error: wire.EncodeError(&model.Refusal{Text: "the file has changed"})}
	withdrawn := &wire.Reply{Withdrawn: true}
	for _, c := range []struct {
		name, machine string
		reply         *wire.Reply
		gone          bool
		want          string // of the error; "" for none
	}{
		{"done", "account-boot1", done, false, ""},
		{"done, started anew", "account-boot2", done, false, ""},
		{"refused, started anew", "account-boot2", refused, false, "the file has changed"},
		{"withdrawn", "account-boot1", withdrawn, false, errWithdrawn.Error()},
		{"withdrawn, started anew", "account-boot2", withdrawn, false, errWithdrawn.Error()},
		{"another has nothing", "other-boot1", withdrawn, false, "it is not known whether it was done"},
		{"another has it", "other-boot1", done, false, ""},
		{"not there", "account-boot1", nil, true, "it is not known whether it was done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &deaf{lost: func() {}, reply: c.reply, gone: c.gone, ids: map[string][]string{}}
			f := newLook(t, l, t.TempDir())
			x := &sent{Version: sentVersion, ID: wire.NewID(time.Now()), Fleet: "work", Host: "build-7", Machine: "account-boot1", At: time.Now(), Action: model.Action{Project: "build-7:/src"}}
			f.sends(x)
			f.mu.Lock()
			h := f.sources[0].hosts["build-7"]
			h.presence.Machine = c.machine
			dead := &source{fleet: f, link: l}
			dead.hosts = map[string]*host{"build-7": {source: dead, name: "build-7", presence: &wire.Presence{}}}
			f.sources = append(f.sources, dead)
			f.mu.Unlock()
			_, err := f.Outcome(t.Context(), "build-7", x.ID)
			var u *Unknown
			if errors.As(err, &u) {
				if _, again := u.Outcome(t.Context()); !errors.As(again, &u) || u.at != h {
					t.Error(again)
				}
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if known := u == nil; known != (f.sent[x.ID] == nil) {
				t.Errorf("it is known: %v, and kept: %v", known, f.sent[x.ID])
			}
		})
	}
}
