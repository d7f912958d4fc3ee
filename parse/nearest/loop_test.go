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

// TestFindLoop checks which file of a directory is the state, and which is its definition.
func TestFindLoop(t *testing.T) {
	const between = `{"status": "complete"}, "B": {"status": "pending"}, "C": {"status": "pending"}`
	state := loopText("active", `"A": `+between, `"a-gate": {"status": "pending"}`)
	ended := strings.Replace(loopText("complete", "", ""), `"x"`, `"y"`, 1)
	other := strings.Replace(definition, `"x"`, `"z"`, 1)
	const placed, flat, done = "x [███░░░░░░░] 33% · next approve a-gate", "x [███░░░░░░░] 33% · next B · ◆ 1 gate pending", "y · loop complete"
	const unread = placed + " · ◆ loop.json can't be read"
	for _, c := range []struct {
		name       string
		files      map[string]string
		ages       map[string]int
		want, path string // with the definition after a comma
	}{
		{"by its suffix", map[string]string{"x-state.json": state}, nil, flat, "x-state.json"},
		{"state.json", map[string]string{"state.json": state}, nil, flat, "state.json"},
		{"in memory", map[string]string{"memory/x-state.json": state}, nil, flat, "memory/x-state.json"},
		{"not any file in memory", map[string]string{"memory/state.json": state, "x.json": state, ".x-state.json": state, "states/x-state.json": state}, nil, "", ""},
		{"the newest", map[string]string{"x-state.json": state, "y-state.json": ended}, map[string]int{"x-state.json": 5}, done, "y-state.json"},
		{"the newest, the other way", map[string]string{"x-state.json": state, "y-state.json": ended}, map[string]int{"y-state.json": 5}, flat, "x-state.json"},
		{"the newest in memory", map[string]string{"x-state.json": state, "memory/y-state.json": ended}, map[string]int{"x-state.json": 5}, done, "memory/y-state.json"},
		{"of equals by name", map[string]string{"b-state.json": state, "a-state.json": ended}, map[string]int{"a-state.json": 1e9, "b-state.json": 1e9}, done, "a-state.json"},
		{"the newest is none", map[string]string{"x-state.json": state, "y-state.json": "{}", "z-state.json": "{", "w-state.json/": ""}, map[string]int{"x-state.json": 5}, flat, "x-state.json"},
		{"the newest is damaged, and there is a loop.json", map[string]string{"x-state.json": state, "memory/x-state.json": "{", "loop.json": definition}, map[string]int{"x-state.json": 5},
			"x-state.json can't be read", "memory/x-state.json"},
		{"an empty one beside a loop.json", map[string]string{"x-state.json": "", "loop.json": definition}, nil, "x-state.json can't be read", "x-state.json"},
		{"a loop.json", map[string]string{"x-state.json": state, "loop.json": definition}, nil, placed, "x-state.json, loop.json"},
		{"by the ID", map[string]string{"x-state.json": state, "x.json": definition}, nil, placed, "x-state.json, x.json"},
		{"in loops", map[string]string{"x-state.json": state, "loops/x/loop.json": definition}, nil, placed, "x-state.json, loops/x/loop.json"},
		{"in loops by the ID", map[string]string{"x-state.json": state, "loops/x.json": definition}, nil, placed, "x-state.json, loops/x.json"},
		{"the first that is the loop's", map[string]string{"x-state.json": state, "loop.json": other, "x.json": "{", "loops/x/loop.json": `{"id": "x"}`, "loops/x.json": definition}, nil,
			placed, "x-state.json, loops/x.json"},
		{"another loop's", map[string]string{"x-state.json": state, "loop.json": other}, nil, flat, "x-state.json"},
		{"of the project", map[string]string{"memory/x-state.json": state, "loop.json": definition}, nil, placed, "memory/x-state.json, loop.json"},
		{"beside the state before the project's", map[string]string{"memory/x-state.json": state, "memory/x.json": definition, "loop.json": definition}, nil, placed, "memory/x-state.json, memory/x.json"},
		{"one without an id", map[string]string{"x-state.json": state, "loop.json": strings.Replace(definition, `"id": "x", `, "", 1)}, nil, unread, "x-state.json"},
		{"a damaged one", map[string]string{"x-state.json": state, "loop.json": definition[:40]}, nil, unread, "x-state.json"},
		{"an empty one", map[string]string{"x-state.json": state, "loop.json": ""}, nil, unread, "x-state.json"},
		{"one without phases", map[string]string{"x-state.json": state, "loop.json": "{}"}, nil, unread, "x-state.json"},
		{"a directory", map[string]string{"x-state.json": state, "loop.json/": ""}, nil, unread, "x-state.json"},
		{"the file of somebody else", map[string]string{"x-state.json": state, "x.json": `{"name": "x"}`}, nil, flat, "x-state.json"},
		{"a state without a name", map[string]string{"x-state.json": strings.Replace(state, `"loop": "x",`, "", 1), "loop.json": other}, nil,
			"z" + strings.TrimPrefix(placed, "x"), "x-state.json, loop.json"},
		{"one whose id differs in case alone", map[string]string{"x-state.json": state, "loop.json": strings.Replace(definition, `"id": "x"`, `"id": "X"`, 1)}, nil, unread, "x-state.json"},
		{"in the user's directory", map[string]string{"x-state.json": state, "../lib/x/loop.json": definition}, nil, placed, "x-state.json, ../lib/x/loop.json"},
		{"in the user's second directory", map[string]string{"x-state.json": state, "../lib/x/loop.json": other, "../more/x.json": definition}, nil, placed, "x-state.json, ../more/x.json"},
		{"beside before the user's", map[string]string{"x-state.json": state, "x.json": definition, "../lib/x/loop.json": definition}, nil, placed, "x-state.json, x.json"},
	} {
		files := map[string]string{"p/": ""}
		for name, text := range c.files {
			files["p/"+name] = text
		}
		root := filepath.Join(tree(t, files), "p")
		loopAge(t, root, c.ages)
		p := Place{Dir: root, Home: root, Env: func(name string) string {
			if name != "GATEHOUSE_LOOPS" {
				return ""
			}
			lists := []string{"", "relative", filepath.Join(root, "..", "lib"), filepath.Join(root, "..", "more")}
			return strings.Join(lists, string(filepath.ListSeparator))
		}}
		found, ok := Find(p)
		var paths []string
		for _, path := range []string{found.Path, found.With} {
			if path != "" {
				name, _ := filepath.Rel(root, path)
				paths = append(paths, filepath.ToSlash(name))
			}
		}
		got := ""
		if ok {
			got = string(found.Facts.AppendFull(nil))
		}
		if got != c.want || strings.Join(paths, ", ") != c.path {
			t.Errorf("%s: %q from %q, want %q from %q", c.name, got, paths, c.want, c.path)
		}
	}
}

