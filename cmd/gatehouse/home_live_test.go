//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLiveHome: in a directory above several projects, all are shown in groups. What the user did with them is still there after a
// restart, and changes in between are marked.
func TestLiveHome(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 120, 40)
	src := filepath.Join(w.home, "src")
	shore := newShore(t, src)
	for name, project := range map[string]string{"lamp": "lantern", "quay": "harbour", "isle": "tidepool"} {
		if err := unpack(project, filepath.Join(src, "deep", name)); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	shore.verified(now.Add(-3 * time.Hour)) // the newest wait is the first
	for name, hours := range map[string]time.Duration{"lamp": 2, "quay": 1} {
		if err := date(filepath.Join(src, "deep", name), now.Add(-hours*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	w.enter("cd src")
	w.start("")
	w.shows("Waits for you", "The rest", "shore", "lamp", "quay", "isle", "4 projects", " 1/4")

	// The project with a wait is one key away.
	w.press("n")
	w.find(`▌ +. broken off|▌ +. .*Drive the piles`)
	w.press("G", "k", "l") // the shore has waited longest in its group
	w.find(`▌▾ ◆ shore`)
	w.shows("05-02 Warn before the rain")
	w.press(">", ">", "q")
	w.checkExit(exitDone)

	// While the dashboard is closed, a plan is finished.
	shore.write("phases/05-rock-slips/05-02-SUMMARY.md", "---\nphase: 05-rock-slips\nplan: 02\n---\n")
	w.start("")
	w.find(`▌▾ ◆ shore`)
	w.find(`▎ +▸ ◐ 05 Rock Slips`)
	w.shows("2 changed", "done")
	w.press("q")
	w.checkExit(exitDone)

	// From another directory the projects are remembered.
	if err := os.Mkdir(filepath.Join(w.home, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.enter("cd ../empty")
	w.start("")
	w.shows("shore", "lamp", "quay", "isle")
	w.press("q")
	w.checkExit(exitDone)
}

// TestLiveBrokenUserFiles: each problem in the user's own files is reported on the screen once, one after the other, and nothing else
// differs.
func TestLiveBrokenUserFiles(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 160, 30)
	newShore(t, filepath.Join(w.home, "src"))
	state := filepath.Join(w.home, ".local", "state", "gatehouse")
	for missed := true; missed; { // each message is shown for some seconds; if the machine was too slow to see it, start again
		for file, text := range map[string]string{
			filepath.Join(w.home, ".config", "gatehouse", "config.yaml"): "theme: purple\n",
			filepath.Join(state, "kept", "projects.json"):                `{"version":1,"kept":[{"ro`,
		} {
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		missed = false
		w.start("")
		looked := time.Now()
		messages := []string{"projects.json: it can't be read, and will be written anew", "config.yaml:1: "}
		w.until("both files are reported", func(screen string) bool {
			missed = missed || time.Since(looked) > toastStays
			looked = time.Now()
			if len(messages) > 0 && strings.Contains(screen, messages[0]) {
				messages = messages[1:]
			}
			return len(messages) == 0 || missed
		})
		w.shows("shore", "05-02 Warn")
		w.press("q")
		w.checkExit(exitDone)
	}
	w.gone("projects.json", "config.yaml")
}
