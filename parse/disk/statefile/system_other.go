//go:build !unix

package statefile

import (
	"io/fs"
	"os"
	"syscall"
)

// nonblock is nothing here: a FIFO does not stand in the place of a file.
const nonblock = 0

// errQuota is the disk that is full for one user, which here is no other error than a full disk.
const errQuota = syscall.ENOSPC

// alive reports whether a process of this host runs, as far as that can be told.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}

// links returns 1: how many names a file has is not told here.
func links(fs.FileInfo) uint64 { return 1 }

// owner returns nothing: a new file has the owner and rights that its directory gives.
func owner(fs.FileInfo) (uid, gid int) { return -1, -1 }
