package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/conformance"
	"gatehouse/parse/protocol"
)

// heap returns how many bytes are in use after garbage collection.
func heap() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // collects what finalizers released
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// TestRewrittenFilesKeepNothing rewrites files of each protocol many times, each time with new content that the dashboard may remember.
// A remembered part must not keep the file in memory that it was cut from.
func TestRewrittenFilesKeepNothing(t *testing.T) {
	const size = 64 << 10
	pad := strings.Repeat("padding ", size/8)
	conformance.OwnRows(t, "rewritten.jsonl", func(t *testing.T, r struct {
		ID    string
		Files map[string]string
	}) {
		files := func(i int) map[string]string {
			all := map[string]string{}
			for file, text := range r.Files {
				all[file] = strings.NewReplacer("{i}", fmt.Sprint(i), "{pad}", pad).Replace(text)
				if strings.HasSuffix(r.ID, "emptied") && i%2 == 1 {
					all[file] = "{}"
				}
			}
			return all
		}
		dir := t.TempDir()
		if strings.HasPrefix(r.ID, "gsd") {
			put(t, dir, ".planning/STATE.md", "---\ngsd_state_version: 1.0\nmilestone: v1.0\nmilestone_name: Name\nstatus: executing\n---\n\n# State\n")
		}
		for file, text := range files(0) {
			put(t, dir, file, text)
		}
		p := open(t, dir, "")
		var shown *model.Project
		rewrite := func(from, to int) int {
			for i := from; i < to; i++ {
				var paths []string
				for file, text := range files(i) {
					put(t, dir, file, text)
					paths = append(paths, filepath.Join(dir, file))
				}
				p.Touch(paths...)
				if shown = p.Read(noon); len(shown.Builds) == 0 {
					t.Fatalf("there is no build: %v", shown.Problems)
				}
			}
			return heap()
		}
		few := rewrite(0, 6)
		many := rewrite(6, 30)
		if many > few+size {
			t.Errorf("after 6 rewrites %d KiB are in use, after 30 %d KiB", few>>10, many>>10)
		}
		runtime.KeepAlive(p)
		runtime.KeepAlive(shown)
	})
}

// TestFilesThatComeAndGoKeepNothing makes each reading name other files and directories than the one before.
func TestFilesThatComeAndGoKeepNothing(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, dir string, i int){
		"deliverables that are nowhere": func(t *testing.T, dir string, i int) {
			var all []string
			for n := range 200 {
				all = append(all, fmt.Sprintf("%q", fmt.Sprintf("away-%d/%d/%s/out.md", i, n, strings.Repeat("x", 80))))
			}
			put(t, dir, "sample-state.json", `{"loop":"sample","status":"active","phases":{"P":{"status":"active"}},"gates":{"g":{"status":"pending","deliverables":[`+strings.Join(all, ",")+`]}}}`)
		},
		"plans": func(t *testing.T, dir string, i int) {
			put(t, dir, ".planning/STATE.md", "---\nmilestone: v1\n---\n")
			must(t, os.RemoveAll(filepath.Join(dir, fmt.Sprintf(".planning/phases/01-%d", i-1))))
			for n := range 20 {
				put(t, dir, fmt.Sprintf(".planning/phases/01-%d/01-%02d-PLAN.md", i, n), fmt.Sprintf("---\nplan: %d\n---\n\n<objective>\n%s\n</objective>\n", i, strings.Repeat("y", 500)))
			}
		},
		"logs": func(t *testing.T, dir string, i int) {
			put(t, dir, ".planning/STATE.md", "# Project State\n")
			must(t, os.RemoveAll(filepath.Join(dir, ".ultraplan/logs/executions")))
			for n := range 20 {
				put(t, dir, fmt.Sprintf(".ultraplan/logs/executions/2026-01-%02d/01-01-task-%d-success.yaml", 1+i%28, i*100+n), "result:\n  status: success\n  task_name: "+strings.Repeat("z", 500)+"\n")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			change(t, dir, 0)
			p := open(t, dir, "")
			var shown *model.Project
			play := func(from, to int) int {
				for i := from; i < to; i++ {
					change(t, dir, i)
					p.Touch()
					shown = p.Read(noon)
				}
				return heap()
			}
			few := play(0, 5)
			many := play(5, 45)
			if most := few + few/10; many > most {
				t.Errorf("after 5 rounds %d KiB are in use, after 45 %d KiB", few>>10, many>>10)
			}
			runtime.KeepAlive(p)
			runtime.KeepAlive(shown)
		})
	}
}

// TestDenseFilesTakeLittle reads large files full of entries, each of which could expand a hundredfold in memory. The memory that is
// kept is bounded, and so is the memory that reading takes.
func TestDenseFilesTakeLittle(t *testing.T) {
	const kept, taken = 24 << 20, 250 << 20
	const size, side = 2 << 20, protocol.SideLimit // a larger file next to a state is not read
	conformance.OwnRows(t, "dense.jsonl", func(t *testing.T, c struct {
		File, Head, Item, Tail string
		Numbered, Side         bool
	}) {
		most, item := size, func(int) string { return c.Item }
		if c.Side {
			most = side
		}
		if c.Numbered {
			item = func(i int) string { return fmt.Sprintf(c.Item, i) }
		}
		var b strings.Builder
		b.WriteString(c.Head)
		for i := 0; b.Len() < most-len(c.Tail)-len(c.Item)-len("100000"); i++ {
			b.WriteString(item(i))
		}
		text := b.String() + c.Tail
		if c.Numbered {
			text = strings.TrimSuffix(b.String(), ",") + c.Tail
		}
		dir := t.TempDir()
		put(t, dir, ".planning/STATE.md", "---\nmilestone: v1\n---\n")
		if strings.HasPrefix(c.File, ".ultraplan") || strings.Contains(c.File, "01-02-PLAN") || strings.HasPrefix(text, "# Project") {
			put(t, dir, ".planning/STATE.md", "# Project State\n")
			put(t, dir, ".ultraplan/state/continue.md", "# Next\n")
		}
		put(t, dir, c.File, text)
		p := open(t, dir, "")
		before := heap()
		var start, end runtime.MemStats
		runtime.ReadMemStats(&start)
		p.Touch()
		began := time.Now()
		shown := p.Read(noon)
		if took := time.Since(began); took > 10*time.Second { // half a second on a busy machine
			t.Errorf("reading took %v", took)
		}
		runtime.ReadMemStats(&end)
		if used := heap() - before; used > kept || !raceDetector && end.TotalAlloc-start.TotalAlloc > taken {
			t.Errorf("%d MiB are kept, reading took %d MiB", used>>20, (end.TotalAlloc-start.TotalAlloc)>>20)
		}
		if len(shown.Builds) == 0 {
			t.Error("there is no build")
		}
		runtime.KeepAlive(p)
	})
}
