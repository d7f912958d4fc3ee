// The journal overlaid on the files: decisions that stand, were overwritten, or were made by others, and waiters.

package parse

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/loop/core"
)

const (
	// maxDecisions is how many decisions of a project are shown for review.
	maxDecisions = 200
	// underWay is how long an entry that has only begun counts as being written, and not as interrupted.
	underWay = 10 * time.Second
	// losable is how long a gate, a file, a run or an inbox item that is not as decided counts as overwritten: an agent that had read the
	// old file has written it by then. Later it was removed, or begun, on purpose.
	losable = time.Minute
	// maxEvidence limits the evidence files of a gate that are read.
	maxEvidence = 64
)

// openJournal returns the project's journal, an empty one if the user has no location for it. A project has one journal
// regardless of the links in the path used.
func (p *Project) openJournal() *journal.Log {
	return journal.Open(p.user.System, p.user.Journal, peek.Resolve(p.root))
}

// ledger is a journal that is read again only when it has changed.
type ledger struct {
	log   *journal.Log
	whole bool // read all of the journal, not only the shown part

	looked bool        // it was read, when its file
	stamp  fs.FileInfo // was this, nil for none
	all    []model.Decision
	last   map[target]closing // the last decision about each target without an undo; nil if not all can be known
	err    error
}

// target is the subject of a decision: a gate, or a build as a whole.
type target struct{ build, node string }

func targetOf(d *model.Decision) target { return target{d.Build, d.Node} }

// closing is the effect of a decision on its target.
type closing struct {
	is string
	at time.Time
}

// readJournal returns the decisions from the journal, newest first: all of them, or those to be shown and those with a waiter.
func (l *ledger) readJournal() ([]model.Decision, error) {
	info, _ := os.Stat(l.log.File()) // nil with an error, which reading meets again
	same := info == nil && l.stamp == nil || info != nil && l.stamp != nil && os.SameFile(l.stamp, info) && l.stamp.Size() == info.Size() && l.stamp.ModTime().Equal(info.ModTime())
	if l.looked && same {
		return l.all, l.err
	}
	l.looked, l.stamp = true, info
	l.all, l.err = l.log.Read()
	l.last = map[target]closing{}
	if info != nil && (info.Size() > journal.ReadLimit || l.err != nil && len(l.all) == 0) {
		l.last = nil
	}
	for i := range l.all {
		d := &l.all[i]
		if _, known := l.last[targetOf(d)]; l.last != nil && !known && !d.Undone && d.Verb != model.VerbUndo {
			l.last[targetOf(d)] = closing{d.Is, d.At}
		}
	}
	if !l.whole {
		l.all = shownDecisions(l.all)
	}
	return l.all, l.err
}

// shownDecisions returns the newest of all decisions, and the older ones whose request for changes is still open, without the replaced
// bytes.
func shownDecisions(all []model.Decision) (kept []model.Decision) {
	asked, shown := openRequests(all), 0
	for i := range all {
		d := &all[i]
		if shown == maxDecisions && asked[targetOf(d)] != d {
			continue
		}
		if !d.Interrupted { // an interrupted one may not be shown yet
			shown++
		}
		one := *d
		one.Spans, one.Chain = nil, nil
		if one.Signature != nil {
			one.Signature = &model.Signature{At: one.Signature.At, Project: one.Signature.Project, Is: one.Signature.Is, Evidence: one.Signature.Evidence}
		}
		kept = append(kept, one)
	}
	return kept
}

// lastUndoable returns the last decision about a target that can be undone, nil without one.
func lastUndoable(all []model.Decision, about target) *model.Decision {
	later := false
	for i := range all {
		if d := &all[i]; targetOf(d) == about && !d.Interrupted {
			if !d.Undone && d.Verb != model.VerbUndo {
				if later && d.Verb == model.VerbChanges && d.Was == d.Is {
					return nil // a later decision has answered the request
				}
				return d
			}
			later = true
		}
	}
	return nil
}

