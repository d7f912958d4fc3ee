//go:build unix

package sign

import (
	"os/exec"
	"syscall"
)

// leaveTerminal keeps a command from asking on the terminal, which is a dashboard's.
func leaveTerminal(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
