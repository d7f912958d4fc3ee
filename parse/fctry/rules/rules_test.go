package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatehouse/model/line"
)

const (
	specText     = "# App\n\n```yaml\n---\nstatus: \"draft\"\n---\n```\n\n   - 2.2 [Core Flow](#22-core-flow) `#core-flow`\n- 2.10 [Search](#s) `#search`\n\n### 2.4 Feed {#feed}\n"
	runningBuild = `{"specVersion": "2.4", "buildRun": {"status": "running", "plan": {"totalChunks": 7}, "chunks": [
		{"id": 1, "name": "Base", "status": "completed"}, {"id": 2, "name": "Schema", "status": "completed"},
		{"id": 3, "name": "Activity Feed", "status": "active", "dependsOn": [1, 2]}, {"id": 4, "name": "Search", "status": "planned", "dependsOn": [1]},
		{"id": 5, "name": "API", "dependsOn": [3]}, {"id": 6, "status": "planned", "dependsOn": [3]}, {"id": 7, "status": "planned", "dependsOn": [6]}]}}`
)

// now is the tests' clock: 2026-03-01T12:00:00Z.
const now = 1_772_366_400

func lineOf(files *Files) *line.Fctry { return &Line(files).Facts }

// TestScenes holds the lines of all scenes, and what else a run may say.
func TestScenes(t *testing.T) {
	chunks := func(status string, list ...string) string {
		return fmt.Sprintf(`{"buildRun": {"status": %q, "chunks": [%s]}}`, status, strings.Join(list, ","))
	}
	chunk := func(id int, status, more string) string {
		return fmt.Sprintf(`{"id": %d, "name": "C%d", "status": %q%s}`, id, id, status, more)
	}
	long := strings.Repeat("日", 30)
	for _, c := range []struct {
		name, state, full, compact string
		scene                      int
	}{
		{"a chunk runs", runningBuild, "spec 2.4 [██░░░░░░░░] 28% · chunk 3/7 Activity Feed", "c3/7 · running", 1},
		{"several, and again", chunks("running", chunk(1, "retrying", `, "attempt": 2`), chunk(2, "building", ""), chunk(3, "running", "")),
			"[░░░░░░░░░░] 0% · chunk 1/3 C1 r2 +2", "c1/3 · running r2 +2", 1},
		{"retries are counted", chunks("running", chunk(1, "retrying", `, "retryCount": 2`)), "[░░░░░░░░░░] 0% · chunk 1/1 C1 r3", "c1/1 · running r3", 1},
		{"the next", chunks("running", chunk(1, "completed", ""), chunk(2, "planned", `, "deps": ["1"]`)), "[█████░░░░░] 50% · next chunk 2/2 C2", "c2/2 · next", 2},
		{"numbers spelled otherwise", chunks("running", chunk(1, "completed", ""), chunk(2, "completed", `, "dependsOn": [1.0, 1e0]`), `{"id": 3.0, "name": "C3", "status": "completed"}`, chunk(4, "planned", `, "dependsOn": [1.0, 2e0, 3]`)), "[███████░░░] 75% · next chunk 4/4 C4", "c4/4 · next", 2},
		{"in the plan", `{"buildRun": {"status": "running", "plan": {"chunks": [{"step": 4, "featureName": "F", "status": "completed"}, {"status": "planned", "blockedBy": 4}]}}}`,
			"[█████░░░░░] 50% · next chunk 2/2 Chunk 2", "c2/2 · next", 2},
		{"complete", chunks("completed", chunk(1, "completed", "")), "[██████████] 100% · build complete", "build complete", 3},
		{"complete, and more planned", `{"buildRun": {"status": "completed", "plan": {"totalChunks": 5}, "chunks": []}}`, "says completed, 5 not", "says completed, 5 not", 4},
		{"a word for done that nobody knows", chunks("running", chunk(1, "done", ""), chunk(2, "complete", ""), chunk(3, "skipped", `, "dependsOn": [1]`)), "[░░░░░░░░░░] 0% · next chunk 1/3 C1", "c1/3 · next", 2},
		{"a score in fractions", `{"currentCommand": "evolve", "readinessSummary": {"aligned": 1.5}, "scenarioScore": {"satisfied": 2, "total": 2.5}, "specVersion": "2.4"}`,
			"spec 2.4 · 1.5 aligned · 2/2.5 scenarios", "1.5 aligned · 2/2.5", 4},
		{"a question", `{"buildRun": {"status": "running", "pendingQuestion": {"text": "Red or\nblue?"}, "chunks": [` + chunk(1, "active", "") + `]}}`,
			"[░░░░░░░░░░] 0% · ◆ Red or blue?", "◆ waits", 2},
		{"a question in other words", `{"buildRun": {"status": "running", "pendingQuestion": {"question": "Which db?", "options": ["a", "b"], "blockedChunks": [2]}, "chunks": [` + chunk(1, "completed", "") + "," + chunk(2, "planned", "") + `]}}`,
			"[█████░░░░░] 50% · ◆ Which db?", "◆ waits", 2},
		{"a question beside the run", `{"pendingQuestion": [{"prompt": "Which db?"}], "buildRun": {"status": "running", "chunks": [` + chunk(1, "active", "") + `]}}`, "[░░░░░░░░░░] 0% · ◆ Which db?", "◆ waits", 2},
		{"a question of no text", `{"buildRun": {"status": "running", "pendingQuestion": {"options": [1]}}}`, "◆ asks something that can't be read", "◆ waits", 2},
		{"paused", `{"buildRun": {"status": "paused", "pausedReason": "context-budget"}}`, "◆ context-budget", "◆ waits", 2},
		{"a gate without a reason", chunks("awaiting-user", chunk(1, "completed", ""), chunk(2, "awaiting-user", "")), "[█████░░░░░] 50% · ◆ C2", "c2/2 · ◆ waits", 2},
		{"a long reason", `{"buildRun": {"status": "paused", "pausedReason": "` + long + `"}}`, "◆ " + strings.Repeat("日", 19) + "…", "◆ waits", 2},
		{"blocked", chunks("running", chunk(1, "failed", ""), chunk(2, "planned", `, "dependsOn": [1, "x"]`)), "[░░░░░░░░░░] 0% · blocked on 1, x (no such chunk)", "blocked on 1, x (no such chunk)", 4},
		{"partial", chunks("partial", chunk(1, "completed", ""), chunk(2, "failed", "")), "[█████░░░░░] 50% · partial · 1 failed", "partial · 1 failed", 4},
		{"open at the end", chunks("running", chunk(1, "completed", "")), "[██████████] 100% · all chunks done, run open", "run open", 4},
		{"no chunk has a status", `{"buildRun": {"status": "running", "chunks": [{"id": 1, "name": "A"}]}}`, "next chunk 1/1 A", "c1/1 · next", 2},
		{"a count alone", `{"chunkProgress": {"current": 2, "total": 4}}`, "[██░░░░░░░░] 25% · chunk 2/4", "c2/4 · running", 1},
		{"counted in the run", `{"buildRun": {"status": "running", "chunkProgress": "3/4"}}`, "[███████░░░] 75% · next chunk 4/4", "c4/4 · next", 2},
		{"listed beside the run", `{"chunkProgress": {"total": 2, "chunks": [{"status": "active", "name": "A"}, {}]}}`, "[░░░░░░░░░░] 0% · chunk 1/2 A", "c1/2 · running", 1},
		{"a command", `{"currentCommand": "evolve", "workflowStep": "interviewer"}`, "evolve interviewer", "interviewer", 1},
		{"a command of old", `{"currentCommand": "evolve", "readinessSummary": {"aligned": 28, "draft": 2}, "scenarioScore": {"satisfied": 5, "total": 8}, "specVersion": "2.4"}`,
			"spec 2.4 · 28 aligned · 5/8 scenarios", "28 aligned · 5/8", 4},
		{"a next step", `{"nextStep": "Run /fctry:execute"}`, "next Run /fctry:execute", "next Run /fctry:execute", 2},
		{"one that is derived", `{"untrackedChanges": [{}, {}], "specVersion": "1"}`, "spec 1 · next /fctry:evolve to update spec with recen…", "next /fctry:evolve to update spec with recen…", 2},
		{"emptied", `{}`, "idle", "idle", 4},
		{"no object", `[1]`, "state.json can't be read", "state.json can't be read", 4},
		{"half", `{"currentCommand`, "state.json can't be read", "state.json can't be read", 4},
		{"a run that is cleared", `{"buildRun": null, "currentCommand": null}`, "idle", "idle", 4},
		{"all of other types", `{"buildRun": [1], "currentCommand": {}, "nextStep": [], "scenarioScore": 7, "readinessSummary": "x", "untrackedChanges": 5, "chunkProgress": true}`, "buildRun can't be read", "buildRun can't be read", 4},
		{"types that say nothing", `{"buildRun": false, "currentCommand": {}, "nextStep": [], "scenarioScore": 7, "readinessSummary": "x"}`, "idle", "idle", 4},
		{"a run that is a text", `{"buildRun": "running"}`, "buildRun can't be read", "buildRun can't be read", 4},
		{"a run of a word that nobody knows", chunks("aborted", chunk(1, "completed", ""), chunk(2, "planned", "")), "[█████░░░░░] 50% · run says aborted", "run says aborted", 4},
		{"and one of its chunks worked on", chunks("aborted", chunk(1, "completed", ""), chunk(2, "active", "")), "[█████░░░░░] 50% · chunk 2/2 C2 · run says aborted", "c2/2 · running · run says aborted", 1},
		{"a run of no status", `{"buildRun": {"status": null, "chunks": [` + chunk(1, "completed", "") + "," + chunk(2, "planned", "") + `]}}`, "[█████░░░░░] 50% · run has no status", "run has no status", 4},
		{"blocked on a circle", chunks("running", chunk(1, "completed", ""), chunk(2, "planned", `, "dependsOn": [3]`), chunk(3, "planned", `, "dependsOn": [2]`)), "[███░░░░░░░] 33% · blocked on circle 2 → 3 → 2", "blocked on circle 2 → 3 → 2", 4},
	} {
		f := lineOf(&Files{State: c.state, Spec: specText, HasSpec: true, Clock: Clock{now, now}})
		scene, why := f.Scene()
		if full, compact := string(f.AppendFull(nil)), string(f.AppendCompact(nil)); full != c.full || compact != c.compact || scene != c.scene || why == "" {
			t.Errorf("%s: scene %d, %s\n%q, want\n%q\n%q, want\n%q", c.name, scene, why, full, c.full, compact, c.compact)
		}
	}
}

