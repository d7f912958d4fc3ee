package fctry

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestCheck checks that broken rules are reported at the right place.
func TestCheck(t *testing.T) {
	run := func(text string) string {
		if !strings.Contains(text, `"plan"`) {
			text += fmt.Sprintf(`, "plan": {"totalChunks": %d}`, strings.Count(text, "{"))
		}
		return `{"lastUpdated": "2026-01-01T00:00:00Z", "buildRun": {"runId": "run-1", "startedAt": "2026-01-01T00:00:00Z", "status": "running", ` + text + `}}`
	}
	chunk := func(text string) string { return run(`"chunks": [{` + text + `}]`) }
	good := `"id": 1, "name": "A", "status": "planned"`
	for _, c := range []struct{ name, state, want string }{
		{"the document's own", `{
			"activeSection": "#core-flow", "activeSectionNumber": "2.2", "currentCommand": "evolve", "workflowStep": "interviewer", "completedSteps": ["state-owner-scan"],
			"nextStep": "Run /fctry:execute", "scenarioScore": {"satisfied": 5, "total": 8}, "chunkProgress": {"current": 2, "total": 2},
			"readinessSummary": {"aligned": 28, "spec-ahead": 5, "draft": 7}, "untrackedChanges": [{"file": "a.js", "section": "s", "sectionNumber": "2.12", "timestamp": "2026-02-13T10:05:00Z"}],
			"specVersion": "1.2", "agentOutputs": {"researcher": {"summary": "s"}}, "lastUpdated": "2026-02-12T15:23:45Z",
			"buildRun": {"runId": "run-1", "status": "running", "startedAt": "2026-02-17T04:00:00Z", "plan": {"totalChunks": 2, "priorities": ["speed"], "prioritySource": "global", "specVersion": "2.4"},
				"chunks": [{"id": 1, "name": "A", "status": "completed", "sections": ["#e"], "scenarios": ["S"], "dependsOn": [], "specVersionAtBuild": "2.4", "completedAt": "2026-02-17T04:12:00Z"},
					{"id": 2, "name": "B", "status": "active", "dependsOn": [1], "attempt": 1, "startedAt": "2026-02-17T04:13:00Z"}], "convergencePhase": "c", "lastCheckpoint": "2026-02-17T04:12:00Z"},
			"buildEvents": [{"kind": "chunk-verified", "chunk": "A", "timestamp": "2026-02-17T14:32:05Z", "summary": "s", "checks": [{"name": "n", "result": "pass"}], "mode": "full"}]}`, ""},
		{"null is absent", `{"activeSection": null, "buildRun": null, "agentOutputs": null, "lastUpdated": "2026-01-01T00:00:00.123Z"}`, ""},
		{"emptied", `{}`, ""},
		{"nothing says when", `{"specVersion": "1"}`, "1 fctry-last-updated"},
		{"types", `{"activeSection": 5, "activeSectionNumber": 1.2, "nextStep": [], "specVersion": 2,` + "\n" + `"completedSteps": "x", "agentOutputs": [], "lastUpdated": 5}`,
			"1:19 fctry-type, 1:45 fctry-type, 1:62 fctry-type, 1:81 fctry-type, 2:19 fctry-type, 2:40 fctry-type, 2:59 fctry-type"},
		{"words", `{"currentCommand": "go", "workflowStep": "nap", "completedSteps": ["nap", 4], "lastUpdated": "yesterday"}`, "1:20 fctry-word, 1:42 fctry-word, 1:42 fctry-step, 1:68 fctry-word, 1:75 fctry-type, 1:94 fctry-time"},
		{"half a pair", `{"activeSection": "#a", "lastUpdated": "2026-01-01T00:00:00Z"}`, "1:19 fctry-section-pair"},
		{"counts", `{"scenarioScore": {"satisfied": 9, "total": 8}, "chunkProgress": {"current": -1}, "lastUpdated": "2026-01-01T00:00:00Z"}`, "1:33 fctry-over, 1:66 fctry-field, 1:78 fctry-number"},
		{"readiness", `{"readinessSummary": {"built": 3, "aligned": "x"}, "lastUpdated": "2026-01-01T00:00:00Z"}`, "1:32 fctry-readiness, 1:46 fctry-type"},
		{"changes", `{"untrackedChanges": [{}, 3], "lastUpdated": "2026-01-01T00:00:00Z"}`, "1:23 fctry-field, 1:23 fctry-field, 1:23 fctry-field, 1:23 fctry-field, 1:27 fctry-type"},
		{"outputs", `{"agentOutputs": {"a": {}}, "lastUpdated": "2026-01-01T00:00:00Z"}`, "1:19 fctry-word, 1:24 fctry-summary"},
		{"twice", `{"nextStep": "a", "nextStep": "b", "lastUpdated": "2026-01-01T00:00:00Z"}`, "1:19 fctry-duplicate-key"},
		{"prerequisites", `{"currentCommand": "ref", "workflowStep": "spec-writer", "completedSteps": ["interviewer"], "lastUpdated": "2026-01-01T00:00:00Z"}`, "1:43 fctry-prerequisite, 1:77 fctry-prerequisite"},
		{"a run", `{"buildRun": {"status": "awaiting-user", "plan": {"prioritySource": "x", "totalChunks": 1.5}}, "lastUpdated": "2026-01-01T00:00:00Z"}`,
			"1:14 fctry-field, 1:14 fctry-field, 1:14 fctry-field, 1:25 fctry-word, 1:69 fctry-word, 1:89 fctry-number"},
		{"a question in another form", run(`"plan": {"totalChunks": 1}, "pendingQuestion": {"question": "Red?"}, "chunks": [{` + good + `}]`), "1:177 fctry-question"},
		{"a question as a text, beside the run", `{"pendingQuestion": "Red?", "lastUpdated": "2026-01-01T00:00:00Z"}`, "1:21 fctry-place"},
		{"numbers spelled otherwise", run(`"plan": {"totalChunks": 1e0}, "chunks": [{"id": 1.0, "name": "A", "status": "active", "attempt": 1.0}]`), ""},
		{"one number twice", run(`"chunks": [{` + good + `}, {"id": 2.0, "name": "B", "status": "planned", "dependsOn": [1, 1.0]}]`), "1:249 fctry-depends-on"},
		{"no status", `{"buildRun": {"runId": "r"}, "lastUpdated": "2026-01-01T00:00:00Z"}`, "1:14 fctry-field, 1:14 fctry-field, 1:14 fctry-field, 1:14 fctry-field, 1:24 fctry-id"},
		{"still there", `{"buildRun": {"runId": "r", "status": "completed"}, "lastUpdated": "2026-01-01T00:00:00Z"}`, "1:14 fctry-field, 1:14 fctry-field, 1:14 fctry-field, 1:24 fctry-id, 1:39 fctry-clear"},
		{"a chunk", chunk(good), ""},
		{"no number, no name", chunk(`"status": "running"`), "1:141 fctry-field, 1:141 fctry-field, 1:152 fctry-word"},
		{"a text for a number", chunk(`"id": "1", "name": "A", "sections": "x", "scenarios": [3]`), "1:141 fctry-field, 1:148 fctry-type, 1:178 fctry-type, 1:197 fctry-type"},
		{"what a status needs", chunk(`"id": 1, "name": "A", "status": "completed"`), "1:141 fctry-field, 1:141 fctry-field"},
		{"other names", chunk(good + `, "deps": [1]`), "1:141 fctry-cycle, 1:193 fctry-depends-on"},
		{"no such chunk", chunk(good + `, "dependsOn": ["x"]`), "1:198 fctry-depends-on, 1:199 fctry-type"},
		{"chunks that are a text", run(`"chunks": "x"`), "1:53 fctry-field, 1:140 fctry-type"},
		{"needs of a text", chunk(good + `, "dependsOn": "running"`), "1:198 fctry-depends-on, 1:198 fctry-type"},
		{"twice one number", run(`"chunks": [{` + good + `}, {` + good + `}]`), "1:186 fctry-chunk-id"},
		{"too early", run(`"chunks": [{` + good + `}, {"id": 2, "name": "B", "status": "active", "attempt": 1, "dependsOn": [1]}]`), "1:186 fctry-order"},
		{"in the plan", run(`"plan": {"chunks": [{` + good + `}]}`), "1:138 fctry-field, 1:150 fctry-place"},
		{"miscounted", run(`"plan": {"totalChunks": 3}, "chunks": [{` + good + `}]`), "1:154 fctry-truth"},
		{"events", `{"buildEvents": [3, {}, {"kind": "odd", "timestamp": "2026-01-01T00:00:00Z"}, {"kind": "chunk-verified", "timestamp": "x", "mode": "x", "checks": [{"result": "so"}]}], "lastUpdated": "2026-01-01T00:00:00Z"}`,
			"1:18 fctry-type, 1:21 fctry-event, 1:21 fctry-event, 1:34 fctry-event, 1:79 fctry-field, 1:79 fctry-field, 1:119 fctry-time, 1:132 fctry-word, 1:148 fctry-field, 1:159 fctry-word"},
	} {
		p := newProject(t, map[string]string{stateFile: c.state})
		var got []string
		for _, problem := range Readers(p.m)[0].Check(time.Now()) {
			got = append(got, strings.TrimPrefix(strings.TrimPrefix(problem.Pos.String(), stateFile), ":")+" "+problem.Rule)
			if problem.Text == "" || problem.Fix == "" {
				t.Errorf("%s: %+v", c.name, problem)
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, ", "), c.want)
		}
	}
}

func TestCheckOtherFiles(t *testing.T) {
	p := newProject(t, map[string]string{
		stateFile:  `{"specVersion": "1.1", "lastUpdated": "2026-01-01T00:00:00Z"}`,
		configFile: `{"versions": {"spec": {"current": "1.2"}}}`,
		inboxFile: `[{"id": "a", "type": "evolve", "content": "x", "timestamp": "2026-02-16T10:00:00Z", "status": "pending"},
 {"id": "a", "type": "wish", "content": " ", "timestamp": "soon", "status": "approved"}, null]`,
	})
	var got []string
	for _, problem := range Readers(p.m)[0].Check(time.Now()) {
		got = append(got, fmt.Sprint(strings.TrimPrefix(problem.Pos.String(), Home+"/"), " ", problem.Rule))
	}
	want := "inbox.json:1:9 fctry-id, inbox.json:2:2 fctry-inbox, inbox.json:2:2 fctry-inbox, inbox.json:2:9 fctry-id, inbox.json:2:22 fctry-word, inbox.json:2:59 fctry-time, inbox.json:2:77 fctry-word, inbox.json:2:90 fctry-inbox, state.json:1:17 fctry-spec-version"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, ", "), want)
	}
}
