package statefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNew gives an entry of a directory a name in another one that nothing has.
func renameNew(from *os.File, old string, to *os.File, new string) error {
	err := unix.RenameatxNp(int(from.Fd()), old, int(to.Fd()), new, unix.RENAME_EXCL)
	switch {
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		return errors.ErrUnsupported
	}
	return err
}
