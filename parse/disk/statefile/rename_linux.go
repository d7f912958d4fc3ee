package statefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNew moves an entry of a directory to an unused name in another one.
func renameNew(from *os.File, old string, to *os.File, new string) error {
	return mapUnsupported(unix.Renameat2(int(from.Fd()), old, int(to.Fd()), new, unix.RENAME_NOREPLACE))
}

// exchange swaps the names of two directory entries.
func exchange(from *os.File, one string, to *os.File, other string) error {
	return mapUnsupported(unix.Renameat2(int(from.Fd()), one, int(to.Fd()), other, unix.RENAME_EXCHANGE))
}

// mapUnsupported identifies the errors with which kernels and file systems report a missing call. EPERM comes from
// sandboxes; a real one comes again from the next method tried.
func mapUnsupported(err error) error {
	switch {
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.EPERM):
		return errors.ErrUnsupported
	}
	return err
}
