package parse

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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

// TestLostItemIsOverwritten checks that an added item is missed at once, and not when it is removed later.
func TestLostItemIsOverwritten(t *testing.T) {
	as, dir := feeder(t, map[string]string{".fctry/inbox.json": "[]\n"})
	o, err := as.Do(t.Context(), model.Action{Verb: model.VerbAdd, Project: dir, Build: "fctry", Text: "An idea"})
	must(t, err)
	must(t, as.Settle(t.Context(), o))
	put(t, dir, ".fctry/inbox.json", strings.Replace(read(t, dir, ".fctry/inbox.json"), "pending", "processed", 1))
	must(t, as.Settle(t.Context(), o))
	put(t, dir, ".fctry/inbox.json", "[]\n")
	var over *model.Overwritten
	if err := as.Settle(t.Context(), o); !errors.As(err, &over) {
		t.Errorf("%v", err)
	}
	as.now = func() time.Time { return time.Now().Add(losable) }
	must(t, as.Settle(t.Context(), o))
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
	o, err := as.Do(t.Context(), again)
	must(t, err)
	must(t, as.Settle(t.Context(), o))
	// Another writer sets a field of its own, and the run stays removed.
	text := read(t, dir, ".fctry/state.json")
	put(t, dir, ".fctry/state.json", strings.Replace(text, `"b"`, `"c"`, 1))
	must(t, as.Settle(t.Context(), o))
	put(t, dir, ".fctry/state.json", `{"buildRun":{"status":"running"}}`)
	var over *model.Overwritten
	if err := as.Settle(t.Context(), o); !errors.As(err, &over) || over.Lost[0] != "buildRun" {
		t.Errorf("%v", err)
	}
}

func read(t *testing.T, dir, rel string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(rel)))
	must(t, err)
	return string(text)
}
