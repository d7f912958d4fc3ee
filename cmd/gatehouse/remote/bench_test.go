package remote_test

// Benchmarks of remote builds on one machine: the hub, the hosts and a dashboard run in one process and talk over the loopback interface.
// Times are wall times.

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/cmd/gatehouse/remote/hubtest"
	"gatehouse/model"
	"gatehouse/model/line"
)

// simulated is a feed of builds without files.
type simulated struct {
	mu    sync.Mutex
	snap  *model.Snapshot
	fresh chan struct{}
}

// newSimulated returns a feed of projects with one build each, of a typical size.
func newSimulated(host string, projects int) *simulated {
	s := &simulated{snap: &model.Snapshot{Version: 1}, fresh: make(chan struct{})}
	for i := range projects {
		root := fmt.Sprintf("/src/%s/shop-%d", host, i)
		s.snap.Projects = append(s.snap.Projects, &model.Project{Root: root, Name: fmt.Sprintf("shop-%d", i), Builds: []*model.Build{simulatedBuild(0)}})
	}
	return s
}

// simulatedBuild returns a loop of ten phases at its nth step.
func simulatedBuild(n int) *model.Build {
	b := &model.Build{ID: "loop:shop-state.json", Protocol: "loop", Title: "Shop", Dir: ".", File: "shop-state.json", Status: model.Waiting, Raw: "active",
		Why: fmt.Sprintf("step %d", n), Header: &line.Loop{ID: "shop", Step: line.LoopAtGate, Gate: "look-gate", Done: 2, Total: 10, Counted: true}}
	for i := range 10 {
		id := fmt.Sprintf("phase/P%02d", i)
		gate := &model.Node{ID: fmt.Sprintf("gate/look-%02d", i), Kind: model.KindGate, Title: fmt.Sprintf("look-%02d", i), Status: model.Pending, Gate: &model.Gate{Approval: model.ApprovalHuman, Asks: "Look at it", Can: []model.Verb{model.VerbApprove}}}
		b.Nodes = append(b.Nodes, &model.Node{ID: id, Kind: model.KindPhase, Title: id, Status: model.Pending, Source: model.Pos{File: b.File, Line: 10 + i},
			Artifacts: []model.Artifact{{Name: "NOTES.md", File: "NOTES.md", Exists: true, Size: 1000}}}, gate)
	}
	b.Waits = []model.Wait{{Node: "gate/look-00", Text: "look-00: Look at it", Evidence: model.Reached, Since: time.Unix(1e9, 0)}}
	return b
}

// change replaces the build of a project by that of step n, and returns at once.
func (s *simulated) change(project, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.snap
	next.Version++
	next.Projects = slices.Clone(next.Projects)
	p := *next.Projects[project]
	p.Builds = []*model.Build{simulatedBuild(n)}
	next.Projects[project] = &p
	s.snap = &next
	close(s.fresh)
	s.fresh = make(chan struct{})
}

