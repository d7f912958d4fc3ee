package remote_test

// Hosts and dashboards on real hubs: what they show and decide, who may do what, what is shown when the network or a server fails, and attacks
// by members. Attackers use the NATS client library directly, as a hostile member would.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/cmd/gatehouse/remote/hubtest"
	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/disk/watch"
)

// In tests, hosts publish their presence five times as often as usual, except in make soak.
var presenceEvery, silentAfter = func() (time.Duration, time.Duration) {
	if os.Getenv("GATEHOUSE_SOAK_DECISIONS") != "" {
		return 5 * time.Second, remote.SilentAfter
	}
	return time.Second, remote.SilentAfter / 5
}()

// soon is the longest time that a test waits for an expected event.
const soon = 2 * time.Minute

// machine is a host with projects in real directories.
type machine struct {
	t         testing.TB
	name      string
	dir       string // directory of its journal and the projects
	dirs      []string
	ahead     time.Duration // how far its clock is ahead
	feed      model.Feed    // nil: the feed of dirs
	rules     []remote.Rule
	unchecked bool // see [remote.HostOptions.Unchecked]
	hub       remote.Hub

	mu   sync.Mutex
	log  []string
	stop func()
}

// newMachine returns a host for a hub, with some loops that have some gates. It lets everybody decide.
func newMachine(t testing.TB, h remote.Hub, loops, gates int) *machine {
	m := &machine{t: t, name: h.Name, dir: t.TempDir(), rules: []remote.Rule{{User: "*"}}, hub: h}
	for i := range loops {
		dir := filepath.Join(m.dir, "src", "paper-"+string(rune('a'+i)))
		hubtest.WriteLoop(t, dir, gates)
		m.dirs = append(m.dirs, dir)
	}
	return m
}

func (m *machine) now() time.Time { return time.Now().Add(m.ahead) }

