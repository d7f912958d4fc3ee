//go:build linux || darwin || freebsd || netbsd || openbsd

package ask

import (
	"os"
	"syscall"
)

// lockFile takes the lock of a file for as long as the process runs and keeps it open.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// isHeld reports whether a process holds the lock of a file, and true on file systems without locks. Readers share a lock, so they do
// not count as holders.
func isHeld(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil // closing the file releases it
}
