package join

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/fleet/hubtest"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// noLink is a link that leads nowhere, and remembers what was said.
type noLink struct {
	mu   sync.Mutex
	said map[string][]byte
	all  []said
}

type said struct {
	key  string
	at   time.Time
	gone bool
	size int
}

func (*noLink) Name() string { return "nowhere" }
func (*noLink) By() string   { return "fleet test" }
func (*noLink) Run(ctx context.Context, a link.Answerer) error {
	a.Up()
	<-ctx.Done()
	a.Leave()
	return nil
}

func (l *noLink) Say(key string, data []byte, gone bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.said == nil {
		l.said = map[string][]byte{}
	}
	l.said[key] = data
	l.all = append(l.all, said{key, time.Now(), gone, len(data)})
}

// desk is a host with one loop, and somebody who asks it.
type desk struct {
	*Host
	t    *testing.T
	dir  string
	root string // of the project
	now  time.Time
	log  []string
}

// newDesk returns a host that has joined a loop of ten gates, and lets alice decide everything.
func newDesk(t *testing.T) *desk {
	d := &desk{t: t, dir: t.TempDir(), now: time.Now()}
	d.root = filepath.Join(d.dir, "paper")
	hubtest.WriteLoop(t, d.root, 10)
	d.start(1)
	return d
}

// start starts the host's process, or starts it again.
func (d *desk) start(boot uint64) {
	projects := hubtest.Open(d.t, filepath.Join(d.dir, "journal"), d.root)
	clock := func() time.Time { return d.now }
	actions := parse.NewActions(projects, "fleet test", clock)
	d.Host = New(Options{
		Name: "build-7", Boot: boot, Feed: hubtest.Still{}, Files: parse.Files(projects),
		Actor:     func(user, request string) model.Actor { return actions.For(user, request) },
		Decisions: func(string) ([]model.Decision, error) { return parse.Decisions(projects, d.now) },
		Rules:     []Rule{{User: "alice"}, {User: "carol", Verbs: []model.Verb{model.VerbSkip}}, {User: "dave", Projects: []string{"shop"}}, {User: "erin", Unchecked: true}},
		Ledger:    NewLedger(filepath.Join(d.dir, "requests"), clock), Link: &noLink{}, Now: clock, Log: func(s string) { d.log = append(d.log, s) },
	})
	d.projects = []*model.Project{projects[0].Read(d.now)}
	close(d.read)
	d.ready = true
}

func (d *desk) ask(user string, r *wire.Request) *wire.Reply {
	d.t.Helper()
	return d.send(user, wire.Encode(r), r.Request)
}

func (d *desk) send(user string, data []byte, kind string) *wire.Reply {
	d.t.Helper()
	reply, _, err := wire.ParseReply(kind, d.Answer(context.Background(), link.Asked{User: user, Trusted: true, Changes: wire.Changes(kind), Data: data}))
	if err != nil {
		d.t.Fatal(err)
	}
	return reply
}

// action returns an action on a gate, with what is seen of it now.
func (d *desk) action(verb model.Verb, gate int, text string) *model.Action {
	d.t.Helper()
	a := model.Action{Verb: verb, Project: d.root, Build: hubtest.Build, Node: hubtest.GateID(gate), Text: text, Ahead: true}
	reply := d.ask("alice", &wire.Request{V: 1, Request: wire.AskPropose, Action: &a})
	p := reply.Proposal
	if err := reply.Error.Err(); err != nil {
		d.t.Fatal(err)
	}
	a.Seen, a.Shown = p.Action.Seen, p.Action.Shown
	return &a
}

func (d *desk) request(verb model.Verb, gate int) *wire.Request {
	d.t.Helper()
	return &wire.Request{V: 1, Request: wire.AskDecide, ID: wire.NewID(d.now), Action: d.action(verb, gate, "because it has to be so")}
}

// says checks what a reply says.
func says(t *testing.T, reply *wire.Reply, want string) {
	t.Helper()
	o, err := reply.Outcome, reply.Error.Err()
	got := ""
	switch {
	case reply.Working:
		got = "working"
	case err != nil:
		got = err.Error()
	case reply.Withdrawn:
		got = "withdrawn"
	case o != nil:
		got = "done: " + o.Proposal.Effect
	}
	if !strings.Contains(got, want) || want == "" && got != "" {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// journaled returns the decisions that the journal has.
func (d *desk) journaled() []model.Decision {
	d.t.Helper()
	all, err := d.Decisions("")
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

func TestDecisionIsDoneOnceAndToldAgain(t *testing.T) {
	d := newDesk(t)
	r := d.request(model.VerbApprove, 0)
	says(t, d.ask("alice", r), "done: pending → passed")
	if s := hubtest.GateStatus(t, d.root, 0); s != "passed" {
		t.Fatal(s)
	}
	all := d.journaled()
	if len(all) != 1 || all[0].Who != "alice" || all[0].By != "fleet test" || all[0].Request != r.ID {
		t.Fatalf("%+v", all)
	}
	for _, when := range []string{"at once", "after a restart", "a day later"} {
		says(t, d.ask("alice", r), "done: pending → passed")
		says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID}), "done: pending → passed")
		says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskSettle, ID: r.ID}), "")
		if len(d.journaled()) != 1 {
			t.Fatal(when, "it was done twice")
		}
		d.start(2)
		if when == "after a restart" {
			d.now = d.now.Add(24 * time.Hour)
		}
	}
	other := *r
	action := *r.Action
	action.Node = hubtest.GateID(1)
	other.Action = &action
	says(t, d.ask("alice", &other), "used for something else")
	says(t, d.ask("carol", r), "by somebody else")
	says(t, d.ask("carol", &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID}), "by somebody else")
	if s := hubtest.GateStatus(t, d.root, 1); s != "pending" {
		t.Error(s)
	}
}

