package link_test

// What members of a hub may not do, tried with the client library itself: a hostile member does not use ours.

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gatehouse/parse/fleet/hub"
	"gatehouse/parse/fleet/hubtest"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// raw connects a member without any of our code, and notes what the hub refuses.
type raw struct {
	*nats.Conn
	t       *testing.T
	mu      sync.Mutex
	refused []string
	changed chan struct{}
}

func connect(t *testing.T, s *hubtest.Server, keys *hubtest.Keys, name, inbox string) *raw {
	t.Helper()
	r := &raw{t: t, changed: make(chan struct{}, 1)}
	key, err := nats.NkeyOptionFromSeed(keys.File(name))
	if err != nil {
		t.Fatal(err)
	}
	r.Conn, err = nats.Connect(s.URL(), key, nats.CustomInboxPrefix(inbox), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		r.mu.Lock()
		r.refused = append(r.refused, err.Error())
		r.mu.Unlock()
		select {
		case r.changed <- struct{}{}:
		default:
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// isRefused tries something that the hub has to refuse at a subject.
func (r *raw) isRefused(subject string, try func() error) {
	r.t.Helper()
	if err := try(); err != nil && !errors.Is(err, nats.ErrPermissionViolation) {
		r.t.Logf("%s: %v", subject, err)
	}
	until(r.t, "the hub refuses "+subject, &r.mu, r.changed, func() bool {
		for _, e := range r.refused {
			if strings.Contains(e, `"`+subject+`"`) {
				return true
			}
		}
		return false
	})
}

func TestHubRefuses(t *testing.T) {
	keys := hubtest.NewKeys(t)
	for name, role := range map[string]hub.Role{"build-7": hub.Host, "build-8": hub.Host, "alice": hub.Approver, "mallory": hub.Approver, "bob": hub.Viewer} {
		keys.Add(role, name)
	}
	s := hubtest.Start(t, keys)
	look(t, s.Hub(keys, "alice"))

	evil := connect(t, s, keys, "build-7", wire.HostInbox("build-7"))
	for _, subject := range []string{
		wire.KeySubjects + "gh.build-8", wire.KeySubjects + "gh.build-8.x", wire.NameSubject("build-8"), wire.Hello,
		wire.Subject(wire.AskDecide, "build-8", 8, "alice"), wire.Subject(wire.AskList, "build-8", 8, "alice"),
		"$JS.API.STREAM.CREATE.KV_gatehouse", "$JS.API.STREAM.DELETE.KV_gatehouse", "$JS.API.STREAM.PURGE.KV_gatehouse", "$JS.API.DIRECT.GET.KV_gatehouse",
		"$JS.API.CONSUMER.CREATE.KV_gatehouse.x.gh", "_INBOX_user_alice.x",
	} {
		evil.isRefused(subject, func() error { return evil.Publish(subject, []byte("x")) })
	}
	for _, subject := range []string{wire.Subject(wire.AskDecide, "build-8", 8, ""), wire.Inbox("alice") + ".>", ">", wire.KeySubjects + "gh.>"} {
		evil.isRefused(subject, func() error { _, err := evil.Subscribe(subject, func(*nats.Msg) {}); return err })
	}

	mallory := connect(t, s, keys, "mallory", wire.Inbox("mallory"))
	for _, subject := range []string{
		wire.Subject(wire.AskDecide, "build-8", 8, "alice"), wire.Subject(wire.AskList, "build-8", 8, "alice"), wire.KeySubjects + "gh.build-8", wire.NameSubject("build-8"),
		"$JS.API.STREAM.DELETE.KV_gatehouse", "$JS.API.STREAM.PURGE.KV_gatehouse", "$JS.API.STREAM.UPDATE.KV_gatehouse", "$JS.API.STREAM.CREATE.other",
		"$JS.API.DIRECT.GET.KV_gatehouse", "$JS.API.STREAM.MSG.GET.KV_gatehouse",
	} {
		mallory.isRefused(subject, func() error { return mallory.Publish(subject, []byte("x")) })
	}
	for _, subject := range []string{wire.Inbox("alice") + ".>", "gatehouse.>", wire.Subject(wire.AskDecide, "", 0, "")} {
		mallory.isRefused(subject, func() error { _, err := mallory.Subscribe(subject, func(*nats.Msg) {}); return err })
	}
	bob := connect(t, s, keys, "bob", wire.Inbox("bob"))
	subject := wire.Subject(wire.AskDecide, "build-8", 8, "bob")
	bob.isRefused(subject, func() error { return bob.PublishRequest(subject, wire.Inbox("bob")+".x", []byte("x")) })
}

// A server delivers what it has stored wherever it is told to, and asks nobody whether that is allowed. A host that stores a request
// and a user who has it delivered could so be somebody else.
func TestNobodyIsMadeToAskByTheServer(t *testing.T) {
	keys := hubtest.NewKeys(t)
	for name, role := range map[string]hub.Role{"build-7": hub.Host, "build-8": hub.Host, "alice": hub.Approver, "mallory": hub.Viewer} {
		keys.Add(role, name)
	}
	s := hubtest.Start(t, keys)
	target := wire.Subject(wire.AskDecide, "build-8", 8, "alice")
	forged := []byte(`{"v":1,"request":"decide"}`)
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()

	// The bucket is made by the attacker, so that it repeats what is stored.
	mallory := connect(t, s, keys, "mallory", wire.Inbox("mallory"))
	js, err := jetstream.New(mallory.Conn)
	if err != nil {
		t.Fatal(err)
	}
	_, err = js.CreateStream(ctx, jetstream.StreamConfig{Name: "KV_gatehouse", Subjects: []string{"$KV.gatehouse.>"}, MaxMsgsPerSubject: 1,
		RePublish: &jetstream.RePublish{Source: "$KV.gatehouse.gh.build-7.x", Destination: target}})
	if err != nil {
		t.Fatal(err)
	}
	_, victim := join(t, s.Hub(keys, "build-8"), 8)
	_, other := join(t, s.Hub(keys, "build-7"), 7)

	// It is stored by a host, with a place for the answer that belongs to alice.
	evil := connect(t, s, keys, "build-7", wire.HostInbox("build-7"))
	evil.PublishMsg(&nats.Msg{Subject: wire.KeySubjects + "gh.build-7.x", Reply: wire.Inbox("alice") + ".x", Data: forged})
	evil.Flush()

	// It is delivered by a consumer.
	filter := "$KV.gatehouse.gh.build-7.x"
	made, err := mallory.RequestWithContext(ctx, "$JS.API.CONSUMER.CREATE.KV_gatehouse.evil."+filter, []byte(
		`{"stream_name":"KV_gatehouse","config":{"name":"evil","deliver_subject":"`+target+`","deliver_policy":"all","ack_policy":"none","replay_policy":"instant","filter_subject":"`+filter+`"}}`))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", made.Data)
	// It is what a host answers, and where the answer goes.
	mallory.PublishRequest(wire.Subject(wire.AskList, "build-7", 7, "mallory"), target, forged)
	mallory.Flush()
	alice, _ := look(t, s.Hub(keys, "alice"))
	if _, err := alice.Ask(ctx, "build-8", 8, wire.AskDecide, []byte("really alice")); err != nil {
		t.Fatal(err)
	}
	victim.mu.Lock()
	defer victim.mu.Unlock()
	for _, a := range victim.asked {
		if string(a.Data) != "really alice" || a.User != "alice" {
			t.Errorf("%s is taken to ask: %s", a.User, a.Data)
		}
	}
	other.mu.Lock()
	defer other.mu.Unlock()
	for _, a := range other.asked {
		if a.User != "mallory" {
			t.Errorf("%s is taken to ask: %s", a.User, a.Data)
		}
	}
}

func TestNobodySpeaksForAHostByTheServer(t *testing.T) {
	keys := hubtest.NewKeys(t)
	for name, role := range map[string]hub.Role{"build-7": hub.Host, "build-8": hub.Host, "alice": hub.Approver, "mallory": hub.Viewer} {
		keys.Add(role, name)
	}
	s := hubtest.Start(t, keys)
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	mallory := connect(t, s, keys, "mallory", wire.Inbox("mallory"))
	js, err := jetstream.New(mallory.Conn)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "KV_gatehouse", Subjects: []string{"$KV.gatehouse.gh.build-7.>"}, MaxMsgsPerSubject: 1,
		RePublish: &jetstream.RePublish{Source: "$KV.gatehouse.gh.build-7.x", Destination: "$KV.gatehouse.gh.build-8.x"}}); err != nil {
		t.Fatal(err)
	}
	_, heard := look(t, s.Hub(keys, "alice"))
	if p, err := link.Probe(ctx, s.Hub(keys, "alice"), false); err != nil || p.Unkept == nil || !strings.Contains(p.Unkept.Error(), "is not believed") {
		t.Errorf("who looks for what is wrong is told %+v, %v", p, err)
	}
	evil := connect(t, s, keys, "build-7", wire.HostInbox("build-7"))
	evil.PublishMsg(&nats.Msg{Subject: wire.KeySubjects + "gh.build-7.x", Reply: wire.HostInbox("build-7") + ".x", Data: []byte("forged")})
	honest, _ := join(t, s.Hub(keys, "build-8"), 8)
	honest.Say("gh.build-8", []byte("honest"), false)
	until(t, "alice hears both", &heard.mu, heard.changed, func() bool {
		n := 0
		for _, m := range heard.said {
			if m.Key == "gh.build-8" || m.Key == "gh.build-7.x" {
				n++
			}
		}
		return n == 2
	})
	for _, m := range heard.said {
		if strings.HasPrefix(m.Key, "gh.build-8") && string(m.Data) == "forged" {
			t.Error("build-7 speaks for build-8")
		}
	}
}

func TestTwoHostsOfOneName(t *testing.T) {
	s := hubtest.Start(t, nil)
	_, ears := join(t, s.Hub(nil, "build-7"), 7)
	second := link.NewHubHost(s.Hub(nil, "build-7"), 9)
	err := second.Run(context.Background(), newHost())
	if err == nil || !strings.Contains(err.Error(), "another gatehouse join is build-7") {
		t.Fatal(err)
	}
	// The first one comes back after a broken connection, and finds itself alone at once.
	s.Stop()
	start := time.Now()
	s.Restart()
	until(t, "it is back", &ears.mu, ears.changed, func() bool { return ears.ups > 1 })
	t.Logf("back after %v", time.Since(start))

	// Nobody has made sure who asks here.
	alice, _ := look(t, s.Hub(nil, "alice"))
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	if _, err := alice.Ask(ctx, "build-7", 7, wire.AskDecide, nil); err != nil {
		t.Fatal(err)
	}
	ears.mu.Lock()
	defer ears.mu.Unlock()
	if len(ears.asked) != 1 || ears.asked[0].Trusted {
		t.Error("a hub that checks nothing is trusted", ears.asked)
	}
}
