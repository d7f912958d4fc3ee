// What humans have decided, from the journal, laid over what the files say.

package parse

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
)

// underWay is how long an entry that has only begun counts as being written, and not as interrupted.
const underWay = 10 * time.Second

// decide puts what was decided into a project that was read.
func (p *Project) decide(mp *model.Project, all []model.Decision, err error, now time.Time) {
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

// clean returns a decision for the model: its texts harmless, without the bytes.
func (p *Project) clean(d model.Decision) model.Decision {
	for _, text := range []*string{&d.Who, &d.By, &d.Name, (*string)(&d.Verb), &d.Was, &d.Is, &d.Text, &d.Client, &d.Session, &d.TTY} {
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
	if next := b.Next; next != nil && slices.ContainsFunc(copied.Waits, func(w model.Wait) bool { return w.IsWithAgent() && w.Node == next.Node }) {
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
