package brief

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/peek"
)

// definition is a loop.json of three phases with a gate behind each of the first two.
const definition = `{"id": "x", "phases": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
	"gates": [{"id": "a-gate", "afterPhase": "A"}, {"id": "b-gate", "afterPhase": "B", "required": false}]}`

// loopLine returns the full line of a state with a definition, "" for none, and its scene.
func loopLine(t *testing.T, state, definition string) (text string, scene int) {
	t.Helper()
	m := new(loopMemory)
	s, _, ok := m.parseLoopState(state)
	if !ok {
		return "no loop", 0
	}
	var d *loopDefinition
	if definition != "" {
		if d, _, ok = m.parseLoopDefinition(definition); !ok {
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
		{"a gate with a word of its own", loopText("active", abc(complete, active, pending), gates(`{"status": "asked"}`, pending)), definition, "1 x [███░░░░░░░] 33% · Phase B active"},
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
	many := strings.Repeat(`"%": {}, `, loopLimit+1)
	for i := 0; strings.Contains(many, "%"); i++ {
		many = strings.Replace(many, "%", string(rune('一'+i)), 1)
	}
	for _, c := range []struct {
		name, text string
		valid, ok  bool
	}{
		{"loop and phases", `{"loop": "x", "phases": {}}`, true, true}, {"gates and phases", `{"gates": {}, "phases": {}}`, true, true},
		{"phases alone", `{"phases": {}}`, true, false}, {"an engine's", `{"loopId": "x", "loop": "x", "phases": [], "gates": []}`, true, false},
		{"an orchestrator's", `{"orchestratorId": "x", "currentPhase": "y", "gates": {"pending": []}}`, true, false},
		{"a controller's", `{"systemId": "x", "state": "y", "stages": {}, "gates": {"security": "pending"}}`, true, false},
		{"fctry's", `{"currentCommand": "x", "buildRun": {}}`, true, false}, {"a list", `[]`, true, false}, {"nothing", "", false, false},
		{"half-written", `{"loop": "x", "phases": {"A": {"sta`, false, false}, {"NUL", "{\x00}", false, false},
		{"UTF-16", "\xff\xfe{\x00", false, false}, {"too many phases", `{"loop": "x", "phases": {` + many + `"A": {}}}`, true, false},
	} {
		if _, valid, ok := new(loopMemory).parseLoopState(c.text); valid != c.valid || ok != c.ok {
			t.Errorf("%s: valid %v, a loop %v", c.name, valid, ok)
		}
	}
}

// loopAge makes the files of a tree old, in seconds; others are as new as the test.
func loopAge(t *testing.T, root string, ages map[string]int) {
	t.Helper()
	now := time.Now()
	for name, age := range ages {
		when := now.Add(-time.Duration(age) * time.Second)
		if err := os.Chtimes(filepath.Join(root, filepath.FromSlash(name)), when, when); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFindLoop holds which file of a directory is the state, and which its definition.
func TestFindLoop(t *testing.T) {
	const between = `{"status": "complete"}, "B": {"status": "pending"}, "C": {"status": "pending"}`
	state := loopText("active", `"A": `+between, `"a-gate": {"status": "pending"}`)
	ended := strings.Replace(loopText("complete", "", ""), `"x"`, `"y"`, 1)
	other := strings.Replace(definition, `"x"`, `"z"`, 1)
	const placed, flat, done = "x [███░░░░░░░] 33% · next approve a-gate", "x [███░░░░░░░] 33% · next B · ◆ 1 gate pending", "y · loop complete"
	for _, c := range []struct {
		name       string
		files      map[string]string
		ages       map[string]int
		want, path string // with the definition behind a comma
	}{
		{"by its suffix", map[string]string{"x-state.json": state}, nil, flat, "x-state.json"},
		{"state.json", map[string]string{"state.json": state}, nil, flat, "state.json"},
		{"in memory", map[string]string{"memory/x-state.json": state}, nil, flat, "memory/x-state.json"},
		{"not any file in memory", map[string]string{"memory/state.json": state, "x.json": state, ".x-state.json": state, "states/x-state.json": state}, nil, "", ""},
		{"the newest", map[string]string{"x-state.json": state, "y-state.json": ended}, map[string]int{"x-state.json": 5}, done, "y-state.json"},
		{"the newest, the other way", map[string]string{"x-state.json": state, "y-state.json": ended}, map[string]int{"y-state.json": 5}, flat, "x-state.json"},
		{"the newest in memory", map[string]string{"x-state.json": state, "memory/y-state.json": ended}, map[string]int{"x-state.json": 5}, done, "memory/y-state.json"},
		{"of equals by name", map[string]string{"b-state.json": state, "a-state.json": ended}, map[string]int{"a-state.json": 1e9, "b-state.json": 1e9}, done, "a-state.json"},
		{"the newest is none", map[string]string{"x-state.json": state, "y-state.json": "{}", "z-state.json": "{", "w-state.json/": ""}, map[string]int{"x-state.json": 5}, flat, "x-state.json"},
		{"a loop.json", map[string]string{"x-state.json": state, "loop.json": definition}, nil, placed, "x-state.json, loop.json"},
		{"by the ID", map[string]string{"x-state.json": state, "x.json": definition}, nil, placed, "x-state.json, x.json"},
		{"in loops", map[string]string{"x-state.json": state, "loops/x/loop.json": definition}, nil, placed, "x-state.json, loops/x/loop.json"},
		{"in loops by the ID", map[string]string{"x-state.json": state, "loops/x.json": definition}, nil, placed, "x-state.json, loops/x.json"},
		{"the first that is the loop's", map[string]string{"x-state.json": state, "loop.json": other, "x.json": "{", "loops/x/loop.json": `{"id": "x"}`, "loops/x.json": definition}, nil,
			placed, "x-state.json, loops/x.json"},
		{"another loop's", map[string]string{"x-state.json": state, "loop.json": other}, nil, flat, "x-state.json"},
		{"beside the state", map[string]string{"memory/x-state.json": state, "loop.json": definition}, nil, flat, "memory/x-state.json"},
		{"a state without a name", map[string]string{"x-state.json": strings.Replace(state, `"loop": "x",`, "", 1), "loop.json": other}, nil,
			strings.TrimPrefix(placed, "x "), "x-state.json, loop.json"},
		{"in the user's directory", map[string]string{"x-state.json": state, "../lib/x/loop.json": definition}, nil, placed, "x-state.json, ../lib/x/loop.json"},
		{"in the user's second directory", map[string]string{"x-state.json": state, "../lib/x/loop.json": other, "../more/x.json": definition}, nil, placed, "x-state.json, ../more/x.json"},
		{"beside before the user's", map[string]string{"x-state.json": state, "x.json": definition, "../lib/x/loop.json": definition}, nil, placed, "x-state.json, x.json"},
	} {
		files := map[string]string{"p/": ""}
		for name, text := range c.files {
			files["p/"+name] = text
		}
		root := filepath.Join(tree(t, files), "p")
		loopAge(t, root, c.ages)
		p := Place{Dir: root, Home: root, Env: func(name string) string {
			if name != "GATEHOUSE_LOOPS" {
				return ""
			}
			lists := []string{"", "relative", filepath.Join(root, "..", "lib"), filepath.Join(root, "..", "more")}
			return strings.Join(lists, string(filepath.ListSeparator))
		}}
		found, ok := Find(p)
		var paths []string
		for _, path := range []string{found.Path, found.With} {
			if path != "" {
				name, _ := filepath.Rel(root, path)
				paths = append(paths, filepath.ToSlash(name))
			}
		}
		got := ""
		if ok {
			got = string(found.Facts.AppendFull(nil))
		}
		if got != c.want || strings.Join(paths, ", ") != c.path {
			t.Errorf("%s: %q from %q, want %q from %q", c.name, got, paths, c.want, c.path)
		}
	}
}

// TestLoopIDInPath holds that the name of a loop leads nowhere but to its definition.
func TestLoopIDInPath(t *testing.T) {
	for id, want := range map[string]bool{
		"x": true, "sample-loop": true, "A.b_9": true, "": false, ".x": false, "..": false, "a/b": false, `a\b`: false, "a b": false, "é": false, "a\x00": false,
	} {
		if usableInPath(id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
	outside := strings.Replace(definition, `"x"`, `"../x"`, 1)
	root := tree(t, map[string]string{"x.json": outside, "p/a-state.json": strings.Replace(loopText("active", `"A": {"status": "active"}`, ""), `"x"`, `"../x"`, 1)})
	if found, _ := Find(Place{Dir: filepath.Join(root, "p"), Home: root}); found.With != "" {
		t.Errorf("the definition is %s", found.With)
	}
}

func TestLoopRefused(t *testing.T) {
	state := loopText("active", `"A": {"status": "active"}`, "")
	for _, c := range []struct {
		name   string
		files  map[string]string
		path   string
		reason error
	}{
		{"nothing", map[string]string{"x-state.json": state, "state.json": "[]"}, "", nil},
		{"half-written", map[string]string{"x-state.json": `{"loop`}, "x-state.json", errNotJSON},
		{"a directory", map[string]string{"x-state.json/": ""}, "x-state.json", peek.ErrNotRegular},
		{"another loop's definition", map[string]string{"x-state.json": state, "loop.json": `{"id": "y", "phases": [{}]}`}, "loop.json", errOtherLoop},
		{"a broken definition", map[string]string{"x-state.json": state, "loop.json": "{"}, "loop.json", errNotJSON},
	} {
		root := tree(t, c.files)
		found, _ := Find(Place{Dir: root, Home: root})
		want := ""
		if c.path != "" {
			want = filepath.Join(root, c.path)
		}
		if found.Refused != want || found.Reason != c.reason {
			t.Errorf("%s: %q, %v, want %q, %v", c.name, found.Refused, found.Reason, want, c.reason)
		}
	}
}

// TestLoopWatch holds what a loop's line depends on: the directories that were listed, every candidate, and every place of
// the definition that was looked at.
func TestLoopWatch(t *testing.T) {
	state := loopText("active", `"A": {"status": "active"}`, "")
	root := tree(t, map[string]string{"p/x-state.json": state, "p/state.json": "{}", "p/memory/old-state.json": state, "p/loops/": "", "p/a/": "", "q/x-state.json": state, "q/loop.json": definition})
	loopAge(t, root, map[string]int{"p/memory/old-state.json": 60})
	for _, c := range []struct{ dir, present, absent string }{
		{"p/a", "p p/a p/loops p/memory p/memory/old-state.json p/state.json p/x-state.json", "lib lib/x p/.planning p/a/.fctry p/a/.planning p/loops/x"},
		{"q", "q q/loop.json q/x-state.json", "q/.planning"},
	} {
		var w Watch
		env := func(string) string { return filepath.Join(root, "lib") }
		if _, ok := Find(Place{Dir: filepath.Join(root, filepath.FromSlash(c.dir)), Home: root, Watch: &w, Env: env}); !ok || w.Unsure {
			t.Errorf("%s: found %v, unsure %v", c.dir, ok, w.Unsure)
		}
		for _, list := range []struct {
			got  []string
			want string
		}{{w.Present, c.present}, {w.Absent, c.absent}} {
			var names []string
			for _, path := range list.got {
				name, _ := filepath.Rel(root, path)
				names = append(names, filepath.ToSlash(name))
			}
			slices.Sort(names)
			if got := strings.Join(names, " "); got != list.want {
				t.Errorf("%s: %s\nwant %s", c.dir, got, list.want)
			}
		}
	}
}

// TestManyLoops holds that of any number of candidates the newest is found, and that what was left out is not kept.
func TestManyLoops(t *testing.T) {
	files, ages := map[string]string{}, map[string]int{}
	for i := range 3 * candidateLimit {
		name := string(rune('a'+i%26)) + string(rune('a'+i/26)) + "-state.json"
		files[name], ages[name] = strings.Replace(loopText("complete", "", ""), `"x"`, `"`+name+`"`, 1), 1000-(i*7)%100
	}
	files["ca-state.json"], ages["ca-state.json"] = strings.Replace(loopText("complete", "", ""), `"x"`, `"new"`, 1), 1
	root := tree(t, files)
	loopAge(t, root, ages)
	var w Watch
	found, _ := Find(Place{Dir: root, Home: root, Watch: &w})
	if got := string(found.Facts.AppendFull(nil)); got != "new · loop complete" || !w.Unsure {
		t.Errorf("%q, unsure %v", got, w.Unsure)
	}
}

func TestLoopWaits(t *testing.T) {
	state := loopText("active", `"A": {"status": "complete"}, "B": {"status": "pending"}, "C": {}`, `"a-gate": {"status": "pending"}`)
	root := tree(t, map[string]string{"p/x-state.json": state, "p/loop.json": definition, "q/x-state.json": state})
	for dir, want := range map[string]string{"p": "approve a-gate", "q": "1 gate pending"} {
		p := Place{Dir: filepath.Join(root, dir), Home: root, Alerts: true}
		found, _ := Find(p)
		if found.Waits != want || !found.WaitsSaid || found.WaitsPath != found.Path {
			t.Errorf("%s: %+v", dir, found)
		}
		p.Alerts = false
		if found, _ := Find(p); found.Waits != "" {
			t.Errorf("%s: %q, and nobody asked", dir, found.Waits)
		}
	}
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
		s, valid, ok := m.parseLoopState(state)
		if ok && !valid {
			t.Fatal("a loop, and no JSON")
		}
		d, valid, defined := m.parseLoopDefinition(definition)
		if defined && !valid {
			t.Fatal("a definition, and no JSON")
		}
		if !ok {
			return
		}
		if !defined {
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
