package join

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/hubtest"
	"gatehouse/parse/fleet/wire"
)

func TestOutcomeOfWhatHasNotComeWithdrawsIt(t *testing.T) {
	d := newDesk(t)
	r := d.request(model.VerbApprove, 0)
	ask := &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID}
	says(t, d.ask("alice", ask), "withdrawn")
	says(t, d.ask("alice", ask), "not done any more")
	d.start(2)
	says(t, d.ask("alice", r), "it had not come when it was asked for, and is not done any more")
	if s := hubtest.GateStatus(t, d.root, 0); s != "pending" {
		t.Error(s)
	}
	// Nor does what nobody lets decide.
	r = d.request(model.VerbApprove, 0)
	says(t, d.ask("bob", &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID}), "withdrawn")
	if first, err := d.Ledger.Taken(r.ID); first != nil || err != nil {
		t.Error(first, err)
	}
	// What nobody takes any more needs no note.
	old := wire.NewID(d.now.Add(-time.Hour))
	says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskOutcome, ID: old}), "withdrawn")
	if first, err := d.Ledger.Taken(old); first != nil || err != nil {
		t.Error(first, err)
	}
}

// A process may end at any step between taking a request and saying what became of it.
func TestWhatBecameOfARequestWhoseProcessEnded(t *testing.T) {
	for _, x := range []struct {
		what string
		died func(d *desk, r *wire.Request) // what it had come to
		want string
		all  int // decisions in the journal then
	}{
		{"taken", func(*desk, *wire.Request) {}, "the host stopped before it was done; nothing was written", 0},
		{"entered in the journal", func(d *desk, r *wire.Request) {
			d.enter(r, false)
		}, "nothing was written", 1},
		{"written, and not entered as done", func(d *desk, r *wire.Request) {
			d.enter(r, true)
		}, "done: pending → passed", 1},
		{"written, and written over", func(d *desk, r *wire.Request) {
			d.enter(r, true)
			file := filepath.Join(d.root, hubtest.StateFile)
			text, _ := os.ReadFile(file)
			os.WriteFile(file, append(text, '\n'), 0o644)
		}, "the host stopped in the middle of it, and paper-state.json has been written since: look at it", 1},
		{"done", func(d *desk, r *wire.Request) {
			action := *r.Action
			if _, err := d.Actor("alice", r.ID).Do(context.Background(), action); err != nil {
				d.t.Fatal(err)
			}
		}, "done: pending → passed", 1},
		{"refused", func(d *desk, r *wire.Request) {
			log := journal.Open(nil, filepath.Join(d.dir, "journal"), d.root)
			begun, err := log.Begin(model.Decision{At: d.now, Who: "alice", Request: r.ID, Build: hubtest.Build, Node: hubtest.GateID(0)})
			if err = errors.Join(err, log.End(begun.ID, false)); err != nil {
				d.t.Fatal(err)
			}
		}, "nothing was written", 0},
	} {
		t.Run(x.what, func(t *testing.T) {
			d := newDesk(t)
			d.t = t
			r := d.request(model.VerbApprove, 0)
			taken := Taken{ID: r.ID, User: "alice", Hash: statefile.Hash(string(wire.Encode(r))), By: process.ID{PID: 1 << 30, Host: process.System{}.Self().Host}, At: d.now, Action: *r.Action}
			if first, err := d.Ledger.Take(taken); first != nil || err != nil {
				t.Fatal(first, err)
			}
			x.died(d, r)
			d.now = d.now.Add(time.Second)
			d.start(2)
			for range 2 {
				says(t, d.ask("alice", r), x.want)
				says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID}), x.want)
			}
			if n := len(d.journaled()); n != x.all {
				t.Errorf("%d decisions, want %d", n, x.all)
			}
		})
	}
}

// enter does what a decision does up to a step, and not the rest.
func (d *desk) enter(r *wire.Request, write bool) {
	d.t.Helper()
	file := filepath.Join(d.root, hubtest.StateFile)
	before, err := os.ReadFile(file)
	if err != nil {
		d.t.Fatal(err)
	}
	after := strings.Replace(string(before), `"status": "pending"`, `"status": "passed"`, 1)
	log := journal.Open(nil, filepath.Join(d.dir, "journal"), d.root)
	if _, err := log.Begin(model.Decision{At: d.now, Who: "alice", Request: r.ID, Project: d.root, Build: hubtest.Build, File: hubtest.StateFile, Node: r.Action.Node, Name: "fold-gate-000",
		Verb: model.VerbApprove, Was: "pending", Is: "passed", Before: statefile.Hash(string(before)), After: statefile.Hash(after)}); err != nil {
		d.t.Fatal(err)
	}
	if write {
		if err := os.WriteFile(file, []byte(after), 0o644); err != nil {
			d.t.Fatal(err)
		}
	}
}

