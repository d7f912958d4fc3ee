package remote_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/cmd/gatehouse/remote/hubtest"
	"gatehouse/model"
)

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
		if err != nil {
			t.Fatal(err)
		}
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
