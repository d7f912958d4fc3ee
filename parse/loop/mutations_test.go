package loop

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
)

// soundDefinition and soundState are an active loop that breaks no rule. Its deliverables exist.
const (
	soundDefinition = `{
  "id": "kite-loop", "name": "Kite", "version": "1.2.0", "defaults": {"mode": "greenfield"},
  "phases": [
    {"name": "SKETCH", "id": "P1", "required": true, "skills": ["draw", "measure"]},
    {"name": "SEW", "id": "P2", "required": true, "skills": ["cut"]},
    {"name": "FLY", "id": "P3", "required": false, "skills": []}
  ],
  "gates": [
    {"id": "sketch-gate", "name": "Sketch", "afterPhase": "SKETCH", "required": true, "approvalType": "human", "deliverables": ["SKETCH.md"]},
    {"id": "wind-gate", "name": "Wind", "afterPhase": "SKETCH", "required": false, "approvalType": "conditional", "deliverables": []},
    {"id": "sew-gate", "name": "Seams", "afterPhase": "SEW", "required": true, "approvalType": "auto", "deliverables": ["SEAMS.md"]}
  ]
}
`
	soundState = `{
  "loop": "kite-loop", "version": "1.2.0", "mode": "greenfield", "phase": "SEW", "status": "active",
  "gates": {
    "sketch-gate": {"status": "passed", "required": true, "approvalType": "human", "deliverables": ["SKETCH.md"], "passedAt": "2026-03-01T10:00:00Z", "skippedReason": null},
    "wind-gate": {"status": "skipped", "required": false, "approvalType": "conditional", "deliverables": [], "passedAt": null, "skippedReason": "there is no wind today"},
    "sew-gate": {"status": "pending", "required": true, "approvalType": "auto", "deliverables": ["SEAMS.md"], "passedAt": null, "skippedReason": null}
  },
  "phases": {
    "SKETCH": {"status": "complete", "required": true, "skills": ["draw", "measure"], "deliverables": [], "startedAt": "2026-03-01T09:00:00Z", "completedAt": "2026-03-01T09:30:00Z"},
    "SEW": {"status": "active", "required": true, "skills": ["cut"], "deliverables": [], "startedAt": "2026-03-01T10:00:00Z", "completedAt": null},
    "FLY": {"status": "pending", "required": false, "skills": [], "deliverables": [], "startedAt": null, "completedAt": null}
  },
  "metrics": {},
  "started_at": "2026-03-01T09:00:00Z",
  "last_updated": "2026-03-01T10:30:00Z"
}
`
)

