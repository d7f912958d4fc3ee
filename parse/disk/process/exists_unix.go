//go:build unix

package process

import (
	"errors"
	"syscall"
)

// exists reports whether a process runs, or has ended and nobody has asked how, and tells nothing else of it.
func exists(pid int) (Info, bool) {
	return Info{ID: ID{PID: pid}}, !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
