package statefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNew moves an entry of a directory to an unused name in another one.
func renameNew(from *os.File, old string, to *os.File, new string) error {
	return mapUnsupported(unix.RenameatxNp(int(from.Fd()), old, int(to.Fd()), new, unix.RENAME_EXCL))
}

// exchange swaps the names of two directory entries.
func exchange(from *os.File, one string, to *os.File, other string) error {
	return mapUnsupported(unix.RenameatxNp(int(from.Fd()), one, int(to.Fd()), other, unix.RENAME_SWAP))
}

// mapUnsupported identifies the errors with which file systems report a missing call.
func mapUnsupported(err error) error {
	switch {
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		return errors.ErrUnsupported
	}
	return err
}
