package statefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps the names of two entries of a directory. Kernels and file systems without the call report it in several
// ways, sandboxes with EPERM; a real EPERM comes again from the rename that is tried next.
func exchange(dir *os.File, one, other string) error {
	err := unix.Renameat2(int(dir.Fd()), one, int(dir.Fd()), other, unix.RENAME_EXCHANGE)
	switch {
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.EPERM):
		return errors.ErrUnsupported
	}
	return err
}
