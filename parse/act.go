// What humans decide, done: the way down.
//
//	model.Action ─► site: the build's editor, on a mirror of its own
//	                  │ Target: which file
//	              statefile.Replace: lock, read ──► change ──► write beside, rename
//	                                                 │ plan: the protocol judges these very bytes, once
//	                                                 │ Seen, Shown: is it what the human decided upon?
//	                                                 │ journal.Begin
//	              journal.End ◄── the file is there
//
// A decision counts as done only when the file is: one that the journal has no end of, because a process was stopped, counts
// where the file is byte for byte as the entry says, and whoever decides next about the file ends it (brokenoff.go). There is
// no second way to write.

package parse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
)

// Actions does what humans decide about some projects: it is their [model.Actor]. Its methods may be called while the
// projects are read, and by several goroutines at once: they share nothing with whoever else has the projects.
type Actions struct {
	projects func() []*Project
	by       string
	who      string // whoever decides where it is not the user of the projects, "" where it is
	asked    string // ID of the request from another machine, "" without one
	caller   model.Caller
	now      func() time.Time
	store    *statefile.Store
	journal  func(*Project) logbook // nil result: there is none
}

// NewActions returns the actor of some projects. By says through what the humans decide, for the journal: "dashboard" or
// "command". The clock dates what is written.
func NewActions(projects []*Project, by string, now func() time.Time) *Actions {
	var system statefile.System
	for _, p := range projects { // all are the same user's
		system = p.user.System
	}
	return newActions(func() []*Project { return projects }, system, by, now)
}

func newActions(projects func() []*Project, system statefile.System, by string, now func() time.Time) *Actions {
	return &Actions{projects: projects, by: by, now: now, store: statefile.NewStore(system), journal: (*Project).logbook}
}

// For returns the same actor for what a person on another machine decides: the journal says who, and by which request.
func (as *Actions) For(who, request string) *Actions {
	other := *as
	other.who, other.asked, other.caller = who, request, model.Caller{How: model.HowRemote}
	return &other
}

// WithCaller returns the same actor for a caller, whom the journal names.
func (as *Actions) WithCaller(c model.Caller) *Actions {
	other := *as
	other.caller = c
	return &other
}

// Propose implements [model.Actor].
func (as *Actions) Propose(ctx context.Context, a model.Action) (*model.Proposal, error) {
	s, err := as.site(ctx, a)
	if err != nil {
		return nil, err
	}
	p, err := as.proposal(s)
	// What can't be read may be half of a file, whose writer is at it.
	for end := time.Now().Add(beingWritten); err != nil && !refuses(err) && time.Now().Before(end); p, err = as.proposal(s) {
		if err := sleep(ctx, beingWritten/15); err != nil {
			return nil, err
		}
	}
	return p, err
}

// beingWritten is how long a file may stay unreadable because somebody is writing it.
const beingWritten = 300 * time.Millisecond

// refuses reports whether an error is a refusal.
func refuses(err error) bool {
	var refused *model.Refusal
	return errors.As(err, &refused)
}

// proposal says what an action would do to its file as it is now.
func (as *Actions) proposal(s *site) (*model.Proposal, error) {
	content, err := as.store.Read(s.file())
	missing := errors.Is(err, fs.ErrNotExist) && s.begins() != ""
	if missing {
		content, err = s.begins(), nil
	}
	if err != nil {
		return nil, err
	}
	if log := as.journal(s.p); log != nil {
		if err := s.endBrokenOff(log, content, false); err != nil {
			return nil, err
		}
	}
	pl, err := as.plan(s, content)
	if err != nil {
		return nil, err
	}
	p, err := pl.proposal()
	if err == nil && missing {
		p.Warnings = append(p.Warnings, s.isMade())
	}
	if err == nil && s.action.Verb == model.VerbChanges && pl.keepsStatus() && !s.awaited() { // which is no difference for what was shown
		p.Warnings = append(p.Warnings, "nobody waits for this gate now: what you ask for is kept, and the next \"gatehouse wait\" on it is given it")
	}
	return p, err
}

// Do implements [model.Actor]. Where the file was written and the journal could not be told so, it returns an outcome and an
// error.
func (as *Actions) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	s, err := as.site(ctx, a)
	if err != nil {
		return nil, err
	}
	log := as.journal(s.p)
	if log == nil {
		return nil, &model.Refusal{Text: "there is no place for the journal of decisions", Fix: "set HOME or XDG_STATE_HOME"}
	}
	d := &doing{actions: as, site: s, log: log}
	if s.begins() == "" {
		_, err = as.store.Replace(ctx, s.file(), func(content string) (string, error) { return d.change(ctx, content, true) })
	} else if err = as.makeRoom(s); err == nil {
		_, err = as.store.Put(ctx, s.file(), func(content string, exists bool) (string, error) { return d.change(ctx, content, exists) })
	}
	if errors.Is(err, statefile.ErrNothing) && d.decision.ID != "" {
		err = nil // the journal has it all: the second request within a second leaves no mark in the file
	}
	if err != nil {
		if left := d.end(false); left != nil {
			err = errors.Join(err, left)
		}
		return nil, err
	}
	if d.makes {
		d.proposal.Warnings = append(d.proposal.Warnings, s.isMade())
	}
	o := &model.Outcome{Proposal: d.proposal, Decision: d.decision}
	return o, d.end(true)
}

