package conformance

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// Project is a row that holds a project, and what the original tool shows of it.
type Project struct {
	Dir       string                     // the name of its directory
	Files     map[string]json.RawMessage // by path: a text, {"b64": bytes} or {"dir": true}
	Expected  string                     `json:"expected_stdout"`
	Reproduce string
}

// Write writes the files and returns the project's directory.
func (p *Project) Write(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), p.Dir)
	for name, raw := range p.Files {
		file := filepath.Join(root, filepath.FromSlash(name))
		var text string
		var other struct {
			B64 []byte
			Dir bool
		}
		if json.Unmarshal(raw, &text) != nil {
			if err := json.Unmarshal(raw, &other); err != nil {
				t.Fatal(name, err)
			}
			text = string(other.B64)
		}
		dir := filepath.Dir(file)
		if other.Dir {
			dir = file
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if other.Dir {
			continue
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Mutations replaces one text at a time in the files of a project that breaks no rule, all by a file of testdata. Its last section is
// "mutations", with a JSON object a line: the last place of Text in File becomes each text of Keeps, which breaks no rule, and of Breaks,
// which does. begin is called with the project's directory, and returns the function that lists its problems.
func Mutations(t *testing.T, file string, begin func(dir string) (problems func() []string)) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir, files, rows := t.TempDir(), map[string]string{}, ""
	put := func(name, text string) {
		path, old := filepath.Join(dir, filepath.FromSlash(name)), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644), os.Chtimes(path, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range archive.Files {
		if rows = string(f.Data); f.Name != "mutations" {
			files[f.Name] = rows
			put(f.Name, rows)
		}
	}
	problems := begin(dir)
	if found := problems(); len(found) > 0 {
		t.Fatalf("the files break rules: %s", strings.Join(found, "\n"))
	}
	count := 0
	for row := range strings.Lines(rows) {
		var m struct {
			File, Text    string
			Keeps, Breaks []string
		}
		if err := json.Unmarshal([]byte(row), &m); err != nil {
			t.Fatal(err)
		}
		whole := files[m.File]
		at := strings.LastIndex(whole, m.Text)
		if at < 0 {
			t.Fatalf("%s has no %q", m.File, m.Text)
		}
		for i, text := range append(m.Keeps, m.Breaks...) {
			count++
			put(m.File, whole[:at]+text+whole[at+len(m.Text):])
			if found, breaks := problems(), i >= len(m.Keeps); (len(found) > 0) != breaks {
				t.Errorf("%s: %q to %q: breaks a rule: %v, found %q", m.File, m.Text, text, breaks, found)
			}
		}
		put(m.File, whole)
	}
	if count < 200 {
		t.Errorf("only %d mutations", count)
	}
}
