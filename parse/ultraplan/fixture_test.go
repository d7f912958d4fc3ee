package ultraplan

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
)

var now = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, file, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file, []byte(text), 0o644))
}

// project writes files below a new directory; a name that ends with a slash is a directory.
func project(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, Home), 0o755))
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if name[len(name)-1] == '/' {
			must(t, os.MkdirAll(file, 0o755))
		} else {
			put(t, file, text)
		}
	}
	return dir
}

// build reads the build of a directory.
func build(t testing.TB, dir string) *model.Build {
	t.Helper()
	readers := Readers(mirror.New(dir, Home, Planning))
	if len(readers) != 1 {
		t.Fatalf("%d builds", len(readers))
	}
	return readers[0].Read(now)
}

// nodeOf returns the node of an ID.
func nodeOf(t testing.TB, b *model.Build, id string) *model.Node {
	t.Helper()
	n, _ := b.Find(id)
	if n == nil {
		t.Fatalf("no row %s", id)
	}
	return n
}

// factOf returns the value of a fact of a node, "" without it.
func factOf(n *model.Node, label string) string {
	for _, f := range n.Facts {
		if f.Label == label {
			return f.Value
		}
	}
	return ""
}
