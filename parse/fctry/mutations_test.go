package fctry

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// whole has the files that are mutated: they break no rule.
var whole = map[string]string{
	stateFile: `{
		"activeSection": "#core-flow", "activeSectionNumber": "2.2", "currentCommand": "execute", "workflowStep": "executor-build",
		"completedSteps": ["state-owner-scan", "executor-plan"], "nextStep": "Run /fctry:review", "scenarioScore": {"satisfied": 5, "total": 8},
		"chunkProgress": {"current": 2, "total": 5}, "readinessSummary": {"aligned": 28, "spec-ahead": 5, "draft": 7}, "specVersion": "2.4",
		"untrackedChanges": [{"file": "a.js", "section": "status-line", "sectionNumber": "2.12", "timestamp": "2026-02-13T10:05:00Z"}],
		"agentOutputs": {"state-owner": {"summary": "Five sections.", "relevanceManifest": ["src/a.js", "#core-flow"]}}, "lastUpdated": "2026-02-17T04:13:00Z",
		"buildRun": {"runId": "run-1708012345678", "status": "running", "startedAt": "2026-02-17T04:00:00Z",
			"plan": {"totalChunks": 5, "priorities": ["speed"], "prioritySource": "global", "specVersion": "2.4"},
			"chunks": [
				{"id": 1, "name": "Base", "status": "completed", "sections": ["#entities"], "scenarios": ["Resume"], "dependsOn": [], "specVersionAtBuild": "2.4", "completedAt": "2026-02-17T04:12:00Z"},
				{"id": 2, "name": "Feed", "status": "active", "sections": ["#feed"], "scenarios": ["Calm"], "dependsOn": [1], "attempt": 1, "startedAt": "2026-02-17T04:13:00Z"},
				{"id": 3, "name": "Lid", "status": "planned", "sections": [], "scenarios": [], "dependsOn": [1, 2]},
				{"id": 4, "name": "Log", "status": "failed", "sections": ["#log"], "scenarios": [], "dependsOn": [], "failedAt": "2026-02-17T04:10:00Z"},
				{"id": 5, "name": "Box", "status": "retrying", "sections": ["#box"], "scenarios": [], "dependsOn": [], "attempt": 2}],
			"convergencePhase": "mission-control", "lastCheckpoint": "2026-02-17T04:12:00Z"},
		"buildEvents": [
			{"kind": "chunk-verified", "chunk": "Base", "timestamp": "2026-02-17T04:12:05Z", "summary": "1/1 checks passed", "checks": [{"name": "it opens", "result": "pass", "retried": true}], "mode": "full", "screenshot": ".fctry/verification/1.png"},
			{"kind": "context-checkpointed", "chunk": "Base", "timestamp": "2026-02-17T04:12:06Z", "summary": "kept"}]}`,
	inboxFile: `[{"id": "inbox-1708012345678-a1b2c3", "type": "evolve", "content": "Make onboarding faster", "timestamp": "2026-02-16T10:00:00Z", "status": "pending"},
		{"id": "discover-1708012345678-1", "type": "reference", "content": "https://example.org", "timestamp": "2026-02-16T11:00:00Z", "status": "processed"}]`,
	configFile: `{"versions": {"spec": {"current": "2.4"}, "external": {"current": "1.0.0"}}}`,
}

// mutation changes one value of a file, or removes it if value is "".
type mutation struct {
	file, path, value string
	breaks            bool
}

