package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
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
