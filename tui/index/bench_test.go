package index

// What it costs to make snapshots ready, beside the loop that answers keys.

import (
	"fmt"
	"testing"

	"gatehouse/tui/tuitest"
)

// BenchmarkIndex makes a snapshot ready, which happens beside the loop.
func BenchmarkIndex(b *testing.B) {
	for _, rows := range tuitest.RowCounts {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			snap := tuitest.Forest(rows)
			for b.Loop() {
				New(snap, nil)
			}
		})
	}
}

// BenchmarkIndexGraph lays out the graph of 2,000 chunks, which happens beside the loop.
func BenchmarkIndexGraph(b *testing.B) {
	snap := tuitest.Web(2_000)
	for b.Loop() {
		New(snap, nil)
	}
}

func BenchmarkIndexLog(b *testing.B) {
	snap := tuitest.Chatty(100_000)
	for b.Loop() {
		New(snap, nil)
	}
}

// BenchmarkIndexProjects makes the first snapshot of many projects ready, and BenchmarkIndexOneOfMany the next one, in which
// one project has changed; both beside the loop that answers keys.
func BenchmarkIndexProjects(b *testing.B) {
	for _, n := range tuitest.ProjectCounts {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			snap := tuitest.ManyProjects(n)
			for b.Loop() {
				New(snap, nil)
			}
		})
	}
}

func BenchmarkIndexOneOfMany(b *testing.B) {
	for _, n := range tuitest.ProjectCounts {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ix := New(tuitest.ManyProjects(n), nil)
			for i := 0; b.Loop(); i++ {
				ix = New(tuitest.WithAnother(ix.Snap, i%n), ix)
			}
		})
	}
}
