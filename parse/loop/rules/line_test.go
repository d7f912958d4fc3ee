package rules

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
)

// definition is a loop.json of three phases with a gate behind each of the first two.
const definition = `{"id": "x", "phases": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
	"gates": [{"id": "a-gate", "afterPhase": "A"}, {"id": "b-gate", "afterPhase": "B", "required": false}]}`

// lineOf returns the full line of a state with a definition, "" for none, and its scene.
func lineOf(t *testing.T, state, definition string) (text string, scene int) {
	t.Helper()
	m := new(Memory)
	s, reason := m.State(state)
	if reason != "" {
		return "no loop", 0
	}
	var d *Definition
	if definition != "" {
		if d, reason = m.Definition(definition); reason != "" {
			t.Fatalf("no definition: %s", definition)
		}
		d = d.Named("loop.json")
	}
	facts := Line(s.ID, m.Loop(&s, d))
	scene, why := facts.Scene()
	if astray := strings.Contains(why, "does not say where"); astray != facts.GateAstray {
		t.Errorf("%s, and %+v", why, facts)
	}
	return string(facts.AppendFull(nil)), scene
}

// stateText returns a state of the loop x from its status, its phases and its gates, as JSON members.
func stateText(status, phases, gates string) string {
	return `{"loop": "x", "phase": "A", "status": "` + status + `", "phases": {` + phases + `}, "gates": {` + gates + `}}`
}

