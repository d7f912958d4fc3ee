package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// long is a search without a time limit.
const long = time.Minute

func rootsOf(t *testing.T, dir string, f Found) (roots []string) {
	t.Helper()
	for _, p := range f.Projects {
		rel, err := filepath.Rel(dir, p.Root())
		must(t, err)
		roots = append(roots, filepath.ToSlash(rel))
	}
	return roots
}

// TestDiscover checks that projects below a directory are found to four levels, except hidden, vendored, linked or nested ones.
func TestDiscover(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{
		"a", "work/b", "work/x/y/c", "work/x/y/z/w/deep", "a/inside", ".hidden/h", "work/node_modules/n", "vendor/v", "work/x/testdata/t", "elsewhere/e", "elsewhere/.secret",
	} {
		gsdProject(t, filepath.Join(top, filepath.FromSlash(dir)))
	}
	put(t, top, "loops/ship-state.json", `{"loop":"ship","status":"active","phases":{"P":{"status":"active"}}}`)
	put(t, top, "none/notes.txt", "x")
	put(t, top, "empty/.planning/nothing.txt", "x")
	if err := os.Symlink(filepath.Join(top, "elsewhere"), filepath.Join(top, "work", "link")); err != nil {
		t.Log(err) // not every system has links
	}
	below := []string{"a", "work/b", "work/x/y/c", "loops"}
	user := User{Home: filepath.Join(top, "none")}
	f, err := Discover(t.Context(), Search{Below: []string{filepath.Join(top, "a"), filepath.Join(top, "work"), filepath.Join(top, "loops")}, Within: long}, user)
	must(t, err)
	if got := rootsOf(t, top, f); !slices.Equal(got, below) || f.Unsearched {
		t.Errorf("%q, want %q", got, below)
	}
	// From above, with one project that is known and one that is gone: each appears once.
	f, err = Discover(t.Context(), Search{Below: []string{top, filepath.Join(top, "work")}, Known: []string{filepath.Join(top, ".hidden", "h"), filepath.Join(top, "gone"), filepath.Join(top, "a"), "relative"}, Within: long}, user)
	must(t, err)
	if got, want := strings.Join(rootsOf(t, top, f), " "), "a elsewhere/e loops work/b work/x/y/c .hidden/h"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestOpenBelow checks that each named directory without a build is replaced by the projects below it, or kept if there are none.
func TestOpenBelow(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"a", "work/b", "work/x/c", "other/d"} {
		gsdProject(t, filepath.Join(top, filepath.FromSlash(dir)))
	}
	put(t, top, "none/notes.txt", "x")
	put(t, top, "a/src/main.go", "x")
	var places []Place
	for _, name := range []string{"work/x", "a/src", "work", "none", "a"} {
		place, err := Named(filepath.Join(top, filepath.FromSlash(name)))
		must(t, err)
		places = append(places, place)
	}
	f, err := OpenBelow(t.Context(), places, long, User{Home: top})
	must(t, err)
	if got, want := strings.Join(rootsOf(t, top, f), " "), "work/x/c a work/b none"; got != want || f.Unsearched {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestDiscoverInTime checks that a search that runs out of time still finds the nearest projects, and reports that it is incomplete.
func TestDiscoverInTime(t *testing.T) {
	top := t.TempDir()
	gsdProject(t, filepath.Join(top, "near"))
	for i := range 2 * searchLeast {
		put(t, top, fmt.Sprintf("d%d/e/x.txt", i), "x")
	}
	gsdProject(t, filepath.Join(top, "d0", "e", "far"))
	f, err := Discover(t.Context(), Search{Below: []string{top}}, User{})
	must(t, err)
	if !f.Unsearched || len(rootsOf(t, top, f)) > 1 {
		t.Errorf("%q, unsearched %v", rootsOf(t, top, f), f.Unsearched)
	}
	f, err = Discover(t.Context(), Search{Below: []string{top}, Within: long}, User{})
	must(t, err)
	if got := rootsOf(t, top, f); f.Unsearched || !slices.Equal(got, []string{"d0/e/far", "near"}) {
		t.Errorf("%q, unsearched %v", got, f.Unsearched)
	}
}
