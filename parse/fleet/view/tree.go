package view

// The trees of builds, asked for where somebody may look at them.

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
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
	// treesOfHost and treesInAll are how many bytes of trees are kept as they were sent: in memory they take some times as much.
	treesOfHost = 64 << 20
	treesInAll  = 256 << 20
)

var errNoRoom = errors.New("with it there would be more than is looked at here")

// room refuses a tree in the place of an entry's where one host's, or those of all, would be too many.
func (f *Fleet) room(h *host, e *entry, size int) error {
	own, all := size, size
	for _, s := range f.sources {
		for _, x := range s.hosts {
			for _, y := range x.entries {
				if y == e || y.tree == nil {
					continue
				}
				if all += y.tree.size; x == h {
					own += y.tree.size
				}
			}
		}
	}
	if own > treesOfHost || all > treesInAll {
		return errNoRoom
	}
	return nil
}

// tree is a build with its tree, as it was sent.
type tree struct {
	hash  string // as the message about the build calls it
	build *model.Build
	size  int // of what was sent, in bytes
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
	looked place               // which somebody is looking at: its tree is followed, too
	asked  map[place]time.Time // when each was asked for last
	failed map[place]string    // the hash of those that can't be had
	queue  []place
	going  map[place]bool // those that were asked for, and are on their way
	more   chan struct{}
	due    bool // chosen is to be made anew
}

// place is a build of the fleet.
type place struct{ project, build string }

func newFetches() fetches {
	return fetches{chosen: map[place]bool{}, asked: map[place]time.Time{}, failed: map[place]string{}, going: map[place]bool{}, more: make(chan struct{}, atOnce)}
}

