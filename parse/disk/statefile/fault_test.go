package statefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// stepping returns a store that calls step before each thing it asks of the operating system, and in the middle of each
// writing; where step returns an error, that is what comes of it.
func stepping(s *Store, step func(op string) error) *Store {
	open := s.open
	s.open = func(dir string) (directory, error) {
		if err := step("open directory"); err != nil {
			return nil, err
		}
		d, err := open(dir)
		return steppingDir{d, step}, err
	}
	return s
}

type steppingDir struct {
	directory
	step func(op string) error
}

func (d steppingDir) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	op := "open"
	if flag&os.O_CREATE != 0 {
		op = "create"
	}
	if err := d.step(op); err != nil {
		return nil, err
	}
	f, err := d.directory.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return steppingFile{f, d.step}, nil
}

func (d steppingDir) try(op string, do func() error) error {
	if err := d.step(op); err != nil {
		return err
	}
	return do()
}

func (d steppingDir) Link(old, new string) error {
	return d.try("link", func() error { return d.directory.Link(old, new) })
}

func (d steppingDir) Rename(old, new string) error {
	return d.try("rename", func() error { return d.directory.Rename(old, new) })
}

func (d steppingDir) Remove(name string) error {
	return d.try("remove", func() error { return d.directory.Remove(name) })
}

func (d steppingDir) Sync() error { return d.try("sync directory", d.directory.Sync) }

type steppingFile struct {
	file
	step func(op string) error
}

func (f steppingFile) Write(b []byte) (int, error) {
	if err := f.step("write"); err != nil {
		return 0, err
	}
	n, err := f.file.Write(b[:len(b)/2])
	if err == nil {
		err = f.step("write on")
	}
	if err != nil {
		return n, err
	}
	m, err := f.file.Write(b[n:])
	return n + m, err
}

func (f steppingFile) Chmod(mode fs.FileMode) error {
	if err := f.step("chmod"); err != nil {
		return err
	}
	return f.file.Chmod(mode)
}

func (f steppingFile) Sync() error {
	if err := f.step("sync"); err != nil {
		return err
	}
	return f.file.Sync()
}

func (f steppingFile) Close() error {
	err := f.file.Close()
	if err := f.step("close"); err != nil {
		return err
	}
	return err
}

// failing returns a store of which the nth step fails with an error, and what that step was.
func failing(n int, err error) (s *Store, failed *string) {
	failed = new(string)
	return stepping(skipping(), func(op string) error {
		if n--; n == -1 {
			*failed = op
			return &fs.PathError{Op: op, Path: "x", Err: err}
		}
		return nil
	}), failed
}

func TestDiskFull(t *testing.T) {
	for n := 0; ; n++ {
		p := newProject(t, "one")
		s, failed := failing(n, syscall.ENOSPC)
		_, err := s.Replace(t.Context(), p.target(), upper)
		if *failed == "" {
			must(t, err)
			if n < 15 {
				t.Errorf("only %d steps", n)
			}
			break
		}
		t.Run(fmt.Sprint(n, " ", *failed), func(t *testing.T) {
			p.T = t
			now, readErr := os.ReadFile(p.file)
			must(t, readErr)
			switch {
			case err == nil && string(now) != "ONE", err != nil && string(now) != "one":
				t.Errorf("the file holds %q, and the error is %v", now, err)
			case err == nil && strings.Contains("create write on chmod sync rename", *failed):
				t.Error("nothing is said")
			case err != nil && !strings.Contains(err.Error(), "no space left on device"):
				t.Error(err)
			}
			if err != nil {
				p.fails(err, syscall.ENOSPC)
			}
			if *failed != "remove" && (err != nil || *failed != "open") { // who can't look at the lock leaves it where it is
				p.holds(string(now))
			}
			if errors.Is(err, syscall.ENOSPC) && *failed != "open" && *failed != "open directory" && *failed != "close" && !strings.Contains(err.Error(), "free some space") {
				t.Error(err)
			}
			// Whatever was left behind does not keep the next one from writing.
			_, err = skipping().Replace(t.Context(), p.target(), func(string) (string, error) { return "next", nil })
			must(t, err)
		})
	}
}

// What is renamed has reached the disk before, and the rename does after: a loss of power leaves no empty file.
func TestOrder(t *testing.T) {
	p := newProject(t, "one")
	var steps []string
	s := stepping(NewStore(), func(op string) error {
		steps = append(steps, op)
		return nil
	})
	_, err := s.Replace(t.Context(), p.target(), upper)
	must(t, err)
	if all := strings.Join(steps, ", "); !strings.Contains(all, "create, write, write on, chmod, sync, close, open, close, open, close, rename, sync directory, ") {
		t.Error(all)
	}
	steps = nil
	_, err = s.Create(t.Context(), Target{filepath.Join(p.dir, "new"), []string{p.dir}}, "new")
	must(t, err)
	if all := strings.Join(steps, ", "); all != "open directory, create, write, write on, sync, close, link, remove, sync directory" {
		t.Error(all)
	}
}

func TestDiskFullCreating(t *testing.T) {
	for n := 0; ; n++ {
		p := newProject(t, "one")
		name := filepath.Join(p.dir, "new.json")
		s, failed := failing(n, syscall.ENOSPC)
		_, err := s.Create(t.Context(), Target{name, []string{p.dir}}, "new")
		if *failed == "" {
			must(t, err)
			break
		}
		now, readErr := os.ReadFile(name)
		if err == nil && string(now) != "new" || err != nil && !errors.Is(readErr, fs.ErrNotExist) {
			t.Errorf("%s fails: the file holds %q (%v), and the error is %v", *failed, now, readErr, err)
		}
		if err != nil {
			p.fails(err, syscall.ENOSPC)
			if *failed != "remove" {
				p.holds("one")
			}
		}
	}
}

func TestCreateWithoutHardLinks(t *testing.T) {
	p := newProject(t, "one")
	s := stepping(NewStore(), func(op string) error {
		if op == "link" {
			return syscall.EPERM
		}
		return nil
	})
	name := filepath.Join(p.dir, "new.json")
	_, err := s.Create(t.Context(), Target{name, []string{p.dir}}, "new")
	must(t, err)
	p.holds("one", "new.json")
	if b, err := os.ReadFile(name); err != nil || string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestOtherFailures(t *testing.T) {
	for n := range 40 {
		p := newProject(t, "one")
		s, failed := failing(n, syscall.EIO)
		_, err := s.Replace(t.Context(), p.target(), upper)
		now, readErr := os.ReadFile(p.file)
		if must(t, readErr); err == nil && string(now) != "ONE" || err != nil && string(now) != "one" {
			t.Errorf("%s fails: the file holds %q, and the error is %v", *failed, now, err)
		}
		if err != nil {
			p.fails(err, syscall.EIO, "input/output error")
		}
	}
}
