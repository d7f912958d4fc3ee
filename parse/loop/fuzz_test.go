package loop

import (
	"path/filepath"
	"testing"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/loop/rules"
)

// FuzzState reads any state with any definition, and does to it whatever can be done.
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
		if d, err := parseDefinition(defined); err == nil && v.s.kind == "" {
			v.d = &found{definition: d, file: "loop.json"}
			broken(v.s, d, true)
		}
		v.ask()
		v.build()
		sound(t, v.b)
		everyAction(t, r, text)
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
		if !rules.MayBeState(file) || filepath.Base(file) != file {
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
