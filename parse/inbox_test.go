package parse

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
)

// feeder returns a project of fctry, and an actor for it.
func feeder(t *testing.T, files map[string]string) (as *Actions, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		put(t, dir, name, text)
	}
	p, err := Open(dir, User{Name: "ada", Journal: t.TempDir()})
	must(t, err)
	return NewActions([]*Project{p}, "test", time.Now), dir
}

func TestConcurrentAddsKeepAllItems(t *testing.T) {
	as, dir := feeder(t, map[string]string{".fctry/inbox.json": "[]\n"})
	p, err := as.Propose(t.Context(), model.Action{Verb: model.VerbAdd, Project: dir, Build: "fctry"})
	must(t, err)
	if p.Wants != "item" || len(p.Kinds) != 3 || p.File != ".fctry/inbox.json" || len(p.Edits) != 1 {
		t.Fatalf("%+v", p)
	}
	put(t, dir, ".fctry/inbox.json", "[\n  {\n    \"id\": \"x\"\n  }\n]\n")
	a := p.Action
	a.Seen, a.Text, a.Kind = "", "https://example.org", "feature"
	o, err := as.Do(t.Context(), a)
	must(t, err)
	must(t, as.Settle(t.Context(), o))
	if d := o.Decision; d.Node != "inbox/"+d.Name || d.Is != "pending" || d.Text != a.Text {
		t.Errorf("%+v", d)
	}
	undo := model.Action{Verb: model.VerbUndo, Project: dir, Build: "fctry", Node: o.Decision.Node}
	o, err = as.Do(t.Context(), undo)
	must(t, err)
	must(t, as.Settle(t.Context(), o))
	if text := read(t, dir, ".fctry/inbox.json"); text != "[\n  {\n    \"id\": \"x\"\n  }\n]\n" {
		t.Errorf("%q", text)
	}
}

func TestFreshIsRefusedForARunThatContinued(t *testing.T) {
	as, dir := feeder(t, map[string]string{".fctry/state.json": `{"buildRun":{"status":"running","chunks":[{"id":1}]},"nextStep":"a"}`})
	p, err := as.Propose(t.Context(), model.Action{Verb: model.VerbFresh, Project: dir, Build: "fctry"})
	must(t, err)
	p.Action.Seen = ""
	put(t, dir, ".fctry/state.json", `{"buildRun":{"status":"running","chunks":[{"id":1,"status":"completed"}]},"nextStep":"a"}`)
	var changed *model.Changed
	if _, err := as.Do(t.Context(), p.Action); !errors.As(err, &changed) || changed.Now == nil || changed.Now.Effect == p.Effect {
		t.Fatalf("%v", err)
	}
	again := changed.Now.Action
	again.Seen = ""
	put(t, dir, ".fctry/state.json", `{"buildRun":{"status":"running","chunks":[{"id":1,"status":"completed"}]},"nextStep":"b"}`) // unrelated to the decision
	_, err = as.Do(t.Context(), again)
	must(t, err)
}

func TestInboxIsNotCreatedThroughALink(t *testing.T) {
	as, dir := feeder(t, map[string]string{".fctry/spec.md": "# Spec\n"})
	out := t.TempDir()
	must(t, os.Symlink(filepath.Join(out, "inbox.json"), filepath.Join(dir, ".fctry", "inbox.json")))
	if _, err := as.Do(t.Context(), model.Action{Verb: model.VerbAdd, Project: dir, Build: "fctry", Text: "an idea"}); err == nil {
		t.Error("a link that leads out was followed")
	}
	if _, err := os.Lstat(filepath.Join(out, "inbox.json")); err == nil {
		t.Error("something was made where a link leads to")
	}
}

func read(t *testing.T, dir, rel string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(rel)))
	must(t, err)
	return string(text)
}
