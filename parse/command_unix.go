//go:build unix

package parse

import (
	"os/exec"
	"syscall"
)

// ownSession keeps a command from ending with the terminal.
func ownSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
