//go:build unix

package main

// Gates in a real terminal: an agent waits at a gate, a human decides in the dashboard, and the agent continues.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
)

// agent is a script that works through the lamp like an agent: it waits at the gates, follows the answers, and
// moves the phases on by writing the whole state. It logs the answers, one per line.
const agent = `#!/bin/sh
cd "$HOME/lamp"
log_answer() { echo $gate: $code $answer >>"$HOME/agent.log"; }
ask() { answer=$(gatehouse wait $gate --quiet "$@"); code=$?; log_answer; }
finish() { sed "s/\"$1\": {\"status\": \"[a-z]*\"/\"$1\": {\"status\": \"complete\"/; s/\"phase\": \"[A-Z]*\"/\"phase\": \"$2\"/" lantern-state.json >new && cat new >lantern-state.json; }

gate=sketch-gate
ask
while [ $code = 3 ]; do echo "$answer" >>SKETCH.md; ask; done
finish BUILD LIGHT
gate=build-gate
ask
echo boards >BUILD.md; echo nails >PARTS.md                     # what was missing
while [ $code = 5 ]; do sleep 0.1; answer=$(gatehouse wait $gate --quiet); code=$?; done
log_answer
finish LIGHT LIGHT
gate=light-gate
ask --timeout 100ms
ask
`

// startAgent writes the agent's script, and starts it in the shell of the terminal.
func (w *terminal) startAgent(script string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.home, "agent"), []byte(script), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.enter("./agent 2>agent.err & clear") // its errors must not appear on the screen
}

// waitForAnswer waits until the agent's log has the line.
func (w *terminal) waitForAnswer(line string) {
	w.t.Helper()
	w.until("the agent got "+line, func(string) bool {
		log, _ := os.ReadFile(filepath.Join(w.home, "agent.log")) // no log at first
		return strings.Contains(string(log), line+"\n")
	})
}

// stepwise is an agent that continues only when the test allows it. It waits, makes the requested changes, waits again, writes its
// old copy of the state over the approval, and waits once more.
const stepwise = `#!/bin/sh
cd "$HOME/lamp"
log_answer() { echo $gate: $code $answer >>"$HOME/agent.log"; }
ask() { answer=$(gatehouse wait $gate --quiet); code=$?; log_answer; }
may() { until [ -e "$HOME/$1" ]; do sleep 0.02; done; }

cp lantern-state.json "$HOME/old.json"
gate=sketch-gate
ask
may change;    echo "$answer" >>SKETCH.md
may wait;      ask
may overwrite; cat "$HOME/old.json" >lantern-state.json
may wait-more; ask
`

// letAgent allows the stepwise agent to take a step.
func (w *terminal) letAgent(step string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.home, step), nil, 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// selected matches the selected row of the tree.
var selected = regexp.MustCompile(`▌[^│]*`)

// goToGate goes to the row of a gate that waits.
func (w *terminal) goToGate(gate string) {
	w.t.Helper()
	w.until("at "+gate, func(screen string) bool {
		at := selected.FindString(screen)
		if strings.Contains(at, gate) {
			return true
		}
		w.press("n") // right after an answer, n counts as an answer too, and does nothing
		for range int(time.Second / glance) {
			if selected.FindString(w.screen()) != at { // otherwise another n would move on from there
				break
			}
			time.Sleep(glance)
		}
		return false
	})
}

// startRequest opens the field for requested changes, empty. Right after an answer a key does nothing, so it is pressed until the
// field is open. Extra key presses were typed into it, and are deleted.
func (w *terminal) startRequest() {
	w.t.Helper()
	w.until("what is to be changed", func(screen string) bool {
		if strings.Contains(screen, "What to change") {
			return true
		}
		w.press("c")
		return false
	})
	w.press("C-u")
}

// typeText types a text.
func (w *terminal) typeText(text string) {
	w.t.Helper()
	w.must("send-keys", "-l", "--", text)
}

