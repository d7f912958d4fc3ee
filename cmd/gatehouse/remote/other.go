//go:build !unix

package remote

import (
	"os"
	"syscall"
)

// private reports whether the key is there; no mode says here who may read it.
func private(file string) error {
	_, err := os.Stat(file)
	return err
}

func ownSession() *syscall.SysProcAttr { return nil }
