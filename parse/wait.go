// Waiting until a gate is decided: how an agent or a script learns of it.

package parse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/watch"
)

// Answer is how a gate was decided. Its word is that of the command's JSON.
type Answer string

// The answers.
const (
	Passed  Answer = "passed"
	Changes Answer = "changes" // what is to be changed is in the text
	Skipped Answer = "skipped" // the reason is in the text
	Failed  Answer = "failed"
	Retried Answer = "retried" // a human has it tried again
	Over    Answer = "over"    // the build has ended, or the gate is gone: nobody will decide it; why is in the text
)

// Verdict is what a wait ends with.
type Verdict struct {
	Answer Answer
	Text   string // as it was typed: it may hold anything
	// Decision is that of the journal, nil where it has none: an agent or an editor decided.
	Decision *model.Decision
	// Unattributed: the gate of a human was closed by nobody's decision.
	Unattributed bool
	// Failure identifies the failure of an answer [Failed]: see [Wait.Told].
	Failure  string
	marked   []string // IDs of the decisions that are passed on with it
	unmarked error    // why the journal could not be told so
}

// Wait is a wait for a gate to be decided.
type Wait struct {
	p      *Project
	about  target
	store  *statefile.Store
	ledger ledger
	before map[string]bool // IDs of the decisions that were there when it began

	// Decided says that only a decision of the journal ends it: what a file alone says is no answer.
	Decided bool
	// Told is the failure that the caller knows already: it is no answer, and the wait goes on until the gate is retried and decided.
	Told string
}

// NewWait begins a wait for a gate of a project: what is decided from now on is decided while it waits.
func NewWait(p *Project, build, node string) *Wait {
	w := &Wait{p: p, about: target{build, node}, store: statefile.NewStore(p.user.System), ledger: ledger{log: p.logbook(), whole: true}, before: map[string]bool{}}
	all, _ := w.ledger.read() // what can't be read is met again
	for _, d := range all {
		w.before[d.ID] = true
	}
	return w
}

// Verdict blocks until the gate is decided, and has the journal say that the decision was passed on: it can't be undone then.
// What has been decided already is returned at once. A request for changes counts when no wait has passed it on, or when it
// was made while this one was waiting, and only where nothing was decided later. It fails when the context ends. Nobody else
// may use the project from then on.
func (w *Wait) Verdict(ctx context.Context, now func() time.Time) (*Verdict, error) {
	if w.ledger.log != nil {
		defer w.ledger.log.Wait(w.about.build, w.about.node, now())()
	}
	return await(ctx, w.p, now, "the gate", func(p *model.Project) (*Verdict, bool) {
		b, n := w.find(p)
		if n == nil && b != nil { // a task that has succeeded needs no gate any more
			if t, _ := b.Find(strings.TrimSuffix(w.about.node, "/gate")); t != nil && t.Kind == model.KindTask && t.Status == model.Done {
				return &Verdict{Answer: Passed}, true
			}
		}
		return w.verdict(ctx, b, n), n != nil || b != nil && b.Unread != "" // which may have it still
	})
}

// WaitNext blocks until a gate of the project is approved, skipped or retried, or changes to one are asked for; build limits it to one
// build, "" for all. It returns the first such decision after the one with the ID after, or after now without an ID. It fails when the
// context ends. Nobody else may use the project from then on.
func WaitNext(ctx context.Context, p *Project, build, after string, now func() time.Time) (*model.Decision, error) {
	before, known := p.Read(now()).Decisions, map[string]bool{}
	if after != "" {
		i := slices.IndexFunc(before, func(d model.Decision) bool { return d.ID == after })
		if i < 0 {
			return nil, fmt.Errorf("%s: the journal has no such decision", after)
		}
		before = before[i:]
	}
	for _, d := range before {
		known[d.ID] = true
	}
	var found *model.Decision
	_, err := await(ctx, p, now, "the project", func(mp *model.Project) (*Verdict, bool) {
		for i := range mp.Decisions { // the newest first
			switch d := &mp.Decisions[i]; d.Verb {
			case model.VerbApprove, model.VerbSkip, model.VerbChanges, model.VerbRetry:
				if !known[d.ID] && !d.Interrupted && !d.Undone && d.Node != "" && (build == "" || d.Build == build) {
					found = d
				}
			}
		}
		if found == nil {
			return nil, true
		}
		return &Verdict{}, true
	})
	return found, err
}

