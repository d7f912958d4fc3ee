//go:build !unix

package statefile

import (
	"io/fs"
	"syscall"
)

// nonblock is nothing here: a FIFO does not stand in the place of a file.
const nonblock = 0

// errQuota is the disk that is full for one user, which here is no other error than a full disk.
const errQuota = syscall.ENOSPC

// links returns 1: how many names a file has is not told here.
func links(fs.FileInfo) uint64 { return 1 }

// owner returns nothing: a new file has the owner and rights that its directory gives.
func owner(fs.FileInfo) (uid, gid int) { return -1, -1 }
