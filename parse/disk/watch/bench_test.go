// This file measures what watching costs while nothing happens, and how long a change takes to be told.

package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// planTree makes 500 plans with summaries in 100 phases, 1100 files in all.
func planTree(b *testing.B) string {
	dir := b.TempDir()
	for phase := range 100 {
		d := fmt.Sprintf("phases/%02d-phase", phase)
		makeTree(b, dir, d+"/CONTEXT.md")
		for plan := range 5 {
			makeTree(b, dir, fmt.Sprintf("%s/%02d-%02d-PLAN.md", d, phase, plan), fmt.Sprintf("%s/%02d-%02d-SUMMARY.md", d, phase, plan))
		}
	}
	return dir
}

// BenchmarkPoll is one poll of the plan tree. "cpu-idle-%" is its share of the time at the pace it sets itself.
func BenchmarkPoll(b *testing.B) {
	dir := planTree(b)
	t := newTree([]Root{{dir, true}}, Options{})
	defer t.dropSource()
	t.do(context.Background(), task{rescan: true})
	b.ReportAllocs()
	for b.Loop() {
		if got := t.do(context.Background(), task{rescan: true}); len(got.paths) > 0 {
			b.Fatal("reported", got.paths)
		}
	}
	cost := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(100*cost.Seconds()/pollAfter(pollBase, cost, false).Seconds(), "cpu-idle-%")
}

// BenchmarkStart is from nothing to every directory of the plan tree watched.
func BenchmarkStart(b *testing.B) {
	dir := planTree(b)
	for b.Loop() {
		w, err := New(b.Context(), []Root{{dir, true}}, Options{})
		must(b, err)
		b.StopTimer()
		w.Close()
		b.StartTimer()
	}
}

// BenchmarkChange is from a rename onto a file to its batch, after quiet.
func BenchmarkChange(b *testing.B) {
	dir := planTree(b)
	w, err := New(b.Context(), []Root{{dir, true}}, Options{Poll: time.Hour})
	must(b, err)
	defer w.Close()
	state := filepath.Join(dir, "STATE.md")
	for b.Loop() {
		b.StopTimer()
		must(b, os.WriteFile(state+".tmp", []byte("x"), 0o644))
		time.Sleep(2 * quiet)
		b.StartTimer()
		must(b, os.Rename(state+".tmp", state))
		<-w.Changes()
	}
}