// wants notes that a build has a tree that is not here.
func (f *Fleet) wants(h *host, e *entry) {
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

// missing reports whether a tree is followed, another than it is here, and none is on its way: that may be the one.
func (q *fetches) missing(at place, e *entry) bool {
	return (q.chosen[at] || at == q.looked) && e.build.Tree != "" && (e.tree == nil || e.tree.hash != e.build.Tree) && q.failed[at] != e.build.Tree && !q.going[at]
}

// queue has a tree asked for, if it is missing.
func (f *Fleet) queue(at place, e *entry) {
	q := &f.fetches
	if !q.missing(at, e) || slices.Contains(q.queue, at) {
		return
	}
	q.queue = append(q.queue, at)
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// Follow has the tree of a build followed as long as nobody looks at another, whatever else is going on; see [Options.Trees].
func (f *Fleet) Follow(project, build string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := place{project, build}
	if at == f.fetches.looked {
		return
	}
	f.fetches.looked, f.fetches.due = at, true // the one before may be let go
	if p := f.find(project); p != nil && p.builds[build] != nil {
		f.queue(at, p.builds[build])
	}
}

// choose says whose trees are followed: where something waits first, then what has failed, is blocked or at work, then what
// changed last.
func (f *Fleet) choose() {
	q := &f.fetches
	if !q.due || f.opts.Trees <= 0 {
		return
	}
	q.due = false
	var all []candidate
	for _, s := range f.sources {
		for _, h := range s.hosts {
			for _, p := range h.all() {
				if len(f.sources) > 1 && f.find(Root(h.name, p.root)) != p { // another link shows it
					continue
				}
				for id, e := range p.builds {
					all = append(all, candidate{place{Root(h.name, p.root), id}, h, e, rank(e.shown)})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		// Of equals those stay that are here: whatever changes, no more trees are asked for than have to be.
		return cmp.Or(a.rank-b.rank, b.e.shown.Freshness.Changed.Compare(a.e.shown.Freshness.Changed), a.treeless()-b.treeless(),
			strings.Compare(a.at.project, b.at.project), strings.Compare(a.at.build, b.at.build))
	})
	chosen := map[place]bool{}
	for i, c := range all {
		if i < f.opts.Trees {
			chosen[c.at] = true
		} else if c.at != q.looked && c.e.tree != nil { // what it had is let go
			c.e.tree, c.e.looked = nil, false
			c.host.changed()
		}
	}
	q.chosen = chosen
	places := map[place]bool{}
	for _, c := range all {
		places[c.at] = true
	}
	gone := func(at place) bool { return !places[at] }
	maps.DeleteFunc(q.asked, func(at place, _ time.Time) bool { return gone(at) })
	maps.DeleteFunc(q.failed, func(at place, _ string) bool { return gone(at) })
	for _, c := range all {
		f.queue(c.at, c.e)
	}
}

// candidate is a build whose tree may be followed.
type candidate struct {
	at   place
	host *host
	e    *entry
	rank int
}

// treeless is 1 where no tree is here.
func (c candidate) treeless() int {
	if c.e.tree == nil {
		return 1
	}
	return 0
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
	q.queue = slices.DeleteFunc(q.queue, func(at place) bool {
		p := f.find(at.project)
		return p == nil || p.builds[at.build] == nil || !q.missing(at, p.builds[at.build])
	})
	now := time.Now()
	for i, at := range q.queue {
		if h := f.find(at.project).host; h.mute && f.answering(h) {
			continue
		}
		d := treeEvery - now.Sub(q.asked[at])
		if d <= 0 {
			q.queue = slices.Delete(q.queue, i, i+1)
			q.asked[at], q.going[at] = now, true
			return at, 0, true
		}
		if wait == 0 || d < wait {
			wait = d
		}
	}
	return at, wait, false
}

// answering reports whether a host has been asked for a tree, and not answered yet.
func (f *Fleet) answering(h *host) bool {
	for at := range f.fetches.going {
		if p := f.find(at.project); p != nil && p.host == h {
			return true
		}
	}
	return false
}

// mutes notes whether a host answers when it is asked for a tree. One that does not is asked for one at a time: it would keep all who ask from
// asking others.
func (f *Fleet) mutes(h *host, mute bool) {
	if h.mute && !mute { // there may be more to ask for at once
		for range cap(f.fetches.more) {
			select {
			case f.fetches.more <- struct{}{}:
			default:
			}
		}
	}
	h.mute = mute
}

// fetchTree asks for a tree, and shows it.
func (f *Fleet) fetchTree(ctx context.Context, at place) error {
	ctx, cancel := context.WithTimeout(ctx, treeFor)
	defer cancel()
	f.mu.Lock()
	p := f.find(at.project)
	if p == nil || p.builds[at.build] == nil {
		delete(f.fetches.going, at)
		f.mu.Unlock()
		return nil
	}
	h, e := p.host, p.builds[at.build]
	hash, ahead, have, before := e.build.Tree, h.ahead, "", e.tree
	f.fetches.going[at] = true
	if before != nil {
		have = before.hash
	}
	root := p.root
	f.mu.Unlock()
	data, etag, err := f.fetch(ctx, h, wire.Request{Request: wire.AskTree, Root: root, Build: at.build, Have: have})
	var b *model.Build
	size := len(data)
	if err == nil && data != nil {
		f.mu.Lock()
		err = f.room(h, e, size)
		f.mu.Unlock()
	}
	switch {
	case err != nil:
	case data == nil: // it is the one that is here
		b, size = before.build, before.size
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
	delete(f.fetches.going, at)
	f.mutes(h, errors.Is(err, link.ErrNoAnswer))
	if err != nil {
		switch {
		case link.NotSent(err) || errors.Is(err, link.ErrNoAnswer):
			if h.live { // else when it is back
				f.fetches.due = true
			}
		default: // another one may be had
			f.fetches.failed[at], f.fetches.due = hash, true
			e.treeless, e.looked = err.Error(), false
			h.changed()
		}
		return err
	}
	delete(f.fetches.failed, at)
	if p = f.find(at.project); p == nil || p.builds[at.build] == nil {
		return nil
	}
	if h.ahead != ahead { // its times are wrong: it is asked for anew
		f.fetches.due = true
		return nil
	}
	// What came may be newer than the message that had it asked for: its hash tells.
	e = p.builds[at.build]
	e.tree, e.treeless, e.looked = &tree{hash: etag, build: b, size: size}, "", false
	h.changed()
	f.queue(at, e)
	return nil
}

// Trees asks for the trees of some builds and waits for them: of all that which reports true for, on hosts that are there. What can't be had stays
// as it is.
func (f *Fleet) Trees(ctx context.Context, which func(*model.Project, *model.Build) bool) {
	f.mu.Lock()
	var wanted []place
	for _, p := range f.snapshot().Projects {
		for _, b := range p.Builds {
			if b.Partial && !p.OutOfReach() && which(p, b) {
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
				if ctx.Err() == nil { // else a pipe would be filled with questions whose answers nobody waits for
					f.fetchTree(ctx, at)
				}
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
