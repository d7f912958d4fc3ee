// Decisions: a user's decision becomes bytes of a state file and entries of the journal.
//
// A decision is a state machine. The journal keeps its state, so that a crash at any point loses nothing:
//
//	            Propose          Do, under the lock of the file
//	(nothing) ──────────► proposed ──► journaled ──► written ──► standing ──► undone
//	                         ▲             │            ▲             └─────► overwritten
//	                         │             ├──► void    │ recover: the file is as the entry says
//	                         └─────────────┴────────────┘ another writer changed the file, or nothing was written
//
//	proposed     the target and the displayed proposal are frozen, by hashes; nothing is written
//	journaled    the entry "begin" is on disk, with the old and the new content
//	written      the file is written; "done" ends the entry. Without it the file itself decides: recoverInterrupted
//	void         nothing was written
//	standing     the file agrees with the decision
//	undone       a later entry undoes it
//	overwritten  the file no longer agrees, and nobody has moved the gate on; the next snapshot detects this (decisions.go)
//
// A decision is checked once by [Actions.Propose], and once by [Actions.Do] under the lock. It is carried out only if
// the user has seen its effect: Seen and Shown are hashes of the file and of the dialog. IfSeen is the hash from
// [Seen]; with it a decision may be repeated and is carried out once. All decisions are written this way.

package parse

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
)

// Actions carries out users' decisions about some projects: it is their [model.Actor]. Its methods may be called while
// the projects are read, and by several goroutines at once: they share nothing with other users of the projects.
type Actions struct {
	projects func() []*Project
	by       string
	who      string // the decider if not the user of the projects, else ""
	caller   model.Caller
	now      func() time.Time
	store    *statefile.Store
}

// NewActions returns the actor of some projects. by is the origin of the decisions for the journal: "dashboard" or
// "command". The clock dates the entries.
func NewActions(projects []*Project, by string, now func() time.Time) *Actions {
	var system *statefile.System
	for _, p := range projects { // all are the same user's
		system = p.user.System
	}
	return newActions(func() []*Project { return projects }, system, by, now)
}

func newActions(projects func() []*Project, system *statefile.System, by string, now func() time.Time) *Actions {
	return &Actions{projects: projects, by: by, now: now, store: statefile.NewStore(system)}
}

// For returns the same actor for decisions of a person on another machine: the journal records the person.
func (as *Actions) For(who string) *Actions {
	other := *as
	other.who, other.caller = who, model.Caller{How: model.HowRemote}
	return &other
}

// WithCaller returns the same actor for a caller; the journal records the caller.
func (as *Actions) WithCaller(c model.Caller) *Actions {
	other := *as
	other.caller = c
	return &other
}

// Propose implements [model.Actor]. It retries for a while if a file is missing or unreadable: a writer may be active.
func (as *Actions) Propose(ctx context.Context, a model.Action) (p *model.Proposal, err error) {
	last := false
	ended := retryForGrace(ctx, func() bool {
		var op *operation
		if op, err = as.findOperation(a); err == nil {
			p, err = op.proposeAction()
		}
		var changed *model.Changed
		if a.IfSeen != "" && errors.As(err, &changed) && !last {
			last = !op.isUnderway() // the same decision may have changed it, and may be in the journal only at the next reading
			return false
		}
		return !isTemporary(err)
	})
	return p, cmp.Or(ended, err)
}