func TestDecisionThatIsRefusedStaysRefused(t *testing.T) {
	d := newDesk(t)
	r := d.request(model.VerbApprove, 0)
	// Another writer was faster.
	text, err := os.ReadFile(filepath.Join(d.root, hubtest.StateFile))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), `"status": "pending"`, `"status": "failed"`, 1)
	if err := os.WriteFile(filepath.Join(d.root, hubtest.StateFile), []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	says(t, d.ask("alice", r), "the file has changed meanwhile")
	if err := os.WriteFile(filepath.Join(d.root, hubtest.StateFile), text, 0o644); err != nil {
		t.Fatal(err)
	}
	d.start(2)
	says(t, d.ask("alice", r), "the file has changed meanwhile") // though it is now as it was seen
	if s := hubtest.GateStatus(t, d.root, 0); s != "pending" || len(d.journaled()) != 0 {
		t.Error(s)
	}
}

func TestWhoMayDecide(t *testing.T) {
	d := newDesk(t)
	for user, want := range map[string]string{
		"bob":   "build-7 lets bob look, and not decide; decide there, or have it join with --allow bob",
		"carol": "build-7 does not let carol approve; it allows skip",
		"dave":  "build-7 does not let dave decide about this project",
	} {
		says(t, d.ask(user, d.request(model.VerbApprove, 0)), want)
		says(t, d.ask(user, &wire.Request{V: 1, Request: wire.AskPropose, Action: d.action(model.VerbApprove, 0, "")}), want)
	}
	says(t, d.ask("carol", d.request(model.VerbSkip, 0)), "done: pending → skipped")

	// On a hub that lets anybody be anybody.
	unsure := func(user string) *wire.Reply {
		r := d.request(model.VerbApprove, 1)
		reply, _, err := wire.ParseReply(r.Request, d.Answer(context.Background(), link.Asked{User: user, Changes: true, Data: wire.Encode(r)}))
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	says(t, unsure("alice"), "the hub does not check who asks")
	says(t, unsure("erin"), "done")
}

func TestRequestsThatAreRefused(t *testing.T) {
	d := newDesk(t)
	elsewhere := filepath.Join(d.dir, "secret")
	hubtest.WriteLoop(t, elsewhere, 3)
	r := d.request(model.VerbApprove, 0)
	r.Action.Project = elsewhere
	says(t, d.ask("alice", r), "build-7 has not joined "+elsewhere+"; it has joined paper")
	says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskPropose, Action: r.Action}), "has not joined")
	says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskTree, Root: elsewhere, Build: hubtest.Build}), "has not joined")
	says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskText, Root: elsewhere, File: hubtest.StateFile}), "has not joined")
	says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskText, Root: d.root, File: "../secret/" + hubtest.StateFile}), "no file of the project")
	says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskText, Root: d.root, File: "/etc/passwd"}), "no file of the project")
	if s := hubtest.GateStatus(t, elsewhere, 0); s != "pending" {
		t.Error(s)
	}

	r = d.request(model.VerbApprove, 0)
	r.Action.Shown = ""
	says(t, d.ask("alice", r), "does not say what was seen")
	r = d.request(model.VerbApprove, 0)
	r.ID = wire.NewID(d.now.Add(-time.Minute))
	says(t, d.ask("alice", r), "it was sent 1m0s ago, and nothing is done that late")
	r.ID = wire.NewID(d.now.Add(time.Minute))
	says(t, d.ask("alice", r), "by the host's clock it is sent in 1m0s")

	for _, data := range []string{"", "x", `{"v":1,"request":"decide"}`, `{"v":9,"request":"list"}`, strings.Repeat("[", 5000), strings.Repeat("x", wire.RequestLimit+1)} {
		says(t, d.send("alice", []byte(data), "unknown"), "the host can't read the request")
	}
	// What changes something has to come where the hub lets only approvers publish.
	r = d.request(model.VerbApprove, 0)
	reply, _, err := wire.ParseReply(r.Request, d.Answer(context.Background(), link.Asked{User: "alice", Trusted: true, Changes: false, Data: wire.Encode(r)}))
	if err != nil {
		t.Fatal(err)
	}
	says(t, reply, "came where requests of its kind don't belong")
	if s := hubtest.GateStatus(t, d.root, 0); s != "pending" {
		t.Error(s)
	}
}

