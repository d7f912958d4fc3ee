//go:build unix

package main

// The whole story in a real terminal: an agent waits at a gate, its human decides in the dashboard, the agent goes on.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
)

// agent is a script that works its way through the lamp as an agent does: it waits at the gates, does what it is told, and
// moves the phases on by writing the whole state. What it is told is written into a log, a line an answer.
const agent = `#!/bin/sh
cd "$HOME/lamp"
told() { echo $gate: $code $answer >>"$HOME/agent.log"; }
ask() { answer=$(gatehouse wait $gate --quiet "$@"); code=$?; told; }
finish() { sed "s/\"$1\": {\"status\": \"[a-z]*\"/\"$1\": {\"status\": \"complete\"/; s/\"phase\": \"[A-Z]*\"/\"phase\": \"$2\"/" lantern-state.json >new && cat new >lantern-state.json; }

gate=sketch-gate
ask
while [ $code = 3 ]; do echo "$answer" >>SKETCH.md; ask; done
finish BUILD LIGHT
gate=build-gate
ask
echo boards >BUILD.md; echo nails >PARTS.md                     # what was missing
while [ $code = 5 ]; do sleep 0.1; answer=$(gatehouse wait $gate --quiet); code=$?; done
told
finish LIGHT LIGHT
gate=light-gate
ask --timeout 100ms
ask
`

// employ writes the agent's script, and starts it in the shell of the terminal.
func (w *terminal) employ(script string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.home, "agent"), []byte(script), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.enter("./agent 2>agent.err & clear") // what it complains about belongs on no screen of others
}

// agentSays waits until the agent has been told something.
func (w *terminal) agentSays(line string) {
	w.t.Helper()
	w.until("the agent is told "+line, func(string) bool {
		log, _ := os.ReadFile(filepath.Join(w.home, "agent.log")) // there is none at first
		return strings.Contains(string(log), line+"\n")
	})
}

// stepwise is an agent that goes on only when the test lets it: it waits, changes what it is asked to, waits again, writes its own
// old copy of the state over the approval, and waits once more.
const stepwise = `#!/bin/sh
cd "$HOME/lamp"
told() { echo $gate: $code $answer >>"$HOME/agent.log"; }
ask() { answer=$(gatehouse wait $gate --quiet); code=$?; told; }
may() { until [ -e "$HOME/$1" ]; do sleep 0.02; done; }

cp lantern-state.json "$HOME/old.json"
gate=sketch-gate
ask
may change;    echo "$answer" >>SKETCH.md
may wait;      ask
may overwrite; cat "$HOME/old.json" >lantern-state.json
may wait-more; ask
`

// lets has the stepwise agent take a step.
func (w *terminal) lets(step string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.home, step), nil, 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// selected finds what stands in the tree on the row that is selected.
var selected = regexp.MustCompile(`▌[^│]*`)

// goTo goes to the row of a gate that waits.
func (w *terminal) goTo(gate string) {
	w.t.Helper()
	w.until("at "+gate, func(screen string) bool {
		at := selected.FindString(screen)
		if strings.Contains(at, gate) {
			return true
		}
		w.press("n") // right after an answer it counts as one too, and does nothing
		for range int(time.Second / glance) {
			if selected.FindString(w.screen()) != at { // else another n would go on from there
				break
			}
			time.Sleep(glance)
		}
		return false
	})
}

// startRequest opens the field that asks what is to be changed, empty. Right after an answer a key does nothing, so it is pressed
// until the field is there; what was pressed once too often has been typed into it.
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

// typed types a text.
func (w *terminal) typed(text string) {
	w.t.Helper()
	w.must("send-keys", "-l", "--", text)
}

func TestLiveGates(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 120, 40)
	l := newLamp(t, w.home)
	w.employ(agent)
	w.start("lamp")
	w.shows("next approve sketch-gate", "◆ 1/")

	// Changes first: the agent makes them, and asks again.
	w.press("n", "c")
	w.shows("Ask for changes to sketch-gate", "What to change")
	w.typed("five sides")
	w.shows("five sides")
	w.press("Enter")
	w.shows("You ask for", "y ask for it")
	w.press("y")
	w.agentSays("sketch-gate: 3 five sides")
	w.gone("Ask for changes to sketch-gate")
	soon(t, "the sketch is changed", func() bool {
		text, err := os.ReadFile(filepath.Join(l.dir, "SKETCH.md"))
		return err == nil && strings.Contains(string(text), "five sides")
	})

	w.press("a")
	w.shows("Approve sketch-gate", "then starts", "y approve")
	w.press("y")
	w.agentSays("sketch-gate: 0")
	w.told("approved sketch-gate · ", regexp.MustCompile(`✓ sketch-gate +done`).MatchString)
	w.shows("next approve build-gate")
	if d := l.decisions()[0]; d.Verb != model.VerbApprove || d.By != byDashboard {
		t.Errorf("%+v", d)
	}

	w.shows("the agent knows")

	// Something is missing: the check fails, the agent mends it, and its human has it tried again.
	w.goTo("build-gate")
	w.press("a")
	w.shows("Approve build-gate", "BUILD.md", "PARTS.md", "f record")
	w.press("f")
	w.agentSays("build-gate: 5")
	w.shows("build-gate", "failed")
	w.press("R")
	w.shows("build-gate", "failed → pending")
	w.press("y")
	w.shows("in the file: pending", "a approve")
	soon(t, "the parts", func() bool { _, err := os.Stat(filepath.Join(l.dir, "PARTS.md")); return err == nil })
	w.press("a")
	w.shows("Approve build-gate", "y approve")
	w.press("y")
	w.agentSays("build-gate: 0")

	// Nobody answers for a while; then the last gate is left out.
	w.agentSays("light-gate: 124")
	w.press("G")
	w.find(`▌.*light-gate`)
	w.press("s")
	w.shows("light-gate", "reason")
	w.typed("a candle is light enough")
	w.press("Enter")
	w.shows("y skip")
	w.press("y")
	w.agentSays("light-gate: 4 a candle is light enough")
	w.told("skipped light-gate · ", regexp.MustCompile(`– light-gate +skipped`).MatchString)
	w.press("q")
	w.left(exitDone)
}

