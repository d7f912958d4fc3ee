package main

// The projects and programs for measurements, how agents write into them, and what a program needs.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// landmark is the title of all phases: a word that is visible in the tree of every project, on every screen.
const landmark = "weathervane"

// benchProject is a GSD project on disk.
type benchProject struct {
	tb  testing.TB
	dir string
}

// grow writes a project of phases with plans of tasks. Its files are hours old, so that no age changes during a
// measurement. One plan was halted and all others depend on it: the tree unfolds faulty branches by itself, so
// nearly every task has its row.
func grow(tb testing.TB, phases, plans, tasks int) *benchProject {
	tb.Helper()
	p := &benchProject{tb: tb, dir: tb.TempDir()}
	var road strings.Builder
	road.WriteString("# Roadmap\n\n## Phases\n\n")
	for i := 1; i <= phases; i++ {
		fmt.Fprintf(&road, "- [ ] **Phase %d: %s** - one part\n", i, landmark)
		for n := 1; n <= plans; n++ {
			p.put(benchPlan(i, n), planText(i, n, tasks, "Read-and-write-the-records"))
		}
	}
	p.put(".planning/ROADMAP.md", road.String())
	p.put(stateFile, stateText("Beginning"))
	p.put(benchSummary(1, 1), "---\nphase: 01-part\nplan: 01\nstatus: halted\n---\n\n# Summary\n\nStopped by design.\n")
	p.must(date(p.dir, time.Now().Add(-150*time.Minute)))
	return p
}

// tenRows returns a project whose tree has ten rows, and tenThousand one with as many nodes, nearly all of them visible rows.
func tenRows(tb testing.TB) *benchProject     { return grow(tb, 2, 3, 0) }
func tenThousand(tb testing.TB) *benchProject { return grow(tb, 100, 9, 10) }

const stateFile = "/.planning/STATE.md"

func benchPlan(phase, plan int) string {
	return fmt.Sprintf(".planning/phases/%02d-"+landmark+"/%02d-%02d-PLAN.md", phase, phase, plan)
}

func benchSummary(phase, plan int) string {
	return strings.Replace(benchPlan(phase, plan), "PLAN", "SUMMARY", 1)
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

// put writes a file of the project.
func (p *benchProject) put(name, text string) {
	p.tb.Helper()
	path := filepath.Join(p.dir, name)
	p.must(errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
}

func (p *benchProject) must(err error) {
	p.tb.Helper()
	if err != nil {
		p.tb.Fatal(err)
	}
}

// replace replaces a file by rename, as careful agents do, and returns the time.
func (p *benchProject) replace(name, text string) time.Time {
	p.tb.Helper()
	p.put(name+".tmp", text)
	at := time.Now()
	path := filepath.Join(p.dir, name)
	p.must(os.Rename(path+".tmp", path))
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

// openDrawn starts the dashboard on a terminal that answers, and returns when it is drawn completely.
func openDrawn(tb testing.TB, at size, p *benchProject, bin string) *pty {
	tb.Helper()
	t := openPTY(tb, at, false, p.dir, bin)
	t.waitForWords(0, landmark)
	t.settle(300 * time.Millisecond)
	return t
}

// buildProgram builds a package like a release.
func buildProgram(tb testing.TB, dir string) string {
	tb.Helper()
	bin := filepath.Join(tb.TempDir(), "program")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-buildmode=exe", "-o", bin, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, output)
	}
	return bin
}

// lantern returns a loop that waits at a gate, and the text of its state.
func lantern(tb testing.TB) (p *benchProject, pending string) {
	tb.Helper()
	p = &benchProject{tb: tb, dir: tb.TempDir()}
	p.must(unpack("lantern", p.dir))
	text, err := os.ReadFile(filepath.Join(p.dir, lanternState))
	p.must(err)
	return p, string(text)
}

const lanternState = "lantern-state.json"

// mebibytes returns a size in the process's status file.
func (t *pty) mebibytes(field string) float64 {
	t.tb.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.cmd.Process.Pid))
	if err != nil {
		t.tb.Fatal(err)
	}
	return number(text, field) / 1024
}

// number returns the number after a field's name.
func number(text []byte, field string) float64 {
	_, after, _ := bytes.Cut(text, []byte(field))
	words := bytes.Fields(after)
	if len(words) == 0 {
		return 0
	}
	n, _ := strconv.ParseFloat(string(words[0]), 64)
	return n
}

// threads reads a file of each thread of the process.
func (t *pty) threads(name string) (texts [][]byte) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/%s", t.cmd.Process.Pid, name))
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil { // else the thread is gone
			texts = append(texts, text)
		}
	}
	return texts
}

// cpu returns the processor time of all threads.
func (t *pty) cpu() (sum time.Duration) {
	for _, text := range t.threads("schedstat") {
		sum += time.Duration(number(text, ""))
	}
	return sum
}

// atRest waits, and returns the processor time used in that time, in percent of one processor.
func (t *pty) atRest(long time.Duration) float64 {
	cpu, start := t.cpu(), time.Now()
	time.Sleep(long)
	return (t.cpu() - cpu).Seconds() / time.Since(start).Seconds() * 100
}

// plantProjects writes projects of all protocols into one directory, and returns it and their names.
func plantProjects(tb testing.TB, n int) (dir string, names []string) {
	tb.Helper()
	p := &benchProject{tb: tb, dir: tb.TempDir()}
	for i := range n {
		name := fmt.Sprintf("p%05d", i)
		names = append(names, name)
		switch i % 4 {
		case 0:
			p.put(name+stateFile, stateText("Beginning"))
			p.put(name+"/.planning/ROADMAP.md", "# Roadmap\n\n- [ ] **Phase 1: "+landmark+"** - one part\n")
			p.put(name+"/"+benchPlan(1, 1), planText(1, 1, 2, "Do"))
		case 1:
			p.put(name+"/sample-state.json", `{"loop":"sample","version":"1.0.0","status":"active","phase":"BUILD","phases":{"FRAME":{"status":"complete"},"BUILD":{"status":"active"}},"gates":{"frame-gate":{"status":"pending"}}}`)
		case 2:
			p.put(name+"/.fctry/state.json", `{"currentCommand":"execute","buildRun":{"status":"running","plan":{"chunks":[{"id":1,"name":"One","status":"completed"},{"id":2,"name":"Two","status":"active"}]}},"buildEvents":[{"kind":"chunk-started","timestamp":"2026-01-01T00:00:00Z","chunk":"Two"}]}`)
		case 3:
			p.put(name+stateFile, "# Project State\n\n## Current Position\n\nPhase: 1 of 1 ("+landmark+")\nPlan: 1 of 1\nStatus: In progress\n")
			p.put(name+"/"+benchPlan(1, 1), planText(1, 1, 2, "Do"))
			p.put(name+"/.ultraplan/state/continue.md", "# Next\n\n- go on\n")
		}
	}
	p.must(date(p.dir, time.Now().Add(-150*time.Minute)))
	return p.dir, names
}
