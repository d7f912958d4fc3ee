package respelltest

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

const yamlSample = `phase: 01-lamp
plan: 01
status: human_needed  # seen by nobody
title: "Fill: the tank"
files_modified:
  - a.go
  - "b: c.go"
depends_on: ["01-01", 01-02]
empty: []
nothing:
must_haves:
  truths: [x, y]
  artifacts:
  - path: a.go
    provides: 'a: b'
  - path: b.go
percent: 40
autonomous: true
text: |
  two
  lines
last: end
`

// TestYAMLHasTheSpellings checks the spellings of some values, so that no spelling disappears because it changes a value.
func TestYAMLHasTheSpellings(t *testing.T) {
	common := []string{"double-quoted key", "single-quoted key", "escape in a quoted key", "blank before the colon", "anchor", "tag", "anchor and tag", "explicit key", "alias", "comment after the value"}
	lists := []string{"flow", "flow without blanks", "flow over several lines", "flow on the next line", "flow of quoted values", "wider indent", "one blank of indent"}
	for _, c := range []struct {
		path string
		want []string
	}{
		{"", []string{"block", "wider indent", "lists without indent", "reversed keys", "quoted keys", "flow mapping", "flow mapping over several lines", "flow mapping of quoted values", "indented", "CRLF", "BOM"}},
		{"status", append([]string{"plain", "blanks after the colon", "trailing blanks", "value on the next line", "value on the next line, after a comment", "double-quoted value", "single-quoted value", "escape in a quoted value", "unicode escape in a quoted value",
			"quoted value with a comment", "quoted value on the next line", "literal scalar", "folded scalar", "literal scalar with a comment"}, common...)},
		{"title", append([]string{"wrapped folded scalar", "wrapped quoted value", "single-quoted value"}, common...)},
		{"plan", append([]string{"trailing blanks", "value on the next line"}, common...)},
		{"files_modified", slices.Concat([]string{"list without indent", "alias in a flow list", "alias in a block list", "trailing comma"}, common, lists)},
		{"depends_on", append([]string{"plain", "list without indent", "alias in a flow list", "explicit key"}, common...)},
		{"must_haves", slices.Concat([]string{"reversed keys"}, common, lists)},
		{"must_haves artifacts 0 provides", append([]string{"plain", "folded scalar", "trailing blanks"}, common...)},
		{"must_haves artifacts 0 path", append([]string{"folded scalar"}, common...)},
	} {
		var names []string
		for _, v := range YAML(yamlSample, strings.Fields(c.path)...) {
			names = append(names, v.Name)
		}
		for _, name := range c.want {
			if !slices.Contains(names, name) {
				t.Errorf("%q: no %q, got %q", c.path, name, names)
			}
		}
	}
}

func TestFrontmatter(t *testing.T) {
	const text = "---\nstatus: human_needed\nphase: 01\n---\n\n# Title\n---\n"
	all := append(Frontmatter(text), Frontmatter(text, "status")...)
	for _, v := range all {
		body := strings.TrimPrefix(strings.ReplaceAll(v.Text, "\r\n", "\n"), BOM)
		inner, rest, found := strings.Cut(strings.TrimPrefix(body, "---\n"), "\n---\n")
		if !found || rest != "\n# Title\n---\n" || !strings.HasPrefix(body, "---\n") {
			t.Errorf("%s: %q", v.Name, v.Text)
		}
		if got, want := decodeYAML(inner), decodeYAML("status: human_needed\nphase: 01\n"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", v.Name, got, want)
		}
	}
	if len(all) < 30 {
		t.Errorf("%d variations", len(all))
	}
	for _, text := range []string{"", "# Title\n", "---\nstatus: x\n", "---\n- x\n---\n"} {
		if got := Frontmatter(text); got != nil {
			t.Errorf("%q: got %d variations", text, len(got))
		}
	}
}
