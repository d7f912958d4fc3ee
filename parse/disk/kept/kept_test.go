package kept

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/parse/disk/statefile/faults"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// TestKeptNames: a name that is not a plain file name is refused, and nothing is written anywhere.
func TestKeptNames(t *testing.T) {
	dir := t.TempDir()
	s := Open(nil, filepath.Join(dir, "kept"))
	for _, name := range []string{"", ".", "..", "../x", "a/../projects", "build-7:/../projects", `a\b`, "c:x", "/x", "a.b", "a\x00", "a\n", strings.Repeat("a", 65)} {
		var got int
		if s.Save(t.Context(), name, 1) == nil || s.Load(name, &got) == nil {
			t.Errorf("%q is accepted", name)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}

// TestKeptProjects: the projects seen last come first, and their number is limited.
func TestKeptProjects(t *testing.T) {
	s := Open(nil, t.TempDir())
	for i := range projectLimit + 10 {
		if err := s.SeeProjects(t.Context(), []string{fmt.Sprintf("/p%d", i)}, noon.Add(time.Duration(i)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SeeProjects(t.Context(), []string{"/p50", "/q"}, noon.Add(24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	all, err := s.Projects()
	if err != nil || len(all) != projectLimit || all[0].Root != "/p50" || all[1].Root != "/q" || all[2].Root != "/p209" {
		t.Errorf("%d: %v %v", len(all), all[:3], err)
	}
}

func TestKeptUnwritable(t *testing.T) {
	full, _ := faults.At(1, syscall.ENOSPC)
	err := Open(full, filepath.Join(t.TempDir(), "kept")).SeeProjects(t.Context(), []string{"/p"}, noon)
	if err == nil || !strings.Contains(err.Error(), "nothing can be remembered in ") {
		t.Error(err)
	}
}
