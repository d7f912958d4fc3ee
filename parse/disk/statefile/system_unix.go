//go:build unix

package statefile

import (
	"io/fs"
	"syscall"
	"time"
)

// nonblock keeps an open from waiting for the other end of a FIFO.
const nonblock = syscall.O_NONBLOCK

// errQuota is the error for the exhausted quota of a user.
const errQuota = syscall.EDQUOT

// linkCount returns how many names a file has.
func linkCount(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// ownerOf returns the user and group that a file belongs to.
func ownerOf(info fs.FileInfo) (uid, gid int) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid)
	}
	return -1, -1
}

// errLocked is the error of a lock that another process has.
const errLocked = syscall.EWOULDBLOCK

// flockPatience is how long the lock of a file of our own is waited for, which is held for less than a millisecond.
const flockPatience = 2 * time.Second

// Lock takes the lock of the file that other processes take by Lock, until it is closed. It waits for a while; if locks are not
// available, or another process hangs, it continues without.
func (f *File) Lock() {
	for end := time.Now().Add(flockPatience); ; time.Sleep(time.Millisecond) {
		err := f.TryLock()
		if err != errLocked && err != syscall.EINTR || time.Now().After(end) {
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