// TestLineNeverClaims holds that a run with open chunks is not called complete, whatever its status is.
func TestLineNeverClaims(t *testing.T) {
	for _, c := range []struct{ run, full, compact string }{
		{`"chunks": [{"id": 1, "status": "completed"}, {"id": 2, "status": "planned"}]`, "[█████░░░░░] 50% · says completed, 1 not", "says completed, 1 not"},
		{`"chunks": [{"id": 1, "status": "completed"}, {"id": 2, "status": "active"}]`, "[█████░░░░░] 50% · says completed, 1 not", "says completed, 1 not"},
		{`"plan": {"totalChunks": 4}, "chunks": [{"id": 1, "status": "completed"}]`, "[██░░░░░░░░] 25% · says completed, 3 not", "says completed, 3 not"},
		{`"chunkProgress": "2/3"`, "[██████░░░░] 66% · says completed, 1 not", "says completed, 1 not"},
		{`"chunks": [{"id": 1}]`, "says completed, 1 not", "says completed, 1 not"}, // none of them says how it stands
	} {
		f := lineOf(&Files{State: `{"buildRun": {"status": "completed", ` + c.run + `}}`})
		if full, compact := string(f.AppendFull(nil)), string(f.AppendCompact(nil)); full != c.full || compact != c.compact {
			t.Errorf("%s: %q, %q", c.run, full, compact)
		}
	}
}