// await follows a project until a look at it gives a verdict, or until what is waited for has not been there for [grace].
func await(ctx context.Context, p *Project, now func() time.Time, what string, look func(*model.Project) (v *Verdict, there bool)) (*Verdict, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	feed := Follow(ctx, Opened(p), now, watch.Options{})
	defer func() {
		stop()
		<-feed.ended // nothing reads the project any more
	}()
	var seen uint64
	var gone time.Time // since when it is; zero while it is there
	for {
		snap, err := next(ctx, feed, seen, gone)
		if err != nil {
			return nil, err
		}
		if snap != nil {
			seen = snap.Version
			switch v, there := look(snap.Projects[0]); {
			case v != nil:
				return v, nil
			case there:
				gone = time.Time{}
				continue
			}
		}
		switch {
		case gone.IsZero():
			gone = time.Now()
		case time.Since(gone) > grace:
			// Who stood still for that long has heard nothing meanwhile, so what is there now counts.
			switch v, there := look(p.anew().Read(now())); {
			case v != nil:
				return v, nil
			case !there:
				return &Verdict{Answer: Over, Text: what + " is gone"}, nil
			}
			gone = time.Time{}
		}
	}
}

// next returns the next snapshot, or nil as soon as what is waited for has been gone for long enough to count.
func next(ctx context.Context, feed model.Feed, after uint64, gone time.Time) (*model.Snapshot, error) {
	if gone.IsZero() {
		return feed.Next(ctx, after)
	}
	soon, cancel := context.WithDeadline(ctx, gone.Add(grace+time.Millisecond))
	defer cancel()
	snap, err := feed.Next(soon, after)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, nil
	}
	return snap, err
}

// find returns the build and the gate, nil where they are not there.
func (w *Wait) find(p *model.Project) (*model.Build, *model.Node) {
	for _, b := range p.Builds {
		if b.ID == w.about.build {
			n, _ := b.Find(w.about.node)
			if n != nil && n.Gate == nil && n.Raw == "" && n.Status == model.Unknown {
				n = nil // the definition has it, and no state that is made from it
			}
			return b, n
		}
	}
	return nil, nil
}

// verdict returns what the wait ends with, nil while there is nothing.
func (w *Wait) verdict(ctx context.Context, b *model.Build, n *model.Node) *Verdict {
	if n == nil {
		return nil
	}
	all, _ := w.ledger.read()
	all = w.proven(all)
	v := &Verdict{}
	if n.Status != model.Failed {
		w.Told = ""
	}
	if protocolOf(b).triedAgain {
		if d := w.decision(all, n.Raw); d != nil && d.Verb == model.VerbRetry && (!w.before[d.ID] || untold(d, n)) {
			return w.report(ctx, &Verdict{Answer: Retried, Text: d.Text, Decision: d})
		}
		if n.Status == model.Failed {
			return nil // until a human has it tried again or leaves it out
		}
	}
	switch {
	case n.Status == model.Done:
		v.Answer = Passed
	case n.Status == model.Skipped:
		v.Answer, v.Text = Skipped, reason(n)
	case n.Status == model.Failed && n.Raw != "" && n.Raw == protocolOf(b).changes:
		v.Answer, v.Text = Changes, reason(n)
	case n.Status == model.Failed:
		v.Answer = Failed
	default:
		if asked := w.asked(all); len(asked) > 0 {
			return w.report(ctx, &Verdict{Answer: Changes, Text: joined(asked), Decision: asked[len(asked)-1]})
		}
		if over(b) {
			return &Verdict{Answer: Over, Text: b.ID + " has ended: " + b.Raw}
		}
		return nil
	}
	if v.Decision = w.decision(all, n.Raw); v.Decision != nil && v.Decision.Text != "" {
		v.Text = v.Decision.Text
	}
	if v.Answer == Failed {
		if v.Failure = w.failure(all, n); v.Failure == w.Told {
			if over(b) {
				return &Verdict{Answer: Over, Text: b.ID + " has ended: " + b.Raw}
			}
			return nil
		}
	}
	v.Unattributed = n.Gate != nil && n.Gate.Unattributed
	if w.Decided && (v.Decision == nil || v.Unattributed) {
		if over(b) {
			return &Verdict{Answer: Over, Text: b.ID + " has ended: " + b.Raw}
		}
		return nil
	}
	return w.report(ctx, v)
}

// failure identifies a failure of the gate: a gate that was retried and failed again has another one. A retry made during the wait does not
// count: the gate may have been read before it, and is seen in another status after it.
func (w *Wait) failure(all []model.Decision, n *model.Node) string {
	for i := range all {
		d := &all[i]
		if of(d) == w.about && !d.Interrupted && !d.Undone && (d.Is == n.Raw || d.Verb == model.VerbRetry && w.before[d.ID]) {
			return n.Raw + " " + d.ID
		}
	}
	return n.Raw
}

// untold reports whether nobody has heard of a retry that was decided before the wait began, and the gate has not moved since.
func untold(d *model.Decision, n *model.Node) bool {
	return n.Status != model.Failed && (!d.Reported || d.Unheard) && !n.Updated.After(d.At)
}

