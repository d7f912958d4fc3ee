// Decisions that other writers have written over.

package parse

import (
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/loop/core"
)

// markOverwritten marks the decisions that were overwritten: of each gate the newest where the builds no longer have it, and
// those before it that had to be made again.
func markOverwritten(all []model.Decision, builds []*model.Build) {
	later := map[target]*model.Decision{} // what was decided about again
	for i := range all {
		d := &all[i]
		if next := later[of(d)]; next == nil {
			d.Overwritten = overwritten(d, builds)
		} else {
			d.Overwritten = madeAgain(d, next, builds)
		}
		later[of(d)] = d
	}
}

// lasting reports whether a decision let something pass, left it out, ended it or gave it up: no protocol has a way back from that,
// so where the file says again what it said before, another writer has put an older copy over the decision. What agents may rightly
// change again, such as a loop that was paused or a gate that was to be tried again, is not lasting.
func lasting(d *model.Decision) bool {
	switch d.Verb {
	case model.VerbApprove, model.VerbSkip, model.VerbAbort, model.VerbComplete, model.VerbDismiss:
		return !d.Undone && !d.Interrupted && d.Was != d.Is && (d.Verb != model.VerbApprove || d.Is != core.Failed)
	}
	return false
}

// madeAgain reports whether the next decision about the same met what there was before this one, in the same work.
func madeAgain(d, next *model.Decision, builds []*model.Build) bool {
	if !lasting(d) || next.Interrupted || next.Verb == model.VerbUndo || !strings.EqualFold(next.Was, d.Was) || next.Of != d.Of || !next.Began.Equal(d.Began) {
		return false
	}
	anew := func(b *model.Build) bool { return b.ID == d.Build && b.Began.After(d.At) }
	return !slices.ContainsFunc(builds, anew)
}

// overwritten reports whether what was decided says again what it said before.
func overwritten(d *model.Decision, builds []*model.Build) bool {
	if !lasting(d) {
		return false
	}
	for _, b := range builds {
		if b.ID != d.Build || b.Began.After(d.At) {
			continue
		}
		if d.Node == "" {
			return b.Freshness.Held == 0 && b.Raw == d.Was
		}
		n, _ := b.Find(d.Node)
		return n != nil && !n.Held && (strings.EqualFold(n.Raw, d.Was) || n.Raw == "" && !n.Status.Closed())
	}
	return false
}
