//go:build unix

package reply

import (
	"os/exec"
	"syscall"
)

// detachProcess lets a command live on when this process and its terminal end.
func detachProcess(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
