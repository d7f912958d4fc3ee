package agents

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
)

// In returns a project with its live agents. root is the real path of its directory. An ask that also appears in a
// state file is one wait. The project is returned unchanged if no agent works in it.
func (s *Snapshot) In(p *model.Project, root string, now time.Time) *model.Project {
	b := s.buildFor(func(project string) bool { return project == root }, now)
	signals := hasSignal(p)
	revived := slices.ContainsFunc(p.Builds, isStale) && s.isAtWork(root, now)
	if b == nil && !revived && (!signals || !s.hasAsked(root)) && s.Err == nil {
		return p
	}
	shown := *p
	shown.Builds = slices.Clone(p.Builds)
	for i, other := range p.Builds {
		if signals {
			shown.Builds[i] = s.withoutDuplicates(other, root, now)
		}
		if revived {
			shown.Builds[i] = withoutStale(shown.Builds[i])
		}
	}
	if b != nil {
		shown.Builds = append(shown.Builds, b)
	}
	if s.Err != nil {
		shown.Problems = append(slices.Clip(shown.Problems), model.Problem{
			Severity: model.Error, Text: "cannot read everything that live agents ask: " + s.Err.Error(), Fix: "run gatehouse doctor",
		})
	}
	return &shown
}

// Others returns projects that consist of live agents alone: projects that are not shown yet and that isBelow accepts,
// and any other project with an ask. They are ordered by their roots; projects that only have asks come last.
func (s *Snapshot) Others(isShown, isBelow func(root string) bool, now time.Time) []*model.Project {
	below := map[string]bool{}
	add := func(root string, asks bool) {
		if root != "" && !isShown(root) && (isBelow(root) || asks) {
			below[root] = isBelow(root)
		}
	}
	for i := range s.Sessions {
		x := &s.Sessions[i]
		add(x.Project, x.State == model.SessionWaiting)
	}
	for i := range s.Asks {
		if item := &s.Asks[i]; item.State == ask.Waiting {
			add(item.Project, item.Kind != ask.Turn)
		}
	}
	var all []*model.Project
	for root := range below {
		if b := s.buildFor(func(project string) bool { return project == root }, now); b != nil {
			all = append(all, &model.Project{Root: root, Name: line.Tidy(filepath.Base(root)), Builds: []*model.Build{b}})
		}
	}
	slices.SortFunc(all, func(a, b *model.Project) int {
		if below[a.Root] != below[b.Root] {
			if below[a.Root] {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Root, b.Root)
	})
	return all
}

// hasAsked reports whether anything was asked in a project.
func (s *Snapshot) hasAsked(root string) bool {
	return slices.ContainsFunc(s.Asks, func(i ask.Item) bool { return i.Project == root })
}

// isAtWork reports whether an agent works in a project, or waits there for an answer.
func (s *Snapshot) isAtWork(root string, now time.Time) bool {
	for i := range s.Sessions {
		if x := &s.Sessions[i]; x.Project == root && x.isAtWork(now) {
			return true
		}
	}
	return slices.ContainsFunc(s.Asks, func(i ask.Item) bool {
		return i.State == ask.Waiting && !i.Kept && i.Project == root && i.Kind != ask.Turn
	})
}

// hasSignal reports whether a state file of a project has a live question.
func hasSignal(p *model.Project) bool {
	for _, b := range p.Builds {
		if slices.ContainsFunc(b.Waits, func(w model.Wait) bool { return w.Evidence == model.Signalled }) {
			return true
		}
	}
	return false
}

// answeredFor is how long a question stays with the agent that got its answer here, while a state file still has it.
const answeredFor = 10 * time.Minute

// withoutDuplicates returns a build without the live questions of its files that are also asks here. Questions that
// were answered here are with the agent.
func (s *Snapshot) withoutDuplicates(b *model.Build, root string, now time.Time) *model.Build {
	copied := *b
	copied.Waits = nil
	for _, w := range b.Waits {
		if item := s.sameAsk(&w, root); item != nil && w.Evidence == model.Signalled {
			if item.State == ask.Waiting {
				continue
			}
			if returns := item.End.At.Add(answeredFor); item.State == ask.Answered && !w.Since.After(item.End.At) && now.Before(returns) {
				w.Standing = model.Standing{Status: model.WithAgent, Until: returns}
			}
		}
		copied.Waits = append(copied.Waits, w)
	}
	model.SortWaits(copied.Waits)
	return &copied
}

// sameAsk returns the newest ask of a project with the text of a wait, nil if there is none.
func (s *Snapshot) sameAsk(w *model.Wait, root string) *ask.Item {
	text := normalizeText(w.Text)
	for i := range s.Asks {
		item := &s.Asks[i]
		same := func(q model.Question) bool { return normalizeText(q.Text) == text }
		if item.Project == root && item.Kind != ask.Turn && (normalizeText(item.Text) == text || slices.ContainsFunc(item.Questions, same)) {
			return item
		}
	}
	return nil
}

// normalizeText normalizes a text for comparing questions.
func normalizeText(text string) string {
	return strings.ToLower(strings.Trim(line.Tidy(text), " ?.!:"))
}

// isStale reports whether a build or something in it counts as stale.
func isStale(b *model.Build) bool {
	if !b.StaleSince.IsZero() {
		return true
	}
	for _, n := range model.Walk(b.Nodes) {
		if n.IsStale() {
			return true
		}
	}
	return false
}

// withoutStale returns a build that an agent works on: neither it nor the node it names as worked on, nor the nodes above that, are stale.
func withoutStale(b *model.Build) *model.Build {
	copied := *b
	copied.StaleSince = time.Time{}
	copied.Nodes = slices.Clone(b.Nodes)
	for i, n := range copied.Nodes {
		copied.Nodes[i], _ = withoutStaleNode(n, b.Now)
	}
	return &copied
}

// withoutStaleNode returns a node that is not stale if it is the one worked on or above it.
func withoutStaleNode(n *model.Node, worked string) (*model.Node, bool) {
	found := worked == "" || n.ID == worked
	children := n.Children
	for i, child := range n.Children {
		if fresh, is := withoutStaleNode(child, worked); is {
			if &children[0] == &n.Children[0] {
				children = slices.Clone(children)
			}
			children[i], found = fresh, true
		}
	}
	if !found {
		return n, false
	}
	copied := *n
	copied.Children = children
	if n.IsStale() {
		copied.Standing = model.Standing{}
	}
	return &copied, true
}