// TestLiveBall is the story of one gate, and of whose turn it is: what the screen says at each step.
func TestLiveBall(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 120, 40)
	l := newLamp(t, w.home)
	w.employ(stepwise)
	w.start("lamp")
	w.shows("◆ 1/", "next approve sketch-gate")
	w.goTo("sketch-gate")
	w.shows("awaited", "by gatehouse wait")

	// A look at what there is, and then a request: somebody hears it, and it is the agent's turn.
	w.press("a")
	w.shows("Approve sketch-gate · lamp, ", "an agent waits for the answer", "v view")
	w.press("v")
	w.shows("SKETCH.md, 1 of ")
	w.press("n")
	w.gone("SKETCH.md, 1 of ")
	w.startRequest()
	w.shows("Ask for changes to sketch-gate · lamp, ")
	w.typed("five sides")
	w.shows("five sides")
	w.press("Enter")
	w.shows("You ask for", "y ask for it")
	if screen := w.screen(); strings.Contains(screen, "nobody waits") {
		t.Errorf("somebody does:\n%s", screen)
	}
	w.press("y")
	w.agentSays("sketch-gate: 3 five sides")
	w.shows("with the agent: ", "1 with the agent", "changes")
	w.gone("◆ 1/")
	w.gone("by gatehouse wait")

	// Nobody would hear another one.
	w.startRequest()
	w.shows("nobody waits for this gate now")
	w.press("Escape")
	w.gone("What to change")

	// The evidence changes, and it is the human's turn again; the agent waits.
	w.lets("change")
	w.shows("◆ 1/")
	w.gone("with the agent")
	w.lets("wait")
	w.shows("by gatehouse wait")
	w.press("a")
	w.shows("Approve sketch-gate", "v view")
	w.press("v")
	w.shows("Changed since you looked", "+ five sides")
	w.press("y")
	w.agentSays("sketch-gate: 0")
	w.told("approved sketch-gate · lamp, ", regexp.MustCompile(`✓ sketch-gate .*passed`).MatchString)
	w.find(`✓ sketch-gate .*passed`)

	// Its old copy takes the approval back: that is said, and stays.
	w.lets("overwrite")
	overwritten := regexp.MustCompile(`◆ sketch-gate .*overwritten`)
	w.told("overwritten: sketch-gate was approved|Another writer has put", overwritten.MatchString) // the dialog where it came within the moment that is looked at in any case
	w.shows("◆ 1/")
	w.find(overwritten.String())
	w.lets("wait-more")
	w.until("the dialog", func(screen string) bool {
		switch {
		case strings.Contains(screen, "Another writer has put"):
			w.press("Escape")
		case strings.Contains(screen, "Approve sketch-gate"):
			// The agent that begins to wait changes what is decided upon, and keys are not heeded for a moment then.
			return strings.Contains(screen, "y approve") && strings.Contains(screen, "an agent waits for the answer")
		case regexp.MustCompile(`▌.*sketch-gate`).MatchString(screen):
			w.press("a")
		default:
			w.press("n")
		}
		return false
	})
	w.press("Enter")
	w.until("it is told again", func(string) bool {
		log, _ := os.ReadFile(filepath.Join(w.home, "agent.log"))
		return strings.Count(string(log), "sketch-gate: 0") == 2
	})
	w.find(`✓ sketch-gate .*passed`)
	w.gone("Another writer has put")
	if all := l.decisions(); len(all) != 3 || all[0].Verb != model.VerbApprove || all[0].Overwritten || all[1].Verb != model.VerbApprove || !all[1].Overwritten || all[2].Verb != model.VerbChanges {
		t.Errorf("%+v", all)
	}
	w.press("q")
	w.left(exitDone)
}
