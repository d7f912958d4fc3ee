package conformance

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// Update is the flag with which tests write their output into their golden files and scripts if it differs.
var Update = flag.Bool("update", false, "write what is printed into the golden files and scripts where it differs")

// GoldenNow is the clock of the golden files.
var GoldenNow = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// goldenAge is the age of a file without a time of its own: it is no longer being written, and nothing is stale.
const goldenAge = 2 * time.Minute

// Golden runs the cases of the files testdata/builds/*.txtar: files of a project, and the description of what is read from them. A file
// holds several cases, each introduced by a section "= name", whose text describes the case. The section "want" is the
// description, "check" the broken rules, "decide …" a decision; later files are changes, with another answer. A name may have a time,
// "STATE.md @ 2026-02-01T10:00:00Z"; a file without text is removed. With -update the tests write the answers: read the difference
// before you commit it.
//
// begin is called for each case with the directory of its project, and returns the function that answers a section. Files are below
// the directory home of the project.
func Golden(t *testing.T, home string, begin func(t *testing.T, dir string) (answer func(section string) string)) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", "builds", "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range all {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(archive.Files); {
			name := strings.TrimPrefix(archive.Files[i].Name, "= ")
			end := i + 1
			for end < len(archive.Files) && !strings.HasPrefix(archive.Files[end].Name, "= ") {
				end++
			}
			of := archive.Files[i+1 : end]
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+name, func(t *testing.T) { runGolden(t, home, of, begin) })
			i = end
		}
		if *Update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// runGolden writes the files of one case and compares the descriptions.
func runGolden(t *testing.T, home string, files []txtar.File, begin func(t *testing.T, dir string) func(section string) string) {
	dir := t.TempDir()
	var answer func(section string) string
	for i := range files {
		f := &files[i]
		if f.Name == "want" || f.Name == "check" || strings.HasPrefix(f.Name, "decide ") {
			if answer == nil {
				answer = begin(t, dir)
			}
			switch got := answer(f.Name); {
			case *Update:
				f.Data = []byte(got)
			case got != string(f.Data):
				t.Errorf("%s is\n%s\nwant\n%s", f.Name, got, f.Data)
			}
			continue
		}
		name, stated, _ := strings.Cut(f.Name, " @ ")
		at := GoldenNow.Add(-goldenAge)
		if stated != "" {
			var err error
			if at, err = time.Parse(time.RFC3339, stated); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(dir, home, filepath.FromSlash(name))
		if len(f.Data) == 0 {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		for entry := path; entry != dir; entry = filepath.Dir(entry) {
			when := at
			if entry != path {
				when = GoldenNow.Add(-goldenAge)
			}
			if err := os.Chtimes(entry, when, when); err != nil {
				t.Fatal(err)
			}
		}
	}
}
