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

// Answer is the decision on a gate. Its word is used in the command's JSON.
type Answer string

// The answers.
const (
	Passed  Answer = "passed"
	Changes Answer = "changes" // the text has the requested changes
	Skipped Answer = "skipped" // the reason is in the text
	Failed  Answer = "failed"
	Retried Answer = "retried" // a human retries it
	Over    Answer = "over"    // the build has ended, or the gate is gone, so there will be no decision; the text has the reason
)

// Verdict is the result of a wait.
type Verdict struct {
	Answer Answer
	Text   string // as typed: it may hold anything
	// Decision is the journal's decision, nil if it has none: an agent or an editor decided.
	Decision *model.Decision
	// Unattributed reports whether a human gate was closed without a recorded decision.
	Unattributed bool
	// Failure identifies the failure of an answer [Failed]: see [Wait.Told].
	Failure string
	file    string   // the state file of the decision
	marked  []string // IDs of the decisions that are passed on with it for the first time
}

// Wait is a wait for a gate to be decided.
type Wait struct {
	p      *Project
	about  target
	store  *statefile.Store
	ledger ledger
	before map[string]bool // IDs of the decisions that were there when it began

	// Decided requires a decision of the journal: a file alone does not end the wait.
	Decided bool
	// Told is a failure that the caller already knows: it does not end the wait, which continues until the gate is
	// retried and decided.
	Told string
}

// NewWait begins a wait for a gate of a project: later decisions count as made during the wait.
func NewWait(p *Project, build, node string) *Wait {
	w := &Wait{p: p, about: target{build, node}, store: statefile.NewStore(p.user.System), ledger: ledger{log: p.openJournal(), whole: true}, before: map[string]bool{}}
	all, _ := w.ledger.readJournal() // read errors show again later
	for _, d := range all {
		w.before[d.ID] = true
	}
	return w
}

