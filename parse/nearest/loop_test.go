package nearest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/loop/core"
)

// loopAge sets the ages of a tree's files, in seconds; other files are as new as the test.
func loopAge(t *testing.T, root string, ages map[string]int) {
	t.Helper()
	now := time.Now()
	for name, age := range ages {
		when := now.Add(-time.Duration(age) * time.Second)
		must(t, os.Chtimes(filepath.Join(root, filepath.FromSlash(name)), when, when))
	}
}

func TestLoopRefused(t *testing.T) {
	state := loopText("active", `"A": {"status": "active"}`, "")
	for _, c := range []struct {
		name   string
		files  map[string]string
		path   string
		reason error
	}{
		{"nothing", map[string]string{"x-state.json": state, "state.json": "[]"}, "", nil},
		{"half-written", map[string]string{"x-state.json": `{"loop`}, "x-state.json", core.ErrNotJSON},
		{"a directory", map[string]string{"x-state.json/": ""}, "x-state.json", peek.ErrNotRegular},
		{"another loop's definition", map[string]string{"x-state.json": state, "loop.json": `{"id": "y", "phases": [{"name": "A"}]}`}, "loop.json", core.ErrOtherLoop},
		{"a damaged state", map[string]string{"x-state.json": `{"loop": "x", "phases": {` + manyPhases() + `}}`}, "x-state.json", core.ErrTooMany},
		{"a broken definition", map[string]string{"x-state.json": state, "loop.json": "{"}, "loop.json", core.ErrNotJSON},
	} {
		root := tree(t, c.files)
		found, _ := Find(Place{Dir: root, Home: root})
		want := ""
		if c.path != "" {
			want = filepath.Join(root, c.path)
		}
		if found.Refused != want || found.Reason != c.reason {
			t.Errorf("%s: %q, %v, want %q, %v", c.name, found.Refused, found.Reason, want, c.reason)
		}
	}
}

// TestManyLoops checks that the newest of any number of candidates is found.
func TestManyLoops(t *testing.T) {
	files, ages := map[string]string{}, map[string]int{}
	for i := range 3 * core.MaxCandidates {
		name := string(rune('a'+i%26)) + string(rune('a'+i/26)) + "-state.json"
		files[name], ages[name] = strings.Replace(loopText("complete", "", ""), `"x"`, `"`+name+`"`, 1), 1000-(i*7)%100
	}
	files["ca-state.json"], ages["ca-state.json"] = strings.Replace(loopText("complete", "", ""), `"x"`, `"new"`, 1), 1
	root := tree(t, files)
	loopAge(t, root, ages)
	found, _ := Find(Place{Dir: root, Home: root})
	if got := string(found.Facts.AppendFull(nil)); got != "new · loop complete" {
		t.Errorf("%q", got)
	}
}

// TestWaitsOfManyLoops checks that a waiting gate is found, however many states are newer.
func TestWaitsOfManyLoops(t *testing.T) {
	files := map[string]string{"x-state.json": loopText("active", `"A": {"status": "complete"}, "B": {"status": "pending"}, "C": {}`, `"a-gate": {"status": "pending"}`), "loop.json": definition}
	ages := map[string]int{"x-state.json": 1000}
	for i := range core.MaxCandidates - 1 {
		name := fmt.Sprint("n", i, "-state.json")
		files[name], ages[name] = strings.Replace(loopText("complete", "", ""), `"x"`, `"n"`, 1), i
	}
	root := tree(t, files)
	loopAge(t, root, ages)
	found, _ := Find(Place{Dir: root, Home: root, Alerts: true})
	if want := []Waiting{{"x-state.json", "approve a-gate"}}; !slices.Equal(found.Beside, want) {
		t.Errorf("%q, want %q", found.Beside, want)
	}
}

// TestLoopAmongManyOtherFiles checks that a loop is found among any number of newer files that are no loops.
func TestLoopAmongManyOtherFiles(t *testing.T) {
	files := map[string]string{"x-state.json": loopText("complete", "", "")}
	for i := range 100 {
		files["other"+strconv.Itoa(i)+"-state.json"] = "{}"
	}
	root := tree(t, files)
	loopAge(t, root, map[string]int{"x-state.json": 60})
	if found, ok := Find(Place{Dir: root, Home: root}); !ok || filepath.Base(found.Path) != "x-state.json" {
		t.Errorf("found %+v", found)
	}
}
