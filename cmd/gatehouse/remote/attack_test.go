package remote_test

// Attacks by members of a hub. They use the NATS client library directly, as a hostile member would.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/cmd/gatehouse/remote/hubtest"
	"gatehouse/model"
)

// raw is the connection of a member without Gatehouse's own code. It records what the hub refuses.
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
	must(t, err)
	r.Conn, err = nats.Connect(s.URL(), key, nats.CustomInboxPrefix(inbox), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		r.mu.Lock()
		r.refused = append(r.refused, err.Error())
		r.mu.Unlock()
		select {
		case r.changed <- struct{}{}:
		default:
		}
	}))
	must(t, err)
	t.Cleanup(r.Close)
	return r
}

// wantRefused fails unless the hub refuses the operation at a subject.
func (r *raw) wantRefused(subject string, try func() error) {
	r.t.Helper()
	if err := try(); err != nil && !errors.Is(err, nats.ErrPermissionViolation) {
		r.t.Logf("%s: %v", subject, err)
	}
	r.until("the hub refuses "+subject, func() bool {
		for _, e := range r.refused {
			if strings.Contains(e, `"`+subject+`"`) {
				return true
			}
		}
		return false
	})
}

// until waits until a condition holds.
func (r *raw) until(what string, so func() bool) {
	r.t.Helper()
	for end := time.After(soon); ; {
		r.mu.Lock()
		ok := so()
		r.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-r.changed:
		case <-end:
			r.t.Fatalf("not within %v: %s; refused is %q", soon, what, r.refused)
		}
	}
}

// TestHubRefuses checks that the hub refuses what a role does not allow, and that nobody decides as another user.
func TestHubRefuses(t *testing.T) {
	t.Parallel()
	keys := members(t, map[string]remote.Role{"build-7": remote.RoleHost, "build-8": remote.RoleHost, "alice": remote.RoleApprover, "mallory": remote.RoleApprover, "bob": remote.RoleViewer})
	s := hubtest.Start(t, keys)
	m := newMachine(t, s.Hub(keys, "build-8"), 1, 3)
	m.start()
	shows(t, see(t, remote.NewHub(s.Hub(keys, "alice"))), "the host", live(m.root(0)))

	evil := connect(t, s, keys, "build-7", "_INBOX_host_build-7")
	for _, subject := range []string{
		"$KV.gatehouse.gh.build-8", "$KV.gatehouse.gh.build-8.x", "gatehouse.name.build-8", "gatehouse.do.build-8.alice", "gatehouse.read.build-8.alice",
		"$JS.API.STREAM.CREATE.KV_gatehouse", "$JS.API.STREAM.DELETE.KV_gatehouse", "$JS.API.STREAM.PURGE.KV_gatehouse", "$JS.API.DIRECT.GET.KV_gatehouse",
		"$JS.API.CONSUMER.CREATE.KV_gatehouse.x.gh", "_INBOX_user_alice.x",
	} {
		evil.wantRefused(subject, func() error { return evil.Publish(subject, []byte("x")) })
	}
	for _, subject := range []string{"gatehouse.do.build-8.*", "_INBOX_user_alice.>", ">", "$KV.gatehouse.gh.>"} {
		evil.wantRefused(subject, func() error { _, err := evil.Subscribe(subject, func(*nats.Msg) {}); return err })
	}
	mallory := connect(t, s, keys, "mallory", "_INBOX_user_mallory")
	for _, subject := range []string{
		"gatehouse.do.build-8.alice", "gatehouse.read.build-8.alice", "$KV.gatehouse.gh.build-8", "gatehouse.name.build-8",
		"$JS.API.STREAM.DELETE.KV_gatehouse", "$JS.API.STREAM.PURGE.KV_gatehouse", "$JS.API.STREAM.UPDATE.KV_gatehouse", "$JS.API.STREAM.CREATE.other",
		"$JS.API.DIRECT.GET.KV_gatehouse", "$JS.API.STREAM.MSG.GET.KV_gatehouse",
	} {
		mallory.wantRefused(subject, func() error { return mallory.Publish(subject, []byte("x")) })
	}
	for _, subject := range []string{"_INBOX_user_alice.>", "gatehouse.>", "gatehouse.do.*.*"} {
		mallory.wantRefused(subject, func() error { _, err := mallory.Subscribe(subject, func(*nats.Msg) {}); return err })
	}
	bob := connect(t, s, keys, "bob", "_INBOX_user_bob")
	bob.wantRefused("gatehouse.do.build-8.bob", func() error { return bob.PublishRequest("gatehouse.do.build-8.bob", "_INBOX_user_bob.x", []byte("x")) })

	// A member can't send a request in the name of another one.
	as := func(user string) string {
		return `{"schema":1,"user":"` + user + `","verb":"approve","project":"` + strings.TrimPrefix(m.root(0), "build-8:") + `","build":"` + hubtest.Build + `","node":"` + hubtest.GateID(0) + `"}`
	}
	if r, err := mallory.Request("gatehouse.do.build-8.mallory", []byte(as("alice")), time.Second); err == nil {
		t.Errorf("mallory decides as alice: %s", r.Data)
	}
	// The subject for reads accepts no decisions.
	if r, err := mallory.Request("gatehouse.read.build-8.mallory", []byte(as("mallory")), soon); err != nil || !strings.Contains(string(r.Data), "where only questions come") {
		t.Errorf("%v: %s", err, r.Data)
	}
	if got := hubtest.GateStatus(t, m.dirs[0], 0); got != "pending" {
		t.Error(got)
	}
}