func TestManyAskForTheSame(t *testing.T) {
	d := newDesk(t)
	r := d.request(model.VerbChanges, 0) // a second one would be another entry of the journal
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			data := d.Answer(context.Background(), link.Asked{User: "alice", Trusted: true, Changes: true, Data: wire.Encode(r)})
			if reply, _, err := wire.ParseReply(r.Request, data); err != nil || reply.Outcome == nil {
				t.Errorf("%s, %v", data, err)
			}
		})
	}
	all.Wait()
	if n := len(d.journaled()); n != 1 {
		t.Errorf("it was done %d times", n)
	}
}

// faulty is an actor with a fault of ours.
type faulty struct {
	model.Actor
	doing, settling bool
}

func (f faulty) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	if f.doing {
		panic("a fault")
	}
	return f.Actor.Do(ctx, a)
}

func (f faulty) Settle(ctx context.Context, o *model.Outcome) error {
	if f.settling {
		panic("a fault")
	}
	return f.Actor.Settle(ctx, o)
}

func TestAFaultOfOursEndsADecision(t *testing.T) {
	d := newDesk(t)
	actor := d.Actor
	d.Actor = func(user, request string) model.Actor {
		return faulty{Actor: actor(user, request), doing: request != ""}
	}
	r := d.request(model.VerbApprove, 0)
	says(t, d.ask("alice", r), "answering failed inside gatehouse: a fault")
	says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID}), "doing it failed inside gatehouse; look at the file")

	d.Actor = func(user, request string) model.Actor { return faulty{Actor: actor(user, request), settling: true} }
	r = d.request(model.VerbApprove, 1)
	says(t, d.ask("alice", r), "done")
	says(t, d.ask("alice", &wire.Request{V: 1, Request: wire.AskSettle, ID: r.ID}), "looking at it again failed inside gatehouse: a fault")
}

// A name that looks like the token of another is another.
func TestUsersAreToldByTheirTokens(t *testing.T) {
	long := strings.Repeat("a", 200)
	for _, x := range []struct {
		rule, token string
		want        bool
	}{
		{"alice@corp", "alice=40corp", true}, {"alice@corp", wire.Token("alice=40corp"), false},
		{long, wire.Token(long), true}, {long, wire.Token(wire.Token(long)), false}, {"alice", "bob", false}, {"*", "bob", true},
	} {
		if got := (Rule{User: x.rule}).named(link.Asked{User: wire.Untoken(x.token), Token: x.token}); got != x.want {
			t.Errorf("%.20s is %.40s: %v", x.token, x.rule, got)
		}
	}
	if !(Rule{User: "al ice"}).named(link.Asked{User: "al ice"}) {
		t.Error("over ssh there are names alone")
	}
	for user, want := range map[string]string{"bob": "bob", "my friend": "'my friend'", long: "and the whole name"} {
		token := wire.Token(user)
		var refused *model.Refusal
		err := (&Host{}).may(link.Asked{User: wire.Untoken(token), Token: token}, model.Action{})
		if !errors.As(err, &refused) || !strings.HasSuffix(refused.Fix, "--allow "+want) {
			t.Error(err)
		}
	}
}

func TestNothingIsDecidedThatCannotBeNoted(t *testing.T) {
	d := newDesk(t)
	r := d.request(model.VerbApprove, 0)
	if err := os.WriteFile(filepath.Join(d.dir, "requests"), nil, 0o600); err != nil { // in the place of the directory
		t.Fatal(err)
	}
	says(t, d.ask("alice", r), "can't be noted")
	if s := hubtest.GateStatus(t, d.root, 0); s != "pending" {
		t.Error(s)
	}
}

func TestLedgerForgetsWhatIsLongAgo(t *testing.T) {
	d := newDesk(t)
	r := d.request(model.VerbApprove, 0)
	says(t, d.ask("alice", r), "done")
	d.Ledger.Clear()
	if first, err := d.Ledger.Taken(r.ID); first == nil || err != nil {
		t.Fatal("it is forgotten at once", err)
	}
	d.now = d.now.Add(keptFor)
	d.Ledger.Clear()
	if first, err := d.Ledger.Taken(r.ID); first == nil || err != nil {
		t.Fatal("it is forgotten while dashboards ask", err)
	}
	d.now = d.now.Add(24 * time.Hour)
	d.Ledger.Clear()
	if first, err := d.Ledger.Taken(r.ID); first != nil || err != nil {
		t.Fatal(first, err)
	}
	says(t, d.ask("alice", r), fmt.Sprintf("it was sent %v ago", 9*24*time.Hour)) // and not done again
	d.start(2)
	forgotten := d.ask("alice", &wire.Request{V: 1, Request: wire.AskOutcome, ID: r.ID})
	says(t, forgotten, "too long ago") // it was done: it is not told to be withdrawn
	if errors.As(forgotten.Error.Err(), new(*model.Refusal)) {
		t.Error("a refusal says that nothing was done")
	}
}
