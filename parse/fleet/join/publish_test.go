package join

import (
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/fleet/wire"
)

// The tree of a build is encoded while the host is not locked: decisions need the lock.
func TestATreeIsEncodedWhileOthersAreAnswered(t *testing.T) {
	nodes := make([]*model.Node, 20_000)
	for i := range nodes {
		nodes[i] = &model.Node{ID: strconv.Itoa(i)}
	}
	d := newDesk(t)
	between := false
	for range 100 { // whoever looks is not sure to come in between
		p := *d.projects[0]
		p.Builds = []*model.Build{{ID: "large", Nodes: nodes}}
		d.projects, d.entries, d.fresh, d.ready = []*model.Project{&p}, map[string]*entry{}, true, false
		var ended atomic.Bool
		var work sync.WaitGroup
		work.Go(func() { d.round(); ended.Store(true) })
		for !ended.Load() && !between {
			d.mu.Lock()
			between = !d.fresh && !d.ready
			d.mu.Unlock()
			runtime.Gosched()
		}
		work.Wait()
		if between {
			return
		}
	}
	t.Error("nobody is answered while a tree is encoded")
}

func TestATreeIsEncodedOnceForAll(t *testing.T) {
	d := newDesk(t)
	d.fresh = true
	d.round()
	ask := &wire.Request{V: 1, Request: wire.AskTree, Root: d.root, Build: d.projects[0].Builds[0].ID}
	var encoded atomic.Int32
	var work sync.WaitGroup
	_, hash, err := d.build(ask.Root, ask.Build)
	for range 8 {
		work.Go(func() {
			reply, part := d.sendKnown(ask, hash, func() ([]byte, error) {
				encoded.Add(1)
				b, _, _ := d.build(ask.Root, ask.Build)
				return wire.Whole(b)
			})
			if reply.Etag != hash || len(part) == 0 {
				t.Errorf("%+v, %d bytes", reply, len(part))
			}
		})
	}
	work.Wait()
	if n := encoded.Load(); n != 1 || hash == "" || err != nil {
		t.Errorf("encoded %d times, as %q: %v", n, hash, err)
	}
	if reply := d.ask("alice", ask); reply.Etag != hash {
		t.Errorf("it comes as %s", reply.Etag)
	}
	ask.Have = hash
	if reply := d.ask("alice", ask); !reply.Same {
		t.Errorf("who has it is told %+v", reply)
	}
}
