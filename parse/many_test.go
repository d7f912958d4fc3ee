package parse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// manyProjects makes projects of all protocols side by side, and directories without any, and returns them.
func manyProjects(t testing.TB, dir string, n int) (dirs []string) {
	for i := range n {
		p := filepath.Join(dir, fmt.Sprintf("p%05d", i))
		dirs = append(dirs, p)
		must(t, os.MkdirAll(p, 0o755))
		switch i % 5 {
		case 0:
			gsdProject(t, p)
		case 1:
			put(t, p, "sample-state.json", `{"loop":"sample","status":"active","phases":{"P":{"status":"active"}},"gates":{"g":{"status":"pending","deliverables":["docs/out.md"]}}}`)
		case 2:
			put(t, p, ".fctry/state.json", `{"buildRun":{"status":"running","plan":{"chunks":[{"id":1,"name":"A","status":"active"}]}}}`)
		case 3:
			put(t, p, ".planning/STATE.md", "# Project State\n\nPhase: 1 of 1 (One)\n")
			put(t, p, ".ultraplan/state/continue.md", "# Next\n")
		}
	}
	return dirs
}

func placesOf(t testing.TB, dirs []string) (places []Place) {
	for _, dir := range dirs {
		place, err := Named(dir)
		must(t, err)
		places = append(places, place)
	}
	return places
}

func TestOpenAll(t *testing.T) {
	top := t.TempDir()
	dirs := manyProjects(t, top, 10)
	must(t, os.MkdirAll(filepath.Join(dirs[0], "src", "deep"), 0o755))
	named := []string{filepath.Join(dirs[0], "src", "deep"), dirs[1], dirs[4], dirs[0], filepath.Join(dirs[1], "sample-state.json"), dirs[4], dirs[2]}
	projects, err := OpenAll(t.Context(), placesOf(t, named), User{})
	must(t, err)
	var roots []string
	for _, p := range projects {
		roots = append(roots, p.Root())
	}
	if want := []string{dirs[0], dirs[1], dirs[4], dirs[2]}; !slices.Equal(roots, want) {
		t.Errorf("%q, want %q", roots, want)
	}
	for i, name := range named { // the same as each by itself
		one, err := Open(name, User{})
		must(t, err)
		if !slices.Contains(roots, one.Root()) {
			t.Errorf("number %d by itself is %s", i, one.Root())
		}
	}
	put(t, top, "no-state.json", "{}")
	if _, err := OpenAll(t.Context(), placesOf(t, []string{dirs[0], filepath.Join(top, "no-state.json")}), User{}); err == nil {
		t.Error("a file that is no state was opened")
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := OpenAll(over, placesOf(t, dirs), User{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
