package core

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
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

func parse(json string) doc.Value {
	tree, _ := doc.ParseJSON(json)
	return tree.Root()
}

// stateOf evaluates a state as the prompt and the dashboard do.
func stateOf(state, spec string, c Clock) *State {
	root := parse(state)
	s := New(root, doc.Value{})
	s.Facts.Unreadable = !root.Is(doc.Map)
	s.SetClock(c)
	s.AddSpec(ParseSpec(spec))
	s.Advise(spec != "")
	return s
}

func lineOf(state, spec string, c Clock) *line.Fctry { return &stateOf(state, spec, c).Facts }

// TestScenes checks the lines of all scenes, and other texts of a run.
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
		f := lineOf(c.state, specText, Clock{now, now})
		scene, why := f.Scene()
		if full, compact := string(f.AppendFull(nil)), string(f.AppendCompact(nil)); full != c.full || compact != c.compact || scene != c.scene || why == "" {
			t.Errorf("%s: scene %d, %s\n%q, want\n%q\n%q, want\n%q", c.name, scene, why, full, c.full, compact, c.compact)
		}
	}
}

// TestLineNeverClaims checks that a run with open chunks is not called complete, whatever its status is.
func TestLineNeverClaims(t *testing.T) {
	for _, c := range []struct{ run, full, compact string }{
		{`"chunks": [{"id": 1, "status": "completed"}, {"id": 2, "status": "planned"}]`, "[█████░░░░░] 50% · says completed, 1 not", "says completed, 1 not"},
		{`"chunks": [{"id": 1, "status": "completed"}, {"id": 2, "status": "active"}]`, "[█████░░░░░] 50% · says completed, 1 not", "says completed, 1 not"},
		{`"plan": {"totalChunks": 4}, "chunks": [{"id": 1, "status": "completed"}]`, "[██░░░░░░░░] 25% · says completed, 3 not", "says completed, 3 not"},
		{`"chunkProgress": "2/3"`, "[██████░░░░] 66% · says completed, 1 not", "says completed, 1 not"},
		{`"chunks": [{"id": 1}]`, "says completed, 1 not", "says completed, 1 not"}, // none of them has a status
	} {
		f := lineOf(`{"buildRun": {"status": "completed", `+c.run+`}}`, "", Clock{})
		if full, compact := string(f.AppendFull(nil)), string(f.AppendCompact(nil)); full != c.full || compact != c.compact {
			t.Errorf("%s: %q, %q", c.run, full, compact)
		}
	}
}

// TestSpec checks sections and status of a specification, in each form of frontmatter and quotation.
func TestSpec(t *testing.T) {
	for front, want := range map[string]string{
		"---\nstatus: draft\n---\n": "draft", "\uFEFF---\nstatus: 'draft'\n---\n": "draft", "---\r\nstatus: \"dr\\u0061ft\" # not yet\r\n---\r\n": "draft", "---\n\"status\": draft\n---\n": "draft",
		"# App\n\n```yaml\n---\ntitle: x\nstatus: draft\n---\n```\n": "draft", "```yaml\r\nstatus: draft\r\n```\r\n": "draft", "~~~yaml\nstatus: >-\n  draft\n---\n~~~\n": "draft",
		"---\nnote: status\n---\nstatus: draft\n": "", "# App\n\nstatus: draft\n": "", "## App\n\n```yaml\nstatus: draft\n```\n": "", "---\nstatus: &a draft\n---\n": "", "---\nstatus: [draft]\n---\n": "", "---\nstatus: draft\nlong: " + strings.Repeat("x", SpecHead): "draft",
	} {
		if s := ParseSpec(front); s.Status != want {
			t.Errorf("%q: %q, want %q", front, s.Status, want)
		}
	}
	s := ParseSpec(specText + "#### 3 x {#y}\n- 1 [a](b\n- 1 [a](b) `#`\n- [a](b) `#c`\n## Goals {#goals}\n```\n### 9 Code {#code}\n```\n")
	var got []string
	for _, section := range s.Sections {
		got = append(got, fmt.Sprint(section.Number, " ", section.Title, " ", section.Alias, " ", section.IsHeading))
	}
	if want := "2.2 Core Flow core-flow false|2.10 Search search false|2.4 Feed feed true|3 x y true| Goals goals true"; strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
	for _, pair := range [][2]string{{"2.4", "2.10"}, {"2", "2.1"}, {"1.9", "2.1"}} {
		if !isBefore(pair[0], pair[1]) || isBefore(pair[1], pair[0]) || isBefore(pair[0], pair[0]) {
			t.Error(pair)
		}
	}
	detail := lineOf(`{"activeSection": "#feed"}`, specText, Clock{}).Detail
	if detail.Section != "Feed" || detail.SectionNumber != "2.4" || detail.SpecStatus != "draft" {
		t.Errorf("%+v", detail)
	}
	f := lineOf(`{"readinessSummary": {"draft": 2}, "sectionReadiness": {"#search": "draft", "core-flow": {"readiness": "draft"}}}`, specText, Clock{})
	if f.NextStep != "/fctry:execute to build 2 specced sections — Core Flow is next" {
		t.Error(f.NextStep)
	}
}

