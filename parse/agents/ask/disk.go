package ask

import "os"

// disk is what of the store's doing changes files. A test has it fail.
type disk interface {
	// MkdirAll makes a directory and those above it that are missing, for the user alone.
	MkdirAll(path string) error
	// Create opens a file that is not there yet, for the user alone.
	Create(dir *os.Root, name string) (*os.File, error)
	Write(f *os.File, text []byte) error
	Link(dir *os.Root, old, new string) error
	Rename(dir *os.Root, old, new string) error
}

// system is the disk of the operating system.
type system struct{}

func (system) MkdirAll(path string) error { return os.MkdirAll(path, 0o700) }

func (system) Create(dir *os.Root, name string) (*os.File, error) {
	return dir.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

func (system) Write(f *os.File, text []byte) error {
	_, err := f.Write(text)
	return err
}

func (system) Link(dir *os.Root, old, new string) error { return dir.Link(old, new) }

func (system) Rename(dir *os.Root, old, new string) error { return dir.Rename(old, new) }
