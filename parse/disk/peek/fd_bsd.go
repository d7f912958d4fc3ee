//go:build freebsd || netbsd || openbsd

package peek

import "syscall"

const (
	pathOnly      = syscall.O_RDONLY
	noFollowErrno = syscall.EFTYPE
)

// fdPath reports that the path of an open file is unknown here; so every link at a path with a root is refused.
func fdPath(int) (path string, ok bool) { return "", false }