// Verdict blocks until the gate is decided. Call [Wait.Heard] as soon as the waiter has the verdict. An existing decision is returned at once. A request for changes counts if no wait has passed it on, or
// if it was made while this one was waiting, and only without a later decision. It fails when the context ends. The
// caller must not share the project from then on.
func (w *Wait) Verdict(ctx context.Context, now func() time.Time) (*Verdict, error) {
	defer w.ledger.log.Wait(w.about.build, w.about.node, now())()
	return awaitVerdict(ctx, w.p, now, "the gate", func(p *model.Project) (*Verdict, bool) {
		b, n := w.findGate(p)
		if n == nil && b != nil { // a task that has succeeded no longer needs its gate
			if t, _ := b.Find(strings.TrimSuffix(w.about.node, "/gate")); t != nil && t.Kind == model.KindTask && t.Status == model.Done {
				return &Verdict{Answer: Passed}, true
			}
		}
		return w.judgeGate(b, n), n != nil || b != nil && b.Unread != "" // an unreadable build may still have the gate
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
	_, err := awaitVerdict(ctx, p, now, "the project", func(mp *model.Project) (*Verdict, bool) {
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

// awaitVerdict follows a project until a check returns a verdict, or until its target has been missing for [grace].
func awaitVerdict(ctx context.Context, p *Project, now func() time.Time, what string, look func(*model.Project) (v *Verdict, there bool)) (*Verdict, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	feed := FollowAgents(ctx, Opened(p), now, watch.Options{}, User{}, AgentScope{})
	defer func() {
		stop()
		<-feed.ended // then nothing reads the project
	}()
	for seen := uint64(0); ; {
		snap, err := feed.Next(ctx, seen)
		if err != nil {
			return nil, err
		}
		seen = snap.Version
		v, there := look(snap.Projects[0])
		if v == nil && !there {
			err = retryForGrace(ctx, func() bool {
				v, there = look(p.withoutCache().Read(now()))
				return v != nil || there
			})
			if err != nil {
				return nil, err
			} else if v == nil && !there {
				v = &Verdict{Answer: Over, Text: what + " is gone"}
			}
		}
		if v != nil {
			return v, nil
		}
	}
}

// findGate returns the build and the gate, nil if they do not exist.
func (w *Wait) findGate(p *model.Project) (*model.Build, *model.Node) {
	for _, b := range p.Builds {
		if b.ID == w.about.build {
			n, _ := b.Find(w.about.node)
			if n != nil && n.Gate == nil && n.Raw == "" && n.Status == model.Unknown {
				n = nil // only the definition has it, and no state
			}
			return b, n
		}
	}
	return nil, nil
}

// judgeGate returns the result of the wait, nil while there is none.
func (w *Wait) judgeGate(b *model.Build, n *model.Node) *Verdict {
	if n == nil {
		return nil
	}
	all, _ := w.ledger.readJournal()
	all = w.proveDecisions(all)
	v := &Verdict{}
	if n.Status != model.Failed {
		w.Told = ""
	}
	if protocolOf(b).triedAgain {
		if d := w.decisionFor(all, n.Raw); d != nil && d.Verb == model.VerbRetry && (!w.before[d.ID] || isUndelivered(d, n)) {
			return w.passOn(all, &Verdict{Answer: Retried, Text: d.Text, Decision: d})
		}
		if n.Status == model.Failed {
			return nil // until a human retries or skips it
		}
	}
	switch {
	case n.Status == model.Done:
		v.Answer = Passed
	case n.Status == model.Skipped:
		v.Answer, v.Text = Skipped, gateReason(n)
	case n.Status == model.Failed && n.Raw != "" && n.Raw == protocolOf(b).changes:
		v.Answer, v.Text = Changes, gateReason(n)
	case n.Status == model.Failed:
		v.Answer = Failed
	default:
		if asked := w.openRequests(all); len(asked) > 0 {
			return w.passOn(all, &Verdict{Answer: Changes, Text: joinTexts(asked), Decision: asked[len(asked)-1]})
		}
		return overVerdict(b)
	}
	if v.Decision = w.decisionFor(all, n.Raw); v.Decision != nil && v.Decision.Text != "" {
		v.Text = v.Decision.Text
	}
	if v.Answer == Failed {
		if v.Failure = w.failureID(all, n); v.Failure == w.Told {
			return overVerdict(b)
		}
	}
	v.Unattributed = n.Gate != nil && n.Gate.Unattributed
	if w.Decided && (v.Decision == nil || v.Unattributed) {
		return overVerdict(b)
	}
	return w.passOn(all, v)
}

// failureID identifies a failure of the gate: a gate that was retried and failed again has another one. A retry made during the wait does not
// count: the gate may have been read before it, and is seen in another status after it.
func (w *Wait) failureID(all []model.Decision, n *model.Node) string {
	for i := range all {
		d := &all[i]
		if targetOf(d) == w.about && !d.Interrupted && !d.Undone && (d.Is == n.Raw || d.Verb == model.VerbRetry && w.before[d.ID]) {
			return n.Raw + " " + d.ID
		}
	}
	return n.Raw
}

// isUndelivered reports whether a retry decided before the wait began is still undelivered, with the gate unchanged since.
func isUndelivered(d *model.Decision, n *model.Node) bool {
	return n.Status != model.Failed && !d.Reported && !n.Updated.After(d.At)
}

// decisionFor returns the decision that gave the gate its word, nil if the journal has none. A decision with an unknown
// result counts if the file agrees: the file is written first.
func (w *Wait) decisionFor(all []model.Decision, word string) *model.Decision {
	for i := range all {
		switch d := &all[i]; {
		case targetOf(d) != w.about || d.Undone || d.Verb == model.VerbUndo:
		case d.Is == word:
			return d
		case !d.Interrupted:
			return nil
		}
	}
	return nil
}

func gateReason(n *model.Node) string {
	if n.Gate == nil {
		return ""
	}
	return n.Gate.Reason
}

// isOver reports whether decisions about a build have ended. A build that claims to have ended, but whose tree is
// unfinished, can be resumed.
func isOver(b *model.Build) bool {
	return b.Status == model.Done || hasEndWord(b) && b.Status != model.Active
}

// overVerdict returns the result of a wait for a build that is over, nil for any other build.
func overVerdict(b *model.Build) *Verdict {
	if !isOver(b) {
		return nil
	}
	return &Verdict{Answer: Over, Text: b.ID + " has ended: " + b.Raw}
}

// hasEndWord reports whether a build calls itself ended.
func hasEndWord(b *model.Build) bool { return slices.Contains(protocolOf(b).ended, b.Raw) }

// passOn returns a verdict with the decisions that it passes on for the first time.
func (w *Wait) passOn(all []model.Decision, v *Verdict) *Verdict {
	passed := []*model.Decision{v.Decision}
	if v.Answer == Changes && v.Decision != nil {
		if asked := w.openRequests(all); len(asked) > 0 {
			passed = asked
		}
	}
	for _, d := range passed {
		if d != nil && !d.Reported {
			v.file, v.marked = d.File, append(v.marked, d.ID)
		}
	}
	return v
}

// ErrTakenBack is the error of a decision that was undone at the moment when it was passed on.
var ErrTakenBack = errors.New("it was taken back meanwhile; wait again")

// Heard records in the journal that a verdict has reached its waiter: its decision can't be undone then. Without that entry the next wait
// gets the verdict again. Like an undo, it holds the lock of the state file; it returns [ErrTakenBack] if the decision was undone.
func (w *Wait) Heard(v *Verdict) (err error) {
	if len(v.marked) == 0 {
		return nil
	}
	locked := false
	mark := func(string) (string, error) {
		locked, err = true, nil
		all, _ := w.ledger.log.Read() // without an entry it is not known to be undone
		for i := range all {
			if all[i].Undone && slices.Contains(v.marked, all[i].ID) {
				err = ErrTakenBack
				return "", statefile.ErrNothing
			}
		}
		for _, id := range v.marked {
			err = errors.Join(err, w.ledger.log.Reported(id))
		}
		return "", statefile.ErrNothing
	}
	// The result of Replace does not matter: nothing is written.
	if w.store.Replace(context.Background(), w.p.writeTarget(v.file), mark); !locked { // the agent has the decision all the same
		mark("")
	}
	return err
}

// openRequests returns the requests for changes that are for this wait, the oldest first: those that nothing was decided after, and
// that no wait has passed on or that were made while this one was waiting.
func (w *Wait) openRequests(all []model.Decision) (asked []*model.Decision) {
	for i := range all {
		switch d := &all[i]; {
		case targetOf(d) != w.about || d.Interrupted:
		case d.Verb != model.VerbChanges || d.Undone:
			return asked
		case !d.Reported || !w.before[d.ID]:
			asked = slices.Insert(asked, 0, d)
		}
	}
	return asked
}

// joinTexts returns the texts of requests, with an empty line between them.
func joinTexts(asked []*model.Decision) string {
	texts := make([]string, len(asked))
	for i, d := range asked {
		texts[i] = d.Text
	}
	return strings.Join(texts, "\n\n")
}

// proveDecisions resolves interrupted decisions by the current files. It leaves the project alone, because its feed reads it.
func (w *Wait) proveDecisions(all []model.Decision) []model.Decision {
	return journal.Prove(all, func(file string) string {
		content, err := w.store.Read(w.p.writeTarget(file))
		if err != nil {
			return ""
		}
		return statefile.Hash(content)
	})
}
