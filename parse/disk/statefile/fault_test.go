package statefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/statefile/faults"
)

// calling returns a system that records the calls it gets.
func calling() (system *System, calls *[]string) {
	calls = new([]string)
	return faults.Stepping(func(call string) error {
		*calls = append(*calls, call)
		return nil
	}), calls
}

// lacks returns a step that reports some calls as unsupported.
func lacks(calls ...string) func(call string) error {
	return func(call string) error {
		if slices.Contains(calls, call) {
			return errors.ErrUnsupported
		}
		return nil
	}
}

// without returns a system that lacks some calls.
func without(calls ...string) *System { return faults.Stepping(lacks(calls...)) }

// TestCallOrder: a file reaches the disk before it is renamed, and the directory after that, so that a power failure leaves no empty file.
func TestCallOrder(t *testing.T) {
	p := newProject(t, "one")
	system, calls := calling()
	s := NewStore(system)
	_, err := s.Replace(t.Context(), p.target(), upper)
	must(t, err)
	all := strings.Replace(strings.Join(*calls, ", "), "exchange names, open, close, remove, ", "rename, ", 1) // if names can be exchanged
	if !strings.Contains(all, "create, write, write on, chmod, sync, close, open, close, rename, sync directory, ") {
		t.Error(all)
	}
	*calls = nil
	err = s.Create(t.Context(), Target{filepath.Join(p.dir, "new"), []string{p.dir}}, "new")
	must(t, err)
	if all := strings.Join(*calls, ", "); !strings.Contains(all, ", create, write, write on, sync, close, link, remove, sync directory") {
		t.Error(all)
	}
}

// TestCreateOnOtherSystems: creating a file replaces no existing one, even if the system lacks the calls that ensure both in one step.
func TestCreateOnOtherSystems(t *testing.T) {
	for name, system := range map[string]*System{
		"Linux and macOS":      nil,
		"a FAT file system":    without(faults.Link, faults.Chmod, faults.Chown),
		"a request sent twice": {Do: askedTwice},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "one")
			must(t, os.Chmod(p.file, 0o600)) // like a new file that no other user may open
			s := NewStore(system)
			target := Target{filepath.Join(p.dir, "new.json"), []string{p.dir}}
			err := s.Create(t.Context(), target, "new")
			must(t, err)
			err = s.Create(t.Context(), target, "newer")
			p.fails(err, fs.ErrExist)
			_, err = s.Replace(t.Context(), p.target(), upper)
			must(t, err)
			p.holds("ONE", "new.json")
			if b, err := os.ReadFile(target.Path); err != nil || string(b) != "new" {
				t.Errorf("%q, %v", b, err)
			}
		})
	}
}

// askedTwice makes a rename twice and returns the second result, like a network file system whose request was sent twice.
func askedTwice(call string, do func() error) error {
	err := do()
	if err == nil && (call == faults.Link || call == faults.Rename) {
		return do()
	}
	return err
}
