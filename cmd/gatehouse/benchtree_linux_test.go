package main_test

// The projects for measurements, and how agents write into them.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// landmark is the title of all phases: a word that is visible in the tree of every project, on every screen.
const landmark = "weathervane"

// project is a GSD project on disk.
type project struct {
	tb     testing.TB
	dir    string
	writes int
}

// grow writes a project of phases with plans of tasks. Its files are hours old, so that no age changes during a
// measurement. One plan was halted and all others depend on it: the tree unfolds faulty branches by itself, so
// nearly every task has its row.
func grow(tb testing.TB, phases, plans, tasks int) *project {
	tb.Helper()
	p := &project{tb: tb, dir: tb.TempDir()}
	var road strings.Builder
	road.WriteString("# Roadmap\n\n## Phases\n\n")
	for i := 1; i <= phases; i++ {
		fmt.Fprintf(&road, "- [ ] **Phase %d: %s** - one part\n", i, landmark)
		for n := 1; n <= plans; n++ {
			p.put(planFile(i, n), planText(i, n, tasks, "Read-and-write-the-records"))
		}
	}
	p.put("ROADMAP.md", road.String())
	p.put("STATE.md", stateText("Beginning"))
	p.put(summaryFile(1, 1), "---\nphase: 01-part\nplan: 01\nstatus: halted\n---\n\n# Summary\n\nStopped by design.\n")
	old := time.Now().Add(-150 * time.Minute)
	err := filepath.WalkDir(p.dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// tenRows returns a project whose tree has ten rows, and tenThousand one with as many nodes, nearly all of them visible rows.
func tenRows(tb testing.TB) *project     { return grow(tb, 2, 3, 0) }
func tenThousand(tb testing.TB) *project { return grow(tb, 100, 9, 10) }

func planFile(phase, plan int) string {
	return fmt.Sprintf("phases/%02d-"+landmark+"/%02d-%02d-PLAN.md", phase, phase, plan)
}

func summaryFile(phase, plan int) string {
	return strings.Replace(planFile(phase, plan), "PLAN", "SUMMARY", 1)
}

func planText(phase, plan, tasks int, objective string) string {
	depends := `["01-01"]`
	if phase == 1 && plan == 1 {
		depends = "[]"
	}
	var t strings.Builder
	fmt.Fprintf(&t, "---\nphase: %02d-part\nplan: %02d\ntype: execute\nwave: 1\ndepends_on: %s\nfiles_modified: [part%d/reader.go]\nautonomous: true\n", phase, plan, depends, phase)
	fmt.Fprintf(&t, "must_haves:\n  truths:\n    - \"a record that was written can be read again\"\n---\n\n<objective>\n%s\n</objective>\n\n<tasks>\n", objective)
	for i := 1; i <= tasks; i++ {
		fmt.Fprintf(&t, "\n<task type=\"auto\">\n  <name>Task %d: the record of kind %d</name>\n  <files>part%d/kind%d.go</files>\n  <action>Write it as the format says.</action>\n  <verify>go test ./...</verify>\n  <done>it is written</done>\n</task>\n", i, i, phase, i)
	}
	t.WriteString("\n</tasks>\n")
	return t.String()
}

// stateText returns a STATE.md. The name of the milestone is in the first line of the dashboard.
func stateText(name string) string {
	return "---\ngsd_state_version: '1.0'\nmilestone: v1.0\nmilestone_name: " + name + "\nstatus: executing\nactive_phase: \"1\"\nprogress:\n  percent: 0\n---\n\n# State\n\nPhase: 1 (" + landmark + ")\n"
}

func (p *project) path(name string) string { return filepath.Join(p.dir, ".planning", name) }

// put writes a file of the project.
func (p *project) put(name, text string) {
	p.tb.Helper()
	path := p.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.tb.Fatal(err)
	}
}

// replace replaces a file by rename, as careful agents do, and returns the time.
func (p *project) replace(name, text string) time.Time {
	p.tb.Helper()
	p.writes++
	path := p.path(name)
	temp := fmt.Sprintf("%s.tmp.%d", path, p.writes)
	if err := os.WriteFile(temp, []byte(text), 0o644); err != nil {
		p.tb.Fatal(err)
	}
	at := time.Now()
	if err := os.Rename(temp, path); err != nil {
		p.tb.Fatal(err)
	}
	return at
}

// fresh returns a word that shares no letter at the same place with the previous and the surrounding words. A dashboard that
// writes only changed cells has to write all of it.
func fresh(i int) string {
	word := make([]byte, 9)
	for j := range word {
		word[j] = 'a' + byte((i*5+j*7)%26)
	}
	word[0] -= 'a' - 'A'
	return string(word)
}
