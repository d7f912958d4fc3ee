package modeltest

import (
	"testing"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Texts returns the texts of a build that are shown on a screen.
func Texts(b *model.Build) []string {
	all := []string{b.Title, b.Raw, b.Why}
	addFacts := func(facts []model.Fact) {
		for _, x := range facts {
			all = append(all, x.Label, x.Value)
		}
	}
	addFacts(b.Metrics)
	for _, n := range model.Walk(b.Nodes) {
		all = append(all, n.Title, n.Number, n.Raw, n.Why)
		addFacts(n.Facts)
		if g := n.Gate; g != nil {
			all = append(append(all, g.Asks, g.Expects, g.Reason), g.Options...)
		}
	}
	for _, w := range b.Waits {
		all = append(all, w.Text, w.Place)
	}
	for _, x := range b.Blockers {
		all = append(all, x.Text, x.Owner)
	}
	for _, d := range b.Divergences {
		all = append(all, d.Claim, d.Truth)
	}
	for _, a := range b.Activity {
		all = append(all, a.Kind, a.Text)
		addFacts(a.Details)
	}
	for _, p := range b.Problems {
		all = append(all, p.Text, p.Fix)
	}
	if b.Next != nil {
		all = append(all, b.Next.Command, b.Next.Why)
	}
	if b.Pause != nil {
		all = append(all, b.Pause.Reason)
	}
	return all
}

// CheckShown checks that a build can be shown: its texts are harmless to a terminal, IDs are unique, and what is named has a row.
func CheckShown(t *testing.T, b *model.Build) {
	t.Helper()
	for _, text := range Texts(b) {
		if text != line.Clean(text) {
			t.Errorf("shown: %q", text)
		}
	}
	ids := map[string]bool{"": true}
	for _, n := range model.Walk(b.Nodes) {
		if ids[n.ID] {
			t.Errorf("two rows have the ID %q", n.ID)
		}
		ids[n.ID] = true
	}
	for _, w := range b.Waits {
		if !ids[w.Node] {
			t.Errorf("%q waits at %q, which has no row", w.Text, w.Node)
		}
	}
	if !ids[b.Now] || b.Next != nil && !ids[b.Next.Node] {
		t.Errorf("at work is %q, next is %+v: one has no row", b.Now, b.Next)
	}
}
