package randomtest

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/respelltest"
)

func TestGeneratorsAreDeterministic(t *testing.T) {
	for _, g := range Generators {
		for seed := range uint64(200) {
			files, again := g.Files(rand.New(rand.NewPCG(seed, 1))), g.Files(rand.New(rand.NewPCG(seed, 1)))
			if !maps.Equal(files, again) {
				t.Fatalf("%s, seed %d: two projects", g.Protocol, seed)
			}
			for name := range files {
				if !filepath.IsLocal(filepath.FromSlash(name)) {
					t.Errorf("%s, seed %d: %q is outside the project", g.Protocol, seed, name)
				}
			}
			if seed < 20 {
				if err := WriteFiles(t.TempDir(), files); err != nil {
					t.Errorf("%s, seed %d: %v", g.Protocol, seed, err)
				}
			}
		}
	}
}

// TestRandomLoopsVary counts properties of loops, so that no change of the generator makes all loops alike.
func TestRandomLoopsVary(t *testing.T) {
	const n = 1000
	count := map[string]int{}
	for seed := range uint64(n) {
		files := RandomLoop(rand.New(rand.NewPCG(seed, 2)))
		has := func(property string, yes bool) {
			if yes {
				count[property]++
			}
		}
		states, definitions := "", ""
		for name, text := range files {
			if strings.HasSuffix(name, "state.json") {
				states += text
				has("readable state", json.Valid([]byte(strings.TrimPrefix(text, respelltest.BOM))))
			} else if strings.HasSuffix(name, "loop.json") || strings.Contains(name, "loops/") {
				definitions += text
			}
		}
		has("definition", definitions != "")
		for _, word := range []string{`"paused"`, `"failed"`, `"complete"`, `"skipped"`, `"rejected"`, `"in_progress"`, "\r\n", respelltest.BOM, `\u00`} {
			has(word, strings.Contains(states, word))
		}
		for _, word := range []string{`"afterPhase": "Nope"`, `"gate": "`, `"skillId"`, `"required": null`} {
			has(word, strings.Contains(definitions, word))
		}
	}
	for property, least := range map[string]int{
		"readable state": 900, "definition": 700, `"paused"`: 30, `"failed"`: 50, `"complete"`: 500, `"skipped"`: 200, `"rejected"`: 5, `"in_progress"`: 5, "\r\n": 10, respelltest.BOM: 10, `\u00`: 20,
		`"afterPhase": "Nope"`: 5, `"gate": "`: 30, `"skillId"`: 50, `"required": null`: 10,
	} {
		if count[property] < least {
			t.Errorf("%q: %d of %d loops, want at least %d", property, count[property], n, least)
		}
	}
}