// TestStale checks when a state becomes stale, and by which of its times.
func TestStale(t *testing.T) {
	const (
		old     = now - 30*StaleAfter
		running = `{"buildRun": {"status": "running", "lastCheckpoint": "%", "chunks": [{"id": 1, "status": "active"}]}}`
		command = `{"currentCommand": "evolve", "workflowStep": "interviewer", "lastUpdated": "%"}`
	)
	at := func(text, time string) string {
		for i := range text {
			if text[i] == '%' {
				return text[:i] + time + text[i+1:]
			}
		}
		return text
	}
	for _, c := range []struct {
		name, state  string
		clock        Clock
		fresh, stale bool
		turns        int64
	}{
		{"a new file", running, Clock{now, now - 60}, true, false, now - 60 + StaleAfter},
		{"the last second", running, Clock{now, now - StaleAfter + 1}, true, false, now + 1},
		{"the moment itself", running, Clock{now, now - StaleAfter}, false, true, 0},
		{"an old file", running, Clock{now, old}, false, true, 0},
		{"a newer checkpoint", at(running, "2026-03-01T11:30:00Z"), Clock{now, old}, true, false, now - 1800 + StaleAfter},
		{"one that is yet to come", at(running, "2026-03-01T19:30:00Z"), Clock{now, old}, false, true, 0},
		{"a newer chunk", `{"buildRun": {"status": "running", "plan": {"chunks": [{"status": "active", "startedAt": "2026-03-01T11:30:00Z"}]}}}`, Clock{now, old}, true, false, now - 1800 + StaleAfter},
		{"a newer event", `{"buildEvents": [{"timestamp": "2026-03-01T11:30:00Z"}], "chunkProgress": {"current": 1, "total": 2}}`, Clock{now, old}, true, false, now - 1800 + StaleAfter},
		{"no clock", running, Clock{0, old}, false, false, 0},
		{"no time", running, Clock{now, 0}, false, false, 0},
		{"a file from the future", running, Clock{now, now + 50}, true, false, now + 50 + StaleAfter},
		{"between two chunks", `{"buildRun": {"status": "running", "chunks": [{"status": "completed"}, {}]}}`, Clock{now, old}, false, true, 0},
		{"one that waits", `{"buildRun": {"status": "paused", "chunks": [{"status": "active"}]}}`, Clock{now, old}, false, false, 0},
		{"one that is over", `{"buildRun": {"status": "completed", "chunks": [{"status": "completed"}]}}`, Clock{now, now}, true, false, 0},
		{"a command", command, Clock{now, now - 60}, true, false, now - 60 + StaleAfter},
		{"an old one", command, Clock{now, old}, false, false, 0},
	} {
		d := stateOf(c.state, "", c.clock)
		if f := &d.Facts; f.Fresh != c.fresh || f.Run.Stale != c.stale || d.Turns != c.turns {
			t.Errorf("%s: fresh %v, stale %v, turns %d; want %v, %v, %d", c.name, f.Fresh, f.Run.Stale, d.Turns, c.fresh, c.stale, c.turns)
		}
	}
}

