package view

// The trees of builds, asked for where somebody may look at them.

import (
	"context"
	"errors"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

const (
	// atOnce is how many trees are asked for at a time.
	atOnce = 8
	// treeEvery is the shortest time between two askings for one tree: what waits and where it stands is told anyway.
	treeEvery = time.Second
	treeFor   = 20 * time.Second
)

// tree is a build with its tree, as it was sent.
type tree struct {
	hash  string // as the message about the build calls it
	build *model.Build
}

// with returns a build with its tree. Of an older tree the rows are shown, and what the newer message says.
func (t *tree) with(b *model.Build, hash string) *model.Build {
	switch {
	case t == nil:
		return b
	case t.hash == hash:
		return t.build
	}
	merged := *b
	merged.Nodes, merged.Activity, merged.Metrics, merged.Notes, merged.Measured, merged.History, merged.Partial = t.build.Nodes, t.build.Activity, t.build.Metrics, t.build.Notes, t.build.Measured, t.build.History, false
	return &merged
}

// fetches are the trees that are to be asked for.
type fetches struct {
	chosen map[place]bool      // whose trees are followed
	pinned map[place]bool      // those somebody has asked for
	asked  map[place]time.Time // when each was asked for last
	failed map[place]string    // the hash of those that can't be had
	queue  []place
	more   chan struct{}
	due    bool // chosen is to be made anew
}

// place is a build of the fleet.
type place struct{ project, build string }

func newFetches() fetches {
	return fetches{chosen: map[place]bool{}, pinned: map[place]bool{}, asked: map[place]time.Time{}, failed: map[place]string{}, more: make(chan struct{}, atOnce)}
}

// wants notes that a build has a tree that is not here.
func (f *Fleet) wants(h *host, key string, e *entry) {
	if e.build == nil {
		return
	}
	at := place{Root(h.name, e.build.Root), e.build.Build.ID}
	if !f.fetches.chosen[at] && len(f.fetches.chosen) < f.opts.Trees {
		f.fetches.chosen[at] = true
	}
	f.fetches.due = true
	f.queue(at, e)
}

// queue has a tree asked for, if it is followed and another than it is here.
func (f *Fleet) queue(at place, e *entry) {
	q := &f.fetches
	if !q.chosen[at] && !q.pinned[at] || e.build.Tree == "" || e.tree != nil && e.tree.hash == e.build.Tree || q.failed[at] == e.build.Tree || slices.Contains(q.queue, at) {
		return
	}
	q.queue = append(q.queue, at)
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// Follow has the tree of a build followed, whatever else is going on; see [Options.Trees]. It says whether there is such a build.
func (f *Fleet) Follow(project, build string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.find(project)
	if p == nil || p.builds[build] == nil {
		return false
	}
	at := place{project, build}
	f.fetches.pinned[at] = true
	f.queue(at, p.builds[build])
	return true
}

// Leave ends what [Fleet.Follow] began.
func (f *Fleet) Leave(project, build string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.fetches.pinned, place{project, build})
	f.fetches.due = true
}

// choose says whose trees are followed: where something waits first, then what has failed, is blocked or at work, then what
// changed last.
func (f *Fleet) choose() {
	q := &f.fetches
	if !q.due || f.opts.Trees <= 0 {
		return
	}
	q.due = false
	type candidate struct {
		at   place
		e    *entry
		rank int
	}
	var all []candidate
	for _, s := range f.sources {
		for _, h := range s.hosts {
			if h.projects == nil {
				h.show()
			}
			for _, p := range h.projects {
				for id, e := range p.builds {
					all = append(all, candidate{place{Root(h.name, p.root), id}, e, rank(e.shown)})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return b.e.shown.Freshness.Changed.Compare(a.e.shown.Freshness.Changed)
	})
	chosen := map[place]bool{}
	for i, c := range all {
		if i < f.opts.Trees {
			chosen[c.at] = true
		} else if !q.pinned[c.at] && c.e.tree != nil { // what it had is let go
			c.e.tree, c.e.looked = nil, false
		}
	}
	q.chosen = chosen
	for _, c := range all {
		f.queue(c.at, c.e)
	}
}

// rank orders builds by how soon somebody may look at them.
func rank(b *model.Build) int {
	switch {
	case len(b.Certain()) > 0:
		return 0
	case b.Status == model.Failed || b.Status == model.Blocked || b.Status == model.Active || b.Status == model.Retrying:
		return 1
	case b.Status.Closed():
		return 3
	}
	return 2
}

// fetchTrees asks for trees, one after the other, until the context ends.
func (f *Fleet) fetchTrees() {
	for {
		f.mu.Lock()
		at, wait, ok := f.nextTree()
		f.mu.Unlock()
		if ok {
			f.fetchTree(f.ctx, at)
			continue
		}
		var later <-chan time.Time
		if wait > 0 {
			later = time.After(wait)
		}
		select {
		case <-f.ctx.Done():
			return
		case <-f.fetches.more:
		case <-later:
		}
	}
}

// nextTree takes the first tree from the queue that may be asked for now, or says in how long there is one.
func (f *Fleet) nextTree() (at place, wait time.Duration, ok bool) {
	q := &f.fetches
	now := time.Now()
	for i, at := range q.queue {
		d := treeEvery - now.Sub(q.asked[at])
		if d <= 0 {
			q.queue = slices.Delete(q.queue, i, i+1)
			q.asked[at] = now
			return at, 0, true
		}
		if wait == 0 || d < wait {
			wait = d
		}
	}
	return at, wait, false
}

// fetchTree asks for a tree, and shows it.
func (f *Fleet) fetchTree(ctx context.Context, at place) error {
	ctx, cancel := context.WithTimeout(ctx, treeFor)
	defer cancel()
	f.mu.Lock()
	p := f.find(at.project)
	if p == nil || p.builds[at.build] == nil {
		f.mu.Unlock()
		return nil
	}
	h, e := p.host, p.builds[at.build]
	hash, ahead, have, before := e.build.Tree, h.ahead, "", e.tree
	if before != nil {
		have = before.hash
	}
	root := p.root
	f.mu.Unlock()
	data, etag, err := f.fetch(ctx, h, wire.Request{Request: wire.AskTree, Root: root, Build: at.build, Have: have})
	var b *model.Build
	switch {
	case err != nil:
	case data == nil: // it is the one that is here
		b = before.build
	default:
		b, err = wire.DecodeWhole(data, ahead)
		if err == nil && b.ID != at.build {
			err = errMixed
		}
		if err == nil {
			h.qualify(b)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		switch {
		case link.NotSent(err) || errors.Is(err, link.ErrNoAnswer):
			if h.live { // else when it is back
				f.fetches.due = true
			}
		default: // another one may be had
			f.fetches.failed[at] = hash
			e.treeless, e.looked, h.projects = err.Error(), false, nil
			f.changed()
		}
		return err
	}
	delete(f.fetches.failed, at)
	if p = f.find(at.project); p == nil || p.builds[at.build] == nil || h.ahead != ahead {
		return nil
	}
	// What came may be newer than the message that had it asked for: its hash tells.
	e = p.builds[at.build]
	e.tree, e.treeless, e.looked = &tree{hash: etag, build: b}, "", false
	h.projects = nil
	f.changed()
	f.queue(at, e)
	return nil
}

// Trees asks for the trees of some builds and waits for them: of all that which reports true for. What can't be had stays as it is.
func (f *Fleet) Trees(ctx context.Context, which func(*model.Project, *model.Build) bool) {
	f.mu.Lock()
	var wanted []place
	for _, p := range f.snapshot().Projects {
		for _, b := range p.Builds {
			if b.Partial && which(p, b) {
				wanted = append(wanted, place{p.Root, b.ID})
			}
		}
	}
	f.mu.Unlock()
	work := make(chan place)
	done := make(chan struct{})
	for range 2 * atOnce {
		go func() {
			for at := range work {
				f.fetchTree(ctx, at)
			}
			done <- struct{}{}
		}()
	}
	for _, at := range wanted {
		work <- at
	}
	close(work)
	for range 2 * atOnce {
		<-done
	}
}