// fields are the fields of the files: the kind of value of each, followed by "!" if it is required, such as the steps without which the
// step of these files could not have begun.
var fields = map[string]string{
	"state activeSection": "text", "state activeSectionNumber": "text", "state nextStep": "text", "state specVersion": "text", "state lastUpdated": "time!", "state currentCommand": "word",
	"state workflowStep": "word", "state completedSteps": "texts!", "state scenarioScore": "object", "state scenarioScore.satisfied": "count!", "state scenarioScore.total": "count!",
	"state chunkProgress": "object", "state chunkProgress.current": "count!", "state chunkProgress.total": "count!", "state readinessSummary": "object", "state readinessSummary.aligned": "count", "state readinessSummary.draft": "count",
	"state untrackedChanges": "list", "state untrackedChanges.0": "object!", "state untrackedChanges.0.file": "text!", "state untrackedChanges.0.section": "text!", "state untrackedChanges.0.sectionNumber": "text!", "state untrackedChanges.0.timestamp": "time!",
	"state agentOutputs": "object", "state agentOutputs.state-owner": "object", "state agentOutputs.state-owner.summary": "text!", "state agentOutputs.state-owner.relevanceManifest": "texts",
	"state buildRun": "object", "state buildRun.runId": "text!", "state buildRun.status": "word!", "state buildRun.startedAt": "time!", "state buildRun.plan": "object!", "state buildRun.plan.totalChunks": "count!",
	"state buildRun.plan.priorities": "texts", "state buildRun.plan.prioritySource": "word", "state buildRun.plan.specVersion": "text", "state buildRun.chunks": "list!", "state buildRun.chunks.1": "object!",
	"state buildRun.chunks.0.id": "count!", "state buildRun.chunks.0.name": "text!", "state buildRun.chunks.0.status": "word!", "state buildRun.chunks.0.sections": "texts", "state buildRun.chunks.0.scenarios": "texts", "state buildRun.chunks.1.dependsOn": "list",
	"state buildRun.chunks.0.specVersionAtBuild": "text!", "state buildRun.chunks.0.completedAt": "time!", "state buildRun.chunks.1.attempt": "count!", "state buildRun.chunks.1.startedAt": "time", "state buildRun.chunks.3.failedAt": "time!", "state buildRun.chunks.4.attempt": "count!",
	"state buildRun.convergencePhase": "text",
	"state buildEvents":               "list", "state buildEvents.0": "object!", "state buildEvents.0.kind": "text!", "state buildEvents.0.chunk": "text!", "state buildEvents.0.timestamp": "time!", "state buildEvents.0.summary": "text!",
	"state buildEvents.0.checks": "list", "state buildEvents.0.checks.0": "object!", "state buildEvents.0.checks.0.name": "text!", "state buildEvents.0.checks.0.result": "word!", "state buildEvents.0.checks.0.retried": "flag",
	"state buildEvents.0.mode": "word!", "state buildEvents.0.screenshot": "text", "state buildEvents.1.summary": "text!", "state buildEvents.1.timestamp": "time!", "state buildEvents.1.chunk": "text",
	"inbox 0": "object!", "inbox 0.id": "text!", "inbox 0.type": "word!", "inbox 0.content": "text!", "inbox 0.timestamp": "time!", "inbox 0.status": "word!",
	"config versions": "object", "config versions.spec": "object", "config versions.external": "object", "config versions.external.current": "text", "config versions.spec.current": "text",
}

// wrong are values that are invalid for every field of a kind, right are values that are valid for every one.
var (
	wrong = map[string][]string{
		"text": {"5", "true", `["x"]`, `{"a": 1}`}, "time": {"1708012345", `"soon"`, `"2026-02-30T00:00:00Z"`, `[]`}, "word": {`"whatever"`, "5", `[]`}, "count": {"-1", "1.5", `"three"`, "[]"},
		"texts": {`"x"`, "{}", "[3]", "[null]"}, "list": {`"x"`, `{"a": 1}`, "7", "[null]"}, "object": {`"x"`, "7", "[1]"}, "flag": {`"yes"`, "1"},
	}
	right = map[string][]string{"time": {`"2026-02-17T04:00:00.123Z"`, `"2026-02-17T05:00:00+01:00"`}, "flag": {"false"}}
)