// TestQuestion checks what counts as a question, and where its text is found.
func TestQuestion(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`"Red?"`, "Red?"}, {`{"text": "Red?"}`, "Red?"}, {`{"question": "Red?", "options": ["a", "b"]}`, "Red?"}, {`{"prompt": "Red?"}`, "Red?"}, {`{"message": "Red?"}`, "Red?"},
		{`{"summary": "Red?"}`, "Red?"}, {`{"text": "", "question": "Red?"}`, "Red?"}, {`{"text": {"text": "Red?"}}`, "Red?"}, {`["Red?", "Blue?"]`, "Red?"}, {`[null, {"prompt": "Red?"}]`, "Red?"},
		{`{"questions": ["Red?"]}`, "Red?"}, {`{"questions": [{"text": "Red?"}]}`, "Red?"}, {`5`, "5"},
		{`{"id": "q1"}`, UnreadQuestion}, {`{"options": ["a"]}`, UnreadQuestion}, {`true`, UnreadQuestion}, {`{"text": true}`, UnreadQuestion}, {`{"text": "", "id": 0}`, UnreadQuestion},
		{strings.Repeat(`[`, 50) + strings.Repeat(`]`, 50), UnreadQuestion},
		{`{"text": "Red?", "answer": "blue"}`, ""}, {`{"text": "Red?", "answeredAt": "2026-02-17T04:12:00Z"}`, ""}, {`{"text": "Red?", "status": "answered"}`, ""}, {`{"id": "q1", "resolved": true}`, ""},
		{`[{"text": "Red?", "answer": "blue"}, {"text": "Blue?"}]`, "Blue?"}, {`[{"text": "Red?", "answer": 1}, null]`, ""}, {`{"questions": [{"text": "Red?", "answered": true}]}`, ""},
		{`{"questions": [{"text": "Red?", "answered": true}, {"id": 2}]}`, UnreadQuestion}, {`{"text": "Red?", "answer": null, "answered": false}`, "Red?"}, {`{"text": "Red?", "answer": " "}`, "Red?"}, {`{"text": "Red?", "answers": ["a", "b"]}`, "Red?"},
		{`null`, ""}, {`""`, ""}, {`" "`, ""}, {`false`, ""}, {`{}`, ""}, {`[]`, ""}, {`[null, {}]`, ""}, {`{"text": null, "options": []}`, ""},
	} {
		if got := ParseQuestion(parse(c.value)).Text; got != c.want {
			t.Errorf("%s: %q, want %q", c.value, got, c.want)
		}
	}
}

// TestQuestionHolds checks that a question blocks the chunks that it names, in each of its forms.
func TestQuestionHolds(t *testing.T) {
	for _, c := range []struct{ inside, pending string }{
		{`{"text": "Red?", "blockedChunks": [2, "C"]}`, ""}, {`{"question": "Red?", "blockedChunks": [2.0, "C"]}`, ""}, {`{"id": "q", "blockedChunks": ["2", 3]}`, ""},
		{`[{"text": "Red?", "blockedChunks": 2}, {"text": "Blue?", "blockedChunks": [3]}]`, ""}, {`{"questions": [{"text": "Red?", "blockedChunks": [2, 3]}]}`, ""}, {`null`, `{"prompt": "Red?", "blockedChunks": [2, 3]}`},
	} {
		const chunks = `[{"id": 1}, {"id": 2}, {"id": 3, "name": "C"}, {"id": 4}]`
		if c.pending == "" {
			c.pending = "null"
		}
		run := New(parse(`{"pendingQuestion": `+c.pending+`, "buildRun": {"status": "running", "pendingQuestion": `+c.inside+`, "chunks": `+chunks+`}}`), doc.Value{}).Run
		if got := fmt.Sprint(run.Chunks[0].IsAsked, run.Chunks[1].IsAsked, run.Chunks[2].IsAsked, run.Chunks[3].IsAsked); got != "false true true false" || !run.IsWaiting() {
			t.Errorf("%s %s: %s", c.inside, c.pending, got)
		}
	}
}

// runOf makes a run from its status and chunks such as "b planned a c": ID, status, prerequisites.
func runOf(status string, chunks ...string) *Run {
	for i, c := range chunks {
		words := strings.Fields(c)
		chunks[i] = fmt.Sprintf(`{"id": %q, "status": %q, "dependsOn": ["%s"]}`, words[0], strings.Trim(words[1], "-"), strings.Join(words[2:], `", "`))
	}
	text := strings.ReplaceAll(strings.Join(chunks, ","), `[""]`, "[]")
	return &New(parse(fmt.Sprintf(`{"buildRun": {"status": %q, "chunks": [%s]}}`, status, text)), doc.Value{}).Run
}

