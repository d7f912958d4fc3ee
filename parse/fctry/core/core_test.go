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

func FuzzLine(f *testing.F) {
	f.Add(runningBuild, specText)
	f.Add(`{"chunkProgress": {"current": 1e400, "total": -5}, "scenarioScore": {"satisfied": 9, "total": 8}}`, "- 1 [")
	f.Add(`{"buildRun": {"status": "x", "chunks": [null, 1, {"id": {}, "dependsOn": {"a": 1}}, {"id": -1, "dependsOn": [-1]}]}}`, "```\n---")
	f.Fuzz(func(t *testing.T, state, spec string) {
		facts := lineOf(state, spec, Clock{now, now})
		for form := range 4 {
			var text line.Text
			switch form {
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
