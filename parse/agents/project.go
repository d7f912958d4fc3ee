package agents

import (
	"cmp"
	"maps"
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
	b := s.buildFor(root, now)
	if b == nil && s.Err == nil {
		return p
	}
	shown := *p
	shown.Builds = slices.Clone(p.Builds)
	for i, other := range p.Builds {
		shown.Builds[i] = s.withoutDuplicates(other, root)
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
	rank := func(root string) int { return map[bool]int{true: 0, false: 1}[below[root]] }
	var all []*model.Project
	for _, root := range slices.SortedFunc(maps.Keys(below), func(a, b string) int { return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b)) }) {
		if b := s.buildFor(root, now); b != nil {
			all = append(all, &model.Project{Root: root, Name: line.Tidy(filepath.Base(root)), Builds: []*model.Build{b}})
		}
	}
	return all
}

// withoutDuplicates returns a build without the live questions of its files that also wait here as asks.
func (s *Snapshot) withoutDuplicates(b *model.Build, root string) *model.Build {
	isDuplicate := func(w model.Wait) bool { return w.Evidence == model.Signalled && s.hasOpen(w.Text, root) }
	if !slices.ContainsFunc(b.Waits, isDuplicate) {
		return b
	}
	copied := *b
	copied.Waits = slices.DeleteFunc(slices.Clone(b.Waits), isDuplicate)
	return &copied
}

// hasOpen reports whether an open ask of a project has a text.
func (s *Snapshot) hasOpen(text, root string) bool {
	text = normalizeText(text)
	isSame := func(q model.Question) bool { return normalizeText(q.Text) == text }
	return slices.ContainsFunc(s.Asks, func(i ask.Item) bool {
		return i.State == ask.Waiting && i.Project == root && i.Kind != ask.Turn && (normalizeText(i.Text) == text || slices.ContainsFunc(i.Questions, isSame))
	})
}

// normalizeText normalizes a text for comparing questions.
func normalizeText(text string) string {
	return strings.ToLower(strings.Trim(line.Tidy(text), " ?.!:"))
}
