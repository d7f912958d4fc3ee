//go:build !unix

package remote

import (
	"os"
	"syscall"
)

// checkPrivate reports whether the key is there; no mode says here who may read it.
func checkPrivate(file string) error {
	_, err := os.Stat(file)
	return err
}

func ownSession() *syscall.SysProcAttr { return nil }
