package gsd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/model/modeltest"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/fuzz"
)

// treeLimit is the maximum length in bytes of a text that is put into every file of a project: reading them takes a millisecond.
const treeLimit = 120

// seeds are texts of every kind of file; each target gets all of them, in pieces.
var seeds = []string{
	"", "---", "---\n", "---\n---\n", "---\nstatus: executing\nprogress:\n  percent: 59\n---\n\nPhase: 4 of 7 (API)\n## Blockers\n- [Phase 2]: no key\n",
	"\uFEFF---\r\nstatus: x\r\n---\r\n", "---\nstatus: \"unclosed\n---\n", uatText,
	"---\nwave: 2\ndepends_on: [03-01, \"02\"]\nautonomous: false\n---\n<tasks>\n<task type=\"checkpoint:decision\" gate=\"blocking\">\n<name>Task 1: x</name>\n<decision>a\nb</decision>\n</task>\n<task\n",
	"---\nstatus: human_needed\nhuman_verification:\n- test: a\n  expected: b\n- c\n---\n## Human Verification Required\n### 1. x\n**Expected:** y\n",
	"{\"status\":\"waiting\",\"question\":\"?\",\"options\":[1,{\"label\":\"x\"},null],\"phase\":3.50}",
	"- [x] ~~**Phase 04.5: X (INSERTED)**~~ - y\n### [tag] Phase PROJ-12A (z): n\n| Phase | Status |\n|---|---|\n| 1. a | Complete |\n<details><summary>✅ v1.0 a (Phases 1–8.9) — SHIPPED</summary>\n",
	"\x00\xff\xfe\x1b]0;title\a\u202e", strings.Repeat("- [ ] 01-01: x\n", 50), "<task>" + strings.Repeat("<task >\n", 40),
}

// TestWholeSeeds reads seeds that are too long for the fuzzer.
func TestWholeSeeds(t *testing.T) {
	check := checkTree(t)
	for _, s := range seeds {
		check(t, s)
	}
}

// FuzzTree reads a whole project that has one text in every place.
func FuzzTree(f *testing.F) { fuzz.Text(f, treeLimit, seeds, checkTree(f)) }

// checkTree returns the check, which uses one directory: creating the files takes longer than reading them.
func checkTree(tb testing.TB) func(t *testing.T, text string) {
	dir := tb.TempDir()
	var paths []string
	for _, name := range []string{
		"STATE.md", "ROADMAP.md", "WAITING.json", "HANDOFF.json", "config.json", ".continue-here.md", "todos/pending/a.md",
		"phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md", "phases/01-a/01-VERIFICATION.md", "phases/01-a/01-UAT.md",
		"phases/02-b/02-01-PLAN.md", "phases/02-b/.continue-here.md",
	} {
		path := filepath.Join(dir, Planning, name)
		must(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		paths = append(paths, path)
	}
	return func(t *testing.T, text string) {
		for _, path := range paths {
			must(t, os.WriteFile(path, []byte(text), 0o644))
		}
		r := Readers(mirror.New(dir))[0]
		b := r.Read(now)
		r.Check(now)
		modeltest.CheckShown(t, b)
		// Phase 2 has a plan without a summary: unless the roadmap strikes the phase through, no text may claim completion.
		if strings.Contains(text, "~~") {
			return
		}
		for _, header := range []string{line.Full(b.Header), line.Compact(b.Header)} {
			if scene, _ := b.Header.Scene(); scene == 3 || strings.HasSuffix(header, "milestone complete") && !strings.Contains(text, "milestone complete") {
				t.Errorf("the header says %q", header)
			}
		}
	}
}