func TestSections(t *testing.T) {
	var got []string
	Sections(specText+"#### x {#y}\n- 1 [a](b\n- 1 [a](b) `#`\n- [a](b) `#c`\n", func(s Section, heading bool) bool {
		got = append(got, fmt.Sprint(s.Number, " ", s.Title, " ", s.Alias, " ", heading))
		return true
	})
	if want := "2.2 Core Flow core-flow false|2.10 Search search false|2.4 Feed feed true"; strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
	if SpecStatus(specText) != "draft" || SpecStatus("# x\n") != "" || SpecStatus(strings.Repeat("x\n", 300)+"status: y\n") != "" {
		t.Error("status")
	}
	for _, pair := range [][2]string{{"2.4", "2.10"}, {"2", "2.1"}, {"1.9", "2.1"}} {
		if !sectionBefore(pair[0], pair[1]) || sectionBefore(pair[1], pair[0]) || sectionBefore(pair[0], pair[0]) {
			t.Error(pair)
		}
	}
	detail := lineOf(&Files{State: `{"activeSection": "#feed"}`, Spec: specText}).Detail
	if detail.Section != "Feed" || detail.SectionNumber != "2.4" || detail.SpecStatus != "draft" {
		t.Errorf("%+v", detail)
	}
	f := lineOf(&Files{State: `{"readinessSummary": {"draft": 2}, "sectionReadiness": {"#search": "draft", "core-flow": {"readiness": "draft"}}}`, Spec: specText, HasSpec: true})
	if f.NextStep != "/fctry:execute to build 2 specced sections — Core Flow is next" {
		t.Error(f.NextStep)
	}
}

