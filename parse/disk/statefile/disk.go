// The interface to the operating system: an open directory, and the files in it.

package statefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/process"
)

// System is the operating system as far as writing needs it. Tests put one in its place that fails, or stops half-way.
type System interface {
	// Open opens the directory at a real path, and fails if the path leads to another one by now.
	Open(dir string) (Directory, error)
	// MakeAll makes a directory and those above it that are missing.
	MakeAll(dir string, perm fs.FileMode) error
	// Table identifies the current process, and those that have ended.
	process.Table
}

// Directory is an open directory. Names are names of entries; no operation follows links out of it.
type Directory interface {
	// OpenFile opens a regular file and nothing else, without waiting for anything.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Lstat(name string) (fs.FileInfo, error)
	Link(old, new string) error
	Rename(old, new string) error
	// RenameNew is Rename without replacing: the error is [fs.ErrExist] if the new name is taken, and
	// [errors.ErrUnsupported] if the system or the file system has no such call.
	RenameNew(old, new string) error
	// Exchange swaps the names of two entries in one step. The error is [errors.ErrUnsupported] if there is no such
	// call.
	Exchange(one, other string) error
	Remove(name string) error
	Mkdir(name string, perm fs.FileMode) error
	Names() ([]string, error)
	Sync() error
	Close() error
}

// File is an open file.
type File interface {
	io.ReadWriteCloser
	io.ReaderAt
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Chown(uid, gid int) error
	// Attributes returns the relevant extended attributes, none if the file system has none.
	Attributes() (Attributes, error)
	SetAttribute(name, value string) error
	RemoveAttribute(name string) error
	Sync() error
	// Lock takes the lock of the file that other processes take by Lock, until it is closed. It waits for a while; if
	// locks are not available, or another process hangs, it continues without.
	Lock()
}

// Attributes are the extended attributes of a file, access control lists among them, by name.
type Attributes map[string]string

// errNotRegular is the error of OpenFile for anything but a regular file.
var errNotRegular = errors.New("not a regular file")

// OS is the operating system itself.
type OS struct{ process.System }

// MakeAll implements System.
func (OS) MakeAll(dir string, perm fs.FileMode) error { return os.MkdirAll(dir, perm) }

// Open implements System.
func (OS) Open(dir string) (Directory, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	d := disk{Root: root}
	if d.self, err = root.Open("."); err == nil {
		err = d.isAt(dir)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// disk is a directory of the operating system.
type disk struct {
	*os.Root
	self *os.File
}

// isAt returns an error if the directory at a path, without any links, is another.
func (d disk) isAt(dir string) error {
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

// Close implements Directory.
func (d disk) Close() error {
	if d.self != nil {
		d.self.Close()
	}
	return d.Root.Close()
}

// OpenFile implements Directory.
func (d disk) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := OpenRegular(d.Root, name, flag, perm)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

// OpenRegular opens the file name in dir like [os.Root.OpenFile], if it is a regular file and not a link. It never
// blocks: a FIFO in place of a file would hang a plain open.
func OpenRegular(dir *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
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
		var stands fs.FileInfo
		// Renamed away meanwhile is all right: it was a regular file of that name.
		if stands, err = dir.Lstat(name); !opened.Mode().IsRegular() || err == nil && !stands.Mode().IsRegular() {
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

// Link implements Directory.
func (d disk) Link(old, new string) error {
	return retryInterrupted(func() error { return d.Root.Link(old, new) })
}

// Rename implements Directory.
func (d disk) Rename(old, new string) error {
	return retryInterrupted(func() error { return d.Root.Rename(old, new) })
}

// RenameNew implements Directory.
func (d disk) RenameNew(old, new string) error { return d.renameBetween(renameNew, old, new) }

// Exchange implements Directory.
func (d disk) Exchange(one, other string) error { return d.renameBetween(exchange, one, other) }

// renameBetween makes a rename call that package os lacks.
func (d disk) renameBetween(call func(from *os.File, old string, to *os.File, new string) error, old, new string) error {
	from, close, err := d.openParent(old)
	if err != nil {
		return err
	}
	defer close()
	to, close, err := d.openParent(new)
	if err != nil {
		return err
	}
	defer close()
	err = retryInterrupted(func() error { return call(from, path.Base(old), to, path.Base(new)) })
	if err != nil {
		return &os.LinkError{Op: "rename", Old: old, New: new, Err: err}
	}
	return nil
}

// openParent opens the directory that an entry is in.
func (d disk) openParent(name string) (dir *os.File, close func() error, err error) {
	if path.Dir(name) == "." {
		return d.self, func() error { return nil }, nil
	}
	if dir, err = d.Root.Open(filepath.FromSlash(path.Dir(name))); err != nil {
		return nil, nil, err
	}
	return dir, dir.Close, nil
}

// retryInterrupted makes a call again that a signal has interrupted, as file systems on a network let it be.
func retryInterrupted(call func() error) error {
	for {
		if err := call(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// Names implements Directory.
func (d disk) Names() ([]string, error) {
	f, err := d.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// Sync implements Directory.
func (d disk) Sync() error { return d.self.Sync() }

// diskFile is a file of the operating system.
type diskFile struct{ *os.File }