// rulesBroken are the rules about several values, and changes that almost break them.
var rulesBroken = []mutation{
	{"state", "activeSection", "", true}, {"state", "activeSectionNumber", "null", true},
	{"state", "currentCommand", `"evolve"`, false}, {"state", "currentCommand", `"review"`, false}, {"state", "currentCommand", `"init"`, false}, {"state", "currentCommand", `"ref"`, false}, {"state", "currentCommand", `"build"`, true},
	{"state", "workflowStep", `"executor-plan"`, true}, {"state", "workflowStep", `"state-owner-scan"`, true}, {"state", "workflowStep", `"interviewer"`, false}, {"state", "workflowStep", `"scenario-crafter"`, true}, {"state", "workflowStep", "null", false},
	{"state", "completedSteps", `["executor-plan"]`, true}, {"state", "completedSteps", `[]`, true}, {"state", "completedSteps", `["state-owner-scan", "nap"]`, true}, {"state", "completedSteps", `["state-owner-scan"]`, false},
	{"state", "scenarioScore.satisfied", "9", true}, {"state", "scenarioScore.satisfied", "8", false}, {"state", "scenarioScore.satisfied", "0", false}, {"state", "scenarioScore.total", "4", true},
	{"state", "chunkProgress.current", "6", true}, {"state", "chunkProgress.current", "4", true}, {"state", "chunkProgress.current", "1", false}, {"state", "chunkProgress.current", "5", false}, {"state", "chunkProgress.total", "4", true}, {"state", "chunkProgress.total", "6", true}, {"state", "chunkProgress", "null", false},
	{"state", "readinessSummary.built", "3", true}, {"state", "readinessSummary.satisfied", "3", false}, {"state", "readinessSummary.ready-to-build", "0", false}, {"state", "readinessSummary.overall", `"good"`, true},
	{"state", "specVersion", `"2.3"`, true}, {"state", "untrackedChanges", "[]", false}, {"state", "agentOutputs", "{}", false}, {"state", "agentOutputs.researcher", `{"summary": "Three patterns."}`, false}, {"state", "agentOutputs.researcher", `{}`, true},
	{"state", "buildRun", "null", false}, {"state", "buildRun.runId", `"1708012345678"`, true}, {"state", "buildRun.runId", `"run-today"`, true}, {"state", "buildRun.runId", `"run-1"`, false},
	{"state", "buildRun.status", `"completed"`, true}, {"state", "buildRun.status", `"partial"`, false}, {"state", "buildRun.status", `"paused"`, true}, {"state", "buildRun.status", `"running "`, true}, {"state", "buildRun.chunks.0.status", `"completed "`, true}, {"state", "buildRun.chunks.2.status", `" planned"`, true}, {"inbox", "0.status", `"pending "`, true},
	{"state", "buildRun.plan.totalChunks", "4", true}, {"state", "buildRun.plan.totalChunks", "0", false}, {"state", "buildRun.plan.prioritySource", `"project"`, false}, {"state", "buildRun.plan.prioritySource", `"user-prompt"`, false}, {"state", "buildRun.plan.chunks", `[{"id": 1}]`, false},
	{"state", "buildRun.chunks", "[]", true}, {"state", "buildRun.chunks.2", "null", true}, {"state", "buildRun.chunks.2", `"Lid"`, true},
	{"state", "buildRun.chunks.2.id", "0", true}, {"state", "buildRun.chunks.2.id", "1", true}, {"state", "buildRun.chunks.2.id", `"3"`, true}, {"state", "buildRun.chunks.2.id", "33", false}, {"state", "buildRun.chunks.2.name", `" "`, true},
	{"state", "buildRun.chunks.2.status", `"active"`, true}, {"state", "buildRun.chunks.2.status", `"failed"`, true}, {"state", "buildRun.chunks.2.status", `"completed"`, true}, {"state", "buildRun.chunks.2.status", `"pending"`, true}, {"state", "buildRun.chunks.2.status", `"running"`, true}, {"state", "buildRun.chunks.2.status", "", true},
	{"state", "buildRun.chunks.2.attempt", "1", true}, {"state", "buildRun.chunks.2.completedAt", `"2026-02-17T04:12:00Z"`, true}, {"state", "buildRun.chunks.2.failedAt", `"2026-02-17T04:12:00Z"`, true}, {"state", "buildRun.chunks.2.startedAt", `"2026-02-17T04:12:00Z"`, true}, {"state", "buildRun.chunks.2.specVersionAtBuild", `"2.4"`, true},
	{"state", "buildRun.chunks.2.completedAt", "null", false}, {"state", "buildRun.chunks.2.attempt", "null", false},
	{"state", "buildRun.chunks.1.attempt", "0", true}, {"state", "buildRun.chunks.1.attempt", "3", false}, {"state", "buildRun.chunks.1.completedAt", `"2026-02-17T04:12:00Z"`, true}, {"state", "buildRun.chunks.1.failedAt", `"2026-02-17T04:12:00Z"`, true}, {"state", "buildRun.chunks.0.failedAt", `"2026-02-17T04:12:00Z"`, true}, {"state", "buildRun.chunks.3.completedAt", `"2026-02-17T04:12:00Z"`, true},
	{"state", "buildRun.chunks.0.startedAt", `"2026-02-17T04:02:00Z"`, false}, {"state", "buildRun.chunks.0.startedAt", `"2026-02-17T04:12:00.5Z"`, true}, {"state", "buildRun.chunks.3.startedAt", `"2026-02-17T04:11:00Z"`, true}, {"state", "buildRun.chunks.0.attempt", "1", false}, {"state", "buildRun.chunks.0.specVersionAtBuild", `"2.3"`, false},
	{"state", "buildRun.chunks.2.dependsOn", `["1"]`, true}, {"state", "buildRun.chunks.2.dependsOn", "[99]", true}, {"state", "buildRun.chunks.2.dependsOn", "[2, 2]", true}, {"state", "buildRun.chunks.2.dependsOn", "[2, 1]", false}, {"state", "buildRun.chunks.2.dependsOn", "[3]", true}, {"state", "buildRun.chunks.2.dependsOn", "1", true}, {"state", "buildRun.chunks.2.dependsOn", "[]", false}, {"state", "buildRun.chunks.2.dependsOn", "[4]", false}, {"state", "buildRun.chunks.2.deps", "[1]", true}, {"state", "buildRun.chunks.2.blockedBy", "[1]", true},
	{"state", "buildRun.chunks.0.dependsOn", "[3]", true}, {"state", "buildRun.chunks.1.dependsOn", "[4]", true}, {"state", "buildRun.chunks.4.status", `"planned"`, true}, {"state", "buildRun.convergencePhase", "null", false},
	{"state", "buildRun.lastCheckpoint", "null", false}, {"state", "buildRun.lastCheckpoint", `"2026-02-17T04:12:00.5Z"`, false}, {"state", "buildRun.lastCheckpoint", `"2026-02-17T04:11:59Z"`, true}, {"state", "buildRun.lastCheckpoint", `"soon"`, true}, {"state", "buildRun.lastCheckpoint", "5", true},
	{"state", "completedSteps", `["state-owner-scan", "executor-plan", "state-owner-scan"]`, true}, {"state", "agentOutputs.interviewer", `{"summary": "Five."}`, false}, {"state", "agentOutputs.nap", `{"summary": "Five."}`, true}, {"state", "lastUpdated", `"2036-02-17T04:13:00Z"`, true},
	{"state", "buildEvents.0.kind", `"chunk-danced"`, true}, {"state", "buildEvents.0.kind", `"verification-failed"`, false}, {"state", "buildEvents.0.mode", `"reduced"`, false}, {"state", "buildEvents.0.mode", `"minimal"`, false}, {"state", "buildEvents.0.checks.0.result", `"fail"`, false}, {"state", "buildEvents.0.checks", "", false}, {"state", "buildEvents.0.screenshot", "", false},
	{"state", "buildEvents.1.kind", `"context-boundary"`, false}, {"state", "buildEvents.1.kind", `"context-compacted"`, false}, {"state", "buildEvents.1.chunk", "", false}, {"state", "buildEvents", "[]", false},
	{"state", "somethingElse", `{"a": [1]}`, false}, {"state", "buildRun.note", `"x"`, false}, {"state", "buildRun.chunks.2.size", `"L"`, false},
	{"inbox", "0.id", `"a"`, true}, {"inbox", "0.id", `"inbox-today-x"`, true}, {"inbox", "0.id", `"discover-1708012345678-1"`, true}, {"inbox", "0.id", `"inbox-1-0"`, false}, {"inbox", "0.content", `" "`, true}, {"inbox", "0", "null", true}, {"inbox", "0.source", `"foreman"`, false},
	{"inbox", "0.type", `"reference"`, false}, {"inbox", "0.type", `"feature"`, false}, {"inbox", "0.status", `"processing"`, false}, {"inbox", "0.status", `"processed"`, false}, {"inbox", "0.status", `"error"`, false}, {"inbox", "0.status", `"approved"`, true},
	{"config", "versions.spec.current", `"2.5"`, true}, {"config", "priority", `"speed"`, false},
}

