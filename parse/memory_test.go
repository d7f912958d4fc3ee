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
	const gsdState = "---\ngsd_state_version: 1.0\nmilestone: v1.%d\nmilestone_name: Name %[1]d\nstatus: executing %[1]d\n---\n\n# State\n\n## Blockers\n\n- blocked by %[1]d\n\n%[2]s\n"
	const ultraState = "# Project State\n\n## Current Position\n\nPhase: 1 of 1 (Name %d)\nPlan: 1 of 1\nStatus: In progress %[1]d\n\n### Blockers\n\n- blocked by %[1]d\n\n%[2]s\n"
	const loopState = `{"loop":"sample-loop","version":"1.0.0","status":"active","phase":"P%d","phases":{"P%[1]d":{"status":"active","deliverables":["d%[1]d/out.md"]}},"gates":{"gate-%[1]d":{"status":"pending","deliverables":["e%[1]d/out.md"]}},"pad":"%[2]s"}`
	const fctryState = `{"currentCommand":"execute %d","pad":"%[2]s","buildRun":{"status":"running","plan":{"chunks":[{"id":"c%[1]d","name":"Chunk %[1]d","status":"active"}]}},"buildEvents":[{"kind":"chunk-started","timestamp":"2026-01-01T00:00:00Z","chunk":"c%[1]d","summary":"event %[1]d","detail":"of %[1]d"}]}`
	one := func(file, text string) func(int) map[string]string {
		return func(i int) map[string]string { return map[string]string{file: fmt.Sprintf(text, i, pad)} }
	}
	for name, files := range map[string]func(i int) map[string]string{
		"gsd, the state":   one(".planning/STATE.md", gsdState),
		"gsd, the roadmap": one(".planning/ROADMAP.md", "# Roadmap\n\n- [ ] **Phase 1: Name %d** - one\n\n%s\n"),
		"gsd, a plan":      one(".planning/phases/01-a/01-01-PLAN.md", "---\nphase: 01-a\nplan: 01\n---\n\n<objective>\nDo %d\n</objective>\n\n%s\n"),
		"gsd, a summary":   one(".planning/phases/01-a/01-01-SUMMARY.md", "---\nstatus: word %d\n---\n\n%s\n"),
		"gsd, a UAT":       one(".planning/phases/01-a/01-UAT.md", "---\nstatus: testing\n---\n\n## Tests\n\n### 1. Test %d\nexpected: it works %[1]d\nresult: [pending]\n\n## Rest\n\n%[2]s\n"),
		"gsd, a verification": one(".planning/phases/01-a/01-VERIFICATION.md",
			"---\nstatus: human_needed\nhuman_verification:\n  - test: \"look %d\"\n    expected: \"fine\"\n---\n\n%s\n"),
		"gsd, a hand-over": one(".planning/HANDOFF.json", `{"status":"paused","context_notes":"reason %d","human_actions_pending":["do %[1]d"],"pad":"%[2]s"}`),
		"gsd, a question":  one(".planning/WAITING.json", `{"status":"waiting","question":"go on with %d?","pad":"%s"}`),
		"gsd, a todo":      one(".planning/todos/pending/one.md", "title: todo %d\n\n%s\n"),
		"ultraplan, the state": func(i int) map[string]string {
			return map[string]string{".planning/STATE.md": fmt.Sprintf(ultraState, i, pad), ".ultraplan/state/continue.md": fmt.Sprintf("# Next\n\n- step %d\n%s", i, pad)}
		},
		"ultraplan, a log": func(i int) map[string]string {
			return map[string]string{".planning/STATE.md": fmt.Sprintf(ultraState, 0, ""), ".ultraplan/logs/executions/2026-01-01/01-01-task-01-success.yaml": fmt.Sprintf(
				"logged_at: \"2026-01-01T00:00:00Z\"\nplan_id: \"01-01\"\ntask_index: 1\nresult:\n  status: success\n  task_name: name %d\n  evidence: |\n    %s\n", i, pad)}
		},
		"ultraplan, the session": func(i int) map[string]string {
			return map[string]string{".planning/STATE.md": fmt.Sprintf(ultraState, 0, ""),
				".ultraplan/logs/current-session.json": fmt.Sprintf(`{"session_id":"s%d","plan_id":"01-01","tasks":[{"task_name":"task %[1]d","status":"executing"}],"pad":"%[2]s"}`, i, pad)}
		},
		"ultraplan, the events": func(i int) map[string]string {
			return map[string]string{".planning/STATE.md": fmt.Sprintf(ultraState, 0, ""),
				".ultraplan/state/events.jsonl": fmt.Sprintf("{\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"event-%d\",\"pad\":\"%s\"}\n", i, pad)}
		},
		"loop, the state": one("sample-state.json", loopState),
		"loop, the definition": func(i int) map[string]string {
			return map[string]string{"sample-state.json": fmt.Sprintf(loopState, 0, ""),
				"loop.json": fmt.Sprintf(`{"id":"sample-loop","name":"Name %d","phases":[{"name":"P0","deliverables":["f%[1]d/x.md"]}],"pad":"%[2]s"}`, i, pad)}
		},
		"fctry, the state": one(".fctry/state.json", fctryState),
		"fctry, a state that is emptied": func(i int) map[string]string {
			if i%2 == 1 {
				return map[string]string{".fctry/state.json": "{}"}
			}
			return one(".fctry/state.json", fctryState)(i)
		},
		"fctry, a state that breaks off": func(i int) map[string]string {
			text := fmt.Sprintf(fctryState, i, pad)
			return map[string]string{".fctry/state.json": text[:len(text)-i%2]}
		},
		"fctry, the inbox": one(".fctry/inbox.json", `[{"id":"i%d","type":"feature","content":"item %[1]d","status":"pending","pad":"%[2]s"}]`),
		"fctry, the spec":  one(".fctry/spec.md", "---\nstatus: word %d\n---\n\n## 1. Name %[1]d {#name-%[1]d}\n\n%[2]s\n"),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if strings.HasPrefix(name, "gsd") {
				put(t, dir, ".planning/STATE.md", fmt.Sprintf(gsdState, 0, ""))
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
	fill := func(size int, head, item, tail string) string {
		return head + strings.Repeat(item, (size-len(head)-len(tail))/len(item)) + tail
	}
	numbered := func(size int, head, item, tail string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; b.Len() < size-len(tail)-len(item)-len("100000"); i++ {
			fmt.Fprintf(&b, item, i)
		}
		return strings.TrimSuffix(b.String(), ",") + tail
	}
	for name, c := range map[string]struct{ file, text string }{
		"blockers":           {".planning/STATE.md", fill(size, "---\nmilestone: v1\n---\n\n### Blockers\n\n", "- x\n", "")},
		"phases":             {".planning/ROADMAP.md", numbered(size, "# Roadmap\n\n", "- [ ] **Phase %d: a** - b\n", "")},
		"headings":           {".planning/ROADMAP.md", numbered(size, "# Roadmap\n\n", "### Phase %d: a\n", "")},
		"tasks":              {".planning/phases/01-a/01-01-PLAN.md", fill(size, "---\nplan: 01\n---\n<tasks>\n", "<task>\n<name>a</name>\n</task>\n", "")},
		"tasks of ultraplan": {".planning/phases/01-a/01-02-PLAN.md", fill(size, "---\nplan: 02\n---\n<tasks>\n", "<task type=\"auto\">\n<name>a</name>\n</task>\n", "")},
		"criteria":           {".planning/phases/01-a/01-02-PLAN.md", fill(size, "<tasks>\n</tasks>\n<success_criteria>\n", "- [ ] a\n", "</success_criteria>\n")},
		"dependencies":       {".planning/phases/01-a/01-01-PLAN.md", fill(size, "---\nplan: 01\ndepends_on: [", "a,", "a]\n---\n")},
		"tests":              {".planning/phases/01-a/01-UAT.md", fill(size, "---\nstatus: testing\n---\n\n## Tests\n\n", "### a\n", "")},
		"checks":             {".planning/phases/01-a/01-VERIFICATION.md", fill(size, "---\nstatus: human_needed\nhuman_verification:\n", "  - test: a\n", "---\n")},
		"actions":            {".planning/HANDOFF.json", fill(side, `{"status":"paused","human_actions_pending":[`, `"a",`, `"a"]}`)},
		"options":            {".planning/WAITING.json", fill(side, `{"status":"waiting","question":"q","options":[`, `"a",`, `"a"]}`)},
		"tasks of a session": {".ultraplan/logs/current-session.json", fill(side, `{"tasks":[`, `{},`, `{}]}`)},
		"retries":            {".ultraplan/state/retry-state.json", numbered(side, `{"task_retries":{`, `"%d":{},`, `}}`)},
		"long events":        {".ultraplan/state/events.jsonl", strings.Repeat(`{"payload":{"a":[`+strings.Repeat("1,", 1<<16)+"1]}}\n", 15)},
		"skips":              {".planning/STATE.md", fill(size, "# Project State\n\nskipped_tasks:\n", "  - task: a\n", "")},
		"files of a log":     {".ultraplan/logs/executions/2026-01-01/01-01-task-01-success.yaml", fill(size, "result:\n  status: 'success'\n  files_modified:\n", "    - a\n", "")},
		"loop phases":        {"sample-state.json", numbered(size, `{"loop":"l","phases":{`, `"%d":{"status":"active"},`, `},"gates":{}}`)},
		"loop lines":         {"sample-state.json", `{"loop":"l","phases":{"p":{"status":"active"}},"gates":{}` + strings.Repeat("\n", size) + `}`},
		"chunks":             {".fctry/state.json", numbered(size, `{"buildRun":{"status":"running","plan":{"chunks":[`, `{"id":%d,"name":"c","status":"planned"},`, `]}}}`)},
		"events":             {".fctry/state.json", fill(size, `{"buildEvents":[`, `{"kind":"a"},`, `{}]}`)},
		"items":              {".fctry/inbox.json", fill(size, `[`, `{"id":"a"},`, `{}]`)},
		"lines":              {".fctry/state.json", "{" + strings.Repeat("\n", size) + "}"},
		"sections":           {".fctry/spec.md", numbered(size, "", "## %d. a {#a}\n", "")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, ".planning/STATE.md", "---\nmilestone: v1\n---\n")
			if strings.HasPrefix(c.file, ".ultraplan") || strings.Contains(c.file, "01-02-PLAN") || strings.HasPrefix(c.text, "# Project") {
				put(t, dir, ".planning/STATE.md", "# Project State\n")
				put(t, dir, ".ultraplan/state/continue.md", "# Next\n")
			}
			put(t, dir, c.file, c.text)
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
}
