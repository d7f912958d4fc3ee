package statefile_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

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

// TestMoveWithoutHardLinks checks that a file is renamed then if the new name is free.
func TestMoveWithoutHardLinks(t *testing.T) {
	p := newProject(t, "1")
	failing := NewStore(without(faults.Link))
	target := Target{p.dir, []string{p.dir}}
	must(t, os.WriteFile(filepath.Join(p.dir, "old"), []byte("2"), 0o644))
	if err := failing.Move(target, "old", filepath.Base(p.file)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("replaced: %v", err)
	}
	p.holds("1", "old")
	must(t, failing.Move(target, "old", "new"))
	p.holds("1", "new")
}
