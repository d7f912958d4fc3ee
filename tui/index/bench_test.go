package index

import (
	"fmt"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

// BenchmarkIndex prepares a snapshot, outside of the event loop. In "one of" a single project has changed.
func BenchmarkIndex(b *testing.B) {
	cases := map[string]*model.Snapshot{"graph": tuitest.Web(2_000), "log": tuitest.Chatty(100_000)}
	for _, rows := range tuitest.RowCounts {
		cases[fmt.Sprint("rows ", rows)] = tuitest.Forest(rows)
	}
	for _, n := range tuitest.ProjectCounts {
		cases[fmt.Sprint("projects ", n)] = tuitest.ManyProjects(n)
	}
	for name, snap := range cases {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				New(snap, nil)
			}
		})
	}
	for _, n := range tuitest.ProjectCounts {
		b.Run(fmt.Sprint("one of ", n), func(b *testing.B) {
			ix := New(tuitest.ManyProjects(n), nil)
			for i := 0; b.Loop(); i++ {
				ix = New(tuitest.WithAnother(ix.Snap, i%n), ix)
			}
		})
	}
}