// grace is how long what has gone or can't be read may take to come back before it counts: some writers truncate a file
// and then write it, or take it away and then put another in its place.
const grace = time.Second

// patiently calls f until it returns true, or for as long as is given to what may come back. It fails when the context ends.
func patiently(ctx context.Context, f func() bool) error {
	for end := time.Now().Add(grace); !f() && time.Now().Before(end); {
		if err := sleep(ctx, grace/50); err != nil {
			return err
		}
	}
	return nil
}

// sleep waits, or returns the error of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// doing is one action being done: it is tried again where others write meanwhile.
type doing struct {
	actions *Actions
	*site
	log      logbook
	proposal *model.Proposal
	decision model.Decision // begun in the journal, and not ended; none without an ID
	makes    bool           // the file is a new one
}

// change says what is to be written in the place of the content, or as a file that is not there yet.
func (d *doing) change(ctx context.Context, content string, exists bool) (string, error) {
	if err := d.end(false); err != nil { // of the try before
		return "", err
	}
	if d.makes = !exists; d.makes {
		content = d.begins()
	}
	if err := d.endBrokenOff(d.log, content, true); err != nil {
		return "", err
	}
	pl, proposal, why := d.proveAgain(content)
	var refused *model.Refusal
	if errors.As(why, &refused) && refused.Already {
		return "", refused // there is nothing to look at again
	}
	if a := d.action; a.Seen != "" && a.Seen != statefile.Hash(content) || a.Shown != "" && (proposal == nil || a.Shown != proposal.Action.Shown) {
		return "", &model.Changed{Now: proposal, Why: why}
	}
	if pl == nil {
		return "", why
	}
	c, err := pl.change()
	if err != nil {
		return "", err
	}
	d.proposal = pl.finish(c)
	after, err := protocol.Apply(content, c.Spans)
	if err != nil {
		return "", fmt.Errorf("%s: %w; please report it with the file", d.about.File, err)
	}
	if err := d.keep(ctx, c.Keeps); err != nil {
		return "", err
	}
	return after, d.begin(c, pl.request, after)
}

// keep writes new files before the change; a try before this one may have done so.
func (d *doing) keep(ctx context.Context, copies []protocol.Copy) error {
	for _, k := range copies {
		at := d.p.file(k.File)
		_, err := d.actions.store.Create(ctx, at, k.Content)
		if errors.Is(err, fs.ErrExist) {
			if there, _ := d.actions.store.Read(at); there == k.Content {
				err = nil
			}
		}
		if err != nil {
			return fmt.Errorf("%s: what was there can't be kept, and nothing else was written: %w", k.File, err)
		}
	}
	return nil
}

// proveAgain judges the action anew under the lock, which may have been waited for, and returns what it would do now; without
// a plan or a proposal, the error says why there is none.
func (d *doing) proveAgain(content string) (*plan, *model.Proposal, error) {
	d.p.Touch()
	s, err := d.p.site(d.e, d.action, d.actions.now())
	if err != nil {
		return nil, nil, err
	}
	if s.about.File != d.about.File {
		return nil, nil, &model.Refusal{Text: "it is in " + s.about.File + " now", Fix: "look again"}
	}
	pl, err := d.actions.plan(s, content)
	if err != nil {
		return nil, nil, err
	}
	proposal, err := pl.proposal()
	return pl, proposal, err
}

// begin puts the decision into the journal, before anything is written.
func (d *doing) begin(c *protocol.Change, r protocol.Request, after string) error {
	a := r.Action
	begun := model.Decision{
		At: r.Now, Who: r.Who, By: d.actions.by, Request: d.actions.asked, Project: canonical(d.p.root), Build: a.Build, File: d.about.File, Node: cmp.Or(a.Node, c.Node), Name: c.Name,
		Verb: a.Verb, Was: c.Was, Is: c.Is, Text: a.Text, Kind: a.Kind, Before: statefile.Hash(r.Content), After: statefile.Hash(after), Spans: c.Spans,
		Of: c.Of, Began: c.Began, Caller: d.actions.caller, Signature: a.Signature,
	}
	if r.Last != nil {
		begun.Undoes = r.Last.ID
	}
	if a.Verb == model.VerbChanges {
		begun.Shown = d.evidence(begun.Node)
	}
	begun, err := d.log.Begin(begun)
	if err == nil {
		d.decision = begun
	}
	return err
}

// end says in the journal what became of the decision that was begun, if one was.
func (d *doing) end(done bool) error {
	if d.decision.ID == "" {
		return nil
	}
	id, verb := d.decision.ID, d.decision.Verb
	d.decision = model.Decision{}
	err := d.log.End(id, done)
	switch {
	case err == nil || !done:
		return err
	case verb == model.VerbChanges:
		return fmt.Errorf("%w; whoever waits is told only as long as %s stays as it is: ask again then", err, d.about.File)
	}
	return fmt.Errorf("%w; %s is written all the same, and can be undone only as long as it stays as it is", err, d.about.File)
}
