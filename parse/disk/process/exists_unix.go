//go:build unix

package process

import (
	"errors"
	"syscall"
)

// processExists reports whether a process runs or is a zombie, without further details.
func processExists(pid int) (Info, bool) {
	return Info{ID: ID{PID: pid}}, !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
