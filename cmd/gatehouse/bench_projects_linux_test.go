package main_test

// What many projects cost: the time until they are shown, memory, processor time at rest, and quitting while they are still read.

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// benchProjects measures the dashboard on one project and on many.
func benchProjects(b *testing.B, bin string) {
	for _, c := range []struct {
		n                  int
		first, data, memMB float64
	}{{1, 50, 0, 0}, {12, 50, 0, 0}, {100, 150, 150, 60}, {1_000, 0, 600, 0}, {10_000, 0, 5_000, 0}} {
		b.Run(fmt.Sprint(c.n), func(b *testing.B) {
			dir, command := plantProjects(b, c.n)
			seen := command[min(3, c.n-1)] // something waits in it, so it is at the top
			command = append([]string{bin}, command...)
			defer busy(b)()
			var firstMS, dataMS, quitMS, memory, cpu []float64
			for b.Loop() {
				for range 3 {
					t := openPTY(b, large, false, dir, command...)
					first, _ := t.waitForFrame(0)
					_, data := t.waitForWords(0, seen, "live")
					firstMS, dataMS = append(firstMS, ms(t.started, first)), append(dataMS, ms(t.started, data))
					t.close()
				}
				took := time.Duration(median(dataMS) * float64(time.Millisecond))
				for part := range 10 { // while it is opened, watched and read, and afterwards
					t := openPTY(b, large, false, dir, command...)
					time.Sleep(took * time.Duration(part) / 8)
					asked := t.press("q")
					at, code := t.waitEnd()
					quitMS = append(quitMS, ms(asked, at))
					if code != 0 {
						b.Errorf("exit code %d", code)
					}
					t.checkRestored()
					t.close()
				}
				t := openPTY(b, large, false, dir, command...)
				t.waitForWords(0, seen, "live")
				t.settle(time.Second)
				memory = append(memory, t.mebibytes("VmRSS:"))
				cpu = append(cpu, t.atRest(15*time.Second))
				t.close()
			}
			report(b, median(firstMS), "first-byte-ms", c.first)
			report(b, median(dataMS), "data-ms", c.data)
			report(b, percentile(quitMS, 100), "q-max-ms", 100)
			report(b, median(memory), "rss-MiB", c.memMB)
			report(b, median(cpu), "idle-cpu-%", 0)
		})
	}
}

// atRest waits, and returns the processor time used in that time, in percent of one processor.
func (t *terminal) atRest(long time.Duration) float64 {
	cpu, start := t.cpu(), time.Now()
	time.Sleep(long)
	return (t.cpu() - cpu).Seconds() / time.Since(start).Seconds() * 100
}

// plantProjects writes projects of all protocols into one directory, and returns it and their names.
func plantProjects(b *testing.B, n int) (dir string, names []string) {
	b.Helper()
	dir = b.TempDir()
	old := time.Now().Add(-150 * time.Minute)
	put := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			b.Fatal(err)
		}
	}
	for i := range n {
		name := fmt.Sprintf("p%05d", i)
		names = append(names, name)
		switch i % 4 {
		case 0:
			put(name+"/.planning/STATE.md", stateText("Beginning"))
			put(name+"/.planning/ROADMAP.md", "# Roadmap\n\n- [ ] **Phase 1: "+landmark+"** - one part\n")
			put(name+"/.planning/phases/01-"+landmark+"/01-01-PLAN.md", planText(1, 1, 2, "Do"))
		case 1:
			put(name+"/sample-state.json", `{"loop":"sample","version":"1.0.0","status":"active","phase":"BUILD","phases":{"FRAME":{"status":"complete"},"BUILD":{"status":"active"}},"gates":{"frame-gate":{"status":"pending"}}}`)
		case 2:
			put(name+"/.fctry/state.json", `{"currentCommand":"execute","buildRun":{"status":"running","plan":{"chunks":[{"id":1,"name":"One","status":"completed"},{"id":2,"name":"Two","status":"active"}]}},"buildEvents":[{"kind":"chunk-started","timestamp":"2026-01-01T00:00:00Z","chunk":"Two"}]}`)
		case 3:
			put(name+"/.planning/STATE.md", "# Project State\n\n## Current Position\n\nPhase: 1 of 1 ("+landmark+")\nPlan: 1 of 1\nStatus: In progress\n")
			put(name+"/.planning/phases/01-"+landmark+"/01-01-PLAN.md", planText(1, 1, 2, "Do"))
			put(name+"/.ultraplan/state/continue.md", "# Next\n\n- go on\n")
		}
	}
	return dir, names
}