// start lets the machine join until stop is called or the test ends.
func (m *machine) start() {
	m.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	projects := hubtest.Open(m.t, filepath.Join(m.dir, "journal"), m.dirs...)
	feed := m.feed
	if feed == nil {
		feed = parse.FollowAgents(ctx, parse.Opened(projects...), m.now, watch.Options{}, parse.User{}, parse.AgentScope{})
	}
	actions := parse.NewActions(projects, "remote "+m.hub.Remote, m.now)
	h := remote.NewHost(remote.HostOptions{
		Name: m.name, Machine: m.dir, Feed: feed, Files: parse.Files(projects), Seen: actions.Seen,
		Actor:         func(user string) model.Actor { return actions.For(user) },
		PresenceEvery: presenceEvery, Rules: m.rules, Unchecked: m.unchecked, Now: m.now,
		Log: func(text string) {
			m.mu.Lock()
			m.log = append(m.log, text)
			m.mu.Unlock()
		},
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := h.RunOnHub(ctx, m.hub); err != nil {
			m.t.Errorf("%s: %v", m.name, err)
		}
	}()
	var once sync.Once
	m.stop = func() { once.Do(func() { cancel(); <-done }) }
	m.t.Cleanup(m.stop)
}

// root returns the root of a project as dashboards show it.
func (m *machine) root(i int) string {
	dir, err := filepath.EvalSymlinks(m.dirs[i])
	must(m.t, err)
	return remote.Root(m.name, dir)
}

// see opens a dashboard on a remote until the test ends.
func see(t testing.TB, ways ...remote.Way) *remote.View {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	return remote.Open(ctx, remote.Options{Name: "test", Ways: ways, SilentAfter: silentAfter, Now: time.Now})
}

// shows waits for a snapshot that satisfies so, and returns it.
func shows(t testing.TB, f model.Feed, what string, so func(*model.Snapshot) bool) *model.Snapshot {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	var last *model.Snapshot
	for version := uint64(0); ; version = last.Version {
		snap, err := f.Next(ctx, version)
		if err != nil {
			t.Fatalf("not within %v: %s; it shows %s", soon, what, describe(last))
		}
		if last = snap; so(snap) {
			return snap
		}
	}
}

func describe(s *model.Snapshot) string {
	if s == nil {
		return "nothing"
	}
	var b strings.Builder
	const few = 20
	for i, p := range s.Projects {
		if i == few {
			fmt.Fprintf(&b, "and %d more; ", len(s.Projects)-few)
			break
		}
		b.WriteString(p.Name + " [" + p.Root + "]")
		for _, x := range p.Builds {
			b.WriteString(" " + x.ID + " " + x.Status.String())
		}
		b.WriteString("; ")
	}
	return b.String() + s.Watch
}

// find returns the project with a root, nil if there is none.
func find(s *model.Snapshot, root string) *model.Project {
	for _, p := range s.Projects {
		if p.Root == root {
			return p
		}
	}
	return nil
}

// gateIs reports whether a gate of a loop has a status.
func gateIs(root string, gate int, word string) func(*model.Snapshot) bool {
	return func(s *model.Snapshot) bool {
		p := find(s, root)
		if p == nil || len(p.Builds) != 1 {
			return false
		}
		n, _ := p.Builds[0].Find(hubtest.GateID(gate))
		return n != nil && n.Raw == word
	}
}

// decide proposes a verb for a gate and then makes the decision.
func decide(f model.Actor, root string, verb model.Verb, gate int, text string) (*model.Outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	a := model.Action{Verb: verb, Project: root, Build: hubtest.Build, Node: hubtest.GateID(gate), Text: text, Ahead: true}
	p, err := f.Propose(ctx, a)
	if err != nil {
		return nil, err
	}
	a.Seen, a.Shown = p.Action.Seen, p.Action.Shown
	return f.Do(ctx, a)
}

func members(t testing.TB, names map[string]remote.Role) *hubtest.Keys {
	keys := hubtest.NewKeys(t)
	for name, role := range names {
		keys.Add(role, name)
	}
	return keys
}

// TestBuildsOfOtherMachines shows builds of two hosts on a dashboard, decides about them and reads their files, and lets a host leave.
func TestBuildsOfOtherMachines(t *testing.T) {
	t.Parallel()
	keys := members(t, map[string]remote.Role{"build-7": remote.RoleHost, "build-8": remote.RoleHost, "alice": remote.RoleApprover, "bob": remote.RoleViewer})
	s := hubtest.Start(t, keys)
	a, b := newMachine(t, s.Hub(keys, "build-7"), 2, 5), newMachine(t, s.Hub(keys, "build-8"), 1, 5)
	a.start()
	b.start()
	f := see(t, remote.NewHub(s.Hub(keys, "alice")))
	snap := shows(t, f, "three loops with their trees", func(s *model.Snapshot) bool {
		n := 0
		for _, p := range s.Projects {
			if p.Host.Live() {
				n += len(p.Builds)
			}
		}
		return n == 3
	})
	p := find(snap, a.root(0))
	if p == nil || p.Name != "paper-a" || p.Called() != "paper-a on build-7" || p.Host.State != model.HostLive || p.Host.Name != "build-7" || p.Host.Fleet != "test" {
		t.Fatal(describe(snap))
	}
	x := p.Builds[0]
	if line := line.Full(x.Header); !strings.Contains(line, "next approve fold-gate-000") || len(x.Waits) != 1 || x.Waits[0].Node != hubtest.GateID(0) {
		t.Error(line, x.Waits)
	}

	// A decision works as on the host itself.
	o, err := decide(f, a.root(0), model.VerbApprove, 0, "")
	must(t, err)
	if o.Decision.Who != "alice" || o.Decision.By != "remote test" || o.Proposal.Effect != "pending → passed" {
		t.Errorf("%+v", o)
	}
	if err := f.Settle(context.Background(), o); err != nil {
		t.Error(err)
	}
	shows(t, f, "the gate has passed", gateIs(a.root(0), 0, "passed"))
	if got := hubtest.GateStatus(t, a.dirs[0], 0); got != "passed" {
		t.Error(got)
	}
	snap = shows(t, f, "the decision", func(s *model.Snapshot) bool { return len(find(s, a.root(0)).Decisions) == 1 })
	if d := find(snap, a.root(0)).Decisions[0]; d.Who != "alice" || d.ID != o.Decision.ID || d.Project != a.root(0) {
		t.Errorf("%+v", d)
	}
	if _, err := decide(f, a.root(0), model.VerbApprove, 0, ""); err == nil || !strings.Contains(err.Error(), "has passed already") {
		t.Error(err)
	}
	if o, err := decide(f, a.root(0), model.VerbUndo, 0, ""); err != nil || o.Decision.Undoes == "" {
		t.Error(err)
	}
	shows(t, f, "the gate is pending again", gateIs(a.root(0), 0, "pending"))

	// Files are read from the host.
	text, err := f.Text(a.root(0), hubtest.StateFile)
	if want, _ := os.ReadFile(filepath.Join(a.dirs[0], hubtest.StateFile)); err != nil || text != string(want) {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := f.Text(a.root(0), "../paper-b/"+hubtest.StateFile); err == nil {
		t.Error("a file of another project is read")
	}
	if _, err := f.Path(a.root(0), hubtest.StateFile); err == nil || !strings.Contains(err.Error(), "is on build-7") {
		t.Error(err)
	}

	// A removed build disappears, a new one appears.
	must(t, os.Remove(filepath.Join(b.dirs[0], hubtest.StateFile)))
	shows(t, f, "the build is gone", func(s *model.Snapshot) bool { return len(find(s, b.root(0)).Builds) == 0 })
	hubtest.WriteLoop(t, b.dirs[0], 3)
	shows(t, f, "the build is back", gateIs(b.root(0), 2, "pending"))

	// A host that leaves reports it.
	b.stop()
	snap = shows(t, f, "build-8 has left", func(s *model.Snapshot) bool { return !find(s, b.root(0)).Host.Live() })
	if p := find(snap, b.root(0)); !strings.Contains(p.Host.Why, "offline since") || !strings.Contains(p.Host.Why, "it has left") || p.Host.State != model.HostLeft || len(p.Problems) > 0 || p.Host.AsOf.IsZero() {
		t.Errorf("%+v %+v", p, p.Host)
	}
	if _, err := decide(f, b.root(0), model.VerbApprove, 0, ""); err == nil || !strings.Contains(err.Error(), "nothing was sent: build-8 is not there") {
		t.Error(err)
	}
	// A new dashboard shows the build, too.
	late := see(t, remote.NewHub(s.Hub(keys, "bob")))
	snap = shows(t, late, "build-8 as it was", gateIs(b.root(0), 0, "pending"))
	if find(snap, b.root(0)).Host.Live() {
		t.Error("a host that has left is live")
	}
	b.start()
	shows(t, late, "build-8 is back", func(s *model.Snapshot) bool { return find(s, b.root(0)).Host.Live() })
	shows(t, f, "build-8 is back", func(s *model.Snapshot) bool { return find(s, b.root(0)).Host.Live() })
}

// TestHubLosesEverything checks that everything is shown again after the hub has lost its data.
func TestHubLosesEverything(t *testing.T) {
	t.Parallel()
	keys := members(t, map[string]remote.Role{"build-7": remote.RoleHost, "alice": remote.RoleApprover, "bob": remote.RoleViewer})
	s := hubtest.Start(t, keys)
	m := newMachine(t, s.Hub(keys, "build-7"), 3, 5)
	m.start()
	f := see(t, remote.NewHub(s.Hub(keys, "alice")))
	all := func(s *model.Snapshot) bool {
		n := 0
		for _, p := range s.Projects {
			if p.Host.Live() && len(p.Builds) == 1 {
				n++
			}
		}
		return n == 3
	}
	shows(t, f, "three loops", all)
	s.Stop()
	snap := shows(t, f, "that nothing is known", func(s *model.Snapshot) bool { return s.Watch != "" && !find(s, m.root(0)).Host.Live() })
	if !strings.Contains(snap.Watch, "can't be reached since") || !strings.Contains(find(snap, m.root(0)).Host.Why, "cut off since") || find(snap, m.root(0)).Host.State != model.HostCutOff {
		t.Error(snap.Watch, find(snap, m.root(0)).Host.Why)
	}
	if _, err := decide(f, m.root(0), model.VerbApprove, 0, ""); err == nil || !strings.Contains(err.Error(), "nothing was sent: there is no connection") {
		t.Error(err)
	}
	s.Forget()
	start := time.Now()
	s.Restart()
	shows(t, f, "all again", all)
	bob := see(t, remote.NewHub(s.Hub(keys, "bob")))
	shows(t, bob, "all, for who comes now", all)
	t.Logf("all is there %v after the hub is back", time.Since(start))
	if _, err := decide(f, m.root(0), model.VerbApprove, 0, ""); err != nil {
		t.Error(err)
	}
}

// TestClocksThatDiffer checks that times of a host with a wrong clock are corrected.
func TestClocksThatDiffer(t *testing.T) {
	t.Parallel()
	s := hubtest.Start(t, nil)
	m := newMachine(t, s.Hub(nil, "build-7"), 1, 3)
	m.unchecked = true
	m.ahead = 3 * time.Hour
	m.start()
	f := see(t, remote.NewHub(s.Hub(nil, "alice")))
	shows(t, f, "the loop", live(m.root(0)))
	o, err := decide(f, m.root(0), model.VerbChanges, 0, "fold it twice")
	must(t, err)
	if late := time.Since(o.Decision.At); late.Abs() > time.Minute {
		t.Errorf("what was decided now is %v old", late)
	}
	snap := shows(t, f, "the decision", func(s *model.Snapshot) bool { return len(find(s, m.root(0)).Decisions) == 1 })
	if late := time.Since(find(snap, m.root(0)).Decisions[0].At); late.Abs() > time.Minute {
		t.Errorf("what was decided now is shown as %v old", late)
	}
}

// TestManyHosts checks that all dashboards show all builds of many hosts, and that each decision reaches its directory. GATEHOUSE_SOAK_HOSTS
// is the number of hosts; make soak uses 100 hosts with 1,000 builds.
func TestManyHosts(t *testing.T) {
	t.Parallel()
	hosts := 4
	if n, err := strconv.Atoi(os.Getenv("GATEHOUSE_SOAK_HOSTS")); err == nil {
		hosts = n
	}
	const loops = 10
	roles := map[string]remote.Role{"alice": remote.RoleApprover, "bob": remote.RoleApprover}
	for i := range hosts {
		roles[fmt.Sprintf("build-%03d", i)] = remote.RoleHost
	}
	keys := members(t, roles)
	s := hubtest.Start(t, keys)
	alice, bob := see(t, remote.NewHub(s.Hub(keys, "alice"))), see(t, remote.NewHub(s.Hub(keys, "bob")))
	var machines []*machine
	for i := range hosts {
		m := newMachine(t, s.Hub(keys, fmt.Sprintf("build-%03d", i)), loops, 3)
		m.start()
		machines = append(machines, m)
	}
	shows(t, alice, "all builds", knows(hosts*loops))
	shows(t, bob, "all builds", knows(hosts*loops))

	// Two users approve the same gate at once: one approves it, the other gets an error.
	var deciders sync.WaitGroup
	for i, m := range machines {
		deciders.Go(func() {
			var both sync.WaitGroup
			var done [2]*model.Outcome
			for who, f := range []model.Actor{alice, bob} {
				both.Go(func() { done[who], _ = decide(f, m.root(i%loops), model.VerbApprove, 0, "") })
			}
			both.Wait()
			if (done[0] == nil) == (done[1] == nil) {
				t.Errorf("%s: of two who approve one gate both or none have done it", m.name)
			}
		})
	}
	deciders.Wait()
	for i, m := range machines {
		for loop, dir := range m.dirs {
			want := "pending"
			if loop == i%loops {
				want = "passed"
			}
			if got := hubtest.GateStatus(t, dir, 0); got != want {
				t.Errorf("%s: %s is %s, want %s", m.name, dir, got, want)
			}
		}
		shows(t, bob, "what was decided", func(s *model.Snapshot) bool {
			p := find(s, m.root(i%loops))
			return len(p.Decisions) == 1 && p.Decisions[0].Is == "passed"
		})
	}
}

// live reports whether a project with one build is shown and its host is online.
func live(root string) func(*model.Snapshot) bool {
	return func(s *model.Snapshot) bool {
		p := find(s, root)
		return p != nil && p.Host.Live() && len(p.Builds) == 1
	}
}

// silent reports whether a project is shown and its host is offline.
func silent(root string) func(*model.Snapshot) bool {
	return func(s *model.Snapshot) bool { p := find(s, root); return p != nil && !p.Host.Live() }
}

// TestServerOfTheHubFails checks that decisions go on after the leader of a cluster is cut off, from the other servers or from the members.
func TestServerOfTheHubFails(t *testing.T) {
	t.Parallel()
	keys := members(t, map[string]remote.Role{"build-7": remote.RoleHost, "alice": remote.RoleApprover})
	c := hubtest.StartCluster(t, keys)
	m := newMachine(t, c.Hub(keys, "build-7"), 1, 20)
	f := see(t, remote.NewHub(c.Hub(keys, "alice")))
	m.start()
	shows(t, f, "the loop", live(m.root(0)))

	// The leader fails.
	for gate := range 2 {
		leader := -1
		for end := time.Now().Add(soon); leader < 0 && time.Now().Before(end); leader = c.Leader() {
			time.Sleep(10 * time.Millisecond)
		}
		start := time.Now()
		if gate == 0 {
			c.Part(leader)
		} else {
			c.Doors[leader].Cut()
		}
		for { // until a decision is applied; every failure must report that nothing was sent
			_, err := decide(f, m.root(0), model.VerbApprove, gate, "")
			if err == nil {
				break
			}
			if !strings.Contains(err.Error(), "nothing was") && !strings.Contains(err.Error(), "not get there") {
				t.Fatal(err)
			}
			if time.Since(start) > soon {
				t.Fatalf("nothing can be decided any more: %v; leader %d", err, c.Leader())
			}
			time.Sleep(20 * time.Millisecond)
		}
		shows(t, f, "the gate has passed", gateIs(m.root(0), gate, "passed"))
		t.Logf("back in step %v after the leader was cut off", time.Since(start))
		c.Heal(leader)
		c.Doors[leader].Heal()
		shows(t, f, "the host", live(m.root(0)))
	}
}

// TestPartitionShowsOldReadsAsOld checks that a host on the other side of a partition is shown as offline, and is back after the partition.
func TestPartitionShowsOldReadsAsOld(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]func(c *hubtest.Cluster, i int){"cut": (*hubtest.Cluster).Part, "swallows": (*hubtest.Cluster).Freeze} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			keys := members(t, map[string]remote.Role{"build-7": remote.RoleHost, "build-8": remote.RoleHost, "alice": remote.RoleApprover, "bob": remote.RoleViewer})
			c := hubtest.StartCluster(t, keys)
			// alice and build-8 are on one side, build-7 on the other.
			far, near := newMachine(t, c.Hub(keys, "build-7", 1), 1, 3), newMachine(t, c.Hub(keys, "build-8", 0), 1, 3)
			f := see(t, remote.NewHub(c.Hub(keys, "alice", 0)))
			far.start()
			near.start()
			shows(t, f, "both loops", func(s *model.Snapshot) bool { return live(far.root(0))(s) && live(near.root(0))(s) })

			start := time.Now()
			part(c, 0)
			shows(t, f, "build-7 is not there", silent(far.root(0)))
			marked := time.Since(start)
			t.Logf("marked after %v", marked)
			if marked > time.Minute {
				t.Errorf("it takes %v until a host that is cut off is marked", marked)
			}
			if p := find(shows(t, f, "build-8", live(near.root(0))), far.root(0)); !strings.Contains(p.Host.Why, "offline since") || p.Host.AsOf.Before(start.Add(-time.Minute)) {
				t.Errorf("%+v", p.Host)
			}
			if _, err := decide(f, far.root(0), model.VerbApprove, 0, ""); err == nil || !strings.Contains(err.Error(), "nothing was") {
				t.Error("decided about a host that is not there:", err)
			}
			if _, err := decide(f, near.root(0), model.VerbApprove, 0, ""); err != nil {
				t.Error("not decided about a host that is there:", err)
			}
			shows(t, f, "what was decided on this side", gateIs(near.root(0), 0, "passed"))
			// Changes on the other side can't be known here, so a new dashboard must not show that host as live.
			hubtest.WriteLoop(t, far.dirs[0], 4)
			bob := see(t, remote.NewHub(c.Hub(keys, "bob", 0)))
			shows(t, bob, "build-8", live(near.root(0)))
			if snap := shows(t, bob, "anything", func(*model.Snapshot) bool { return true }); find(snap, far.root(0)) != nil && find(snap, far.root(0)).Host.Live() {
				t.Error("an old read is shown as new")
			}

			start = time.Now()
			c.Heal(0)
			shows(t, f, "build-7 as it is now", func(s *model.Snapshot) bool { return live(far.root(0))(s) && gateIs(far.root(0), 3, "pending")(s) })
			back := time.Since(start)
			t.Logf("back in step after %v", back)
			if back > time.Minute {
				t.Errorf("it takes %v to be back in step", back)
			}
			shows(t, bob, "build-7 as it is now", gateIs(far.root(0), 3, "pending"))
		})
	}
}

