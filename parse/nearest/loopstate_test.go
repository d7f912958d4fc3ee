package nearest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/peek"
)

// definition is a loop.json of three phases with a gate behind each of the first two.
const definition = `{"id": "x", "phases": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
	"gates": [{"id": "a-gate", "afterPhase": "A"}, {"id": "b-gate", "afterPhase": "B", "required": false}]}`

// loopLine returns the full line of a state with a definition, "" for none, and its scene.
func loopLine(t *testing.T, state, definition string) (text string, scene int) {
	t.Helper()
	m := new(loopMemory)
	s, reason := m.parseLoopState(state)
	if reason != "" {
		return "no loop", 0
	}
	var d *loopDefinition
	if definition != "" {
		if d, reason = m.parseLoopDefinition(definition); reason != "" {
			t.Fatalf("no definition: %s", definition)
		}
	}
	facts := LoopLine(s.id, m.flow(&s, d))
	scene, _ = facts.Scene()
	return string(facts.AppendFull(nil)), scene
}

// loopText returns a state of the loop x from its status, its phases and its gates, as JSON members.
func loopText(status, phases, gates string) string {
	return `{"loop": "x", "phase": "A", "status": "` + status + `", "phases": {` + phases + `}, "gates": {` + gates + `}}`
}

// TestLoopLines holds the line of every kind of state, the ones that the document does not foresee included.
func TestLoopLines(t *testing.T) {
	const (
		complete, active, pending = `{"status": "complete"}`, `{"status": "active"}`, `{"status": "pending"}`
		passed, failed            = `{"status": "passed", "required": true}`, `{"status": "failed", "required": true}`
	)
	abc := func(a, b, c string) string { return `"A": ` + a + `, "B": ` + b + `, "C": ` + c }
	gates := func(a, b string) string { return `"a-gate": ` + a + `, "b-gate": ` + b }
	open := gates(pending, pending)
	for _, c := range []struct{ name, state, definition, want string }{
		{"active", loopText("active", abc(complete, active, pending), gates(passed, pending)), definition, "1 x [███░░░░░░░] 33% · Phase B active"},
		{"a gate before the active phase", loopText("active", abc(complete, active, pending), open), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"a failed one", loopText("active", abc(complete, pending, pending), gates(failed, pending)), definition, "2 x [███░░░░░░░] 33% · next retry a-gate"},
		{"an optional one", loopText("active", abc(complete, complete, pending), gates(passed, pending)), definition, "2 x [██████░░░░] 66% · next C"},
		{"an optional one that failed", loopText("active", abc(complete, complete, pending), gates(passed, failed)), definition, "2 x [██████░░░░] 66% · next retry b-gate"},
		{"required by the state", loopText("active", abc(complete, complete, pending), gates(passed, `{"status": "pending", "required": true}`)), definition,
			"2 x [██████░░░░] 66% · next approve b-gate"},
		{"one that work has gone past", loopText("active", abc(complete, complete, active), gates(pending, passed)), definition,
			"1 x [██████░░░░] 66% · Phase C active · ◆ approve a-gate"},
		{"between", loopText("active", abc(`{"status": "skipped"}`, pending, pending), gates(passed, pending)), definition, "2 x [███░░░░░░░] 33% · next B"},
		{"nothing begun", loopText("active", abc(pending, pending, pending), open), definition, "2 x [░░░░░░░░░░] 0% · next A"},
		{"all over", loopText("active", abc(complete, complete, complete), gates(passed, passed)), definition, "2 x [██████████] 100% · next complete"},
		{"active behind pending", loopText("active", abc(complete, pending, active), gates(passed, passed)), definition, "1 x [███░░░░░░░] 33% · Phase C active"},
		{"complete", loopText("complete", abc(complete, complete, active), open), definition, "3 x · loop complete"},
		{"completed", loopText("completed", abc(complete, complete, complete), open), "", "3 x · loop complete"},
		{"paused", loopText("paused", abc(complete, active, pending), open), definition, "4 x · paused · B"},
		{"failed", loopText("failed", abc(complete, pending, pending), open), definition, "4 x · failed · A"},
		{"failed at work", loopText("failed", abc(complete, active, pending), open), "", "4 x · failed · B"},
		{"blocked", loopText("blocked", abc(complete, active, pending), open), definition, "4 x · blocked · B"},
		{"paused, all over", loopText("paused", abc(complete, complete, complete), open), "", "4 x · paused · A"},

		{"no definition", loopText("active", abc(complete, active, pending), open), "", "1 x [███░░░░░░░] 33% · Phase B active · ◆ 2 gates pending"},
		{"no definition, between", loopText("active", abc(complete, pending, pending), gates(passed, pending)), "", "2 x [███░░░░░░░] 33% · next B · ◆ 1 gate pending"},
		{"no definition, failed", loopText("active", abc(complete, active, pending), gates(failed, pending)), "",
			"1 x [███░░░░░░░] 33% · Phase B active · ◆ 1 gate failed, 1 gate pending"},
		{"no definition, no gates", loopText("active", abc(complete, active, pending), ""), "", "1 x [███░░░░░░░] 33% · Phase B active"},
		{"the order of the file", `{"loop": "x", "status": "active", "phases": {"Z": {"status": "complete"}, "A": {"status": "pending"}, "M": {"status": "pending"}}}`, "",
			"2 x [███░░░░░░░] 33% · next A"},
		{"the order of the definition", loopText("active", `"C": `+pending+`, "B": `+pending+`, "A": `+complete, gates(passed, passed)), definition, "2 x [███░░░░░░░] 33% · next B"},

		{"dialect", loopText("active", abc(`{"status": "completed"}`, `{"status": "in-progress"}`, pending), gates(`{"status": "approved"}`, pending)), definition,
			"1 x [███░░░░░░░] 33% · Phase B active"},
		{"dialect, rejected", loopText("active", abc(complete, `{"status": "in_progress"}`, pending), gates(`{"status": "rejected"}`, pending)), definition,
			"2 x [███░░░░░░░] 33% · next retry a-gate"},
		{"a word of its own", loopText("active", abc(complete, `{"status": "failed"}`, pending), gates(passed, pending)), definition, "4 x [███░░░░░░░] 33% · Phase B failed"},
		{"a word of its own at the end", loopText("active", abc(complete, complete, `{"status": "on hold"}`), gates(passed, passed)), definition,
			"4 x [██████░░░░] 66% · Phase C on hold"},
		{"a gate with a word of its own", loopText("active", abc(complete, active, pending), gates(`{"status": "asked"}`, pending)), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"a phase without status", loopText("active", abc(complete, "{}", pending), gates(passed, pending)), definition, "2 x [███░░░░░░░] 33% · next B"},
		{"a gate without status", loopText("active", abc(complete, active, pending), gates("{}", pending)), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"no phase with a status", loopText("active", abc(`{"skills": []}`, "{}", "null"), ""), definition, "4 x · active · A"},
		{"no phases", loopText("active", "", open), definition, "4 x · active · A"},
		{"no status", `{"loop": "x", "phase": "B", "phases": {` + abc(complete, active, pending) + `}}`, definition, "4 x · B"},

		{"not all phases defined", loopText("active", `"Y": `+pending+`, `+abc(complete, complete, complete), gates(passed, passed)), definition, "2 x [███████░░░] 75% · next Y"},
		{"not all phases kept", loopText("active", `"B": `+pending, gates(pending, pending)), definition, "2 x [░░░░░░░░░░] 0% · next B"},
		{"a gate that the state lacks", loopText("active", abc(complete, active, pending), ""), definition, "1 x [███░░░░░░░] 33% · Phase B active"},
		{"behind an ID", loopText("active", abc(complete, pending, pending), `"g": `+pending), `{"id": "x", "phases": [{"name": "A", "id": "first"}, {"name": "B", "id": "A"}, {"name": "C"}],
			"gates": [{"id": "g", "afterPhase": "first"}]}`, "2 x [███░░░░░░░] 33% · next approve g"},
		{"behind a name before an ID", loopText("active", abc(complete, complete, pending), `"g": `+pending), `{"id": "x", "phases": [{"name": "A", "id": "B"}, {"name": "B"}, {"name": "C"}],
			"gates": [{"id": "g", "afterPhase": "B"}]}`, "2 x [██████░░░░] 66% · next approve g"},
		{"inside a phase", loopText("active", abc(complete, pending, pending), `"g": `+pending), `{"id": "x", "phases": [{"name": "A", "gates": [{"id": "g"}]}, {"name": "B"}, {"name": "C"}]}`,
			"2 x [███░░░░░░░] 33% · next approve g"},
		{"two behind one phase", loopText("active", abc(complete, pending, pending), `"h": `+pending+`, "g": `+passed), `{"id": "x", "phases": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
			"gates": [{"id": "g", "afterPhase": "A"}, {"id": "h", "afterPhase": "A"}]}`, "2 x [███░░░░░░░] 33% · next approve h"},
		{"skills are objects", loopText("active", abc(complete, active, pending), ""), `{"id": "x", "phases": [{"name": "A", "skills": [{"skillId": "s", "required": true}]}, {"name": "B"}, {"name": "C"}]}`,
			"1 x [███░░░░░░░] 33% · Phase B active"},

		{"a byte order mark", "\ufeff" + loopText("complete", "", ""), "", "3 x · loop complete"},
		{"keys that stand twice", `{"loop": "y", "loop": "x", "status": "active", "phases": {"A": {"status": "complete", "status": "pending"}, "B": {"status": "pending"}, "A": {"status": "active"}}}`, "",
			"1 x [░░░░░░░░░░] 0% · Phase A active"},
		{"escapes", `{"loop": "\u0078", "status": "acti\u0076e", "phases": {"\u0041\n": {"status": "active"}}}`, "", "1 x [░░░░░░░░░░] 0% · Phase A  active"},
		{"no name", `{"status": "complete", "phases": {}, "gates": {}}`, "", "3 loop complete"},
		{"other types", `{"loop": 5, "phase": [], "status": "active", "phases": {"A": "active", "B": {"status": "active", "required": "yes"}}, "gates": {"g": 7, "h": {"status": []}}}`, "",
			"1 [░░░░░░░░░░] 0% · Phase B active · ◆ 1 gate pending"},
		{"a status of another type", loopText("active", abc(complete, `{"status": true}`, pending), gates(passed, passed)), definition, "4 x [███░░░░░░░] 33% · Phase B true"},
		{"statuses that are null", loopText("active", abc(`{"status": null}`, active, pending), `"g": {"status": null}`), "", "1 x [░░░░░░░░░░] 0% · Phase B active · ◆ 1 gate pending"},
	} {
		text, scene := loopLine(t, c.state, c.definition)
		if got := string(rune('0'+scene)) + " " + text; got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestLoopShape holds what is the state of a loop: the names of files are shared by other things.
func TestLoopShape(t *testing.T) {
	for _, c := range []struct {
		name, text string
		reason     peek.Error
	}{
		{"loop and phases", `{"loop": "x", "phases": {}}`, ""}, {"gates and phases", `{"gates": {}, "phases": {}}`, ""},
		{"phases alone", `{"phases": {}}`, errNotLoop}, {"an engine's", `{"loopId": "x", "loop": "x", "phases": [], "gates": []}`, errNotLoop},
		{"an orchestrator's", `{"orchestratorId": "x", "currentPhase": "y", "gates": {"pending": []}}`, errNotLoop},
		{"a controller's", `{"systemId": "x", "state": "y", "stages": {}, "gates": {"security": "pending"}}`, errNotLoop},
		{"fctry's", `{"currentCommand": "x", "buildRun": {}}`, errNotLoop}, {"a list", `[]`, errNotLoop}, {"nothing", "", errNotJSON},
		{"half-written", `{"loop": "x", "phases": {"A": {"sta`, errNotJSON}, {"NUL", "{\x00}", errNotJSON},
		{"UTF-16", "\xff\xfe{\x00", errNotJSON}, {"too many phases", `{"loop": "x", "phases": {` + manyPhases() + `}}`, errTooMany},
	} {
		if _, reason := new(loopMemory).parseLoopState(c.text); reason != c.reason {
			t.Errorf("%s: %q, want %q", c.name, reason, c.reason)
		}
	}
}

// manyPhases returns the members of an object of one phase more than a loop may have.
func manyPhases() string {
	var members []string
	for i := range loopLimit + 1 {
		members = append(members, `"`+strconv.Itoa(i)+`": {}`)
	}
	return strings.Join(members, ", ")
}

// TestConformanceResume turns what resuming a loop comes to into the scene that says so.
func TestConformanceResume(t *testing.T) {
	conformance.Rows(t, "resume.jsonl", func(t *testing.T, row struct {
		State    json.RawMessage
		Loop     string
		LoopJSON json.RawMessage `json:"loop_json"`
		Expected struct{ Action, Phase, Gate, Error string }
	}) {
		var state struct {
			Loop, Status, Phase string
			Phases, Gates       map[string]struct{ Status string }
		}
		if err := json.Unmarshal(row.State, &state); err != nil {
			t.Fatal(err)
		}
		definition := row.LoopJSON
		if row.Loop != "" {
			text, err := os.ReadFile(filepath.Join(conformance.Dir(), "loops", filepath.FromSlash(row.Loop)))
			if err != nil {
				t.Fatal(err)
			}
			definition = text
		}
		files := map[string]string{"a-state.json": string(row.State)}
		if len(bytes.TrimSpace(definition)) > 0 {
			files["loop.json"] = string(definition)
		}
		root := tree(t, files)
		found, ok := Find(Place{Dir: root, Home: root, Source: "loop"})
		if !ok {
			t.Fatal("no loop")
		}
		if found.With == "" && len(files) > 1 {
			t.Fatal("no definition")
		}
		scene, why := found.Facts.Scene()
		text := string(found.Facts.AppendFull(nil))
		wantScene, part := 4, state.Status
		e := row.Expected
		switch e.Action {
		case "continue_phase":
			wantScene, part = 2, "next "+e.Phase
			if state.Phases[e.Phase].Status != "pending" {
				wantScene, part = 1, "Phase "+e.Phase+" active"
			}
		case "gate_prompt":
			wantScene, part = 2, "next approve "+e.Gate
			if state.Gates[e.Gate].Status == "failed" {
				part = "next retry " + e.Gate
			}
		case "ask_retry_failed_phase":
			part = "failed · " + e.Phase
		case "ask_restart":
			wantScene, part = 3, "loop complete"
		case "offer_complete":
			wantScene, part = 2, "next complete"
		case "error":
		default:
			t.Fatalf("action %q", e.Action)
		}
		if state.Status == "paused" && (e.Action == "continue_phase" || e.Action == "gate_prompt") {
			wantScene, part = 4, "paused · "+e.Phase // it goes on there, once it is told to
		}
		if scene != wantScene || !strings.HasPrefix(text, line.Clean(state.Loop)+" ") || !strings.Contains(text+" ", " "+line.Clean(part)+" ") {
			t.Errorf("scene %d, %s: %s\nwant scene %d with %q", scene, why, text, wantScene, part)
		}
	})
}

func FuzzLoopState(f *testing.F) {
	f.Add(loopText("active", `"A": {"status": "complete"}, "B": {"status": "active"}`, `"a-gate": {"status": "pending"}`), definition)
	f.Add(`{"loop": "\u001b[2J", "phases": {"": {}, "\u202e": null}, "gates": {"g": {"required": false}}, "status": 5}`, `{"phases": [{"name": "A", "gates": [{"id": "g"}]}, 5], "gates": {}}`)
	f.Add("\ufeff{\"gates\": {}, \"phases\": {\"A\": 1}}", `{"phases": [null]}`)
	f.Fuzz(func(t *testing.T, state, definition string) {
		m := new(loopMemory)
		s, reason := m.parseLoopState(state)
		if reason != "" {
			return
		}
		d, reason := m.parseLoopDefinition(definition)
		if reason != "" {
			d = nil
		}
		l := m.flow(&s, d)
		if len(l.Phases) != len(s.phases) || len(l.Gates) != len(s.gates) {
			t.Fatalf("%d phases and %d gates of %d and %d", len(l.Phases), len(l.Gates), len(s.phases), len(s.gates))
		}
		facts := LoopLine(s.id, l)
		if facts.Done > facts.Total || facts.Place > facts.Total {
			t.Fatalf("%+v", facts)
		}
		for _, text := range []string{string(facts.AppendFull(nil)), string(facts.AppendCompact(nil))} {
			if !utf8.ValidString(text) || line.Clean(text) != text && len(text) <= line.FieldLimit || line.Width(text) > 5*line.ShortCols {
				t.Fatalf("%q", text)
			}
		}
	})
}
