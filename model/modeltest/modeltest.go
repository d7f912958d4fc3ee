// Package modeltest finds things in a build, for the tests of packages that make or show builds.
package modeltest

import (
	"testing"

	"gatehouse/model"
)

// Node returns the row with an ID, and fails the test if there is none.
func Node(t testing.TB, b *model.Build, id string) *model.Node {
	t.Helper()
	n, _ := b.Find(id)
	if n == nil {
		var ids []string
		for _, n := range model.Walk(b.Nodes) {
			ids = append(ids, n.ID)
		}
		t.Fatalf("no row %s among %q", id, ids)
	}
	return n
}

// Fact returns the value of a fact of a row, "" without it.
func Fact(n *model.Node, label string) string { return value(n.Facts, label) }

// Metric returns the value of a metric of a build, "" without it.
func Metric(b *model.Build, label string) string { return value(b.Metrics, label) }

func value(facts []model.Fact, label string) string {
	for _, f := range facts {
		if f.Label == label {
			return f.Value
		}
	}
	return ""
}