// inState lists mutations of one value of the state: JSON values that break a rule, and JSON values that break none. "-" removes the
// member, "twice" duplicates it. A path with "*" stands for each phase, or each gate.
var inState = []struct{ path, breaks, keeps string }{
	{"loop", `- 5 null "" "other-loop" twice`, ``},
	{"version", `- 5 null "1.2.1" twice`, ``},
	{"mode", `- 5 null [] twice`, `"brownfield-polish" "completion"`},
	{"phase", `- 5 null "NAP" "sew" "FLY" "" twice`, ``},
	{"status", `- 5 null "" "Active" "blocked" "completed" "complete" "running" twice`, `"paused" "failed"`},
	{"gates", `- [] null 5 {} twice`, ``},
	{"phases", `- [] null {} twice`, ``},
	{"metrics", `- [] 5 null "none" twice`, `{"kites":3} {"a":{"b":[1,2]}}`},
	{"started_at", `- 5 null "" "yesterday" "2026-03-01" "2026-03-01T09:00:00" "2026-13-01T09:00:00Z" "2026-03-01T09:00:00+25:00" "2027-03-01T09:00:00Z" twice`,
		`"2026-03-01T09:00:00+00:00" "20260301T090000Z" "2026-03-01T09:00Z" "2026-03-01T09:00:00.123Z"`},
	{"last_updated", `- 5 null "" "now" "2026-03-01T10:30:00" "2026-02-30T10:30:00Z" "2026-03-01T10:30:00-02:99" "2025-03-01T10:30:00Z" twice`,
		`"2026-03-01T12:30:00+02:00" "2026-03-02T00:00:00Z"`},
	{"gates.*.status", `- 5 null "" "approved" "rejected" "PASSED" "passed " true twice`, ``},
	{"gates.*.required", `- 5 null "true" [] twice`, ``},
	{"gates.*.approvalType", `- 5 null "" "Human" "manual" "automated" "nobody" twice`, ``},
	{"gates.*.deliverables", `- 5 null "SKETCH.md" ["OTHER.md"] [1] [{"name":"SKETCH.md"}] ["SKETCH.md","SEAMS.md"] {} twice`, ``},
	{"gates.*.passedAt", `- 5 "" "yes" "2026-03-01" true twice`, ``},
	{"gates.*.skippedReason", `- 5 [] twice`, ``},
	{"gates.sketch-gate.status", `"pending" "failed" "skipped"`, ``},
	{"gates.wind-gate.status", `"pending" "failed" "passed"`, ``},
	{"gates.sew-gate.status", `"passed" "skipped"`, `"failed"`},
	{"gates.sketch-gate.required", `false`, ``}, {"gates.wind-gate.required", `true`, ``}, {"gates.sew-gate.required", `false`, ``},
	{"gates.sketch-gate.approvalType", `"auto" "conditional"`, ``}, {"gates.wind-gate.approvalType", `"auto" "human"`, ``}, {"gates.sew-gate.approvalType", `"human" "conditional"`, ``},
	{"gates.sketch-gate.deliverables", `[]`, ``}, {"gates.sew-gate.deliverables", `[]`, ``},
	{"gates.sketch-gate.passedAt", `null "2026-03-01T08:59:59Z" "2026-03-01T10:30:01Z"`, `"2026-03-01T11:00:00+01:00" "2026-03-01T09:00:00Z" "2026-03-01T10:30:00Z"`}, {"gates.sew-gate.passedAt", `"2026-03-01T10:00:00Z"`, ``},
	{"gates.wind-gate.skippedReason", `null "" "too short"`, `"there was no wind all day"`}, {"gates.sew-gate.skippedReason", `"for no reason at all"`, ``},
	{"phases.*.status", `- 5 null "" "done" "in_progress" "completed" "Complete" twice`, ``},
	{"phases.*.required", `- 5 null "yes" twice`, ``},
	{"phases.*.skills", `- 5 null "draw" ["fold"] [1] [{"name":"draw"}] {} twice`, ``},
	{"phases.*.deliverables", `- 5 null "SKETCH.md" [1] [{"file":"a.md"}] twice`, `["SKETCH.md"]`},
	{"phases.*.startedAt", `- 5 "" "early" "2026-03-01" twice`, ``},
	{"phases.*.completedAt", `- 5 "" "late" true twice`, ``},
	{"phases.SKETCH.status", `"pending" "active" "skipped"`, ``}, {"phases.SEW.status", `"complete" "skipped"`, ``}, {"phases.FLY.status", `"active" "complete"`, `"skipped"`},
	{"phases.SKETCH.skills", `[] ["measure","draw"] ["draw"]`, ``},
	{"phases.SKETCH.completedAt", `null "2026-03-01T08:00:00Z" "2026-03-01T10:31:00Z"`, ``}, {"phases.SKETCH.startedAt", `"2026-03-01T08:00:00Z"`, `null`}, {"phases.SEW.startedAt", `"2026-03-01T11:00:00Z"`, ``}, {"phases.SEW.completedAt", `"2026-03-01T11:00:00Z"`, ``}, {"phases.FLY.completedAt", `"2026-03-01T11:00:00Z"`, ``},
	{"phases.FLY.required", `true`, ``}, {"phases.SEW.required", `false`, ``}, {"phases.SKETCH.required", `false`, ``},
	{"gates.sketch-gate", `- null [] 5 twice`, ``}, {"gates.wind-gate", `- null`, ``}, {"gates.sew-gate", `- null`, ``},
	{"phases.SKETCH", `- null 5 twice`, ``}, {"phases.SEW", `- null`, ``}, {"phases.FLY", `- null`, ``},
	{"note", ``, `"of somebody" 5 {} []`}, {"gates.sew-gate.note", ``, `"of somebody"`}, {"phases.SEW.note", ``, `"of somebody"`},
}

