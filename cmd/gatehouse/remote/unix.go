//go:build unix

package remote

import (
	"fmt"
	"os"
	"syscall"
)

// checkPrivate refuses a key that others may read or write.
func checkPrivate(file string) error {
	info, err := os.Stat(file)
	switch {
	case os.IsNotExist(err):
		return fmt.Errorf("%s: the key is gone; add the remote again, and have the new key entered at the hub", file)
	case err == nil && info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s: others may read this key (%04o); chmod 600 it, and have a new one made if somebody did", file, info.Mode().Perm())
	}
	return err
}

// ownSession starts a process in a session without a terminal.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