// TestLines holds the line of every kind of state, the ones that the document does not foresee included.
func TestLines(t *testing.T) {
	const (
		complete, active, pending = `{"status": "complete"}`, `{"status": "active"}`, `{"status": "pending"}`
		passed, failed            = `{"status": "passed", "required": true}`, `{"status": "failed", "required": true}`
	)
	abc := func(a, b, c string) string { return `"A": ` + a + `, "B": ` + b + `, "C": ` + c }
	gates := func(a, b string) string { return `"a-gate": ` + a + `, "b-gate": ` + b }
	open := gates(pending, pending)
	for _, c := range []struct{ name, state, definition, want string }{
		{"active", stateText("active", abc(complete, active, pending), gates(passed, pending)), definition, "1 x [███░░░░░░░] 33% · Phase B active"},
		{"a gate before the active phase", stateText("active", abc(complete, active, pending), open), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"a failed one", stateText("active", abc(complete, pending, pending), gates(failed, pending)), definition, "2 x [███░░░░░░░] 33% · next retry a-gate"},
		{"an optional one", stateText("active", abc(complete, complete, pending), gates(passed, pending)), definition, "2 x [██████░░░░] 66% · next C"},
		{"an optional one that failed", stateText("active", abc(complete, complete, pending), gates(passed, failed)), definition, "2 x [██████░░░░] 66% · next retry b-gate"},
		{"required by the state", stateText("active", abc(complete, complete, pending), gates(passed, `{"status": "pending", "required": true}`)), definition,
			"2 x [██████░░░░] 66% · next approve b-gate"},
		{"one that work has gone past", stateText("active", abc(complete, complete, active), gates(pending, passed)), definition,
			"1 x [██████░░░░] 66% · Phase C active · ◆ approve a-gate"},
		{"between", stateText("active", abc(`{"status": "skipped"}`, pending, pending), gates(passed, pending)), definition, "2 x [███░░░░░░░] 33% · next B"},
		{"nothing begun", stateText("active", abc(pending, pending, pending), open), definition, "2 x [░░░░░░░░░░] 0% · next A"},
		{"all over", stateText("active", abc(complete, complete, complete), gates(passed, passed)), definition, "2 x [██████████] 100% · next complete"},
		{"active behind pending", stateText("active", abc(complete, pending, active), gates(passed, passed)), definition, "1 x [███░░░░░░░] 33% · Phase C active"},
		{"complete", stateText("complete", abc(complete, complete, complete), gates(passed, pending)), definition, "3 x · loop complete"},
		{"complete, and it is not", stateText("complete", abc(complete, complete, active), open), definition, "1 x [██████░░░░] 66% · Phase C active · ◆ approve a-gate"},
		{"complete, with a gate undecided", stateText("complete", abc(complete, complete, complete), open), definition, "2 x [██████████] 100% · next resume · ◆ approve a-gate"},
		{"complete, and a phase is pending", stateText("complete", abc(complete, complete, pending), gates(passed, passed)), definition, "2 x [██████░░░░] 66% · next resume"},
		{"completed", stateText("completed", abc(complete, complete, complete), gates(passed, passed)), "", "3 x · loop complete"},
		{"completed, with gates that nobody can place", stateText("completed", abc(complete, complete, complete), open), "", "2 x [██████████] 100% · next resume · ◆ approve a-gate +1"},
		{"complete, no definition", stateText("complete", abc(complete, complete, complete), gates(passed, passed)), "", "3 x · loop complete"},
		{"all over, with a gate that nobody can place", stateText("active", abc(complete, complete, complete), gates(passed, pending)), "", "2 x [██████████] 100% · next approve b-gate"},
		{"all over, with an optional one", stateText("active", abc(complete, complete, complete), gates(passed, `{"status": "pending", "required": false}`)), "", "2 x [██████████] 100% · next complete · ◆ 1 gate pending"},
		{"all over, a list of gates", strings.Replace(stateText("complete", abc(complete, complete, complete), ""), `"gates": {}`, `"gates": ["a-gate"]`, 1), "", "2 x [██████████] 100% · ◆ gates can't be read"},
		{"a gate that is nothing", stateText("active", abc(complete, pending, pending), gates("null", pending)), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"an optional gate that is nothing", stateText("active", abc(complete, complete, pending), gates(passed, "null")), definition, "2 x [██████░░░░] 66% · next approve b-gate"},
		{"an optional gate that is a word", stateText("active", abc(complete, complete, pending), gates(passed, `"skipped"`)), definition, "2 x [██████░░░░] 66% · next approve b-gate"},
		{"a gate that is a word", stateText("active", abc(complete, pending, pending), gates(`"passed"`, pending)), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"complete, and a gate of the definition has no name", stateText("complete", abc(complete, complete, complete), gates(passed, passed)), strings.Replace(definition, `"gates": [`, `"gates": [{"required": true}, `, 1),
			"2 x [██████████] 100% · ◆ loop.json can't be read"},
		{"complete, and the gates of the definition are no list", stateText("complete", abc(complete, complete, complete), gates(passed, passed)), `{"id": "x", "phases": ["A", "B", "C"], "gates": {"a-gate": {}}}`,
			"2 x [██████████] 100% · ◆ loop.json can't be read"},
		{"twice, behind A and inside of B", stateText("active", abc(complete, pending, pending), gates(pending, passed)), `{"id": "x", "phases": ["A", {"name": "B", "gates": [{"id": "a-gate", "required": true}]}, "C"], "gates": [{"id": "a-gate", "afterPhase": "A"}]}`,
			"2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"twice, optional first", stateText("active", abc(complete, pending, pending), gates(`{"status": "pending", "required": false}`, passed)), `{"id": "x", "phases": ["A", "B", "C"], "gates": [{"id": "a-gate", "afterPhase": "A", "required": false}, {"id": "a-gate", "afterPhase": "B", "required": true}]}`,
			"2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"mentioned, and optional", stateText("active", abc(complete, pending, pending), gates(`{"status": "pending", "required": false}`, passed)), `{"id": "x", "phases": [{"name": "A", "gates": ["a-gate"]}, "B", "C"], "gates": [{"id": "a-gate", "afterPhase": "A", "required": false}]}`,
			"2 x [███░░░░░░░] 33% · next B"},
		{"twice, and the state lacks it", stateText("active", abc(complete, pending, pending), ""), `{"id": "x", "phases": [{"name": "A", "gates": [{"id": "a-gate"}]}, "B", "C"], "gates": [{"id": "a-gate", "afterPhase": "A", "required": false}, {"id": "a-gate"}]}`,
			"2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"complete, with a phase missing", stateText("complete", `"A": `+complete+`, "B": `+complete, gates(passed, passed)), definition, "4 x [██████░░░░] 66% · Phase C is missing"},
		{"complete, with a phase missing of another version", strings.Replace(stateText("complete", `"A": `+complete+`, "B": `+complete, ""), `"loop"`, `"version": "1", "loop"`, 1),
			strings.Replace(definition, `"id"`, `"version": "2", "id"`, 1), "4 x [██████░░░░] 66% · Phase C is missing · ◆ approve a-gate"},
		{"paused", stateText("paused", abc(complete, active, pending), open), definition, "4 x · paused · B"},
		{"paused, and the gates of the definition are no list", stateText("paused", abc(complete, active, pending), open), `{"id": "x", "phases": ["A", "B", "C"], "gates": {"a-gate": {}}}`, "4 x · paused · B · ◆ loop.json can't be read"},
		{"failed", stateText("failed", abc(complete, pending, pending), open), definition, "4 x · failed · A"},
		{"failed at work", stateText("failed", abc(complete, active, pending), open), "", "4 x · failed · B"},
		{"blocked", stateText("blocked", abc(complete, active, pending), open), definition, "4 x · blocked · B · ◆ approve a-gate"},
		{"paused, all over", stateText("paused", abc(complete, complete, complete), open), "", "4 x · paused · A"},

		{"no definition", stateText("active", abc(complete, active, pending), open), "", "1 x [███░░░░░░░] 33% · Phase B active · ◆ 2 gates pending"},
		{"no definition, between", stateText("active", abc(complete, pending, pending), gates(passed, pending)), "", "2 x [███░░░░░░░] 33% · next B · ◆ 1 gate pending"},
		{"no definition, failed", stateText("active", abc(complete, active, pending), gates(failed, pending)), "",
			"1 x [███░░░░░░░] 33% · Phase B active · ◆ 1 gate failed, 1 gate pending"},
		{"no definition, no gates", stateText("active", abc(complete, active, pending), ""), "", "1 x [███░░░░░░░] 33% · Phase B active"},
		{"the order of the file", `{"loop": "x", "status": "active", "phases": {"Z": {"status": "complete"}, "A": {"status": "pending"}, "M": {"status": "pending"}}}`, "",
			"2 x [███░░░░░░░] 33% · next A"},
		{"the order of the definition", stateText("active", `"C": `+pending+`, "B": `+pending+`, "A": `+complete, gates(passed, passed)), definition, "2 x [███░░░░░░░] 33% · next B"},

		{"dialect", stateText("active", abc(`{"status": "completed"}`, `{"status": "in-progress"}`, pending), gates(passed, pending)), definition,
			"1 x [███░░░░░░░] 33% · Phase B active"},
		{"approved is not passed", stateText("active", abc(complete, active, pending), gates(`{"status": "approved"}`, pending)), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"dialect, rejected", stateText("active", abc(complete, `{"status": "in_progress"}`, pending), gates(`{"status": "rejected"}`, pending)), definition,
			"2 x [███░░░░░░░] 33% · next retry a-gate"},
		{"a word of its own", stateText("active", abc(complete, `{"status": "failed"}`, pending), gates(passed, pending)), definition, "4 x [███░░░░░░░] 33% · Phase B failed"},
		{"a word of its own at the end", stateText("active", abc(complete, complete, `{"status": "on hold"}`), gates(passed, passed)), definition,
			"4 x [██████░░░░] 66% · Phase C on hold"},
		{"a gate with a word of its own", stateText("active", abc(complete, active, pending), gates(`{"status": "asked"}`, pending)), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"a phase without status", stateText("active", abc(complete, "{}", pending), gates(passed, pending)), definition, "2 x [███░░░░░░░] 33% · next B"},
		{"a gate without status", stateText("active", abc(complete, active, pending), gates("{}", pending)), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"no phase with a status", stateText("active", abc(`{"skills": []}`, "{}", "null"), ""), definition, "4 x · active · A · ◆ phases can't be read"},
		{"no phases", stateText("active", "", open), definition, "4 x · active · A · ◆ approve a-gate"},
		{"no status", `{"loop": "x", "phase": "B", "phases": {` + abc(complete, active, pending) + `}}`, definition, "4 x · B · ◆ approve a-gate"},

		{"not all phases defined", stateText("active", `"Y": `+pending+`, `+abc(complete, complete, complete), gates(passed, passed)), definition, "2 x [███████░░░] 75% · next Y"},
		{"a gate that stands nowhere", stateText("active", abc(complete, pending, pending), `"g": `+pending), `{"id": "x", "phases": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
			"gates": [{"id": "g", "afterPhase": "Nope"}]}`, "2 x [███░░░░░░░] 33% · next approve g"},
		{"in a phase, and nowhere", stateText("active", abc(complete, active, pending), `"g": `+pending), `{"id": "x", "phases": [{"name": "A", "gates": [{"id": "g", "afterPhase": "Nope"}]}, {"name": "B"}, {"name": "C"}]}`,
			"2 x [███░░░░░░░] 33% · next approve g"},
		{"a gate that the definition lacks", stateText("active", abc(complete, pending, pending), `"g": `+pending), `{"id": "x", "phases": [{"name": "A"}, {"name": "B"}, {"name": "C"}]}`,
			"2 x [███░░░░░░░] 33% · next approve g"},
		{"nowhere, before any phase is over", stateText("active", abc(active, pending, pending), `"g": `+pending), `{"id": "x", "phases": [{"name": "A"}, {"name": "B"}, {"name": "C"}]}`,
			"1 x [░░░░░░░░░░] 0% · Phase A active"},
		{"phases and gates that are names", stateText("active", abc(complete, pending, pending), `"g": `+pending), `{"id": "x", "phases": ["A", {"id": "B"}, "C"], "gates": [{"name": "g", "afterPhase": "A"}]}`,
			"2 x [███░░░░░░░] 33% · next approve g"},

		{"not all phases kept", stateText("active", `"B": `+pending, gates(pending, pending)), definition, "2 x [░░░░░░░░░░] 0% · next approve a-gate"},
		{"the first not kept, work behind it", stateText("active", `"B": `+active, gates(pending, pending)), definition, "2 x [░░░░░░░░░░] 0% · next approve a-gate"},
		{"a gate that the state lacks", stateText("active", abc(complete, active, pending), ""), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"one of two required gates behind a phase", stateText("active", abc(complete, active, pending), gates(failed, passed)+`, "g": `+pending), strings.Replace(definition, `"afterPhase": "A"}`, `"afterPhase": "A"}, {"id": "g", "afterPhase": "A"}`, 1),
			"2 x [███░░░░░░░] 33% · next retry a-gate · ◆ approve g"},
		{"not required by the state alone", stateText("active", abc(complete, active, pending), gates(`{"status": "pending", "required": false}`, pending)), definition, "2 x [███░░░░░░░] 33% · next approve a-gate"},
		{"a gate without an id", stateText("active", abc(complete, active, pending), `"": `+pending+`, "a-gate": `+passed), definition, "2 x [███░░░░░░░] 33% · next approve a gate without an id"},
		{"a phase without a name", `{"status": "active", "phases": {"": ` + active + `}, "gates": {}}`, "", "1 [░░░░░░░░░░] 0% · Phase without a name active"},
		{"behind an ID", stateText("active", abc(complete, pending, pending), `"g": `+pending), `{"id": "x", "phases": [{"name": "A", "id": "first"}, {"name": "B", "id": "A"}, {"name": "C"}],
			"gates": [{"id": "g", "afterPhase": "first"}]}`, "2 x [███░░░░░░░] 33% · next approve g"},
		{"behind a name before an ID", stateText("active", abc(complete, complete, pending), `"g": `+pending), `{"id": "x", "phases": [{"name": "A", "id": "B"}, {"name": "B"}, {"name": "C"}],
			"gates": [{"id": "g", "afterPhase": "B"}]}`, "2 x [██████░░░░] 66% · next approve g"},
		{"inside a phase", stateText("active", abc(complete, pending, pending), `"g": `+pending), `{"id": "x", "phases": [{"name": "A", "gates": [{"id": "g"}]}, {"name": "B"}, {"name": "C"}]}`,
			"2 x [███░░░░░░░] 33% · next approve g"},
		{"two behind one phase", stateText("active", abc(complete, pending, pending), `"h": `+pending+`, "g": `+passed), `{"id": "x", "phases": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
			"gates": [{"id": "g", "afterPhase": "A"}, {"id": "h", "afterPhase": "A"}]}`, "2 x [███░░░░░░░] 33% · next approve h"},
		{"skills are objects", stateText("active", abc(complete, active, pending), ""), `{"id": "x", "phases": [{"name": "A", "skills": [{"skillId": "s", "required": true}]}, {"name": "B"}, {"name": "C"}]}`,
			"1 x [███░░░░░░░] 33% · Phase B active"},

		{"a byte order mark", "\ufeff" + stateText("complete", "", ""), "", "3 x · loop complete"},
		{"keys that stand twice", `{"loop": "y", "loop": "x", "status": "active", "phases": {"A": {"status": "complete", "status": "pending"}, "B": {"status": "pending"}, "A": {"status": "active"}}}`, "",
			"1 x [░░░░░░░░░░] 0% · Phase A active"},
		{"escapes", `{"loop": "\u0078", "status": "acti\u0076e", "phases": {"\u0041\n": {"status": "active"}}}`, "", "1 x [░░░░░░░░░░] 0% · Phase A  active"},
		{"no name", `{"status": "complete", "phases": {}, "gates": {}}`, "", "3 loop complete"},
		{"other types", `{"loop": 5, "phase": [], "status": "active", "phases": {"A": "active", "B": {"status": "active", "required": "yes"}}, "gates": {"g": 7, "h": {"status": []}}}`, "",
			"1 [░░░░░░░░░░] 0% · Phase B active · ◆ phases can't be read, 2 gates pending"},
		{"phases that are texts", stateText("active", `"A": "complete", "B": "active"`, gates(pending, pending)), definition, "4 x · active · A · ◆ phases can't be read"},
		{"a status of another type", stateText("active", abc(complete, `{"status": true}`, pending), gates(passed, passed)), definition, "4 x [███░░░░░░░] 33% · Phase B true"},
		{"statuses that are null", stateText("active", abc(`{"status": null}`, active, pending), `"g": {"status": null}`), "", "1 x [░░░░░░░░░░] 0% · Phase B active · ◆ 1 gate pending"},
	} {
		text, scene := lineOf(t, c.state, c.definition)
		if got := string(rune('0'+scene)) + " " + text; got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestShape holds what is the state of a loop: the names of files are shared by other things.
func TestShape(t *testing.T) {
	for _, c := range []struct {
		name, text string
		reason     peek.Error
	}{
		{"loop and phases", `{"loop": "x", "phases": {}}`, ""}, {"gates and phases", `{"gates": {}, "phases": {}}`, ""},
		{"phases alone", `{"phases": {}}`, ErrNotLoop}, {"an engine's", `{"loopId": "x", "loop": "x", "phases": [], "gates": []}`, ErrNotLoop},
		{"an orchestrator's", `{"orchestratorId": "x", "currentPhase": "y", "gates": {"pending": []}}`, ErrNotLoop},
		{"a controller's", `{"systemId": "x", "state": "y", "stages": {}, "gates": {"security": "pending"}}`, ErrNotLoop},
		{"a controller's with phases", `{"systemId": "x", "stages": {}, "loop": "y", "phases": {}}`, ErrNotLoop},
		{"fctry's", `{"currentCommand": "x", "buildRun": {}}`, ErrNotLoop}, {"a list", `[]`, ErrBlank}, {"null", ` null`, ErrBlank}, {"an empty object", "\ufeff{ }", ErrBlank},
		{"nothing", "", ErrNotJSON}, {"phases that are a list", `{"loop": "x", "phases": []}`, ErrDamaged}, {"gates that are a list", `{"phases": {}, "gates": []}`, ErrDamaged},
		{"half-written", `{"loop": "x", "phases": {"A": {"sta`, ErrNotJSON}, {"NUL", "{\x00}", ErrNotJSON},
		{"UTF-16", "\xff\xfe{\x00", ErrNotJSON}, {"too many phases", `{"loop": "x", "phases": {` + manyPhases() + `}}`, ErrTooMany},
	} {
		if _, reason := new(Memory).State(c.text); reason != c.reason {
			t.Errorf("%s: %q, want %q", c.name, reason, c.reason)
		}
	}
}

// manyPhases returns the members of an object of one phase more than a loop may have.
func manyPhases() string {
	var members []string
	for i := range Limit + 1 {
		members = append(members, `"`+strconv.Itoa(i)+`": {}`)
	}
	return strings.Join(members, ", ")
}

func FuzzState(f *testing.F) {
	f.Add(stateText("active", `"A": {"status": "complete"}, "B": {"status": "active"}`, `"a-gate": {"status": "pending"}`), definition)
	f.Add(`{"loop": "\u001b[2J", "phases": {"": {}, "\u202e": null}, "gates": {"g": {"required": false}}, "status": 5}`, `{"phases": [{"name": "A", "gates": [{"id": "g"}]}, 5], "gates": {}}`)
	f.Add("\ufeff{\"gates\": {}, \"phases\": {\"A\": 1}}", `{"phases": [null]}`)
	f.Fuzz(func(t *testing.T, state, definition string) {
		m := new(Memory)
		s, reason := m.State(state)
		if reason != "" {
			return
		}
		d, reason := m.Definition(definition)
		if reason != "" {
			d = nil
		}
		l := m.Loop(&s, d)
		held := 0 // gates of the state, beside those that only the definition has
		for _, g := range l.Gates {
			held += min(g.At+1, 1)
		}
		if len(l.Phases) != len(s.Phases) || held != len(s.Gates) || len(l.Gates)-held > len(d.gates()) {
			t.Fatalf("%d phases and %d gates of %d and %d", len(l.Phases), len(l.Gates), len(s.Phases), len(s.Gates))
		}
		facts := Line(s.ID, l)
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

// gates returns the gates of a definition, none without one.
func (d *Definition) gates() []DefinedGate {
	if d == nil {
		return nil
	}
	return d.Gates
}
