//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// Detach gives a command a session of its own: it lives on when this process and its terminal end, and cannot ask on the terminal.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
