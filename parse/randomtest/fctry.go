package randomtest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// RandomFctry returns a project of fctry: a state.json with or without a run in any of its forms, and sometimes specification,
// config and inbox.
func RandomFctry(rng *rand.Rand) map[string]string {
	o := source{rng}
	files := map[string]string{".fctry/state.json": fctryState(o)}
	if o.IntN(3) > 0 {
		files[oneOf(o, ".fctry/spec.md", ".fctry/spec.md", "kite-spec.md")] = "---\ntitle: Kite\nspec-version: 1." + strconv.Itoa(o.IntN(9)) + "\nstatus: active\n---\n\n# Kite\n\n## Table of Contents\n\n1. [Draw](#draw)\n   - 1.1 [Paper](#paper)\n\n## 1. Draw {#draw}\n\n### 1.1 Paper {#paper}\n\nText.\n"
	}
	if o.IntN(3) == 0 {
		files[".fctry/config.json"] = oneOf(o, `{"versions": {"external": {"type": "external", "current": "0.3.0"}, "spec": {"current": "1.4"}}}`, `{`, `{"versions": []}`)
	}
	if o.IntN(3) == 0 {
		files[".fctry/inbox.json"] = oneOf(o, "[]", `[{"id": "i1", "type": "evolve", "content": "x", "status": "pending"}]`, `[{"status": 5}, null, 7, {"status": "processed"}]`, `{`, `{"items": []}`)
	}
	return files
}

// fctryState returns a state.json.
func fctryState(o source) string {
	members := []string{
		`"specVersion": ` + oneOf(o, `"1.4"`, `1.5`, `null`), `"currentCommand": ` + oneOf(o, `"execute"`, `"evolve"`, `"review"`, `""`, `5`), `"workflowStep": ` + oneOf(o, `"executor-build"`, `"spec-writer"`, `null`),
		`"nextStep": ` + oneOf(o, `"/fctry:execute"`, `""`, `null`), `"activeSection": ` + oneOf(o, `"#paper"`, `"Paper"`, `7`), `"activeSectionNumber": "1.1"`,
		`"scenarioScore": ` + oneOf(o, `{"satisfied": 5, "total": 8}`, `{"satisfied": "5", "total": 3}`, `[]`), `"chunkProgress": ` + oneOf(o, `{"current": 2, "total": 4}`, `{"current": 9, "total": 4}`, `null`, `{"chunks": `+fctryChunks(o)+`, "total": 3}`),
		`"readinessSummary": ` + oneOf(o, `{"aligned": 3, "ready-to-build": 2}`, `{"draft": "4", "odd": 1}`, `{}`), `"sectionReadiness": ` + oneOf(o, `{"1.1": "ready-to-build", "1": "draft"}`, `[]`),
		`"untrackedChanges": ` + oneOf(o, `[{"file": "a.go", "section": "#draw"}]`, `[]`, `{}`), `"experienceQuestion": ` + oneOf(o, `"Silk?"`, `null`, `{"text": "x"}`),
		`"pendingQuestion": ` + oneOf(o, `null`, `{}`, `["Silk?"]`), `"lastUpdated": "2026-02-01T10:00:00.000Z"`,
	}
	o.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	members = members[:o.IntN(len(members)+1)]
	if o.IntN(3) > 0 {
		run := []string{
			`"runId": "run-1"`, `"status": ` + oneOf(o, `"running"`, `"running"`, `"completed"`, `"paused"`, `"partial"`, `"awaiting-input"`, `"odd"`, `5`, `null`),
			`"chunks": ` + fctryChunks(o), `"plan": {"totalChunks": ` + oneOf(o, `3`, `"4"`, `-1`) + oneOf(o, `}`, `, "chunks": `+fctryChunks(o)+`}`),
			`"pendingQuestion": ` + oneOf(o, `{"text": "Paper?", "blockedChunks": [1]}`, `"Paper?"`, `null`, `{"text": 5}`, `{"question": "Paper?", "options": ["a"]}`, `[{"id": 1}]`), `"pausedReason": ` + oneOf(o, `"out of context"`, `null`),
			`"chunkProgress": ` + oneOf(o, `{"current": 1, "total": 2}`, `null`),
		}
		o.Shuffle(len(run), func(i, j int) { run[i], run[j] = run[j], run[i] })
		members = append(members, `"buildRun": `+o.sometimes(15, oneOf(o, `[]`, `null`, `"x"`), "{"+strings.Join(run[:o.IntN(len(run)+1)], ", ")+"}"))
	}
	if o.IntN(15) == 0 {
		members = append(members, `"buildRun": null`)
	}
	text := "{\n  " + strings.Join(members, ",\n  ") + "\n}"
	return o.sometimes(20, "\ufeff"+text, o.sometimes(40, text[:o.IntN(len(text))], text))
}

// fctryChunks returns a list of chunks.
func fctryChunks(o source) string {
	var chunks []string
	for i := range o.IntN(5) {
		status := oneOf(o, "planned", "planned", "done", "completed", "active", "failed", "retrying", "blocked", "skipped", "odd", "")
		chunk := fmt.Sprintf(`{"id": %s, "name": "Chunk %d", "status": %q, "attempt": %s, "dependsOn": %s`, oneOf(o, strconv.Itoa(i+1), `"`+strconv.Itoa(i)+`"`, "1"), i+1, status,
			oneOf(o, "1", "3", `"2"`, "null"), oneOf(o, "[]", fmt.Sprintf("[%d]", i), "[9]", `"1"`, "[null]"))
		if o.IntN(6) == 0 {
			chunk += `, "maxRetries": 1, "lastError": "two tests failed"`
		}
		chunks = append(chunks, o.sometimes(20, oneOf(o, "null", "{}", "7"), chunk+"}"))
	}
	return o.sometimes(15, oneOf(o, "{}", "null", "[7]", `"x"`), "["+strings.Join(chunks, ", ")+"]")
}
