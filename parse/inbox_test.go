package parse

import (
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
