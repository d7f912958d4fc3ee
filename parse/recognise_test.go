package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model"
)

const loopText = `{"loop": "sample-loop", "version": "1.0.0", "phase": "BUILD", "status": "active",
	"gates": {"frame-gate": {"status": "pending"}}, "phases": {"BUILD": {"status": "active"}}}`

// recognised says in one line what a project shows: its builds, then what is
// recognised.
func recognised(p *model.Project) string {
	var all []string
	for _, b := range p.Builds {
		all = append(all, b.ID)
	}
	for _, r := range p.Recognised {
		all = append(all, r.Protocol+" "+r.File)
	}
	return strings.Join(all, ", ")
}

func TestRecognisedProtocols(t *testing.T) {
	type files map[string]string // a name that ends in / is a directory
	for _, c := range []struct {
		name  string
		files files
		want  string
	}{
		{"nothing", files{"README.md": "x"}, ""},
		{"fctry", files{".fctry/state.json": "{}"}, "fctry .fctry"},
		{"fctry without files", files{".fctry/": ""}, "fctry .fctry"},
		{"a file is no fctry", files{".fctry": "x"}, ""},
		{"several", files{".fctry/": "", "a.json": loopText, ".ultraplan/logs/": ""}, "ultraplan, loop a.json, fctry .fctry"},

		{"a configuration is no build", files{".ultraplan/config.json": "{}"}, ""},
		{"one folder is shown once", files{".ultraplan/": "", ".planning/ROADMAP.md": "# Roadmap\n\n- [ ] **Phase 1: Base** - the base\n"}, "ultraplan"},

		{"a loop of any name", files{"z.json": loopText}, "loop z.json"},
		{"the usual name first", files{"a.json": loopText, "build-state.json": loopText}, "loop build-state.json"},
		{"behind a byte order mark", files{"a.json": "\uFEFF" + loopText}, "loop a.json"},
		{"gates and phases may be empty", files{"a.json": `{"loop":"l","gates":{},"phases":{}}`}, "loop a.json"},
		{"a loop is no directory", files{"a-state.json/": ""}, ""},
		{"nor below one", files{"sub/a-state.json": loopText}, ""},
		{"nor of another ending", files{"a-state.txt": loopText}, ""},
		{"no gates", files{"a-state.json": `{"loop":"l","phases":{}}`}, ""},
		{"no phases", files{"a-state.json": `{"loop":"l","gates":{}}`}, ""},
		{"no name", files{"a-state.json": `{"loop":"","gates":{},"phases":{}}`}, ""},
		{"null", files{"a-state.json": `{"loop":"l","gates":null,"phases":{}}`}, ""},
		{"phases in a list", files{"loop.json": `{"loop":"l","gates":{},"phases":[]}`}, ""},
		{"a number for a name", files{"a-state.json": `{"loop":7,"gates":{},"phases":{}}`}, ""},
		{"another state", files{"dream-state.json": `{"system":"orchestrator","modules":[]}`}, ""},
		{"a list", files{"a-state.json": `[1]`}, ""},
		{"no JSON", files{"a-state.json": `{"loop":"l","gates":{},"phases":{}`, "tsconfig.json": "// a\n{}"}, ""},
		{"empty", files{"a-state.json": ""}, ""},
		{"huge", files{"a-state.json": loopText + strings.Repeat(" ", maxLoopFile)}, ""},
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
			if recognised(got) != c.want || len(got.Problems) > 0 {
				t.Errorf("%s; problems %v; want %s", recognised(got), got.Problems, c.want)
			}
		})
	}
}

func TestLoopIsFoundAmongManyFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 * maxLoopFiles {
		put(t, dir, fmt.Sprintf("a%03d.json", i), "{}")
	}
	put(t, dir, "z.json", loopText)
	p := open(t, dir, "")
	if got := recognised(p.Read(noon)); got != "" {
		t.Errorf("%s: more files are looked into than allowed", got)
	}
	put(t, dir, "z-state.json", loopText)
	p.Touch()
	if got := recognised(p.Read(noon)); got != "loop z-state.json" {
		t.Error(got)
	}
}

func TestLoopHalfWrittenIsStillRecognised(t *testing.T) {
	dir := t.TempDir()
	p := open(t, dir, "")
	for _, c := range []struct{ text, want string }{
		{loopText, "loop a-state.json"}, {loopText[:40], "loop a-state.json"}, {"", "loop a-state.json"},
		{loopText, "loop a-state.json"}, {"{}", ""}, {"{", ""},
	} {
		put(t, dir, "a-state.json", c.text)
		p.Touch(filepath.Join(dir, "a-state.json"))
		if got := recognised(p.Read(noon)); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestRealProjects reads the state trees of real projects that lie beside the
// conformance files, where there are some.
func TestRealProjects(t *testing.T) {
	conformance := os.Getenv("GATEHOUSE_CONFORMANCE")
	if conformance == "" {
		t.Skip("GATEHOUSE_CONFORMANCE is not set")
	}
	for name, want := range map[string]string{
		"Ferment-Platforma": "gsd", "IslandSelector": "gsd", "Recall": "gsd", "agents-room": "gsd",
		"ultra-planning": "ultraplan", "ensemble": "fctry .fctry", "setlist": "fctry .fctry",
		"loop-state-templates": "loop agentic-harness-v3.0.0.json", "not-loop-state": "",
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(conformance, "..", "real", name)
			if _, err := os.Stat(dir); err != nil {
				t.Skip(err)
			}
			got := open(t, dir, filepath.Dir(dir)).Read(noon)
			if recognised(got) != want || len(got.Problems) > 0 {
				t.Errorf("%s; problems %v; want %s", recognised(got), got.Problems, want)
			}
		})
	}
}