// mutations returns a mutation for each field and rule.
func mutations() (all []mutation) {
	for field, kind := range fields {
		file, path, _ := strings.Cut(field, " ")
		kind, needed := strings.CutSuffix(kind, "!")
		for _, value := range wrong[kind] {
			all = append(all, mutation{file, path, value, true})
		}
		for _, value := range right[kind] {
			all = append(all, mutation{file, path, value, false})
		}
		if needed {
			all = append(all, mutation{file, path, "", true})
		} else if !strings.HasPrefix(path, "activeSection") {
			all = append(all, mutation{file, path, "null", false})
		}
	}
	return append(all, rulesBroken...)
}

// changed returns a document with the value at a path set, or removed for "".
func changed(t *testing.T, text, path, value string) string {
	t.Helper()
	var doc, set any
	must(t, json.Unmarshal([]byte(text), &doc))
	if value != "" {
		if err := json.Unmarshal([]byte(value), &set); err != nil {
			t.Fatal(value, err)
		}
	}
	holder, keys := doc, strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		if list, ok := holder.([]any); ok {
			i, _ := strconv.Atoi(key)
			holder = list[i]
		} else {
			holder = holder.(map[string]any)[key]
		}
	}
	last := keys[len(keys)-1]
	switch holder := holder.(type) {
	case []any:
		i, _ := strconv.Atoi(last)
		holder[i] = set // a value removed from a list leaves null
	case map[string]any:
		if delete(holder, last); value != "" {
			holder[last] = set
		}
	}
	out, err := json.Marshal(doc)
	must(t, err)
	return string(out)
}

