//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package statefile

import (
	"syscall"
	"time"
)

// flockPatience is how long the lock of a file of our own is waited for, which is held for less than a millisecond.
const flockPatience = 2 * time.Second

// Lock takes the lock of the file that other processes take by Lock, until it is closed. It waits for a while; if locks are not
// available, or another process hangs, it continues without.
func (f *File) Lock() {
	for end := time.Now().Add(flockPatience); ; time.Sleep(time.Millisecond) {
		err := f.TryLock()
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR || time.Now().After(end) {
			return
		}
	}
}

// TryLock takes the lock, until the file is closed, if no other process has it.
func (f *File) TryLock() error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// IsLocked reports whether a process has taken the lock, and true on file systems without locks. Readers share a lock, so they do not
// count.
func (f *File) IsLocked() bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil // closing the file releases it
}