// TestOutlineSaysTheSame holds the outline of a spec against the spec, with prose and a status that is none between what counts.
func TestOutlineSaysTheSame(t *testing.T) {
	prose := strings.Repeat("Nothing of this is a section.\n\n# Nor this\n- nor [this](#x)\r\n", 40)
	for _, spec := range []string{"", "x", specText, prose + specText, specText + prose + "status: other\n" + specText + "## 3 Last {#last}", strings.ReplaceAll(prose+specText+prose, "\n", "\u2028")} {
		outline := Outline(spec)
		outlines(t, spec, outline)
		if most := len(specText)*3 + SpecStatusWithin*2; len(outline) > most {
			t.Errorf("the outline of %d bytes has %d", len(spec), len(outline))
		}
	}
}

// outlines fails the test where an outline says something else than its spec.
func outlines(t *testing.T, spec, outline string) {
	t.Helper()
	sections := func(text string) (all []string) {
		Sections(text, func(s Section, heading bool) bool { all = append(all, fmt.Sprint(s, heading)); return true })
		return all
	}
	if is, want := sections(outline), sections(spec); !slices.Equal(is, want) {
		t.Errorf("the outline of %q has the sections %q, want %q", spec, is, want)
	}
	if is, want := SpecStatus(outline), SpecStatus(spec); is != want {
		t.Errorf("the outline of %q has the status %q, want %q", spec, is, want)
	}
}

func TestRendersWithoutAllocating(t *testing.T) {
	f := lineOf(&Files{State: runningBuild, Spec: specText})
	buf := make([]byte, 0, 4096)
	text := new(line.Text)
	agent := &line.Agent{Project: "app"}
	if n := testing.AllocsPerRun(100, func() {
		f.AppendFull(buf)
		f.AppendCompact(buf)
		text.Reset(buf)
		f.ComposeRow(text, 0, agent)
		f.ComposeRow(text, 1, agent)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzLine(f *testing.F) {
	f.Add(runningBuild, `{"versions": {"spec": {"current": "9"}}}`, `[{"source": "foreman", "status": "processed"}]`, specText)
	f.Add(`{"chunkProgress": {"current": 1e400, "total": -5}, "scenarioScore": {"satisfied": 9, "total": 8}}`, "{", "null", "- 1 [")
	f.Add(`{"buildRun": {"status": "x", "chunks": [null, 1, {"id": {}, "dependsOn": {"a": 1}}, {"id": -1, "dependsOn": [-1]}]}}`, "", "", "")
	f.Fuzz(func(t *testing.T, state, config, inbox, spec string) {
		outlines(t, spec, Outline(spec))
		facts := lineOf(&Files{State: state, Config: config, Inbox: inbox, Spec: spec})
		var text line.Text
		for _, compact := range []bool{false, true} {
			text.Reset(nil)
			facts.Compose(&text, compact)
			checkLine(t, string(text.Bytes()))
			text.Fit(20)
			if got := line.Width(string(text.Bytes())); got > 20 {
				t.Errorf("%q is %d wide", text.Bytes(), got)
			}
		}
		for row := range 2 {
			text.Reset(nil)
			facts.ComposeRow(&text, row, &line.Agent{Project: spec, Used: 100, Metered: true})
			checkLine(t, string(text.Bytes()))
		}
	})
}

// checkLine fails the test for a line that is not clean, or has no end.
func checkLine(t *testing.T, text string) {
	t.Helper()
	if line.Clean(text) != text {
		t.Errorf("%q is not clean", text)
	}
	if len(text) > 4096 {
		t.Errorf("%d bytes", len(text))
	}
}