// openRequests returns the requests for changes, by target: the last decision about a target, if it is a request. Any later
// decision has answered an earlier request, even if it was undone since.
func openRequests(all []model.Decision) map[target]*model.Decision {
	last := map[target]*model.Decision{}
	for i := range all {
		if d := &all[i]; !d.Interrupted && last[targetOf(d)] == nil {
			last[targetOf(d)] = d
		}
	}
	maps.DeleteFunc(last, func(_ target, d *model.Decision) bool { return d.Verb != model.VerbChanges || d.Undone })
	return last
}

// readDecisions returns the decisions of the journal, with the results of interrupted ones from the files. It rereads the
// files of new decisions, because cached content may be older.
func (p *Project) readDecisions() ([]model.Decision, error) {
	first, before := p.last == nil, p.ledger.all
	all, err := p.ledger.readJournal()
	if !first && !(len(before) > 0 && len(all) > 0 && &before[0] == &all[0]) {
		known := make(map[string]bool, len(before)) // as done
		for i := range before {
			known[before[i].ID] = !before[i].Interrupted
		}
		for i := range all {
			if d := &all[i]; !d.Interrupted && !known[d.ID] {
				p.mirror.Touch(filepath.Join(p.root, filepath.FromSlash(d.File)))
			}
		}
	}
	return journal.Prove(all, p.hashOf), err
}

// Decisions returns the decisions about the projects, newest first, from the journals: texts as they were typed. An
// error may come with a partial result.
func Decisions(projects []*Project, now time.Time) (all []model.Decision, err error) {
	for _, p := range projects {
		q := p.withoutCache()
		one, unread := q.ledger.log.Read()
		one = journal.Prove(one, q.hashOf)
		markOverwritten(one, q.Read(now).Builds, now)
		all, err = append(all, one...), errors.Join(err, unread)
	}
	newestFirst(all)
	return all, err
}

// AllDecisions is [Decisions] for every project that the user has a journal of.
func AllDecisions(u User) (all []model.Decision, err error) {
	if u.Journal == "" {
		return nil, nil
	}
	logs, err := journal.All(u.System, u.Journal)
	for _, log := range logs {
		one, unread := log.Read()
		if len(one) > 0 {
			one = journal.Prove(one, projectAt(one[0].Project, u).hashOf)
		}
		all, err = append(all, one...), errors.Join(err, unread)
	}
	newestFirst(all)
	return all, err
}

func newestFirst(all []model.Decision) {
	slices.SortStableFunc(all, func(a, b model.Decision) int { return b.At.Compare(a.At) })
}

// markOverwritten marks overwritten decisions: for each gate the newest one if the builds no longer show it, and
// earlier ones that had to be repeated.
func markOverwritten(all []model.Decision, builds []*model.Build, now time.Time) {
	later := map[target]*model.Decision{} // targets with later decisions
	for i := range all {
		d := &all[i]
		if next := later[targetOf(d)]; next == nil {
			d.Overwritten = isOverwritten(d, builds, now)
		} else {
			d.Overwritten = madeAgain(d, next, builds)
		}
		later[targetOf(d)] = d
	}
}

// isLasting reports whether a decision passed, skipped, ended or aborted something. No protocol reverses these, so if the
// file has its earlier content again, another writer has put an older copy over the decision. Changes that agents may
// rightly revert, such as a paused loop or a gate to retry, are not lasting.
func isLasting(d *model.Decision) bool {
	switch d.Verb {
	case model.VerbApprove, model.VerbSkip, model.VerbAbort, model.VerbComplete, model.VerbDismiss:
		return isDone(d) && (d.Verb != model.VerbApprove || d.Is != core.Failed)
	}
	return false
}

// isDone reports whether a decision was written to a file and not taken back.
func isDone(d *model.Decision) bool {
	return !d.Undone && !d.Interrupted && len(d.Command) == 0 && d.Was != d.Is
}

// madeAgain reports whether the next decision about the same target found the state from before this one, in the same
// work.
func madeAgain(d, next *model.Decision, builds []*model.Build) bool {
	if !isLasting(d) || next.Interrupted || next.Verb == model.VerbUndo || !strings.EqualFold(next.Was, d.Was) || next.Of != d.Of || !next.Began.Equal(d.Began) {
		return false
	}
	isRecreated := func(b *model.Build) bool { return b.ID == d.Build && b.Began.After(d.At) }
	return !slices.ContainsFunc(builds, isRecreated)
}

