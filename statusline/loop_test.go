//go:build unix

package statusline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const loopState = `{"loop": "sample", "status": "active", "phase": "BUILD", "gates": {"a-gate": {"status": "pending"}},
	"phases": {"FRAME": {"status": "complete"}, "BUILD": {"status": "active"}}}`

// TestHostileLoops replaces a loop's state and definition by everything except a good file: an unreadable file that looks like a state
// is reported, other refused files count as missing, and a refused definition places no gate.
func TestHostileLoops(t *testing.T) {
	top := t.TempDir()
	outside := filepath.Join(t.TempDir(), "x.json")
	write(t, outside, loopState)
	write(t, filepath.Join(top, "above-state.json"), `{"loop": "above", "status": "complete", "phases": {}}`)
	all := notFiles(outside)
	all["nesting"] = func(path string) error { return os.WriteFile(path, []byte(strings.Repeat(`{"phases":`, 1<<20)), 0o644) }
	all["huge"] = func(path string) error {
		return os.WriteFile(path, []byte(loopState[:len(loopState)-1]+strings.Repeat(" ", 9<<20)+"}"), 0o644)
	}
	for name, put := range all {
		dir := filepath.Join(top, name)
		write(t, filepath.Join(dir, "keep"), "")
		must(t, put(filepath.Join(dir, "x-state.json")))
		want := "above · loop complete\n"
		if name == "huge" {
			want = "x-state.json can't be read\n"
		}
		if got := soon(t, dir, top); got != want {
			t.Errorf("%s for a state: %q", name, got)
		}
		dir = filepath.Join(top, name+" definition")
		write(t, filepath.Join(dir, "x-state.json"), loopState)
		must(t, put(filepath.Join(dir, "loop.json")))
		want = "sample [█████░░░░░] 50% · next approve a-gate · ◆ loop.json can't be read\n"
		if got := soon(t, dir, top); got != want {
			t.Errorf("%s for a definition: %q", name, got)
		}
	}
	inside := filepath.Join(top, "inside")
	write(t, filepath.Join(inside, "states", "mine.json"), loopState)
	must(t, os.Symlink("states/mine.json", filepath.Join(inside, "x-state.json")))
	if got := soon(t, inside, top); !strings.HasPrefix(got, "sample ") {
		t.Errorf("a link within the project: %q", got)
	}
}
