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
	dir := tb.TempDir()
	put := func(name, text string) { put(tb, dir, ".planning/"+name, text) }
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
	var text strings.Builder
	fmt.Fprintf(&text, "---\nphase: %02d-part-%[1]d\nplan: %02[2]d\ntype: execute\nwave: %[2]d\ndepends_on: %[3]s\nfiles_modified:\n  - src/part%[1]d/reader.go\n  - src/part%[1]d/writer.go\nautonomous: true\n\n"+
		"must_haves:\n  truths:\n    - \"a record that was written can be read again\"\n  artifacts:\n    - path: \"src/part%[1]d/reader.go\"\n      provides: \"the reader\"\n"+
		"  key_links:\n    - from: \"src/part%[1]d/writer.go\"\n      to: \"src/part%[1]d/reader.go\"\n      via: \"the version of the format\"\n---\n\n<objective>\nRead and write records of part %[1]d.\n</objective>\n\n<tasks>\n", p, n, depends)
	for i, name := range []string{"writer", "reader"} {
		fmt.Fprintf(&text, "\n<task type=\"auto\">\n  <name>Task %d: the %s</name>\n  <files>src/part%d/%[2]s.go</files>\n  <action>%[4]s</action>\n  <verify>go test ./...</verify>\n  <done>records are handled</done>\n</task>\n",
			i+1, name, p, strings.Repeat("Do it as the format says. ", 45))
	}
	return text.String() + "\n</tasks>\n"
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
