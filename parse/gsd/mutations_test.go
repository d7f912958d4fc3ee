package gsd

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestMutations checks that each text that breaks a rule is reported, and no other. Its rows replace a line of a file: by texts that
// break a rule, and by texts that break none, separated by " | ". "-" removes the line, "\n" is a line end, "~" stands for the line.
func TestMutations(t *testing.T) {
	sound := map[string]string{}
	archive, err := txtar.ParseFile("testdata/mutations/sound.txtar")
	must(t, err)
	for _, file := range archive.Files {
		sound[file.Name] = string(file.Data)
	}
	dir := tree(t, sound)
	put := func(file, text string) {
		t.Helper()
		at := filepath.Join(dir, Planning, file)
		write(t, at, text)
		must(t, os.Chtimes(at, now.Add(-72*time.Hour), now.Add(-72*time.Hour)))
	}
	for file, text := range sound {
		put(file, text)
	}
	problems := func() (all []string) {
		for _, p := range readers(t, dir)[0].Check(now) {
			all = append(all, fmt.Sprint(p))
		}
		return all
	}
	if found := problems(); len(found) > 0 {
		t.Fatalf("without a mutation: %q", found)
	}
	count, of := 0, [2]int{}
	rows, err := os.ReadFile("testdata/mutations/mutants.jsonl")
	must(t, err)
	for row := range strings.Lines(string(rows)) {
		var m struct{ File, Line, Breaks, Keeps string }
		must(t, json.Unmarshal([]byte(row), &m))
		text := sound[m.File]
		if strings.Count(text, m.Line) == 0 {
			t.Fatalf("%s has no %q", m.File, m.Line)
		}
		indent := m.Line[:len(m.Line)-len(strings.TrimLeft(m.Line, " "))]
		for i, list := range []string{m.Breaks, m.Keeps} {
			if list == "" {
				continue
			}
			for _, mutant := range strings.Split(list, " | ") {
				count++
				of[i]++
				line := strings.ReplaceAll(strings.ReplaceAll(mutant, `\n`, "\n"), "~", m.Line)
				if indent != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\n") {
					line = indent + line
				}
				changed := strings.Replace(text, m.Line, line, 1)
				if mutant == "-" {
					changed = strings.Replace(text, m.Line+"\n", "", 1)
				}
				put(m.File, changed)
				found := problems()
				if breaks := i == 0; (len(found) > 0) != breaks {
					t.Errorf("%s: %q: breaks a rule: %v, reported: %q", m.File, line, breaks, found)
				}
			}
		}
		put(m.File, text)
	}
	if count < 300 {
		t.Errorf("%d mutations", count)
	}
	t.Logf("%d mutations: %d break a rule, %d break none", count, of[0], of[1])
}
