package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"gatehouse/parse/randomtest"

	"golang.org/x/tools/txtar"
)

// project is a project that both builds read. protocol is "" if it is unknown.
type project struct{ dir, protocol string }

// longAgo is the time of every file, except in some random projects, whose files are a quarter of an hour old.
var longAgo = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// maker makes projects below a directory and passes them on.
type maker struct {
	work string
	take func(project)
}

// addAll makes all projects. With only, random projects of other protocols are left out.
func (m *maker) addAll(only string, random int, seed uint64) {
	m.addFixtures()
	m.addRows()
	if dir := os.Getenv("GATEHOUSE_REAL"); dir != "" {
		m.addReal(dir, 2)
	}
	for _, g := range randomtest.Generators {
		for i := range random {
			if only == "" || only == g.Protocol {
				m.addRandom(g.Protocol, g.Files, seed+uint64(i))
			}
		}
	}
	for i := range random / 3 {
		if only == "" || only == "gsd" {
			m.addRandom("gsd", randomtest.RandomCompleteGSD, seed+uint64(i)+1<<32)
		}
	}
}

// addProject passes on a project. Files that the system can't have, such as a file below a file, are left out.
func (m *maker) addProject(name, protocol string, changed time.Time, files map[string]string) {
	dir := filepath.Join(m.work, unsafeName.ReplaceAllString(name, "_"))
	mustSucceed(os.MkdirAll(m.work, 0o700))
	mustSucceed(os.Mkdir(dir, 0o700)) // two projects with one name would be mixed
	for _, file := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(file))
		switch {
		case !filepath.IsLocal(filepath.FromSlash(file)):
		case strings.HasSuffix(file, "/"):
			_ = os.MkdirAll(path, 0o700)
		case os.MkdirAll(filepath.Dir(path), 0o700) == nil:
			_ = os.WriteFile(path, []byte(files[file]), 0o600)
		}
	}
	m.handOut(dir, protocol, changed)
}

// unsafeName matches what is replaced in the name of a project's directory.
var unsafeName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// handOut passes on the project in a directory.
func (m *maker) handOut(dir, protocol string, changed time.Time) {
	mustSucceed(filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink != 0 {
			return err
		}
		return os.Chtimes(path, changed, changed)
	}))
	m.take(project{dir, protocol})
}

func (m *maker) addRandom(protocol string, generate func(*rand.Rand) map[string]string, seed uint64) {
	changed := longAgo
	if seed%3 == 0 {
		changed = time.Now().Add(-15*time.Minute - 30*time.Second).Truncate(time.Second)
	}
	m.addProject(fmt.Sprintf("random-%s-%d", protocol, seed), protocol, changed, generate(rand.New(rand.NewPCG(seed, 0))))
}

// addFixtures adds the projects in scripts, anywhere below the working directory.
func (m *maker) addFixtures() {
	mustSucceed(filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".txtar") {
			m.addScript(strings.TrimSuffix(filepath.ToSlash(path), ".txtar"), path)
		}
		return err
	}))
}

// addScript adds the projects of a script: one for each top directory, and one for the files at the top.
func (m *maker) addScript(name, path string) {
	archive, err := txtar.ParseFile(path)
	mustSucceed(err)
	trees := map[string]map[string]string{}
	for _, f := range archive.Files {
		top, rest, below := strings.Cut(f.Name, "/")
		if !below || strings.HasPrefix(top, ".") {
			top, rest = "top", f.Name
		}
		if trees[top] == nil {
			trees[top] = map[string]string{}
		}
		trees[top][rest] = string(f.Data)
	}
	for _, top := range slices.Sorted(maps.Keys(trees)) {
		m.addProject("script-"+name+"-"+top, "", longAgo, trees[top])
	}
}