// decision returns the one that has given the gate its word, nil where the journal has none. One of which the journal does
// not know yet whether it was done has been, where the file says so: the file is written first.
func (w *Wait) decision(all []model.Decision, word string) *model.Decision {
	for i := range all {
		switch d := &all[i]; {
		case of(d) != w.about || d.Undone || d.Verb == model.VerbUndo:
		case d.Is == word:
			return d
		case !d.Interrupted:
			return nil
		}
	}
	return nil
}

func reason(n *model.Node) string {
	if n.Gate == nil {
		return ""
	}
	return n.Gate.Reason
}

// over reports whether nothing of a build will be decided any more. One that says that it has ended, and is not over by its own
// tree, can be taken up.
func over(b *model.Build) bool {
	return b.Status == model.Done || ended(b) && b.Status != model.Active
}

// ended reports whether a build says that it has ended.
func ended(b *model.Build) bool { return slices.Contains(protocolOf(b).ended, b.Raw) }

// Heard has the journal say that a verdict reached whoever waited for it. Where the process ends before that, nobody may have
// heard it, and the next wait is given it once more. With an error the journal does not know it, and so it is, too.
func (w *Wait) Heard(v *Verdict) error {
	if len(v.marked) == 0 {
		return v.unmarked
	}
	return w.enter(v, logbook.Reported)
}

// Lost has the journal say that a verdict did not reach whoever waited for it, so that the next wait is given it.
func (w *Wait) Lost(v *Verdict) error { return w.enter(v, logbook.Lost) }

// enter has the journal say something of the decisions that were passed on with a verdict.
func (w *Wait) enter(v *Verdict, say func(log logbook, id string) error) error {
	var err error
	for _, id := range v.marked {
		err = errors.Join(err, say(w.ledger.log, id))
	}
	return err
}

// asked returns the requests for changes that are for this wait, the oldest first: those that nothing was decided after, and
// that no wait has passed on or that were made while this one was waiting.
func (w *Wait) asked(all []model.Decision) (asked []*model.Decision) {
	for i := range all {
		switch d := &all[i]; {
		case of(d) != w.about || d.Interrupted:
		case d.Verb != model.VerbChanges || d.Undone:
			return asked
		case !d.Reported || d.Unheard || !w.before[d.ID]:
			asked = slices.Insert(asked, 0, d)
		}
	}
	return asked
}

// joined returns the texts of requests, with an empty line between them.
func joined(asked []*model.Decision) string {
	texts := make([]string, len(asked))
	for i, d := range asked {
		texts[i] = d.Text
	}
	return strings.Join(texts, "\n\n")
}

// proven tells of the decisions that were broken off by the files as they are now. It leaves the project alone, which its
// feed reads.
func (w *Wait) proven(all []model.Decision) []model.Decision {
	return journal.Prove(all, func(file string) string {
		content, err := w.store.Read(w.p.file(file))
		if err != nil {
			return ""
		}
		return statefile.Hash(content)
	})
}

// report has the journal say that a decision is passed on, and returns its verdict. It does so holding the lock of the
// state file, as whoever takes decisions back does, so that none is both passed on and undone. It returns nil where the
// decision does not stand any more, or is another wait's.
func (w *Wait) report(ctx context.Context, v *Verdict) *Verdict {
	d := v.Decision
	if d == nil || d.Reported && !d.Unheard {
		return v
	}
	log, stands := w.ledger.log, true
	mark := func() error {
		all, err := log.Read()
		if len(all) == 0 && err != nil {
			return err // what was known of it before holds
		}
		all = w.proven(all)
		if v.Answer == Changes {
			asked := w.asked(all)
			stands = len(asked) > 0
			v.Text = joined(asked)
			for _, d := range asked {
				if !d.Reported || d.Unheard {
					v.marked = append(v.marked, d.ID)
					err = errors.Join(err, log.Reporting(d.ID))
				}
			}
			return err
		}
		i := slices.IndexFunc(all, func(x model.Decision) bool { return x.ID == d.ID })
		switch {
		case i < 0:
			return err // it is too long ago to be read, or can't be read
		case all[i].Undone:
			stands = false
			return nil
		case all[i].Reported && !all[i].Unheard:
			return nil
		}
		v.marked = append(v.marked, d.ID)
		return log.Reporting(d.ID)
	}
	locked := false
	// What Replace says is of no interest: nothing is written.
	w.store.Replace(ctx, w.p.file(d.File), func(string) (string, error) {
		locked = true
		v.unmarked = mark()
		return "", statefile.ErrNothing
	})
	if !locked { // nobody can lock the file here, which must not keep the decision from its agent
		v.unmarked = mark()
	}
	if !stands {
		return nil
	}
	return v
}
