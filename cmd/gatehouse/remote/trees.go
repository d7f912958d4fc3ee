package remote

// The trees of builds, requested when somebody may look at them.

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/model"
)

const (
	treesAtOnce = 16          // how many trees are requested at a time
	treesOfHost = 2           // of one host: one that hangs must not keep others waiting
	treeEvery   = time.Second // the shortest time between two requests of one tree
	treeFor     = 15 * time.Second
)

// tree is a build with its tree.
type tree struct {
	hash  string // as the document of its project calls it
	build *model.Build
	size  int
}

// place is a build of the remote.
type place struct{ project, build string }

// trees are those that are requested.
type trees struct {
	wake   chan struct{}
	looked place // that somebody is looking at
	going  map[place]*host
}

func newTrees() trees {
	return trees{wake: make(chan struct{}, 1), going: map[place]*host{}}
}

// due has what is followed chosen again.
func (t *trees) due() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// Follow has the tree of a build followed as long as nobody looks at another, whatever else goes on; see [Options.Trees].
func (f *Fleet) Follow(project, build string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trees.looked = place{project, build}
	f.trees.due()
}

// followTrees requests trees until the context ends.
func (f *Fleet) followTrees() {
	for {
		f.mu.Lock()
		start := time.Now()
		wait := f.requestTrees()
		took := time.Since(start)
		f.mu.Unlock()
		var later <-chan time.Time
		if wait > 0 {
			later = time.After(wait)
		}
		select {
		case <-f.ctx.Done():
			return
		case <-f.trees.wake:
		case <-later:
		}
		select { // documents come in bursts
		case <-f.ctx.Done():
			return
		case <-time.After(max(10*time.Millisecond, 9*took)):
		}
	}
}

// candidate is a build whose tree may be followed.
type candidate struct {
	place
	host *host
	x    *built
	rank int
}

// requestTrees requests the trees that are followed and not here, and lets others go. It returns when there may be more to request.
func (f *Fleet) requestTrees() (wait time.Duration) {
	t := &f.trees
	if f.Trees <= 0 {
		return 0
	}
	var all []candidate
	for _, s := range f.sources {
		for _, h := range s.hosts {
			for _, p := range h.all() {
				if len(f.sources) > 1 && f.find(p.shown.Root) != p {
					continue
				}
				for id, x := range p.builds {
					all = append(all, candidate{place{p.shown.Root, id}, h, x, rank(x.summary)})
				}
			}
		}
	}
	// Of equals those stay that are here, so that no more trees are requested than have to be.
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(a.rank-b.rank, b.x.summary.Freshness.Changed.Compare(a.x.summary.Freshness.Changed), strings.Compare(a.project, b.project), strings.Compare(a.build, b.build))
	})
	busy := map[*host]int{}
	for _, h := range t.going {
		busy[h]++
	}
	for i, c := range all {
		if i >= f.Trees && c.place != t.looked {
			if c.x.tree != nil {
				c.x.tree, c.x.shown = nil, nil
				c.host.changed()
			}
			continue
		}
		if !c.host.live || c.x.hash == "" || c.x.tree != nil && c.x.tree.hash == c.x.hash || c.x.failed == c.x.hash || t.going[c.place] != nil {
			continue
		}
		left := treeEvery - time.Since(c.x.asked)
		switch {
		case left > 0:
			if wait == 0 || left < wait {
				wait = left
			}
		case len(t.going) < treesAtOnce && busy[c.host] < treesOfHost:
			busy[c.host]++
			t.going[c.place], c.x.asked = c.host, time.Now()
			go f.fetchTree(f.ctx, c.place)
		}
	}
	return wait
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

// fetchTree requests a tree, and shows it.
func (f *Fleet) fetchTree(ctx context.Context, at place) {
	ctx, cancel := context.WithTimeout(ctx, treeFor)
	defer cancel()
	f.mu.Lock()
	p := f.find(at.project)
	if p == nil || p.builds[at.build] == nil {
		delete(f.trees.going, at)
		f.mu.Unlock()
		return
	}
	h, hash, ahead := p.host, p.builds[at.build].hash, p.host.ahead
	f.mu.Unlock()
	b, size, err := f.readTree(ctx, h, p.root, at.build, ahead)
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.trees.due()
	delete(f.trees.going, at)
	p = f.find(at.project)
	if p == nil || p.builds[at.build] == nil || p.host != h || h.ahead != ahead {
		return
	}
	x := p.builds[at.build]
	if err == nil {
		for _, q := range h.all() {
			for _, y := range q.builds {
				if y != x && y.tree != nil {
					size += y.tree.size
				}
			}
		}
		if size > maxKept {
			err = errors.New("with it there would be more than is looked at here")
		}
	}
	switch {
	case notSent(err) || errors.Is(err, errNoReply): // again, if the host is there
		return
	case err != nil: // another one may be had
		x.failed, x.trouble = hash, err.Error()
	default:
		x.tree, x.failed, x.trouble = &tree{hash: hash, build: b, size: size}, "", ""
	}
	x.shown = nil
	h.changed()
}

// readTree requests a build with its tree.
func (f *Fleet) readTree(ctx context.Context, h *host, root, id string, ahead time.Duration) (*model.Build, int, error) {
	reply, err := f.request(ctx, h, &Request{Action: model.Action{Verb: readStatus, Project: root, Build: id}})
	if err != nil {
		return nil, 0, err
	}
	doc, err := decodeDocument(reply.Status, treeLimit, ahead)
	if err == nil && (len(doc.Projects) != 1 || len(doc.Projects[0].Builds) != 1 || doc.Projects[0].Builds[0].ID != id) {
		err = errors.New("the reply is about something else")
	}
	if err != nil {
		return nil, 0, err
	}
	b := doc.Projects[0].Builds[0].Build
	h.qualify(b)
	return b, len(reply.Status), nil
}

// ReadTrees requests the trees of some builds and waits for them. What cannot be had stays as it is.
func (f *Fleet) ReadTrees(ctx context.Context, which func(*model.Project, *model.Build) bool) {
	var work sync.WaitGroup
	places := make(chan struct{}, treesAtOnce)
	f.mu.Lock()
	for _, p := range f.snapshot().Projects {
		for _, b := range p.Builds {
			if b.Partial && !p.OutOfReach() && which(p, b) {
				work.Go(func() {
					places <- struct{}{}
					if ctx.Err() == nil {
						f.fetchTree(ctx, place{p.Root, b.ID})
					}
					<-places
				})
			}
		}
	}
	f.mu.Unlock()
	work.Wait()
}
