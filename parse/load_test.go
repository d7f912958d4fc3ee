package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// bigTree writes a project of phases with plans, of the length real ones have,
// half of them finished, and returns its directory.
func bigTree(tb testing.TB, phases, plansEach int) string {
	tb.Helper()
	dir := tb.TempDir()
	put := func(name, text string) {
		path := filepath.Join(dir, ".planning", name)
		must(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		must(tb, os.WriteFile(path, []byte(text), 0o644))
	}
	var roadmap strings.Builder
	roadmap.WriteString("# Roadmap\n\n## Phases\n\n")
	for p := 1; p <= phases; p++ {
		fmt.Fprintf(&roadmap, "- [ ] **Phase %d: Part %d** - one part\n", p, p)
		phase := fmt.Sprintf("phases/%02d-part-%d", p, p)
		for n := 1; n <= plansEach; n++ {
			put(fmt.Sprintf("%s/%02d-%02d-PLAN.md", phase, p, n), bigPlan(p, n))
			if p <= phases/2 {
				put(fmt.Sprintf("%s/%02d-%02d-SUMMARY.md", phase, p, n), bigSummary(p, n))
			}
		}
		if p <= phases/2 {
			put(fmt.Sprintf("%s/%02d-VERIFICATION.md", phase, p), "---\nstatus: passed\nscore: 4/4\n---\n\n# Verification\n")
		}
	}
	put("ROADMAP.md", roadmap.String())
	put("STATE.md", "---\ngsd_state_version: '1.0'\nmilestone: v1.0\nstatus: executing\nactive_phase: \"51\"\nprogress:\n  percent: 50\n---\n\n# State\n\nPhase: 51 of 100 (Part 51)\n")
	return dir
}

func bigPlan(p, n int) string {
	depends := "[]"
	if n > 1 {
		depends = fmt.Sprintf("[\"%02d-%02d\"]", p, n-1)
	}
	return fmt.Sprintf(`---
phase: %02d-part-%d
plan: %02d
type: execute
wave: %d
depends_on: %s
files_modified:
  - src/part%d/reader.go
  - src/part%d/writer.go
autonomous: true
requirements: [PART-%02d]

must_haves:
  truths:
    - "a record that was written can be read again"
    - "a record that was cut off is reported with its place"
  artifacts:
    - path: "src/part%d/reader.go"
      provides: "the reader"
    - path: "src/part%d/writer.go"
      provides: "the writer"
  key_links:
    - from: "src/part%d/writer.go"
      to: "src/part%d/reader.go"
      via: "the format's version"
---

<objective>
Read and write records of part %d.
</objective>

<tasks>

<task type="auto">
  <name>Task 1: the writer</name>
  <files>src/part%d/writer.go</files>
  <action>%s</action>
  <verify>go test ./...</verify>
  <done>records are written</done>
</task>

<task type="auto">
  <name>Task 2: the reader</name>
  <files>src/part%d/reader.go</files>
  <action>%s</action>
  <verify>go test ./...</verify>
  <done>records are read</done>
</task>

</tasks>
`, p, p, n, n, depends, p, p, p, p, p, p, p, p, p, strings.Repeat("Write it as the format says. ", 40), p, strings.Repeat("Read it as the format says. ", 40))
}

func bigSummary(p, n int) string {
	return fmt.Sprintf("---\nphase: %02d-part-%d\nplan: %02d\nduration: 12min\ncompleted: 2026-02-01\n---\n\n# Summary\n\n%s\n", p, p, n, strings.Repeat("Records are read and written. ", 40))
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

// BenchmarkOneChanged reads the same tree again after one file of it changed,
// and reports how many files were read for it.
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
