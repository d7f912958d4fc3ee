package nearest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
)

// These are the parts of a new protocol in this package: a function that looks at one directory, facts that compose a line, and a row
// in sources.

type tideFacts struct{ text string }

func (f tideFacts) AppendFull(dst []byte) []byte    { return append(dst, f.text...) }
func (f tideFacts) AppendCompact(dst []byte) []byte { return append(dst, f.text...) }
func (f tideFacts) Compose(t *line.Text, _ bool)    { t.Begin(line.Keep); t.Add(line.Plain, f.text) }
func (f tideFacts) Scene() (int, string)            { return 4, "it says so" }

func tideIn(p *Place, dir string) (Found, bool) {
	path := peek.Join(dir, "tide.txt")
	text, err := p.readText(path, dir)
	if err != nil {
		return Found{}, false
	}
	return Found{Facts: tideFacts{line.Clean(text)}, Path: path}, true
}

// TestAnotherProtocol checks which build is found first: the nearest directory wins, and within one directory the order of the
// registry.
func TestAnotherProtocol(t *testing.T) {
	usual := sources
	defer func() { sources = usual }()
	sources = append(slices.Clone(usual), source{"tide", "tide.txt", tideIn})
	root := tree(t, map[string]string{
		"both/.planning/STATE.md": state("gsd"), "both/tide.txt": "tide", "both/a/": "",
		"near/.planning/STATE.md": state("gsd"), "near/a/tide.txt": "tide", "near/a/b/": "",
		"far/tide.txt": "tide", "far/a/.planning/STATE.md": state("gsd"),
		"tide/tide.txt": "tide", "none/": "",
	})
	for _, c := range []struct{ dir, source, want, all string }{
		{"both/a", "", "gsd", "gsd tide"}, {"both/a", "tide", "tide", "gsd tide"}, {"both/a", "gsd", "gsd", "gsd tide"},
		{"near/a/b", "", "tide", "gsd tide"}, {"near/a/b", "gsd", "gsd", "gsd tide"}, {"near", "", "gsd", "gsd"},
		{"far/a", "", "gsd", "gsd tide"}, {"far/a", "tide", "tide", "gsd tide"}, {"tide", "", "tide", "tide"},
		{"tide", "gsd", "", "tide"}, {"none", "", "", ""},
	} {
		p := Place{Dir: filepath.Join(root, filepath.FromSlash(c.dir)), Home: root, Source: c.source}
		found, ok := Find(p)
		if found.Protocol != c.want || ok != (c.want != "") {
			t.Errorf("%s, source %q: %q, %v, want %q", c.dir, c.source, found.Protocol, ok, c.want)
		}
		all, ok := FindAll(p)
		var names []string
		for _, found := range all {
			if ok {
				names = append(names, found.Protocol)
			}
		}
		if got := strings.Join(names, " "); got != c.all || ok != (c.all != "") {
			t.Errorf("%s, all: %q, %v, want %q", c.dir, got, ok, c.all)
		}
	}
	sources = usual
	if len(Protocols()) != len(sources) || Protocols()[0] != "gsd" || Protocols()[1] != "ultraplan" || LooksFor() != ".planning/STATE.md, *-state.json, .fctry/state.json, specs/*/tasks.md, openspec/changes, .kiro/specs, sprint-status.yaml, .taskmaster/tasks/tasks.json, .gatehouse/format.yaml" {
		t.Error(Protocols(), LooksFor())
	}
}
