//go:build unix

package reply

import (
	"os/exec"
	"syscall"
)

// detach lets a command live on when this process and its terminal end.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