// addReal adds the projects below a directory: each directory with files, and, in a directory of JSON files only, each file as the state
// of a loop.
func (m *maker) addReal(dir string, depth int) {
	entries, err := os.ReadDir(dir)
	mustSucceed(err)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		name := "real-" + filepath.Base(dir) + "-" + e.Name()
		inside, err := os.ReadDir(path)
		if err != nil {
			continue // not a directory
		}
		hasOther := func(is func(fs.DirEntry) bool) bool {
			return slices.ContainsFunc(inside, func(e fs.DirEntry) bool { return !is(e) })
		}
		switch {
		case depth > 0 && !hasOther(func(e fs.DirEntry) bool {
			return e.IsDir() && !strings.HasPrefix(e.Name(), ".") || e.Name() == "README.txt" || e.Name() == "SOURCES.tsv"
		}):
			m.addReal(path, depth-1)
		case !hasOther(func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) == ".json" }):
			for _, file := range inside {
				data, err := os.ReadFile(filepath.Join(path, file.Name()))
				mustSucceed(err)
				m.addProject(name+"-"+file.Name(), "", longAgo, map[string]string{"sample-state.json": string(data)})
			}
		default:
			to := filepath.Join(m.work, unsafeName.ReplaceAllString(name, "_"))
			mustSucceed(os.CopyFS(to, os.DirFS(path)))
			m.handOut(to, "", longAgo)
		}
	}
}

// row is a row of a conformance file, with the fields of a project.
type row struct {
	ID                  string
	Files               json.RawMessage
	State, Loop, Config json.RawMessage
	LoopJSON            json.RawMessage `json:"loop_json"`
	Expected            json.RawMessage `json:"expected_state"`
	Input               string
	StateB64            string `json:"before_b64"`
	PlanB64             string `json:"plan_b64"`
}

// addRows adds a project for every conformance row that holds one.
func (m *maker) addRows() {
	top := os.Getenv("GATEHOUSE_CONFORMANCE")
	if top == "" {
		top = "."
	}
	mustSucceed(filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		data, err := os.ReadFile(path)
		mustSucceed(err)
		for i, text := range bytes.Split(data, []byte("\n")) {
			var r row
			if json.Unmarshal(text, &r) != nil {
				continue
			}
			if files := r.projectFiles(filepath.Dir(path)); len(files) > 0 {
				rel, _ := filepath.Rel(top, strings.TrimSuffix(path, ".jsonl"))
				m.addProject(fmt.Sprintf("row-%s-%d-%.40s", strings.ReplaceAll(rel, string(filepath.Separator), "-"), i+1, r.ID), "", longAgo, files)
			}
		}
		return nil
	}))
}

// projectFiles returns the files of a row; dir is the directory of its file.
func (r *row) projectFiles(dir string) map[string]string {
	files := map[string]string{}
	var named map[string]json.RawMessage
	var listed []string
	decode := func(text string) string {
		data, _ := base64.StdEncoding.DecodeString(text)
		return string(data)
	}
	isObject := func(data json.RawMessage) bool { return len(data) > 0 && data[0] == '{' }
	switch {
	case isObject(r.Files) && json.Unmarshal(r.Files, &named) == nil:
		for name, data := range named {
			var text string
			var other struct {
				B64 string
				Dir bool
			}
			switch {
			case json.Unmarshal(data, &text) == nil:
				files[name] = text
			case json.Unmarshal(data, &other) != nil:
			case other.Dir:
				files[name+"/"] = ""
			default:
				files[name] = decode(other.B64)
			}
		}
	case len(r.Files) > 0 && json.Unmarshal(r.Files, &listed) == nil:
		for _, name := range listed {
			files[name] = "# " + name + "\n"
		}
		files[".ultraplan/"] = ""
	case isObject(r.State), isObject(r.Expected):
		files["sample-state.json"] = string(r.State) + string(r.Expected)
		var name string
		switch {
		case isObject(r.LoopJSON):
			files["loop.json"] = string(r.LoopJSON)
		case isObject(r.Loop):
			files["loop.json"] = string(r.Loop)
		case json.Unmarshal(r.Loop, &name) == nil && name != "":
			if data, err := os.ReadFile(filepath.Join(dir, "loops", name)); err == nil {
				files["loop.json"] = string(data)
			}
		}
	case r.Input != "":
		files[".planning/STATE.md"] = r.Input
		if isObject(r.Config) {
			files[".planning/config.json"] = string(r.Config)
		}
	case r.StateB64 != "":
		files[".planning/STATE.md"], files[".ultraplan/"] = decode(r.StateB64), ""
	case r.PlanB64 != "":
		files[".planning/phases/01-sample/01-01-PLAN.md"], files[".ultraplan/"] = decode(r.PlanB64), ""
	}
	return files
}
