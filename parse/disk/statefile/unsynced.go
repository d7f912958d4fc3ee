package statefile

// This file is the system for files that need not survive a crash of the machine, as in demos and tests.

import "io/fs"

// Unsynced is the operating system, but that nothing waits until a file has reached the disk.
type Unsynced struct{ OS }

// Open implements System.
func (s Unsynced) Open(dir string) (Directory, error) {
	d, err := s.OS.Open(dir)
	if err != nil {
		return nil, err
	}
	return unsyncedDir{d}, nil
}

type unsyncedDir struct{ Directory }

func (d unsyncedDir) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := d.Directory.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return unsyncedFile{f}, nil
}

func (unsyncedDir) Sync() error { return nil }

type unsyncedFile struct{ File }

func (unsyncedFile) Sync() error { return nil }
