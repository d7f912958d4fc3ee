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

	"gatehouse/parse/disk/peek"
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

func TestRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		make func(p project) // puts something in place of the file
		is   error
		text string
	}{
		"nothing":      {func(p project) {}, fs.ErrNotExist, "does not exist"},
		"a directory":  {func(p project) { must(p.T, os.Mkdir(p.file, 0o755)) }, peek.ErrNotRegular, "not a regular file"},
		"a link out":   {func(p project) { must(p.T, os.Symlink("/etc/hosts", p.file)) }, peek.ErrOutside, "leads out of the project"},
		"a link home":  {func(p project) { must(p.T, os.Symlink(".", p.file)) }, peek.ErrOutside, "leads out of the project"},
		"a dead link":  {func(p project) { must(p.T, os.Symlink("gone", p.file)) }, fs.ErrNotExist, "does not exist"},
		"a link loop":  {func(p project) { must(p.T, os.Symlink(p.file, p.file)) }, nil, "cannot be found"},
		"NUL":          {func(p project) { must(p.T, os.WriteFile(p.file, []byte("a\x00"), 0o640)) }, ErrNotText, "NUL"},
		"UTF-16":       {func(p project) { must(p.T, os.WriteFile(p.file, []byte("\xfe\xffa"), 0o640)) }, ErrNotText, "UTF-16"},
		"a huge file":  {func(p project) { must(p.T, os.WriteFile(p.file, nil, 0o640)); must(p.T, os.Truncate(p.file, 1<<40)) }, nil, "8 MiB"},
		"no directory": {func(p project) { must(p.T, os.Remove(p.dir)) }, fs.ErrNotExist, "does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "")
			must(t, os.Remove(p.file))
			c.make(p)
			_, err := NewStore(nil).Read(p.target())
			p.fails(err, c.is, c.text)
			_, err = NewStore(nil).Replace(t.Context(), p.target(), upper)
			p.fails(err, c.is, c.text)
			if names, _ := filepath.Glob(filepath.Join(p.dir, "*")); len(names) > 1 {
				t.Errorf("left behind: %q", names)
			}
		})
	}
}

func TestHardLinkAndReadOnly(t *testing.T) {
	p := newProject(t, "one")
	must(t, os.Chmod(p.file, 0o444))
	_, err := NewStore(nil).Replace(t.Context(), p.target(), upper)
	p.fails(err, fs.ErrPermission, "make it writable", "") // even root does not change a file that a user made read-only
	must(t, os.Chmod(p.file, 0o644))
	other := filepath.Join(p.dir, "other")
	if err := os.Link(p.file, other); err != nil {
		t.Skip("no hard links here: ", err)
	}
	_, err = NewStore(nil).Replace(t.Context(), p.target(), upper)
	if Links(stat(t, p.file)) > 1 {
		p.fails(err, nil, "hard link")
		p.holds("one", "other")
	}
	if c, err := NewStore(nil).Read(p.target()); err != nil || c != "one" {
		t.Error(c, err)
	}
}

func stat(t *testing.T, name string) fs.FileInfo {
	t.Helper()
	info, err := os.Stat(name)
	must(t, err)
	return info
}

func TestLinks(t *testing.T) {
	p := newProject(t, "one")
	home := newProject(t, "there")
	link := filepath.Join(p.dir, "link.json")
	write := func(path string, within ...string) error {
		_, err := NewStore(nil).Replace(t.Context(), Target{path, within}, upper)
		return err
	}
	must(t, os.Symlink("x-state.json", link))
	must(t, write(link, p.dir))
	p.holds("ONE", "link.json")
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Error("the link was replaced")
	}
	must(t, os.Remove(link))
	must(t, os.Symlink(home.file, link))
	p.fails(write(link, p.dir), peek.ErrOutside, home.file)
	p.fails(write(link), peek.ErrOutside)
	home.holds("there")
	must(t, write(link, p.dir, home.dir)) // a trusted home
	home.holds("THERE")

	// A directory that is a link, and a project that was opened through one.
	into := filepath.Join(p.dir, "sub")
	must(t, os.Symlink(home.dir, into))
	p.fails(write(filepath.Join(into, "x-state.json"), p.dir), peek.ErrOutside)
	must(t, os.WriteFile(home.file, []byte("again"), 0o644))
	must(t, write(filepath.Join(into, "x-state.json"), into))
	home.holds("AGAIN")
}

func TestCreate(t *testing.T) {
	p := newProject(t, "one")
	s := NewStore(nil)
	fresh := Target{Path: filepath.Join(p.dir, "new-state.json"), Within: []string{p.dir}}
	must(t, s.Create(t.Context(), fresh, "new"))
	if text, err := os.ReadFile(fresh.Path); string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
	usual := filepath.Join(p.dir, "usual")
	must(t, os.WriteFile(usual, nil, 0o666))
	if a, b := stat(t, fresh.Path).Mode(), stat(t, usual).Mode(); a != b {
		t.Errorf("mode %v, that of a new file is %v", a, b)
	}
	must(t, os.Symlink("gone", filepath.Join(p.dir, "dead")))
	for _, name := range []string{"new-state.json", "x-state.json", "dead"} {
		err := s.Create(t.Context(), Target{filepath.Join(p.dir, name), []string{p.dir}}, "other")
		p.fails(err, fs.ErrExist, "exists already")
	}
	p.holds("one", "dead", "new-state.json", "usual")
	err := s.Create(t.Context(), Target{filepath.Join(p.dir, "no", "x"), []string{p.dir}}, "")
	p.fails(err, fs.ErrNotExist)
	for _, out := range []string{"..", ".", filepath.Join("..", "x")} {
		err = s.Create(t.Context(), Target{p.dir + string(filepath.Separator) + out, []string{p.dir}}, "")
		p.fails(err, peek.ErrOutside)
	}
	err = s.Create(t.Context(), Target{filepath.Join(p.dir, "nul"), []string{p.dir}}, "\x00")
	p.fails(err, ErrNotText)
	p.holds("one", "dead", "new-state.json", "usual")
}