// Do implements [model.Actor]. If the file was written but the journal entry failed, it returns an outcome and an
// error.
func (as *Actions) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	var op *operation
	var err error
	ended := retryForGrace(ctx, func() bool {
		if op, err = as.findOperation(a); err == nil && a.File == "" {
			err = op.findTarget()
		} else if err == nil {
			op.target.File = a.File
		}
		return !isTemporary(err)
	})
	switch {
	case cmp.Or(ended, err) != nil:
		return nil, cmp.Or(ended, err)
	case op.p.user.Journal == "":
		return nil, &model.Refusal{Text: "there is no place for the journal of decisions", Fix: "set HOME or XDG_STATE_HOME"}
	}
	file := op.p.writeTarget(op.target.File)
	// The entry ends while the file is still locked: the same decision may arrive twice, and the second time it is compared with the
	// complete entry of the first.
	var decision model.Decision
	var unended error
	end := func(err error) error {
		if errors.Is(err, statefile.ErrNothing) && op.decision.ID != "" {
			err = nil // the journal has it all: the second request within a second leaves no mark in the file
		}
		decision = op.decision
		unended = op.endEntry(err == nil)
		return err
	}
	if _, runs := op.editor.(runner); runs {
		err = op.runCommand(ctx, file, end)
	} else {
		change := func(content string, exists bool) (string, error) { return op.decideContent(ctx, content, exists) }
		err = as.store.Decide(ctx, file, op.initialContent() != "", change, end)
	}
	if err != nil {
		return nil, errors.Join(err, unended, op.endEntry(false))
	}
	if op.makes {
		op.proposal.Warnings = append(op.proposal.Warnings, op.isMade())
	}
	return &model.Outcome{Proposal: op.proposal, Decision: decision}, unended
}

// grace is how long a missing or unreadable file may take to come back: some writers truncate a file and then write it,
// or remove it and then put another in its place.
const grace = time.Second

// retryForGrace calls f until it returns true, or until the grace time has passed. It fails when the context ends.
func retryForGrace(ctx context.Context, f func() bool) error {
	for end := time.Now().Add(grace); !f() && time.Now().Before(end); {
		if err := sleepFor(ctx, grace/50); err != nil {
			return err
		}
	}
	return nil
}

