package statefile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	. "gatehouse/parse/disk/statefile"
)

// TestLock: a file that a killed process left behind, or that is only named like a lock, holds nobody up; a lock of another process, or of
// another program, is waited for and never broken.
func TestLock(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		held bool
		want string // of the error; "" if it is written
	}{
		"left behind":     {},
		"held":            {held: true, want: "is locked by another process; try again; if nobody writes it, remove x-state.json.lock"},
		"of another tool": {text: "123\n", want: "is locked by another process"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "one")
			lock := p.file + ".lock"
			must(t, os.WriteFile(lock, []byte(c.text), 0o644))
			if c.held {
				must(t, os.Remove(lock))
				release, err := NewStore(nil).Hold(t.Context(), p.target())
				must(t, err)
				defer release()
			}
			_, err := skipping(nil).Replace(t.Context(), p.target(), upper)
			if c.want == "" {
				must(t, err)
				p.holds("ONE")
				return
			}
			p.fails(err, ErrBusy, c.want)
			p.holds("one", "x-state.json.lock")
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := NewStore(nil).Replace(ctx, p.target(), upper); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
	}
}

// TestSweep: a writer removes the temporary files of killed writers in the whole directory, and nothing else.
func TestSweep(t *testing.T) {
	p := newProject(t, "one")
	pl, err := NewStore(nil).Enter(p.target())
	must(t, err)
	defer pl.Close()
	if long := pl.Named(strings.Repeat("n", 255)).TempName(); !IsLitter(long) || len(long) > 255 {
		t.Error(long)
	}
	const random = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	stays := []string{
		".x-state.json.gatehouse-X.tmp", ".x-state.json.gatehouse-" + random + ".tmp~", "x-state.json.gatehouse-" + random + ".tmp",
		".gatehouse-" + random + ".tmp", ".x-state.json.tmp", "yarn.lock",
	}
	goes := []string{pl.TempName(), ".other.json.gatehouse-" + random + ".tmp", ".x.gatehouse-7-0a0b0c0d-" + random + ".tmp"}
	for _, name := range slices.Concat(stays, goes) {
		must(t, os.WriteFile(filepath.Join(p.dir, name), nil, 0o644))
	}
	// A file that is being written stays, as do entries that are not files, and the targets of links.
	inUse, dir, link := pl.TempName(), pl.TempName(), pl.TempName()
	d, err := (*System)(nil).Open(p.dir)
	must(t, err)
	defer d.Close()
	f, err := d.OpenFile(inUse, os.O_WRONLY|os.O_CREATE, 0o644)
	must(t, err)
	defer f.Close()
	f.Lock()
	must(t, os.Mkdir(filepath.Join(p.dir, dir), 0o755))
	must(t, os.Symlink("yarn.lock", filepath.Join(p.dir, link)))
	_, err = NewStore(nil).Replace(t.Context(), p.target(), upper)
	must(t, err)
	want := append(stays, inUse, dir, link)
	slices.Sort(want)
	p.holds("ONE", want...)
}