// TestLoopIDInPath checks that the name of a loop leads to no file except its definition.
func TestLoopIDInPath(t *testing.T) {
	outside := strings.Replace(definition, `"x"`, `"../x"`, 1)
	root := tree(t, map[string]string{"x.json": outside, "p/a-state.json": strings.Replace(loopText("active", `"A": {"status": "active"}`, ""), `"x"`, `"../x"`, 1)})
	if found, _ := Find(Place{Dir: filepath.Join(root, "p"), Home: root}); found.With != "" {
		t.Errorf("the definition is %s", found.With)
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

func TestLoopWaits(t *testing.T) {
	state := loopText("active", `"A": {"status": "complete"}, "B": {"status": "pending"}, "C": {}`, `"a-gate": {"status": "pending"}`)
	root := tree(t, map[string]string{"p/x-state.json": state, "p/loop.json": definition, "q/x-state.json": state})
	for dir, want := range map[string]string{"p": "approve a-gate", "q": "1 gate pending"} {
		p := Place{Dir: filepath.Join(root, dir), Home: root, Alerts: true}
		found, _ := Find(p)
		if found.Waits != want || !found.WaitsSaid || found.WaitsPath != found.Path {
			t.Errorf("%s: %+v", dir, found)
		}
		p.Alerts = false
		if found, _ := Find(p); found.Waits != "" {
			t.Errorf("%s: %q without being requested", dir, found.Waits)
		}
	}
}

// TestWaitsInOtherLoops checks that a newer state hides no certain wait in the other states of its directory, and that uncertain or
// unrequested waits are not reported.
func TestWaitsInOtherLoops(t *testing.T) {
	at := loopText("active", `"A": {"status": "complete"}, "B": {"status": "pending"}, "C": {}`, `"a-gate": {"status": "pending"}`)
	alone := strings.Replace(at, `"x"`, `"alone"`, 1) // without a loop.json
	over := strings.Replace(loopText("complete", "", ""), `"x"`, `"new"`, 1)
	root := tree(t, map[string]string{
		"new-state.json": over, "loop.json": definition, "x-state.json": at, "alone-state.json": alone, "cut-state.json": at[:60],
		"memory/m-state.json": at, "over-state.json": over, "failed-state.json": strings.Replace(alone, `"active"`, `"failed"`, 1),
	})
	loopAge(t, root, map[string]int{"x-state.json": 60, "alone-state.json": 61, "cut-state.json": 62, "memory/m-state.json": 63, "over-state.json": 64, "failed-state.json": 65})
	p := Place{Dir: root, Home: root, Alerts: true, Buffer: make([]byte, 1<<16)}
	found, _ := Find(p)
	want := []Waiting{
		{"x-state.json", "approve a-gate"}, {"cut-state.json", "can't be read"},
		{filepath.Join("memory", "m-state.json"), "approve a-gate"}, {"failed-state.json", "the loop has failed"},
	}
	if filepath.Base(found.Path) != "new-state.json" || !slices.Equal(found.Beside, want) {
		t.Errorf("%s: %q", found.Path, found.Beside)
	}
	p.Alerts = false
	if found, _ := Find(p); found.Beside != nil {
		t.Errorf("%q without being requested", found.Beside)
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

// TestUnreadableLoops checks that an unreadable state is reported, and hides an older one, but that a file with nothing of a loop hides
// nothing.
func TestUnreadableLoops(t *testing.T) {
	state := loopText("complete", "", "")
	for _, c := range []struct{ name, text, want string }{
		{"half-written", state[:40], "z-state.json can't be read"}, {"conflict", "<<<<<<< HEAD\n" + state, "z-state.json can't be read"},
		{"too many phases", `{"loop": "x", "phases": {` + manyPhases() + `}}`, "z-state.json can't be read"},
		{"a giant", state[:len(state)-1] + strings.Repeat(" ", peek.Limit) + "}", "z-state.json can't be read"},
		{"somebody else's", `{"lights": [`, "x · loop complete"}, {"empty", "", "x · loop complete"}, {"no loop", "{}", "x · loop complete"},
	} {
		root := tree(t, map[string]string{"x-state.json": state, "z-state.json": c.text})
		loopAge(t, root, map[string]int{"x-state.json": 60})
		found, _ := Find(Place{Dir: root, Home: root, Alerts: true})
		got, waits := string(found.Facts.AppendFull(nil)), ""
		if strings.HasPrefix(c.want, "z-") {
			waits = c.want
		}
		if got != c.want || found.Waits != waits {
			t.Errorf("%s: %q, waits %q, want %q", c.name, got, found.Waits, c.want)
		}
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
