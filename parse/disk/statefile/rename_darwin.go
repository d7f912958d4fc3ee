package statefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps the names of two entries of a directory. File systems without the call report it in several ways.
func exchange(dir *os.File, one, other string) error {
	err := unix.RenameatxNp(int(dir.Fd()), one, int(dir.Fd()), other, unix.RENAME_SWAP)
	switch {
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		return errors.ErrUnsupported
	}
	return err
}
