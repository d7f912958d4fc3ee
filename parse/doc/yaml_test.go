package doc

import (
	"maps"
	"strings"
	"testing"

	"gatehouse/parse/respelltest"
)

// TestYAMLOffsets checks that offsets are those of the whole text, and that values know their bytes.
func TestYAMLOffsets(t *testing.T) {
	const text = "---\nplan: 01\nlist: [a, 'b']\nmap:\n  key: |\n    text\n---\nbody: x\n"
	front := SplitFrontmatter(text)
	root := ParseYAML(text, front.Block, front.BlockEnd).Root()
	for want, v := range map[string]Value{"01": root.Get("plan"), "[a, 'b']": root.Get("list"), "|\n    text\n": root.Get("map", "key"), "key: |\n    text\n": root.Get("map")} {
		if v.Raw() != want || text[v.Offset():v.End()] != want {
			t.Errorf("%q, want %q", v.Raw(), want)
		}
	}
	if plan := root.Get("plan"); plan.Scalar() != "01" || plan.KeyOffset() != 4 || !plan.Is(Number) {
		t.Errorf("plan is %q, its key at %d", plan.Scalar(), plan.KeyOffset())
	}
	if root.Get("body").Exists() || root.Len() != 3 || root.Get("map", "key").Len() != 0 {
		t.Errorf("%s", describe(root))
	}
}

// TestRespelledYAML checks that each way to write a value gives the same reading, or a problem.
func TestRespelledYAML(t *testing.T) {
	const text = "---\nstatus: human_needed\nwave: 2\ndepends_on: [\"03-01\", 03-02]\nfiles:\n  - a.go\n  - b.go\ntruths:\n  - test: open it\n    expected: it opens\nmap:\n  key: true\n---\nbody\n"
	read := func(text string) (members map[string]string, tree *Tree) {
		front := SplitFrontmatter(text)
		tree, members = ParseYAML(text, front.Block, front.BlockEnd), map[string]string{}
		for v := range tree.Root().Children() {
			members[v.Key()] = describe(v)
		}
		return members, tree
	}
	want, _ := read(text)
	variations := respelltest.Frontmatter(text)
	for _, path := range respelltest.Paths(text[len("---\n"):strings.Index(text, "---\nbody")]) {
		variations = append(variations, respelltest.Frontmatter(text, path...)...)
	}
	if len(variations) < 100 {
		t.Errorf("%d variations", len(variations))
	}
	for _, v := range variations {
		if got, tree := read(v.Text); len(tree.Problems) == 0 && !maps.Equal(got, want) {
			t.Errorf("%s: %q:\n got %s\nwant %s", v.Name, v.Text, got, want)
		}
	}
}
