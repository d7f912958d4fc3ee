package loop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/loop/core"
)

// noon is the current time in the tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const definitionText = `{
  "id": "kite-loop", "name": "Kite", "version": "1.2.0",
  "phases": [
    {"name": "SKETCH", "skills": ["draw", {"skillId": "measure", "required": false}], "description": "on paper"},
    {"id": "SEW", "name": "Sew It", "skills": ["cut"]},
    {"name": "FLY", "skills": [], "required": false}
  ],
  "gates": [
    {"id": "sketch-gate", "name": "Sketch Approval", "afterPhase": "SKETCH", "required": true, "approvalType": "human", "deliverables": ["SKETCH.md", "docs/PLAN.md"]},
    {"id": "wind-gate", "name": "Wind", "afterPhase": "SKETCH", "required": false, "approvalType": "conditional", "condition": "only when it blows", "deliverables": []},
    {"id": "sew-gate", "name": "Seams", "afterPhase": "SEW", "approvalType": "auto", "autoCheck": "seams hold", "criteria": ["no holes"], "deliverables": ["a firm seam"]}
  ]
}`

// stateText returns a state of the kite loop with the statuses of the loop, its three phases and its three gates.
func stateText(loop string, phases, gates [3]string) string {
	text := fmt.Sprintf("{\n  \"loop\": \"kite-loop\",\n  \"version\": \"1.2.0\", \"mode\": \"greenfield\",\n  \"phase\": \"SKETCH\",\n  \"status\": %q,\n  \"gates\": {\n", loop)
	for i, id := range []string{"sketch-gate", "wind-gate", "sew-gate"} {
		deliverables := []string{`["SKETCH.md", "docs/PLAN.md"]`, `[]`, `["a firm seam"]`}[i]
		approval := []string{"human", "conditional", "auto"}[i]
		text += fmt.Sprintf("    %q: { \"status\": %q, \"required\": %t, \"approvalType\": %q, \"deliverables\": %s, \"passedAt\": null, \"skippedReason\": null }%s\n", id, gates[i], i != 1, approval, deliverables, strings.Repeat(",", 1-i/2))
	}
	text += "  },\n  \"phases\": {\n"
	for i, name := range []string{"SKETCH", "Sew It", "FLY"} {
		completed := "null"
		if phases[i] == "complete" {
			completed = fmt.Sprintf(`"2026-03-01T1%d:00:00Z"`, i)
		}
		skills := []string{`["draw", "measure"]`, `["cut"]`, `[]`}[i]
		text += fmt.Sprintf("    %q: { \"status\": %q, \"required\": %t, \"skills\": %s, \"deliverables\": [], \"startedAt\": null, \"completedAt\": %s }%s\n", name, phases[i], i != 2, skills, completed, strings.Repeat(",", 1-i/2))
	}
	return text + "  },\n  \"metrics\": { \"kites\": 1.50, \"wind\": { \"knots\": 12 }, \"days\": [1, 2] },\n  \"started_at\": \"2026-03-01T09:00:00Z\",\n  \"last_updated\": \"2026-03-01T10:30:00Z\"\n}\n"
}

// kite writes a project with a kite loop and returns a reader of it.
func kite(t testing.TB, state string, files map[string]string) *Reader {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kite-state.json"), state)
	if _, own := files["loop.json"]; !own {
		write(t, filepath.Join(dir, "loop.json"), definitionText)
	}
	for name, text := range files {
		if text != "" || name != "loop.json" {
			write(t, filepath.Join(dir, name), text)
		}
	}
	return only(t, dir, nil)
}

// only returns the reader of the single loop in a directory.
func only(t testing.TB, dir string, library []*mirror.Mirror) *Reader {
	t.Helper()
	readers := Readers(mirror.New(dir), "", library)
	if len(readers) != 1 {
		t.Fatalf("%d loops", len(readers))
	}
	return readers[0]
}

var (
	begun   = [3]string{"active", "pending", "pending"}
	atGate  = [3]string{"complete", "pending", "pending"}
	sewing  = [3]string{"complete", "active", "pending"}
	allOpen = [3]string{"pending", "pending", "pending"}
)

// rows returns the top rows of a build as "ID status".
func rows(b *model.Build) string {
	var all []string
	for _, n := range b.Nodes {
		all = append(all, n.ID+" "+n.Status.String())
	}
	return strings.Join(all, "; ")
}

// TestWhereDefinitionsAreFound checks the places of definitions and their order.
func TestWhereDefinitionsAreFound(t *testing.T) {
	other := strings.Replace(definitionText, "kite-loop", "other-loop", 1)
	for _, c := range []struct {
		name  string
		files map[string]string
		found string
	}{
		{"beside", map[string]string{"loop.json": definitionText}, "loop.json"},
		{"by its name", map[string]string{"loop.json": other, "kite-loop.json": definitionText}, "kite-loop.json"},
		{"in a directory", map[string]string{"loop.json": "{", "loops/kite-loop/loop.json": definitionText}, "loops/kite-loop/loop.json"},
		{"in loops", map[string]string{"loop.json": "[]", "loops/kite-loop.json": definitionText, "kite-loop.json": other}, "loops/kite-loop.json"},
		{"beside before elsewhere", map[string]string{"loop.json": definitionText, "loops/kite-loop.json": definitionText}, "loop.json"},
		{"outside", map[string]string{"loop.json": other}, "LIBRARY/kite-loop/loop.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			library := t.TempDir()
			write(t, filepath.Join(library, "kite-loop", "loop.json"), definitionText)
			r := kite(t, stateText("active", begun, allOpen), c.files)
			r.library = []*mirror.Mirror{mirror.New(filepath.Join(library, "none")), mirror.New(library)}
			f := r.findDefinition("kite-loop")
			if !f.isReadable() || strings.Replace(f.source.File, filepath.ToSlash(library), "LIBRARY", 1) != c.found {
				t.Errorf("found %+v, want %s", f, c.found)
			}
		})
	}
	for _, id := range []string{"../kite", ".kite", "a/b", "a b", "", "é"} {
		if core.IsFileName(id) {
			t.Errorf("%q may be part of a path", id)
		}
	}
}

// TestBrokenFileShowsItsLastGoodState checks that a broken state file shows its last good state until it can be read again or is gone.
func TestBrokenFileShowsItsLastGoodState(t *testing.T) {
	r := kite(t, stateText("active", atGate, allOpen), nil)
	file := filepath.Join(r.m.Root(), "kite-state.json")
	before := rows(r.Read(noon))
	for _, text := range []string{stateText("active", sewing, allOpen)[:300], "", "{}{}", "<<<<<<< HEAD\n{}"} {
		write(t, file, text)
		r.m.Touch(file)
		readers := Readers(r.m, "", nil)
		if len(readers) != 1 {
			t.Fatalf("%q: the loop is gone", text)
		}
		b := readers[0].Read(noon)
		if rows(b) != before || b.Freshness.Held != 1 || len(b.Problems) != 1 || b.Problems[0].Severity != model.Error || !b.Nodes[0].Held {
			t.Errorf("%.20q: %s, held %d, %v", text, rows(b), b.Freshness.Held, b.Problems)
		}
	}
	write(t, file, stateText("active", sewing, [3]string{"passed", "passed", "pending"}))
	r.m.Touch(file)
	if b := Readers(r.m, "", nil)[0].Read(noon); b.Now != "phase/Sew It" || b.Freshness.Held != 0 {
		t.Errorf("whole again: %s", rows(b))
	}
	must(t, os.Remove(file))
	r.m.Touch(file)
	if n := len(Readers(r.m, "", nil)); n != 0 {
		t.Errorf("gone, and %d readers", n)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
