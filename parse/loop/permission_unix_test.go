//go:build unix

package loop

import (
	"os"
	"path/filepath"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/unprivileged"
)

// TestUnreadableDirectoryOfDefinitions checks that a loop waits as a whole if its definition may be in a directory that can't be read.
func TestUnreadableDirectoryOfDefinitions(t *testing.T) {
	if !unprivileged.IsBound(t) {
		return
	}
	r := kite(t, stateText("active", sewing, allOpen), map[string]string{"loop.json": "", "loops/x": "x"})
	loops := filepath.Join(r.m.Root(), "loops")
	must(t, os.Chmod(loops, 0))
	defer os.Chmod(loops, 0o700)
	b := r.Read(noon)
	if b.Unread != "loops/kite-loop/loop.json can't be read, so its gates are unknown" || b.Status != model.Waiting {
		t.Errorf("unread %q, status %s", b.Unread, b.Status)
	}
}
