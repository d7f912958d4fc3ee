package ultraplan

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// TestMutations replaces one text at a time in valid files, by testdata/mutations.txtar. The check must report every change that breaks a
// rule, and no other.
func TestMutations(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/mutations.txtar")
	fixture.Must(t, err)
	files, rows := map[string]string{}, ""
	for _, f := range archive.Files {
		if rows = string(f.Data); f.Name != "mutations" {
			files[f.Name] = rows
		}
	}
	dir := fixture.Project(t, files)
	problems := func() (found []string) {
		for _, p := range (&Reader{m: mirror.New(dir, Home, core.Planning)}).Check(fixture.Now) {
			found = append(found, p.String())
		}
		return found
	}
	if found := problems(); len(found) > 0 {
		t.Fatalf("the files break rules: %s", strings.Join(found, "\n"))
	}
	count := 0
	for l := range strings.Lines(rows) {
		var m struct {
			File, Text    string
			Keeps, Breaks []string
		}
		fixture.Must(t, json.Unmarshal([]byte(l), &m))
		whole := files[m.File]
		at := strings.LastIndex(whole, m.Text)
		if at < 0 {
			t.Fatalf("%s has no %q", m.File, m.Text)
		}
		file := filepath.Join(dir, filepath.FromSlash(m.File))
		for i, text := range append(m.Keeps, m.Breaks...) {
			count++
			fixture.Must(t, os.WriteFile(file, []byte(whole[:at]+text+whole[at+len(m.Text):]), 0o644))
			if found, breaks := problems(), i >= len(m.Keeps); (len(found) > 0) != breaks {
				t.Errorf("%s: %q to %q: breaks a rule: %v, found %q", m.File, m.Text, text, breaks, found)
			}
		}
		fixture.Must(t, os.WriteFile(file, []byte(whole), 0o644))
	}
	if count < 200 {
		t.Errorf("only %d mutations", count)
	}
}
