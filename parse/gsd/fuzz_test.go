package gsd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/fuzz"
)

// treeLimit is how long a text may be, in bytes, that stands in every file of a project: to read them takes a millisecond.
const treeLimit = 120

// seeds are texts of every kind of file; each target gets all of them, in pieces.
var seeds = []string{
	"", "---", "---\n", "---\n---\n", "---\nstatus: executing\nprogress:\n  percent: 59\n---\n\nPhase: 4 of 7 (API)\n## Blockers\n- [Phase 2]: no key\n",
	"\uFEFF---\r\nstatus: x\r\n---\r\n", "---\nstatus: \"unclosed\n---\n", roadmapText, uatText,
	"---\nwave: 2\ndepends_on: [03-01, \"02\"]\nautonomous: false\n---\n<tasks>\n<task type=\"checkpoint:decision\" gate=\"blocking\">\n<name>Task 1: x</name>\n<decision>a\nb</decision>\n</task>\n<task\n",
	"---\nstatus: human_needed\nhuman_verification:\n- test: a\n  expected: b\n- c\n---\n## Human Verification Required\n### 1. x\n**Expected:** y\n",
	"{\"status\":\"waiting\",\"question\":\"?\",\"options\":[1,{\"label\":\"x\"},null],\"phase\":3.50}",
	"- [x] ~~**Phase 04.5: X (INSERTED)**~~ - y\n### [tag] Phase PROJ-12A (z): n\n| Phase | Status |\n|---|---|\n| 1. a | Complete |\n<details><summary>✅ v1.0 a (Phases 1–8.9) — SHIPPED</summary>\n",
	"\x00\xff\xfe\x1b]0;title\a\u202e", strings.Repeat("- [ ] 01-01: x\n", 50), "<task>" + strings.Repeat("<task >\n", 40),
}

// TestWholeSeeds has every target read what is too long for the fuzzer.
func TestWholeSeeds(t *testing.T) {
	tree := checkTree(t)
	for _, check := range []func(*testing.T, string){checkState, checkRoadmap, checkPlan, checkVerification, checkUAT, checkSideFiles, tree} {
		for _, s := range seeds {
			check(t, s)
		}
	}
}

// lineIn fails when a line number points outside of a text.
func lineIn(t *testing.T, text string, line int, what string) {
	t.Helper()
	if line < 0 || line > strings.Count(text, "\n")+1 {
		t.Errorf("%s is on line %d of %d", what, line, strings.Count(text, "\n")+1)
	}
}

func FuzzState(f *testing.F) { fuzz.Text(f, fuzz.Limit, seeds, checkState) }

func checkState(t *testing.T, text string) {
	s, _ := parseState(text)
	s.paused()
	for _, b := range s.blockers {
		lineIn(t, text, b.line, "a blocker")
	}
	lineIn(t, text, s.statusLine, "status")
	lineIn(t, text, s.percentLine, "percent")
}

func FuzzRoadmap(f *testing.F) { fuzz.Text(f, fuzz.Limit, seeds, checkRoadmap) }

func checkRoadmap(t *testing.T, text string) {
	r, err := parseRoadmap(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.phases {
		lineIn(t, text, p.line, "phase "+p.id.text)
		if r.byKey[p.id.key] != p {
			t.Errorf("phase %q is not found by its key %q", p.id.text, p.id.key)
		}
		if p.id.sentinel() {
			t.Errorf("%q is no phase", p.id.text)
		}
		r.owner(p.id, "")
	}
}

func FuzzPlan(f *testing.F) { fuzz.Text(f, fuzz.Limit, seeds, checkPlan) }

func checkPlan(t *testing.T, text string) {
	p, _ := parsePlan(text)
	last := 0
	for _, task := range p.tasks {
		lineIn(t, text, task.line, "a task")
		if task.line < last {
			t.Errorf("a task on line %d comes after one on line %d", task.line, last)
		}
		last = task.line
	}
	if s, _ := parseSummary(text); s.halted && !strings.Contains(strings.ToLower(text), "halted") {
		t.Error("halted, out of nothing")
	}
}

func FuzzVerification(f *testing.F) { fuzz.Text(f, fuzz.Limit, seeds, checkVerification) }

func checkVerification(t *testing.T, text string) {
	v, _ := parseVerification(text)
	for _, c := range v.human {
		lineIn(t, text, c.line, "a check")
	}
	if v.status == "passed" && !strings.Contains(strings.ToLower(text), "passed") {
		t.Error("passed, out of nothing")
	}
}

func FuzzUAT(f *testing.F) { fuzz.Text(f, fuzz.Limit, seeds, checkUAT) }

func checkUAT(t *testing.T, text string) {
	u, _ := parseUAT(text)
	for _, test := range u.tests {
		lineIn(t, text, test.line, "a test")
		lineIn(t, text, test.resLine, "a result")
		if test.passed() && !strings.Contains(strings.ToLower(text), "pass") {
			t.Error("passed, out of nothing")
		}
	}
}

func FuzzSideFiles(f *testing.F) { fuzz.Text(f, fuzz.Limit, seeds, checkSideFiles) }

func checkSideFiles(_ *testing.T, text string) {
	_, _ = parseWaiting(text)
	_, _ = parseHandoff(text)
	_, _ = parseContinue(text)
	_, _ = parseTodo(text)
	_, _ = parseConfig(text)
}

func FuzzPhaseID(f *testing.F) {
	for _, s := range []string{"03-auth", "PROJ-12A.5", "B7", "02-01-x", "99999999999999999999999", "1-2-3-4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, rest, ok := parsePhaseID(s)
		if !ok || len(s) > fuzz.Limit {
			return
		}
		if id.text+rest != s {
			t.Errorf("%q is %q and %q", s, id.text, rest)
		}
		again, _, ok := parsePhaseID(id.text)
		if !ok || again.key != id.key || again.compare(id) != 0 {
			t.Errorf("%q has key %q, alone %q", s, id.key, again.key)
		}
	})
}