// isOverwritten reports whether the target is not as decided, and nobody has moved it on: it has its earlier state again, a gate that was
// passed or skipped is open or has failed, or what was decided is gone.
func isOverwritten(d *model.Decision, builds []*model.Build, now time.Time) bool {
	var n *model.Node
	i := slices.IndexFunc(builds, func(b *model.Build) bool { return b.ID == d.Build })
	if i >= 0 {
		b := builds[i]
		if n, _ = b.Find(d.Node); b.Began.After(d.At) || n == nil && b.Freshness.Held > 0 || n != nil && n.Held {
			return false
		}
	}
	isBack := n != nil && strings.EqualFold(n.Raw, d.Was)
	switch {
	case d.Verb == model.VerbAdd:
		return isDone(d) && n == nil && now.Sub(d.At) < losable
	case d.Verb == model.VerbFresh, d.Verb == model.VerbSync: // which there is nothing left for
		return isDone(d) && i >= 0 && slices.Contains(builds[i].Can, d.Verb) && now.Sub(d.At) < losable
	case d.Node == "":
		return isLasting(d) && i >= 0 && builds[i].Raw == d.Was
	case d.Verb == model.VerbDismiss:
		return isLasting(d) && isBack
	}
	isGone := n == nil && now.Sub(d.At) < losable
	isOpen := n != nil && !n.Status.Closed() && !strings.EqualFold(n.Raw, d.Is)
	return isLasting(d) && (isGone || isBack || isOpen)
}

// addDecisions adds the decisions to a project that was read.
func (p *Project) addDecisions(mp *model.Project, all []model.Decision, err error, now time.Time) {
	if err != nil {
		mp.Problems = append(mp.Problems, model.Problem{
			Severity: model.Warning, Text: fmt.Sprintf("what was decided can't all be read: %v", err), Fix: "decisions may be missing here",
		})
	}
	for _, d := range all {
		if len(mp.Decisions) == maxDecisions {
			break
		}
		if !d.Interrupted || now.Sub(d.At) > underWay {
			mp.Decisions = append(mp.Decisions, p.cleanDecision(d))
		}
	}
	markOverwritten(mp.Decisions, mp.Builds, now)
	asked, waiters := openRequests(all), p.ledger.log.Waiters()
	for i, b := range mp.Builds {
		mp.Builds[i] = p.withDecisions(b, asked, mp.Decisions, waiters, now)
	}
}

// cleanDecision returns a decision for the model: its texts harmless, without the bytes.
func (p *Project) cleanDecision(d model.Decision) model.Decision {
	for _, text := range []*string{&d.Who, &d.By, &d.Name, (*string)(&d.Verb), &d.Was, &d.Is, &d.Text, &d.Client, &d.Session, &d.TTY} {
		*text = line.Tidy(*text)
	}
	d.Project, d.Spans = p.root, nil
	return d
}

// gateFacts holds the journal's facts about a gate: an open request for changes, an overwritten decision, the start of
// a wait, and whether it was closed without a decision.
type gateFacts struct {
	request, overwritten *model.Decision
	awaited              time.Time
	unattributed         bool
}

// withDecisions returns the build with the journal's facts about its gates. Shared values stay unchanged: rows that
// change are copied.
func (p *Project) withDecisions(b *model.Build, asked map[target]*model.Decision, decided []model.Decision, waiters []journal.Waiter, now time.Time) *model.Build {
	byNode := map[string]gateFacts{}
	for about, d := range asked {
		if about.build == b.ID && p.hashOf(d.File) == d.After {
			shown := p.cleanDecision(*d)
			byNode[about.node] = gateFacts{request: &shown}
		}
	}
	later := map[string]bool{}
	for i := range decided { // the newest first
		d := &decided[i]
		if d.Build != b.ID {
			continue
		}
		if d.Overwritten && !later[d.Node] {
			byNode[d.Node] = gateFacts{overwritten: d}
		}
		later[d.Node] = true
	}
	for _, w := range waiters {
		if facts := byNode[w.Node]; w.Build == b.ID && w.Since.After(facts.awaited) {
			facts.awaited = w.Since
			byNode[w.Node] = facts
		}
	}
	for _, n := range b.OfKind(model.KindGate) {
		if p.ledger.isUnattributed(b, n) {
			facts := byNode[n.ID]
			facts.unattributed = true
			byNode[n.ID] = facts
		}
	}
	if len(byNode) == 0 {
		return b
	}
	copied := *b
	copied.Nodes = decidedAbout(b.Nodes, byNode)
	copied.Waits = withAgents(&copied, now)
	if copied.Status == model.Waiting && len(b.Certain()) > 0 && len(copied.Certain()) == 0 {
		copied.Status, copied.Why = model.Active, changesAsked
	}
	if next := b.Next; next != nil && slices.ContainsFunc(copied.Waits, func(w model.Wait) bool { return w.IsWithAgent() && w.Node == next.Node }) {
		copied.Next = &model.Next{Command: "the agents' changes", Why: changesAsked, Node: next.Node, Derived: true}
	}
	return &copied
}

