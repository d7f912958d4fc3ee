package tui

import (
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestImportsPointDown holds the borders between the packages of the dashboard.
func TestImportsPointDown(t *testing.T) {
	below := map[string]string{ // what each may import of the project
		"draw":     "model line",
		"document": "draw",
		"input":    "line draw",
		"graph":    "model line draw",
		"index":    "model draw graph",
		"pane":     "model line draw document graph index",
		"decide":   "model line draw document index input",
		"tty":      "",
		"tuitest":  "model draw",
	}
	files, err := filepath.Glob("*/*.go")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		allowed, known := below[filepath.Dir(file)]
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil || !known {
			t.Fatalf("%s: %v, known: %v", file, err, known)
		}
		for _, x := range f.Imports {
			name, _ := strconv.Unquote(x.Path.Value)
			if strings.HasPrefix(name, "gatehouse/") && !slices.Contains(strings.Fields(allowed), path.Base(name)) {
				t.Errorf("%s imports %s", file, name)
			}
		}
	}
}