// causes returns the causes that block chunks, as they are displayed.
func causes(all []line.FctryCause) (texts []string) {
	for i := range all {
		texts = append(texts, string(all[i].Append(nil)))
	}
	return texts
}

func TestPosition(t *testing.T) {
	for _, c := range []struct {
		name string
		run  *Run
		want string // done/total, busy, open, held, running, waiting, next, blocked on
	}{
		{"empty", runOf("running"), "0/0 0 0 0 -1 -1 -1 []"},
		{"no status at all", runOf("running", "1 -", "2 -"), "0/2 0 2 0 -1 -1 0 []"},
		{"in the middle", runOf("running", "1 completed", "2 active", "3 planned 1", "4 planned 2"), "1/4 1 2 1 1 -1 2 [2]"},
		{"words that are found", runOf("running", "1 completed-partial", "2 running", "3 building", "4 retrying", "5 awaiting-user"), "1/5 3 0 0 1 4 -1 []"},
		{"failed", runOf("partial", "1 failed", "2 planned 1", "3 planned 2"), "0/3 0 2 2 -1 -1 -1 [1]"},
		{"no such chunk", runOf("running", "1 completed", "2 planned 1 x"), "1/2 0 1 1 -1 -1 -1 [x (no such chunk)]"},
		{"a circle", runOf("running", "1 planned 2", "2 planned 1"), "0/2 0 2 2 -1 -1 -1 [circle 1 → 2 → 1]"},
		{"a circle beside a failure", runOf("running", "1 failed", "2 planned 1", "3 planned 4", "4 planned 3", "5 planned 4", "6 planned 6"), "0/6 0 5 5 -1 -1 -1 [1 circle 3 → 4 → 3 circle 6 → 6]"},
		{"circles, and no such chunk", runOf("running", "1 completed", "5 planned 6", "6 planned 7", "7 planned 5", "9 planned 9", "11 planned 99", "12 planned 11", "13 planned 14", "14 planned 13 1"), "1/9 0 8 8 -1 -1 -1 [circle 5 → 6 → 7 → 5 circle 9 → 9 99 (no such chunk) circle 13 → 14 → 13]"},
		{"a circle through a completed chunk", runOf("running", "1 completed 2", "2 planned 1", "3 planned 2"), "1/3 0 2 1 -1 -1 1 [2]"},
		{"a circle through one worked on", runOf("running", "1 active 2", "2 planned 1"), "0/2 1 1 1 0 -1 -1 [1]"},
		{"between circles", runOf("running", "1 planned 2", "2 planned 1", "3 planned 1", "4 planned 3 5", "5 planned 4"), "0/5 0 5 5 -1 -1 -1 [circle 1 → 2 → 1 circle 4 → 5 → 4]"},
		{"circles that share a chunk", runOf("running", "1 planned 2", "2 planned 1 3", "3 planned 2"), "0/3 0 3 3 -1 -1 -1 [circle 1 → 2 → 1]"},
		{"blocked by its own word", runOf("running", "1 completed", "2 blocked 1"), "1/2 0 1 1 -1 -1 -1 [2]"},
		{"behind what waits", runOf("awaiting-user", "1 awaiting-user", "2 planned 1"), "0/2 0 1 1 -1 0 -1 [1]"},
		{"no other word counts as over", runOf("running", "1 skipped", "2 planned 1", "3 done", "4 complete"), "0/4 0 4 1 -1 -1 0 [1]"},
		{"an unknown word is planned", runOf("running", "1 shelved"), "0/1 0 1 0 -1 -1 0 []"},
		{"the first of two", runOf("running", "1 completed", "1 failed", "2 planned 1"), "1/3 0 1 0 -1 -1 2 []"},
	} {
		s := c.run
		if got := fmt.Sprintf("%d/%d %d %d %d %d %d %d %v", s.Done, s.Total, s.Busy, s.Open, s.Held, s.Running, s.Waiting, s.Next, causes(s.BlockedOn)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestPrerequisites(t *testing.T) {
	for _, c := range []struct{ step, command, done, want string }{
		{"state-owner-scan", "init", "", ""},
		{"interviewer", "init", "", "state-owner-scan"},
		{"interviewer", "init", "state-owner-scan", ""},
		{"researcher", "evolve", "", "state-owner-scan"}, {"researcher", "ref", "", ""},
		{"visual-translator", "evolve", "", "state-owner-scan"}, {"visual-translator", "ref", "", ""},
		{"scenario-crafter", "evolve", "state-owner-scan", "interviewer"},
		{"executor-plan", "execute", "", "state-owner-scan"}, {"executor-build", "execute", "executor-plan", "state-owner-scan"},
		{"spec-writer", "init", "interviewer", "scenario-crafter"}, {"spec-writer", "evolve", "", "interviewer, scenario-crafter"},
		{"spec-writer", "ref", "state-owner-scan", "researcher or visual-translator"},
		{"spec-writer", "ref", "state-owner-scan visual-translator", ""},
		{"spec-writer", "ref", "researcher", "state-owner-scan"},
		{"spec-writer", "review", "", "state-owner-scan"}, {"spec-writer", "execute", "", ""},
		{"something-new", "init", "", ""},
	} {
		if got := strings.Join(MissingSteps(c.step, c.command, strings.Fields(c.done)), ", "); got != c.want {
			t.Errorf("%s under %s after %q: %q is missing, want %q", c.step, c.command, c.done, got, c.want)
		}
	}
}

// TestNextStep checks the suggested step if the file names no next step.
func TestNextStep(t *testing.T) {
	for _, c := range []struct {
		state, spec, want string
		usual             bool
	}{
		{`{"untrackedChanges": [1]}`, "", "/fctry:init to create a spec", false},
		{`{"untrackedChanges": [1]}`, "x", "/fctry:evolve to update spec with recent changes", false},
		{`{"scenarioScore": {"satisfied": 3, "total": 3}, "readinessSummary": {"draft": 1}}`, "x", "All scenarios satisfied! /fctry:review to confirm", false},
		{`{"readinessSummary": {"draft": 2, "spec-ahead": 5}}`, "x", "/fctry:execute to build 5 evolved + 2 specced sections", false},
		{`{"readinessSummary": {"spec-ahead": 5}, "scenarioScore": {"satisfied": 0, "total": 9}}`, "x", "/fctry:execute to build 5 evolved sections", false},
		{`{"readinessSummary": {"undocumented": 1}, "scenarioScore": {"satisfied": 0, "total": 9}}`, "x", "/fctry:execute to satisfy remaining scenarios", false},
		{`{"readinessSummary": {"undocumented": 1}}`, "x", "/fctry:evolve to flesh out 1 unspecced sections", false},
		{`{}`, "x", "/fctry:evolve to refine, or /fctry:execute to build", true}, {`{"currentCommand": "evolve"}`, "x", "", false}, {`{"nextStep": "y", "untrackedChanges": [1]}`, "x", "y", false},
	} {
		if f := lineOf(c.state, c.spec, Clock{}); f.NextStep != c.want || f.Usual != c.usual {
			t.Errorf("%s: %q, %v", c.state, f.NextStep, f.Usual)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add(runningBuild, specText)
	f.Add(`{"chunkProgress": {"current": 1e400, "total": -5}, "scenarioScore": {"satisfied": 9, "total": 8}}`, "- 1 [")
	f.Add(`{"buildRun": {"status": "x", "chunks": [null, 1, {"id": {}, "dependsOn": {"a": 1}}, {"id": -1, "dependsOn": [-1]}]}}`, "```\n---")
	f.Fuzz(func(t *testing.T, state, spec string) {
		facts := lineOf(state, spec, Clock{now, now})
		var text line.Text
		for form := range 4 {
			switch text.Reset(nil); form {
			case 0, 1:
				facts.Compose(&text, form == 1)
			default:
				facts.ComposeRow(&text, form-2, &line.Agent{Project: spec, Used: 100, Metered: true})
			}
			if got := string(text.Bytes()); line.Clean(got) != got || len(got) > 4096 {
				t.Errorf("%.100q has %d bytes, or is not clean", got, len(got))
			}
		}
	})
}
