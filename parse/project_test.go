package parse

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/conformance"
)

// noon is the tests' clock.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put writes a file with its directories.
func put(t testing.TB, dir, rel, text string) {
	t.Helper()
	path := filepath.Join(dir, rel)
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// gsdProject writes a small GSD project: one phase of two plans, none finished.
func gsdProject(t testing.TB, dir string) {
	t.Helper()
	put(t, dir, ".planning/ROADMAP.md", "# Roadmap\n\n- [ ] **Phase 1: Base** - the base\n")
	put(t, dir, ".planning/STATE.md", "---\nmilestone: v1.0\nmilestone_name: First\nstatus: executing\n---\n\n# State\n")
	put(t, dir, ".planning/phases/01-base/01-01-PLAN.md", "---\nphase: 01-base\nplan: 01\n---\n")
	put(t, dir, ".planning/phases/01-base/01-02-PLAN.md", "---\nphase: 01-base\nplan: 02\n---\n")
}

func open(t testing.TB, dir, home string) *Project {
	t.Helper()
	p, err := Open(dir, User{Home: home})
	must(t, err)
	return p
}

// deep creates a directory so many levels below dir, and returns it.
func deep(t *testing.T, dir string, levels int) string {
	t.Helper()
	for i := range levels {
		dir = filepath.Join(dir, fmt.Sprint("d", i))
	}
	must(t, os.MkdirAll(dir, 0o755))
	return dir
}

func TestOpenClimbsToTheProject(t *testing.T) {
	conformance.OwnRows(t, "openclimbstotheproject.jsonl", func(t *testing.T, c struct {
		ID     string
		Levels int
		Home   string
		Found  bool
	}) {
		t.Run(c.ID, func(t *testing.T) {
			root, home := t.TempDir(), ""
			must(t, os.Mkdir(filepath.Join(root, ".planning"), 0o755))
			if c.Home != "" {
				home = filepath.Join(root, c.Home)
			}
			dir := deep(t, root, c.Levels)
			want := root
			if !c.Found {
				want = dir
			}
			if got := open(t, dir, home).Root(); got != want {
				t.Errorf("from %s: %s, want %s", dir, got, want)
			}
		})
	})
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "file", "")
	for name, want := range map[string]string{
		"none":      "there is no such directory",
		"none/none": "there is no such directory",
		"file":      "this is no state file that is known; name the directory of a project",
	} {
		path := filepath.Join(dir, name)
		if p, err := Open(path, User{}); p != nil || err == nil || err.Error() != path+": "+want {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
}

func TestMissingProjectIsAProblem(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project")
	gsdProject(t, dir)
	p := open(t, dir, "")
	if got := p.Read(noon); len(got.Builds) != 1 || len(got.Problems) > 0 {
		t.Fatalf("%+v", got)
	}
	must(t, os.RemoveAll(dir))
	p.Touch()
	if got := p.Read(noon); len(got.Builds) > 0 || len(got.Problems) != 1 || got.Problems[0].File != "." {
		t.Errorf("%+v", got)
	}
}

// TestUltraplanAddedLater adds .ultraplan next to a STATE.md that does not say which protocol owns it, and removes it again.
func TestUltraplanAddedLater(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, ".planning/STATE.md", "# Project State\n\nPhase: 1 of 1 (One)\n")
	p := open(t, dir, "")
	for _, want := range []string{"gsd", "ultraplan", "gsd"} {
		if got := p.Read(noon).Builds; len(got) != 1 || got[0].Protocol != want {
			t.Errorf("%d builds, want one of %s", len(got), want)
		}
		home := filepath.Join(dir, ".ultraplan")
		if want == "gsd" {
			put(t, dir, ".ultraplan/state/continue.md", "# Next\n")
		} else {
			must(t, os.RemoveAll(home))
		}
		p.Touch(home)
	}
}

// makeOld gives all files of a directory an old time: recent files are read once more, because their time proves nothing.
func makeOld(t *testing.T, dir string) {
	t.Helper()
	longAgo := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	must(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, longAgo, longAgo))
	}))
}