// Next implements [model.Feed].
func (s *simulated) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		s.mu.Lock()
		snap, fresh := s.snap, s.fresh
		s.mu.Unlock()
		if snap.Version > after {
			return snap, nil
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// simulate starts hosts with some projects each, until the benchmark ends.
func simulate(b *testing.B, s *hubtest.Server, keys *hubtest.Keys, hosts, projects int) (feeds []*simulated) {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	b.Cleanup(func() { cancel(); running.Wait() })
	for i := range hosts {
		name := fmt.Sprintf("build-%03d", i)
		feeds = append(feeds, newSimulated(name, projects))
		h := remote.NewHost(remote.HostOptions{Name: name, Machine: name, Feed: feeds[i], Now: time.Now, Log: func(string) {}})
		running.Go(func() { h.RunOnHub(ctx, s.Hub(keys, name)) })
	}
	return feeds
}

// hubOf starts a hub for some hosts, a viewer and an approver.
func hubOf(b *testing.B, hosts int) (*hubtest.Server, *hubtest.Keys) {
	keys := hubtest.NewKeys(b)
	for i := range hosts {
		keys.Add(remote.RoleHost, fmt.Sprintf("build-%03d", i))
	}
	keys.Add(remote.RoleViewer, "bob")
	keys.Add(remote.RoleApprover, "alice")
	return hubtest.Start(b, keys), keys
}

// knows reports whether a snapshot has exactly that many builds of live hosts.
func knows(builds int) func(*model.Snapshot) bool {
	return func(s *model.Snapshot) bool {
		n := 0
		for _, p := range s.Projects {
			if p.Host.Live() {
				n += len(p.Builds)
			}
		}
		return n == builds
	}
}

// BenchmarkFleet measures the first list of all builds.
func BenchmarkFleet(b *testing.B) {
	for _, builds := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprintf("builds=%d", builds), func(b *testing.B) {
			hosts := min(100, builds)
			s, keys := hubOf(b, hosts)
			f := see(b, remote.NewHub(s.Hub(keys, "bob"))) // this creates the bucket
			simulate(b, s, keys, hosts, builds/hosts)
			shows(b, f, "all builds", knows(builds))
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				shows(b, see(b, remote.NewHub(s.Hub(keys, "alice"))), "all builds", knows(builds))
				took = append(took, time.Since(start))
			}
			report(b, took)
		})
	}
}

// BenchmarkFleetChange measures the time from a change on one of 100 hosts with 1,000 builds to the snapshot that shows it, for a build
// that was quiet before and for one that changes all the time.
func BenchmarkFleetChange(b *testing.B) {
	const hosts, projects = 100, 10
	s, keys := hubOf(b, hosts)
	f := see(b, remote.NewHub(s.Hub(keys, "alice")))
	feeds := simulate(b, s, keys, hosts, projects)
	shows(b, f, "all builds", knows(hosts*projects))
	step := 0
	change := func(host, project int) time.Duration {
		step++
		why, root := fmt.Sprintf("step %d", step), remote.Root(fmt.Sprintf("build-%03d", host), fmt.Sprintf("/src/build-%03d/shop-%d", host, project))
		start := time.Now()
		feeds[host].change(project, step)
		shows(b, f, why, func(s *model.Snapshot) bool {
			p := find(s, root)
			return p != nil && len(p.Builds) == 1 && p.Builds[0].Why == why
		})
		return time.Since(start)
	}
	for name, next := range map[string]func(i int) (host, project int){
		"quiet": func(i int) (int, int) { return i % hosts, i / hosts % projects },
		"burst": func(int) (int, int) { return 0, 0 },
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				took = append(took, change(next(i)))
			}
			report(b, took)
		})
	}
}

// BenchmarkFleetDecide measures a decision whose host changes a file in a real directory.
func BenchmarkFleetDecide(b *testing.B) {
	keys := members(b, map[string]remote.Role{"build-7": remote.RoleHost, "alice": remote.RoleApprover})
	s := hubtest.Start(b, keys)
	m := newMachine(b, s.Hub(keys, "build-7"), 1, 10)
	m.start()
	f := see(b, remote.NewHub(s.Hub(keys, "alice")))
	shows(b, f, "the loop", live(m.root(0)))
	var took []time.Duration
	verbs := []model.Verb{model.VerbApprove, model.VerbUndo}
	for i := 0; b.Loop(); i++ {
		a := model.Action{Verb: verbs[i%2], Project: m.root(0), Build: hubtest.Build, Node: hubtest.GateID(0)}
		p, err := f.Propose(context.Background(), a)
		must(b, err)
		a.Seen, a.Shown = p.Action.Seen, p.Action.Shown
		start := time.Now()
		if _, err := f.Do(context.Background(), a); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	report(b, took)
}

// report reports the median and the 99th percentile.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/p50")
	b.ReportMetric(float64(took[(len(took)*99)/100].Microseconds())/1000, "ms/p99")
}