// TestStoredMessagesAreNotTrusted: a server delivers stored messages to any subject without checking permissions. A host that stores a
// request, and a user who has it delivered, must not be able to decide as another user or to publish as another host.
func TestStoredMessagesAreNotTrusted(t *testing.T) {
	t.Parallel()
	keys := members(t, map[string]remote.Role{"build-7": remote.RoleHost, "build-8": remote.RoleHost, "alice": remote.RoleApprover, "mallory": remote.RoleViewer})
	s := hubtest.Start(t, keys)
	victim := newMachine(t, s.Hub(keys, "build-8"), 1, 3)
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	const stored = "$KV.gatehouse.gh.build-7.x"
	for _, target := range []string{"gatehouse.do.build-8.alice", "$KV.gatehouse.gh.build-8.x"} {
		// The attacker creates the bucket, so that it republishes stored messages, and a consumer that delivers them, too.
		mallory := connect(t, s, keys, "mallory", "_INBOX_user_mallory")
		js, err := jetstream.New(mallory.Conn)
		must(t, err)
		if _, err = js.CreateStream(ctx, jetstream.StreamConfig{Name: "KV_gatehouse", Subjects: []string{"$KV.gatehouse.>"}, MaxMsgsPerSubject: 1,
			RePublish: &jetstream.RePublish{Source: stored, Destination: "gatehouse.do.build-8.alice"}}); err != nil {
			t.Fatal(err)
		}
		if victim.stop == nil {
			victim.start()
		}
		forged := `{"schema":1,"user":"alice","verb":"approve","project":"` + strings.TrimPrefix(victim.root(0), "build-8:") + `","build":"` + hubtest.Build + `","node":"` + hubtest.GateID(0) + `"}`
		evil := connect(t, s, keys, "build-7", "_INBOX_host_build-7")
		evil.PublishMsg(&nats.Msg{Subject: stored, Reply: "_INBOX_user_alice.x", Data: []byte(forged)})
		evil.Flush()
		if _, err := mallory.RequestWithContext(ctx, "$JS.API.CONSUMER.CREATE.KV_gatehouse.evil."+stored, []byte(
			`{"stream_name":"KV_gatehouse","config":{"name":"evil","deliver_subject":"`+target+`","deliver_policy":"all","ack_policy":"none","replay_policy":"instant","filter_subject":"`+stored+`"}}`)); err != nil {
			t.Fatal(err)
		}
		mallory.PublishRequest("gatehouse.read.build-7.mallory", target, []byte(forged))
		mallory.Flush()
	}
	// The dashboard reports it and still gets messages directly from the hosts. Nothing was decided.
	f := see(t, remote.NewHub(s.Hub(keys, "alice")))
	snap := shows(t, f, "the host", func(s *model.Snapshot) bool {
		return len(s.Hosts) == 1 && s.Hosts[0].Name == "build-8" && s.Hosts[0].Live() && strings.Contains(s.Watch, "others than hosts may write")
	})
	if got := hubtest.GateStatus(t, victim.dirs[0], 0); got != "pending" {
		t.Error("somebody has decided as alice: ", got)
	}
	if find(snap, victim.root(0)) == nil && len(snap.Projects) > 0 || len(snap.Projects) > 1 {
		t.Error("somebody has published as build-8: ", describe(snap))
	}
}

