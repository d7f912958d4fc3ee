package parse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/nearest"
)

// TestLostStates checks that an unreadable state of a loop waits both in the prompt and in the dashboard, whatever is in its place, and
// that a file that belongs to no loop waits in neither.
func TestLostStates(t *testing.T) {
	const (
		definition = `{"id": "x", "phases": [{"name": "A"}, {"name": "B"}], "gates": [{"id": "g1", "afterPhase": "A"}]}`
		good       = `{"loop": "x", "status": "active", "phases": {"A": {"status": "complete"}, "B": {"status": "pending"}}, "gates": {"g1": {"status": "passed"}}}`
		line       = "x [█████░░░░░] 50% · next B"
	)
	text := func(text string) func(path string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o644) }
	}
	link := func(to string) func(path string) error {
		return func(path string) error { return os.Symlink(to, path) }
	}
	outside := filepath.Join(t.TempDir(), "state.json")
	must(t, os.WriteFile(outside, []byte(good), 0o644))
	for _, c := range []struct {
		name  string
		files map[string]string
		lost  string // the file that is created
		make  func(path string) error
		want  string // the prompt's line
		waits string // the dashboard's; "" for nothing
	}{
		{"null", nil, "x-state.json", text("null"), "x-state.json can't be read", "x-state.json"},
		{"a list", nil, "x-state.json", text("[]"), "x-state.json can't be read", "x-state.json"},
		{"an object without anything", nil, "x-state.json", text(" {}\n"), "x-state.json can't be read", "x-state.json"},
		{"empty", nil, "x-state.json", text(""), "x-state.json can't be read", "x-state.json"},
		{"phases that are a list", nil, "x-state.json", text(`{"loop": "x", "phases": [], "gates": {}}`), "x-state.json can't be read", "x-state.json"},
		{"a directory", nil, "x-state.json", func(path string) error { return os.Mkdir(path, 0o755) }, "x-state.json can't be read", "x-state.json"},
		{"a link to nothing", nil, "x-state.json", link("gone.json"), "x-state.json can't be read", "x-state.json"},
		{"a link out of the project", nil, "x-state.json", link(outside), "x-state.json can't be read", "x-state.json"},
		{"state.json, half-written", nil, "state.json", text(good[:40]), "state.json can't be read", "state.json"},
		{"state.json, damaged", nil, "state.json", text(`{"loop": "x", "phases": []}`), "state.json can't be read", "state.json"},
		{"state.json of anybody", nil, "state.json", text("{}"), "", ""},
		{"a definition by its name", map[string]string{"loop.json": "", "loops/y-loop/loop.json": strings.Replace(definition, `"x"`, `"y-loop"`, 1)}, "y-state.json", text("null"), "y-state.json can't be read", "y-state.json"},
		{"no definition", map[string]string{"loop.json": ""}, "x-state.json", text("null"), "", ""},
		{"no definition, and half of a state", map[string]string{"loop.json": ""}, "x-state.json", text(good[:40]), "x-state.json can't be read", "x-state.json"},
		{"somebody else's", nil, "dream-state.json", text(`{"dreams": 3}`), "", ""},
		{"an older one beside a good one", map[string]string{"x-state.json": good}, "memory/x-state.json", text("{"), line, "x-state.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			files := map[string]string{"loop.json": definition}
			for name, text := range c.files {
				files[name] = text
			}
			files["memory/.keep"] = "x"
			for name, text := range files {
				if text == "" {
					continue
				}
				path := filepath.Join(root, filepath.FromSlash(name))
				must(t, os.MkdirAll(filepath.Dir(path), 0o755))
				must(t, os.WriteFile(path, []byte(text), 0o644))
			}
			lost := filepath.Join(root, filepath.FromSlash(c.lost))
			must(t, c.make(lost))
			if c.want == line { // the readable state decides
				old := time.Now().Add(time.Hour)
				for name := range c.files {
					must(t, os.Chtimes(filepath.Join(root, name), old, old))
				}
			}
			got := ""
			if found, ok := nearest.Find(nearest.Place{Dir: root, Home: root, Alerts: true}); ok {
				got = string(found.Facts.AppendFull(nil))
			}
			if got != c.want {
				t.Errorf("the prompt says %q, not %q", got, c.want)
			}
			project, err := Open(root, User{Home: root})
			must(t, err)
			var waits []model.Wait
			for _, b := range project.Read(time.Now()).Builds {
				waits = append(waits, b.Certain()...)
			}
			switch {
			case c.waits == "" && len(waits) == 0:
			case len(waits) != 1 || waits[0].Text != c.waits+" can't be read, so its gates are unknown":
				t.Errorf("waits %+v, want %q", waits, c.waits)
			}
		})
	}
}