// inDefinition lists mutations of one value of the definition; "0" in a path is the first element of a list.
var inDefinition = []struct{ path, breaks, keeps string }{
	{"id", `- 5 null "" "other-loop" twice`, ``},
	{"version", `- 5 null "1.3.0" twice`, ``},
	{"name", `5 []`, `- "Dragon"`},
	{"defaults", `5 []`, `- {"mode":"x"}`},
	{"phases", `- 5 null [] {} twice`, ``},
	{"gates", `- 5 {} [] twice`, ``},
	{"phases.*.name", `5 "NAP" "sketch" twice`, ``},
	{"phases.*.id", `5 []`, `- "Q"`},
	{"phases.*.required", `5 "yes"`, ``},
	{"phases.*.skills", `5 "draw" ["fold"] [1]`, ``}, {"phases.0.skills", `-`, ``}, {"phases.2.skills", ``, `- null`},
	{"phases.*", `5 null {} []`, ``},
	{"gates.*.id", `5 "x-gate" "Sketch-Gate" twice`, ``},
	{"gates.*.name", `5 []`, `- "Other"`},
	{"gates.*.afterPhase", `- 0 5 null "" "NAP" "sew" []`, ``},
	{"gates.*.required", `5 "no" []`, ``},
	{"gates.*.approvalType", `5 "nobody" []`, ``},
	{"gates.*.deliverables", `5 "SKETCH.md" ["OTHER.md"] [1] {}`, ``},
	{"gates.*", `5 null {} []`, ``},
	{"gates.0.afterPhase", ``, `"P1"`}, {"gates.1.afterPhase", ``, `"P1"`}, {"gates.2.afterPhase", ``, `"P2"`},
	{"gates.0.required", `false`, `- true`}, {"gates.1.required", `true -`, `false`}, {"gates.2.required", `false`, `- true`},
	{"gates.0.approvalType", `"auto" "conditional"`, `- "human"`}, {"gates.1.approvalType", `"auto" "human"`, ``}, {"gates.2.approvalType", `"human" "automated" "AUTO"`, ``},
	{"phases.0.required", `false`, `- true`}, {"phases.2.required", `true -`, `false`},
	{"gates.1.id", `"sketch-gate"`, ``}, {"phases.1.name", `"SKETCH"`, ``},
}

