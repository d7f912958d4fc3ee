// Whether what was decided still stands a moment later: agents write their own copy of a file over it.

package parse

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
)

// Settle implements [model.Actor]. What was written is gone where the target has another status then; a request for changes
// is in the journal, out of the reach of other writers.
func (as *Actions) Settle(ctx context.Context, o *model.Outcome) error {
	d := o.Decision
	if d.ID == "" {
		return nil
	}
	a := o.Proposal.Action
	a.Node = d.Node
	file := filepath.Join(a.Project, filepath.FromSlash(d.File))
	now, _, err := as.store.Settle(ctx, statefile.Written{Path: file, After: d.After})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && statefile.Hash(now) == d.After || d.Verb == model.VerbChanges && d.Was == d.Is:
		return nil
	}
	if d.Verb == model.VerbSync { // no one word tells of it: it is kept while there is nothing more to do
		var refused *model.Refusal
		if _, err := as.Propose(ctx, a); errors.As(err, &refused) && refused.Already {
			return nil
		}
		return &model.Overwritten{File: d.File, Lost: lost(o.Proposal)}
	}
	kept := false
	err = patiently(ctx, func() bool {
		var known bool
		kept, known = as.kept(a, d)
		return known
	})
	if err == nil && !kept && !as.decidedSince(d, a) {
		err = &model.Overwritten{File: d.File, Lost: lost(o.Proposal)}
	}
	return err
}

// Watch settles an action, and goes on looking for some time whether somebody takes it back. That agents go on from it is
// no loss; but a gate that was approved or skipped stays so, however anybody goes on.
func (as *Actions) Watch(ctx context.Context, o *model.Outcome, d time.Duration) error {
	for end := time.Now().Add(d); ; {
		err := as.Settle(ctx, o)
		var over *model.Overwritten
		switch {
		case errors.As(err, &over) && as.goneOn(o):
			return nil
		case err != nil || o.Decision.ID == "" || !time.Now().Before(end):
			return err
		}
	}
}

// goneOn reports whether the target of what was done has a status that comes after it, and not one by which it is taken back.
func (as *Actions) goneOn(o *model.Outcome) bool {
	a := o.Proposal.Action
	a.Node = o.Decision.Node
	if as.remade(a, o.Decision) { // whatever that says, it says it of something else
		return false
	}
	word, status, known := as.target(a)
	closes := a.Node != "" && (a.Verb == model.VerbApprove || a.Verb == model.VerbSkip)
	return known && word != o.Decision.Was && status != model.Unknown && (status.Closed() || !closes)
}

// decidedSince reports whether the last decision about the target of an action is another than this one.
func (as *Actions) decidedSince(d model.Decision, a model.Action) bool {
	p, err := as.project(a.Project)
	if err != nil {
		return false
	}
	log := as.journal(p)
	if log == nil {
		return false
	}
	all, _ := log.Read() // what can't be read is not known
	i := slices.IndexFunc(all, func(x model.Decision) bool { return of(&x) == of(&d) })
	return i >= 0 && all[i].ID != d.ID
}

// kept reports whether what an action has done still stands, as far as that is known.
func (as *Actions) kept(a model.Action, d model.Decision) (kept, known bool) {
	p, err := as.project(a.Project)
	if err != nil {
		return false, false
	}
	r, err := p.reader(a.Build)
	if err != nil {
		return false, false
	}
	if as.remade(a, d) {
		return false, true
	}
	k, ok := r.(keeper)
	if !ok {
		word, _, known := as.target(a)
		return known && word == d.Is, known
	}
	content, err := as.store.Read(p.file(d.File))
	if err != nil {
		return false, false
	}
	kept, fault := guard(a.Build, func() (kept bool) {
		kept, known = k.Kept(d, content)
		return kept
	})
	return kept, known && fault == nil
}

// remade reports whether the file that an action has written is another's now, or was made anew.
func (as *Actions) remade(a model.Action, d model.Decision) (remade bool) {
	p, err := as.project(a.Project)
	if err != nil {
		return false
	}
	r, err := p.reader(a.Build)
	if err != nil {
		return false
	}
	if r, ok := r.(remaker); ok {
		if content, err := as.store.Read(p.file(d.File)); err == nil {
			remade, _ = guard(a.Build, func() bool { return r.IsOtherWork(d, content, as.now()) })
		}
	}
	return remade
}

// target returns the status that the target of an action has now, in its file's words and by what they mean.
func (as *Actions) target(a model.Action) (word string, status model.Status, known bool) {
	p, err := as.project(a.Project)
	if err != nil {
		return "", model.Unknown, false
	}
	r, err := p.reader(a.Build)
	if err != nil {
		return "", model.Unknown, false
	}
	b, fault := guard(a.Build, func() *model.Build { return r.Read(as.now()) })
	if fault != nil || b == nil {
		return "", model.Unknown, false
	}
	if a.Node == "" {
		return b.Raw, b.Status, b.Raw != ""
	}
	n, _ := b.Find(a.Node)
	if n == nil || n.Held {
		return "", model.Unknown, false
	}
	return n.Raw, n.Status, true
}
