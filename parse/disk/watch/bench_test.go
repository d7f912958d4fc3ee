// This file measures what watching costs while nothing happens, and how long a change takes to be reported.

package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/parse/disk/mirror"
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

// read has a watcher watch the plan tree, which it reads through a mirror.
func read(w *Watcher, dir string) *mirror.Mirror {
	m := mirror.New(dir)
	m.Watched(w)
	entries, _ := m.List("phases")
	for _, e := range entries {
		m.List("phases/" + e.Name)
	}
	m.List(".")
	return m
}

// BenchmarkPoll measures one poll of the plan tree. "cpu-idle-%" is its share of the time at the pace that it sets itself.
func BenchmarkPoll(b *testing.B) {
	w := New(b.Context(), Options{})
	defer w.Close()
	m := read(w, planTree(b))
	b.ReportAllocs()
	for b.Loop() {
		w.Poll(func() {
			if got := m.Poll(); len(got) > 0 {
				b.Fatal("reported", got)
			}
		})
	}
	cost := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(100*cost.Seconds()/pollAfter(pollBase, cost, false).Seconds(), "cpu-idle-%")
}

// BenchmarkStart measures the time from a new watcher until every directory of the plan tree is listed and watched.
func BenchmarkStart(b *testing.B) {
	dir := planTree(b)
	for b.Loop() {
		w := New(b.Context(), Options{})
		read(w, dir)
		b.StopTimer()
		w.Close()
		b.StartTimer()
	}
}

// BenchmarkChange measures the time from a rename onto a file to its batch, after quiet.
func BenchmarkChange(b *testing.B) {
	dir := planTree(b)
	w := New(b.Context(), Options{Poll: time.Hour})
	defer w.Close()
	read(w, dir)
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
