//go:build unix

package notice

import (
	"context"
	"os/exec"
	"syscall"
)

// shellCommand returns a command line as the shell runs it, in a group of its own that ends as a whole.
func shellCommand(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
