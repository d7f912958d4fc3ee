package loop

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
)

// TestCheckFindsEveryMutation changes one value of a sound loop at a time, by testdata/mutations.txtar. The check must report every change
// that breaks a rule, with a place, and no other.
func TestCheckFindsEveryMutation(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/mutations.txtar")
	must(t, err)
	texts := map[string]string{}
	for _, f := range archive.Files {
		texts[f.Name] = string(f.Data)
	}
	sound := [2]string{texts["kite-state.json"], texts["loop.json"]}
	check := func(what string, files [2]string, breaks bool) {
		problems := checkOf(t, files[0], files[1])
		if breaks != (len(problems) > 0) {
			t.Errorf("%s: %v", what, problems)
		}
		for _, p := range problems {
			if p.Rule == "" || p.Text == "" || p.Fix == "" || p.File == "" {
				t.Errorf("%s: %+v", what, p)
			}
		}
	}
	check("sound", sound, false)
	names := []map[string]string{{"gates": "sketch-gate wind-gate sew-gate", "phases": "SKETCH SEW FLY"}, {"gates": "0 1 2", "phases": "0 1 2"}}
	for i, of := range []string{"state", "definition"} {
		for row := range strings.Lines(texts[of]) {
			cells := strings.Split(strings.TrimSuffix(row, "\n"), " | ")
			list, _, isAll := strings.Cut(cells[0], ".")
			paths := []string{cells[0]}
			if isAll && strings.Contains(cells[0], "*") {
				paths = nil
				for name := range strings.FieldsSeq(names[i][list]) {
					paths = append(paths, strings.Replace(cells[0], "*", name, 1))
				}
			}
			for _, path := range paths {
				for k, values := range cells[1:] {
					for _, value := range splitValues(values) {
						files := sound
						files[i] = mutated(t, sound[i], strings.Split(path, "."), value)
						check(of+": "+path+" is "+value, files, k == 0)
					}
				}
			}
		}
	}
	state, definition := sound[0], sound[1]
	check("a byte order mark", [2]string{"\ufeff" + state, "\ufeff" + definition}, false)
	check("line ends of Windows", [2]string{strings.ReplaceAll(state, "\n", "\r\n"), strings.ReplaceAll(definition, "\n", "\r\n")}, false)
	check("a state that breaks off", [2]string{state[:400], definition}, true)
	check("an empty state", [2]string{"", definition}, true)
	check("a definition with comments", [2]string{state, "// kite\n" + definition}, true)
	check("an empty definition", [2]string{state, " "}, true)
	check("no definition", [2]string{state, ""}, true)
}

// checkOf returns the problems of a loop that has the deliverables of its first two phases.
func checkOf(t *testing.T, state, definition string) []model.Problem {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"kite-state.json": state, "loop.json": definition, "SKETCH.md": "# A\n", "SEAMS.md": "# B\n"} {
		if text != "" || name != "loop.json" {
			write(t, filepath.Join(dir, name), text)
		}
	}
	readers := Readers(mirror.New(dir), "", nil)
	if len(readers) == 0 { // the files do not have the shape of a loop, and the command reports that there is nothing to check
		return []model.Problem{{Pos: model.Pos{File: "."}, Rule: "none", Text: "no build here to check", Fix: "name the directory of a project"}}
	}
	return readers[0].Check(noon)
}

// splitValues splits JSON values at the blanks outside strings.
func splitValues(s string) []string {
	quoted := false
	return strings.FieldsFunc(s, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

// mutated returns a document with one value changed.
func mutated(t *testing.T, text string, path []string, value string) string {
	t.Helper()
	tree, err := doc.ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	in := tree.Root()
	for _, key := range path[:len(path)-1] {
		in = step(in, key)
	}
	key := path[len(path)-1]
	of := step(in, key)
	switch {
	case in.Is(doc.List):
	case !of.Exists(): // add a member
		at := in.Offset() + 1
		return text[:at] + fmt.Sprintf("%q: %s, ", key, value) + text[at:]
	case value == "-":
		return text[:of.KeyOffset()] + `"was ` + text[of.KeyOffset()+1:]
	case value == "twice":
		return text[:of.KeyOffset()] + fmt.Sprintf("%q: %s, ", key, of.Raw()) + text[of.KeyOffset():]
	}
	return text[:of.Offset()] + value + text[of.End():]
}

// step returns a member by its key, or an element of a list by its number.
func step(in doc.Value, key string) doc.Value {
	if !in.Is(doc.List) {
		return in.Get(key)
	}
	i := 0
	for e := range in.Children() {
		if fmt.Sprint(i) == key {
			return e
		}
		i++
	}
	return doc.Value{}
}
