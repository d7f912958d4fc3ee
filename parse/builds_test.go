package parse

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
)

const loopText = `{"loop": "sample-loop", "version": "1.0.0", "phase": "BUILD", "status": "active",
	"gates": {"frame-gate": {"status": "pending"}}, "phases": {"BUILD": {"status": "active"}}}`

// shownBuilds describes in one line what a project shows.
func shownBuilds(p *model.Project) string {
	var all []string
	for _, b := range p.Builds {
		all = append(all, b.ID)
	}
	slices.Sort(all) // files made at the same moment may or may not have the same time
	return strings.Join(all, ", ")
}

func TestBuildsOfAProject(t *testing.T) {
	type files map[string]string // a name that ends in / is a directory
	for _, c := range []struct {
		name  string
		files files
		want  string
	}{
		{"nothing", files{"README.md": "x"}, ""},
		{"fctry", files{".fctry/state.json": "{}"}, "fctry"},
		{"a spec of fctry", files{".fctry/spec.md": "# Spec"}, "fctry"},
		{"fctry's own directory in a home", files{".fctry/config.json": "{}", ".fctry/projects.json": "[]"}, ""},
		{"several", files{".fctry/state.json": "{}", "a-state.json": loopText, ".ultraplan/logs/": ""}, "fctry, loop:a-state.json, ultraplan"},

		{"a configuration is no build", files{".ultraplan/config.json": "{}"}, ""},
		{"one folder is shown once", files{".ultraplan/": "", ".planning/ROADMAP.md": "# Roadmap\n\n- [ ] **Phase 1: Base** - the base\n"}, "ultraplan"},

		{"a loop", files{"a-state.json": loopText}, "loop:a-state.json"},
		{"another state", files{"dream-state.json": `{"system":"orchestrator","modules":[]}`}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				if strings.HasSuffix(name, "/") {
					must(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
				} else {
					put(t, dir, name, text)
				}
			}
			got := open(t, dir, "").Read(noon)
			if shownBuilds(got) != c.want || len(got.Problems) > 0 {
				t.Errorf("%s; problems %v; want %s", shownBuilds(got), got.Problems, c.want)
			}
		})
	}
}

// TestRealProjects reads the state trees of real projects next to the conformance files, if there are any.
func TestRealProjects(t *testing.T) {
	conformance := os.Getenv("GATEHOUSE_CONFORMANCE")
	if conformance == "" {
		t.Skip("GATEHOUSE_CONFORMANCE is not set")
	}
	for name, want := range map[string]string{
		"Ferment-Platforma": "gsd", "IslandSelector": "gsd", "Recall": "gsd", "agents-room": "gsd",
		"ultra-planning": "ultraplan", "ensemble": "fctry", "setlist": "fctry",
		"loop-state-templates": "", "not-loop-state": "",
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(conformance, "..", "real", name)
			if _, err := os.Stat(dir); err != nil {
				t.Skip(err)
			}
			got := open(t, dir, filepath.Dir(dir)).Read(noon)
			if shownBuilds(got) != want || len(got.Problems) > 0 {
				t.Errorf("%s; problems %v; want %s", shownBuilds(got), got.Problems, want)
			}
		})
	}
}