// sleepFor waits, or returns the error of ctx.
func sleepFor(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// noBuild refuses an action on a missing build, which may come back.
type noBuild struct{ *model.Refusal }

func (e noBuild) Unwrap() error { return e.Refusal }

// isTemporary reports whether an error may be temporary, as for a file that is being written.
func isTemporary(err error) bool {
	var gone noBuild
	var refused *model.Refusal
	var changed *model.Changed
	switch {
	case errors.As(err, &gone), errors.Is(err, protocol.ErrUnreadable):
		return true
	case err == nil, errors.As(err, &refused), errors.As(err, &changed), errors.Is(err, fs.ErrPermission), errors.Is(err, peek.ErrOutside):
		return false
	}
	return true
}

// operation is one action on its way through the states. It has its project to itself.
type operation struct {
	as     *Actions
	p      *Project
	log    *journal.Log
	action model.Action
	editor editor
	now    time.Time       // when it was judged last
	target protocol.Target // the target of the action, set by aim
	hashes map[string]string

	request  protocol.Request // the action with the content that it was judged by
	answer   protocol.Answer  // how the request changes that content; nil if it was not judged
	proposal *model.Proposal
	was, is  string         // the status before and after, since it was proposed last
	decision model.Decision // begun in the journal, and not ended; none without an ID
	makes    bool           // the file is a new one
}

// findOperation finds the build of an action.
func (as *Actions) findOperation(a model.Action) (*operation, error) {
	projects := as.projects()
	i := slices.IndexFunc(projects, func(p *Project) bool { return p.root == a.Project })
	if i < 0 {
		return nil, &model.Refusal{Text: a.Project + " is not open", Fix: "open it first"}
	}
	p := projects[i].withoutCache()
	r, err := p.findReader(a.Build)
	if err != nil {
		return nil, err
	}
	e, ok := r.(editor)
	if !ok {
		return nil, &model.Refusal{Text: a.Build + " is only read here", Fix: "decide where its agents ask"}
	}
	return &operation{as: as, p: p, log: p.ledger.log, action: a, editor: e, now: as.now()}, nil
}

// withoutCache returns the same project without cached state: the cache belongs to the reader of the original.
func (p *Project) withoutCache() *Project {
	q := projectAt(p.root, p.user)
	q.named = p.named
	return q
}

// findReader returns the reader of a build.
func (p *Project) findReader(id string) (reader, error) {
	readers, faults := p.allReaders()
	if i := slices.IndexFunc(readers, func(r reader) bool { return r.ID() == id }); i >= 0 {
		return readers[i], nil
	} else if len(faults) > 0 {
		return nil, errors.New(faults[0].String())
	}
	return nil, noBuild{&model.Refusal{Text: fmt.Sprintf("there is no build %s in %s any more", id, p.root), Fix: "look at what is there: gatehouse status"}}
}

// writeTarget returns the write target for a file of the project, named relative to its root. It has to be in the project
// after resolving links: a protocol directory that is itself a link out of the project is read, but not written
// (linked.go).
func (p *Project) writeTarget(name string) statefile.Target {
	return statefile.Target{Path: filepath.Join(p.root, filepath.FromSlash(name)), Within: []string{p.root}}
}

// findTarget finds the target of the action in the current files.
func (op *operation) findTarget() (err error) {
	op.target, err = trySafely(op.action.Build, func() (protocol.Target, error) { return op.editor.Target(op.action, op.now) })
	return err
}

// proposeAction returns the effect of the action on its current file.
func (op *operation) proposeAction() (*model.Proposal, error) {
	if err := op.findTarget(); err != nil {
		return nil, err
	}
	content, err := op.as.store.Read(op.p.writeTarget(op.target.File))
	missing := errors.Is(err, fs.ErrNotExist) && op.initialContent() != ""
	if missing {
		content, err = op.initialContent(), nil
	}
	if err != nil {
		return nil, err
	}
	if err := op.recoverInterrupted(content, false); err != nil {
		return nil, err
	}
	p, err := op.judgeContent(content)
	if err := op.compareSeen(p, err); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	if missing {
		p.Warnings = append(p.Warnings, op.isMade())
	}
	if op.action.Verb == model.VerbChanges && op.was == op.is && !op.isAwaited() { // the displayed proposal does not change
		p.Warnings = append(p.Warnings, "nobody waits for this gate now: what you ask for is kept, and the next \"gatehouse wait\" on it is given it")
	}
	return p, nil
}

// decideContent returns the new content of the file, or the content of a file to create, and enters it in the journal. The
// lock of the file is held.
func (op *operation) decideContent(ctx context.Context, content string, exists bool) (string, error) {
	if err := op.endEntry(false); err != nil { // of the previous try
		return "", err
	}
	if op.makes = !exists; op.makes {
		content = op.initialContent()
	}
	if err := op.recoverInterrupted(content, true); err != nil {
		return "", err
	}
	proposal, why := op.judgeAgain(content)
	if err := op.compareSeen(proposal, why); err != nil {
		return "", err
	}
	var refused *model.Refusal
	if errors.As(why, &refused) && refused.Already {
		return "", refused // a new review would not help
	}
	if a := op.action; a.Seen != "" && a.Seen != statefile.Hash(content) || a.Shown != "" && (proposal == nil || a.Shown != proposal.Action.Shown) {
		return "", &model.Changed{Now: proposal, Why: why}
	}
	if op.answer == nil {
		return "", why
	}
	c, err := op.askChange(op.request)
	if err != nil {
		return "", err
	}
	op.proposal = op.finishProposal(c)
	after, err := protocol.Apply(content, c.Spans)
	if err != nil {
		return "", fmt.Errorf("%s: %w; please report it with the file", op.target.File, err)
	}
	if err := op.keepCopies(ctx, c.Keeps); err != nil {
		return "", err
	}
	return after, op.beginEntry(c, after)
}

// judgeAgain checks the action under the lock, which may have taken time to get. Without a proposal, the error is the reason.
func (op *operation) judgeAgain(content string) (*model.Proposal, error) {
	op.p.Touch()
	op.now, op.hashes, op.answer = op.as.now(), nil, nil
	file := op.target.File
	if err := op.findTarget(); err != nil {
		return nil, err
	}
	if op.target.File != file {
		return nil, &model.Refusal{Text: "it is in " + op.target.File + " now", Fix: "look again"}
	}
	return op.judgeContent(content)
}

// compareSeen returns the obstacle to an action with IfSeen: it was carried out already, or its target has changed since it
// was seen. The proposal, or the error in its place, is the current effect of the action.
func (op *operation) compareSeen(now *model.Proposal, why error) error {
	a := op.action
	if a.IfSeen == "" {
		return nil
	}
	p := op.p.Read(op.now)
	for _, d := range p.Decisions {
		if d.Seen != a.IfSeen || d.Overwritten || d.Interrupted || !isRepeat(a, &d) {
			continue
		}
		if d.Undone {
			return &model.Changed{Why: &model.Refusal{Text: "it was done, and taken back since", Fix: "look again"}}
		}
		return &model.Refusal{Text: d.Name + ": done already", Already: true}
	}
	if seenBy(p, a) == a.IfSeen {
		return nil
	}
	return &model.Changed{Now: now, Why: why}
}

// keepCopies writes new files before the change; an earlier try may have done so.
func (op *operation) keepCopies(ctx context.Context, copies []protocol.Copy) error {
	for _, k := range copies {
		at := op.p.writeTarget(k.File)
		err := op.as.store.Create(ctx, at, k.Content)
		if errors.Is(err, fs.ErrExist) {
			if there, _ := op.as.store.Read(at); there == k.Content {
				err = nil
			}
		}
		if err != nil {
			return fmt.Errorf("%s: what was there can't be kept, and nothing else was written: %w", k.File, err)
		}
	}
	return nil
}

// beginEntry enters the decision in the journal, before anything is written.
func (op *operation) beginEntry(c *protocol.Change, after string) error {
	r := op.request
	a := r.Action
	d := model.Decision{
		At: r.Now, Who: r.Who, By: op.as.by, Project: peek.Resolve(op.p.root), Build: a.Build, File: op.target.File, Node: cmp.Or(a.Node, c.Node), Name: c.Name,
		Verb: a.Verb, Was: c.Was, Is: c.Is, Text: a.Text, Kind: a.Kind, Before: statefile.Hash(r.Content), After: statefile.Hash(after), Spans: c.Spans,
		Seen: a.IfSeen, Of: c.Of, Began: c.Began, Command: c.Command, Caller: op.as.caller, Signature: a.Signature,
	}
	if r.Last != nil {
		d.Undoes = r.Last.ID
	}
	if n := op.findNode(d.Node); n != nil && n.Gate != nil {
		d.Evidence = evidenceOf(n, op.hashOf)
		if a.Verb == model.VerbChanges {
			d.Shown = stampOf(n)
		}
	}
	if s := d.Signature; s != nil && (s.Evidence != model.HashEvidence(d.Evidence, d.File) || s.Is != d.Is) {
		return &model.Changed{Now: op.proposal}
	}
	d, err := op.log.Begin(d)
	if err == nil {
		op.decision = d
	}
	return err
}

// endEntry enters the result of the decision in the journal, if one was begun.
func (op *operation) endEntry(done bool) error {
	if op.decision.ID == "" {
		return nil
	}
	id, verb := op.decision.ID, op.decision.Verb
	op.decision = model.Decision{}
	err := op.log.End(id, done)
	switch {
	case err == nil || !done:
		return err
	case verb == model.VerbChanges:
		return fmt.Errorf("%w; whoever waits is told only as long as %s stays as it is: ask again then", err, op.target.File)
	}
	return fmt.Errorf("%w; %s is written all the same, and can be undone only as long as it stays as it is", err, op.target.File)
}

// recoverInterrupted ends interrupted decisions about the file in the journal, as far as the content shows their result. It
// returns a refusal if such a decision equals this action: rerunning an interrupted command should do it once. Locked
// means that no other process is active, so that a decision without a trace was not carried out. A failed journal write
// does not block the decision: the file is evidence enough while it lasts.
func (op *operation) recoverInterrupted(content string, locked bool) error {
	hash := statefile.Hash(content)
	var done *model.Decision
	for _, d := range op.log.Unfinished() {
		switch {
		case d.File != op.target.File:
		case d.After == hash && done == nil:
			op.log.End(d.ID, true)
			done = &d
		case locked && (d.Before == hash || d.After == hash): // not written, or older than the proven one
			op.log.End(d.ID, false)
		}
	}
	if done != nil && isRepeat(op.action, done) && done.Who == op.p.user.Name {
		return &model.Refusal{Text: done.Name + ": done already, by another run", Already: true}
	}
	return nil
}

// isUnderway reports whether the journal has the same decision as begun, and not as ended.
func (op *operation) isUnderway() bool {
	return slices.ContainsFunc(op.log.Unfinished(), func(d model.Decision) bool { return d.Seen == op.action.IfSeen && isRepeat(op.action, &d) })
}

// isRepeat reports whether an action equals an earlier decision.
func isRepeat(a model.Action, d *model.Decision) bool {
	return d.Verb == a.Verb && d.Build == a.Build && (d.Node == a.Node || a.Node == "" && a.Verb == model.VerbAdd) && d.Text == a.Text && d.Kind == a.Kind
}

// isAwaited reports whether a process waits for the gate of the action.
func (op *operation) isAwaited() bool {
	return slices.ContainsFunc(op.log.Waiters(), func(w journal.Waiter) bool { return w.Build == op.action.Build && w.Node == op.action.Node })
}

// findNode returns a node of the current build, nil if there is none.
func (op *operation) findNode(id string) *model.Node {
	b, fault := runSafely(op.action.Build, func() *model.Build { return op.editor.Read(op.now) })
	if id == "" || fault != nil || b == nil {
		return nil
	}
	n, _ := b.Find(id)
	return n
}

// hashOf returns the hash of a file of the project, which is read once while the action is judged.
func (op *operation) hashOf(file string) string {
	hash, known := op.hashes[file]
	if !known {
		if op.hashes == nil {
			op.hashes = map[string]string{}
		}
		hash = hashFile(op.p.root, file)
		op.hashes[file] = hash
	}
	return hash
}

// judgeContent judges the action by a content of its file, and proposes it.
func (op *operation) judgeContent(content string) (*model.Proposal, error) {
	op.request = protocol.Request{Action: op.action, Content: content, Who: cmp.Or(op.as.who, op.p.user.Name), Now: op.now}
	if op.action.Verb == model.VerbUndo {
		all, err := op.log.Read()
		all = journal.Prove(all, func(file string) string {
			if file == op.target.File {
				return statefile.Hash(content)
			}
			return ""
		})
		if op.request.Last = lastUndoable(all, target{op.action.Build, op.action.Node}); op.request.Last == nil && err != nil {
			return nil, err
		}
	}
	answer, err := trySafely(op.action.Build, func() (protocol.Answer, error) { return op.target.Judge(content) })
	if err != nil {
		return nil, err
	}
	op.answer = answer
	return op.makeProposal()
}

// askChange returns the change of the content for a request, which is the action's own or one with other text.
func (op *operation) askChange(r protocol.Request) (*protocol.Change, error) {
	return trySafely(r.Build, func() (*protocol.Change, error) { return op.answer(r) })
}

// makeProposal returns the effect of the action on the content.
func (op *operation) makeProposal() (*model.Proposal, error) {
	r := op.request
	r.Asking = true
	c, err := op.askChange(r)
	if err != nil {
		return nil, err
	}
	// The proposal is shown before the user types the text, chooses its kind, or confirms a missing deliverable.
	bare := c
	if r.Text != "" || r.Kind != "" || r.RecordFailed {
		r.Text, r.Kind, r.RecordFailed = "", "", false
		if bare, err = op.askChange(r); err != nil {
			return nil, err
		}
	}
	p := op.finishProposal(c)
	op.was, op.is = c.Was, c.Is
	p.Action.Seen, p.Action.Shown, p.Action.File = statefile.Hash(r.Content), shownOf(op.finishProposal(bare)), p.File
	if looked := r.Looked; looked != nil {
		p.Differences = model.Differences(looked, p)
	}
	return p, nil
}

// finishProposal returns the proposal of a change, with its new values and the hashes of its evidence.
func (op *operation) finishProposal(c *protocol.Change) *model.Proposal {
	p := c.Proposal
	p.Action, p.File = op.action, op.target.File
	p.Action.Looked = nil // each would hold the one before
	p.Edits = protocol.ListEdits(p.File, op.request.Content, c.Spans)
	for _, a := range p.Evidence {
		p.Hashes = append(p.Hashes, op.hashOf(a.File))
	}
	return &p
}

// shownOf returns the hash of the information behind a decision. It excludes values that change by themselves: written
// times, the length of the wait, line numbers.
func shownOf(p *model.Proposal) string {
	q := *p
	q.Action, q.Since = model.Action{}, time.Time{}
	q.Edits = nil
	for _, e := range p.Edits {
		if !isTime(e.New) { // within one second the time is not written, and a second later it is
			q.Edits = append(q.Edits, model.Edit{Label: e.Label, Old: e.Old, New: e.New})
		}
	}
	text, err := json.Marshal(q)
	if err != nil { // a proposal is made of texts, numbers and times
		panic(err)
	}
	return statefile.Hash(string(text))
}

// isTime reports whether a value is a time, or a member or line that was added for one.
func isTime(value string) bool {
	if text, quoted := strings.CutSuffix(value, `"`); quoted {
		value = text[strings.LastIndexByte(text, '"')+1:]
	} else if _, added, ok := strings.Cut(value, ": "); ok {
		value = added
	}
	_, err := time.Parse(time.RFC3339, value)
	return err == nil
}

// Tidy removes leftovers of killed writers next to the file of an action, in case no later write does.
func (as *Actions) Tidy(_ context.Context, a model.Action) {
	if op, err := as.findOperation(a); err == nil && op.findTarget() == nil {
		as.store.Sweep(op.p.writeTarget(op.target.File))
	}
}

// settling is how long an agent that had read the old file may take to write over the new one.
const settling = 200 * time.Millisecond

// Settle implements [model.Actor]: it reads the project again, and compares it with the journal. Another writer may be in the middle of
// its file: a loss has to last.
func (as *Actions) Settle(ctx context.Context, o *model.Outcome) error {
	if o.Decision.ID == "" {
		return nil
	}
	if err := sleepFor(ctx, settling); err != nil {
		return err
	}
	i := slices.IndexFunc(as.projects(), func(p *Project) bool { return p.root == o.Proposal.Action.Project })
	if i < 0 {
		return nil
	}
	lost := false
	err := retryForGrace(ctx, func() bool {
		p := as.projects()[i].withoutCache().Read(as.now())
		lost = slices.ContainsFunc(p.Decisions, func(d model.Decision) bool { return d.ID == o.Decision.ID && d.Overwritten })
		return !lost
	})
	if err == nil && lost {
		err = &model.Overwritten{File: o.Decision.File, Lost: lostLabels(o.Proposal)}
	}
	return err
}

// Watch settles an action, and then watches for some time whether it is overwritten.
func (as *Actions) Watch(ctx context.Context, o *model.Outcome, d time.Duration) error {
	for end := time.Now().Add(d); ; {
		if err := as.Settle(ctx, o); err != nil || o.Decision.ID == "" || !time.Now().Before(end) {
			return err
		}
	}
}

// lostLabels returns the values that are gone when another writer has written over a proposal that was done.
func lostLabels(p *model.Proposal) []string {
	var labels []string
	for _, e := range p.Edits {
		if e.Label != "" && !isTime(e.New) {
			labels = append(labels, e.Label)
		}
	}
	return labels
}

// initialContent returns the initial content of the action's file if it may be missing, "" if it must exist.
func (op *operation) initialContent() string {
	if f, ok := op.editor.(starter); ok {
		return f.Begins(op.action)
	}
	return ""
}

// isMade returns the note that the action creates its file.
func (op *operation) isMade() string { return "there was no " + op.target.File + " yet: it is made" }
