//go:build !linux

package statefile

// hasAccessList reports false: only the mode and the owner of a file are kept here.
func (f *File) hasAccessList() bool { return false }

// removeAccessList does nothing.
func (f *File) removeAccessList() error { return nil }