func TestReadCostsTheChangedFileOnly(t *testing.T) {
	dir := t.TempDir()
	gsdProject(t, dir)
	makeOld(t, dir)
	p := open(t, dir, "")
	p.Read(noon)
	for what, touch := range map[string][]string{"nothing": {filepath.Join(dir, "elsewhere")}, "a plan": {filepath.Join(dir, ".planning", "phases", "01-base", "01-01-PLAN.md")}} {
		before := p.Reads()
		p.Touch(touch...)
		p.Read(noon)
		if got, want := p.Reads()-before, map[string]int{"nothing": 0, "a plan": 1}[what]; got != want {
			t.Errorf("%s changed: %d files were read", what, got)
		}
	}
}

// fakeReader returns what a test gives it.
type fakeReader struct {
	id    string
	read  func() *model.Build
	check func() []model.Problem
}

func (f fakeReader) ID() string                      { return f.id }
func (f fakeReader) Read(time.Time) *model.Build     { return f.read() }
func (f fakeReader) Check(time.Time) []model.Problem { return f.check() }

// register replaces all protocols by these while the test runs.
func register(t *testing.T, only ...registration) {
	t.Helper()
	before := protocols
	protocols = only
	t.Cleanup(func() { protocols = before })
}

func shown(p *model.Project) string {
	var all []string
	for _, b := range p.Builds {
		all = append(all, b.ID+"="+b.Title)
	}
	return strings.Join(all, " ")
}

func TestPanicOfAReaderIsAProblemAndKeepsTheLastBuild(t *testing.T) {
	title, faulty := "one", ""
	build := func(id string) fakeReader {
		return fakeReader{
			id: id,
			read: func() *model.Build {
				if faulty == id {
					panic("boom")
				}
				return &model.Build{ID: id, Protocol: "fake", Title: title}
			},
			check: func() []model.Problem {
				if faulty == id {
					panic("boom")
				}
				return []model.Problem{{Text: id + " is broken"}}
			},
		}
	}
	readers := []reader{build("fake:a"), build("fake:b")}
	register(t,
		registration{name: "fake", readers: func(*Project) []reader {
			if faulty == "fake" {
				panic("boom")
			}
			return readers
		}},
		registration{name: "other", readers: func(*Project) []reader {
			return []reader{fakeReader{id: "other", read: func() *model.Build { return &model.Build{ID: "other", Protocol: "other", Title: title} }, check: func() []model.Problem { return nil }}}
		}},
	)
	p := open(t, t.TempDir(), "")

	faulty = "fake:a"
	if got := p.Read(noon); shown(got) != "fake:b=one other=one" || len(got.Problems) != 1 {
		t.Errorf("never read before: %s, %v", shown(got), got.Problems)
	}
	faulty = ""
	if got := p.Read(noon); shown(got) != "fake:a=one fake:b=one other=one" || len(got.Problems) > 0 {
		t.Errorf("%s, %v", shown(got), got.Problems)
	}
	title, faulty = "two", "fake:a"
	for range 2 { // and a second time
		got := p.Read(noon)
		if shown(got) != "fake:a=one fake:b=two other=two" || len(got.Problems) != 1 || !strings.Contains(got.Problems[0].String(), "reading fake:a failed inside gatehouse: boom; please report") {
			t.Errorf("%s, %v", shown(got), got.Problems)
		}
	}
	title, faulty = "three", "fake"
	if got := p.Read(noon); shown(got) != "fake:a=one fake:b=two other=three" || len(got.Problems) != 1 {
		t.Errorf("the protocol fails as a whole: %s, %v", shown(got), got.Problems)
	}
	if broken := p.Check(noon); len(broken) != 1 || broken[0].Text != "reading fake failed inside gatehouse: boom" {
		t.Errorf("%+v", broken)
	}
}
