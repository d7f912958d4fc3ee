//go:build linux || darwin

package statefile

import (
	"bytes"
	"errors"

	"golang.org/x/sys/unix"
)

// Attributes returns the relevant extended attributes, none if the file system has none.
func (f *File) Attributes() (Attributes, error) {
	all, err := f.listAttributes()
	if err != nil {
		return nil, err
	}
	return all, f.addAccess(all)
}

// listAttributes returns the attributes that the system lists.
func (f *File) listAttributes() (all Attributes, err error) {
	names, err := growBuffer(func(buf []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), buf) })
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) {
		return Attributes{}, nil // this file system has none
	}
	all = Attributes{}
	for name := range bytes.SplitSeq(names, []byte{0}) {
		if len(name) == 0 || isContentBound(string(name)) {
			continue
		}
		value, err := growBuffer(func(buf []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), string(name), buf) })
		if errors.Is(err, noAttribute) {
			continue // it is gone again
		}
		if err != nil {
			if !isBinding(string(name)) {
				continue
			}
			return nil, attributeError{string(name), err}
		}
		all[string(name)] = string(value)
	}
	return all, err
}

// SetAttribute sets an attribute.
func (f *File) SetAttribute(name, value string) error {
	if isFixed(name) {
		return errors.ErrUnsupported
	}
	return f.system.do("set attribute", func() error { return unix.Fsetxattr(int(f.Fd()), name, []byte(value), 0) })
}

// RemoveAttribute removes an attribute.
func (f *File) RemoveAttribute(name string) error {
	return f.system.do("remove attribute", func() error { return unix.Fremovexattr(int(f.Fd()), name) })
}

// growBuffer returns the output of a call into a buffer, which grows until it is large enough.
func growBuffer(call func(buf []byte) (int, error)) ([]byte, error) {
	buf := make([]byte, 512)
	for {
		n, err := call(buf)
		switch {
		case err == nil:
			return buf[:n], nil
		case errors.Is(err, unix.ERANGE) && len(buf) < 1<<20:
			buf = make([]byte, 8*len(buf))
		case !errors.Is(err, unix.EINTR):
			return nil, err
		}
	}
}