// isUnattributed reports whether the file calls a human's gate passed or skipped, and no decision of the journal made it so in this
// work. It is false if the journal may be incomplete.
func (l *ledger) isUnattributed(b *model.Build, n *model.Node) bool {
	if l.last == nil || n.Held || n.Gate == nil || n.Gate.Approval != model.ApprovalHuman || n.Status != model.Done && n.Status != model.Skipped || n.Raw == "" {
		return false
	}
	last, known := l.last[target{b.ID, n.ID}]
	return !known || !strings.EqualFold(last.is, n.Raw) || b.Began.After(last.at)
}

// changesAsked explains why only the agents can proceed.
const changesAsked = "changes are asked for, which are the agents' to make"

// withAgents returns the waits of a build, marking gates with requested changes as being with the agents. They stay
// there until the agents present new evidence or wait for the gate again, or until a day has passed. The existence of
// the request implies that the state file has not changed since.
func withAgents(b *model.Build, now time.Time) []model.Wait {
	waits := slices.Clone(b.Waits)
	for i := range waits {
		w := &waits[i]
		n, _ := b.Find(w.Node)
		if n == nil || n.Gate == nil || n.Gate.Request == nil || w.IsUpcoming() {
			continue
		}
		asked := n.Gate.Request.At
		if returns := asked.Add(model.WithAgentFor); now.Before(returns) && !n.Gate.Awaited.After(asked) && !shownSince(n, n.Gate.Request) {
			w.Standing = model.Standing{Status: model.WithAgent, Until: returns}
		}
	}
	model.SortWaits(waits)
	return waits
}

// decidedAbout returns the nodes with the journal's facts about them. Without any it returns the same nodes.
func decidedAbout(nodes []*model.Node, byNode map[string]gateFacts) []*model.Node {
	result, copied := nodes, false
	for i, n := range nodes {
		m := *n
		m.Children = decidedAbout(n.Children, byNode)
		d := byNode[n.ID]
		if d.request != nil && n.Status != model.Pending && n.Status != model.Waiting {
			d.request = nil
		}
		if d != (gateFacts{}) && n.Gate != nil {
			gate := *n.Gate
			gate.Request, gate.Overwritten, gate.Awaited, gate.Unattributed = d.request, d.overwritten, d.awaited, d.unattributed
			m.Gate = &gate
		} else if len(n.Children) == 0 || &n.Children[0] == &m.Children[0] {
			continue
		}
		if !copied {
			result, copied = slices.Clone(nodes), true
		}
		result[i] = &m
	}
	return result
}

// gateArtifacts returns the files that a gate is judged by, each once.
func gateArtifacts(n *model.Node) (all []model.Artifact) {
	for _, n := range model.Walk([]*model.Node{n}) {
		for _, a := range n.Artifacts {
			if len(all) < maxEvidence && !slices.ContainsFunc(all, func(b model.Artifact) bool { return b.File == a.File }) {
				all = append(all, a)
			}
		}
	}
	return all
}

// evidenceOf returns the files that a gate is judged by, as they are now.
func evidenceOf(n *model.Node, hash func(file string) string) (all []model.Evidenced) {
	for _, a := range gateArtifacts(n) {
		all = append(all, model.Evidenced{File: a.File, Size: a.Size, Hash: hash(a.File)})
	}
	return all
}

