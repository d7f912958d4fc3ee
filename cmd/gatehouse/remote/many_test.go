package remote_test

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/cmd/gatehouse/remote/hubtest"
	"gatehouse/model"
)

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
