//go:build unix

package join

import (
	"errors"
	"os"
	"syscall"
)

// alive reports whether a process of this machine runs.
func alive(pid int) bool { return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// syncDir has the names in a directory reach the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
