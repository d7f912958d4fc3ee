package statefile_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	. "gatehouse/parse/disk/statefile"
)

// project is a directory with one state file.
type project struct {
	*testing.T
	dir, file string
}

func newProject(t *testing.T, content string) project {
	t.Helper()
	real, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	p := project{t, real, filepath.Join(real, "x-state.json")}
	must(t, os.WriteFile(p.file, []byte(content), 0o640))
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p project) target() Target { return Target{Path: p.file, Within: []string{p.dir}} }

// holds checks the content of the file, and that the directory has no other entries but those named.
func (p project) holds(content string, others ...string) {
	p.Helper()
	if b, err := os.ReadFile(p.file); err != nil || string(b) != content {
		p.Errorf("the file holds %.80q (%v), want %.80q", b, err, content)
	}
	var names []string
	entries, err := os.ReadDir(p.dir)
	must(p.T, err)
	for _, e := range entries {
		if e.Name() != filepath.Base(p.file) {
			names = append(names, e.Name())
		}
	}
	if !slices.Equal(names, others) {
		p.Errorf("other entries: %q, want %q", names, others)
	}
}

// fails checks that an error wraps is, begins with a path, contains parts and has a next step.
func (p project) fails(err, is error, parts ...string) {
	p.Helper()
	var e *Error
	if !errors.As(err, &e) || is != nil && !errors.Is(err, is) || !strings.HasPrefix(err.Error(), e.Path+": ") || e.Fix == "" {
		p.Errorf("error: %v", err)
		return
	}
	for _, s := range parts {
		if !strings.Contains(err.Error(), s) {
			p.Errorf("error: %v; want %q", err, s)
		}
	}
}

// skipping returns a store whose pauses take no time, but move its clock.
func skipping(system *System) *Store { return NewStore(system).Skipping() }

func upper(content string) (string, error) { return strings.ToUpper(content), nil }

func TestReplaceNothing(t *testing.T) {
	p := newProject(t, "ONE")
	before, err := os.Stat(p.file)
	must(t, err)
	own := errors.New("refused")
	for want, change := range map[error]func(string) (string, error){
		ErrNothing: upper,
		own:        func(string) (string, error) { return "two", own },
	} {
		if _, err := NewStore(nil).Replace(t.Context(), p.target(), change); err != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
	for _, bad := range []string{"a\x00b", "\xff\xfea", strings.Repeat("x", SizeLimit+1)} {
		_, err := NewStore(nil).Replace(t.Context(), p.target(), func(string) (string, error) { return bad, nil })
		p.fails(err, nil)
	}
	p.holds("ONE")
	if after, err := os.Stat(p.file); err != nil || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("the file was touched")
	}
}

func TestReplaceAgain(t *testing.T) {
	p := newProject(t, "0")
	given := []string{}
	writeDuring := func(writes ...string) func(string) (string, error) {
		given = nil
		return func(content string) (string, error) {
			given = append(given, content)
			if len(given) <= len(writes) {
				must(t, os.WriteFile(p.file, []byte(writes[len(given)-1]), 0o640))
			}
			return content + "!", nil
		}
	}
	tries, err := skipping(nil).Replace(t.Context(), p.target(), writeDuring("1", "2"))
	if err != nil || tries != 3 || strings.Join(given, " ") != "0 1 2" {
		t.Errorf("%d tries, %v, given %q", tries, err, given)
	}
	p.holds("2!")
	writes := []string{}
	for i := range 50 {
		writes = append(writes, fmt.Sprint(i))
	}
	if tries, err = skipping(nil).Replace(t.Context(), p.target(), writeDuring(writes[:20]...)); err != nil || tries != 21 {
		t.Errorf("a writer that goes on for some time: %d tries, %v", tries, err)
	}
	clock := 0
	store := skipping(nil)
	store.OnPause(func(context.Context, time.Duration) error { clock++; return nil })
	never := func(string) (string, error) {
		clock++
		must(t, os.WriteFile(p.file, []byte(fmt.Sprint(clock)), 0o640))
		return "ours", nil
	}
	begin := time.Now()
	_, err = store.Replace(t.Context(), p.target(), never)
	p.fails(err, ErrChanging)
	if took := time.Since(begin); took < time.Second || took > 5*time.Second {
		t.Errorf("given up after %v", took)
	}

	// Content that is refused while the file is being written is checked again.
	half := func(content string) (string, error) {
		if content == "half" {
			must(t, os.WriteFile(p.file, []byte("whole"), 0o640))
			return "", errors.New("half a file")
		}
		return content + "!", nil
	}
	must(t, os.WriteFile(p.file, []byte("half"), 0o640))
	if tries, err := skipping(nil).Replace(t.Context(), p.target(), half); err != nil || tries != 2 {
		t.Error(tries, err)
	}
	p.holds("whole!")

	_, err = skipping(nil).Replace(t.Context(), p.target(), func(c string) (string, error) {
		must(t, os.Chmod(p.file, 0o600)) // this changes something in the first round only
		return c + "?", nil
	})
	must(t, err)
	_, err = skipping(nil).Replace(t.Context(), p.target(), func(c string) (string, error) { return c, os.Remove(p.file) })
	if err != ErrNothing {
		p.fails(err, fs.ErrNotExist)
	}
}

func stat(t *testing.T, name string) fs.FileInfo {
	t.Helper()
	info, err := os.Stat(name)
	must(t, err)
	return info
}

// TestModeOfANewFile checks that a created file has the permissions of any new file of the user.
func TestModeOfANewFile(t *testing.T) {
	p := newProject(t, "one")
	must(t, NewStore(nil).Create(t.Context(), p.at("new"), "new"))
	usual := filepath.Join(p.dir, "usual")
	must(t, os.WriteFile(usual, nil, 0o666))
	if a, b := stat(t, p.at("new").Path).Mode(), stat(t, usual).Mode(); a != b {
		t.Errorf("mode %v, that of a new file is %v", a, b)
	}
}
