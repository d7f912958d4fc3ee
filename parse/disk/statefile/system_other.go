//go:build !unix

package statefile

import (
	"errors"
	"io/fs"
	"syscall"
)

// nonblock has no effect here: a FIFO can't replace a file.
const nonblock = 0

// errQuota is the error for an exhausted quota, which here is the same as a full disk.
const errQuota = syscall.ENOSPC

// linkCount returns 1: the number of names of a file is not available here.
func linkCount(fs.FileInfo) uint64 { return 1 }

// ownerOf returns nothing: a new file has the owner and rights that its directory gives.
func ownerOf(fs.FileInfo) (uid, gid int) { return -1, -1 }

// errLocked is never returned: there are no such locks here.
var errLocked = errors.New("locked")

// Lock does nothing.
func (*File) Lock() {}

// TryLock does nothing: an open file can't be removed here, which is enough.
func (*File) TryLock() error { return nil }

// IsLocked reports true, so that nothing is swept before its time.
func (*File) IsLocked() bool { return true }
