// The interface to the operating system: an open directory, and the files in it.

package statefile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/process"
)

// errNotRegular is the error of OpenFile for anything but a regular file.
var errNotRegular = errors.New("not a regular file")

// System is the operating system as far as writing needs it. Nil is the system of the process.
type System struct {
	// As is the process that writes; without a PID it is this one.
	As process.ID
	// Do, unless nil, makes each call that may change something, or does not make it: a test lets it fail or stop half-way. A text is
	// written in two halves then, with a call for each.
	Do func(call string, do func() error) error
	// Unsynced means that nothing waits until a file has reached the disk: losing it in a crash of the machine is harmless.
	Unsynced bool
}

// Self implements [process.Table].
func (s *System) Self() process.ID {
	if s != nil && s.As.PID != 0 {
		return s.As
	}
	return process.System{}.Self()
}

// Look implements [process.Table].
func (s *System) Look(pid int) (process.Info, bool) { return process.System{}.Look(pid) }

// do makes a call, and makes it again if a signal has interrupted it, as file systems on a network let it be.
func (s *System) do(call string, do func() error) error {
	retried := func() error {
		for {
			if err := do(); !errors.Is(err, syscall.EINTR) {
				return err
			}
		}
	}
	if s == nil || s.Do == nil {
		return retried()
	}
	return s.Do(call, retried)
}

// MakeAll makes a directory and those above it that are missing.
func (s *System) MakeAll(dir string, perm fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	return s.do("make directories", func() error { return os.MkdirAll(dir, perm) })
}

// Open opens the directory at a real path, and fails if the path leads to another one by now.
func (s *System) Open(dir string) (*Directory, error) {
	d := &Directory{system: s}
	err := s.do("open directory", func() (err error) {
		d.root, err = os.OpenRoot(dir)
		return err
	})
	if err != nil {
		return nil, err
	}
	if d.self, err = d.root.Open("."); err == nil {
		err = d.isAt(dir)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Directory is an open directory. Names are names of entries; no operation follows links out of it.
type Directory struct {
	system *System
	root   *os.Root
	self   *os.File
}

// isAt returns an error if a path without links leads to another directory.
func (d *Directory) isAt(dir string) error {
	opened, err := d.self.Stat()
	if err != nil {
		return err
	}
	now, err := os.Lstat(dir)
	if real, ok := peek.RealPath(dir); err == nil && (!ok || real != dir || !os.SameFile(opened, now)) {
		err = fmt.Errorf("another directory has come to stand at %s", dir)
	}
	return err
}

// Close closes the directory.
func (d *Directory) Close() error {
	if d.self != nil {
		d.self.Close()
	}
	return d.root.Close()
}

// OpenFile opens a regular file and nothing else, without waiting for anything.
func (d *Directory) OpenFile(name string, flag int, perm fs.FileMode) (*File, error) {
	call := "open"
	if flag&os.O_CREATE != 0 {
		call = "create"
	}
	f := &File{system: d.system}
	err := d.system.do(call, func() (err error) {
		f.File, err = openRegular(d.root, name, flag, perm)
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// openRegular opens the file name in dir like [os.Root.OpenFile], if it is a regular file and not a link. It never
// blocks: a FIFO in place of a file would hang a plain open.
func openRegular(dir *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	fail := func(err error) error { return &fs.PathError{Op: "open", Path: name, Err: err} }
	// Opening a device can have effects, so the type is checked first, and again on the opened file.
	if info, err := dir.Lstat(name); err == nil && !info.Mode().IsRegular() {
		if flag&os.O_EXCL != 0 {
			return nil, fail(fs.ErrExist)
		}
		return nil, fail(errNotRegular)
	}
	f, err := dir.OpenFile(name, flag|nonblock, perm)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil {
		var current fs.FileInfo
		// The file may have been renamed since: it was a regular file with that name.
		if current, err = dir.Lstat(name); !opened.Mode().IsRegular() || err == nil && !current.Mode().IsRegular() {
			err = errNotRegular
		} else if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil {
		f.Close()
		return nil, fail(err)
	}
	return f, nil
}

// Lstat returns information about an entry.
func (d *Directory) Lstat(name string) (fs.FileInfo, error) { return d.root.Lstat(name) }

// Link gives a file a second name.
func (d *Directory) Link(old, new string) error {
	return d.system.do("link", func() error { return d.root.Link(old, new) })
}

// Rename gives an entry another name, and replaces what has that name.
func (d *Directory) Rename(old, new string) error {
	return d.system.do("rename", func() error { return d.root.Rename(old, new) })
}

// Exchange swaps the names of two entries in one step. The error is [errors.ErrUnsupported] if there is no such call.
func (d *Directory) Exchange(one, other string) error {
	return d.system.do("exchange names", func() error { return exchange(d.self, one, other) })
}

// nameNew gives a file a new name, and never replaces another file: the error is [fs.ErrExist] if the name is taken. The old name stays to be
// removed, unless the file system has no hard links.
func (d *Directory) nameNew(old, new string) error {
	err := d.Link(old, new)
	if err == nil || isDiskFull(err) {
		return err
	}
	from, missing := d.Lstat(old)
	to, free := d.Lstat(new)
	switch {
	case missing != nil:
		return missing
	case free == nil && os.SameFile(from, to): // a process was killed before it removed the old name
		return nil
	case free == nil:
		return fs.ErrExist
	}
	return d.Rename(old, new)
}

// Remove removes an entry.
func (d *Directory) Remove(name string) error {
	return d.system.do("remove", func() error { return d.root.Remove(name) })
}

// Mkdir makes a directory.
func (d *Directory) Mkdir(name string, perm fs.FileMode) error {
	return d.system.do("make directory", func() error { return d.root.Mkdir(name, perm) })
}

// Names returns the names of the entries, at most so many; -1 for all.
func (d *Directory) Names(most int) ([]string, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(most)
	if err == io.EOF {
		err = nil
	}
	return names, err
}

// Sync waits until the names have reached the disk.
func (d *Directory) Sync() error { return d.system.sync("sync directory", d.self) }

func (s *System) sync(call string, f *os.File) error {
	return s.do(call, func() error {
		if s != nil && s.Unsynced {
			return nil
		}
		return f.Sync()
	})
}

// File is an open file.
type File struct {
	*os.File
	system *System
}

// Write writes a text by one call.
func (f *File) Write(text []byte) (n int, err error) {
	half := len(text)
	if f.system != nil && f.system.Do != nil {
		half /= 2
	}
	err = f.system.do("write", func() (err error) {
		n, err = f.File.Write(text[:half])
		return err
	})
	if err == nil && half < len(text) {
		err = f.system.do("write on", func() error {
			more, err := f.File.Write(text[half:])
			n += more
			return err
		})
	}
	return n, err
}

// WriteString is Write for a string.
func (f *File) WriteString(text string) (n int, err error) { return f.Write([]byte(text)) }

// Chmod sets the permissions.
func (f *File) Chmod(mode fs.FileMode) error {
	return f.system.do("chmod", func() error { return f.File.Chmod(mode) })
}

// Chown sets owner and group.
func (f *File) Chown(uid, gid int) error {
	return f.system.do("chown", func() error { return f.File.Chown(uid, gid) })
}

// Sync waits until the file has reached the disk.
func (f *File) Sync() error { return f.system.sync("sync", f.File) }

// Close closes the file, also if the call fails.
func (f *File) Close() error {
	err := f.File.Close()
	return cmp.Or(f.system.do("close", func() error { return nil }), err)
}
