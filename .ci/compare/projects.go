package main

import (
	"bytes"
	"cmp"
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
		m.addReal(dir)
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

// addFixtures adds the projects in scripts, anywhere below the working directory: one for each top directory.
func (m *maker) addFixtures() {
	mustSucceed(filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".txtar") {
			return err
		}
		archive, err := txtar.ParseFile(path)
		mustSucceed(err)
		trees := map[string]map[string]string{}
		for _, f := range archive.Files {
			if strings.HasPrefix(f.Name, "decide ") {
				continue // the answer of a golden test, see package conformance
			}
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
			m.addProject("script-"+path+"-"+top, "", longAgo, trees[top])
		}
		return nil
	}))
}

// addReal adds the projects below a directory: the directories with hidden ones, openspec or docs, and other JSON files as states of loops.
func (m *maker) addReal(dir string) {
	mustSucceed(filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := "real-" + strings.TrimPrefix(path, dir)
		if strings.HasSuffix(path, ".json") {
			data, err := os.ReadFile(path)
			mustSucceed(err)
			m.addProject(name, "", longAgo, map[string]string{"sample-state.json": string(data)})
		}
		inside, _ := filepath.Glob(filepath.Join(path, "*"))
		isMark := func(path string) bool { return strings.HasPrefix(path, ".") || path == "openspec" || path == "docs" }
		if !slices.ContainsFunc(inside, func(path string) bool { return isMark(filepath.Base(path)) }) {
			return nil
		}
		to := filepath.Join(m.work, unsafeName.ReplaceAllString(name, "_"))
		mustSucceed(os.CopyFS(to, os.DirFS(path)))
		m.handOut(to, "", longAgo)
		return fs.SkipDir
	}))
}

// row is a row of a conformance file, with the fields of a project.
type row struct {
	Files       map[string]json.RawMessage
	State, Loop map[string]any
	Input       string
}

// addRows adds a project for every conformance row that holds one.
func (m *maker) addRows() {
	top := cmp.Or(os.Getenv("GATEHOUSE_CONFORMANCE"), ".")
	mustSucceed(filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		data, err := os.ReadFile(path)
		mustSucceed(err)
		for i, text := range bytes.Split(data, []byte("\n")) {
			var r row
			_ = json.Unmarshal(text, &r) // other fields count
			if files := r.projectFiles(); len(files) > 0 {
				m.addProject(fmt.Sprintf("row-%s-%d", strings.TrimPrefix(path, top), i+1), "", longAgo, files)
			}
		}
		return nil
	}))
}

// projectFiles returns the files of a row.
func (r *row) projectFiles() map[string]string {
	files := map[string]string{}
	for name, data := range r.Files {
		var text string
		var other struct {
			B64 []byte
			Dir bool
		}
		if json.Unmarshal(data, &text) != nil && json.Unmarshal(data, &other) == nil {
			text = string(other.B64)
		}
		if other.Dir {
			name += "/"
		}
		files[name] = text
	}
	for name, object := range map[string]map[string]any{"sample-state.json": r.State, "loop.json": r.Loop} {
		if object != nil {
			text, _ := json.Marshal(object)
			files[name] = string(text)
		}
	}
	if r.Input != "" {
		files[".planning/STATE.md"] = r.Input
	}
	return files
}