// stampOf returns a hash that changes when the evidence files of a gate change. It does not read them.
func stampOf(n *model.Node) string {
	var b strings.Builder
	for _, n := range model.Walk([]*model.Node{n}) {
		for _, a := range n.Artifacts {
			fmt.Fprintf(&b, "%q %t %d %d\n", a.File, a.Exists, a.Size, a.Changed.UnixNano())
		}
	}
	return statefile.Hash(b.String())
}

// shownSince reports whether the evidence of a gate has changed since changes were requested: it was written, replaced by an older
// version, or deleted.
func shownSince(n *model.Node, request *model.Decision) bool {
	if request.Shown != "" {
		return stampOf(n) != request.Shown
	}
	return slices.ContainsFunc(gateArtifacts(n), func(a model.Artifact) bool { return a.Exists && a.Changed.After(request.At) }) // for a journal without its stamp
}

// Seen returns the hash of the information behind a decision about a gate, or about a build as a whole if the node is
// nil: its state in the files, the content of its evidence, and the last decision about it. [model.Action.IfSeen] is
// compared with it. It is "" for a project on another machine, which computes its own.
func Seen(p *model.Project, b *model.Build, n *model.Node) string {
	if p.Host != nil {
		return ""
	}
	var s strings.Builder
	about := target{build: b.ID}
	if n != nil {
		about.node = n.ID
	}
	i := slices.IndexFunc(p.Decisions, func(d model.Decision) bool { return targetOf(&d) == about && !d.Interrupted })
	if i >= 0 {
		s.WriteString(p.Decisions[i].ID)
	}
	fmt.Fprintf(&s, "\n%q %q %v\n", about.build, about.node, b.Began.UTC())
	if n == nil {
		fmt.Fprintf(&s, "%q\n", b.Raw)
		for _, n := range model.Walk(b.Nodes) {
			fmt.Fprintf(&s, "%q %q %v\n", n.ID, n.Raw, n.Status)
		}
		return statefile.Hash(s.String())
	}
	fmt.Fprintf(&s, "%q %v %q %d %d %q\n", n.Raw, n.Status, n.Title, n.Attempt, n.Attempts, n.Facts)
	for _, w := range b.Waits {
		if w.Node == n.ID {
			fmt.Fprintf(&s, "%q\n", w.Text)
		}
	}
	if g := n.Gate; g != nil {
		fmt.Fprintf(&s, "%q %q %q %q %v\n", g.Approval, g.Asks, g.Expects, g.Reason, g.Required)
	}
	for _, a := range gateArtifacts(n) {
		hash := hashFile(p.Root, a.File)
		if hash == "" {
			hash = a.Changed.UTC().String()
		}
		fmt.Fprintf(&s, "%q %t %d %s\n", a.File, a.Exists, a.Size, hash)
	}
	return statefile.Hash(s.String())
}

// hashFile returns the hash of a file of a project as it is now, "" if it can't be read whole.
func hashFile(root, file string) string {
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return ""
	}
	text, truncated, err := peek.ReadFile(filepath.Join(root, filepath.FromSlash(file)), root, peek.Limit)
	if err != nil || truncated {
		return ""
	}
	return statefile.Hash(text)
}

// fileHash is a file parsed into the hash of its bytes.
type fileHash string

// hashOf returns the hash of a file of the project, "" if it can't be read.
func (p *Project) hashOf(file string) string {
	r := mirror.Read(p.mirror, file, func(text string) (fileHash, error) { return fileHash(statefile.Hash(text)), nil })
	if r.Held || r.Err != nil {
		return ""
	}
	return string(r.Value)
}

// Seen returns the hash of the information behind an action, from the current files: see [Seen]. It is "" if the target
// of the action does not exist.
func (as *Actions) Seen(a model.Action) string {
	op, err := as.findOperation(a)
	if err != nil {
		return ""
	}
	return seenBy(op.p.Read(op.now), a)
}

// seenBy returns the hash of the information behind an action, "" without its target.
func seenBy(p *model.Project, a model.Action) string {
	for _, b := range p.Builds {
		if b.ID != a.Build {
			continue
		}
		if n, _ := b.Find(a.Node); n != nil || a.Node == "" {
			return Seen(p, b, n)
		}
	}
	return ""
}
