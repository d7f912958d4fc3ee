package kept

import (
	"errors"
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

func TestKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "kept")
	s := Open(nil, dir)
	var got []string
	if err := s.Load("x", &got); err != nil || got != nil {
		t.Error(got, err)
	}
	if err := s.Save(t.Context(), "x", []string{"a", "ä\x1b"}); err != nil {
		t.Fatal(err)
	}
	if err := Open(nil, dir).Load("x", &got); err != nil || len(got) != 2 || got[1] != "ä\x1b" {
		t.Errorf("%q %v", got, err)
	}
	none := Open(nil, "")
	if err := errors.Join(none.Save(t.Context(), "x", 1), none.Load("x", &got)); err != nil {
		t.Error(err)
	}
}

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

// TestKeptBroken: a torn or hostile file is reported once and rewritten, a file of a later version is left alone.
func TestKeptBroken(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		stays bool
	}{
		"empty": {"", false}, "torn": {`{"version":1,"kept":[{"ro`, false}, "none": {"null", false}, "other": {`{"version":1,"kept":{"a":1}}`, false},
		"list": {"[]", false}, "older": {`{"version":0,"kept":[]}`, false}, "later": {`{"version":2,"kept":[]}`, true}, "long": {strings.Repeat(" ", sizeLimit+1), false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, projectsName+".json")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			s := Open(nil, dir)
			all, err := s.Projects()
			if err == nil || len(all) != 0 || !strings.HasPrefix(err.Error(), file+": ") {
				t.Errorf("%v %v", all, err)
			}
			if err := s.SeeProjects(t.Context(), []string{"/p"}, noon); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil || (string(text) == c.text) != c.stays {
				t.Errorf("afterwards it holds %.80q %v", text, err)
			}
		})
	}
	t.Run("directory", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, projectsName+".json"), 0o700); err != nil {
			t.Fatal(err)
		}
		s := Open(nil, dir)
		if _, err := s.Projects(); err == nil {
			t.Error("a directory is read")
		}
		if err := s.SeeProjects(t.Context(), []string{"/p"}, noon); err == nil {
			t.Error("a directory is overwritten")
		}
	})
}

func TestKeptUnwritable(t *testing.T) {
	full, _ := faults.At(1, syscall.ENOSPC)
	err := Open(full, filepath.Join(t.TempDir(), "kept")).SeeProjects(t.Context(), []string{"/p"}, noon)
	if err == nil || !strings.Contains(err.Error(), "nothing can be remembered in ") {
		t.Error(err)
	}
}
