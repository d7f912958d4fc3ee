package statefile_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/parse/disk/peek"
	. "gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/statefile/faults"
)

func TestHold(t *testing.T) {
	dir := t.TempDir()
	target := Target{filepath.Join(dir, ".all"), []string{dir}}
	s := NewStore(nil)
	release, err := s.Hold(t.Context(), target)
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := NewStore(nil).Hold(ctx, target); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("held twice: %v", err)
	}
	// Files can be written during this time: they have locks of their own.
	_, err = s.Put(t.Context(), Target{filepath.Join(dir, "a"), []string{dir}}, func(string, bool) (string, error) { return "x", nil })
	must(t, err)
	release()
	release, err = NewStore(nil).Hold(t.Context(), target)
	must(t, err)
	release()
	if e, _ := os.ReadDir(dir); len(e) != 1 {
		t.Errorf("left behind: %v", e)
	}
}

func TestMakeDir(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	s := NewStore(nil)
	deep := Target{filepath.Join(dir, "a", "b", "c"), []string{dir}}
	for range 2 {
		must(t, s.MakeDir(deep))
	}
	if info, err := os.Stat(deep.Path); err != nil || !info.IsDir() {
		t.Error(err)
	}
	must(t, os.Symlink(outside, filepath.Join(dir, "link")))
	for _, path := range []string{filepath.Join(outside, "x"), filepath.Join(dir, "link", "x"), filepath.Join(dir, "..", "x")} {
		if err := s.MakeDir(Target{path, []string{dir}}); !errors.Is(err, peek.ErrOutside) {
			t.Errorf("%s: %v", path, err)
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	if err := s.MakeDir(Target{filepath.Join(dir, "file", "x"), []string{dir}}); err == nil {
		t.Error("a directory in a file")
	}
	s.Clear(deep)
	if _, err := os.Stat(deep.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the empty directory stays")
	}
	for _, path := range []string{filepath.Join(dir, "a"), filepath.Join(dir, "file")} { // neither is an empty directory
		s.Clear(Target{path, []string{dir}})
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestMove(t *testing.T) {
	dir := t.TempDir()
	target := Target{dir, []string{dir}}
	must(t, os.Mkdir(filepath.Join(dir, "old"), 0o755))
	must(t, os.Mkdir(filepath.Join(dir, "new"), 0o755))
	write := func(name, text string) { must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)) }
	holds := func(name, text string) {
		t.Helper()
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != text {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	s := NewStore(nil)
	write("old/a", "1")
	must(t, s.Move(target, "old/a", "new/a"))
	holds("new/a", "1")
	if err := s.Move(target, "old/a", "new/a"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	// Nothing is replaced,
	write("old/a", "2")
	if err := s.Move(target, "old/a", "new/a"); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	holds("old/a", "2")
	holds("new/a", "1")
	// and an interrupted move is completed.
	must(t, os.Link(filepath.Join(dir, "old", "a"), filepath.Join(dir, "new", "b")))
	must(t, s.Move(target, "old/a", "new/b"))
	holds("new/b", "2")
	if _, err := os.Lstat(filepath.Join(dir, "old", "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	must(t, os.Symlink("a", filepath.Join(dir, "old", "l")))
	if err := s.Move(target, "old/l", "new/l"); !errors.Is(err, peek.ErrNotRegular) {
		t.Error(err)
	}
	write("old/c", "3")
	for _, to := range []string{"../c", "none/c"} {
		if err := s.Move(target, "old/c", to); err == nil {
			t.Errorf("moved to %s", to)
		}
	}
	if err := s.Move(Target{t.TempDir(), []string{dir}}, "a", "b"); !errors.Is(err, peek.ErrOutside) {
		t.Error(err)
	}
	// Without hard links the file is renamed if the new name is free.
	failing := NewStore(without(faults.Link))
	must(t, failing.Move(target, "old/c", "new/c"))
	holds("new/c", "3")
	write("old/c", "4")
	if err := failing.Move(target, "old/c", "new/c"); err == nil {
		t.Error("replaced")
	}
	holds("new/c", "3")
}