// TestCheckKnowsEveryRule changes one value after the other in files that break no rule, and checks that each broken rule is reported
// at its place, and nothing else.
func TestCheckKnowsEveryRule(t *testing.T) {
	names := map[string]string{"state": stateFile, "inbox": inboxFile, "config": configFile}
	check := func(files map[string]string) (broken []string) {
		p := newProject(t, files)
		for _, problem := range New(p.m).Check(now) {
			if problem.Rule == "" || problem.Text == "" || problem.Fix == "" || problem.Line == 0 {
				t.Errorf("%+v", problem)
			}
			broken = append(broken, fmt.Sprintf("%s:%s %s: %s", strings.TrimPrefix(problem.File, Home+"/"), problem.Pos.String(), problem.Rule, problem.Text))
		}
		return broken
	}
	if broken := check(whole); len(broken) > 0 {
		t.Fatalf("nothing is changed, and reported is %q", broken)
	}
	all := mutations()
	if len(all) < 300 {
		t.Errorf("there are %d mutations", len(all))
	}
	for _, m := range all {
		files := map[string]string{}
		for name, text := range whole {
			files[name] = text
		}
		files[names[m.file]] = changed(t, whole[names[m.file]], m.path, m.value)
		if broken := check(files); len(broken) > 0 != m.breaks {
			t.Errorf("%s: %s = %s: breaks a rule is %v, reported is %q", m.file, m.path, m.value, m.breaks, broken)
		}
	}
}

// TestEveryRuleIsInTheReadme compares the README's table of rules with the reported ones.
func TestEveryRuleIsInTheReadme(t *testing.T) {
	reported := map[string]bool{"fctry-readable": true, "fctry-truth": true, "fctry-id": true} // by package protocol
	files, err := filepath.Glob("*.go")
	must(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		if !strings.HasSuffix(file, "_test.go") {
			for _, rule := range regexp.MustCompile(`"(fctry-[a-z-]+)"`).FindAllStringSubmatch(string(text), -1) {
				reported[rule[1]] = true
			}
		}
	}
	text, err := os.ReadFile("README.md")
	must(t, err)
	for _, row := range regexp.MustCompile("(?m)^\\| `(fctry-[a-z-]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		if !reported[row[1]] {
			t.Errorf("%s is listed, and never reported", row[1])
		}
		delete(reported, row[1])
	}
	for rule := range reported {
		t.Errorf("%s is reported, and not listed", rule)
	}
}