// TestTwoHostsWithOneName checks that a second host can't join with a name in use, and that a hub without keys allows no decisions.
func TestTwoHostsWithOneName(t *testing.T) {
	t.Parallel()
	s := hubtest.Start(t, nil)
	m := newMachine(t, s.Hub(nil, "build-7"), 1, 3)
	m.start()
	f := see(t, remote.NewHub(s.Hub(nil, "alice")))
	shows(t, f, "the host", live(m.root(0)))
	second := remote.NewHost(remote.HostOptions{Name: "build-7", Feed: hubtest.Still{}, Now: time.Now, Log: func(string) {}})
	if err := second.RunOnHub(t.Context(), s.Hub(nil, "build-7")); err == nil || !strings.Contains(err.Error(), "another gatehouse join is build-7") {
		t.Fatal(err)
	}
	// The first host comes back after a broken connection.
	s.Stop()
	s.Restart()
	shows(t, f, "it is back", live(m.root(0)))
	// This hub does not check who sends a request.
	_, err := decide(f, m.root(0), model.VerbApprove, 0, "")
	for end := time.Now().Add(soon); err != nil && strings.Contains(err.Error(), "nothing was sent") && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		_, err = decide(f, m.root(0), model.VerbApprove, 0, "") // the host answers again a moment after it is shown
	}
	if err == nil || !strings.Contains(err.Error(), "does not check who asks, so nobody can decide on build-7") {
		t.Error("a hub that checks nothing is trusted:", err)
	}
}

// TestWhoMayDecide checks that a host applies its rules by user, verb and project.
func TestWhoMayDecide(t *testing.T) {
	t.Parallel()
	keys := members(t, map[string]remote.Role{"build-7": remote.RoleHost, "alice": remote.RoleApprover, "bob": remote.RoleApprover, "carol": remote.RoleApprover})
	s := hubtest.Start(t, keys)
	m := newMachine(t, s.Hub(keys, "build-7"), 2, 3)
	m.rules = []remote.Rule{{User: "alice", Verbs: []model.Verb{model.VerbApprove}, Projects: []string{"paper-a"}}, {User: "bob", Verbs: []model.Verb{model.VerbApprove}}}
	m.start()
	for user, all := range map[string]map[string]string{
		"alice": {"a approve": "", "a changes": "build-7 does not let alice changes; it allows approve", "b approve": "build-7 does not let alice decide about this project"},
		"bob":   {"b approve": "", "a changes": "build-7 does not let bob changes; it allows approve"},
		"carol": {"a approve": "build-7 lets carol look, and not decide; decide there, or have it join with --allow carol"},
	} {
		f := see(t, remote.NewHub(s.Hub(keys, user)))
		shows(t, f, "the host", live(m.root(0)))
		shows(t, f, "the host", live(m.root(1)))
		for what, want := range all {
			project, verb, _ := strings.Cut(what, " ")
			_, err := decide(f, m.root(int(project[0]-'a')), model.Verb(verb), 0, "fold it twice")
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: %v, want %q", user, what, err, want)
			}
		}
	}
}

// TestOnlyShownFilesAreSent checks that a viewer can read the files that a project shows, and no others.
func TestOnlyShownFilesAreSent(t *testing.T) {
	t.Parallel()
	s := hubtest.Start(t, nil)
	m := newMachine(t, s.Hub(nil, "build-7"), 1, 3)
	for _, file := range []string{".env", "notes.md"} {
		must(t, os.WriteFile(filepath.Join(m.dirs[0], file), []byte("SECRET"), 0o600))
	}
	m.start()
	f := see(t, remote.NewHub(s.Hub(nil, "bob")))
	shows(t, f, "the host", live(m.root(0)))
	for file, want := range map[string]string{".env": "names it", "./.env": "names it", "notes.md": "names it", ".": "names it", "../paper-a/.env": "no file of", filepath.Join(m.dirs[0], ".env"): "no file of", "": "no file of"} {
		if text, err := f.Text(m.root(0), file); text != "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v", file, text, err)
		}
	}
	if text, err := f.Text(m.root(0), hubtest.StateFile); err != nil || !strings.Contains(text, "paper-loop") {
		t.Error(text, err)
	}
}
