package core

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestPhrasesAreDocumented checks that the closed list of phrases in ../README.md equals the one in the code, and that each of its
// examples awaits a human.
func TestPhrasesAreDocumented(t *testing.T) {
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "## When prose of STATE.md waits for you\n")
	text, _, _ = strings.Cut(text, "\n## ")
	spell := func(phrase string) string {
		for _, group := range [][2]string{{humans, "**human**"}, {humanActs, "**act**"}, {humanVerbs, "**verb**"}} {
			phrase = strings.ReplaceAll(phrase, group[0], group[1])
		}
		return strings.NewReplacer("|", ", ", " .. ", " … ", " . ", " […] ").Replace(phrase)
	}
	all := slices.Concat(waitingPhrases, checkpointPhrases)
	_, table, _ := strings.Cut(text, "|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if len(rows) != len(all) {
		t.Fatalf("%d phrases are documented, the code has %d", len(rows), len(all))
	}
	for i, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if cells[0] != spell(all[i]) {
			t.Errorf("%q is documented, the code has %q", cells[0], spell(all[i]))
		}
		if example := strings.Trim(cells[1], "\""); !AwaitsHuman(example) || !splitWords(example).hasAny(all[i:i+1]) {
			t.Errorf("%q is no example of %q", example, cells[0])
		}
	}
	plain := strings.Join(strings.Fields(text), " ")
	denials := func(all []string) string { return spell(strings.Join(all, "; ")) + "." }
	for _, list := range []string{
		"**human** is " + strings.ReplaceAll(humans, "|", ", "), "**act** is " + strings.ReplaceAll(humanActs, "|", ", "), "**verb** is " + strings.ReplaceAll(humanVerbs, "|", ", "),
		"takes any of them back: " + denials(waitingDenials), "Of a checkpoint, also: " + denials(checkpointDenials),
	} {
		if !strings.Contains(plain, list) {
			t.Errorf("not documented: %s", list)
		}
	}
}
