package tui

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/tui/input"
	"gatehouse/tui/tuitest"
)

func TestKeyTable(t *testing.T) {
	seen := map[string]string{}
	for _, b := range bindings() {
		if b.words == "" || b.group == "" || b.do == nil && !b.inDialog {
			t.Errorf("row %q %q lacks words, a group or an action", b.on.Keys(), b.words)
		}
		for _, k := range b.on.Keys() {
			if b.inDialog {
				k = "dialog " + k
			}
			if other, twice := seen[k]; twice {
				t.Errorf("key %q means %q and %q", k, other, b.words)
			}
			seen[k] = b.words
		}
	}
}

// keyTable returns all keys as a Markdown table, as in docs/dashboard.md.
func keyTable() string {
	var b strings.Builder
	b.WriteString("| | key | does |\n|---|---|---|\n")
	group := ""
	for _, row := range bindings() {
		heading := ""
		if row.group != group {
			group, heading = row.group, row.group
		}
		names := ""
		if row.keyNames() != "" {
			names = "`" + strings.ReplaceAll(row.keyNames(), " ", "` `") + "`"
		}
		b.WriteString("| " + heading + " | " + names + " | " + row.words + " |\n")
	}
	return b.String()
}

// TestFooterOffersOnlyWhatWorks: each key that the footer offers works in that place.
func TestFooterOffersOnlyWhatWorks(t *testing.T) {
	for _, keys := range [][]string{nil, {"enter"}, {"6"}, {"n"}} {
		d := dashboardOf(plainOptions(), tuitest.Shop(), 200, 60)
		for _, k := range keys {
			d.pressKey(input.StrokeOf(k))
		}
		banner := d.newBanner()
		footer, _ := d.newFooter().Render(d.look, 200)
		line := ansi.Strip(banner.Render(d.look, 200) + " " + footer)
		for _, b := range d.keys {
			offered := b.hint != "" && (strings.Contains(line, " "+b.hint+" ") || b.name == "next" && strings.Contains(line, " n show "))
			if works := b.off == nil || b.off(d) == ""; b.hint != "" && offered != works {
				t.Errorf("after %v: %s is offered %v, works %v", keys, b.hint, offered, works)
			}
		}
	}
}

// TestDocsHaveTheKeys: docs/dashboard.md has the current table of keys, and no text names a key that does not exist.
func TestDocsHaveTheKeys(t *testing.T) {
	inCode := regexp.MustCompile("`([!-_a-}]|ctrl.[a-z]|shift.tab)`")
	known := map[string]bool{}
	for _, m := range inCode.FindAllStringSubmatch(keyTable(), -1) {
		known[m[1]] = true
	}
	for _, name := range []string{"../docs/dashboard.md", "../README.md"} {
		text, err := os.ReadFile(name)
		must(t, err)
		if intro, table, _ := strings.Cut(string(text), "\n## Keys\n\n"); strings.Contains(name, "docs") && table != keyTable() {
			if flag.Lookup("update").Value.String() != "true" {
				t.Errorf("%s does not hold the table of keys; go test ./tui -run TestDocsHaveTheKeys -update writes it", name)
			} else if err := os.WriteFile(name, []byte(intro+"\n## Keys\n\n"+keyTable()), 0o644); err != nil {
				t.Error(err)
			}
		}
		for _, m := range inCode.FindAllStringSubmatch(string(text), -1) {
			if !known[m[1]] {
				t.Errorf("%s: there is no key %s", name, m[1])
			}
		}
	}
}
