//go:build unix

package process

import (
	"errors"
	"os/exec"
	"syscall"
)

// Detach gives a command a session of its own: it lives on when this process and its terminal end, and cannot ask on the terminal.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// processExists reports whether a process runs or is a zombie, without further details.
func processExists(pid int) (Info, bool) {
	return Info{ID: ID{PID: pid}}, !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
