package parse

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// bigTree writes a project of phases with plans of realistic length, half of them finished, and returns its directory.
func bigTree(tb testing.TB, phases, plansEach int) string {
	tb.Helper()
	dir, roadmap := tb.TempDir(), "# Roadmap\n\n## Phases\n\n"
	for p := 1; p <= phases; p++ {
		roadmap += fmt.Sprintf("- [ ] **Phase %d: Part %[1]d** - one part\n", p)
		for n := 1; n <= plansEach; n++ {
			name := fmt.Sprintf(".planning/phases/%02d-part-%[1]d/%02[1]d-%02[2]d-", p, n)
			text := fmt.Sprintf("---\nphase: %02d-part-%[1]d\nplan: %02d\nwave: %[2]d\ndepends_on: []\nfiles_modified:\n  - src/%[1]d.go\nautonomous: true\n---\n\n<tasks>\n", p, n)
			for _, task := range []string{"writer", "reader"} {
				text += "\n<task type=\"auto\">\n  <name>Task: the " + task + "</name>\n  <action>" + strings.Repeat("Do it as the format says. ", 45) + "</action>\n</task>\n"
			}
			put(tb, dir, name+"PLAN.md", text+"\n</tasks>\n")
			if p <= phases/2 {
				put(tb, dir, name+"SUMMARY.md", "---\nduration: 12min\ncompleted: 2026-02-01\n---\n\n# Summary\n\n"+strings.Repeat("Records are read. ", 60))
			}
		}
	}
	put(tb, dir, ".planning/ROADMAP.md", roadmap)
	put(tb, dir, ".planning/STATE.md", "---\ngsd_state_version: '1.0'\nmilestone: v1.0\nstatus: executing\nactive_phase: \"51\"\n---\n\n# State\n")
	return dir
}

// BenchmarkLoad reads a tree of 500 plans in 100 phases from a warm file cache
// (at most 30 ms on an idle machine).
func BenchmarkLoad(b *testing.B) {
	dir := bigTree(b, 100, 5)
	for b.Loop() {
		p, err := Open(dir, User{})
		must(b, err)
		if got := p.Read(time.Now()); len(got.Builds) != 1 || got.Builds[0].Progress.Plans.Total != 500 {
			b.Fatalf("read %+v", got)
		}
	}
}

// BenchmarkOneChanged reads the same tree again after a change of one file, and reports how many files were read.
func BenchmarkOneChanged(b *testing.B) {
	dir := bigTree(b, 100, 5)
	p, err := Open(dir, User{})
	must(b, err)
	p.Read(time.Now())
	file := filepath.Join(p.Root(), ".planning", "phases", "60-part-60", "60-01-PLAN.md")
	before := p.Reads()
	for b.Loop() {
		p.Touch(file)
		p.Read(time.Now())
	}
	b.ReportMetric(float64(p.Reads()-before)/float64(b.N), "files/op")
}
