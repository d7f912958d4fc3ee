package remote_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/cmd/gatehouse/remote/hubtest"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/disk/statefile"
)

// decisionsUsual is the maximum number of decisions without GATEHOUSE_SOAK_DECISIONS, which make soak sets.
const decisionsUsual = 250

// decisionsFor is how long new decisions are made then; a short test takes a third of it.
const decisionsFor = 6 * time.Second

// answers counts the results of decisions.
type answers struct {
	gates   int // number of gates of each loop
	mu      sync.Mutex
	done    map[string]bool   // IDs of decisions that were reported as done
	unknown []*remote.Unknown // decisions whose reply was lost
	counts  map[string]int
}

func (a *answers) count(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts[what]++
}

// TestDecisionsUnderCuts makes decisions while the network breaks, hosts restart, and other writers change the gates. No decision may be
// applied twice, or to a gate that has changed since it was shown, and each answer must be true.
func TestDecisionsUnderCuts(t *testing.T) {
	t.Parallel()
	total, loops, gates, each := decisionsUsual, 3, 12, 4
	if n, err := strconv.Atoi(os.Getenv("GATEHOUSE_SOAK_DECISIONS")); err == nil {
		total, loops, gates, each = n, 8, 40, 16 // under cuts a decision mostly waits, so many are made at a time
	}
	roles := map[string]remote.Role{}
	const hosts, users = 4, 4
	for i := range hosts {
		roles[fmt.Sprintf("build-%d", i)] = remote.RoleHost
	}
	for i := range users {
		roles[fmt.Sprintf("user-%d", i)] = remote.RoleApprover
	}
	keys := members(t, roles)
	c := hubtest.StartCluster(t, keys)
	w := &weather{t: t, c: c, r: rand.New(rand.NewPCG(7, 7))}
	var machines []*machine
	for i := range hosts {
		m := newMachine(t, w.through(keys, fmt.Sprintf("build-%d", i)), loops, gates)
		m.start()
		machines = append(machines, m)
	}
	var fleets []*remote.View
	for i := range users {
		f := see(t, remote.NewHub(w.through(keys, fmt.Sprintf("user-%d", i))))
		for _, m := range machines {
			shows(t, f, m.name, live(m.root(loops-1)))
		}
		fleets = append(fleets, f)
	}

	a := &answers{gates: gates, done: map[string]bool{}, counts: map[string]int{}}
	stopStorm := w.storm(machines)
	work := make(chan int)
	var deciders sync.WaitGroup
	for d := range each * users {
		r := rand.New(rand.NewPCG(uint64(d), 3))
		deciders.Go(func() {
			for range work {
				m := machines[r.IntN(hosts)]
				a.one(t, fleets[d%users], m, r.IntN(len(m.dirs)), r)
			}
		})
	}
	start, begunFor := time.Now(), decisionsFor
	if testing.Short() {
		begunFor /= 3
	}
	made := 0
	for ; made < total && (total > decisionsUsual || time.Since(start) < begunFor); made++ {
		work <- made
	}
	close(work)
	stopStorm() // running decisions end sooner without it
	deciders.Wait()
	t.Logf("%d decisions in %v: %v", made, time.Since(start).Round(time.Millisecond), a.counts)

	f := see(t, remote.NewHub(c.Hub(keys, "user-0")))
	for _, m := range machines {
		shows(t, f, m.name+" at the end", live(m.root(loops-1)))
	}
	a.check(t, machines)
}

// one proposes and makes a decision about a gate. Sometimes another writer changes the gate in between.
func (a *answers) one(t *testing.T, f *remote.View, m *machine, project int, r *rand.Rand) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for version := uint64(0); ; { // wait until the project is shown
		snap, err := f.Next(ctx, version)
		if err != nil {
			a.count("never seen")
			return
		}
		if version = snap.Version; live(m.root(project))(snap) {
			break
		}
	}
	gate := r.IntN(a.gates)
	verbs := []model.Verb{model.VerbApprove, model.VerbApprove, model.VerbChanges, model.VerbChanges, model.VerbUndo, model.VerbSkip}
	act := model.Action{Verb: verbs[r.IntN(len(verbs))], Project: m.root(project), Build: hubtest.Build, Node: hubtest.GateID(gate)}
	if act.Verb != model.VerbApprove && act.Verb != model.VerbUndo {
		act.Text = fmt.Sprintf("because of what %d says", r.IntN(1e9))
	}
	p, err := f.Propose(ctx, act)
	for err != nil && strings.HasPrefix(err.Error(), "nothing was sent") && ctx.Err() == nil { // try again, because cuts are short
		time.Sleep(20 * time.Millisecond)
		p, err = f.Propose(ctx, act)
	}
	if err != nil {
		a.count("not seen")
		return
	}
	act.Seen, act.Shown = p.Action.Seen, p.Action.Shown
	changed := r.IntN(4) == 0 && spoil(m.dirs[project], gate)
	o, err := f.Do(ctx, act)
	var unknown *remote.Unknown
	var refused *model.Refusal
	var other *model.Changed
	switch {
	case err == nil || o != nil:
		a.count("done")
		if changed {
			t.Errorf("%s %s: done upon what had changed", act.Verb, act.Node)
		}
		a.mu.Lock()
		if a.done[o.Decision.ID] {
			t.Errorf("%s was reported as done twice", o.Decision.ID)
		}
		a.done[o.Decision.ID] = true
		a.mu.Unlock()
	case errors.As(err, &unknown):
		a.count("not known")
		a.mu.Lock()
		a.unknown = append(a.unknown, unknown)
		a.mu.Unlock()
	case errors.As(err, &other):
		a.count("changed")
	case errors.As(err, &refused):
		word, _, _ := strings.Cut(refused.Text, ":")
		switch {
		case refused.Already:
			word = "already"
		case word != "nothing was sent":
			word = "refused"
		}
		a.count(word)
	default: // the file could not be written, so nothing was decided
		a.count("failed: " + err.Error())
	}
}

