// What is asked of the operating system: a directory that is open, and the files in it.

package statefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"gatehouse/parse/disk/peek"
)

// directory is an open directory. A name is that of an entry; nothing follows links out of it.
type directory interface {
	// OpenFile opens a regular file and nothing else, without waiting for anything.
	OpenFile(name string, flag int, perm fs.FileMode) (file, error)
	Lstat(name string) (fs.FileInfo, error)
	Link(old, new string) error
	Rename(old, new string) error
	Remove(name string) error
	Mkdir(name string, perm fs.FileMode) error
	Names() ([]string, error)
	Sync() error
	Close() error
}

// file is an open file.
type file interface {
	io.ReadWriteCloser
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Chown(uid, gid int) error
	Sync() error
}

// errNotRegular is the error of OpenFile for what is no regular file.
var errNotRegular = errors.New("not a regular file")

// disk is a directory of the operating system.
type disk struct{ *os.Root }

// openDisk opens the directory at a real path, and no other that has come to stand there.
func openDisk(dir string) (directory, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil {
		var now fs.FileInfo
		now, err = os.Lstat(dir)
		if real, ok := peek.RealPath(dir); err == nil && (!ok || real != dir || !os.SameFile(opened, now)) {
			err = fmt.Errorf("another directory has come to stand at %s", dir)
		}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return disk{root}, nil
}

// OpenFile implements directory.
func (d disk) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	f, err := OpenRegular(d.Root, name, flag, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// OpenRegular opens the file name in dir as [os.Root.OpenFile] does, if it is a regular one, and no link to one. It waits for
// nobody, whatever stands there: a FIFO in the place of a file would hang whoever opens it.
func OpenRegular(dir *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	fail := func(err error) error { return &fs.PathError{Op: "open", Path: name, Err: err} }
	// Opening a device can do things, so the type is looked at first; and again on what was opened.
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

// Names implements directory.
func (d disk) Names() ([]string, error) {
	f, err := d.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// Sync implements directory.
func (d disk) Sync() error {
	f, err := d.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
