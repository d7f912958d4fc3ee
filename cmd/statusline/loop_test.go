//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// loopState is the state of a loop in which the second of three phases has a status, behind a gate with another one.
func loopState(id, phase, gate string) string {
	return `{"loop": "` + id + `", "status": "active", "gates": {"frame-gate": {"status": "` + gate + `", "required": true}},
		"phases": {"FRAME": {"status": "complete"}, "BUILD": {"status": "` + phase + `"}, "CLOSE": {"status": "pending"}}}`
}

func loopDefinition(id string) string {
	return `{"id": "` + id + `", "phases": [{"name": "FRAME"}, {"name": "BUILD"}, {"name": "CLOSE"}], "gates": [{"id": "frame-gate", "afterPhase": "FRAME"}]}`
}

// TestInitKeepsTheLoop holds that the line of a loop is kept, and made anew whenever one of the files it may come from
// changes: each change is seen at the very next prompt.
func TestInitKeepsTheLoop(t *testing.T) {
	for _, sh := range shells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			s := startSession(t, sh, stateOf("executing"), 1)
			s.shows("at first", "v1 N · executing")
			const bar, older, beside = "a [███░░░░░░░] 33% · ", " · ◆ a-state.json: retry frame-gate", " · ◆ state.json: approve frame-gate"
			definition := loopDefinition("a")
			for _, change := range []struct {
				what string
				make func()
				want string
			}{
				{"GSD is gone", func() { s.remove("STATE.md") }, ""},
				{"a state appeared", func() { s.write("../a-state.json", loopState("a", "pending", "pending")) }, bar + "next BUILD · ◆ 1 gate pending"},
				{"its definition appeared", func() { s.write("../loop.json", definition) }, bar + "next approve frame-gate"},
				{"the gate was approved in place", func() { s.write("../a-state.json", loopState("a", "pending", "passed")) }, bar + "next BUILD"},
				{"a phase began, in another file of that name", func() { s.replace("../a-state.json", loopState("a", "active", "passed")) }, bar + "Phase BUILD active"},
				{"a newer loop appeared", func() { s.write("../state.json", `{"loop": "b", "status": "complete", "phases": {}}`) }, "b · loop complete"},
				{"the older one was written", func() { s.write("../a-state.json", loopState("a", "active", "failed")) }, bar + "next retry frame-gate"},
				{"the definition became another loop's", func() { s.write("../loop.json", loopDefinition("b")) }, bar + "Phase BUILD active · ◆ 1 gate failed" + beside},
				{"the right one stands in a directory of loops", func() { s.write("../loops/a.json", definition) }, bar + "next retry frame-gate" + beside},
				{"one that is newer in memory", func() {
					s.write("../memory/c-state.json", `{"loop": "c", "status": "paused", "phases": {"A": {"status": "active"}}}`)
				}, "c · paused · A" + older + beside},
				{"half-written", func() { s.write("../memory/c-state.json", `{"loop": "c", "sta`) }, "c-state.json can't be read" + older + beside},
				{"GSD is back, and comes first", func() { s.write("STATE.md", stateOf("back")) }, "v1 N · back"},
			} {
				s.settle()
				change.make()
				s.shows(change.what, change.want)
			}
			untouched(t, s.home)
		})
	}
}

// TestInitHostileLoop shows a loop whose every name is hostile, in shells and in tmux: the text stands on the screen and
// nothing is executed.
func TestInitHostileLoop(t *testing.T) {
	const id, phase = "$(touch pwned1) `touch pwned2` %n !! \\u", "\\044(touch pwned3) #(touch pwned4) %F{x}" // 40 columns are shown
	state := strings.ReplaceAll(`{"loop": "`+id+`", "status": "active", "phases": {"`+phase+`": {"status": "active"}}}`, `\`, `\\`)
	const want = id + " [░░░░░░░░░░] 0% · Phase " + phase + " active"
	for _, sh := range shells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			s := startSession(t, sh, stateOf("executing"), 1)
			s.remove("STATE.md")
			s.write("../a-state.json", state)
			s.shows("a hostile loop", want)
			untouched(t, s.home)
		})
	}
	t.Run("tmux", func(t *testing.T) {
		t.Parallel()
		if testing.Short() {
			t.Skip("starts tmux")
		}
		needs(t, "tmux", "bash")
		home := shared(t)
		conf, err := exec.Command(countingProgram(t, home), "init", "tmux").Output()
		if err != nil {
			t.Fatal(err)
		}
		project := filepath.Join(home, "project")
		if err := os.Mkdir(project, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(project, "a-state.json"), []byte(state), 0o644); err != nil {
			t.Fatal(err)
		}
		term, inner := openInner(t, home, string(conf)+"set -g status-interval 1\n")
		inner("respawn-pane", "-k", "-c", project, "sh")
		term.until(want, func(rows []string) (string, bool) { return "", strings.TrimSpace(rows[len(rows)-1]) == want })
		untouched(t, home)
	})
}