// TestSlowNetworkWithDuplicates checks that late or repeated messages are shown once and in order.
func TestSlowNetworkWithDuplicates(t *testing.T) {
	t.Parallel()
	keys := members(t, map[string]remote.Role{"build-7": remote.RoleHost, "alice": remote.RoleApprover})
	s := hubtest.Start(t, keys)
	hostDoor, viewDoor := hubtest.NewProxy(t, s.Addr().String()), hubtest.NewProxy(t, s.Addr().String())
	for i, p := range []*hubtest.Proxy{hostDoor, viewDoor} {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		p.Twice(func() bool { return r.IntN(2) == 0 })
		p.Delay(20 * time.Millisecond)
	}
	through := func(name string, p *hubtest.Proxy) remote.Hub {
		h := s.Hub(keys, name)
		h.URLs = []string{"nats://" + p.Address()}
		return h
	}
	m := newMachine(t, through("build-7", hostDoor), 1, 20)
	m.start()
	f := see(t, remote.NewHub(through("alice", viewDoor)))
	shows(t, f, "the loop", live(m.root(0)))
	for gate := range 5 {
		o, err := decide(f, m.root(0), model.VerbChanges, gate, "fold it again")
		must(t, err)
		shows(t, f, "the request", func(s *model.Snapshot) bool {
			n := 0
			for _, d := range find(s, m.root(0)).Decisions {
				if d.ID == o.Decision.ID {
					n++
				}
			}
			return n == 1 && len(find(s, m.root(0)).Decisions) == gate+1
		})
	}
}

// TestNoBinaryLinksTheServer checks that neither program links the NATS server, and that the prompt does not link the client either.
func TestNoBinaryLinksTheServer(t *testing.T) {
	for binary, forbidden := range map[string][]string{
		"gatehouse/cmd/gatehouse":  {"github.com/nats-io/nats-server", "gatehouse/cmd/gatehouse/remote/hubtest", "testing"},
		"gatehouse/cmd/statusline": {"github.com/nats-io/", "gatehouse/cmd/gatehouse/remote"},
	} {
		out, err := exec.Command("go", "list", "-deps", binary).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for p := range strings.FieldsSeq(string(out)) {
			for _, f := range forbidden {
				if p == f || strings.HasPrefix(p, f) && (strings.HasSuffix(f, "/") || strings.HasPrefix(p, f+"/")) {
					t.Errorf("%s links %s", binary, p)
				}
			}
		}
	}
}

// must ends the test with an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

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
