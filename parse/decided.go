// What humans have decided, from the journal, laid over what the files say.

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
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/loop/rules"
)

const (
	// maxDecisions is how many decisions of a project are shown: what a human may want to look back at.
	maxDecisions = 200
	// ledgerBytes is how much is remembered of a project's journal, as sizeOf counts it: more than those decisions take that
	// are shown. The journal itself holds megabytes, most of it the bytes that were replaced, for undo.
	ledgerBytes = 512 << 10
)

// underWay is how long an entry that has only begun counts as being written, and not as interrupted.
const underWay = 10 * time.Second

// logbook is the journal of a project's decisions; [journal.Log] is one.
type logbook interface {
	File() string
	Begin(model.Decision) (model.Decision, error)
	End(id string, done bool) error
	Reporting(id string) error
	Reported(id string) error
	Lost(id string) error
	Read() ([]model.Decision, error)
	Unfinished() []model.Decision
	Wait(build, node string, since time.Time) (left func())
	Waiters() []journal.Waiter
}

// logbook returns the project's journal, nil where the user has no place for one.
func (p *Project) logbook() logbook {
	if p.user.Journal == "" {
		return nil
	}
	return journal.Open(p.user.System, p.user.Journal, canonical(p.root))
}

// canonical returns a directory without links, so that a project has one journal by whatever way it was reached.
func canonical(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// ledger is a journal that is read again only when it has changed.
type ledger struct {
	log   logbook // nil: there is none
	whole bool    // all is wanted that the journal gives, and not only what is shown
	stamp fs.FileInfo
	all   []model.Decision
	err   error
}

// read returns the decisions as the journal has them, the newest first: all of them, or those that are shown and those that
// somebody still waits for.
func (l *ledger) read() ([]model.Decision, error) {
	if l.log == nil {
		return nil, nil
	}
	info, err := os.Stat(l.log.File()) // nil with an error, which reading meets again
	if l.stamp != nil && info != nil && os.SameFile(l.stamp, info) && l.stamp.Size() == info.Size() && l.stamp.ModTime().Equal(info.ModTime()) {
		return l.all, l.err
	}
	l.stamp = info
	if os.IsNotExist(err) {
		l.all, l.err = nil, nil
	} else {
		l.all, l.err = l.log.Read()
	}
	if !l.whole {
		l.all = remembered(l.all)
	}
	return l.all, l.err
}

// remembered returns of all decisions the newest, and the older ones that ask for changes still, without the bytes that were
// replaced.
func remembered(all []model.Decision) (kept []model.Decision) {
	asked, shown, size := requests(all), 0, 0
	for i := range all {
		d := &all[i]
		if shown == maxDecisions && asked[of(d)] != d {
			continue
		}
		if size += sizeOf(d); size > ledgerBytes && len(kept) > 0 {
			break
		}
		if !d.Interrupted { // which may not be shown yet
			shown++
		}
		one := *d
		one.Spans = nil
		kept = append(kept, one)
	}
	return kept
}

// sizeOf returns about how many bytes a decision takes without the bytes that were replaced.
func sizeOf(d *model.Decision) (size int) {
	const bare = 512 // all but the texts that may be long
	for _, text := range []string{d.Who, d.By, d.Project, d.Build, d.File, d.Node, d.Name, string(d.Verb), d.Was, d.Is, d.Text} {
		size += len(text)
	}
	return bare + size
}

// target is what a decision is about: a gate, or a build as a whole.
type target struct{ build, node string }

// standing returns the last decision about a target that can be taken back, nil without one.
func standing(all []model.Decision, about target) *model.Decision {
	later := false
	for i := range all {
		if d := &all[i]; of(d) == about && !d.Interrupted {
			if !d.Undone && d.Verb != model.VerbUndo {
				if later && d.Verb == model.VerbChanges && d.Was == d.Is {
					return nil // what was decided later has answered the request
				}
				return d
			}
			later = true
		}
	}
	return nil
}

func of(d *model.Decision) target { return target{d.Build, d.Node} }

// requests returns what is to be changed, by target: the last decision about one, where that is a request. Whatever was
// decided later has answered an earlier request, also where it was taken back since.
func requests(all []model.Decision) map[target]*model.Decision {
	last := map[target]*model.Decision{}
	for i := range all {
		if d := &all[i]; !d.Interrupted && last[of(d)] == nil {
			last[of(d)] = d
		}
	}
	maps.DeleteFunc(last, func(_ target, d *model.Decision) bool { return d.Verb != model.VerbChanges || d.Undone })
	return last
}

// decided returns what the journal has. The files of what is new in it are looked at again: what they are known to hold may be
// older.
func (p *Project) decided() ([]model.Decision, error) {
	first, before := p.last == nil, p.ledger.all
	all, err := p.ledger.read()
	if first || len(before) > 0 && len(all) > 0 && &before[0] == &all[0] {
		return all, err
	}
	known := make(map[string]bool, len(before)) // as done
	for i := range before {
		known[before[i].ID] = !before[i].Interrupted
	}
	for i := range all {
		if d := &all[i]; !d.Interrupted && !known[d.ID] {
			p.mirror.Touch(filepath.Join(p.root, filepath.FromSlash(d.File)))
		}
	}
	return all, err
}

// decide puts what was decided into a project that was read.
func (p *Project) decide(mp *model.Project, all []model.Decision, err error, now time.Time) {
	all = p.proven(all)
	if err != nil {
		mp.Problems = append(mp.Problems, model.Problem{
			Severity: model.Warning, Text: fmt.Sprintf("what was decided can't all be read: %v", err), Fix: "decisions may be missing here",
		})
	}
	waiters := p.waiters()
	if len(all) == 0 && len(waiters) == 0 {
		return
	}
	for _, d := range all {
		if len(mp.Decisions) == maxDecisions {
			break
		}
		if !d.Interrupted || now.Sub(d.At) > underWay {
			mp.Decisions = append(mp.Decisions, p.clean(d))
		}
	}
	markOverwritten(mp.Decisions, mp.Builds)
	asked := requests(all)
	for i, b := range mp.Builds {
		mp.Builds[i] = p.withDecisions(b, asked, mp.Decisions, waiters, now)
	}
}

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
		return !d.Undone && !d.Interrupted && d.Was != d.Is && (d.Verb != model.VerbApprove || d.Is != rules.Failed)
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

// clean returns a decision for the model: its texts harmless, without the bytes.
func (p *Project) clean(d model.Decision) model.Decision {
	for _, text := range []*string{&d.Who, &d.By, &d.Name, (*string)(&d.Verb), &d.Was, &d.Is, &d.Text} {
		*text = line.Tidy(*text)
	}
	d.Project, d.Spans = p.root, nil
	return d
}

// waiters returns who waits for a decision about the project.
func (p *Project) waiters() []journal.Waiter {
	if p.ledger.log == nil {
		return nil
	}
	return p.ledger.log.Waiters()
}

// standsUnder is what a gate stands under by the journal: a request for changes, a decision that was overwritten; and since
// when somebody waits for it.
type standsUnder struct {
	request, overwritten *model.Decision
	awaited              time.Time // the last who came
}

// withDecisions returns the build with the requests for changes that its gates still stand under, with the decisions about
// them that were overwritten, and with who waits for them. What was handed out stays as it is: rows that change are copied.
func (p *Project) withDecisions(b *model.Build, asked map[target]*model.Decision, decided []model.Decision, waiters []journal.Waiter, now time.Time) *model.Build {
	byNode := map[string]standsUnder{}
	for about, d := range asked {
		if about.build == b.ID && p.hash(d.File) == d.After {
			shown := p.clean(*d)
			byNode[about.node] = standsUnder{request: &shown}
		}
	}
	later := map[string]bool{}
	for i := range decided { // the newest first
		d := &decided[i]
		if d.Build != b.ID {
			continue
		}
		if d.Overwritten && !later[d.Node] {
			byNode[d.Node] = standsUnder{overwritten: d}
		}
		later[d.Node] = true
	}
	for _, w := range waiters {
		if under := byNode[w.Node]; w.Build == b.ID && w.Since.After(under.awaited) {
			under.awaited = w.Since
			byNode[w.Node] = under
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
	if next := b.Next; next != nil && slices.ContainsFunc(copied.Waits, func(w model.Wait) bool { return w.WithAgent && w.Node == next.Node }) {
		copied.Next = &model.Next{Command: "the agents' changes", Why: changesAsked, Node: next.Node, Derived: true}
	}
	return &copied
}

// changesAsked says why nobody but the agents can go on.
const changesAsked = "changes are asked for, which are the agents' to make"

// withAgents returns what waits in a build, where what a human has asked to be changed is with the agents: it is that until they
// show something for it, wait for it again, or a day has passed. That the state file has not changed since, the request says by
// being there.
func withAgents(b *model.Build, now time.Time) []model.Wait {
	waits := slices.Clone(b.Waits)
	for i := range waits {
		w := &waits[i]
		n, _ := b.Find(w.Node)
		if n == nil || n.Gate == nil || n.Gate.Request == nil || w.Potential {
			continue
		}
		asked := n.Gate.Request.At
		if returns := asked.Add(model.WithAgentFor); now.Before(returns) && !n.Gate.Awaited.After(asked) && !shownSince(n, n.Gate.Request) {
			w.WithAgent, w.Returns = true, returns
		}
	}
	model.SortWaits(waits)
	return waits
}

// shownSince reports whether something that a gate is judged by is another than when changes were asked for: written, put back in an
// older form, or taken away.
func shownSince(n *model.Node, request *model.Decision) bool {
	if request.Shown != "" {
		return evidenceOf(n) != request.Shown
	}
	return writtenSince(n, request.At) // of a journal that did not keep it
}

// evidenceOf returns a hash of what tells the files that a gate is judged by from what they are later.
func evidenceOf(n *model.Node) string {
	var b strings.Builder
	for _, n := range model.Walk([]*model.Node{n}) {
		for _, a := range n.Artifacts {
			fmt.Fprintf(&b, "%q %t %d %d\n", a.File, a.Exists, a.Size, a.Changed.UnixNano())
		}
	}
	return statefile.Hash(b.String())
}

// writtenSince reports whether something that a gate is judged by was written after a moment.
func writtenSince(n *model.Node, at time.Time) bool {
	for _, a := range n.Artifacts {
		if a.Exists && a.Changed.After(at) {
			return true
		}
	}
	return slices.ContainsFunc(n.Children, func(below *model.Node) bool { return writtenSince(below, at) })
}

// decidedAbout returns the nodes with what they stand under. Where none stands under anything the same nodes are returned.
func decidedAbout(nodes []*model.Node, byNode map[string]standsUnder) []*model.Node {
	result, copied := nodes, false
	for i, n := range nodes {
		m := *n
		m.Children = decidedAbout(n.Children, byNode)
		d := byNode[n.ID]
		if d.request != nil && n.Status != model.Pending && n.Status != model.Waiting {
			d.request = nil
		}
		if d != (standsUnder{}) && n.Gate != nil {
			gate := *n.Gate
			gate.Request, gate.Overwritten, gate.Awaited = d.request, d.overwritten, d.awaited
			m.Gate = &gate
		} else if !replaced(n.Children, m.Children) {
			continue
		}
		if !copied {
			result, copied = slices.Clone(nodes), true
		}
		result[i] = &m
	}
	return result
}

// replaced reports whether nodes are others than they were.
func replaced(before, after []*model.Node) bool { return len(before) > 0 && &before[0] != &after[0] }

// fileHash is a file parsed into the hash of its bytes.
type fileHash string

// hash returns the hash of a file of the project, "" where it can't be read.
func (p *Project) hash(file string) string {
	r := mirror.Read(p.mirror, file, func(text string) (fileHash, error) { return fileHash(statefile.Hash(text)), nil })
	if r.Held || r.Err != nil {
		return ""
	}
	return string(r.Value)
}

// Decisions returns what was decided about the projects, the newest first, as the journals have it: texts as they were
// typed. An error comes beside what could be read.
func Decisions(projects []*Project, now time.Time) (all []model.Decision, err error) {
	for _, p := range projects {
		log := p.logbook()
		if log == nil {
			continue
		}
		q := p.anew()
		one, unread := log.Read()
		one = q.proven(one)
		markOverwritten(one, q.Read(now).Builds)
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
			one = at(one[0].Project, u).proven(one)
		}
		all, err = append(all, one...), errors.Join(err, unread)
	}
	newestFirst(all)
	return all, err
}

func newestFirst(all []model.Decision) {
	slices.SortStableFunc(all, func(a, b model.Decision) int { return b.At.Compare(a.At) })
}