// TestCheckFindsEveryMutation changes one value of a sound loop at a time. The check must report every change that breaks a rule, with a
// place, and no other.
func TestCheckFindsEveryMutation(t *testing.T) {
	if problems := checkOf(t, soundState, soundDefinition); len(problems) > 0 {
		t.Fatalf("the loop is not sound: %v", problems)
	}
	tried := 0
	for _, of := range []struct {
		what, text string
		table      []struct{ path, breaks, keeps string }
		names      map[string][]string
	}{
		{"state", soundState, inState, map[string][]string{"gates": {"sketch-gate", "wind-gate", "sew-gate"}, "phases": {"SKETCH", "SEW", "FLY"}}},
		{"definition", soundDefinition, inDefinition, map[string][]string{"gates": {"0", "1", "2"}, "phases": {"0", "1", "2"}}},
	} {
		for _, row := range of.table {
			list, _, _ := strings.Cut(row.path, ".")
			names := []string{""}
			if strings.Contains(row.path, "*") {
				names = of.names[list]
			}
			for _, name := range names {
				path := strings.Replace(row.path, "*", name, 1)
				for _, values := range []struct {
					of     string
					breaks bool
				}{{row.breaks, true}, {row.keeps, false}} {
					for _, value := range splitValues(values.of) {
						state, definition := soundState, soundDefinition
						mutant := mutated(t, of.text, strings.Split(path, "."), value)
						if of.what == "state" {
							state = mutant
						} else {
							definition = mutant
						}
						tried++
						problems := checkOf(t, state, definition)
						if values.breaks != (len(problems) > 0) {
							t.Errorf("%s: %s is %s: %v", of.what, path, value, problems)
						}
						for _, p := range problems {
							if p.Rule == "" || p.Text == "" || p.Fix == "" || p.File == "" {
								t.Errorf("%s: %s is %s: %+v", of.what, path, value, p)
							}
						}
					}
				}
			}
		}
	}
	for name, c := range map[string]struct {
		state, definition string
		breaks            bool
	}{
		"a byte order mark":          {"\ufeff" + soundState, "\ufeff" + soundDefinition, false},
		"line ends of Windows":       {strings.ReplaceAll(soundState, "\n", "\r\n"), strings.ReplaceAll(soundDefinition, "\n", "\r\n"), false},
		"no space":                   {strings.NewReplacer("\n", "", "  ", "").Replace(soundState), soundDefinition, false},
		"a state that breaks off":    {soundState[:400], soundDefinition, true},
		"an empty state":             {"", soundDefinition, true},
		"a definition with comments": {soundState, "// kite\n" + soundDefinition, true},
		"an empty definition":        {soundState, " ", true},
		"no definition":              {soundState, "", true},
		"a comma too many":           {strings.Replace(soundState, "\n}\n", ",\n}\n", 1), soundDefinition, true},
		"conflict markers":           {"<<<<<<< HEAD\n" + soundState, soundDefinition, true},
	} {
		tried++
		if problems := checkOf(t, c.state, c.definition); c.breaks != (len(problems) > 0) {
			t.Errorf("%s: %v", name, problems)
		}
	}
	t.Logf("%d mutations", tried)
	if tried < 300 {
		t.Errorf("only %d mutations were tried", tried)
	}
}

// checkOf returns the problems of a loop that has the deliverables of its first two phases.
func checkOf(t *testing.T, state, definition string) []model.Problem {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"kite-state.json": state, "loop.json": definition, "SKETCH.md": "# A\n", "SEAMS.md": "# B\n"} {
		if text != "" || name != "loop.json" {
			write(t, filepath.Join(dir, name), text)
		}
	}
	readers := Readers(mirror.New(dir), "", nil)
	if len(readers) == 0 { // the files do not have the shape of a loop, and the command reports that there is nothing to check
		return []model.Problem{{Pos: model.Pos{File: "."}, Rule: "none", Text: "no build here to check", Fix: "name the directory of a project"}}
	}
	return readers[0].Check(noon)
}

// splitValues splits JSON values at the blanks outside strings.
func splitValues(s string) []string {
	quoted := false
	return strings.FieldsFunc(s, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

// mutated returns a document with one value changed.
func mutated(t *testing.T, text string, path []string, value string) string {
	t.Helper()
	tree, err := doc.ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	in := tree.Root()
	for _, key := range path[:len(path)-1] {
		in = step(in, key)
	}
	key := path[len(path)-1]
	of := step(in, key)
	switch {
	case in.Is(doc.List):
	case !of.Exists(): // add a member
		at := in.Offset() + 1
		return text[:at] + fmt.Sprintf("%q: %s, ", key, value) + text[at:]
	case value == "-":
		return text[:of.KeyOffset()] + `"was ` + text[of.KeyOffset()+1:]
	case value == "twice":
		return text[:of.KeyOffset()] + fmt.Sprintf("%q: %s, ", key, of.Raw()) + text[of.KeyOffset():]
	}
	return text[:of.Offset()] + value + text[of.End():]
}

// step returns a member by its key, or an element of a list by its number.
func step(in doc.Value, key string) doc.Value {
	if !in.Is(doc.List) {
		return in.Get(key)
	}
	i := 0
	for e := range in.Children() {
		if fmt.Sprint(i) == key {
			return e
		}
		i++
	}
	return doc.Value{}
}
