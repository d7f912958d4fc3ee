package fctry

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// TestHostile checks that no file content can fake a row, move a cursor, or slow down reading.
func TestHostile(t *testing.T) {
	evil := `\u001b]0;title\u0007 \u202e \n x`
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	many := func(n int, each string) string { return strings.TrimSuffix(strings.Repeat(each+",", n), ",") }
	for name, text := range map[string]string{
		"escapes":           `{"currentCommand": "` + evil + `", "nextStep": "` + evil + `", "specVersion": "` + evil + `", "` + evil + `": 1, "activeSection": "` + evil + `", "agentOutputs": {"` + evil + `": {"summary": "` + evil + `"}}, "buildEvents": [{"kind": "` + evil + `", "chunk": "` + evil + `", "summary": "` + evil + `"}], "completedSteps": ["` + evil + `"], "untrackedChanges": [{"file": "` + evil + `"}], "buildRun": {"status": "` + evil + `", "pendingQuestion": "` + evil + `", "` + evil + `": "` + evil + `", "chunks": [{"id": "` + evil + `", "name": "` + evil + `", "status": "` + evil + `", "dependsOn": ["` + evil + `x"], "` + evil + `": "` + evil + `"}]}}`,
		"too deep":          `{"a": ` + deep + `}`,
		"many chunks":       `{"buildRun": {"status": "running", "chunks": [` + many(30_000, `{"id": 1, "dependsOn": [1, 2]}`) + `]}}`,
		"many needs":        `{"buildRun": {"status": "running", "chunks": [{"id": 1, "dependsOn": [` + many(50_000, `"a"`) + `]}]}}`,
		"needs that differ": `{"buildRun": {"status": "running", "chunks": [` + many(20, `{"id": 1, "dependsOn": [`+numbers(20_000)+`]}`) + `]}}`,
		"one long name":     `{"buildRun": {"status": "running", "chunks": [{"id": 1, "name": "` + strings.Repeat("n", 1<<20) + `", "note": "` + strings.Repeat("n", 1<<20) + `"}]}}`,
		"huge numbers":      `{"buildRun": {"status": "running", "plan": {"totalChunks": 1e300}, "chunks": [{"id": 1e400, "attempt": -1e99, "status": "active"}]}, "scenarioScore": {"satisfied": 1e400, "total": 1e400}, "chunkProgress": {"current": 9, "total": 1e18}}`,
		"other types":       `{"buildRun": {"status": {}, "plan": [], "chunks": {"a": 1}}, "chunkProgress": [], "buildEvents": {}, "completedSteps": {}, "agentOutputs": [], "scenarioScore": [], "untrackedChanges": "x", "contextState": 7, "readinessSummary": [1]}`,
		"prototypes":        `{"activeSection": "constructor", "sectionReadiness": {"constructor": "draft", "__proto__": {"readiness": "x"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			p := newProject(t, map[string]string{stateFile: text, specFile: "# x\n" + strings.Repeat("- 1 [\x1b](x) `#constructor`\n", 10), inboxFile: `[{"id": "` + evil + `", "content": "` + evil + `"}]`})
			b := p.read()
			Readers(p.m)[0].Check(time.Now())
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %v", took)
			}
			checkClean(t, b)
		})
	}
}

// numbers returns the numbers up to n, separated by commas.
func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d,", i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// checkClean fails the test if a build has a text that is unsafe to display.
func checkClean(t *testing.T, b *model.Build) {
	t.Helper()
	data, err := json.Marshal(b)
	must(t, err)
	var whole any
	must(t, json.Unmarshal(data, &whole))
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if line.Clean(v) != v {
				t.Errorf("%.80q is not clean", v)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for k, e := range v {
				walk(k)
				walk(e)
			}
		}
	}
	walk(whole)
	seen := map[string]bool{}
	for _, n := range model.Walk(b.Nodes) {
		if seen[n.ID] {
			t.Errorf("two rows are %.80q", n.ID)
		}
		seen[n.ID] = true
	}
}

func FuzzRead(f *testing.F) {
	f.Add(runText, `{"versions": {"spec": {"current": "2.4"}}}`, `[{"id": "a"}]`, "- 1.1 [A](#a) `#a`\n")
	f.Add(`{"buildRun": {"chunks": [{"id": {}, "dependsOn": {"a": []}}, {"id": null, "step": 2}]}, "buildEvents": [{"kind": 1}]}`, "[]", "{}", "---\nstatus: x\n")
	f.Add(`{"buildRun": {"status": "running", "chunks": [{"id": 1, "deps": [2]}, {"id": 2, "deps": [1]}]}}`, "", "", "")
	f.Fuzz(func(t *testing.T, state, config, inbox, spec string) {
		p := newProject(t, map[string]string{stateFile: state, configFile: config, inboxFile: inbox, specFile: spec})
		b := p.read()
		checkClean(t, b)
		if pr := b.Progress; pr.Percent < 0 || pr.Percent > 100 || pr.Chunks.Done > pr.Chunks.Total {
			t.Errorf("%+v", pr)
		}
		for _, problem := range Readers(p.m)[0].Check(time.Now()) {
			if problem.Rule == "" || problem.Text == "" || line.Clean(problem.String()) != problem.String() {
				t.Errorf("%+v", problem)
			}
		}
	})
}

// BenchmarkRead reads a run of 2,000 chunks from scratch each time.
func BenchmarkRead(b *testing.B) {
	var chunks []string
	for i := range 2000 {
		chunks = append(chunks, fmt.Sprintf(`{"id": %d, "name": "Chunk of usual length %d", "status": "planned", "sections": ["#a"], "dependsOn": [%d, %d], "files": ["a.go", "b.go"]}`, i+1, i, i/2, i/3))
	}
	p := newProject(b, map[string]string{stateFile: `{"buildRun": {"status": "running", "chunks": [` + strings.Join(chunks, ",") + `]}}`})
	p.read()
	for b.Loop() {
		p.m.Touch(stateFile)
		Readers(p.m)[0].Read(time.Now())
	}
}
