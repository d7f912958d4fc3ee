// Package join is the host's side of a fleet: it publishes what is built here, answers who asks, and does what somebody
// elsewhere decides, as if a key had been pressed here.
//
//	model.Feed ─► entries: what is said under each key ─► link.Host.Say       at most four times a second each
//	                 │ presence every five seconds, with the digest of all
//	link.Answered ─► Answer ─► list, tree, text, propose ─► the newest snapshot, model.Files, model.Actor
//	                    └────► decide ─► Ledger.Take ─► rules ─► model.Actor.Do ─► Ledger.End ─► answer
//
// The files here stay the truth: nothing is read from a hub, and one that loses everything is told everything again.
package join

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// Options say who joins, and with what.
type Options struct {
	Name    string // of the host
	Machine string // tells this user's account on this machine from others
	Version string // of gatehouse
	Boot    uint64 // number of this process: higher than that of the one before
	// Feed gives the projects, Files their texts.
	Feed  model.Feed
	Files model.Files
	// Actor returns the actor for what a user decides by a request, for the journal to say so.
	Actor func(user, request string) model.Actor
	// Answerer returns who answers live agents for a user by a request; nil where nobody can.
	Answerer func(user, request string) model.Answerer
	// Decisions returns what the journal has of a project, by its root: what became of a request before this process was.
	Decisions func(root string) ([]model.Decision, error)
	Rules     []Rule
	Ledger    *Ledger
	Link      link.Host
	Now       func() time.Time
	// PresenceEvery is how often it says that it is there; 0 is [wire.PresenceEvery].
	PresenceEvery time.Duration
	// Log is told what a person who runs the host may want to know, one line each.
	Log func(text string)
}

// Host is a host that has joined.
type Host struct {
	Options
	say  chan struct{} // something is to be said
	read chan struct{} // closed when the projects were read once

	words sync.Mutex // held while something is said, for it to go out in its order

	mu       sync.Mutex
	projects []*model.Project
	sessions []model.Session
	watch    string
	fresh    bool // projects are newer than entries
	entries  map[string]*entry
	seq      uint64
	digest   wire.Digest
	ready    bool // all projects were said once
	again    bool // all is to be said again
	presence bool // a presence is wanted
	lastHere time.Time
	up, left bool
	// complaint is what was complained of last.
	complaint string
	blobs     blobs
	running   map[string]*running // decisions under way, and those just done
}

// New returns a host that is not connected yet.
func New(o Options) *Host {
	if o.PresenceEvery == 0 {
		o.PresenceEvery = wire.PresenceEvery
	}
	return &Host{Options: o, say: make(chan struct{}, 1), read: make(chan struct{}), entries: map[string]*entry{}, running: map[string]*running{}, blobs: blobs{kept: map[string]*blob{}, making: map[string]chan struct{}{}}}
}

// Run publishes and answers until ctx ends, or the link does.
func (h *Host) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	ended := make(chan error, 2)
	work.Go(func() { ended <- h.follow(ctx) })
	work.Go(func() { h.publish(ctx) })
	work.Go(func() {
		err := h.Link.Run(ctx, h)
		h.mu.Lock()
		up := h.up
		h.up = false
		h.mu.Unlock()
		if err != nil && up {
			err = fmt.Errorf("%s: %w", h.Link.Name(), err)
		}
		ended <- err
	})
	err := <-ended
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// follow takes snapshots as they come.
func (h *Host) follow(ctx context.Context) error {
	read := sync.OnceFunc(func() { close(h.read) })
	for version := uint64(0); ; {
		snap, err := h.Feed.Next(ctx, version)
		if err != nil {
			return err
		}
		version = snap.Version
		h.mu.Lock()
		h.projects, h.sessions, h.watch, h.fresh = snap.Projects, snap.Sessions, snap.Watch, true
		h.mu.Unlock()
		read()
		h.wake()
	}
}

func (h *Host) wake() {
	select {
	case h.say <- struct{}{}:
	default:
	}
}

// Up implements [link.Answerer].
func (h *Host) Up() {
	h.mu.Lock()
	h.up, h.again = true, true
	h.mu.Unlock()
	h.Log("connected: " + h.Link.Name())
	h.wake()
}

// Down implements [link.Answerer].
func (h *Host) Down(why error) {
	h.mu.Lock()
	h.up = false
	h.mu.Unlock()
	h.Log(fmt.Sprintf("not connected: %s: %v", h.Link.Name(), why))
}

// Complain implements [link.Answerer]. The same is said once.
func (h *Host) Complain(about error) {
	h.mu.Lock()
	known := h.complaint == about.Error()
	h.complaint = about.Error()
	h.mu.Unlock()
	if !known {
		h.Log(about.Error())
	}
}

// Hello implements [link.Answerer].
func (h *Host) Hello() {
	h.mu.Lock()
	h.presence = true
	h.mu.Unlock()
	h.wake()
}

// Behind implements [link.Answerer].
func (h *Host) Behind() {
	h.mu.Lock()
	h.again = true
	h.mu.Unlock()
	h.wake()
}

// Leave implements [link.Answerer].
func (h *Host) Leave() {
	h.words.Lock()
	defer h.words.Unlock()
	h.mu.Lock()
	h.left = true
	up, m := h.up, h.hereNow()
	h.mu.Unlock()
	if up {
		h.Link.Say(m.key, m.data, m.gone)
	}
}

// head returns the head of the next message.
func (h *Host) head(kind string) wire.Head {
	h.seq++
	return wire.Head{V: wire.Version, Kind: kind, Host: h.Name, Boot: h.Boot, Seq: h.seq, At: h.Now().UTC()}
}

// project returns a project by its root; it is nil where this host has not joined it.
func (h *Host) project(root string) *model.Project {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.projects {
		if p.Root == root {
			return p
		}
	}
	return nil
}
