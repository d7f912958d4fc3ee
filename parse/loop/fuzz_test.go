package loop

import (
	"path/filepath"
	"testing"

	"gatehouse/parse/mirror"
)

// FuzzState reads any state beside any definition, and does to it whatever can be done.
func FuzzState(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, definitionText)
	}
	f.Fuzz(func(t *testing.T, text, defined string) {
		if len(text) > 1<<16 || len(defined) > 1<<16 {
			return
		}
		dir := t.TempDir()
		write(t, filepath.Join(dir, "kite-state.json"), text)
		write(t, filepath.Join(dir, "loop.json"), defined)
		for _, r := range Readers(mirror.New(dir), "", nil) {
			sound(t, r.Read(noon))
			for _, p := range r.Check(noon) {
				if p.Line < 0 || p.Rule == "" {
					t.Errorf("%+v", p)
				}
			}
			everyAction(t, r, text)
		}
	})
}

// FuzzDefinition makes a state of any definition. One that was made is a state, and breaks no rule.
func FuzzDefinition(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		made, file, _, err := Generate([]byte(text), noon)
		if err != nil {
			return
		}
		if !isCandidate(file) || filepath.Base(file) != file {
			t.Errorf("the file is %q", file)
		}
		s, err := parseState(made)
		if err != nil || s == nil {
			t.Fatalf("%v\n%s", err, made)
		}
		d, err := parseDefinition(text)
		if err != nil {
			t.Fatal(err)
		}
		if b := broken(s, d, true); len(b) > 0 {
			t.Errorf("%+v\n%s", b, made)
		}
	})
}