// spoil changes a gate, like another writer that respects the lock.
func spoil(dir string, gate int) bool {
	t := statefile.Target{Path: filepath.Join(dir, hubtest.StateFile), Within: []string{dir}}
	_, err := statefile.NewStore(nil).Replace(context.Background(), t, func(content string) (string, error) {
		at := strings.Index(content, `"`+hubtest.Gate(gate)+`": {`)
		end := at + strings.Index(content[at:], "}")
		body := content[at:end]
		for _, word := range []string{"pending", "passed", "skipped"} {
			if spoilt := strings.Replace(body, `"status": "`+word+`"`, `"status": "failed"`, 1); spoilt != body {
				return content[:at] + spoilt + content[end:], nil
			}
		}
		return content, nil
	})
	return err == nil
}

// check looks up the decisions whose reply was lost, and compares all answers with the journals.
func (a *answers) check(t *testing.T, machines []*machine) {
	for _, u := range a.unknown {
		ctx, cancel := context.WithTimeout(context.Background(), soon)
		o, err := u.Outcome(ctx)
		cancel()
		var again *remote.Unknown
		if errors.As(err, &again) {
			t.Errorf("still unknown: %v", err)
		}
		if o != nil && o.Decision.ID != "" {
			a.done[o.Decision.ID] = true
		}
	}
	journaled, repeated := map[string]bool{}, map[string]int{}
	for _, m := range machines {
		all, err := parse.Decisions(hubtest.Open(t, filepath.Join(m.dir, "journal"), m.dirs...), time.Now())
		must(t, err)
		for _, d := range all {
			if d.Interrupted {
				t.Errorf("%s was not ended", d.ID)
			}
			journaled[d.ID] = true
			if d.Seen == "" {
				t.Errorf("%s is bound to nothing", d.ID)
			}
			repeated[fmt.Sprint(d.Project, d.Node, d.Verb, d.Text, d.Seen)]++
		}
	}
	for what, n := range repeated {
		if n > 1 {
			t.Errorf("%s was done %d times", what, n)
		}
	}
	for id := range a.done {
		if !journaled[id] {
			t.Errorf("%s was reported as done, and was not", id)
		}
	}
	if lost := len(journaled) - len(a.done); lost > a.counts["already"]+len(a.unknown) {
		t.Errorf("%d decisions were done and reported as nothing of the kind: %v", lost, a.counts)
	}
}

// weather breaks and heals the network of a cluster.
type weather struct {
	t     *testing.T
	c     *hubtest.Cluster
	r     *rand.Rand
	doors []*hubtest.Proxy
}

// through returns the connection of a member through proxies of its own.
func (w *weather) through(keys *hubtest.Keys, name string) remote.Hub {
	h := w.c.Hub(keys, name)
	h.URLs = nil
	for _, s := range w.c.Servers {
		p := hubtest.NewProxy(w.t, s.Addr().String())
		r := rand.New(rand.NewPCG(uint64(len(w.doors)), 5))
		p.Twice(func() bool { return r.IntN(10) == 0 })
		w.doors = append(w.doors, p)
		h.URLs = append(h.URLs, "nats://"+p.Address())
	}
	return h
}

// storm breaks connections and restarts hosts until off is called. Then everything is healed.
func (w *weather) storm(machines []*machine) (off func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	pause := func(d time.Duration) {
		select {
		case <-stop:
		case <-time.After(d):
		}
	}
	ms := func(n int) time.Duration { return time.Duration(w.r.IntN(n)) * time.Millisecond }
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			door, server := w.doors[w.r.IntN(len(w.doors))], w.r.IntN(len(w.c.Servers))
			switch w.r.IntN(10) {
			case 0, 1, 2:
				door.Cut()
				pause(ms(300))
				door.Heal()
			case 3, 4:
				door.Swallow()
				pause(ms(500))
				door.Heal()
			case 5, 6:
				door.Delay(ms(10))
				pause(ms(300))
				door.Delay(0)
			case 7:
				w.c.Part(server)
				pause(ms(1000))
				w.c.Heal(server)
			case 8:
				w.c.Freeze(server)
				pause(ms(1000))
				w.c.Heal(server)
			case 9:
				m := machines[w.r.IntN(len(machines))]
				m.stop()
				pause(ms(100))
				m.start()
			}
			pause(ms(50))
		}
	}()
	return func() { close(stop); <-done }
}
