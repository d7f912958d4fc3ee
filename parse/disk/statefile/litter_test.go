package statefile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/disk/process"
	. "gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/statefile/faults"
)

// tempBy returns a name that a process gives a temporary file next to the project's file.
func (p project) tempBy(self process.ID) string {
	p.Helper()
	pl, err := NewStore(&System{As: self}).Enter(p.target())
	must(p.T, err)
	defer pl.Close()
	return pl.TempName()
}

// TestSweep: a writer removes the leftovers of dead writers in the whole directory, and nothing else.
func TestSweep(t *testing.T) {
	p := newProject(t, "one")
	other := project{t, p.dir, filepath.Join(p.dir, "other.json")}
	must(t, os.WriteFile(other.file, nil, 0o644))
	self, gone := (*System)(nil).Self(), faults.Gone()
	elsewhere := process.ID{PID: gone.PID, Host: "elsewhere"}
	lock := func(by process.ID) string {
		text, err := json.Marshal(Holder{by, time.Now(), "t"})
		must(t, err)
		return string(text)
	}
	const random = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	type file struct {
		text  string
		age   time.Duration
		stays bool
	}
	files := map[string]file{
		p.tempBy(gone): {}, other.tempBy(gone): {},
		p.tempBy(self): {age: time.Hour, stays: true}, other.tempBy(self): {stays: true},
		p.tempBy(elsewhere): {stays: true}, other.tempBy(elsewhere): {age: time.Minute},
		".x-state.json.gatehouse-" + random + ".tmp":   {stays: true}, // as earlier versions named them
		".other.json.gatehouse-" + random + ".tmp":     {age: time.Minute},
		".x-state.json.gatehouse-X.tmp":                {age: time.Hour, stays: true},
		".x-state.json.gatehouse-" + random + ".tmp~":  {age: time.Hour, stays: true},
		"x-state.json.gatehouse-" + random + ".tmp":    {age: time.Hour, stays: true},
		".x.gatehouse-0-0a0b0c0d-" + random + ".tmp":   {age: time.Hour, stays: true},
		".x.gatehouse-7-0a0b0c-" + random + ".tmp":     {age: time.Hour, stays: true},
		".x.gatehouse-7-0a0b-0c0d-" + random + ".tmp":  {age: time.Hour, stays: true},
		".x.gatehouse-7-0a0b0c0d-" + random + "01.tmp": {age: time.Hour, stays: true},
		".gatehouse-" + random + ".tmp":                {age: time.Hour, stays: true},
		".x-state.json.tmp":                            {age: time.Hour, stays: true},
		"a.lock":                                       {text: lock(gone)},
		"b.lock":                                       {text: lock(self), age: time.Hour, stays: true},
		"c.lock":                                       {text: lock(elsewhere), stays: true},
		"d.lock":                                       {text: lock(elsewhere), age: time.Minute},
		"yarn.lock":                                    {text: "# yarn lockfile v1\n", age: time.Hour, stays: true},
		"flock.lock":                                   {age: time.Hour, stays: true},
		"pid.lock":                                     {text: `{"pid":4194305}`, age: time.Hour, stays: true},
	}
	var want []string
	for name, f := range files {
		path := filepath.Join(p.dir, name)
		must(t, os.WriteFile(path, []byte(f.text), 0o644))
		at := time.Now().Add(-f.age)
		must(t, os.Chtimes(path, at, at))
		if f.stays {
			want = append(want, name)
		}
	}
	// Entries with such a name that are not files stay, and so do the targets of links.
	precious := filepath.Join(t.TempDir(), "precious")
	leftBehind := lock(gone)
	must(t, os.WriteFile(precious, []byte(leftBehind), 0o644))
	link, dir, linkedLock := p.tempBy(gone), p.tempBy(gone), "e.lock"
	must(t, os.Symlink(precious, filepath.Join(p.dir, link)))
	must(t, os.Symlink(precious, filepath.Join(p.dir, linkedLock)))
	must(t, os.Mkdir(filepath.Join(p.dir, dir), 0o755))
	want = append(want, link, dir, linkedLock, "other.json")
	slices.Sort(want)

	_, err := NewStore(nil).Replace(t.Context(), p.target(), upper)
	must(t, err)
	p.holds("ONE", want...)
	if b, err := os.ReadFile(precious); err != nil || string(b) != leftBehind {
		t.Errorf("%q, %v", b, err)
	}
}

func TestTempName(t *testing.T) {
	p := newProject(t, "one")
	self := (*System)(nil).Self()
	name := p.tempBy(self)
	if pid, _, ok := Temporary(name); !ok || pid != self.PID || !strings.HasPrefix(name, ".x-state.json.gatehouse-") {
		t.Errorf("%s: %d, %v", name, pid, ok)
	}
	pl, err := NewStore(nil).Enter(p.target())
	must(t, err)
	defer pl.Close()
	name = pl.Named(strings.Repeat("n", 255)).TempName()
	if _, _, ok := Temporary(name); !ok || len(name) > 255 || strings.Contains(name, "nnn") {
		t.Error(name)
	}
}

// TestFileWithTwoNames: a new file whose writer was killed while it had both names counts as created, and not as a hard link of the user.
func TestFileWithTwoNames(t *testing.T) {
	for name, by := range map[string]process.ID{"this version": faults.Gone(), "still running": (*System)(nil).Self()} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "one")
			must(t, os.Link(p.file, filepath.Join(p.dir, p.tempBy(by))))
			_, err := NewStore(nil).Replace(t.Context(), p.target(), upper)
			must(t, err)
			p.holds("ONE")
		})
	}
	p := newProject(t, "one")
	must(t, os.Link(p.file, filepath.Join(p.dir, ".x-state.json.gatehouse-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp"))) // earlier versions
	must(t, os.Link(p.file, filepath.Join(p.dir, "backup")))                                                 // and a user's own
	_, err := NewStore(nil).Replace(t.Context(), p.target(), upper)
	p.fails(err, nil, "hard link")
	must(t, os.Remove(filepath.Join(p.dir, "backup")))
	_, err = NewStore(nil).Replace(t.Context(), p.target(), upper)
	must(t, err)
	p.holds("ONE")
}