// texts returns every text of a build that is shown.
func texts(b *model.Build) []string {
	all := []string{b.Title, b.Raw, b.Why}
	for _, n := range model.Walk(b.Nodes) {
		all = append(all, n.Title, n.Number, n.Raw, n.Why)
		for _, f := range n.Facts {
			all = append(all, f.Label, f.Value)
		}
		if g := n.Gate; g != nil {
			all = append(all, g.Asks, g.Expects, g.Reason)
			all = append(all, g.Options...)
		}
	}
	for _, w := range b.Waits {
		all = append(all, w.Text, w.Place)
	}
	for _, x := range b.Blockers {
		all = append(all, x.Text, x.Owner)
	}
	for _, d := range b.Divergences {
		all = append(all, d.Claim, d.Truth)
	}
	if b.Next != nil {
		all = append(all, b.Next.Command, b.Next.Why)
	}
	if b.Pause != nil {
		all = append(all, b.Pause.Reason)
	}
	return all
}

// FuzzTree reads a whole project in which one text stands in every place.
func FuzzTree(f *testing.F) { fuzz.Text(f, treeLimit, seeds, checkTree(f)) }

// checkTree returns the check, for which there is one directory: to make the files takes longer than to read them.
func checkTree(tb testing.TB) func(t *testing.T, text string) {
	dir := tb.TempDir()
	var paths []string
	for _, name := range []string{
		"STATE.md", "ROADMAP.md", "WAITING.json", "HANDOFF.json", "config.json", ".continue-here.md", "todos/pending/a.md",
		"phases/01-a/01-01-PLAN.md", "phases/01-a/01-01-SUMMARY.md", "phases/01-a/01-VERIFICATION.md", "phases/01-a/01-UAT.md",
		"phases/02-b/02-01-PLAN.md", "phases/02-b/.continue-here.md",
	} {
		path := filepath.Join(dir, Planning, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		paths = append(paths, path)
	}
	return func(t *testing.T, text string) {
		for _, path := range paths {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		r := Readers(mirror.New(dir))[0]
		b := r.Read(now)
		r.Check(now)
		ids := map[string]bool{}
		for _, n := range model.Walk(b.Nodes) {
			if ids[n.ID] {
				t.Errorf("two rows have the ID %q", n.ID)
			}
			ids[n.ID] = true
		}
		for _, s := range texts(b) {
			if s != line.Tidy(s) {
				t.Errorf("shown: %q", s)
			}
		}
		for _, w := range b.Waits {
			if !ids[w.Node] {
				t.Errorf("%q waits at %q, which has no row", w.Text, w.Node)
			}
		}
		// Phase 2 has a plan without a summary: unless the roadmap strikes it through, nothing may call this complete.
		if strings.Contains(text, "~~") {
			return
		}
		for _, header := range []string{string(b.Header.AppendFull(nil)), string(b.Header.AppendCompact(nil))} {
			if scene, _ := b.Header.Scene(); scene == 3 || strings.HasSuffix(header, "milestone complete") && !strings.Contains(text, "milestone complete") {
				t.Errorf("the header says %q", header)
			}
		}
	}
}
