//go:build !unix

package remote

import (
	"os"
	"syscall"
)

// checkPrivate only checks that the key exists: on this system the file mode does not say who may read it.
func checkPrivate(file string) error {
	_, err := os.Stat(file)
	return err
}

func ownSession() *syscall.SysProcAttr { return nil }