func TestAnotherProcessIsAtIt(t *testing.T) {
	d := newDesk(t)
	r := d.request(model.VerbApprove, 0)
	other, _ := process.System{}.Look(os.Getppid())
	taken := Taken{ID: r.ID, User: "alice", Hash: statefile.Hash(string(wire.Encode(r))), By: other.ID, At: d.now, Action: *r.Action}
	if first, err := d.Ledger.Take(taken); first != nil || err != nil {
		t.Fatal(first, err)
	}
	says(t, d.ask("alice", r), "working")
	d.start(2) // whichever process is asked
	says(t, d.ask("alice", r), "working")
	d.now = d.now.Add(time.Minute) // no process is at it for so long
	says(t, d.ask("alice", r), "the host stopped before it was done")
}

// Where its journal can't be looked at, it is not said that nothing was written: that would be noted for good.
func TestWhatBecameOfARequestIsNotSaidWithoutItsProject(t *testing.T) {
	d := newDesk(t)
	r := d.request(model.VerbApprove, 0)
	taken := Taken{ID: r.ID, User: "alice", Hash: statefile.Hash(string(wire.Encode(r))), By: process.ID{PID: 1 << 30}, At: d.now.Add(-time.Hour), Action: *r.Action}
	if first, err := d.Ledger.Take(taken); first != nil || err != nil {
		t.Fatal(first, err)
	}
	d.enter(r, true)
	d.start(2)
	outcome := &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID}
	all := d.projects
	d.projects = []*model.Project{}
	says(t, d.ask("alice", outcome), "working")
	says(t, d.ask("alice", r), "working")
	if len(d.log) != 1 || !strings.Contains(d.log[0], "is not joined, or not read yet") {
		t.Error(d.log)
	}
	d.projects = all
	says(t, d.ask("alice", outcome), "done: pending → passed")
}

func TestWhatCannotBeReadIsNoOutcome(t *testing.T) {
	d := newDesk(t)
	r := d.request(model.VerbApprove, 0)
	says(t, d.ask("alice", r), "done")
	for _, end := range []string{"end", "begin"} {
		file, err := d.Ledger.file(r.ID, end)
		if err == nil {
			err = os.WriteFile(file, []byte("{"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		d.start(2)
		says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID}), "working")
	}
}

// A process that has only begun knows of what has come, so that asking what became of it does not withdraw it.
func TestADecisionThatComesBeforeTheProjectsAreRead(t *testing.T) {
	d := newDesk(t)
	r := d.request(model.VerbApprove, 0)
	d.read = make(chan struct{})
	decided := make(chan *wire.Reply)
	go func() { decided <- d.ask("alice", r) }()
	for end := time.Now().Add(lookFor / 2); ; time.Sleep(time.Millisecond) {
		d.mu.Lock()
		x := d.running[r.ID]
		d.mu.Unlock()
		if x != nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nothing is known of it")
		}
	}
	close(d.read)
	says(t, <-decided, "done: pending → passed")
	says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID}), "done: pending → passed")
}

// answerer is a store of what agents ask, in which the first answer wins.
type answerer struct{ asked *model.Ask }

func (a answerer) Ask(context.Context, string) (*model.Ask, error) { return a.asked, nil }
func (a answerer) Answer(context.Context, string, model.Answer) (*model.Ask, error) {
	a.asked.State, a.asked.Fate = model.AskAnswered, "alice has answered it"
	return a.asked, nil
}
func (answerer) Jump(context.Context, string) (said, command string) { return "", "" }

func (answerer) Diff(context.Context, string) (string, error) { return "", nil }

// An agent that was answered is not told to be waiting still, where that can't be noted.
func TestAnAnswerThatCannotBeNoted(t *testing.T) {
	d := newDesk(t)
	asked := &model.Ask{ID: "k7f3q2ma", State: model.AskWaiting, Text: "Which lens?"}
	d.Answerer = func(string, string) model.Answerer { return answerer{asked} }
	agents := &model.Build{ID: model.AgentsBuild, Nodes: []*model.Node{{ID: "ask/k7f3q2ma", Gate: &model.Gate{Ask: asked}}}}
	d.projects[0].Builds = append(d.projects[0].Builds, agents)
	r := &wire.Request{V: 1, Request: wire.AskDecide, ID: wire.NewID(d.now), Action: &model.Action{Verb: model.VerbAnswer, Project: d.root, Build: agents.ID}, Ask: asked.ID, Answer: &model.Answer{}}
	file, err := d.Ledger.file(r.ID, "end")
	if err == nil {
		err = os.MkdirAll(file, 0o700) // in the place of the file
	}
	if err != nil {
		t.Fatal(err)
	}
	if reply := d.ask("alice", r); reply.Asked == nil || reply.Asked.State != model.AskAnswered || reply.Error != nil {
		t.Errorf("%+v: %v", reply.Asked, reply.Error.Err())
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	answers := d.Answerer
	d.start(2)
	d.Answerer = answers
	says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID}), "the host stopped in the middle of it; alice has answered it")
}
