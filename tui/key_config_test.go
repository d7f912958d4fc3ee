package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/tuitest"
)

// TestRowsHaveNames: every row of the key table can be configured by a unique name.
func TestRowsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range KeyRows() {
		if r.Name == "" || seen[r.Name] || strings.Trim(r.Name, "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("the row %q is called %q", r.Words, r.Name)
		}
		seen[r.Name] = true
		for _, k := range r.Keys {
			if err := CheckKey(r.Name, k); err != nil {
				t.Errorf("%s: its own key is refused: %v", r.Name, err)
			}
		}
	}
}

// TestRebound: a configured key does what it is configured for and nothing else, and quit keeps ctrl+c.
func TestRebound(t *testing.T) {
	opts := plainOptions()
	opts.Keys = map[string][]string{"down": {"n", "J"}, "next": {"ctrl+n"}, "quit": {}, "help": {"f1"}}
	d := newDashboard(opts, nil)
	keysOf := func(name string) []string {
		i := slices.IndexFunc(d.keys, func(b binding) bool { return b.name == name })
		return d.keys[i].on.Keys()
	}
	for name, want := range map[string]string{"down": "n J", "next": "ctrl+n", "jump": "", "quit": "ctrl+c", "help": "f1", "up": "k up"} {
		if got := strings.Join(keysOf(name), " "); got != want {
			t.Errorf("%s has the keys %q, want %q", name, got, want)
		}
	}
	d.resizeTo(120, 40)
	d.showSnapshot(index.New(tuitest.Shop(), nil))
	before, _ := d.tree.Position()
	d.pressKey(input.StrokeOf("n"))
	if after, _ := d.tree.Position(); after != before+1 {
		t.Errorf("n went from row %d to %d", before, after)
	}
	d.pressKey(input.StrokeOf("ctrl+n"))
	if r, _ := d.tree.At(); r.Place() != d.index.Stops[0] {
		t.Errorf("ctrl+n went to %v", r.Place())
	}
	if got := d.keyOf("next"); got != "ctrl+n" {
		t.Errorf("next is named %q", got)
	}
	if got := d.keyOf("jump"); got != ":" {
		t.Errorf("a row without a key is named %q", got)
	}
	if len(KeyRows()) != len(bindings()) || !slices.ContainsFunc(KeyRows(), func(r KeyRow) bool { return r.Name == "palette" && strings.Join(r.Keys, " ") == ": ctrl+p" }) {
		t.Error("the table itself has changed")
	}
}

// TestWithoutKeys: all rows may be left without a key, and the dashboard is still drawn and works.
func TestWithoutKeys(t *testing.T) {
	opts := plainOptions()
	opts.Keys = map[string][]string{}
	for _, r := range KeyRows() {
		opts.Keys[r.Name] = nil
	}
	d := dashboardOf(opts, tuitest.Shop(), 120, 40)
	for range 20 {
		if row, _ := d.newFooter().Render(d.look, 120); strings.Contains(ansi.Strip(row), "  ?") {
			t.Errorf("the footer is %q", row)
		}
		d.pressKey(input.StrokeOf("down"))
	}
	if d.View().Content == "" {
		t.Error("nothing is drawn")
	}
}

func TestCheckKey(t *testing.T) {
	for _, name := range []string{"a", "A", "ctrl+a", "alt+x", "f5", "shift+tab", "ctrl+pgup", "ä", "?"} {
		if err := CheckKey("next", name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", " ", "ctrl+A", "shift+a", "ctrl+i", "cntrl+a", "f99", "enter", "ctrl+c", "ab", "\x1b", "ctrl+"} {
		if CheckKey("next", name) == nil {
			t.Errorf("%q is taken for a key", name)
		}
	}
}
