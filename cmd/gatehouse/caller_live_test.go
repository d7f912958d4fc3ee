//go:build unix

package main

import (
	"path/filepath"
	"testing"
)

// A dashboard in the session of an agent decides nothing, and says so.
func TestDashboardOfAnAgent(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 160, 30, "CLAUDECODE=1")
	if err := unpack("lantern", filepath.Join(w.home, "lamp")); err != nil {
		t.Fatal(err)
	}
	w.enter("cd lamp")
	w.start("")
	w.shows("read only", "claude runs this (CLAUDECODE is set), and agents do not decide")
	w.press("a")
	w.shows("nothing is decided or answered here")
}
