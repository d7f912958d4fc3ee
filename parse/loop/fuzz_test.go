package loop

import (
	"path/filepath"
	"testing"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
)

// FuzzState reads any state with any definition, and tries every action on it.
func FuzzState(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, definitionText)
	}
	r := &Reader{m: mirror.New(f.TempDir()), file: "kite-state.json"}
	f.Fuzz(func(t *testing.T, text, defined string) {
		v, err := r.parse(text, noon)
		if err != nil {
			return
		}
		if d, err := parseDefinition(defined); err == nil && len(d.Phases) > 0 {
			v = &view{r: r, now: noon, read: v.read, rows: protocol.Rows{}, Source: v.Source}
			v.mergeDefinition(v.read.Value.State, definition{Definition: d.Definition, source: protocol.Source{File: "loop.json", Lines: d.lines}})
			v.brokenRules(true)
		}
		v.build()
		sound(t, v.b)
		everyAction(t, r, text)
	})
}

// FuzzDefinition generates a state from any definition. A generated text must be a state that breaks no rule.
func FuzzDefinition(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		made, file, err := Generate([]byte(text), noon)
		if err != nil {
			return
		}
		if !core.IsCandidate(file) || filepath.Base(file) != file {
			t.Errorf("the file is %q", file)
		}
		dir := t.TempDir()
		write(t, filepath.Join(dir, file), made)
		write(t, filepath.Join(dir, "loop.json"), text)
		for _, broken := range only(t, dir, nil).open(noon).brokenRules(true) {
			if broken.Number > 0 {
				t.Errorf("%+v\n%s", broken, made)
			}
		}
	})
}