func TestLiveGates(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 120, 40)
	l := newLamp(t, w.home)
	w.startAgent(agent)
	w.start("lamp")
	w.shows("next approve sketch-gate", "◆ 1/")

	// Requested changes: the agent makes them, and asks again.
	w.press("n", "c")
	w.shows("Ask for changes to sketch-gate", "What to change")
	w.typeText("five sides")
	w.shows("five sides")
	w.press("Enter")
	w.shows("You ask for", "y ask for it")
	w.press("y")
	w.waitForAnswer("sketch-gate: 3 five sides")
	w.gone("Ask for changes to sketch-gate")
	waitUntil(t, "the sketch is changed", func() bool {
		text, err := os.ReadFile(filepath.Join(l.dir, "SKETCH.md"))
		return err == nil && strings.Contains(string(text), "five sides")
	})

	w.press("a")
	w.shows("Approve sketch-gate", "then starts", "y approve")
	w.press("y")
	w.waitForAnswer("sketch-gate: 0")
	w.showsBriefly("approved sketch-gate · ", regexp.MustCompile(`✓ sketch-gate +done`).MatchString)
	w.shows("next approve build-gate")
	if d := l.decisions()[0]; d.Verb != model.VerbApprove || d.By != byDashboard {
		t.Errorf("%+v", d)
	}

	w.shows("the agent knows")

	// A deliverable is missing: the check fails, the agent fixes it, and the human retries the gate.
	w.goToGate("build-gate")
	w.press("a")
	w.shows("Approve build-gate", "BUILD.md", "PARTS.md", "f record")
	w.press("f")
	w.waitForAnswer("build-gate: 5")
	w.shows("build-gate", "failed")
	w.press("R")
	w.shows("build-gate", "failed → pending")
	w.press("y")
	w.shows("in the file: pending", "a approve")
	waitUntil(t, "the parts", func() bool { _, err := os.Stat(filepath.Join(l.dir, "PARTS.md")); return err == nil })
	w.press("a")
	w.shows("Approve build-gate", "y approve")
	w.press("y")
	w.waitForAnswer("build-gate: 0")

	// The wait times out without an answer; then the last gate is skipped.
	w.waitForAnswer("light-gate: 124")
	w.press("G")
	w.find(`▌.*light-gate`)
	w.press("s")
	w.shows("light-gate", "reason")
	w.typeText("a candle is light enough")
	w.press("Enter")
	w.shows("y skip")
	w.press("y")
	w.waitForAnswer("light-gate: 4 a candle is light enough")
	w.showsBriefly("skipped light-gate · ", regexp.MustCompile(`– light-gate +skipped`).MatchString)
	w.press("q")
	w.checkExit(exitDone)
}

// TestLiveWhoseTurn follows one gate and checks at each step what the screen says about whose turn it is.
func TestLiveWhoseTurn(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 120, 40)
	l := newLamp(t, w.home)
	w.startAgent(stepwise)
	w.start("lamp")
	w.shows("◆ 1/", "next approve sketch-gate")
	w.goToGate("sketch-gate")
	w.shows("awaited", "by gatehouse wait")

	// View the deliverable, then request changes: the waiting agent gets the request, and it is the agent's turn.
	w.press("a")
	w.shows("Approve sketch-gate · lamp, ", "an agent waits for the answer", "v view")
	w.press("v")
	w.shows("SKETCH.md, 1 of ")
	w.press("n")
	w.gone("SKETCH.md, 1 of ")
	w.startRequest()
	w.shows("Ask for changes to sketch-gate · lamp, ")
	w.typeText("five sides")
	w.shows("five sides")
	w.press("Enter")
	w.shows("You ask for", "y ask for it")
	if screen := w.screen(); strings.Contains(screen, "nobody waits") {
		t.Errorf("somebody does:\n%s", screen)
	}
	w.press("y")
	w.waitForAnswer("sketch-gate: 3 five sides")
	w.shows("with the agent: ", "1 with the agent", "changes")
	w.gone("◆ 1/")
	w.gone("by gatehouse wait")

	// A second request would reach nobody.
	w.startRequest()
	w.shows("nobody waits for this gate now")
	w.press("Escape")
	w.gone("What to change")

	// The evidence changes, and it is the human's turn again; the agent waits.
	w.letAgent("change")
	w.shows("◆ 1/")
	w.gone("with the agent")
	w.letAgent("wait")
	w.shows("by gatehouse wait")
	w.press("a")
	w.shows("Approve sketch-gate", "v view")
	w.press("v")
	w.shows("Changed since you looked", "+ five sides")
	w.press("y")
	w.waitForAnswer("sketch-gate: 0")
	w.showsBriefly("approved sketch-gate · lamp, ", regexp.MustCompile(`✓ sketch-gate .*passed`).MatchString)
	w.find(`✓ sketch-gate .*passed`)

	// The agent's old copy overwrites the approval: that is reported, and stays on the screen.
	w.letAgent("overwrite")
	overwritten := regexp.MustCompile(`◆ sketch-gate .*overwritten`)
	// The dialog appears only if the overwrite came within the time that is checked anyway.
	w.showsBriefly("overwritten: sketch-gate was approved|Another writer has put", overwritten.MatchString)
	w.shows("◆ 1/")
	w.find(overwritten.String())
	w.letAgent("wait-more")
	w.until("the dialog", func(screen string) bool {
		switch {
		case strings.Contains(screen, "Another writer has put"):
			w.press("Escape")
		case strings.Contains(screen, "Approve sketch-gate"):
			// When the agent begins to wait, the dialog changes and ignores keys for a moment.
			return strings.Contains(screen, "y approve") && strings.Contains(screen, "an agent waits for the answer")
		case regexp.MustCompile(`▌.*sketch-gate`).MatchString(screen):
			w.press("a")
		default:
			w.press("n")
		}
		return false
	})
	w.press("Enter")
	w.until("a second approval", func(string) bool {
		log, _ := os.ReadFile(filepath.Join(w.home, "agent.log"))
		return strings.Count(string(log), "sketch-gate: 0") == 2
	})
	w.find(`✓ sketch-gate .*passed`)
	w.gone("Another writer has put")
	if all := l.decisions(); len(all) != 3 || all[0].Verb != model.VerbApprove || all[0].Overwritten || all[1].Verb != model.VerbApprove || !all[1].Overwritten || all[2].Verb != model.VerbChanges {
		t.Errorf("%+v", all)
	}
	w.press("q")
	w.checkExit(exitDone)
}
