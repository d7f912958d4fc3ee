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
	"gatehouse/parse/conformance"
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
	conformance.OwnRows(t, "gatesareansweredbycommands.jsonl", func(t *testing.T, c struct {
		ID, Script        string
		Verb              model.Verb
		Text, Ran, Failed string
	}) {
		t.Run(c.ID, func(t *testing.T) {
			bin, dir := t.TempDir(), t.TempDir()
			endsRun := strings.Contains(c.Script, "aborted")
			if c.Script != "" {
				must(t, os.WriteFile(filepath.Join(bin, "specify"), []byte("#!/bin/sh\n"+c.Script+"\n"), 0o755))
			}
			t.Setenv("PATH", bin+":/bin:/usr/bin")
			for name, text := range pausedRun {
				put(t, dir, name, text)
			}
			p, err := Open(dir, User{Name: "ann", Home: filepath.Dir(dir), Journal: t.TempDir()})
			must(t, err)
			b := p.Read(time.Now()).Builds[0]
			actions := NewActions([]*Project{p}, "command", time.Now)
			a := model.Action{Verb: c.Verb, Project: dir, Build: b.ID, Node: b.Certain()[0].Node, Text: c.Text}
			if proposal, err := actions.Propose(context.Background(), a); err == nil && c.Ran != "" {
				if proposal.Effect != "runs specify "+c.Ran {
					t.Errorf("the proposal shows %q", proposal.Effect)
				}
				a = proposal.Action
			}
			if _, err := os.Stat(filepath.Join(dir, "words")); err == nil {
				t.Error("the command was run before the decision")
			}
			o, err := actions.Do(context.Background(), a)
			words, _ := os.ReadFile(filepath.Join(dir, "words"))
			if got := strings.TrimSpace(string(words)); got != c.Ran {
				t.Errorf("it ran with %q, want %q (%v)", got, c.Ran, err)
			}
			if (err != nil) != (c.Failed != "") || err != nil && !strings.Contains(err.Error(), c.Failed) {
				t.Errorf("error %v, want %q", err, c.Failed)
			}
			if text, _ := os.ReadFile(filepath.Join(dir, ".specify/workflows/runs/r1/state.json")); !endsRun && string(text) != pausedRun[".specify/workflows/runs/r1/state.json"] {
				t.Error("the state of the run was edited")
			}
			decided, _ := Decisions([]*Project{p}, time.Now())
			if c.Ran == "" {
				if len(decided) > 0 {
					t.Errorf("the journal has %+v", decided)
				}
				return
			}
			if len(decided) != 1 || strings.Join(decided[0].Command, " ") != "specify "+c.Ran || decided[0].Overwritten || o == nil {
				t.Errorf("the journal has %+v", decided)
			}
			a = model.Action{Verb: model.VerbUndo, Project: dir, Build: b.ID, Node: a.Node}
			if _, err := actions.Do(context.Background(), a); err == nil || !endsRun && !strings.Contains(err.Error(), "can't be taken back") {
				t.Errorf("undo: %v", err)
			}
		})
	})
}
