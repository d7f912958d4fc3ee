package parse

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
)

// pausedRun is a run of Spec Kit at a gate with an input for its verdict.
var pausedRun = map[string]string{
	".specify/workflows/runs/r1/state.json": `{"run_id": "r1", "workflow_id": "w", "status": "paused", "current_step_index": 0, "current_step_id": "review",
		"step_results": {"review": {"type": "gate", "status": "paused", "output": {"message": "Ship it?", "options": ["Approve", "Reject"], "choice": null}}}}`,
	".specify/workflows/runs/r1/workflow.yml": "workflow:\n  name: Ship\nsteps:\n- id: review\n  type: gate\n  message: Ship it?\n  verdict_input: verdict\n- id: ship\n  type: shell\n",
}

// TestGatesAreAnsweredByCommands answers a gate with a fake specify command, which records its arguments.
func TestGatesAreAnsweredByCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	for _, c := range []struct {
		name, script string
		verb         model.Verb
		text         string
		ran, failed  string
	}{
		{"approve", `echo "$@" >words`, model.VerbApprove, "", "workflow resume r1 --input verdict=Approve", ""},
		{"reject", `echo "$@" >words`, model.VerbChanges, "smaller", "workflow resume r1 --input verdict=Reject", ""},
		{"it goes on for long", `echo "$@" >words; exec sleep 4`, model.VerbApprove, "", "workflow resume r1 --input verdict=Approve", ""},
		{"the run ends by it", `echo "$@" >words; cd .specify/workflows/runs/r1; sed s/paused/aborted/g state.json >new; mv new state.json; exit 1`, model.VerbChanges, "smaller",
			"workflow resume r1 --input verdict=Reject", ""},
		{"it fails", "echo no such run >&2; exit 3", model.VerbApprove, "", "", "no such run"},
		{"it is not installed", "", model.VerbApprove, "", "", "not in PATH"},
		{"nothing is said", `echo "$@" >words`, model.VerbChanges, "", "", "say what has to change"},
		{"no such option", `echo "$@" >words`, model.VerbSkip, "for a good reason", "", "no option"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin, dir := t.TempDir(), t.TempDir()
			endsRun := strings.Contains(c.script, "aborted")
			if c.script != "" {
				must(t, os.WriteFile(filepath.Join(bin, "specify"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755))
			}
			t.Setenv("PATH", bin+":/bin:/usr/bin")
			for name, text := range pausedRun {
				put(t, dir, name, text)
			}
			p, err := Open(dir, User{Name: "ann", Home: filepath.Dir(dir), Journal: t.TempDir()})
			must(t, err)
			b := p.Read(time.Now()).Builds[0]
			actions := NewActions([]*Project{p}, "command", time.Now)
			a := model.Action{Verb: c.verb, Project: dir, Build: b.ID, Node: b.Certain()[0].Node, Text: c.text}
			if proposal, err := actions.Propose(context.Background(), a); err == nil && c.ran != "" {
				if proposal.Effect != "runs specify "+c.ran {
					t.Errorf("the proposal shows %q", proposal.Effect)
				}
				a = proposal.Action
			}
			if _, err := os.Stat(filepath.Join(dir, "words")); err == nil {
				t.Error("the command was run before the decision")
			}
			o, err := actions.Do(context.Background(), a)
			words, _ := os.ReadFile(filepath.Join(dir, "words"))
			if got := strings.TrimSpace(string(words)); got != c.ran {
				t.Errorf("it ran with %q, want %q (%v)", got, c.ran, err)
			}
			if (err != nil) != (c.failed != "") || err != nil && !strings.Contains(err.Error(), c.failed) {
				t.Errorf("error %v, want %q", err, c.failed)
			}
			if text, _ := os.ReadFile(filepath.Join(dir, ".specify/workflows/runs/r1/state.json")); !endsRun && string(text) != pausedRun[".specify/workflows/runs/r1/state.json"] {
				t.Error("the state of the run was edited")
			}
			decided, _ := Decisions([]*Project{p}, time.Now())
			if c.ran == "" {
				if len(decided) > 0 {
					t.Errorf("the journal has %+v", decided)
				}
				return
			}
			if len(decided) != 1 || strings.Join(decided[0].Command, " ") != "specify "+c.ran || decided[0].Overwritten || o == nil {
				t.Errorf("the journal has %+v", decided)
			}
			a = model.Action{Verb: model.VerbUndo, Project: dir, Build: b.ID, Node: a.Node}
			if _, err := actions.Do(context.Background(), a); err == nil || !endsRun && !strings.Contains(err.Error(), "can't be taken back") {
				t.Errorf("undo: %v", err)
			}
		})
	}
}

// TestGatesWithoutInputAreLeftToTheTerminal checks that gates without a command that answers them offer no verb.
func TestGatesWithoutInputAreLeftToTheTerminal(t *testing.T) {
	for name, change := range map[string][2]string{
		"no input":       {"  verdict_input: verdict\n", ""},
		"an open prompt": {`"status": "paused", "current_step_index"`, `"status": "running", "current_step_index"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range pausedRun {
				text = strings.Replace(text, change[0], change[1], 1)
				if name == "an open prompt" {
					text = strings.Replace(text, `"type": "gate", "status": "paused", `, "", 1)
				}
				put(t, dir, file, text)
			}
			p, err := Open(dir, User{Home: filepath.Dir(dir)})
			must(t, err)
			b := p.Read(time.Now()).Builds[0]
			waits := b.Certain()
			if len(waits) != 1 {
				t.Fatalf("%+v", waits)
			}
			n, _ := b.Find(waits[0].Node)
			if len(n.Gate.Can) > 0 || !strings.Contains(n.Gate.Expects, "terminal") {
				t.Errorf("%+v", n.Gate)
			}
		})
	}
}
